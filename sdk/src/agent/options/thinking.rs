//! How much a model thinks.

/// Whether and how much the model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Thinking {
    /// The model decides.
    Adaptive,
    /// With at most so many tokens, for models that know no adaptive thinking. At least 1.
    Enabled {
        /// The bound.
        budget_tokens: u32,
    },
    /// Not at all.
    Disabled,
}

/// What is shown of the thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThinkingDisplay {
    /// A summary.
    Summarized,
    /// Nothing.
    Omitted,
    /// The high points.
    Highlights,
}

/// How much effort the model makes. Which levels a model knows is in the answer to `initialize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Effort {
    /// `low`
    Low,
    /// `medium`
    Medium,
    /// `high`
    High,
    /// `xhigh`
    XHigh,
    /// `max`
    Max,
}

impl ThinkingDisplay {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Summarized => "summarized",
            Self::Omitted => "omitted",
            Self::Highlights => "highlights",
        }
    }
}

impl Effort {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::XHigh => "xhigh",
            Self::Max => "max",
        }
    }
}
