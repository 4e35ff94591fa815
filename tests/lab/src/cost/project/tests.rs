use super::*;

#[test]
fn a_folder_goes_without_another_one_that_is_there_at_once() {
    let (one, other) = (Scratch::new().expect("a folder"), Scratch::new().expect("another one"));
    assert_ne!(one.0, other.0);
    drop(one);
    assert!(other.0.is_dir());
}
