//! What a mistyped name was meant to be.

use toolwright::__private::distance;

/// `: did you mean …?` with the nearest of the known names, or nothing if all are far.
pub(super) fn hint(name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(known) => format!(": did you mean `{known}`?"),
        None => String::new(),
    }
}

fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    let (mut nearest, mut least) = (None, usize::MAX);
    for known in known {
        let length = known.chars().count();
        let distance = distance(&name, &known.to_lowercase());
        if distance < length.min(least) && distance <= (length / 3).max(1) {
            (nearest, least) = (Some(*known), distance);
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_few_wrong_letters_is_found() {
        let names = ["add", "echo", "search", "sleep_ms", "to"];
        let nearest = |name| nearest(name, &names);
        for (given, meant) in [
            ("ad", "add"),
            ("ADD", "add"),
            ("ehco", "echo"),
            ("serch", "search"),
            ("sleepms", "sleep_ms"),
            ("ot", "to"),
        ] {
            assert_eq!(nearest(given), Some(meant), "{given}");
        }
        for far in ["", "x", "subtract", "oh"] {
            assert_eq!(nearest(far), None, "{far}");
        }
        assert_eq!(hint("ad", &names), ": did you mean `add`?");
        assert_eq!(hint("subtract", &names), "");
    }
}
