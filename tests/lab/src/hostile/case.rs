/// What is sent, and what may come back.
pub struct Case {
    pub name: &'static str,
    /// On stdio the bytes; over HTTP the body.
    pub input: Vec<u8>,
    /// The right answers, in the words of `verdict::words`.
    pub right: &'static [&'static str],
    pub how: How,
    /// Left out with `--quick`.
    pub is_slow: bool,
}

/// How the bytes are sent.
pub enum How {
    /// Lines in a session of this revision; `None`: without a handshake.
    Lines(Option<&'static str>),
    /// The last bytes before the end of input. The server ends by itself.
    End,
    /// A POST with these headers instead of the usual ones; those without a value are left out.
    Request { method: &'static str, headers: &'static [&'static str] },
}

impl Case {
    /// Lines in a session of 2025-11-25.
    pub fn line(
        name: &'static str,
        input: impl Into<Vec<u8>>,
        right: &'static [&'static str],
    ) -> Self {
        let how = How::Lines(Some("2025-11-25"));
        Self { name, input: input.into(), right, how, is_slow: false }
    }

    pub fn request(
        name: &'static str,
        headers: &'static [&'static str],
        input: impl Into<Vec<u8>>,
        right: &'static [&'static str],
    ) -> Self {
        let how = How::Request { method: "POST", headers };
        Self { name, input: input.into(), right, how, is_slow: false }
    }

    pub fn slow(self) -> Self {
        Self { is_slow: true, ..self }
    }
}
