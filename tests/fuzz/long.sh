#!/usr/bin/env bash
# tests/fuzz/long.sh [MINUTES [TARGET...]]: gives each target new input for so many
# minutes (10), in the release profile with checks of overflow. Exits with 1 if one found a fault.
set -euo pipefail
cd "$(dirname "$0")/../.."

minutes="${1:-10}"
shift || true
# Its name, its program, the variable with the count, a count that takes at most two minutes, and
# its test.
targets="
stages      macros FUZZ_ITEMS          80000 tests::damaged::many_random_tokens_are_expanded_or_complained_about
agent       fuzz   FUZZ_LINES        5000000 agent::the_agent_answers_each_of_many_random_requests_once
cli-lies    fuzz   FUZZ_LIES         1000000 agent::lies::many_random_lies_of_a_cli_are_delivered_or_answered_once
messages    fuzz   FUZZ_MESSAGES     1000000 messages::many_random_messages_are_read_and_shown
transcripts fuzz   FUZZ_TRANSCRIPTS    70000 transcripts::many_random_transcripts_are_read
framer      fuzz   FUZZ_STREAMS       450000 framer::many_random_streams_are_cut_into_lines
states      fuzz   FUZZ_STATES       2500000 states::many_random_states_continue_what_they_belong_to
streams     fuzz   FUZZ_ACTIONS     10000000 streams::many_random_streams_of_sessions_lose_nothing
gate        fuzz   FUZZ_REQUESTS     9000000 gate::many_random_requests_are_judged_rightly
client-lies fuzz   FUZZ_LIES         4000000 session::lies::many_random_lies_of_a_client_are_answered_as_serde_json_reads_them
session     fuzz   FUZZ_LINES       20000000 session::the_session_agrees_with_serde_json_about_many_random_lines
"
for target; do
    grep -q "^$target " <<< "$targets" || { echo "there is no target $target" >&2; exit 2; }
done
export CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
export CARGO_TARGET_DIR="target/fuzz" FUZZ_THREADS=1
# A program of macros loads the compiler's libraries.
export LD_LIBRARY_PATH="$(rustc --print target-libdir):${LD_LIBRARY_PATH:-}"
logs="$CARGO_TARGET_DIR/logs"
mkdir -p "$logs"
# The path of a test program.
built() {
    cargo test --release --no-run "$@" 2>&1 < /dev/null | tee >(cat >&2) |
        sed -n 's/.*Executable.*(\(.*\))$/\1/p'
}
declare -A folder=([fuzz]=tests [macros]=macros) program
declare -A arguments=([fuzz]="-p toolwright-tests --test fuzz" [macros]="-p toolwright-macros --lib")

printf '%-12s %8s %12s %8s  %s\n' target runs input seconds found
failed=0
while read -r name package variable count test; do
    [[ -z $name || ($# -gt 0 && " $* " != *" $name "*) ]] && continue
    [[ -v program[$package] ]] || program[$package]="$PWD/$(built ${arguments[$package]})"
    log="$logs/$name.log" begin=$SECONDS runs=0 found=nothing
    : > "$log"
    # No run has a seed of another one, nor of those before it, so that each day has new input. A run
    # may use the seeds that follow its own: `streams` has one for each 2,000 actions.
    seed=$(($(date +%s) * 100000))
    while ((SECONDS - begin < minutes * 60)) && [[ $found = nothing ]]; do
        runs=$((runs + 1)) seed=$((seed + 10000))
        echo "FUZZ_SEED=$seed FUZZ_THREADS=$FUZZ_THREADS $variable=$count" >> "$log"
        (cd "${folder[$package]}" && env FUZZ_SEED=$seed "$variable=$count" \
            "${program[$package]}" --ignored --exact "$test" --nocapture) >> "$log" 2>&1 || found="a fault: $log" failed=1
    done
    # A filter that fits no test passes too. One that crashes says no more than that it runs.
    grep -q '^running 1 test' "$log" || found="not run: $log" failed=1
    printf '%-12s %8d %12d %8d  %s\n' "$name" $runs $((runs * count)) $((SECONDS - begin)) "$found"
done <<< "$targets"
exit $failed
