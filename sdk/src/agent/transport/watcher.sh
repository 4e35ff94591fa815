# Sees to it that nothing outlives a program. Each line of input adds (+) or removes (-) an entry:
#
#   /FOLDER            a folder, as printf's %b reads it
#   TARGET:END:TERM    what kill is to signal, and the two graces in tenths of a second
#
# The input ends with the program, however that ends.
trap '' HUP INT QUIT TERM
set -f
all=' '
while read -r line; do
    entry=${line#?}
    case $line in
    +*) all="$all$entry " ;;
    -*) all=${all%%" $entry "*}" "${all#*" $entry "} ;;
    esac
done

# First the folders, as they may hold secrets.
for entry in $all; do
    case $entry in /*)
        # A substitution loses line feeds at its end, so another character is put there.
        folder=$(printf '%b/' "$entry")
        folder=${folder%/}
        case ${folder##*/} in toolwright-agent-?*) rm -rf -- "$folder" ;; esac
        ;;
    esac
done

# What has ended is dropped at the next look, long before its number can be given to another.
passed=0
while :; do
    left= due=
    for entry in $all; do
        case $entry in /*) continue ;; esac
        target=${entry%%:*} graces=${entry#*:}
        end=${graces%:*}
        last=$((end + ${graces#*:}))
        kill -0 "$target" || continue
        if [ "$passed" -ge "$last" ]; then
            due="$due $target"
            continue
        fi
        if [ "$passed" -eq "$end" ]; then kill -TERM "$target"; fi
        left="$left $entry"
    done
    if [ "$due" ]; then kill_all $due; fi
    all=$left
    [ "$all" ] || exit 0
    sleep 0.1 || sleep 1
    passed=$((passed + 1))
done
