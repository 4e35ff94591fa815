#!/usr/bin/env bash
# Runs all tests. What they need beyond Rust is installed into ignored folders first; a missing peer is an error, not a skip.
set -euo pipefail
cd "$(dirname "$0")/.."

TOOLWRIGHT_CLAUDE="$(tests/peers/cli/install.sh)"
export TOOLWRIGHT_CLAUDE TOOLWRIGHT_REQUIRE_PEERS=1

cargo run --quiet --example quickstart
cargo test --workspace --all-features
# Alone, so that no other member's features hide a missing one.
cargo check --quiet --package toolwright
cargo check --quiet --package toolwright-stdio
