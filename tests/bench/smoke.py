#!/usr/bin/env python3
"""Runs tiny cases and looks at what is written, never at times.

    smoke.py BENCH SOURCES FOLDER
"""
import csv
import pathlib
import subprocess
import sys

NUMBERS = ("median_ms", "least_ms", "most_ms", "tenth_ms", "ninetieth_ms")
KEPT = ("context_kept_ms", "plan_kept_ms")  # where the driver has binaries of programs
OURS = ("table_bytes", "restore_us", "dirty_us", "context_ms", "plan_first_ms", "plan_again_ms", "sort_first_ms")
CASES = {
    "length-8": ("65536", "8192", "8"),
    "domain-10": ("1024", "1", "1024"),
    "classes-15": ("65534", "15", "32768"),
    "listed-length-8": ("65536", "8192", "8"),
    "in-place-64": ("65536", "1024", "64"),
    "type-u64-64": ("65536", "1024", "64"),
    "keys-sixteen-256": ("65536", "256", "256"),
}


def expect(right, sentence):
    if not right:
        sys.exit(f"smoke: {sentence}")


def run(command, status=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    expect(done.returncode == status, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def check_row(row):
    expect(None not in row and None not in row.values(), f"not as many fields as columns: {row}")
    expect((row["rows"], row["segments"], row["longest"]) == CASES[row["case"]], f"another case's rows: {row}")
    expect(row["verified"] == "yes", f"not verified: {row}")
    expect(all(float(row[name]) > 0 for name in NUMBERS), f"no times: {row}")
    expect(float(row["least_ms"]) <= float(row["median_ms"]) <= float(row["most_ms"]), f"no median: {row}")
    for name in OURS:
        expect((row[name] != "") == (row["implementation"] == "ours"), f"{name}: {row}")
    kept = [row[name] for name in KEPT]
    expect(all(kept) == any(kept) and (row["implementation"] == "ours" or not any(kept)), f"kept programs: {row}")


def check_rows(rows):
    for row in rows:
        check_row(row)
    found = [(row["case"], row["implementation"]) for row in rows]
    expect(len(found) == len(set(found)), f"a row twice: {found}")
    for case in CASES:
        wanted = {"copy", "copy-walk", "ours", "cpu"} | ({"network"} if case not in ("type-u64-64", "classes-15") else set())
        made = {implementation for name, implementation in found if name == case}
        expect(made - {"cub-two"} == wanted, f"{case} has rows of {made}")
    peers = [row for row in rows if row["implementation"] == "cub-two"]
    expect(len(peers) == 1 and float(peers[0]["median_ms"]) == 0.5 and peers[0]["clock_mhz"] == "1980",
           f"not what the peer said: {peers}")


def check_tuning(bench, folder):
    row = folder / "tuning.h"
    printed = run([bench, "--print-tuning"]).stdout
    expect("rank_threads" in printed and "sample_apart" in printed, f"no tuning:\n{printed}")
    done = run([bench, "--rows", 16, "--warm-up", 0, "--repetitions", 1, "--tune", row])
    expect("[1/" in done.stdout and str(row) in done.stdout, f"no progress:\n{done.stdout}")
    text = row.read_text(encoding="utf-8")
    for field in [line.split()[0] for line in printed.splitlines()[1:]]:
        expect(f".{field} = " in text, f"no {field} in\n{text}")
    row.write_text(text.replace(".tile_rows = 2048", ".tile_rows = 1024"), encoding="utf-8")
    tried = run([bench, "--print-tuning", "--tuning", row]).stdout
    expect(str(row) in tried and "1024  rows of a tile" in tried, f"not the tuning of the file:\n{tried}")
    run([bench, "--rows", 16, "--quick", "--lengths", "8", "--implementations", "ours", "--tuning", row])
    expect("can't be read" in run([bench, "--print-tuning", "--tuning", folder / "none"], 1).stderr, "no file is not told")
    row.write_text("nothing", encoding="utf-8")
    expect("no field" in run([bench, "--print-tuning", "--tuning", row], 1).stderr, "an empty file is not told")


def main():
    bench, sources, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "smoke.csv"
    tiny = [bench, "--rows", 16, "--warm-up", 0, "--repetitions", 2, "--csv", table]
    done = run(tiny + ["--cases", ",".join(CASES), "--peers", sources / "smoke_peers.sh"])
    expect("cub-one out of memory" in done.stderr, f"a peer's failure is not told: {done.stderr}")
    expect("ended in mid-case" in done.stderr, f"the peers' end is not told: {done.stderr}")
    with open(table, newline="", encoding="utf-8") as file:
        check_rows(list(csv.DictReader(file)))

    run([sys.executable, sources / "report.py", table])
    goals = (folder / "smoke.md").read_text(encoding="utf-8")
    expect("| 8 rows |" in goals, f"no goal of 8 rows:\n{goals}")
    for plot in ("smoke-lengths.svg", "smoke-domains.svg"):
        expect("</svg>" in (folder / plot).read_text(encoding="utf-8"), f"{plot} is no picture")

    check_tuning(bench, folder)

    before = table.read_text(encoding="utf-8")
    expect("no case is called nothing" in run(tiny + ["--cases", "nothing"], 1).stderr, "an unknown case is not told")
    expect("no length from 1 to 65536: x" in run(tiny + ["--lengths", "8,x"], 1).stderr, "a bad length is not told")
    expect(table.read_text(encoding="utf-8") == before, "a wrong command line has emptied the file")
    expect("--rows can't be 8" in run([bench, "--rows", 8], 2).stderr, "a size that is none is not told")
    expect("unknown option --speed" in run([bench, "--speed", 8], 2).stderr, "an unknown option is not told")
    done = run([bench, "--rows", 16, "--quick", "--lengths", "8", "--implementations", "ours"])
    expect("QUICK: nothing is verified" in done.stdout, "a quick run doesn't say so")


main()
