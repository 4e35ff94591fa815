//! Numbered examples of toolwright; each is run by the tests.
