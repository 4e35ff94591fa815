//! What a mistyped name was meant to be.

use toolwright::__private::distance;

/// `: did you mean …?` with the nearest of the known names, or nothing if all are far.
pub(super) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some(known) => format!(": did you mean `{known}`?"),
        None => String::new(),
    }
}

fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|known| (distance(&name, &known.to_lowercase()), known))
        .filter(|(distance, known)| {
            let length = known.chars().count();
            *distance < length && *distance <= (length / 3).max(1)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_few_wrong_letters_is_found() {
        let names = ["add", "echo", "search", "sleep_ms", "to"];
        let nearest = |name| nearest(name, names);
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
        assert_eq!(hint("ad", names), ": did you mean `add`?");
        assert_eq!(hint("subtract", names), "");
    }
}
