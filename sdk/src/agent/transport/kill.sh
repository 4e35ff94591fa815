# Kills processes, or with a minus groups, and all that they have started. That may be in groups of
# its own, so it is found by its parents, which are stopped before: then they neither start any more
# nor free the id of a child. What one that has ended has started is not found.
kill_all() {
    found=" $* "
    for one in $found; do kill -STOP "$one"; done
    # The ids of /proc may be those of another PID namespace, and then of other processes.
    looks='1 2 3 4 5 6 7 8 9 10' own=
    if [ -r /proc/self/stat ]; then read -r own rest </proc/self/stat; fi
    case $own in '' | $$) ;; *) looks= ;; esac
    # A process stops a moment later, and what it has started until then may be missing in a look
    # that sees it stopped, but not in the next one. The looks are bounded, as something may start
    # faster than this looks, or not stop.
    still=
    for look in $looks; do
        known=$found runs=
        for process in $(processes); do
            pid=${process%%:*} state=${process#*:}
            parent=${state#*:} state=${state%%:*}
            group=${parent#*:} parent=${parent%:*}
            case $found in *" $pid "*)
                case $state in [TtXZ]*) ;; *) runs=1 ;; esac
                continue
                ;;
            esac
            case $found in *" $parent "* | *" -$group "*)
                kill -STOP "$pid"
                # Before its parent, so that it is killed before.
                found=" $pid$found"
                ;;
            esac
        done
        if [ "$found" != "$known" ]; then
            still=
        elif [ "$runs" ]; then
            still=
            sleep 0.1 || sleep 1
        elif [ "$still" ]; then
            break
        else
            still=1
        fi
    done
    for one in $found; do kill -KILL "$one"; done
}

# All processes, each as PID:STATE:PARENT:GROUP.
processes() {
    if ! [ -r /proc/self/stat ]; then
        ps -A -o pid= -o state= -o ppid= -o pgid= | while read -r pid state parent group; do
            echo "$pid:$state:$parent:$group"
        done
        return
    fi
    set +f
    for stat in /proc/[0-9]*/stat; do
        # The name of the program may have any characters, also line feeds; behind its last
        # parenthesis are the state, the parent and the group.
        line=
        while read -r part; do line=$line$part; done <"$stat"
        pid=${stat#/proc/} rest=${line##*) }
        state=${rest%% *} rest=${rest#* }
        parent=${rest%% *} rest=${rest#* }
        echo "${pid%/stat}:$state:$parent:${rest%% *}"
    done
}
