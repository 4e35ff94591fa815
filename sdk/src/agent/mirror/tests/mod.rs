use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};

use super::due::Due;
use super::frames::{Frames, MOST_BYTES};
use super::*;
use crate::agent::inbox::Gate;
use crate::agent::sessions::{InMemoryStore, StoreError};

mod keys;
mod runs;

const ID: &str = "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21";
const RESULT: &str = r#"{"type":"result","subtype":"success"}"#;

fn frame(file: &str, entries: &str) -> String {
    let path = format!("/home/u/.claude/projects/-work/{file}.jsonl");
    format!(r#"{{"type":"transcript_mirror","filePath":"{path}","entries":[{entries}]}}"#)
}

fn key() -> SessionKey {
    SessionKey::new("-work", ID)
}

fn start(store: Arc<dyn SessionStore>, is_eager: bool) -> Mirror {
    Mirror::start(store, "-work".into(), is_eager)
}

/// A store that takes calls only as far as it is allowed to, and fails the first ones.
struct Slow {
    store: InMemoryStore,
    allowed: Semaphore,
    calls: AtomicUsize,
    failures: usize,
    panics: bool,
}

impl Slow {
    fn new(allowed: usize, failures: usize) -> Arc<Self> {
        let allowed = Semaphore::new(allowed);
        let (store, calls) = (InMemoryStore::default(), AtomicUsize::new(0));
        Arc::new(Self { store, allowed, calls, failures, panics: false })
    }

    async fn uuids(&self, key: &SessionKey) -> Vec<String> {
        let entries = self.store.load(key).await.unwrap().unwrap_or_default();
        entries.iter().filter_map(|entry| Some(entry.uuid()?.into())).collect()
    }
}

#[async_trait]
impl SessionStore for Slow {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        self.allowed.acquire().await.unwrap().forget();
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        assert!(!self.panics, "as the test wants it");
        match call < self.failures {
            true => Err(StoreError::failed("not now")),
            false => self.store.append(key, entries).await,
        }
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        self.store.load(key).await
    }
}

/// What is delivered before the message; the test fails if it does not pass.
async fn passes(gate: &mut MirrorGate, message: Option<&str>) -> Vec<String> {
    let mut before = Vec::new();
    while let Some(error) = poll_fn(|cx| gate.poll_pass(message, cx)).await {
        before.push(error.to_string());
    }
    before
}

#[tokio::test(start_paused = true)]
async fn a_result_waits_for_the_store_and_nothing_else_does() {
    let store = Slow::new(0, 0);
    let mirror = start(store.clone(), false);
    let mut gate = mirror.gate();
    mirror.take(&frame(ID, r#"{"type":"user","uuid":"a"},{"type":"user","uuid":"b"}"#));
    mirror.take(&frame(&format!("{ID}/subagents/agent-x"), r#"{"type":"user","uuid":"s"}"#));
    mirror.take(&frame(ID, r#"{"type":"user","uuid":"c"}"#));
    passes(&mut gate, Some(r#"{"type":"assistant"}"#)).await;
    mirror.flush();
    let result = timeout(Duration::from_secs(1), passes(&mut gate, Some(RESULT))).await;
    assert!(result.is_err(), "the store has nothing yet");
    // One call for each transcript.
    store.allowed.add_permits(2);
    assert!(passes(&mut gate, Some(RESULT)).await.is_empty());
    assert_eq!(store.uuids(&key()).await, ["a", "b", "c"]);
    assert_eq!(store.uuids(&key().with_subpath("subagents/agent-x")).await, ["s"]);
    // Nothing new has come.
    assert!(passes(&mut gate, Some(RESULT)).await.is_empty());
    mirror.end();
    assert!(passes(&mut gate, None).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_twice_is_asked_again() {
    let store = Slow::new(9, 2);
    let mirror = start(store.clone(), false);
    mirror.take(&frame(ID, r#"{"type":"user","uuid":"a"}"#));
    mirror.flushed().await;
    assert_eq!(store.uuids(&key()).await, ["a"]);
}

#[tokio::test(start_paused = true)]
async fn what_a_store_has_not_got_is_told_before_the_result() {
    let store = Slow::new(9, 3);
    let mirror = start(store.clone(), false);
    mirror.take(&frame(ID, r#"{"type":"user","uuid":"a"}"#));
    mirror.flush();
    let before = passes(&mut mirror.gate(), Some(RESULT)).await;
    assert_eq!(before.len(), 1);
    let error: serde_json::Value = serde_json::from_str(&before[0]).unwrap();
    assert_eq!(error["subtype"], "mirror_error");
    assert_eq!(error["error"], "the session store failed: not now");
    assert_eq!(error["key"], json!({"projectKey": "-work", "sessionId": ID}));
    assert_eq!(store.calls.load(Ordering::Relaxed), 3);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_answer_is_given_up_and_not_asked_again() {
    let store = Slow::new(0, 0);
    let mirror = start(store.clone(), false);
    mirror.take(&frame(ID, r#"{"type":"user","uuid":"a"}"#));
    mirror.end();
    let before = passes(&mut mirror.gate(), None).await;
    assert!(before[0].contains("has not answered within 60s"), "{before:?}");
    // Its entries would come behind later ones.
    store.allowed.add_permits(1);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(store.calls.load(Ordering::Relaxed), 0, "the call has ended");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_panics_stops_nothing() {
    let mut store = Slow::new(9, 0);
    Arc::get_mut(&mut store).unwrap().panics = true;
    let mirror = start(store, false);
    mirror.take(&frame(ID, r#"{"type":"user","uuid":"a"}"#));
    mirror.flush();
    let before = passes(&mut mirror.gate(), Some(RESULT)).await;
    assert!(before[0].contains("the session store panicked"), "{before:?}");
}

#[tokio::test(start_paused = true)]
async fn many_entries_and_those_of_an_eager_mirror_are_stored_at_once() {
    let store = Slow::new(9, 0);
    let mirror = start(store.clone(), false);
    let entries = vec![r#"{"type":"x"}"#; 501].join(",");
    mirror.take(&frame(ID, &entries));
    mirror.shared.done.subscribe().wait_for(|done| *done == 1).await.unwrap();
    let eager = start(store.clone(), true);
    eager.take(&frame(ID, r#"{"type":"user","uuid":"a"}"#));
    eager.shared.done.subscribe().wait_for(|done| *done == 1).await.unwrap();
    assert_eq!(store.uuids(&key()).await, ["a"]);
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_slow_store_is_bounded() {
    let store = Slow::new(1, 0);
    let mirror = start(store.clone(), false);
    let large = format!(r#"{{"type":"x","text":"{}"}}"#, "x".repeat(MOST_BYTES / 8));
    for _ in 0..8 {
        mirror.take(&frame(ID, &large));
    }
    mirror.flush();
    let before = passes(&mut mirror.gate(), Some(RESULT)).await;
    assert!(before[0].contains("1 entries were dropped"), "{before:?}");
}

#[tokio::test(start_paused = true)]
async fn entries_that_cannot_be_read_are_told() {
    let store = Slow::new(9, 0);
    let mirror = start(store.clone(), false);
    mirror.take(&frame(ID, r#"{"type":"user","uuid":"a"},7"#));
    let long = frame(ID, r#"{"type":"user","uuid":"b"}"#);
    mirror.take(&long[..long.len() - 10]);
    mirror.take(&frame(ID, r#"{"type":"user","uuid":"c"}"#));
    let before = passes(&mut mirror.gate(), Some(RESULT)).await;
    assert_eq!(before.len(), 1, "{before:?}");
    assert!(before[0].contains("\"error\":\"2 entries, or lines with entries,"), "{before:?}");
    assert_eq!(store.uuids(&key()).await, ["a", "c"]);
    assert!(passes(&mut mirror.gate(), Some(RESULT)).await.is_empty(), "they are told of once");
}

#[tokio::test(start_paused = true)]
async fn only_so_many_transcripts_that_cannot_be_read_are_told() {
    let mirror = start(Slow::new(9, 0), false);
    for number in 0..70 {
        mirror.take(&frame(&format!("{ID}/subagents/agent-{number}"), "7"));
    }
    assert_eq!(passes(&mut mirror.gate(), Some(RESULT)).await.len(), 64);
}

#[test]
fn transcripts_that_wait_for_a_slow_store_are_bounded_in_number() {
    let mut frames = Frames::default();
    for number in 0..2000 {
        let entry = SessionEntry::parse("{}").unwrap();
        frames.add(key().with_subpath(format!("subagents/agent-{number}")), vec![entry]);
    }
    assert!(frames.waiting.len() <= 1024, "{}", frames.waiting.len());
    assert!((1..=64).contains(&frames.lost.len()), "{}", frames.lost.len());
    let known = key().with_subpath("subagents/agent-0");
    frames.add(known.clone(), vec![SessionEntry::parse("{}").unwrap()]);
    assert_eq!((&frames.waiting[0].0, frames.waiting[0].1.len()), (&known, 2));
}

#[tokio::test(start_paused = true)]
async fn what_a_store_has_not_got_comes_before_the_next() {
    let agent = format!("{ID}/subagents/agent-x");
    for silent in [false, true] {
        // It fails three attempts for one transcript and one for the other, or never answers the
        // first call.
        let store = Slow::new(if silent { 0 } else { 99 }, if silent { 0 } else { 4 });
        let mirror = start(store.clone(), false);
        mirror.take(&frame(ID, r#"{"type":"user","uuid":"a"},{"type":"user","uuid":"b"}"#));
        mirror.take(&frame(&agent, r#"{"type":"user","uuid":"s"}"#));
        mirror.flush();
        let before = passes(&mut mirror.gate(), Some(RESULT)).await;
        assert_eq!(before.len(), 2, "{before:?}");
        assert!(store.uuids(&key()).await.is_empty());
        store.allowed.add_permits(99);
        mirror.take(&frame(ID, r#"{"type":"user","uuid":"c"}"#));
        mirror.flush();
        assert!(passes(&mut mirror.gate(), Some(RESULT)).await.is_empty());
        assert_eq!(store.uuids(&key()).await, ["a", "b", "c"]);
        // Nothing new had to come.
        assert_eq!(store.uuids(&key().with_subpath("subagents/agent-x")).await, ["s"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_refuses_all_delays_a_result_by_the_pauses_of_one_transcript() {
    let mirror = start(Slow::new(9999, 9999), false);
    for number in 0..20 {
        mirror.take(&frame(&format!("{ID}/subagents/agent-{number}"), r#"{"type":"x"}"#));
    }
    for errors in [21, 1] {
        mirror.take(&frame(ID, r#"{"type":"x"}"#));
        let begun = Instant::now();
        assert_eq!(passes(&mut mirror.gate(), Some(RESULT)).await.len(), errors);
        let (least, most) = (Duration::from_secs(1), Duration::from_millis(1100));
        assert!((least..most).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn transcripts_that_are_kept_for_a_store_that_fails_are_bounded_in_number() {
    let store = Slow::new(99_999, 99_999);
    let mirror = start(store.clone(), false);
    for turn in 0..2 {
        for number in 0..1000 {
            let agent = format!("{ID}/subagents/agent-{turn}-{number}");
            mirror.take(&frame(&agent, r#"{"type":"x"}"#));
        }
        assert_eq!(passes(&mut mirror.gate(), Some(RESULT)).await.len(), 1000);
    }
    let before = store.calls.load(Ordering::Relaxed);
    mirror.take(&frame(ID, r#"{"type":"x"}"#));
    passes(&mut mirror.gate(), Some(RESULT)).await;
    // Two of them repeat the first.
    assert_eq!(store.calls.load(Ordering::Relaxed) - before, 1024 + 1 + 2);
}

/// A store that never takes one of the entries.
struct Picky(InMemoryStore);

#[async_trait]
impl SessionStore for Picky {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        match entries.iter().any(|entry| entry.uuid().as_deref() == Some("poison")) {
            true => Err(StoreError::failed("not this one")),
            false => self.0.append(key, entries).await,
        }
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        self.0.load(key).await
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_store_never_takes_holds_up_nothing() {
    let store = Arc::new(Picky(InMemoryStore::default()));
    let mirror = start(store.clone(), false);
    let mut told = Vec::new();
    for uuid in ["a", "poison", "b", "c"] {
        mirror.take(&frame(ID, &format!(r#"{{"type":"user","uuid":"{uuid}"}}"#)));
        mirror.flush();
        told.push(passes(&mut mirror.gate(), Some(RESULT)).await.len());
    }
    assert_eq!(told, [0, 1, 0, 0]);
    let stored = store.load(&key()).await.unwrap().unwrap();
    assert_eq!(stored.iter().filter_map(SessionEntry::uuid).collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn what_is_kept_for_a_store_that_fails_is_bounded() {
    let batch = |length| [SessionEntry::parse(&format!("{{{:length$}}}", "")).unwrap()].into();
    let mut due = Due { key: key(), old: VecDeque::new(), new: Some(batch(8)) };
    let mut room = 25;
    assert!(due.keep(&mut room));
    due.new = Some(batch(20));
    // It keeps what it has, and nothing that would come behind a gap.
    let mut room = 25;
    assert!(due.keep(&mut room));
    assert_eq!((due.old.len(), room), (1, 15));
    let mut other = Due { key: key(), old: VecDeque::new(), new: Some(batch(20)) };
    assert!(!other.keep(&mut room));
}

/// It fails for as long as it is asked for what is old, and is well when it is asked for what is
/// new.
#[tokio::test(start_paused = true)]
async fn what_a_store_has_refused_comes_late_if_it_is_well_only_then() {
    let store = Slow::new(99, 6);
    let mirror = start(store.clone(), false);
    for (uuid, errors) in [("a", 1), ("b", 0)] {
        mirror.take(&frame(ID, &format!(r#"{{"type":"user","uuid":"{uuid}"}}"#)));
        mirror.flush();
        assert_eq!(passes(&mut mirror.gate(), Some(RESULT)).await.len(), errors);
    }
    let mut stored = store.uuids(&key()).await;
    stored.sort();
    assert_eq!(stored, ["a", "b"]);
}
