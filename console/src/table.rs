//! Text in columns.

/// The space between two columns.
const GAP: usize = 2;
/// Less than this has no room for a word.
const NARROWEST: usize = 8;

/// A row of cells.
pub fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// Rows of cells in lines of at most `width` columns, as far as the first cells allow.
///
/// Cells are wrapped between words, except the first ones, which are names: one that is too long
/// has a line for itself.
pub fn table(rows: &[Vec<String>], width: usize) -> String {
    let widths = widths(rows, width);
    let mut out = String::new();
    for row in rows {
        let Some((name, rest)) = row.split_first() else { continue };
        let is_long = columns(name) > widths[0] && rest.iter().any(|cell| !cell.is_empty());
        let mut cells = vec![vec![name.clone()]];
        let mut height = 1;
        for (cell, width) in rest.iter().zip(&widths[1..]) {
            let mut lines = wrapped(cell, *width);
            if is_long {
                lines.insert(0, String::new());
            }
            height = height.max(lines.len());
            cells.push(lines);
        }
        for line in 0..height {
            let start = out.len();
            let mut end = 0;
            for (cell, width) in cells.iter().zip(&widths) {
                let text = cell.get(line).map_or("", String::as_str);
                let missing = end - columns(&out[start..]).min(end);
                out.push_str(&" ".repeat(missing));
                out.push_str(text);
                end += width + GAP;
            }
            out.truncate(start + out[start..].trim_end().len());
            out.push('\n');
        }
    }
    out
}

/// Lines of at most `width` columns. Longer words are cut.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let fits = |line: &String| columns(line) + 1 + columns(word) <= width;
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if fits(line) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
        while let Some(cut) = lines.last().and_then(|line| beyond(line, width)) {
            let rest = lines.last_mut().map(|line| line.split_off(cut)).unwrap_or_default();
            lines.push(rest);
        }
    }
    lines
}

/// The text in one line of at most `width` columns.
pub fn clipped(text: &str, width: usize) -> String {
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if let Some(cut) = beyond(&line, width) {
        line.truncate(cut);
    }
    line
}

/// How many columns of a terminal a text takes.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// The widths of all columns. A column that needs no more than its share gets what it needs, and
/// the others share the rest.
fn widths(rows: &[Vec<String>], width: usize) -> Vec<usize> {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.len().max(widths.len()), 0);
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = columns(cell).max(*widest);
        }
    }
    let count = widths.len();
    let Some(name) = widths.first_mut() else { return widths };
    *name = (*name).min(width / 3);
    let mut room = width.saturating_sub(*name + GAP * (count - 1));
    let mut open: Vec<_> = (1..count).collect();
    while let Some(place) = (0..open.len()).min_by_key(|place| widths[open[*place]]) {
        let left = open.len();
        let at = open.remove(place);
        let share = widths[at].min((room / left).max(NARROWEST));
        // Lines that end early leave more for the others.
        widths[at] = 0;
        for cell in rows.iter().filter_map(|row| row.get(at)) {
            for line in wrapped(cell, share) {
                widths[at] = columns(&line).max(widths[at]);
            }
        }
        room = room.saturating_sub(widths[at]);
    }
    widths
}

/// Where the text must be cut to fit, if it is too wide. At least one character remains.
fn beyond(text: &str, width: usize) -> Option<usize> {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        taken += columns_of(c);
        if taken > width && at > 0 {
            return Some(at);
        }
    }
    None
}

/// Letters of East Asia and pictures take two columns, combining marks none. The single pictures
/// are those among other signs that Unicode calls wide.
fn columns_of(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x231a..=0x231b
        | 0x23e9..=0x23ec
        | 0x23f0
        | 0x23f3
        | 0x25fd..=0x25fe
        | 0x2614..=0x2615
        | 0x2648..=0x2653
        | 0x267f
        | 0x2693
        | 0x26a1
        | 0x26aa..=0x26ab
        | 0x26bd..=0x26be
        | 0x26c4..=0x26c5
        | 0x26ce
        | 0x26d4
        | 0x26ea
        | 0x26f2..=0x26f3
        | 0x26f5
        | 0x26fa
        | 0x26fd
        | 0x2705
        | 0x270a..=0x270b
        | 0x2728
        | 0x274c
        | 0x274e
        | 0x2753..=0x2755
        | 0x2757
        | 0x2795..=0x2797
        | 0x27b0
        | 0x27bf
        | 0x2b1b..=0x2b1c
        | 0x2b50
        | 0x2b55
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0x1f004
        | 0x1f0cf
        | 0x1f18e
        | 0x1f191..=0x1f19a
        | 0x1f200..=0x1f2ff
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|cells| row(cells)).collect()
    }

    const TOOLS: &[&[&str]] = &[
        &["TOOL", "ARGUMENTS", "DESCRIPTION"],
        &["add", "a b", "Add two numbers."],
        &["search", "query [limit] [filters]", "Search the records;\n returns their number."],
    ];

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let expected = "\
TOOL    ARGUMENTS                DESCRIPTION
add     a b                      Add two numbers.
search  query [limit] [filters]  Search the records; returns their number.
";
        assert_eq!(table(&rows(TOOLS), 80), expected);
    }

    #[test]
    fn what_is_too_wide_is_wrapped_between_words() {
        let expected = "\
TOOL    ARGUMENTS      DESCRIPTION
add     a b            Add two numbers.
search  query [limit]  Search the
        [filters]      records; returns
                       their number.
";
        assert_eq!(table(&rows(TOOLS), 40), expected);
    }

    #[test]
    fn a_word_that_fits_in_a_line_is_not_cut() {
        assert_eq!(wrapped("ab cd", 5), ["ab cd"]);
        assert_eq!(wrapped("ab cd", 4), ["ab", "cd"]);
    }

    #[test]
    fn a_long_name_has_a_line_for_itself_and_is_not_cut() {
        let expected = "\
a_name_of_many_letters
            It has something to
            say.
short       This has not.
lonely_and_as_long_as_the_other
";
        let table = table(
            &rows(&[
                &["a_name_of_many_letters", "It has something to say."],
                &["short", "This has not."],
                &["lonely_and_as_long_as_the_other", ""],
            ]),
            32,
        );
        assert_eq!(table, expected);
    }

    #[test]
    fn no_line_is_wider_than_asked() {
        let texts =
            ["", "a", "some words of a text", "oneverylongwordwithoutanyend", "字字字字字 字字"];
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        for width in 24..90 {
            for (a, b) in texts.iter().zip(texts.iter().cycle().skip(1)) {
                let table = table(&rows(&[&["name", a, b], &["n", b, a]]), width);
                let widest = table.lines().map(columns).max();
                assert!(widest <= Some(width), "{width}:\n{table}");
                let given = letters("namen") + 2 * (letters(a) + letters(b));
                assert_eq!(letters(&table), given, "nothing is lost:\n{table}");
            }
        }
    }

    #[test]
    fn a_line_of_progress_has_no_control_characters() {
        assert_eq!(clipped("a\tb\u{1b}[2Jc\n", 80), "a b [2Jc ");
        assert_eq!(clipped("字字字", 5), "字字");
        assert_eq!(clipped("abc", 3), "abc");
    }

    #[test]
    fn pictures_take_two_columns_and_signs_one() {
        for (text, expected) in [("✅❌⭐⚡⏳🚀🆕🀄🈚", 18), ("✓✗★→—⏎", 6)]
        {
            assert_eq!(columns(text), expected, "{text}");
        }
    }
}
