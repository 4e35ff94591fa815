//! The real `claude` program uses the fixture server, and a scripted model tells it what to call.
//!
//! Each test runs in both eras of the protocol: the program asks for 2026-07-28 first and falls
//! back to `initialize` with 2025-11-25 when the server refuses.

mod claude;
mod folder;
mod run;
mod scene;
mod wire;

pub(crate) use claude::installed;
pub(crate) use folder::Folder;

mod calls;
mod config;
mod every_check;
mod handshake;
mod library;
mod list_changed;
mod newcomer;
mod side_requests;
mod stray_output;

/// The era in which the fixture is willing to talk.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Era {
    /// 2026-07-28: no `initialize`, every request tells its version.
    Modern,
    /// 2025-11-25, after the server has refused the modern era.
    Legacy,
}

/// Makes two tests of each function that takes an [`Era`].
macro_rules! in_both_eras {
    ($($test:ident),+ $(,)?) => {$(
        mod $test {
            #[tokio::test]
            async fn modern() {
                super::$test(crate::cli::Era::Modern).await;
            }

            #[tokio::test]
            async fn legacy() {
                super::$test(crate::cli::Era::Legacy).await;
            }
        }
    )+};
}
use in_both_eras;
