use std::net::TcpListener;
use std::process;
use std::sync::atomic::{AtomicU16, Ordering};

/// A port that nobody listens at. The system gives none of this range to those who ask for any
/// port, so that it stays free until it is used, and while a server is started again.
pub(crate) fn free() -> u16 {
    const FIRST: u16 = 20_000;
    const COUNT: u16 = 12_000;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Two processes with tests begin at different ports.
    let [low, high, ..] = process::id().to_le_bytes();
    let start = u16::from_le_bytes([low, high]) % COUNT;
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + (start.wrapping_mul(101).wrapping_add(next)) % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
