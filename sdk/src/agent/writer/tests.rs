use super::*;

#[test]
fn lines_for_a_cli_that_does_not_read_are_bounded() {
    const LINE: usize = 1024 * 1024;
    let writer = Writer::default();
    let add = || writer.add(|out| out.resize(out.len() + LINE, b'x'));
    (0..64).for_each(|_| add());
    assert_eq!(writer.flush(), None);
    (0..100).for_each(|_| add());
    assert_eq!(writer.flush(), Some(65 * LINE));
}
