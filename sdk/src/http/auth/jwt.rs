//! Tokens that are JWTs.

use std::fmt;
use std::time::{Duration, SystemTime};

use jsonwebtoken::crypto::rust_crypto;
use jsonwebtoken::errors::Error;
use jsonwebtoken::errors::ErrorKind::InvalidSignature;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};

pub use jsonwebtoken::Algorithm;

use super::caller::Caller;
use super::keys::Keys;
use super::metadata::Metadata;
use super::verify::{AuthError, Verified, Verify};

/// How much the clocks of the two servers may differ.
const LEEWAY: Duration = Duration::from_secs(60);

/// Accepts JWTs of one authorization server, by its public keys.
///
/// ```
/// use toolwright::http::{Auth, Jwt};
///
/// # async fn get(url: &str) -> Result<String, std::io::Error> { Ok(url.into()) }
/// const SERVER: &str = "https://notes.example.com/mcp";
/// const ISSUER: &str = "https://login.example.com";
///
/// // `get` is that of your HTTP client: it returns the body as a text.
/// let keys = || get("https://login.example.com/.well-known/jwks.json");
/// let auth = Auth::new(SERVER, Jwt::new(ISSUER, SERVER, keys))?.authorization_server(ISSUER);
/// # Ok::<(), toolwright::http::BadResource>(())
/// ```
///
/// A token needs a signature by a key of the server, and the claims `iss`, `aud`, `exp` and `sub`
/// or `client_id`. The caller has its scopes from `scope` or `scp`, and all claims as
/// [`extra`](Caller::extra).
///
/// The keys are fetched when they are first needed, once an hour, and when a token is signed by an
/// unknown one, but at most every 30 seconds; an attempt may take 10 seconds. While that fails, the
/// keys from before are good for a day. It needs a tokio runtime with its time driver.
pub struct Jwt {
    issuer: String,
    /// How tokens may name this server.
    audiences: Vec<String>,
    algorithms: Vec<Algorithm>,
    keys: Keys,
}

impl Jwt {
    /// Accepts the tokens of `issuer` for `audience`, which is the URL of this server: `aud` is the
    /// same text or [`Auth::resource`](super::Auth::resource) of it, or a list with one of them;
    /// a slash at the end does not count. `keys` fetches the JWK set of the issuer.
    pub fn new<F, Fut, E>(issuer: impl Into<String>, audience: impl Into<String>, keys: F) -> Self
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, E>> + Send + 'static,
        E: fmt::Display,
    {
        // In a program that has another provider as well, jsonwebtoken panics unless one is chosen.
        let _ = rust_crypto::DEFAULT_PROVIDER.install_default();
        let audience = audience.into();
        // What clients learn from the metadata may be written in another way.
        let resource = Metadata::of(&audience).map(|url| url.resource());
        let written = audience.trim_end_matches('/').to_owned();
        let names = resource.into_iter().chain([written]);
        use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
        Self {
            issuer: issuer.into(),
            audiences: names.flat_map(|name| [format!("{name}/"), name]).collect(),
            algorithms: vec![ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512],
            keys: Keys::new(keys),
        }
    }

    /// Accepts these algorithms only. Default: all that have a public key.
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    async fn judge(&self, token: &str) -> Result<Caller, AuthError> {
        let header = decode_header(token).map_err(invalid)?;
        if !self.algorithms.contains(&header.alg) {
            return Err(AuthError::Invalid(format!("its algorithm is {:?}", header.alg)));
        }
        // RFC 7515: who does not know an extension that is critical refuses the token.
        if header.crit.is_some() {
            return Err(AuthError::Invalid("it has a critical extension".into()));
        }
        let mut validation = Validation::new(header.alg);
        validation.leeway = LEEWAY.as_secs();
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&self.audiences);
        let read = |key: &Jwk| -> Result<_, Error> {
            let key = DecodingKey::from_jwk(key)?;
            Ok(decode::<Map<String, Value>>(token, &key, &validation)?.claims)
        };
        let find = || self.keys.find(header.kid.as_deref(), header.alg);
        let key = find().await?;
        let mut claims = read(&key);
        // A new key may have no name that tells it from the old one.
        if claims.as_ref().is_err_and(|error| *error.kind() == InvalidSignature) {
            self.keys.renew().await;
            let newer = find().await?;
            if newer != key {
                claims = read(&newer);
            }
        }
        let claims = claims.map_err(invalid)?;
        caller(claims).ok_or_else(|| AuthError::Invalid("it has no subject".into()))
    }
}

impl Verify for Jwt {
    fn verify<'a>(&'a self, token: &'a str) -> Verified<'a> {
        Box::pin(self.judge(token))
    }
}

fn invalid(error: Error) -> AuthError {
    AuthError::Invalid(error.to_string())
}

fn caller(claims: Map<String, Value>) -> Option<Caller> {
    let text = |name| claims.get(name).and_then(Value::as_str);
    let client = text("client_id").or(text("azp"));
    // A subject that is no text is no reason to take all users of a client for one.
    let subject = if claims.contains_key("sub") { text("sub") } else { client };
    let mut caller = Caller::new(subject?);
    caller.client = client.map(Into::into);
    caller.scopes = match claims.get("scope").or(claims.get("scp")) {
        Some(Value::String(scopes)) => scopes.split_whitespace().map(Into::into).collect(),
        Some(Value::Array(scopes)) => {
            scopes.iter().filter_map(Value::as_str).map(Into::into).collect()
        }
        _ => Vec::new(),
    };
    let end = claims.get("exp").and_then(Value::as_f64);
    let end = end.and_then(|end| Duration::try_from_secs_f64(end).ok());
    caller.expires = end.and_then(|end| SystemTime::UNIX_EPOCH.checked_add(end + LEEWAY));
    caller.extra = claims;
    Some(caller)
}

impl fmt::Debug for Jwt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jwt")
            .field("issuer", &self.issuer)
            .field("audiences", &self.audiences)
            .field("algorithms", &self.algorithms)
            .finish_non_exhaustive()
    }
}
