//! Everything that crosses a process, in one binary.
