//! The protocol's revisions. A [`Profile`] for each holds the differences as data.

/// Which of the protocol's eras a registry answers.
///
/// Legacy is the protocol with the handshake `initialize`: 2024-11-05, 2025-03-26, 2025-06-18 and
/// 2025-11-25. Modern is the stateless protocol of 2026-07-28.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Eras {
    /// Both; each request shows to which era it belongs.
    #[default]
    Both,
    /// Legacy only; `server/discover` is an unknown method, and clients fall back to `initialize`.
    Legacy,
    /// Modern only; the error for `initialize` names the supported versions.
    Modern,
}

/// A supported revision of the protocol, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

/// What one revision has, and how it writes what other revisions write differently.
#[derive(Debug)]
pub(crate) struct Profile {
    /// Its name on the wire.
    pub(crate) version: &'static str,
    /// `initialize` settles the revision for a session. Otherwise the `_meta` of each request names
    /// it, with the client, its capabilities and its log level.
    pub(crate) has_handshake: bool,
    /// The methods of requests that only some revisions have.
    pub(crate) methods: &'static [&'static str],
    /// A result may ask the client, which then sends the request again with its answers. Otherwise
    /// the server sends requests to the client.
    pub(crate) has_rounds: bool,
    /// One line may hold many messages.
    pub(crate) has_batches: bool,
    /// An error may answer a request whose id cannot be used.
    pub(crate) has_errors_without_id: bool,
    /// Results name their type and, in `_meta`, their server.
    pub(crate) has_typed_results: bool,
    /// Lists and discovery state for how long clients may cache them.
    pub(crate) has_caching_hints: bool,
    /// An unknown resource has an error code of its own.
    pub(crate) has_not_found_code: bool,
    /// There is a capability for completion.
    pub(crate) has_completions: bool,
    /// Clients show forms.
    pub(crate) has_elicitation: bool,
    /// Clients open URLs; a question says which of both it is.
    pub(crate) has_url_elicitation: bool,
    /// In sampling the model may call tools.
    pub(crate) has_sampling_tools: bool,
    /// Capabilities name extensions.
    pub(crate) has_extensions: bool,
    pub(crate) structured_content: StructuredContent,
    /// Results may have sound.
    pub(crate) has_audio: bool,
    /// Results may have links to resources.
    pub(crate) has_resource_links: bool,
    /// Progress has a message.
    pub(crate) has_progress_messages: bool,
    /// Tools have annotations.
    pub(crate) has_annotations: bool,
    /// Tools and servers have display names.
    pub(crate) has_titles: bool,
    /// Tools and content blocks have `_meta`, and blocks the time of their last change.
    pub(crate) has_meta: bool,
    /// Tools and servers have icons, and servers a description and a website.
    pub(crate) has_icons: bool,
    /// Forms have lists of choices, and defaults of every type.
    pub(crate) has_rich_forms: bool,
}

/// Which structured content results may have, and so which output schemas tools may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StructuredContent {
    None,
    /// Objects: any other value is wrapped as `{"result": …}`.
    Objects,
    Any,
}

const V2024_11_05: Profile = Profile {
    version: "2024-11-05",
    has_completions: false,
    has_batches: false,
    has_audio: false,
    has_progress_messages: false,
    has_annotations: false,
    ..V2025_03_26
};

const V2025_03_26: Profile = Profile {
    version: "2025-03-26",
    has_batches: true,
    structured_content: StructuredContent::None,
    has_elicitation: false,
    has_resource_links: false,
    has_titles: false,
    has_meta: false,
    ..V2025_06_18
};

const V2025_06_18: Profile = Profile {
    version: "2025-06-18",
    has_url_elicitation: false,
    has_sampling_tools: false,
    has_errors_without_id: false,
    has_icons: false,
    has_rich_forms: false,
    ..V2025_11_25
};

const V2025_11_25: Profile = Profile {
    version: "2025-11-25",
    has_handshake: true,
    methods: &[
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
    ],
    has_rounds: false,
    has_batches: false,
    has_errors_without_id: true,
    has_typed_results: false,
    has_caching_hints: false,
    has_not_found_code: true,
    has_completions: true,
    has_elicitation: true,
    has_url_elicitation: true,
    has_sampling_tools: true,
    has_extensions: false,
    structured_content: StructuredContent::Objects,
    has_audio: true,
    has_resource_links: true,
    has_progress_messages: true,
    has_annotations: true,
    has_titles: true,
    has_meta: true,
    has_icons: true,
    has_rich_forms: true,
};

const V2026_07_28: Profile = Profile {
    version: "2026-07-28",
    has_handshake: false,
    methods: &[
        "server/discover",
        "subscriptions/listen",
        "tasks/get",
        "tasks/update",
        "tasks/cancel",
    ],
    has_rounds: true,
    has_typed_results: true,
    has_caching_hints: true,
    has_not_found_code: false,
    has_extensions: true,
    structured_content: StructuredContent::Any,
    ..V2025_11_25
};

/// The profiles by [`Revision::index`].
const PROFILES: [Profile; Revision::COUNT] =
    [V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28];

impl Eras {
    pub(crate) fn legacy(self) -> bool {
        self != Self::Modern
    }

    pub(crate) fn modern(self) -> bool {
        self != Self::Legacy
    }
}

impl Revision {
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];
    /// The length of a table with one entry per revision.
    pub(crate) const COUNT: usize = 5;
    /// The revision that `initialize` offers a client that asks for an unsupported one.
    pub(crate) const LATEST_LEGACY: Self = Self::V2025_11_25;
    pub(crate) const LATEST: Self = Self::V2026_07_28;

    pub(crate) fn profile(self) -> &'static Profile {
        &PROFILES[self.index()]
    }

    /// The revision of this name, if it has a handshake.
    pub(crate) fn of_session(version: &str) -> Option<Self> {
        Self::named(version).filter(|found| found.profile().has_handshake)
    }

    /// The revision that `initialize` settles for a client that asks for `version`.
    pub(crate) fn negotiate(version: &str) -> Self {
        Self::of_session(version).unwrap_or(Self::LATEST_LEGACY)
    }

    /// The revision of a request whose `_meta` asks for `version`.
    pub(crate) fn of_request(version: &str) -> Option<Self> {
        Self::named(version).filter(|found| !found.profile().has_handshake)
    }

    /// The versions that a request may name, which `server/discover` lists.
    pub(crate) fn of_requests() -> Vec<&'static str> {
        let mut versions = Vec::new();
        for profile in &PROFILES {
            if !profile.has_handshake {
                versions.push(profile.version);
            }
        }
        versions
    }

    pub(crate) fn named(version: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.profile().version == version)
    }

    /// The position in a table with one entry per revision.
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}
