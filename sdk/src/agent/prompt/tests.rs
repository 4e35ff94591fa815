use super::*;

#[test]
fn uuids_are_of_version_4_and_differ() {
    let write = || UserPrompt::text("Go.").write(false, &mut Vec::new());
    let (a, b) = (write(), write());
    assert_ne!(a, b);
    assert_eq!(a.len(), 36);
    assert_eq!(a.as_bytes()[14], b'4');
    assert!(b"89ab".contains(&a.as_bytes()[19]), "{a}");
}
