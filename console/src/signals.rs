//! The signals that tell a program to end.

use std::future::{Future, pending};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::thread::Builder;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level::pipe::register;
use tokio::sync::oneshot;

use crate::thread::Thread;

/// Is ready once the process is told to end. From now on these signals do nothing else.
///
/// A thread waits for them, so that no runtime needs a driver for it.
pub fn signals() -> io::Result<impl Future<Output = ()>> {
    let (mut told, tell) = io::pipe()?;
    for signal in [SIGTERM, SIGINT, SIGHUP] {
        register(signal, OwnedFd::from(tell.try_clone()?))?;
    }
    let (announce, announced) = oneshot::channel();
    let wait = move || {
        if told.read_exact(&mut [0]).is_ok() {
            // Nobody waits any more once the program ends by itself.
            let _ = announce.send(());
        }
    };
    let thread = Builder::new().name("toolwright-signals".into()).stack_size(64 * 1024);
    Thread::spawn(thread, Box::new(wait))?;
    Ok(async {
        if announced.await.is_err() {
            pending().await
        }
    })
}
