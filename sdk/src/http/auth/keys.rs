//! The public keys of an authorization server.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use jsonwebtoken::Algorithm;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::verify::AuthError;

/// The least time between two attempts to fetch the keys, whatever clients send.
const PAUSE: Duration = Duration::from_secs(30);
/// How long an attempt may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// After this time the keys are fetched again, as one of them may be withdrawn.
const OLD: Duration = Duration::from_secs(3_600);
/// Keys that cannot be fetched again are accepted for so long, while attempts go on.
const TOO_OLD: Duration = Duration::from_secs(24 * 3_600);

/// The keys, which are fetched when they are first needed, and when a token has an unknown one.
pub(super) struct Keys {
    fetch: Arc<Fetch>,
    state: Arc<watch::Sender<State>>,
}

type Fetch = dyn Fn() -> Fetched + Send + Sync;
type Fetched = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;

#[derive(Debug, Default)]
struct State {
    keys: Vec<Jwk>,
    /// There are no newer keys.
    has_failed: bool,
    tried: Option<Instant>,
    /// When the attempt ended that gave the keys.
    fetched: Option<Instant>,
    is_fetching: bool,
}

/// An attempt to fetch the keys. It ends when it is dropped, whatever happens to it.
struct Attempt {
    state: Arc<watch::Sender<State>>,
    result: Result<Vec<Jwk>, String>,
}

#[derive(Deserialize)]
struct Set {
    keys: Vec<Value>,
}

impl Keys {
    pub(super) fn new<F, Fut, E>(fetch: F) -> Self
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, E>> + Send + 'static,
        E: fmt::Display,
    {
        let fetch = move || -> Fetched {
            let fetched = fetch();
            Box::pin(async move { fetched.await.map_err(|error| error.to_string()) })
        };
        Self { fetch: Arc::new(fetch), state: Arc::default() }
    }

    /// The key of this id for this algorithm; without an id in the token or in the set the only key
    /// that there is, if it is for the algorithm.
    pub(super) async fn find(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<Jwk, AuthError> {
        let mut states = self.state.subscribe();
        let (found, is_old, has_failed) = {
            let state = states.borrow();
            (state.find(id, algorithm), state.is_older(OLD), state.has_failed)
        };
        if found.is_none() || is_old {
            self.refresh();
        }
        // Callers do not wait for each further attempt while the authorization server is down.
        if let Some(key) = found.filter(|_| !is_old || has_failed) {
            return Ok(key);
        }
        let Ok(state) = states.wait_for(|state| !state.is_fetching).await else {
            return Err(AuthError::Unavailable("the keys are gone".into()));
        };
        // Anybody reads this, so that only the log says why the keys were not fetched.
        state.find(id, algorithm).ok_or_else(|| match state.has_failed {
            true => AuthError::Unavailable("the keys of its issuer cannot be fetched".into()),
            false => AuthError::Invalid("no key of the authorization server is that of it".into()),
        })
    }

    /// Fetches the keys again, unless that was tried a short time ago, and waits until it is done.
    pub(super) async fn renew(&self) {
        let mut states = self.state.subscribe();
        self.refresh();
        let _ = states.wait_for(|state| !state.is_fetching).await;
    }

    /// Fetches the keys, in a task of its own: the client may not wait for it.
    fn refresh(&self) {
        let begins = self.state.send_if_modified(|state| {
            let is_early = state.tried.is_some_and(|at| at.elapsed() < PAUSE);
            if state.is_fetching || is_early {
                return false;
            }
            state.is_fetching = true;
            state.tried = Some(Instant::now());
            true
        });
        if !begins {
            return;
        }
        let result = Err("the attempt to fetch them was ended".to_owned());
        let attempt = Attempt { state: self.state.clone(), result };
        let fetch = self.fetch.clone();
        tokio::spawn(async move {
            let fetched = timeout(PATIENCE, async { fetch().await }).await;
            attempt.ends(fetched.unwrap_or_else(|_| Err("to fetch them took too long".into())));
        });
    }
}

impl State {
    fn is_older(&self, than: Duration) -> bool {
        self.fetched.is_none_or(|at| at.elapsed() >= than)
    }

    fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Jwk> {
        if self.is_older(TOO_OLD) {
            return None;
        }
        let is_it = |key: &&Jwk| match (&key.common.key_id, id) {
            (Some(own), Some(id)) => own == id,
            _ => self.keys.len() == 1,
        };
        self.keys.iter().filter(is_it).find(|key| is_for(key, algorithm)).cloned()
    }
}

impl Attempt {
    fn ends(mut self, fetched: Result<String, String>) {
        self.result = fetched.and_then(|text| read(&text));
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        let result = std::mem::replace(&mut self.result, Ok(Vec::new()));
        if let Err(error) = &result {
            tracing::warn!(%error, "the keys of the authorization server were not fetched");
        }
        self.state.send_modify(|state| {
            (state.is_fetching, state.has_failed) = (false, result.is_err());
            if let Ok(keys) = result {
                state.keys = keys;
                state.fetched = Some(Instant::now());
            }
        });
    }
}

/// The keys that are for signatures. One of an unknown kind does not spoil the others.
fn read(text: &str) -> Result<Vec<Jwk>, String> {
    let set: Set = serde_json::from_str(text).map_err(|error| format!("no JWK set: {error}"))?;
    let keys = set.keys.into_iter().filter_map(|key| serde_json::from_value::<Jwk>(key).ok());
    let is_for_signatures = |key: &Jwk| {
        key.common.public_key_use.as_ref().is_none_or(|used| *used == PublicKeyUse::Signature)
    };
    Ok(keys.filter(is_for_signatures).collect())
}

/// True if a key can check signatures of an algorithm.
fn is_for(key: &Jwk, algorithm: Algorithm) -> bool {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    let is_of_kind = match (&key.algorithm, algorithm) {
        (AlgorithmParameters::EllipticCurve(key), ES256) => key.curve == EllipticCurve::P256,
        (AlgorithmParameters::EllipticCurve(key), ES384) => key.curve == EllipticCurve::P384,
        (AlgorithmParameters::OctetKeyPair(_), EdDSA) => true,
        (AlgorithmParameters::RSA(_), PS256 | PS384 | PS512 | RS256 | RS384 | RS512) => true,
        _ => false,
    };
    is_of_kind && key.common.key_algorithm.is_none_or(|of_key| of_key == algorithm.into())
}
