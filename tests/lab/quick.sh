#!/usr/bin/env bash
# The lab's own tests, then the quick form of each of its commands that measures or tests, in debug
# builds. Answers are checked; speed is not. What others' servers and SDKs do is left out.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Most of what the lab builds is already there from the tests.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
# With it, programs are in a folder of its name.
unset CARGO_BUILD_TARGET
begin=$SECONDS
cargo test --quiet --manifest-path tests/lab/Cargo.toml --workspace
cargo build --quiet --manifest-path tests/lab/Cargo.toml --workspace
while read -r command; do
    read -ra words <<< "$command"
    report="$("$CARGO_TARGET_DIR/debug/toolwright-lab" "${words[@]}" --quick < /dev/null)" || {
        echo "$report"
        echo "toolwright-lab $command --quick failed" >&2
        exit 1
    }
done <<'END'
speed --only ours,ours-50,floor,floor-shared,raw
http --only ours,floor
agent --only ours,floor
endure
hostile --only ours
cost --only ours
fleet
END
echo "the lab's quick forms took $((SECONDS - begin)) s"
