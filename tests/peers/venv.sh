#!/bin/sh
# Makes a folder of Python packages, unless it is there already: `venv.sh LIST FOLDER`, where the
# list pins all of them.
set -eu

# Two at once would remove each other's files.
exec 9<"$1"
if command -v flock >/dev/null; then flock 9; fi
# What is installed is known by the list it was installed from.
if [ -x "$2/bin/python" ] && cmp -s "$1" "$2/installed.txt"; then
    exit
fi
# Python may have come without pip.
if ! python3 -m pip --version >/dev/null 2>&1; then
    "$(dirname -- "$0")/apt.sh" python3-pip
fi
python3 -m venv --clear --without-pip "$2" >&2
python3 -m pip --python "$2/bin/python" install --quiet --no-deps --no-compile --requirement "$1" >&2
cp "$1" "$2/installed.txt"
