//! The ids of sessions.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::mcp::protocol::{Capability, Revision};

/// 128 bits cannot be guessed.
const BYTES: usize = 16;

/// What an id says that a client can be asked for.
const LETTERS: [(char, Capability); 5] = [
    ('f', Capability::Elicitation),
    ('u', Capability::ElicitationUrl),
    ('s', Capability::Sampling),
    ('t', Capability::SamplingTools),
    ('r', Capability::Roots),
];

/// A session: an id is no proof of who sends it, so it counts for its owner only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) id: Arc<str>,
    /// The subject of the token, where clients need one.
    pub(super) owner: Option<Arc<str>>,
}

/// What a session needs of its handshake to begin again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Handshake {
    pub(super) version: &'static str,
    /// What the client can be asked for, as a JSON object that declares it.
    pub(super) capabilities: String,
}

/// Makes ids. With a key an id has the handshake of its session, and proves that it was made with
/// the key: `2025-11-25.RANDOM.MAC`, or `2025-11-25.fr.RANDOM.MAC` of a client that can be asked.
pub(super) struct Ids {
    key: Option<Hmac<Sha256>>,
}

impl Ids {
    pub(super) fn new(key: Option<&[u8; 32]>) -> Self {
        Self { key: key.and_then(|key| Hmac::new_from_slice(key).ok()) }
    }

    /// A new id for a session in the revision `version`, of a client that declares `capabilities`.
    pub(super) fn make(
        &self,
        version: &str,
        capabilities: &str,
        owner: Option<Arc<str>>,
    ) -> Result<Key, getrandom::Error> {
        let mut random = [0; BYTES];
        getrandom::fill(&mut random)?;
        let random = URL_SAFE_NO_PAD.encode(random);
        let id = match &self.key {
            None => random,
            Some(key) => {
                let signed = match &*letters(version, capabilities) {
                    "" => format!("{version}.{random}"),
                    letters => format!("{version}.{letters}.{random}"),
                };
                let mac = sign(key, &signed, owner.as_deref()).finalize().into_bytes();
                let mac = URL_SAFE_NO_PAD.encode(&mac[..BYTES]);
                format!("{signed}.{mac}")
            }
        };
        Ok(Key { id: id.into(), owner })
    }

    /// The handshake of the session, if its id was made with the key.
    pub(super) fn read(&self, key: &Key) -> Option<Handshake> {
        let (signed, mac) = key.id.rsplit_once('.')?;
        let (handshake, _random) = signed.rsplit_once('.')?;
        let (version, letters) = handshake.split_once('.').unwrap_or((handshake, ""));
        let mac = URL_SAFE_NO_PAD.decode(mac).ok().filter(|mac| mac.len() == BYTES)?;
        let signed = sign(self.key.as_ref()?, signed, key.owner.as_deref());
        signed.verify_truncated_left(&mac).ok()?;
        let version = Revision::of_session(version)?.profile().version;
        let has = |(letter, capability)| letters.contains(letter).then_some(capability);
        let all = Capability::declaration(LETTERS.into_iter().filter_map(has));
        Some(Handshake { version, capabilities: Value::Object(all).to_string() })
    }
}

/// What a client can be asked for that declares `capabilities`.
fn letters(version: &str, capabilities: &str) -> String {
    let Some(revision) = Revision::of_session(version) else { return String::new() };
    let is_in = |of: &(char, Capability)| of.1.is_in(capabilities, revision.profile());
    LETTERS.into_iter().filter(is_in).map(|(letter, _)| letter).collect()
}

/// An id has no line feed, so that each pair of an id and an owner is another text.
fn sign(key: &Hmac<Sha256>, id: &str, owner: Option<&str>) -> Hmac<Sha256> {
    let mac = key.clone().chain_update(id);
    match owner {
        Some(owner) => mac.chain_update("\n").chain_update(owner),
        None => mac,
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use hmac::Mac;

    use super::{Ids, Key, sign};

    fn key(id: &str, owner: Option<&str>) -> Key {
        Key { id: id.into(), owner: owner.map(Into::into) }
    }

    fn version(ids: &Ids, key: &Key) -> Option<&'static str> {
        ids.read(key).map(|handshake| handshake.version)
    }

    #[test]
    fn an_id_proves_its_key_and_its_revision() {
        let (ids, others) = (Ids::new(Some(&[7; 32])), Ids::new(Some(&[8; 32])));
        let Key { id, .. } = ids.make("2025-06-18", r#"{"roots":{}}"#, None).unwrap();
        assert!(id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
        assert_eq!(version(&Ids::new(Some(&[7; 32])), &key(&id, None)), Some("2025-06-18"));
        assert_eq!(others.read(&key(&id, None)), None);
        assert_eq!(Ids::new(None).read(&key(&id, None)), None);
        assert_eq!(ids.read(&key(&id, Some("ann"))), None);
        let of_ann = ids.make("2025-06-18", "{}", Some("ann".into())).unwrap();
        assert_eq!(version(&ids, &of_ann), Some("2025-06-18"));
        for other in [None, Some("bob"), Some("")] {
            assert_eq!(ids.read(&key(&of_ann.id, other)), None);
        }
        for changed in [
            id.replace("06-18", "03-26"),
            id.replace(".r.", ".fr."),
            id.replace(".r.", "."),
            id[..id.len() - 1].to_owned(),
            id[..id.rfind('.').unwrap()].to_owned(),
            format!("{}.", &id[..id.rfind('.').unwrap()]),
            format!("{id}="),
            format!("{id}A"),
            format!(" {id}"),
            "..".to_owned(),
            String::new(),
        ] {
            assert_eq!(ids.read(&key(&changed, None)), None, "{changed}");
        }
    }

    #[test]
    fn an_id_says_what_its_client_can_be_asked_for() {
        let ids = Ids::new(Some(&[7; 32]));
        let both = r#"{"elicitation":{"form":{},"url":{}}}"#;
        let tools = r#"{"sampling":{"tools":{}},"roots":{}}"#;
        for (version, declared, letters, read) in [
            ("2025-11-25", "{}", "", "{}"),
            ("2025-11-25", r#"{"experimental":{}}"#, "", "{}"),
            ("2025-11-25", r#"{"elicitation":{}}"#, "f.", r#"{"elicitation":{"form":{}}}"#),
            ("2025-11-25", both, "fu.", both),
            ("2025-11-25", tools, "str.", tools),
            // It has no elicitation.
            ("2025-03-26", both, "", "{}"),
        ] {
            let made = ids.make(version, declared, None).unwrap();
            let parts: Vec<_> = made.id.split('.').collect();
            assert!(made.id.starts_with(&format!("{version}.{letters}")), "{}", made.id);
            assert_eq!(parts.len(), if letters.is_empty() { 3 } else { 4 }, "{}", made.id);
            assert_eq!(ids.read(&made).unwrap().capabilities, read, "{declared}");
        }
    }

    /// While replicas are replaced one by one. The older ones read an id up to the first point.
    #[test]
    fn ids_of_older_and_newer_replicas_are_read() {
        let ids = Ids::new(Some(&[7; 32]));
        for (said, capabilities) in [("2025-11-25", "{}"), ("2025-11-25.rz", r#"{"roots":{}}"#)] {
            let signed = format!("{said}.RANDOM");
            let mac = sign(ids.key.as_ref().unwrap(), &signed, None).finalize().into_bytes();
            let id = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(&mac[..16]));
            let read = ids.read(&key(&id, None)).unwrap();
            assert_eq!((read.version, &*read.capabilities), ("2025-11-25", capabilities));
        }
    }

    #[test]
    fn ids_differ_and_have_128_random_bits() {
        for ids in [Ids::new(None), Ids::new(Some(&[7; 32]))] {
            let [one, other] = [(); 2].map(|()| ids.make("2025-11-25", "{}", None).unwrap().id);
            assert_ne!(one, other);
            // 22 digits of base64 are 132 bits.
            assert!(one.split('.').any(|part| part.len() == 22), "{one}");
        }
    }
}
