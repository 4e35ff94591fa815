use crate::mcp::schema::step;
use crate::scan;

/// The way to a value inside a JSON text.
#[derive(Debug, Default)]
pub(in crate::mcp::args) struct Path {
    /// As a JSON pointer.
    pub(in crate::mcp::args) pointer: String,
    /// The numbers of the parts, the outermost first.
    pub(in crate::mcp::args) parts: Vec<usize>,
}

/// An array or object that is not yet at its end.
struct Open<'a> {
    is_object: bool,
    key: &'a str,
    number: usize,
    /// The value of the part was begun, and no comma is behind it yet.
    begun: bool,
}

impl Path {
    /// To the value that was begun last when this many bytes had been read. After a key, a comma or
    /// an opening bracket this is the array or object itself.
    pub(super) fn to(text: &str, read: usize) -> Self {
        let mut path = Self::default();
        let open = open(text, read);
        for Open { is_object, key, number, .. } in open.iter().filter(|open| open.begun) {
            let key = if *is_object { scan::unescape(key) } else { number.to_string().into() };
            path.pointer.push_str(&step(&key));
            path.parts.push(*number);
        }
        path
    }
}

/// What is open when this many bytes have been read, the outermost first. Types pass over values
/// that nest deeper than any type reads; what is open inside of these is left out.
fn open(text: &str, read: usize) -> Vec<Open<'_>> {
    // As deep as serde_json reads.
    const DEEPEST: usize = 128;
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut at = 0;
    while at < read
        && let Some(&byte) = text.as_bytes().get(at)
    {
        let (mut length, depth) = (1, open.len());
        let last = open.last_mut();
        match (byte, last) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => {}
            (b'}' | b']', _) => drop(open.pop()),
            (b',', Some(last)) => (last.number, last.begun) = (last.number + 1, false),
            (b':', Some(last)) => last.begun = true,
            (b'{' | b'[', last) if depth < DEEPEST => {
                if let Some(last) = last {
                    last.begun = true;
                }
                let is_object = byte == b'{';
                open.push(Open { is_object, key: "", number: 0, begun: false });
            }
            (_, last) => {
                let Some(token) = scan::value(&text[at..]) else { break };
                length = token.len();
                match last {
                    Some(last) if last.is_object && !last.begun => {
                        last.key = token.get(1..token.len() - 1).unwrap_or_default();
                    }
                    Some(last) => last.begun = true,
                    None => {}
                }
            }
        }
        at += length;
    }
    open
}
