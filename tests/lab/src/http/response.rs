use anyhow::{Context, Result, bail, ensure};
use memchr::memmem;

use crate::answer::excerpt;

/// How the end of a body is known.
enum Length {
    Bytes(usize),
    Chunks,
}

/// Reads one response from the front of `bytes` into `body`, which it empties first. Gives the
/// bytes that the response takes; `None` if it is not complete.
pub fn read(bytes: &[u8], body: &mut Vec<u8>) -> Result<Option<usize>> {
    let Some(end) = memmem::find(bytes, b"\r\n\r\n") else { return Ok(None) };
    let (head, rest) = (&bytes[..end], &bytes[end + 4..]);
    let is_good = [&b"HTTP/1.1 200 "[..], b"HTTP/1.1 202 "].iter().any(|it| head.starts_with(it));
    ensure!(is_good, "another status: {}", excerpt(bytes));
    body.clear();
    let used = match length(head)? {
        Length::Bytes(count) => {
            let Some(all) = rest.get(..count) else { return Ok(None) };
            body.extend_from_slice(all);
            Some(count)
        }
        Length::Chunks => chunks(rest, body)?,
    };
    Ok(used.map(|used| end + 4 + used))
}

fn length(head: &[u8]) -> Result<Length> {
    let text = std::str::from_utf8(head).context("a head that is not UTF-8")?;
    for line in text.split("\r\n").skip(1) {
        let (name, value) = line.split_once(':').context("a header without a colon")?;
        if name.eq_ignore_ascii_case("content-length") {
            return Ok(Length::Bytes(value.trim().parse().context("no length")?));
        }
        if name.eq_ignore_ascii_case("transfer-encoding") {
            return Ok(Length::Chunks);
        }
    }
    bail!("a body without a length: {text}")
}

fn chunks(bytes: &[u8], body: &mut Vec<u8>) -> Result<Option<usize>> {
    let mut at = 0;
    loop {
        let Some(line) = memmem::find(&bytes[at..], b"\r\n") else { return Ok(None) };
        let digits = std::str::from_utf8(&bytes[at..at + line]).context("no chunk")?;
        let size = usize::from_str_radix(digits, 16).context("a chunk without a size")?;
        at += line + 2;
        let Some(chunk) = bytes.get(at..at + size + 2) else { return Ok(None) };
        ensure!(chunk.ends_with(b"\r\n"), "a chunk without an end");
        body.extend_from_slice(&chunk[..size]);
        at += size + 2;
        if size == 0 {
            return Ok(Some(at));
        }
    }
}

/// The data of the one event that has any; comments and empty events do not count.
pub fn event(body: &[u8]) -> Result<&[u8]> {
    let mut data = body
        .split(|byte| *byte == b'\n')
        .filter_map(|line| line.strip_prefix(b"data:"))
        .map(<[u8]>::trim_ascii)
        .filter(|data| !data.is_empty());
    match (data.next(), data.next()) {
        (Some(only), None) => Ok(only),
        _ => bail!("not one event: {}", excerpt(body)),
    }
}

#[cfg(test)]
mod tests {
    use super::{event, read};

    #[test]
    fn a_body_with_a_length_ends_where_it_says() {
        let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP";
        let mut body = Vec::new();
        assert_eq!(read(bytes, &mut body).expect("no fault"), Some(bytes.len() - 4));
        assert_eq!(body, b"{}");
        for cut in 0..bytes.len() - 4 {
            assert_eq!(read(&bytes[..cut], &mut body).expect("no fault"), None, "{cut}");
        }
    }

    #[test]
    fn chunks_end_with_the_empty_one() {
        let bytes = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\
                      3\r\n:\n\n\r\na\r\ndata: {}\n\n\r\n0\r\n\r\n";
        let mut body = Vec::new();
        assert_eq!(read(bytes, &mut body).expect("no fault"), Some(bytes.len()));
        assert_eq!(event(&body).expect("an event"), b"{}");
        for cut in 0..bytes.len() {
            assert_eq!(read(&bytes[..cut], &mut body).expect("no fault"), None, "{cut}");
        }
    }

    #[test]
    fn another_status_is_an_error() {
        assert!(read(b"HTTP/1.1 404 Not Found\r\n\r\n", &mut Vec::new()).is_err());
        assert!(event(b"data: {}\n\ndata: {}\n\n").is_err());
    }
}
