use std::fmt;

use super::bytes::Case;

/// What a server made of a case.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Right(String),
    /// It says something else.
    Wrong(String),
    /// It must answer and does not, but answers the plain call that follows.
    Silent,
    /// It does not answer the plain call either.
    Stuck,
    /// It closes the connection without an answer.
    Closed,
    /// Its process has ended.
    Died,
    /// It has so many MiB more than before.
    Grew(u64),
    /// It could not be asked, for this case or one before.
    Unasked,
}

impl Verdict {
    /// The verdict of what was said.
    pub fn of(said: String, case: &Case) -> Self {
        match (case.is_right(&said), &*said) {
            (true, _) => Self::Right(said),
            (false, "nothing") => Self::Silent,
            (false, _) => Self::Wrong(said),
        }
    }

    /// One word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Right(_) => "ok",
            Self::Wrong(_) => "wrong",
            Self::Silent => "no answer",
            Self::Stuck => "stuck",
            Self::Closed => "closed",
            Self::Died => "died",
            Self::Grew(_) => "grew",
            Self::Unasked => "not asked",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right(_) => f.write_str("ok"),
            Self::Wrong(said) => f.write_str(said),
            Self::Grew(more) => write!(f, "grew by {more} MiB"),
            other => f.write_str(other.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, Verdict};

    #[test]
    fn what_is_said_is_judged() {
        let case = Case::line("a ping", "", &["result", "error -1", "403*"]);
        let of = |said: &str| Verdict::of(said.to_owned(), &case);
        assert_eq!(of("result"), Verdict::Right("result".to_owned()));
        assert_eq!(of("403 text"), Verdict::Right("403 text".to_owned()));
        assert_eq!(of("nothing"), Verdict::Silent);
        assert_eq!(of("error -11"), Verdict::Wrong("error -11".to_owned()));
    }
}
