#!/bin/sh
# Builds the client that is written with rmcp.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
cargo build --quiet --locked --package rmcp-client >&2
