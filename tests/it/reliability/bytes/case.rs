/// What is sent, and what may come back.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// On stdio the bytes; over HTTP the body.
    pub(crate) bytes: Vec<u8>,
    pub(crate) how: How,
    /// The right answers, in the words of `words`; one that ends with `*` only begins so.
    pub(crate) right: &'static [&'static str],
    /// The specification, or JSON-RPC, HTTP or JSON below it, names these answers. Otherwise it
    /// leaves the case open, and they are those that a client can use best.
    pub(crate) is_demanded: bool,
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
    /// The same in a session of 2025-11-25, byte by byte.
    Bytewise,
    /// The client reads nothing before it has written everything.
    WrittenFirst,
    /// The last bytes before the end of input. The server ends by itself.
    End(Option<&'static str>),
    /// Without a handshake, and nobody reads the output. The server ends by itself.
    Unheard,
    /// The server gets SIGTERM behind a handshake.
    Sigterm,
    /// A request with these headers instead of the usual ones; those without a value are left out.
    /// One with `transfer-encoding: chunked` has no length.
    Request { target: &'static str, headers: &'static [&'static str] },
    /// The same for a server that wants tokens. Without a header for it, a good one is sent.
    Guarded { target: &'static str, headers: &'static [&'static str] },
}

impl How {
    /// The revision of the session in which it is sent.
    pub(crate) fn version(self) -> Option<&'static str> {
        match self {
            Self::Lines(version) | Self::End(version) => version,
            Self::Unheard => None,
            _ => Some("2025-11-25"),
        }
    }

    /// It is for a server that wants tokens.
    pub(crate) fn is_guarded(self) -> bool {
        matches!(self, Self::Guarded { .. })
    }

    /// The server ends, and nothing follows.
    pub(crate) fn ends(self) -> bool {
        matches!(self, Self::End(_) | Self::Unheard | Self::Sigterm)
    }
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
        Self { name, bytes: bytes.into(), how, right, is_demanded: false, ids, is_long: false }
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

    pub(crate) fn demanded(self) -> Self {
        Self { is_demanded: true, ..self }
    }

    pub(crate) fn long(self) -> Self {
        Self { is_long: true, ..self }
    }

    pub(crate) fn is_right(&self, words: &str) -> bool {
        let is_said = |right: &&str| match right.strip_suffix('*') {
            Some(begin) => words.starts_with(begin),
            None => words == *right,
        };
        self.right.iter().any(is_said)
    }
}
