use std::future::Future;
use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Wake;

use serde_json::{Value, json};

use super::*;
use crate::agent::error::ProcessExit;
use crate::agent::inbox::{self, Batch};
use crate::agent::message::Peek;
use crate::agent::options::AgentOptions;
use crate::agent::prompt::UserPrompt;
use crate::agent::turns::Asker;

#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

struct Scene {
    core: Arc<Core>,
    mail: Arc<Mail>,
}

impl Scene {
    fn new(bound: usize) -> Self {
        let (inbox, outlet) = inbox::channel(bound, false);
        let core = Core::new(&AgentOptions::default(), inbox, false);
        Self { mail: Mail::new(core.clone(), outlet), core }
    }

    fn ask(&self, uuid: &str) -> u64 {
        let prompt = UserPrompt::text("?").uuid(uuid);
        let asked = self.core.prompt_as(prompt, Asker::Turn, |number| self.mail.open(number));
        match pin!(asked).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok((number, _))) => number,
            other => panic!("{other:?}"),
        }
    }

    fn say(&self, message: &Value) -> Result<(), RunError> {
        let mut batch = Batch::new(0);
        batch.add(&message.to_string());
        self.core.inbox.push(batch)
    }

    fn poll(&self, turn: u64, woken: &Arc<Woken>) -> Next<Message> {
        let waker = Waker::from(woken.clone());
        self.mail.poll_turn(turn, &mut Context::from_waker(&waker))
    }

    fn poll_client(&self, waits: bool) -> Next<(Message, Relevance)> {
        self.mail.poll_client(waits, &mut Context::from_waker(Waker::noop()))
    }
}

fn started(uuid: &str) -> Value {
    json!({"type": "command_lifecycle", "command_uuid": uuid, "state": "started"})
}

fn result(uuids: &[&str]) -> Value {
    json!({"type": "result", "user_message_uuids": uuids})
}

fn is<T>(next: &Next<T>) -> &'static str {
    match next {
        Poll::Ready(Some(Ok(_))) => "a message",
        Poll::Ready(Some(Err(_))) => "an error",
        Poll::Ready(None) => "the end",
        Poll::Pending => "nothing yet",
    }
}

#[test]
fn whoever_reads_wakes_those_whose_messages_it_finds() {
    let scene = Scene::new(usize::MAX);
    let [a, b] = ["a", "b"].map(|uuid| scene.ask(uuid));
    let [of_a, of_b] = [(); 2].map(|()| Arc::<Woken>::default());
    assert_eq!(is(&scene.poll(a, &of_a)), "nothing yet");
    assert_eq!(is(&scene.poll(b, &of_b)), "nothing yet");
    scene.say(&started("a")).unwrap();
    let count = |woken: &Woken| woken.0.swap(0, Ordering::Relaxed);
    assert_eq!((count(&of_a), count(&of_b)), (1, 1), "either may take it");

    // The other one takes it, and waits again.
    assert_eq!(is(&scene.poll(a, &of_a)), "a message");
    assert_eq!(is(&scene.poll(a, &of_a)), "nothing yet");
    scene.say(&result(&["a", "b"])).unwrap();
    assert_eq!(count(&of_a), 1);
    assert_eq!(is(&scene.poll(a, &of_a)), "a message");
    for (turn, woken) in [(a, &of_a), (b, &of_b)] {
        if turn == b {
            assert_eq!(is(&scene.poll(turn, woken)), "a message");
        }
        assert_eq!(is(&scene.poll(turn, woken)), "the end");
    }
}

#[test]
fn a_reader_that_waits_is_woken_when_another_takes_its_message() {
    let scene = Scene::new(usize::MAX);
    let [a, b] = ["a", "b"].map(|uuid| scene.ask(uuid));
    let [of_a, of_b] = [(); 2].map(|()| Arc::<Woken>::default());
    scene.say(&started("a")).unwrap();
    assert_eq!(is(&scene.poll(a, &of_a)), "a message");
    scene
        .say(&json!({"type": "command_lifecycle", "command_uuid": "b", "state": "queued"}))
        .unwrap();
    assert_eq!(is(&scene.poll(a, &of_a)), "nothing yet");
    assert_eq!(of_a.0.load(Ordering::Relaxed), 0);
    assert_eq!(is(&scene.poll(b, &of_b)), "a message");
    scene.say(&result(&["a"])).unwrap();
    assert_eq!(is(&scene.poll(b, &of_b)), "nothing yet");
    assert!(of_a.0.load(Ordering::Relaxed) > 0);
    assert_eq!(is(&scene.poll(a, &of_a)), "a message");
}

#[test]
fn a_reader_that_lets_other_tasks_run_comes_back_by_itself() {
    let scene = Scene::new(usize::MAX);
    let [a, b] = ["a", "b"].map(|uuid| scene.ask(uuid));
    (0..=MANY).for_each(|_| scene.say(&started("a")).unwrap());
    scene.say(&result(&["a"])).unwrap();
    scene.say(&started("b")).unwrap();
    let woken = Arc::<Woken>::default();
    assert_eq!(is(&scene.poll(b, &woken)), "nothing yet");
    assert_eq!(woken.0.load(Ordering::Relaxed), 1);
    assert_eq!(is(&scene.poll(b, &woken)), "a message");
    scene.mail.forget(a);
}

#[test]
fn the_end_of_a_run_ends_every_turn_with_its_error() {
    let scene = Scene::new(usize::MAX);
    let [a, b] = ["a", "b"].map(|uuid| scene.ask(uuid));
    scene.core.inbox.end(Some(RunError::NoResult));
    for turn in [a, b] {
        assert_eq!(is(&scene.poll(turn, &Arc::default())), "an error");
    }
    for expected in ["an error", "the end"] {
        assert_eq!(is(&scene.poll_client(true)), expected);
    }
}

/// The CLI dies behind an error result, which explains why to the prompt that has it.
fn dies(scene: &Scene, uuid: &str) {
    scene.say(&json!({"type": "result", "is_error": true, "user_message_uuids": [uuid]})).unwrap();
    scene.core.lifecycle.note(&Peek::Result { is_error: true });
    let exit = ProcessExit { status: Some(ExitStatus::from_raw(9)), ..ProcessExit::default() };
    let error = scene.core.lifecycle.failure(&exit, None);
    scene.core.inbox.end(error);
}

#[test]
fn to_a_prompt_without_a_result_another_ones_explains_no_death() {
    let scene = Scene::new(usize::MAX);
    let [a, b] = ["a", "b"].map(|uuid| scene.ask(uuid));
    dies(&scene, "a");
    for expected in ["a message", "the end"] {
        assert_eq!(is(&scene.poll(a, &Arc::default())), expected);
    }
    assert_eq!(is(&scene.poll(b, &Arc::default())), "an error");
    assert_eq!(is(&scene.poll_client(true)), "the end");

    for is_last in [true, false] {
        let scene = Scene::new(usize::MAX);
        scene.core.prompt(UserPrompt::text("?").uuid("a"), Asker::Client).unwrap();
        if !is_last {
            scene.core.prompt(UserPrompt::text("?").uuid("b"), Asker::Client).unwrap();
        }
        dies(&scene, "a");
        assert_eq!(is(&scene.poll_client(true)), "a message");
        assert_eq!(is(&scene.poll_client(true)), if is_last { "the end" } else { "an error" });
        assert_eq!(is(&scene.poll_client(true)), "the end");
    }
}

#[test]
fn messages_that_wait_for_another_reader_count_as_unread() {
    let message = result(&["a"]);
    let scene = Scene::new(2 * message.to_string().len());
    let a = scene.ask("a");
    for _ in 0..2 {
        scene.say(&message).unwrap();
    }
    // The client takes both: the turn's, and one that is nobody's.
    assert_eq!(is(&scene.poll_client(true)), "a message");
    scene.say(&message).unwrap();
    assert!(scene.say(&message).is_err());
    scene.mail.forget(a);
    assert_eq!(is(&scene.poll_client(true)), "a message");
    scene.say(&message).unwrap();
}

#[test]
fn the_client_waits_only_for_what_is_to_come() {
    let scene = Scene::new(usize::MAX);
    assert_eq!(is(&scene.poll_client(false)), "the end");
    assert_eq!(is(&scene.poll_client(true)), "nothing yet");
    scene.ask("a");
    assert_eq!(is(&scene.poll_client(false)), "the end", "it is a turn that waits");
    scene.core.prompt(UserPrompt::text("?"), Asker::Client).unwrap();
    assert_eq!(is(&scene.poll_client(false)), "nothing yet");
}

#[test]
fn a_prompt_that_is_withdrawn_ends_its_turn() {
    let scene = Scene::new(usize::MAX);
    let a = scene.ask("a");
    let woken = Arc::<Woken>::default();
    assert_eq!(is(&scene.poll(a, &woken)), "nothing yet");
    scene.core.turns.interrupt(1, &[], &["a".to_owned()]);
    assert_eq!(woken.0.load(Ordering::Relaxed), 1);
    assert_eq!(is(&scene.poll(a, &woken)), "the end");
    assert!(scene.mail.is_withdrawn(a));
}

/// Takes the locks of the mail whenever code of the user's may run.
struct Meddler(Arc<Mail>);

impl Meddler {
    fn meddle(&self) {
        self.0.is_withdrawn(0);
        self.0.core.turns.sent();
        self.0.core.turns.waiting.add(None, Waker::noop().clone());
    }
}

impl Wake for Meddler {
    fn wake(self: Arc<Self>) {
        self.meddle();
    }
}

impl Drop for Meddler {
    fn drop(&mut self) {
        self.meddle();
    }
}

#[test]
fn wakers_may_take_every_lock() {
    let (done, result) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let scene = Scene::new(usize::MAX);
        let [a, b] = ["a", "b"].map(|uuid| scene.ask(uuid));
        for _ in 0..2 {
            // The second one takes the place of the first, which is dropped.
            let waker = Waker::from(Arc::new(Meddler(scene.mail.clone())));
            let next = scene.mail.poll_turn(a, &mut Context::from_waker(&waker));
            assert_eq!(is(&next), "nothing yet");
        }
        scene.say(&started("a")).unwrap();
        assert_eq!(is(&scene.poll(b, &Arc::default())), "nothing yet");
        assert_eq!(is(&scene.poll(a, &Arc::default())), "a message");
        done.send(()).unwrap();
    });
    result.recv_timeout(std::time::Duration::from_secs(60)).expect("a lock was held");
}
