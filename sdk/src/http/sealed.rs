//! States that hold the log of a call themselves, so that any replica can continue it.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::Aead;
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use sha2::{Digest, Sha256};

use super::options::StateKey;
use crate::mcp::rounds::{InMemory, Keeper, Log};

/// Seals logs with a key that all replicas have.
pub(super) struct Sealed {
    cipher: XChaCha20Poly1305,
    /// Made of the key, so that all replicas have the same.
    secret: [u8; 32],
    /// How long a state counts.
    lifetime: Duration,
    /// Seconds since 1970.
    clock: fn() -> u64,
    /// The logs that this replica has seen: the result of a round may get lost, and the client
    /// begins it again with an older state.
    seen: InMemory,
}

/// The lengths of the parts of a state: the nonce; the name, the time and the round in front of the
/// log.
const NONCE: usize = 24;
const NAME: usize = 16;
const TIME: usize = 8;
const ROUND: usize = 4;

/// The most bytes of a log in a state, which goes to the client and back in each round.
const MOST: usize = 1024 * 1024;

impl Sealed {
    pub(super) fn new(key: &StateKey) -> Self {
        let cipher = XChaCha20Poly1305::new(&key.key.into());
        let secret = Sha256::new_with_prefix(key.key).chain_update("fingerprint").finalize().into();
        Self { cipher, secret, lifetime: key.lifetime, clock: now, seen: InMemory::default() }
    }

    /// The name of a log, the round, and the log as it was sealed.
    fn open(&self, state: &str) -> Option<(u128, u32, Log)> {
        let state = URL_SAFE_NO_PAD.decode(state).ok()?;
        let (nonce, sealed) = state.split_at_checked(NONCE)?;
        let nonce: [u8; NONCE] = nonce.try_into().ok()?;
        let plain = self.cipher.decrypt(&nonce.into(), sealed).ok()?;
        let (name, rest) = plain.split_at_checked(NAME)?;
        let (time, rest) = rest.split_at_checked(TIME)?;
        let (round, log) = rest.split_at_checked(ROUND)?;
        // The clocks of replicas differ a little.
        let age = (self.clock)().saturating_sub(u64::from_be_bytes(time.try_into().ok()?));
        let log = Log::read(std::str::from_utf8(log).ok()?)?;
        let is_young = age <= self.lifetime.as_secs();
        let (name, round) = (name.try_into().ok()?, round.try_into().ok()?);
        is_young.then(|| (u128::from_be_bytes(name), u32::from_be_bytes(round), log))
    }
}

impl Keeper for Sealed {
    fn keep(&self, log: &Arc<Log>, round: u32, last: Option<&str>) -> Option<String> {
        let text = log.write().filter(|text| text.len() <= MOST)?;
        let last = last.and_then(|state| self.open(state)).map(|(name, ..)| name);
        let name = self.seen.keep_named(log, last);
        let mut plain = name.to_be_bytes().to_vec();
        plain.extend_from_slice(&(self.clock)().to_be_bytes());
        plain.extend_from_slice(&round.to_be_bytes());
        plain.extend_from_slice(text.as_bytes());
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).ok()?;
        let sealed = self.cipher.encrypt(&nonce.into(), &*plain).ok()?;
        Some(URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat()))
    }

    fn measure(&self, state: &str) {
        self.open(state).into_iter().for_each(|(name, ..)| self.seen.measure_named(name));
    }

    fn find(&self, state: &str) -> Option<(Arc<Log>, u32)> {
        let (name, round, log) = self.open(state)?;
        let log = self.seen.find_or_keep(name, log);
        Some((log, round))
    }

    fn secret(&self) -> &[u8] {
        &self.secret
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealed").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
