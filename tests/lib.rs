//! Black-box tests of the workspace.
