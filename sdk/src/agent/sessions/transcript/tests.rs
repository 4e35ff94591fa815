use std::fs;

use super::*;
use crate::agent::options::Folder;

#[test]
fn a_line_of_a_transcript_over_the_bound_is_passed_over() {
    let folder = Folder::create().unwrap();
    let path = folder.path().join("transcript.jsonl");
    let texts = [
        "short\n",
        "1234567\n",
        "12345678\n",
        &"x".repeat(500_000),
        "\n",
        "next\n",
        "the last line",
    ];
    fs::write(&path, texts.concat()).unwrap();
    let file = File::open(&path).unwrap();
    let mut lines = FileLines { longest: 8, ..FileLines::of(&file) };
    let mut found = Vec::new();
    while let Some(FileLine { text, at, length }) = lines.next().unwrap() {
        found.push((text.into_owned(), at, length));
    }
    let expected = [("short\n", 0, 6), ("1234567\n", 6, 8), ("next\n", 500_024, 5)];
    assert_eq!(found, expected.map(|(text, at, length)| (text.to_owned(), at, length)));
}
