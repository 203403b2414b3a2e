#!/bin/sh
# Drives the viewer's window under Xvfb by keys and mouse: run_window.sh VIEWER FOLDER MESH
# Exit code 77 (skipped) where Xvfb or xdotool is missing.
viewer=$1 folder=$2 mesh=$3
for program in Xvfb xdotool; do
    command -v $program >/dev/null || {
        echo "SKIPPED: $program isn't installed (Debian packages xvfb, xdotool)"
        exit 77
    }
done
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1

# Xvfb picks a free display itself and writes its number.
Xvfb -displayfd 3 -screen 0 800x600x24 3>display 2>xvfb.log &
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
# What GLX's libraries still point to when they are unloaded looks leaked to a leak checker.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

"$viewer" --mesh "$mesh" --size 400x300 --screenshot shot.png >out 2>err &
viewer_pid=$!
wait_for xdotool search --name 'gl_segsort viewer -' || fail "no window with a title"
window=$(xdotool search --name 'gl_segsort viewer -' | head -n 1)
title_has 'Morton order' || fail "it doesn't start with the Morton order"
xdotool windowfocus "$window"

xdotool key 1
wait_for title_has 'file order' || fail "key 1 doesn't show the file order"
xdotool key 2
wait_for title_has 'Morton order' || fail "key 2 doesn't show the Morton order"
xdotool key s
wait_for test -s shot.png || fail "key S saves nothing"
wait_for grep -q 'saved shot.png' out || fail "key S says nothing"
cp shot.png first.png

xdotool mousemove --window "$window" 100 100 mousedown 1
xdotool mousemove --window "$window" 180 140
xdotool mouseup 1 click 4 click 5 click 4
rm shot.png && xdotool key s
wait_for test -s shot.png || fail "key S saves nothing after a drag"
wait_for sh -c '[ "$(grep -c "saved shot.png" out)" = 2 ]' || fail "the second picture isn't done"
cmp -s first.png shot.png && fail "a drag changes nothing"

xdotool windowsize "$window" 500 350
wait_for size_is 500x350 || fail "the window can't be resized"
xdotool key 1 key s
wait_for sh -c '[ "$(grep -c "saved shot.png" out)" = 3 ]' || fail "no picture after a resize"

xdotool key Escape
wait "$viewer_pid"
code=$?
viewer_pid=
[ $code -eq 0 ] || fail "exit code $code after Escape"
grep -q 'order equals the CPU oracle: yes' out || fail "no report"

"$viewer" --mesh "$mesh" --size 400x300 --frames 3 --screenshot last.png >out 2>err
code=$?
[ $code -eq 0 ] || fail "exit code $code after --frames 3"
[ -s last.png ] || fail "--frames with --screenshot saves nothing"

# A scene goes on by itself. Its title is set twice a second.
"$viewer" --scene particles --particles 4096 --size 300x200 --screenshot scene.png >out 2>err &
viewer_pid=$!
wait_for xdotool search --name 'gl_segsort viewer - particles' || fail "no window with particles"
window=$(xdotool search --name 'gl_segsort viewer - particles' | head -n 1)
title_has 'sorted emitter by emitter' || fail "it doesn't start emitter by emitter"
xdotool windowfocus "$window"
xdotool key o
wait_for title_has 'in one domain' || fail "key o doesn't change the domain"
xdotool key u
wait_for title_has ', unsorted in' || fail "key u goes on sorting"
xdotool key n
wait_for title_has 'sorted every 8 frames' || fail "key n doesn't sort now and then"
xdotool key s
wait_for title_has ', sorted in' || fail "key s doesn't sort"
xdotool windowsize "$window" 350 250
wait_for size_is 350x250 || fail "the scene's window can't be resized"
xdotool key F12
wait_for grep -q 'saved scene.png' out || fail "key F12 saves nothing"
xdotool key space
wait_for title_has ' live, ' || fail "key space ends it"
xdotool key Escape
wait "$viewer_pid"
code=$?
viewer_pid=
[ $code -eq 0 ] || fail "exit code $code of the scene"
for name in a b; do
    "$viewer" --scene particles --particles 4096 --size 300x200 --frames 9 --screenshot $name.png >out 2>err ||
        fail "exit code of the scene after --frames 9"
done
cmp a.png b.png || fail "two runs of nine frames differ"

# The network plays, and is stepped by hand.
"$viewer" --scene network --size 300x200 >out 2>err &
viewer_pid=$!
wait_for xdotool search --name 'gl_segsort viewer - network' || fail "no window with the network"
window=$(xdotool search --name 'gl_segsort viewer - network' | head -n 1)
wait_for title_has 'step [1-9][0-9]* of 21' || fail "the network doesn't play"
xdotool windowfocus "$window"
xdotool key a
wait_for title_has 'of 2, 96 random rows in 3 segments, ascending, radix' || fail "key a keeps the algorithm"
xdotool key d
wait_for title_has 'descending' || fail "key d keeps the direction"
xdotool key comma
xdotool key comma
wait_for title_has 'step 0 of 2' || fail "key , doesn't step back"
xdotool key period
wait_for title_has 'step 1 of 2' || fail "key . doesn't step"
xdotool key Escape
wait "$viewer_pid"
code=$?
viewer_pid=
[ $code -eq 0 ] || fail "exit code $code of the network"

# Mesa can pretend to be older. Whether there is OpenGL 4.3 without a window depends on the machine.
MESA_GL_VERSION_OVERRIDE=3.3 "$viewer" --mesh "$mesh" --size 64x64 >old_out 2>old_err
code=$?
grep -q 'no window with OpenGL 4.3: ' old_err || {
    cat old_err
    fail "no word about an old OpenGL"
}
[ $code -le 1 ] || fail "exit code $code with an old OpenGL"
cat out err
