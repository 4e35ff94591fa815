use super::*;

fn said(given: &[&str], known: &[&str]) -> Option<String> {
    let given: Vec<_> = given.iter().map(|name| (*name).to_owned()).collect();
    all_known("--only", &given, known).err().map(|error| error.to_string())
}

#[test]
fn known_names_and_none_are_taken() {
    assert_eq!(said(&[], &["ours", "rmcp"]), None);
    assert_eq!(said(&["rmcp", "ours"], &["ours", "rmcp"]), None);
    assert_eq!(said(&[], &[]), None);
}

#[test]
fn an_unknown_name_is_told_with_the_known_ones() {
    let said = |known| said(&["ours", "htpp"], known).unwrap_or_default();
    assert_eq!(said(&["ours", "rmcp", "ts"]), "--only takes ours, rmcp and ts, not htpp");
    assert_eq!(said(&["ours"]), "--only takes ours, not htpp");
    assert_eq!(said(&[]), "this command has no --only");
}
