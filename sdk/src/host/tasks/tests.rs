use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use super::InMemory;
use super::written::written;
use crate::mcp::rounds::{Answers, Owner};
use crate::mcp::tasks::Worker;

#[derive(Default)]
struct Counts {
    answers: AtomicUsize,
    stops: AtomicUsize,
}

impl Worker for Counts {
    fn questions(&self) -> Option<String> {
        None
    }

    fn answer(&self, _: &Answers) {
        self.answers.fetch_add(1, Ordering::Relaxed);
    }

    fn stop(&self) {
        self.stops.fetch_add(1, Ordering::Relaxed);
    }
}

fn begun(tasks: &InMemory, owner: Option<&Owner>) -> (Box<str>, Arc<Counts>) {
    let worker = Arc::new(Counts::default());
    let begun = tasks.begin(owner.cloned(), worker.clone()).unwrap();
    (begun.id, worker)
}

fn has(tasks: &InMemory, id: &str, text: &str) -> bool {
    tasks.get(id).unwrap().members.contains(text)
}

#[test]
fn a_task_ends_once() {
    let tasks = InMemory::default();
    let (id, worker) = begun(&tasks, None);
    assert!(has(&tasks, &id, "\"status\":\"working\""));
    assert_eq!([(); 2].map(|()| tasks.cancel(&id, None)), [Some(true), Some(false)]);
    assert_eq!(worker.stops.load(Ordering::Relaxed), 1);
    // The call may have ended at the same time.
    tasks.end(&id, Ok("{}".into()));
    assert!(has(&tasks, &id, "\"status\":\"cancelled\""));
    let (id, worker) = begun(&tasks, None);
    tasks.end(&id, Ok("{\"content\":[]}".into()));
    assert_eq!(tasks.cancel(&id, None), Some(false));
    assert!(tasks.update(&id, None, &Answers::default()));
    tasks.end(&id, Err("{}".into()));
    assert!(has(&tasks, &id, ",\"result\":{\"content\":[]}"));
    assert_eq!(worker.stops.load(Ordering::Relaxed), 0);
    assert_eq!(worker.answers.load(Ordering::Relaxed), 0);
    assert_eq!(Arc::strong_count(&worker), 1, "an ended task keeps nothing of its call");
}

#[test]
fn a_task_is_its_owners() {
    let tasks = InMemory::default();
    let [ann, bob] = ["ann", "bob"].map(|name| Owner(name.into()));
    let (id, worker) = begun(&tasks, Some(&ann));
    for other in [None, Some(bob)] {
        assert!(!tasks.update(&id, other.clone(), &Answers::default()));
        assert_eq!(tasks.cancel(&id, other), None);
    }
    assert_eq!(worker.answers.load(Ordering::Relaxed), 0);
    let state = tasks.get(&id).unwrap();
    assert!(state.members.contains("working"));
    assert_eq!(state.owner.as_deref(), Some("ann"));
    assert_eq!(tasks.cancel(&id, Some(ann)), Some(true));
}

#[test]
fn tasks_are_bounded_and_forgotten() {
    let tasks = InMemory::default();
    let all: Vec<_> = (0..64).map(|_| begun(&tasks, None)).collect();
    assert!(tasks.begin(None, Arc::new(Counts::default())).is_none());
    tasks.end(&all[0].0, Ok("{}".into()));
    begun(&tasks, None);
    assert!(tasks.begin(None, Arc::new(Counts::default())).is_none());
    tasks.forget(&all[0].0);
    tasks.forget(&all[1].0);
    assert!(tasks.get(&all[0].0).is_none());
    let stops: Vec<_> = all.iter().map(|(_, it)| it.stops.load(Ordering::Relaxed)).collect();
    assert_eq!(stops[..3], [0, 1, 0]);
    begun(&tasks, None);
}

#[test]
fn of_ended_tasks_the_oldest_makes_room() {
    let tasks = InMemory::default();
    let running = begun(&tasks, None).0;
    let ended: Vec<_> = (0..193)
        .map(|_| {
            let id = begun(&tasks, None).0;
            tasks.end(&id, Ok("{}".into()));
            id
        })
        .collect();
    assert!(tasks.get(&ended[0]).is_none());
    assert!(tasks.get(&ended[1]).is_some() && tasks.get(&ended[192]).is_some());
    // What is forgotten gives its place to the next.
    tasks.forget(&ended[1]);
    tasks.end(&running, Ok("{}".into()));
    assert!(tasks.get(&ended[2]).is_some() && tasks.get(&running).is_some());
}

#[test]
fn times_are_written_in_rfc_3339() {
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00.007Z"),
        (951_782_399, "2000-02-28T23:59:59.007Z"),
        (951_782_400, "2000-02-29T00:00:00.007Z"),
        (951_868_800, "2000-03-01T00:00:00.007Z"),
        (1_798_761_599, "2026-12-31T23:59:59.007Z"),
        (4_107_542_400, "2100-03-01T00:00:00.007Z"),
    ] {
        assert_eq!(written(UNIX_EPOCH + Duration::new(seconds, 7_999_999)), text);
    }
}

#[test]
fn a_task_that_is_forgotten_counts_no_longer() {
    let tasks = InMemory::default();
    for _ in 0..2 {
        let (id, _worker) = begun(&tasks, None);
        tasks.end(&id, Ok("{}".into()));
        tasks.forget(&id);
        assert!(tasks.get(&id).is_none());
    }
}
