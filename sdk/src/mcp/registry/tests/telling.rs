//! In which order clients are told of changes.

use std::future::{Future, poll_fn, ready};
use std::pin::pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::Poll;

use tokio::sync::Notify;
use toolwright::ToolRegistry;
use toolwright::mcp::{Link, Speech};

use crate::mcp::link::Words;
use crate::mcp::protocol::{TaskState, Topic};
use crate::mcp::rounds::{Answers, Owner};
use crate::mcp::tasks::{Begun, End, Later, Tasks, Unreachable, Worker};

/// A task whose state is read and comes late.
#[derive(Debug)]
struct LateTask {
    status: Mutex<&'static str>,
    gate: Notify,
}

impl Tasks for LateTask {
    fn begin(&self, _: Option<Owner>, _: Arc<dyn Worker>) -> Later<'_, Option<Begun>> {
        Box::pin(ready(None))
    }

    fn ask<'a>(&'a self, _: &'a str) -> Later<'a, ()> {
        Box::pin(ready(()))
    }

    fn end<'a>(&'a self, _: &'a str, _: End) -> Later<'a, ()> {
        Box::pin(ready(()))
    }

    fn forget<'a>(&'a self, _: &'a str) -> Later<'a, ()> {
        Box::pin(ready(()))
    }

    fn get<'a>(&'a self, id: &'a str) -> Later<'a, Result<Option<TaskState>, Unreachable>> {
        let members = (*self.status.lock().unwrap()).to_owned();
        Box::pin(async move {
            if members == "input_required" {
                self.gate.notified().await;
            }
            Ok(Some(TaskState { id: id.into(), owner: None, members }))
        })
    }

    fn update<'a>(
        &'a self,
        _: &'a str,
        _: Option<Owner>,
        _: &'a Answers,
    ) -> Later<'a, Result<bool, Unreachable>> {
        Box::pin(ready(Ok(true)))
    }

    fn cancel<'a>(
        &'a self,
        _: &'a str,
        _: Option<Owner>,
    ) -> Later<'a, Result<Option<bool>, Unreachable>> {
        Box::pin(ready(Ok(Some(true))))
    }
}

/// Keeps what it is told of tasks.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Link for Told {
    fn speak(&self, speech: Speech<'_>) {
        if let Words::Changed(Topic::Task(task)) = speech.0 {
            self.0.lock().unwrap().push(task.members.clone());
        }
    }
}

#[tokio::test]
async fn an_older_state_of_a_task_is_not_told_after_a_newer_one() {
    let registry = ToolRegistry::builder("toy").build().unwrap();
    let told = Arc::new(Told::default());
    let link: Weak<Told> = Arc::downgrade(&told);
    registry.subscribe(link);
    let task = Arc::new(LateTask { status: Mutex::new("input_required"), gate: Notify::new() });
    assert!(registry.server().tasks.set(task.clone()).is_ok());
    let mut asked = pin!(registry.task_changed("a1"));
    assert!(poll_fn(|cx| Poll::Ready(asked.as_mut().poll(cx))).await.is_pending());
    *task.status.lock().unwrap() = "cancelled";
    let mut cancelled = pin!(registry.task_changed("a1"));
    let early = poll_fn(|cx| Poll::Ready(cancelled.as_mut().poll(cx))).await;
    task.gate.notify_one();
    asked.await;
    if early.is_pending() {
        cancelled.await;
    }
    assert_eq!(*told.0.lock().unwrap(), ["input_required", "cancelled"]);
}
