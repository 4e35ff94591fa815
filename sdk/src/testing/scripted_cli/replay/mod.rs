//! Plays a recording in place of a script.
//!
//! The lines of the CLI come in the recorded order, each once the SDK has sent what it had sent
//! before that line. What the SDK sends may come earlier than in the recording, and in another
//! order, as callbacks and calls run at the same time.

mod comparison;
mod file;
mod ids;
mod tool_uses;

mod player;

mod connection;

use std::io::{self, ErrorKind};

use self::comparison::difference_of_args;
pub(super) use self::file::Replay;
use self::player::Player;
use super::recorder::Recorder;
use crate::agent::transport::{Connection, Launch};
use crate::testing::recording::Entry;

/// # Errors
///
/// The arguments differ from the recorded ones.
pub(super) fn connect(
    replay: Replay,
    launch: &Launch,
    recorder: Recorder,
) -> io::Result<Connection> {
    let args = launch.args.iter().map(|arg| arg.to_string_lossy().into_owned());
    let args: Vec<_> = args.collect();
    recorder.started(&args);
    if let Some(Entry::Launch { args: recorded }) = replay.entries.first()
        && let Some(difference) = difference_of_args(recorded, &args)
    {
        let text = format!("the run differs from {}, line 1: {difference}", replay.name);
        recorder.differs(&text);
        return Err(io::Error::new(ErrorKind::InvalidData, text));
    }
    Ok(connection::connect(Player::new(replay, recorder)))
}
