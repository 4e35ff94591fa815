#!/bin/sh
# Installs packages of the distribution, whose releases are their pins, or says how a user can:
# `apt.sh redis-server nginx`. One whose program is there already is left out; `PROGRAM=PACKAGE` is
# for programs of other names, and their paths may be patterns.
set -eu

# Where some servers are, and only the PATH of root leads.
PATH=$PATH:/usr/sbin

is_there() {
    # shellcheck disable=SC2086 # It may be a pattern.
    for program in $1; do
        command -v "$program" >/dev/null && return
    done
    return 1
}

missing=
for wanted; do
    is_there "${wanted%%=*}" || missing="$missing ${wanted#*=}"
done
[ -n "$missing" ] || exit 0

command="apt-get install --yes$missing"
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "the tests need: $command" >&2
    exit 1
fi
# Two at once would refuse each other. A server that is started once it is installed must not keep
# the lock, and nobody is there to answer a question.
exec 9<"$0"
flock 9
export DEBIAN_FRONTEND=noninteractive
{ apt-get update && $command; } >&2 </dev/null 9<&-
