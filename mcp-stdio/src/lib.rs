//! Serves a toolwright registry on stdin and stdout.
