#!/usr/bin/env bash
# Runs all tests. What they need beyond Rust is installed into ignored folders first; a missing peer
# is an error, not a skip.
set -euo pipefail
cd "$(dirname "$0")/.."

installs=()
for peer in browser fleet judges mcp-python mcp-typescript replicas rmcp sdk-python sdk-typescript stores; do
    "tests/peers/$peer/install.sh" &
    installs+=($!)
done
TOOLWRIGHT_CLAUDE="$(tests/peers/cli/install.sh)"
for install in "${installs[@]}"; do
    wait "$install"
done
export TOOLWRIGHT_CLAUDE TOOLWRIGHT_REQUIRE_PEERS=1

# Each test of a client leaves its row of the table, which is printed whether all are well or not.
output="${CARGO_TARGET_DIR:-target}/tmp"
rm -rf "$output/clients"
mkdir -p "$output"
status=0
cargo test --workspace --all-features 2>&1 | tee "$output/tests.log" || status=$?
if [ -d "$output/clients" ]; then
    tests/peers/table.sh "$output/clients"
fi
if [ $status != 0 ]; then
    # Once more, as the end of a long output is what is read first.
    sed -n '/^failures:$/,$p' "$output/tests.log" | tail -n 60
    exit $status
fi
# As newcomers build it, without features; the tests above have run all of it.
cargo check --quiet --workspace --all-targets
# Alone, so that no other member's features hide what is missing or not used.
alone() {
    cargo clippy --quiet --package "$@" -- -D warnings
}
alone toolwright
alone toolwright-console
alone toolwright-console --features cli
alone toolwright-stdio
alone toolwright-stdio --no-default-features
tests/lab/quick.sh
