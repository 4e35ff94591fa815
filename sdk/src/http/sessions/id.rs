//! The ids of sessions.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::mcp::protocol::Revision;

/// 128 bits cannot be guessed.
const BYTES: usize = 16;

/// A session: an id is no proof of who sends it, so it counts for its owner only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) id: Arc<str>,
    /// The subject of the token, where clients need one.
    pub(super) owner: Option<Arc<str>>,
}

/// Makes ids. With a key an id says the revision of its session, and proves that it was made with
/// the key: `2025-11-25.RANDOM.MAC`.
pub(super) struct Ids {
    key: Option<Hmac<Sha256>>,
}

impl Ids {
    pub(super) fn new(key: Option<&[u8; 32]>) -> Self {
        Self { key: key.and_then(|key| Hmac::new_from_slice(key).ok()) }
    }

    /// A new id for a session in the revision `version`.
    pub(super) fn make(
        &self,
        version: &str,
        owner: Option<Arc<str>>,
    ) -> Result<Key, getrandom::Error> {
        let mut random = [0; BYTES];
        getrandom::fill(&mut random)?;
        let random = URL_SAFE_NO_PAD.encode(random);
        let id = match &self.key {
            None => random,
            Some(key) => {
                let signed = format!("{version}.{random}");
                let mac = sign(key, &signed, owner.as_deref()).finalize().into_bytes();
                let mac = URL_SAFE_NO_PAD.encode(&mac[..BYTES]);
                format!("{signed}.{mac}")
            }
        };
        Ok(Key { id: id.into(), owner })
    }

    /// The revision of the session, if its id was made with the key.
    pub(super) fn read(&self, key: &Key) -> Option<&'static str> {
        let (signed, mac) = key.id.rsplit_once('.')?;
        let (version, _) = signed.split_once('.')?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok().filter(|mac| mac.len() == BYTES)?;
        let signed = sign(self.key.as_ref()?, signed, key.owner.as_deref());
        signed.verify_truncated_left(&mac).ok()?;
        Some(Revision::of_session(version)?.profile().version)
    }
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
    use super::{Ids, Key};

    fn key(id: &str, owner: Option<&str>) -> Key {
        Key { id: id.into(), owner: owner.map(Into::into) }
    }

    #[test]
    fn an_id_proves_its_key_and_its_revision() {
        let (ids, others) = (Ids::new(Some(&[7; 32])), Ids::new(Some(&[8; 32])));
        let Key { id, .. } = ids.make("2025-06-18", None).unwrap();
        assert!(id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
        assert_eq!(Ids::new(Some(&[7; 32])).read(&key(&id, None)), Some("2025-06-18"));
        assert_eq!(others.read(&key(&id, None)), None);
        assert_eq!(Ids::new(None).read(&key(&id, None)), None);
        assert_eq!(ids.read(&key(&id, Some("ann"))), None);
        let of_ann = ids.make("2025-06-18", Some("ann".into())).unwrap();
        assert_eq!(ids.read(&of_ann), Some("2025-06-18"));
        for other in [None, Some("bob"), Some("")] {
            assert_eq!(ids.read(&key(&of_ann.id, other)), None);
        }
        for changed in [
            id.replace("06-18", "03-26"),
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
    fn ids_differ_and_have_128_random_bits() {
        for ids in [Ids::new(None), Ids::new(Some(&[7; 32]))] {
            let [one, other] = [(); 2].map(|()| ids.make("2025-11-25", None).unwrap().id);
            assert_ne!(one, other);
            // 22 digits of base64 are 132 bits.
            assert!(one.split('.').any(|part| part.len() == 22), "{one}");
        }
    }
}
