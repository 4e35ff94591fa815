#!/bin/sh
# Builds the client that is written with rmcp, and fetches what the client does not need of it: the
# tests look up rmcp's names in the sources.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
host=$(rustc -vV | sed -n 's/^host: //p')
cargo fetch --quiet --locked --target "$host" >&2
cargo build --quiet --locked --package rmcp-client >&2
