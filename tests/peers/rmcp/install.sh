#!/bin/sh
# Builds the client that is written with rmcp, and fetches what the client does not need of it: the
# tests look up rmcp's names in the sources.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
host=$(rustc -vV | sed -n 's/^host: //p')
cargo fetch --quiet --locked --target "$host" >&2
# Where the tests look for it, whatever the environment says.
env -u CARGO_BUILD_TARGET cargo build --quiet --locked --package rmcp-client --target-dir target >&2
