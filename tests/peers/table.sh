#!/bin/sh
# Prints the table of the clients: `table.sh FOLDER`, where the tests in tests/it have left a file
# for each row.
set -eu

head='client\tera\ttransport\tlist\tcall\tstructured\tisError\tunknown tool\tprogress\tcustom\tcancel\t4 in parallel\tlist_changed\tclose\n'
printf "$head" | cat - "$1"/* |
    awk -F '\t' '{ printf "%-21s%-12s%-11s", $1, $2, $3; for (i = 4; i <= NF; i++) printf "%-14s", $i; print "" }'
