//! Rust functions as Claude tools.
