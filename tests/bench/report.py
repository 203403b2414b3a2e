#!/usr/bin/env python3
"""Makes pictures and the table of goals from the benchmark's CSV file.

    report.py FILE.csv [--readme README.md]

Writes FILE-lengths.svg for every size, FILE-domains.svg and, for every size, the table of goals into FILE.md. With --readme that
table for 2^24 rows goes into the file named, too, between the lines <!-- goals --> and <!-- /goals -->.
"""
import argparse
import csv
import math
import pathlib
import sys

# Case, what the table calls it, ms to reach, best peer's time over ours to reach. At 2^24 rows.
GOALS = (
    [(f"length-{n}", f"{n:,} rows", ms, ratio) for n, ms, ratio in (
        (8, 0.078, 2.6), (16, 0.085, 2.1), (32, 0.11, 4.2), (64, 0.13, 2.2), (128, 0.155, 3.1), (256, 0.20, 2.7),
        (512, 0.25, 2.3), (1024, 0.30, 2.0), (2048, 0.34, 2.0), (4096, 0.38, 1.35), (16384, 0.60, 1.45),
        (65536, 0.60, 1.45))]
    + [("power-law-256", "power law to 256", 0.30, 4.2), ("power-law-100000", "power law to 100,000", 0.42, 3.7)]
    + [(f"domain-{n}", f"one domain of 2^{n}", ms, ratio) for n, ms, ratio in (
        (12, 0.012, 1.5), (14, 0.030, 1.5), (16, 0.045, 1.5), (20, 0.075, 1.2), (22, 0.18, 1.15), (24, 0.50, 1.13))]
    + [("small-100x-200", "100 segments of 200 rows", 0.009, 2.0)]
)
# The ratios of these were set beside bb_segsort (CUDA, unstable), which is not among the peers: there the time counts, too.
TIMED_TOO = {"length-128", "length-256", "length-512", "length-1024", "length-2048", "power-law-256", "power-law-100000"}
MAIN_SIZE = 24
COPY_GOALS = (("length-2", 1.2), ("length-4", 1.2))  # times the copy, at most
MIXED_GOAL = 1.2  # times the sum of both parts alone, at most
HOST_GOALS = (("a call with state restored, us", 10, ("restore_us",)), ("a call without, us", 4, ("dirty_us",)),
              ("context and first plan, ms", 250, ("context_ms", "plan_first_ms")),
              ("context and first plan with programs kept, ms", None, ("context_kept_ms", "plan_kept_ms")))

COLOURS = {"ours": "#d1495b", "best CUDA peer": "#3066be", "plain network": "#8d6a9f", "CPU": "#6c757d",
           "copy (the limit)": "#2a9d4a"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 70, 150, 40, 55


class Results:
    """Of one size, the latest row for each case and implementation."""

    def __init__(self, rows):
        self.rows = {(row["case"], row["implementation"]): row for row in rows}
        self.gpu = rows[0]["gpu"] if rows else ""

    def row(self, case, implementation):
        return self.rows.get((case, implementation))

    def best(self, case, prefix):
        found = [row for (name, implementation), row in self.rows.items()
                 if name == case and implementation.startswith(prefix)]
        return min(found, key=lambda row: float(row["median_ms"])) if found else None

    def series(self, case_prefix, x_of):
        """Of each implementation that is drawn, points of x and rows a nanosecond."""
        lines = {"ours": "ours", "best CUDA peer": "cub", "plain network": "network", "CPU": "cpu",
                 "copy (the limit)": "copy"}
        cases = {row["case"]: row for (case, _), row in self.rows.items() if case.startswith(case_prefix)}
        drawn = {}
        for title, prefix in lines.items():
            best = [self.best(case, prefix) for case in cases]
            points = sorted((x_of(row), float(row["rows"]) / float(row["median_ms"]) * 1e-6) for row in best if row)
            if points:
                drawn[title] = points
        return drawn


def read(path):
    """The results of each size."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        sys.exit(f"report: {path} has no rows")
    sizes = sorted({int(row["size"]) for row in rows})
    return {size: Results([row for row in rows if int(row["size"]) == size]) for size in sizes}


# --- pictures ---------------------------------------------------------------------------------------

def decades(low, high):
    return [10.0 ** i for i in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{words}</text>'


class Plot:
    """Both axes are logarithmic."""

    def __init__(self, drawn):
        xs = [x for points in drawn.values() for x, _ in points]
        ys = [y for points in drawn.values() for _, y in points]
        ticks = decades(min(ys), max(ys))
        self.x_range = (math.log2(min(xs)), max(math.log2(max(xs)), math.log2(min(xs)) + 1))
        self.y_range = (math.log10(ticks[0]), max(math.log10(ticks[-1]), math.log10(ticks[0]) + 1))
        self.y_ticks = ticks
        self.parts = []

    def x(self, value):
        low, high = self.x_range
        return LEFT + (math.log2(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        low, high = self.y_range
        return HEIGHT - BOTTOM - (math.log10(value) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    def axes(self, title, x_title):
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        for tick in self.y_ticks:
            y = self.y(tick)
            self.parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#ddd"/>')
            self.parts.append(text(LEFT - 8, y + 4, f"{tick:g}", "end"))
        first, last = math.ceil(self.x_range[0]), math.floor(self.x_range[1])
        step = max(1, math.ceil((last - first + 1) / 11))
        for power in range(first, last + 1, step):
            x = self.x(2.0 ** power)
            label = f"{2 ** power:,}" if power < 17 else f"2^{power}"
            self.parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#eee"/>')
            self.parts.append(text(x, bottom + 18, label))
        self.parts.append(text(LEFT, 22, title, "start", 'font-size="15" fill="#222"'))
        self.parts.append(text((LEFT + right) / 2, HEIGHT - 12, x_title))
        middle = (TOP + bottom) / 2
        self.parts.append(text(18, middle, "billion rows a second", "middle", f'transform="rotate(-90 18 {middle})"'))

    def lines(self, drawn):
        right = WIDTH - RIGHT
        ends = sorted(((self.y(points[-1][1]), title) for title, points in drawn.items()))
        lowest = TOP - 16.0
        for y, title in ends:
            colour, points = COLOURS[title], drawn[title]
            end = self.x(points[-1][0])
            path = " ".join(f"{self.x(x):.1f},{self.y(value):.1f}" for x, value in points)
            dashes = ' stroke-dasharray="6 4"' if title.startswith("copy") else ""
            self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
            self.parts += [f'<circle cx="{self.x(x):.1f}" cy="{self.y(value):.1f}" r="3" fill="{colour}"/>'
                           for x, value in points if not title.startswith("copy")]
            if end < right - 20:
                self.parts.append(text(end + 8, y - 8, title, "start", f'style="fill:{colour}"'))
                continue
            lowest = max(y, lowest + 16)
            self.parts.append(f'<line x1="{end:.1f}" y1="{y:.1f}" x2="{right + 8}" y2="{lowest:.1f}" '
                              f'stroke="{colour}" stroke-width="0.5"/>')
            self.parts.append(text(right + 12, lowest + 4, title, "start", f'style="fill:{colour}"'))

    def svg(self):
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                          f'font-family="sans-serif" font-size="12" fill="#555">',
                          f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *self.parts, "</svg>", ""])


def draw(path, drawn, title, x_title):
    if not drawn:
        return
    plot = Plot(drawn)
    plot.axes(title, x_title)
    plot.lines(drawn)
    path.write_text(plot.svg(), encoding="utf-8")
    print(f"wrote {path}")


def all_domains(sizes):
    """One domain is as long as it is: what each size adds to the others."""
    drawn = {}
    for results in sizes.values():
        for title, points in results.series("domain-", lambda row: int(row["rows"])).items():
            drawn[title] = sorted(drawn.get(title, []) + points)
    return drawn


def draw_all(base, sizes):
    for size, results in sizes.items():
        suffix = "" if size == min(sizes) else f"-{size}"
        gpu = results.gpu.split("/")[0].split("(")[0].strip()
        draw(base.with_name(f"{base.name}-lengths{suffix}.svg"),
             results.series("length-", lambda row: int(row["longest"])),
             f"Equal segments, 2^{size} rows, {gpu}", "rows a segment")
    draw(base.with_name(f"{base.name}-domains.svg"), all_domains(sizes), f"One domain, {gpu}", "rows")


# --- tables -----------------------------------------------------------------------------------------

def told(value, digits=3):
    return "" if value is None else f"{value:.{digits}f}"


def verdict(met):
    return "" if met is None else "yes" if met else "**no**"


def goal_line(results, case, title, goal_ms, goal_ratio):
    ours, peer = results.row(case, "ours"), results.best(case, "cub")
    if not ours:
        return None
    time = float(ours["median_ms"])
    peer_time = float(peer["median_ms"]) if peer else None
    ratio = peer_time / time if peer else None
    name = peer["implementation"] if peer else ""
    goal = "" if goal_ms is None else f"{goal_ms:g}"
    # The last digit that is told decides, as a reader would see it.
    met = None if ratio is None else round(ratio, 2) >= goal_ratio
    if met and case in TIMED_TOO and goal_ms is not None:
        met = round(time, 4) <= goal_ms
    return (f"| {title} | {time:.4f} | {goal} | {told(peer_time, 4)} | {name} | {told(ratio, 2)} | {goal_ratio:g} "
            f"| {verdict(met)} |")


def goals_table(results, size):
    goals = GOALS
    if size != MAIN_SIZE:
        known = {case for case, _ in results.rows}
        titles = {case: title for case, title, _, _ in GOALS}
        goals = [(case, titles.get(case, case), None, 1.0) for case in sorted(known, key=case_key)]
    lines = [goal_line(results, *goal) for goal in goals]
    lines = [line for line in lines if line]
    if not lines:
        return []
    return ["| case | ours, ms | goal, ms | best peer, ms | which | peer over ours | goal | met |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |", *lines]


def case_key(case):
    kind, _, number = case.rpartition("-")
    return (kind, int(number)) if number.isdigit() else (case, 0)


def bound_line(title, value, goal, digits):
    if goal is None:
        return f"| {title} | {value:.{digits}f} | | |"
    return f"| {title} | {value:.{digits}f} | {goal:g} | {verdict(round(value, digits) <= goal)} |"


def worst(results, columns):
    """Of all cases whose sorts are out of place and host-listed, the greatest sum of these columns."""
    found = [sum(float(row[column]) for column in columns) for row in results.rows.values()
             if row["implementation"] == "ours" and row["listed"] == "host" and row["in_place"] == "no"
             and all(row.get(column) for column in columns)]
    return max(found) if found else None


def bounds_table(results):
    lines = []
    for case, goal in COPY_GOALS:
        ours, copy = results.row(case, "ours"), results.best(case, "copy")
        if ours and copy:
            ratio = float(ours["median_ms"]) / float(copy["median_ms"])
            lines.append(bound_line(f"{case.split('-')[1]} rows, times the copy", ratio, goal, 2))
    both, long, small = (results.row(f"mixed-{part}", "ours") for part in ("both", "long", "small"))
    if both and long and small:
        ratio = float(both["median_ms"]) / (float(long["median_ms"]) + float(small["median_ms"]))
        lines.append(bound_line("a long segment among small ones, times the sum of both alone", ratio, MIXED_GOAL, 2))
    for title, goal, columns in HOST_GOALS:
        value = worst(results, columns)
        if value is not None:
            lines.append(bound_line(f"{title}, the worst case", value, goal, 1))
    return ["| bound | measured | at most | met |", "| --- | --- | --- | --- |", *lines] if lines else []


def write_tables(path, sizes):
    parts = []
    for size, results in sizes.items():
        first = next(iter(results.rows.values()))
        parts += [f"# 2^{size} rows, {results.gpu}", "", f"OpenGL {first['driver']}; `{path.stem}.csv` has all rows.", ""]
        parts += goals_table(results, size) + [""] + bounds_table(results) + [""]
    path.write_text("\n".join(parts), encoding="utf-8")
    print(f"wrote {path}")


def put_into(readme, results):
    words = readme.read_text(encoding="utf-8")
    begin, end = "<!-- goals -->", "<!-- /goals -->"
    if begin not in words or end not in words:
        sys.exit(f"report: {readme} has no lines {begin} and {end} for the table to go between")
    before, _, rest = words.partition(begin)
    _, _, after = rest.partition(end)
    table = "\n".join(goals_table(results, MAIN_SIZE))
    readme.write_text(f"{before}{begin}\n{table}\n{end}{after}", encoding="utf-8")
    print(f"wrote {readme}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", type=pathlib.Path)
    parser.add_argument("--readme", type=pathlib.Path)
    options = parser.parse_args()
    sizes = read(options.csv)
    base = options.csv.with_suffix("")
    draw_all(base, sizes)
    write_tables(base.with_suffix(".md"), sizes)
    if options.readme:
        if MAIN_SIZE not in sizes:
            sys.exit(f"report: {options.csv} has no rows of size {MAIN_SIZE}")
        put_into(options.readme, sizes[MAIN_SIZE])


main()
