use serde_json::{Value, json};

use crate::agent::sessions::{SessionEntry, SessionKey, SessionStore, StoreError};

/// The methods that a store has beside those that it must have.
#[derive(Clone, Copy)]
pub(super) struct Methods {
    pub(super) list_sessions: bool,
    pub(super) list_session_summaries: bool,
    pub(super) list_subkeys: bool,
    pub(super) delete: bool,
}

pub(super) fn has<T>(result: Result<T, StoreError>) -> bool {
    match result {
        Err(StoreError::Unsupported { .. }) => false,
        result => {
            well(result);
            true
        }
    }
}

#[track_caller]
pub(super) fn well<T>(result: Result<T, StoreError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("the store fails: {error}"),
    }
}

pub(super) fn entry(value: Value) -> SessionEntry {
    SessionEntry::of_object(&value.to_string())
}

/// Entries with these numbers.
pub(super) fn entries(numbers: &[u32]) -> Vec<SessionEntry> {
    let uuid = |number: &u32| format!("uuid-{}", 100 - number);
    numbers.iter().map(|n| entry(json!({"type": "x", "uuid": uuid(n), "n": n}))).collect()
}

pub(super) fn key() -> SessionKey {
    SessionKey::new("proj", "sess")
}

pub(super) async fn append(store: &dyn SessionStore, key: &SessionKey, numbers: &[u32]) {
    well(store.append(key, &entries(numbers)).await);
}

/// The entries of a transcript are those with these numbers.
#[track_caller]
pub(super) fn assert_has(
    contract: &str,
    loaded: Result<Option<Vec<SessionEntry>>, StoreError>,
    numbers: Option<&[u32]>,
) {
    let values = |entries: Vec<SessionEntry>| -> Vec<Value> {
        entries.iter().map(|entry| entry.decode().unwrap_or_default()).collect()
    };
    let expected = numbers.map(|numbers| values(entries(numbers)));
    assert_eq!(well(loaded).map(values), expected, "{contract}");
}
