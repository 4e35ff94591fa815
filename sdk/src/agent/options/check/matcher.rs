//! Checks of the matchers of hooks.

use std::iter::Peekable;
use std::str::Chars;

/// False if JavaScript does not compile a text as a regular expression, as far as this shows at a
/// glance. The CLI then never calls the hook, and mentions it only in its log.
pub(super) fn may_be_regex(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    let (mut groups, mut can_repeat) = (0_usize, false);
    while let Some(char) = chars.next() {
        can_repeat = match char {
            '\\' => match chars.next() {
                Some(escaped) => !matches!(escaped, 'b' | 'B'),
                None => return false,
            },
            '[' if ends_class(&mut chars) => true,
            '(' => {
                groups += 1;
                chars.next_if_eq(&'?');
                false
            }
            ')' if groups > 0 => {
                groups -= 1;
                true
            }
            '*' | '+' | '?' if can_repeat => {
                chars.next_if_eq(&'?');
                false
            }
            '[' | ')' | '*' | '+' | '?' => return false,
            '|' | '^' | '$' => false,
            _ => true,
        };
    }
    groups == 0
}

/// Goes past the `]` of a class, if there is one.
fn ends_class(chars: &mut Peekable<Chars<'_>>) -> bool {
    while let Some(char) = chars.next() {
        match char {
            ']' => return true,
            '\\' => drop(chars.next()),
            _ => {}
        }
    }
    false
}
