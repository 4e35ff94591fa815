/// What is sent, and what may come back.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// On stdio the bytes; over HTTP the body.
    pub(crate) bytes: Vec<u8>,
    pub(crate) how: How,
    /// The right answers, in the words of `words`: where the specification leaves it open, those
    /// that a client can use best.
    pub(crate) right: &'static [&'static str],
    /// The ids of its requests as they are written, each as often as it may be answered.
    pub(crate) ids: Vec<String>,
    /// Some servers need a second for it, and much memory.
    pub(crate) is_long: bool,
}

/// How the bytes are sent.
#[derive(Clone, Copy)]
pub(crate) enum How {
    /// Lines in a session of this revision; `None`: without a handshake.
    Lines(Option<&'static str>),
    /// The last bytes before the end of input. The server ends by itself.
    End,
    /// A request with these headers instead of the usual ones; those without a value are left out.
    Request { target: &'static str, headers: &'static [&'static str] },
}

impl Case {
    /// Lines in a session of 2025-11-25, with a request whose id is 1.
    pub(crate) fn line(
        name: &'static str,
        bytes: impl Into<Vec<u8>>,
        right: &'static [&'static str],
    ) -> Self {
        let how = How::Lines(Some("2025-11-25"));
        let ids = vec!["1".to_owned()];
        Self { name, bytes: bytes.into(), how, right, ids, is_long: false }
    }

    /// A POST of a request whose id is 1.
    pub(crate) fn post(
        name: &'static str,
        headers: &'static [&'static str],
        body: impl Into<Vec<u8>>,
        right: &'static [&'static str],
    ) -> Self {
        Self::line(name, body, right).sent(How::Request { target: "POST /mcp", headers })
    }

    pub(crate) fn sent(self, how: How) -> Self {
        Self { how, ..self }
    }

    pub(crate) fn ids(self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { ids: ids.into_iter().map(Into::into).collect(), ..self }
    }

    pub(crate) fn long(self) -> Self {
        Self { is_long: true, ..self }
    }

    pub(crate) fn is_right(&self, words: &str) -> bool {
        self.right.contains(&words)
    }
}
