//! JWTs, with keys that are made here.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use crate::http::{Auth, AuthError, Caller, Jwt, Verify};

const ISSUER: &str = "https://login.example.com";
const SERVER: &str = "https://notes.example.com/mcp";

/// The beginnings of private keys of Ed25519 and P-256 in PKCS #8; 32 bytes follow.
const ED: &[u8] = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
const EC: &[u8] = b"\x30\x41\x02\x01\x00\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\
    \x2a\x86\x48\xce\x3d\x03\x01\x07\x04\x27\x30\x25\x02\x01\x01\x04\x20";

/// A key pair.
struct Pair {
    id: &'static str,
    algorithm: Algorithm,
    key: EncodingKey,
}

fn ed(id: &'static str, seed: u8) -> Pair {
    let key = EncodingKey::from_ed_der(&[ED, &[seed; 32]].concat());
    Pair { id, algorithm: Algorithm::EdDSA, key }
}

fn ec(id: &'static str, seed: u8) -> Pair {
    let key = EncodingKey::from_ec_der(&[EC, &[seed; 32]].concat());
    Pair { id, algorithm: Algorithm::ES256, key }
}

impl Pair {
    fn public(&self) -> Jwk {
        let mut jwk = Jwk::from_encoding_key(&self.key, self.algorithm).unwrap();
        jwk.common.key_id = Some(self.id.into());
        jwk
    }

    fn sign(&self, claims: &Value) -> String {
        let mut header = Header::new(self.algorithm);
        header.kid = Some(self.id.into());
        encode(&header, claims, &self.key).unwrap()
    }
}

/// An authorization server.
#[derive(Clone, Default)]
struct Server {
    keys: Arc<Mutex<Vec<Value>>>,
    fetched: Arc<AtomicUsize>,
    is_down: Arc<Mutex<bool>>,
}

impl Server {
    fn with(pairs: &[&Pair]) -> Self {
        let server = Self::default();
        server.publish(pairs);
        server
    }

    fn publish(&self, pairs: &[&Pair]) {
        let keys = pairs.iter().map(|pair| json!(pair.public()));
        *self.keys.lock().unwrap() = keys.collect();
    }

    fn verifier(&self) -> Jwt {
        self.verifier_of(SERVER)
    }

    fn verifier_of(&self, audience: &str) -> Jwt {
        let server = self.clone();
        Jwt::new(ISSUER, audience, move || {
            server.fetched.fetch_add(1, Ordering::SeqCst);
            let is_down = *server.is_down.lock().unwrap();
            let set = json!({"keys": *server.keys.lock().unwrap()}).to_string();
            async move {
                // Others come while it is fetched.
                tokio::task::yield_now().await;
                if is_down { Err("it is down") } else { Ok(set) }
            }
        })
    }

    fn fetched(&self) -> usize {
        self.fetched.load(Ordering::SeqCst)
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

/// Good claims with changes: null removes one.
fn claims(changes: Value) -> Value {
    let mut claims = json!({
        "iss": ISSUER, "aud": SERVER, "sub": "ann", "exp": now() + 600, "scope": "base notes:read",
    });
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    claims
}

fn is_invalid(verdict: &Result<Caller, AuthError>) -> bool {
    matches!(verdict, Err(AuthError::Invalid(_)))
}

#[tokio::test]
async fn claims_are_checked() {
    let pair = ed("a", 1);
    let jwt = Server::with(&[&pair]).verifier();
    for (changes, is_good) in [
        (json!({}), true),
        (json!({"aud": [SERVER, "https://other.example.com"]}), true),
        (json!({"aud": format!("{SERVER}/")}), true),
        (json!({"aud": "https://other.example.com"}), false),
        (json!({"aud": []}), false),
        (json!({"aud": null}), false),
        (json!({"iss": "https://evil.example.com"}), false),
        (json!({"iss": null}), false),
        (json!({"exp": now() - 600}), false),
        (json!({"exp": -1}), false),
        (json!({"exp": "soon"}), false),
        (json!({"exp": null}), false),
        (json!({"nbf": now() - 600}), true),
        (json!({"nbf": now() + 600}), false),
        (json!({"sub": null}), false),
        (json!({"nbf": "soon"}), false),
        (json!({"nbf": 1e300}), false),
        (json!({"exp": 1e300}), false),
        (json!({"exp": u64::MAX}), true),
        (json!({"aud": {"url": SERVER}}), false),
        (json!({"aud": [5]}), false),
        (json!({"sub": null, "client_id": "cli"}), true),
        // All users of one client would be one caller.
        (json!({"sub": 5, "client_id": "cli"}), false),
        (json!({"sub": ["ann"], "client_id": "cli"}), false),
    ] {
        let verdict = jwt.verify(&pair.sign(&claims(changes.clone()))).await;
        assert_eq!(verdict.is_ok(), is_good, "{changes}: {verdict:?}");
        assert_eq!(is_invalid(&verdict), !is_good, "{changes}: {verdict:?}");
    }
}

#[tokio::test]
async fn the_resource_that_clients_are_told_is_the_audience() {
    let pair = ed("a", 1);
    for url in ["https://Notes.Example.com/mcp", "HTTPS://NOTES.example.com:443/"] {
        let jwt = Server::with(&[&pair]).verifier_of(url);
        let told = Auth::new(url, async |_: String| Ok(Caller::new("ann"))).unwrap().resource();
        for aud in [url, &told, &format!("{told}/")] {
            let verdict = jwt.verify(&pair.sign(&claims(json!({"aud": aud})))).await;
            assert!(verdict.is_ok(), "{aud}: {verdict:?}");
        }
        let verdict = jwt.verify(&pair.sign(&claims(json!({"aud": format!("{told}/MCP")})))).await;
        assert!(is_invalid(&verdict), "{verdict:?}");
    }
}

#[tokio::test]
async fn a_caller_has_the_claims() {
    let pair = ec("a", 1);
    let jwt = Server::with(&[&pair]).verifier();
    let token = pair.sign(&claims(json!({"client_id": "cli", "tenant": 5})));
    let caller = jwt.verify(&token).await.unwrap();
    assert_eq!((&*caller.subject, caller.client.as_deref()), ("ann", Some("cli")));
    assert_eq!(caller.scopes, ["base", "notes:read"]);
    assert!(caller.expires.unwrap() > SystemTime::now());
    assert_eq!(caller.extra["tenant"], 5);
    // The clocks of the two servers may differ.
    let token = pair.sign(&claims(json!({"exp": now() - 30})));
    assert!(jwt.verify(&token).await.unwrap().expires.unwrap() > SystemTime::now());
    for scp in [json!("one two"), json!(["one", "two"])] {
        let token = pair.sign(&claims(json!({"scope": null, "scp": scp})));
        assert_eq!(jwt.verify(&token).await.unwrap().scopes, ["one", "two"]);
    }
}

#[tokio::test]
async fn only_the_keys_of_the_server_sign() {
    let (a, b, other, weak) = (ed("a", 1), ec("b", 2), ed("a", 3), ec("c", 4));
    let server = Server::with(&[&a, &b]);
    let mut encrypting = weak.public();
    encrypting.common.public_key_use = Some(PublicKeyUse::Encryption);
    let strange = json!({"kty": "XY", "kid": "d"});
    server.keys.lock().unwrap().extend([json!(encrypting), strange]);
    let jwt = server.verifier();
    let good = claims(json!({}));
    assert!(jwt.verify(&a.sign(&good)).await.is_ok());
    assert!(jwt.verify(&b.sign(&good)).await.is_ok());

    let token = a.sign(&good);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let mut symmetric = Header::new(Algorithm::HS256);
    symmetric.kid = Some("a".into());
    let public = json!(a.public())["x"].as_str().unwrap().to_owned();
    let symmetric = encode(&symmetric, &good, &EncodingKey::from_secret(public.as_bytes()));
    let mut critical = Header::new(Algorithm::EdDSA);
    (critical.kid, critical.crit) = (Some("a".into()), Some(vec!["b64".into()]));
    let mut nameless = Header::new(Algorithm::EdDSA);
    nameless.typ = None;
    // {"alg":"none","kid":"a"}
    let unsigned = "eyJhbGciOiJub25lIiwia2lkIjoiYSJ9";
    let payload = signed.split_once('.').unwrap().1;
    for (what, token) in [
        ("another key of that name", other.sign(&good)),
        ("a key for something else", weak.sign(&good)),
        ("a key of another algorithm", Pair { id: "b", ..ed("b", 1) }.sign(&good)),
        ("another signature", format!("{signed}.{}", signature.chars().rev().collect::<String>())),
        ("no signature", format!("{signed}.")),
        ("a public key as a secret", symmetric.unwrap()),
        ("no algorithm", format!("{unsigned}.{payload}.")),
        ("a critical extension", encode(&critical, &good, &a.key).unwrap()),
        ("one of two keys", encode(&nameless, &good, &a.key).unwrap()),
        ("no token", "abc".into()),
        ("", String::new()),
    ] {
        let verdict = jwt.verify(&token).await;
        assert!(is_invalid(&verdict), "{what}: {verdict:?}");
    }
    // It would fit, and is for something else.
    let bound = Server::with(&[&a]);
    bound.keys.lock().unwrap()[0]["alg"] = json!("ES256");
    assert!(is_invalid(&bound.verifier().verify(&a.sign(&good)).await));
    // What the issuer uses besides may be excluded.
    let narrow = server.verifier().algorithms([Algorithm::EdDSA]);
    assert!(narrow.verify(&a.sign(&good)).await.is_ok());
    assert!(is_invalid(&narrow.verify(&b.sign(&good)).await));
}

#[tokio::test]
async fn keys_are_told_apart_by_what_they_are_for_too() {
    let same = [ed("a", 1), ec("a", 2)];
    let jwt = Server::with(&[&same[0], &same[1]]).verifier();
    for pair in &same {
        let verdict = jwt.verify(&pair.sign(&claims(json!({})))).await;
        assert!(verdict.is_ok(), "{verdict:?}");
    }
    // The only key need not have the name that the token gives.
    let [lone, _] = same;
    let server = Server::with(&[&lone]);
    server.keys.lock().unwrap()[0].as_object_mut().unwrap().remove("kid");
    let jwt = server.verifier();
    assert!(jwt.verify(&lone.sign(&claims(json!({})))).await.is_ok());
    assert!(is_invalid(&jwt.verify(&ed("a", 3).sign(&claims(json!({})))).await));
}

#[tokio::test(start_paused = true)]
async fn keys_are_fetched_when_they_are_needed() {
    let (a, b) = (ed("a", 1), ed("b", 2));
    let (of_a, of_b) = (a.sign(&claims(json!({}))), b.sign(&claims(json!({}))));
    let server = Server::with(&[&a]);
    let jwt = server.verifier();
    assert_eq!(server.fetched(), 0);
    let all = tokio::join!(jwt.verify(&of_a), jwt.verify(&of_a), jwt.verify(&of_b));
    assert!(all.0.is_ok() && all.1.is_ok() && is_invalid(&all.2));
    assert_eq!(server.fetched(), 1);

    // A new key is found, but unknown ones do not make it fetch all the time.
    server.publish(&[&b]);
    tokio::time::advance(Duration::from_secs(29)).await;
    assert!(is_invalid(&jwt.verify(&of_b).await));
    assert_eq!(server.fetched(), 1);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(jwt.verify(&of_b).await.is_ok());
    assert_eq!(server.fetched(), 2);
    assert!(is_invalid(&jwt.verify(&of_a).await));

    // Without the server the known keys are as good as before, and unknown ones cannot be judged.
    *server.is_down.lock().unwrap() = true;
    tokio::time::advance(Duration::from_secs(3_600)).await;
    assert!(jwt.verify(&of_b).await.is_ok());
    let verdict = jwt.verify(&of_a).await;
    assert!(matches!(verdict, Err(AuthError::Unavailable(_))), "{verdict:?}");
    assert_eq!(server.fetched(), 3);

    // After an hour they are fetched again, and a withdrawn one is forgotten.
    *server.is_down.lock().unwrap() = false;
    server.publish(&[&a]);
    tokio::time::advance(Duration::from_secs(3_600)).await;
    assert!(jwt.verify(&of_b).await.is_ok());
    assert!(jwt.verify(&of_a).await.is_ok());
    assert!(is_invalid(&jwt.verify(&of_b).await));
    assert_eq!(server.fetched(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_new_key_without_a_name_is_found() {
    let (a, b, other) = (ed("a", 1), ed("b", 2), ed("c", 3));
    let [of_a, of_b, of_other] = [&a, &b, &other].map(|pair| pair.sign(&claims(json!({}))));
    let server = Server::default();
    let publish = |pair: &Pair| {
        server.publish(&[pair]);
        server.keys.lock().unwrap()[0].as_object_mut().unwrap().remove("kid");
    };
    publish(&a);
    let jwt = server.verifier();
    assert!(jwt.verify(&of_a).await.is_ok());

    publish(&b);
    tokio::time::advance(Duration::from_secs(29)).await;
    assert!(is_invalid(&jwt.verify(&of_b).await));
    assert_eq!(server.fetched(), 1);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(jwt.verify(&of_b).await.is_ok());
    assert_eq!(server.fetched(), 2);
    assert!(is_invalid(&jwt.verify(&of_a).await));

    // Without the server the known key is as good as before.
    *server.is_down.lock().unwrap() = true;
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(is_invalid(&jwt.verify(&of_other).await));
    assert!(jwt.verify(&of_b).await.is_ok());
    assert_eq!(server.fetched(), 3);

    // The new one may be for another algorithm.
    *server.is_down.lock().unwrap() = false;
    let c = ec("c", 3);
    publish(&c);
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(jwt.verify(&c.sign(&claims(json!({})))).await.is_ok());
    assert_eq!(server.fetched(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_withdrawn_key_is_accepted_for_an_hour_or_a_day_without_its_server() {
    let [one, other] = [ed("a", 1), ed("b", 2)];
    let server = Server::with(&[&one]);
    let jwt = server.verifier();
    let token = one.sign(&claims(json!({})));
    assert!(jwt.verify(&token).await.is_ok());
    // However long nobody has asked.
    server.publish(&[&other]);
    tokio::time::advance(Duration::from_secs(3_600)).await;
    assert!(is_invalid(&jwt.verify(&token).await));

    server.publish(&[&one]);
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(jwt.verify(&token).await.is_ok());
    assert_eq!(server.fetched(), 3);
    *server.is_down.lock().unwrap() = true;
    let mut accepted = 0;
    for _ in 0..48 {
        tokio::time::advance(Duration::from_secs(1_801)).await;
        accepted += usize::from(jwt.verify(&token).await.is_ok());
        while_fetching().await;
    }
    assert_eq!((accepted, server.fetched()), (47, 3 + 47));
    let verdict = jwt.verify(&token).await;
    assert!(matches!(verdict, Err(AuthError::Unavailable(_))), "{verdict:?}");
    *server.is_down.lock().unwrap() = false;
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(jwt.verify(&token).await.is_ok());
}

/// Lets an attempt in the background end.
async fn while_fetching() {
    for _ in 0..4 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_fails_in_any_way_ends() {
    let pair = ed("a", 1);
    let token = pair.sign(&claims(json!({})));
    for how in ["hangs", "panics", "is no set"] {
        let jwt = Jwt::new(ISSUER, SERVER, move || async move {
            match how {
                "hangs" => std::future::pending().await,
                "panics" => panic!("as it should"),
                other => Ok::<_, &str>(other.to_owned()),
            }
        });
        let verdict = jwt.verify(&token).await;
        assert!(matches!(verdict, Err(AuthError::Unavailable(_))), "{how}: {verdict:?}");
    }
}

#[tokio::test]
async fn clients_do_not_read_why_the_keys_cannot_be_fetched() {
    let fetch = || async { Err::<String, _>("http://keys.internal:8080 refuses") };
    let jwt = Jwt::new(ISSUER, SERVER, fetch);
    let verdict = jwt.verify(&ed("a", 1).sign(&claims(json!({})))).await;
    let Err(AuthError::Unavailable(why)) = verdict else { panic!("{verdict:?}") };
    assert!(!why.contains("internal"), "{why}");
}
