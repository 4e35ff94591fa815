//! What a mistyped name was meant to be.

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

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to change
/// one name into the other (optimal string alignment), for the first 64 letters of each.
fn distance(a: &str, b: &str) -> usize {
    let letters = |name: &str| name.chars().take(64).collect::<Vec<_>>();
    let (a, b) = (letters(a), letters(b));
    // Rows of the table of distances between the beginnings of the names.
    let (mut older, mut old) = (vec![], (0..=b.len()).collect::<Vec<_>>());
    for (i, x) in a.iter().enumerate() {
        let mut new = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (old[j] + usize::from(x != y)).min(old[j + 1] + 1).min(new[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                least = least.min(older[j - 1] + 1);
            }
            new.push(least);
        }
        older = std::mem::replace(&mut old, new);
    }
    old[b.len()]
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
