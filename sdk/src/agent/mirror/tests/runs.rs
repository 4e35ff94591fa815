//! Runs with stores that have faults.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::sleep;

use super::Mirror;
use crate::agent::memory_cli::{MemoryCli, play};
use crate::agent::message::SystemMessage;
use crate::agent::options::Folder;
use crate::agent::sessions::{InMemoryStore, SessionEntry, SessionKey, SessionStore, StoreError};
use crate::agent::transport::{Connection, Incoming, Launch, Transport};
use crate::agent::{AgentClient, AgentOptions, ConnectError, Message};
use crate::testing::ScriptedCli;

const ID: &str = "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21";
const TURNS: usize = 4;

/// A CLI that says what it has written before each answer of the model.
struct Mirroring(ScriptedCli);

struct Output {
    inner: Box<dyn Incoming>,
    count: usize,
}

#[async_trait]
impl Transport for Mirroring {
    async fn connect(self: Box<Self>, mut launch: Launch) -> Result<Connection, ConnectError> {
        // It says so itself, in place of the scripted CLI.
        launch.args.retain(|arg| arg != "--session-mirror");
        let mut connection = Box::new(self.0).connect(launch).await?;
        let inner = connection.incoming;
        connection.incoming = Box::new(Output { inner, count: 0 });
        Ok(connection)
    }
}

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let mut read = Vec::new();
        self.inner.read(&mut read).await?;
        let before = buffer.len();
        // It writes whole lines.
        for line in read.split_inclusive(|byte| *byte == b'\n') {
            if String::from_utf8_lossy(line).contains("\"type\":\"assistant\"") {
                buffer.extend_from_slice(frame(self.count).as_bytes());
                self.count += 1;
            }
            buffer.extend_from_slice(line);
        }
        Ok(buffer.len() - before)
    }
}

fn frame(number: usize) -> String {
    let entry = format!(r#"{{"type":"assistant","uuid":"{number}"}}"#);
    let path = format!("/home/u/.claude/projects/-work/{ID}.jsonl");
    format!("{{\"type\":\"transcript_mirror\",\"filePath\":\"{path}\",\"entries\":[{entry}]}}\n")
}

/// What a store does when it is called for the first, second, … time; then it is well.
type Faults = &'static [Fault];

#[derive(Debug, Clone, Copy)]
enum Fault {
    Fails,
    /// It has stored the entries, and says that it has not.
    FailsLate,
    Panics,
    Takes(Duration),
    Hangs,
}

struct Faulty {
    store: InMemoryStore,
    faults: Faults,
    calls: AtomicUsize,
}

#[async_trait]
impl SessionStore for Faulty {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        match self.faults.get(self.calls.fetch_add(1, Ordering::Relaxed)) {
            None => {}
            Some(Fault::Takes(time)) => sleep(*time).await,
            Some(Fault::Hangs) => std::future::pending().await,
            Some(Fault::Panics) => panic!("as the test wants it"),
            Some(Fault::Fails) => return Err(StoreError::failed("not now")),
            Some(Fault::FailsLate) => {
                self.store.append(key, entries).await?;
                return Err(StoreError::failed("too late"));
            }
        }
        self.store.append(key, entries).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        self.store.load(key).await
    }
}

/// The errors that come with each turn, when the store has these faults. In each case the run has
/// all its turns, and in the end the store has all that was said.
async fn told(faults: Faults) -> [usize; TURNS] {
    let (store, calls) = (InMemoryStore::default(), AtomicUsize::new(0));
    let store = Arc::new(Faulty { store, faults, calls });
    let options = AgentOptions::builder().session_store(store.clone()).build().unwrap();
    let cli = (0..TURNS).fold(ScriptedCli::new(), |cli, turn| {
        cli.turn(|script| script.say(format!("Answer {turn}.")))
    });
    let mut client = AgentClient::connect_with(Mirroring(cli), options).await.unwrap();
    let mut told = [0; TURNS];
    for (turn, told) in told.iter_mut().enumerate() {
        client.query("Go on.").await.unwrap();
        let mut has_result = false;
        while let Some(message) = client.next_response().await {
            match message.unwrap() {
                Message::Result(result) => has_result = !result.is_error,
                Message::System(SystemMessage::MirrorError(_)) => *told += 1,
                _ => {}
            }
        }
        assert!(has_result, "{faults:?}: turn {turn}");
        let key = SessionKey::new("-work", ID);
        let stored = store.load(&key).await.unwrap().unwrap_or_default();
        let all = (0..=turn).map(|number| number.to_string());
        if *told == 0 {
            // What is acknowledged is there, in order, and once.
            let uuids = stored.iter().filter_map(SessionEntry::uuid);
            assert!(uuids.eq(all), "{faults:?}: {stored:?}");
        }
    }
    client.close().await;
    // What was left came at the end.
    let stored = store.load(&SessionKey::new("-work", ID)).await.unwrap().unwrap();
    let all = (0..TURNS).map(|number| number.to_string());
    assert!(stored.iter().filter_map(SessionEntry::uuid).eq(all), "{faults:?}: {stored:?}");
    told
}

#[tokio::test(start_paused = true)]
async fn a_store_with_faults_loses_nothing_and_stops_no_run() {
    use Fault::{Fails, FailsLate, Hangs, Panics, Takes};
    const SLOW: Fault = Takes(Duration::from_secs(59));
    const TOO_SLOW: Fault = Takes(Duration::from_secs(61));
    let cases: [(Faults, _); 10] = [
        (&[], [0, 0, 0, 0]),
        (&[Fails, FailsLate], [0, 0, 0, 0]),
        (&[SLOW, SLOW, SLOW, SLOW], [0, 0, 0, 0]),
        (&[Panics, Fails, Panics], [1, 0, 0, 0]),
        (&[FailsLate, FailsLate, FailsLate], [1, 0, 0, 0]),
        // From the second turn on it is asked for what is old, and at last also for what is new.
        (&[Fails; 7], [1, 1, 0, 0]),
        (&[Fails; 11], [1, 1, 1, 0]),
        (&[Fails; 15], [1, 1, 1, 1]),
        (&[Hangs, TOO_SLOW], [1, 1, 0, 0]),
        (&[SLOW, Fails, Hangs, FailsLate], [0, 1, 0, 0]),
    ];
    for (faults, expected) in cases {
        assert_eq!(told(faults).await, expected, "{faults:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_resumed_run_has_its_files_until_the_store_was_given_all() {
    use Fault::{Fails, Takes};
    const FAULTS: Faults = &[Fails, Fails, Fails, Takes(Duration::from_secs(2))];
    let (store, calls) = (InMemoryStore::default(), AtomicUsize::new(0));
    let store = Arc::new(Faulty { store, faults: FAULTS, calls });
    let options = AgentOptions::builder().session_store(store.clone()).build().unwrap();
    let (run, folder) = (Mirror::of(&options).unwrap(), Folder::create().unwrap());
    let path = folder.path().to_owned();
    run.keep(folder);
    run.take(&frame(0));
    run.flush();
    sleep(Duration::from_secs(10)).await;
    run.end();
    sleep(Duration::from_secs(1)).await;
    assert!(path.exists());
    run.flushed().await;
    assert!(!path.exists());
    assert!(store.load(&SessionKey::new("-work", ID)).await.unwrap().is_some());
}

/// A CLI that says what it has written last once its input has ended.
struct Parting(MemoryCli);

struct Last {
    inner: Box<dyn Incoming>,
    said: String,
}

#[async_trait]
impl Transport for Parting {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        let mut connection = Box::new(self.0).connect(launch).await?;
        let inner = connection.incoming;
        connection.incoming = Box::new(Last { inner, said: frame(0) });
        Ok(connection)
    }
}

#[async_trait]
impl Incoming for Last {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let length = self.inner.read(buffer).await?;
        if length > 0 {
            return Ok(length);
        }
        let said = std::mem::take(&mut self.said);
        buffer.extend_from_slice(said.as_bytes());
        Ok(said.len())
    }
}

#[tokio::test]
async fn a_conversation_that_moves_is_in_one_place_in_the_store() {
    let store = Arc::new(InMemoryStore::default());
    let options = AgentOptions::builder().cwd("/").session_store(store.clone()).build().unwrap();
    let cli =
        ScriptedCli::new().turn(|script| script.say("One.")).turn(|script| script.say("Two."));
    let mut client = AgentClient::connect_with(cli, options).await.unwrap();
    for folder in ["/", "/tmp"] {
        client.set_cwd(folder, true).await.unwrap();
        client.query("Go on.").await.unwrap();
        while client.next_response().await.is_some() {}
    }
    client.close().await;
    let keys = store.keys();
    assert_eq!(keys.iter().map(|key| &*key.project_key).collect::<Vec<_>>(), ["-"]);
    assert_eq!(store.load(&keys[0]).await.unwrap().unwrap().len(), 4);
}

/// Its end is seen before its last output is read.
#[tokio::test(start_paused = true)]
async fn what_a_cli_writes_at_the_end_of_a_conversation_is_stored() {
    let store = Arc::new(InMemoryStore::default());
    let options = AgentOptions::builder().session_store(store.clone()).build().unwrap();
    let (cli, _lines) = play(|_| Vec::new());
    let client = AgentClient::connect_with(Parting(cli), options).await.unwrap();
    client.close().await;
    let stored = store.load(&SessionKey::new("-work", ID)).await.unwrap();
    assert_eq!(stored.map(|entries| entries.len()), Some(1));
}
