//! Pictures, sound and other bytes of a result, saved in the current folder.

use std::fs::File;
use std::io::{ErrorKind, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Saves bytes of a tool's result under a new name, `TOOL-1.png`. Returns a line about it.
///
/// # Errors
///
/// A text for the user: the bytes are no base64, or the file cannot be written.
pub fn save(tool: &str, mime_type: &str, base64: &str) -> Result<String, String> {
    let bytes = STANDARD.decode(base64);
    let bytes = bytes.map_err(|error| format!("the result has damaged base64: {error}"))?;
    let mut number = 1;
    loop {
        let name = format!("{tool}-{number}.{}", extension(mime_type));
        match File::create_new(&name).and_then(|mut file| file.write_all(&bytes)) {
            Ok(()) => return Ok(format!("saved {name} ({} bytes)\n", bytes.len())),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(format!("{name} cannot be saved: {error}")),
        }
    }
}

fn extension(mime_type: &str) -> &str {
    let essence = mime_type.split(';').next().unwrap_or_default().trim();
    let kind = essence.split_once('/').map_or("", |(_, kind)| kind);
    match kind {
        "jpeg" => "jpg",
        "svg+xml" => "svg",
        "mpeg" => "mp3",
        "x-wav" => "wav",
        "plain" => "txt",
        kind if !kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric()) => kind,
        _ => "bin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_is_that_of_the_media_type() {
        for (mime_type, expected) in [
            ("image/png", "png"),
            ("image/jpeg", "jpg"),
            ("image/svg+xml", "svg"),
            ("audio/wav", "wav"),
            ("audio/x-wav", "wav"),
            ("audio/mpeg", "mp3"),
            ("text/plain; charset=utf-8", "txt"),
            ("application/octet-stream", "bin"),
            ("image/..", "bin"),
            ("image/../../x", "bin"),
            ("", "bin"),
        ] {
            assert_eq!(extension(mime_type), expected, "{mime_type}");
        }
    }
}
