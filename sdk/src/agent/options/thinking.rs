//! The options of thinking and effort.

/// Whether and how much the model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Thinking {
    /// The model decides how much it thinks.
    Adaptive,
    /// Thinking with a fixed budget, for models without adaptive thinking.
    Enabled {
        /// The maximum number of tokens, at least 1.
        budget_tokens: u32,
    },
    /// No thinking.
    Disabled,
}

/// How thinking is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThinkingDisplay {
    /// As a summary.
    Summarized,
    /// Not at all.
    Omitted,
    /// Only the highlights.
    Highlights,
}

/// The effort of the model. The answer to `initialize` lists the levels that each model supports.
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
    pub(crate) fn as_str(self) -> &'static str {
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
