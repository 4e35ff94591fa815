#!/bin/sh
# Installs packages of the distribution, whose releases are their pins, or says how a user can.
set -eu

command="apt-get install --yes $*"
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "the tests need: $command" >&2
    exit 1
fi
# Two at once would refuse each other.
exec 9<"$0"
flock 9
{ apt-get update && $command; } >&2
