#!/bin/sh
# Drives the viewer's window under Xvfb by keys, mouse and dropped files:
#
#   run_window.sh VIEWER FOLDER MESH [DROP_FILE]
#
# Exit code 77 (skipped) where Xvfb or xdotool is missing.
viewer=$1 folder=$2 mesh=$3 drop_file=$4
for program in Xvfb xdotool; do
    command -v $program >/dev/null || {
        echo "SKIPPED: $program isn't installed (Debian packages xvfb, xdotool)"
        exit 77
    }
done
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1

# Xvfb picks a free display itself and writes its number.
Xvfb -displayfd 3 -noreset -dpi 96 -screen 0 1024x768x24 -fbdir . 3>display 2>xvfb.log &
xvfb=$!
viewer_pid=
finish() {
    [ -n "$viewer_pid" ] && kill "$viewer_pid" 2>/dev/null
    kill $xvfb 2>/dev/null
    wait $xvfb 2>/dev/null
}
trap finish EXIT
fail() {
    echo "FAILED: $*"
    cat out err
    exit 1
}
# Waits for the command to succeed, for at most 60 seconds.
wait_for() {
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -gt 600 ] && return 1
        sleep 0.1
    done
}
title_has() {
    xdotool getwindowname "$window" | grep -q "$1"
}
size_is() {
    xdotool getwindowgeometry "$window" | grep -q "Geometry: $1"
}

touch out err
wait_for test -s display || fail "Xvfb doesn't start"
DISPLAY=:$(cat display)
export DISPLAY
unset WAYLAND_DISPLAY
# In a window the viewer keeps programs; Mesa's own cache stays where it is.
MESA_SHADER_CACHE_DIR=${MESA_SHADER_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}}
XDG_CACHE_HOME=$PWD/cache
export MESA_SHADER_CACHE_DIR XDG_CACHE_HOME
# What GLX's libraries still point to when they are unloaded looks leaked to a leak checker.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

# --- all scenes in one window ---
# Their names, in the order of the keys F1, F2 ...
scenes=$("$viewer" --help | sed -n 's/^Keys of \(.*\):$/\1/p')
[ -n "$scenes" ] || fail "--help names no scenes"
count=$(echo "$scenes" | wc -l)
shows() {
    title_has "^gl_segsort viewer - $1 - "
}
start() {
    "$viewer" --scene "$1" --particles 4096 --mesh "$mesh" --size 800x560 --screenshot shot.png >out 2>err &
    viewer_pid=$!
    wait_for xdotool search --name "gl_segsort viewer - $1 -" || fail "no window with $1"
    window=$(xdotool search --name "gl_segsort viewer - $1 -" | head -n 1)
    xdotool windowfocus "$window"
}
quit() {
    xdotool key Escape
    wait "$viewer_pid"
    code=$?
    viewer_pid=
    [ $code -eq 0 ] || fail "exit code $code behind $1"
    if grep -q '^GL' err; then fail "GL complained behind $1"; fi
}
# Xvfb keeps the screen in a file.
keep_screen() {
    cp Xvfb_screen0 "$1"
}
screen_is() {
    cmp -s Xvfb_screen0 "$1"
}
screen_is_not() {
    ! screen_is "$1"
}
# Waits until nothing on the screen changes any more; scenes may rest for a second by themselves.
settle() {
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
        keep_screen "$1"
        sleep 2
        if screen_is "$1"; then return 0; fi
    done
    fail "the screen never stands still"
}

start "$(echo "$scenes" | head -n 1)"
number=$count
for scene in $(echo "$scenes" | tac); do
    xdotool key F$number
    wait_for shows "$scene" || fail "key F$number doesn't show $scene"
    number=$((number - 1))
done
# The buttons share the 284 pixels of a panel, which has its corner at 10, 10.
number=$count
for scene in $(echo "$scenes" | tac); do
    number=$((number - 1))
    xdotool mousemove --window "$window" $((18 + (2 * number + 1) * 142 / count)) 47 click 1
    wait_for shows "$scene" || fail "its button doesn't show $scene"
done
xdotool mousemove --window "$window" 50 70 click 1
wait_for title_has ' - paused' || fail "the button doesn't pause"
xdotool key space
wait_for title_has 'frames a second' || fail "key space doesn't go on"
xdotool key space
wait_for title_has ' - paused' || fail "key space doesn't pause"

# Paused and without panels a picture stays as it is; help and panels come and go. Over the window the
# mouse would be taken off it and put back with every frame.
xdotool mousemove 1000 700 key Tab
settle bare
xdotool key h
wait_for screen_is_not bare || fail "key H shows no help"
xdotool key h
wait_for screen_is bare || fail "the help doesn't go away"
xdotool key F10
wait_for screen_is_not bare || fail "key F10 shows no help"
xdotool key F10
wait_for screen_is bare || fail "key F10 doesn't hide the help"
xdotool key Tab
wait_for screen_is_not bare || fail "key Tab shows no panels"
xdotool key Tab
wait_for screen_is bare || fail "key Tab doesn't hide the panels"

xdotool key F12
wait_for grep -q 'saved shot.png' out || fail "key F12 saves nothing"
wait_for screen_is_not bare || fail "the window doesn't say where the picture is"
echo mine >shot-0001.png
xdotool key F11
wait_for test -s shot-0003.png || fail "key F11 saves no frames"
xdotool key F11
wait_for grep -q 'saved [0-9]* frames, shot-0002.png to shot-' out || fail "key F11 doesn't end it"
[ "$(cat shot-0001.png)" = mine ] || fail "a file was overwritten"

xdotool windowsize "$window" 500 350
wait_for size_is 500x350 || fail "the window can't be resized"
rm shot.png && xdotool key F12
wait_for sh -c '[ "$(grep -c "saved shot.png" out)" = 2 ]' || fail "no picture after a resize"
# A PNG file's width and height.
[ "$(od -An -tu1 -j16 -N8 shot.png | tr -s ' ')" = " 0 0 1 244 0 0 1 94" ] ||
    fail "the picture hasn't got the window's size"

# A hidden window draws nothing, so its title stands still. There is nobody to minimise it here.
xdotool key space
wait_for title_has 'frames a second' || fail "it doesn't go on"
xdotool windowunmap "$window"
sleep 1
title=$(xdotool getwindowname "$window")
sleep 2
[ "$title" = "$(xdotool getwindowname "$window")" ] || fail "a hidden window goes on drawing"
xdotool windowmap "$window"
title_is_not() {
    [ "$(xdotool getwindowname "$window")" != "$1" ]
}
wait_for title_is_not "$title" || fail "a window that is shown again doesn't draw"
xdotool windowfocus "$window"

# A file is handed to a scene that takes files, whichever is shown. What can't be opened leaves all as
# it was.
if [ -n "$drop_file" ]; then
    other=$folder/dropped.obj
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$other"
    echo 'This is no mesh.' >'no mesh.txt'
    xdotool key F$count
    wait_for shows "$(echo "$scenes" | tail -n 1)" || fail "the last scene isn't shown"
    "$drop_file" "$window" "$PWD/no mesh.txt" || fail "no file can be dropped"
    wait_for grep -q "gl_segsort_viewer: $PWD/no mesh.txt: " err || fail "no word about a dropped file"
    wait_for shows "morton - $(basename "$mesh")" || fail "a broken file takes the mesh away"
    "$drop_file" "$window" "$other" || fail "no mesh can be dropped"
    wait_for grep -q "morton opened dropped.obj: 1 triangle" out || fail "the dropped mesh isn't opened"
    wait_for shows "morton - dropped.obj" || fail "the dropped mesh isn't shown"
    "$drop_file" "$window" "$PWD/no mesh.txt" || fail "no file can be dropped onto the mesh"
    wait_for sh -c '[ "$(grep -c "no mesh.txt: " err)" = 2 ]' || fail "no word about a second broken file"
    wait_for shows "morton - dropped.obj" || fail "a broken file takes the dropped mesh away"
    xdotool key F2
    wait_for shows particles || fail "the particles aren't shown"
    "$drop_file" "$window" "$PWD/no mesh.txt" || fail "no file can be dropped onto the particles"
    wait_for sh -c '[ "$(grep -c "no mesh.txt: " err)" = 3 ]' || fail "no word about a broken file from particles"
    "$drop_file" "$window" "$other" || fail "no mesh can be dropped onto the particles"
    wait_for grep -q "particles opened $other" out || fail "the particles don't open the mesh"
    [ "$(grep -c '^gl_segsort_viewer: ' err)" = 3 ] || fail "more than the three broken files are told of"
else
    echo "no file is dropped: drop_file wasn't built (Debian package libx11-dev)"
fi
quit "a window of all scenes"

# What was drawn by a number of frames is the same each time.
for scene in $scenes; do
    for name in a b; do
        "$viewer" --scene "$scene" --particles 4096 --mesh "$mesh" --size 300x200 --frames 9 \
            --screenshot $name.png >out 2>err || fail "exit code of $scene after --frames 9"
    done
    cmp a.png b.png || fail "two runs of nine frames of $scene differ"
done

# --- keys and mouse of scenes ---
saved() {
    rm -f shot.png
    xdotool key F12
    wait_for sh -c "[ \"\$(grep -c 'saved shot.png' out)\" = $1 ]" || fail "picture $1 isn't saved"
    cp shot.png "shot$1.png"
}
start morton
wait_for title_has '2 Morton order' || fail "it doesn't start with the Morton order"
saved 1
xdotool key 1
wait_for title_has '1 file order' || fail "key 1 doesn't show the file's order"
saved 2
cmp -s shot1.png shot2.png && fail "both orders look alike"
xdotool key 2
wait_for title_has '2 Morton order' || fail "key 2 doesn't show the Morton order"
saved 3
cmp -s shot1.png shot3.png || fail "the Morton order doesn't look as before"
xdotool key v
wait_for title_has '2 file and Morton order' || fail "key v doesn't show two orders"
xdotool key v
wait_for title_has 'all four orders' || fail "key v doesn't show four orders"
xdotool key v c
wait_for title_has '2 Morton order' || fail "key v doesn't show one order again"
saved 4
cmp -s shot1.png shot4.png && fail "key c shows no curve"
xdotool key c
# Behind the panels, and not on one.
xdotool mousemove --window "$window" 400 500 mousedown 1
xdotool mousemove --window "$window" 480 530
xdotool mouseup 1 click 4 click 5 click 4
saved 5
cmp -s shot1.png shot5.png && fail "a drag changes nothing"
xdotool key f
saved 6
cmp -s shot1.png shot6.png || fail "key f doesn't show the whole mesh again"
xdotool mousemove --window "$window" 150 300 mousedown 1
xdotool mousemove --window "$window" 180 330 mouseup 1
saved 7
cmp -s shot1.png shot7.png || fail "a drag on a panel turns the mesh"
xdotool key w
wait_for title_has 'sorted every frame' || fail "key w moves nothing"
xdotool key w
wait_for title_has 'segments) - ' || fail "key w doesn't stop"
quit morton
grep -q 'order equals the CPU oracle: yes' out || fail "no report"

start particles
title_has 'sorted emitter by emitter' || fail "it doesn't start emitter by emitter"
xdotool key o
wait_for title_has 'in one domain' || fail "key o doesn't change the domain"
xdotool key u
wait_for title_has ', unsorted in' || fail "key u goes on sorting"
xdotool key n
wait_for title_has 'sorted every 8 frames' || fail "key n doesn't sort now and then"
xdotool key s
wait_for title_has ', sorted in' || fail "key s doesn't sort"
quit particles

start network
wait_for title_has 'step [1-9][0-9]* of 21' || fail "the network doesn't play"
xdotool key a
wait_for title_has 'of 2, 96 random rows in 3 segments, ascending, radix' || fail "key a keeps the algorithm"
xdotool key d
wait_for title_has 'descending' || fail "key d keeps the direction"
xdotool key comma
xdotool key comma
wait_for title_has 'step 0 of 2' || fail "key , doesn't step back"
xdotool key period
wait_for title_has 'step 1 of 2' || fail "key . doesn't step"
quit network

# Mesa can pretend to be older. Whether there is OpenGL 4.3 without a window depends on the machine.
for scene in morton particles network; do
    MESA_GL_VERSION_OVERRIDE=3.3 "$viewer" --scene $scene --mesh "$mesh" --particles 4096 --size 64x64 \
        --frames 1 >old_out 2>old_err
    code=$?
    grep -q 'no window with OpenGL 4.3: ' old_err || {
        cat old_err
        fail "no word about an old OpenGL from $scene"
    }
    [ $code -le 1 ] || fail "exit code $code of $scene with an old OpenGL"
done
cat out err
