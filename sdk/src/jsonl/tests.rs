use super::*;

fn cut(lines: &mut Lines, bytes: &[u8]) -> Vec<String> {
    lines.push(bytes);
    let mut seen = Vec::new();
    while let Some(line) = lines.next() {
        seen.push(match line {
            Line::Whole(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Line::TooLong { head, tail, length } => {
                let end = String::from_utf8_lossy(&tail[tail.len() - 3..]).into_owned();
                format!("too long: {} and {} of {length}, {end}", head.len(), tail.len())
            }
        });
    }
    seen
}

#[test]
fn lines_come_out_whatever_the_cut() {
    let text = b"\xef\xbb\xbf{\"a\":1}\r\n\n \t\r\n{\"b\":\"\xe2\x80\xa8\"}\n{\"c\"";
    let mut whole = Lines::new(1 << 20);
    let expected = cut(&mut whole, text);
    assert_eq!(expected, ["{\"a\":1}", "{\"b\":\"\u{2028}\"}"]);
    assert_eq!(whole.finish(), Some(Line::Whole(b"{\"c\"")));
    assert_eq!(whole.finish(), None);
    for size in 1..text.len() {
        let mut lines = Lines::new(1 << 20);
        let seen: Vec<String> =
            text.chunks(size).flat_map(|chunk| cut(&mut lines, chunk)).collect();
        assert_eq!(seen, expected, "cut every {size} bytes");
    }
}

#[test]
fn a_line_over_the_cap_is_told_and_passed_over() {
    let mut lines = Lines::new(100_000);
    let mut seen = Vec::new();
    for _ in 0..50 {
        seen.extend(cut(&mut lines, &[b'x'; 10_000]));
    }
    seen.extend(cut(&mut lines, b"yz\nnext\n"));
    assert_eq!(seen, ["too long: 65536 and 1024 of 500002, xyz", "next"]);
    assert!(lines.buffer.capacity() < 400_000, "an endless line must not fill the memory");
}

#[test]
fn the_cap_itself_is_no_length_over_the_cap() {
    let text = [b'x'; HEAD + TAIL];
    let stream = [BOM, &text, b"\r\n"].concat();
    for cut in text.len()..=stream.len() {
        let (read, later) = stream.split_at(cut);
        let mut lines = Lines::new(HEAD + TAIL);
        lines.push(read);
        if cut < stream.len() {
            assert_eq!(lines.next(), None);
        }
        lines.push(later);
        assert_eq!(lines.next(), Some(Line::Whole(&text)), "cut behind {cut} bytes");
    }
}

#[test]
fn the_memory_of_a_long_line_is_released() {
    let mut lines = Lines::new(2 * KEEP);
    lines.push(&vec![b'x'; KEEP + 1]);
    lines.push(b"\n");
    assert!(matches!(lines.next(), Some(Line::Whole(_))));
    lines.push(b"{");
    assert!(lines.buffer.capacity() < KEEP);
}

#[test]
fn a_long_line_that_came_alone_is_not_copied() {
    let (long, mut lines, mut own) = ([b'x'; HEAD], Lines::new(1 << 20), b"before".to_vec());
    lines.push(&long);
    lines.push(b"\r\n");
    let came_at = lines.buffer.as_ptr();
    assert_eq!(lines.next_into(&mut own), Some(Line::Whole(&long)));
    assert_eq!(own.as_ptr(), came_at);
    assert_eq!(lines.next_into(&mut own), None);

    lines.push(&[&long, &b"\n{}\n{"[..]].concat());
    assert_eq!(lines.next_into(&mut own), Some(Line::Whole(&long)));
    assert_eq!(lines.next_into(&mut own), Some(Line::Whole(b"{}")));
    assert_eq!(lines.next_into(&mut own), None);
    assert_eq!(lines.finish(), Some(Line::Whole(b"{")));
}

#[test]
fn a_line_that_arrives_whole_and_too_long_is_told_too() {
    let mut lines = Lines::new(HEAD + TAIL);
    let mut text = vec![b'x'; HEAD + TAIL + 1];
    text.push(b'\n');
    assert_eq!(
        cut(&mut lines, &text),
        [format!("too long: {HEAD} and {TAIL} of {}, xxx", HEAD + TAIL + 1)]
    );
}

#[test]
fn the_ends_of_an_over_long_line_are_its_own_bytes() {
    let text: Vec<u8> = (0..200_000_u32).map(|at| b'a' + (at % 23) as u8).collect();
    let stream = [BOM, &text, b"\r\n"].concat();
    for step in [1_000, 66_000, stream.len()] {
        let mut lines = Lines::new(0);
        for chunk in stream.chunks(step) {
            lines.push(chunk);
            let Some(line) = lines.next() else { continue };
            let Line::TooLong { head, tail, length } = line else { panic!("{line:?}") };
            assert!(text.starts_with(head) && head.len() >= HEAD - BOM.len(), "{step}");
            assert!(text.ends_with(tail) && tail.len() >= TAIL - 1, "{step}");
            assert_eq!(length, text.len());
        }
    }
}
