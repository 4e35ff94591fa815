use std::panic::panic_any;

use super::*;

/// Panics when it is dropped, with another `Nested` as the payload.
struct Nested(usize);

impl Drop for Nested {
    fn drop(&mut self) {
        if self.0 > 0 {
            panic_any(Nested(self.0 - 1));
        }
    }
}

#[test]
fn a_payload_that_panics_when_it_is_dropped_stays_inside() {
    let caught = catch(|| panic_any(Nested(3)));
    assert_eq!(caught, Err("a panic without a message".to_owned()));
    discard(Nested(3));
    assert_eq!(catch(|| panic!("{}", "text")), Err::<(), _>("text".to_owned()));
}
