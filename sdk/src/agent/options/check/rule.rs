//! Checks of permission rules.

/// A complaint about a rule that the CLI would read as another one, or as several.
pub(super) fn complaint(rule: &str) -> Option<String> {
    if rule.trim().is_empty() {
        return Some("a rule is empty".into());
    }
    if rule.contains('\0') {
        return Some(format!("{rule:?} has a zero byte"));
    }
    if is_open(rule) {
        return Some(format!("{rule:?} has an opening parenthesis that is never closed"));
    }
    let parts = split(rule);
    match parts.len() {
        1 if parts[0] == rule => None,
        1 => Some(format!("{rule:?} has spaces around it")),
        n => Some(format!("{rule:?} would be read as {n} rules: {}", parts.join(" and "))),
    }
}

/// Splits a list as the CLI does: at commas and spaces outside of parentheses. A closing
/// parenthesis closes all open ones.
pub(crate) fn split(list: &str) -> Vec<String> {
    let mut rules = Vec::new();
    let mut rule = String::new();
    let mut is_inside = false;
    for c in list.chars() {
        match c {
            ',' | ' ' if !is_inside => rules.push(std::mem::take(&mut rule)),
            _ => {
                is_inside = (is_inside || c == '(') && c != ')';
                rule.push(c);
            }
        }
    }
    rules.push(rule);
    let rules = rules.iter().map(|rule| rule.trim()).filter(|rule| !rule.is_empty());
    rules.map(str::to_owned).collect()
}

fn is_open(rule: &str) -> bool {
    rule.rfind('(').is_some_and(|open| !rule[open..].contains(')'))
}
