//! The attribute macros of toolwright.
