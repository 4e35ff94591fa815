//! Code of the user's runs under no lock: here all of it takes every lock of the run.

mod sending;

use std::future::{Future, pending};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Weak, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use serde_json::json;
use tracing::span;

use super::*;
use crate::agent::handle::Handle;
use crate::agent::inbox::{self, Batch};
use crate::agent::lifecycle::Stop;
use crate::agent::memory_cli::Reads;
use crate::agent::message::{ControlKind, peek};
use crate::agent::reader::Reader;
use crate::agent::trace::Trace;
use crate::agent::transport::Incoming;
use crate::agent::{
    ElicitationAnswer, HookContext, HookMatcher, HookOutput, Permission, PermissionRequest,
};

/// Knows the run and counts how often it took the run's locks.
#[derive(Clone, Default)]
struct Meddler(Arc<(Mutex<Weak<Core>>, AtomicUsize)>);

impl Meddler {
    fn meddle(&self) {
        let core = self.0.0.lock().unwrap().upgrade();
        let Some(core) = core else { return };
        self.0.1.fetch_add(1, Ordering::Relaxed);
        if let Ok((id, _)) = core.channel.request("interrupt", &json!({})) {
            core.channel.withdraw(id);
        }
        if let Some((id, _)) = core.channel.open("meddling", 1) {
            core.callbacks.hook(id, "hook_99", "{}", None);
        }
        core.channel.writer.flush();
        core.lifecycle.note(&peek("{\"type\":\"assistant\"}"));
        core.turns.sent();
        core.inbox.push(Batch::default()).unwrap();
    }

    fn count(&self) -> usize {
        self.0.1.load(Ordering::Relaxed)
    }
}

impl Drop for Meddler {
    fn drop(&mut self) {
        self.meddle();
    }
}

impl Wake for Meddler {
    fn wake(self: Arc<Self>) {
        self.meddle();
    }
}

impl tracing::Subscriber for Meddler {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        self.meddle();
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {
        self.meddle();
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, _: &tracing::Event<'_>) {
        self.meddle();
    }

    fn enter(&self, _: &span::Id) {
        self.meddle();
    }

    fn exit(&self, _: &span::Id) {
        self.meddle();
    }

    fn try_close(&self, _: span::Id) -> bool {
        self.meddle();
        false
    }
}

/// Gives all lines at once.
struct Lines(&'static str);

#[async_trait::async_trait]
impl Incoming for Lines {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> std::io::Result<usize> {
        buffer.extend_from_slice(self.0.as_bytes());
        Ok(std::mem::take(&mut self.0).len())
    }
}

const LINES: &str = r#"no message
{"type":"control_request"}
{"type":"control_request","request_id":"bad","request":7}
{"type":"control_request","request_id":"twice","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}
{"type":"control_request","request_id":"twice","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}
{"type":"control_request","request_id":"panic","request":{"subtype":"hook_callback","callback_id":"hook_0","input":{}}}
{"type":"control_request","request_id":"wait","request":{"subtype":"hook_callback","callback_id":"hook_1","input":{}}}
{"type":"control_request","request_id":"none","request":{"subtype":"hook_callback","callback_id":"hook_9","input":{}}}
{"type":"control_request","request_id":"asks","request":{"subtype":"elicitation","message":"Who?","requested_schema":{}}}
{"type":"control_request","request_id":"mcp","request":{"subtype":"mcp_message","server_name":"none","message":{}}}
{"type":"control_cancel_request","request_id":"twice"}
{"type":"control_response","response":{"subtype":"success","request_id":"req_9999"}}
{"type":"result","is_error":false}
"#;

fn play() -> [usize; 4] {
    let meddler = Meddler::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let _context = runtime.enter();
    let options = {
        let [panics, waits, decides, answers] = [(); 4].map(|()| meddler.clone());
        AgentOptions::builder()
            .hook(HookMatcher::pre_tool_use("*"), move |_, _: HookContext| {
                let captured = panics.clone();
                async move {
                    assert_eq!(captured.count(), usize::MAX, "a bug");
                    HookOutput::default()
                }
            })
            .hook(HookMatcher::pre_tool_use("*"), move |_, _: HookContext| {
                let captured = waits.clone();
                async move {
                    let _captured = captured;
                    pending::<HookOutput<_>>().await
                }
            })
            .can_use_tool(move |_: PermissionRequest| {
                let captured = decides.clone();
                async move {
                    let _captured = captured;
                    pending::<Permission>().await
                }
            })
            .on_elicitation(move |_| {
                let captured = answers.clone();
                async move {
                    let _captured = captured;
                    pending::<ElicitationAnswer>().await
                }
            })
            .mcp_server(crate::ToolRegistry::builder("calc").build().unwrap())
            .build()
            .unwrap()
    };
    let (inbox, mut outlet) = inbox::channel(usize::MAX, false);
    let core = Core::new(&options, inbox, false);
    drop(options);
    *meddler.0.0.lock().unwrap() = Arc::downgrade(&core);
    let waker = Waker::from(Arc::new(meddler.clone()));
    let mut counts = [0; 4];
    let _events = tracing::subscriber::set_default(meddler.clone());
    runtime.block_on(async {
        let mut waits = Vec::new();
        for _ in 0..2 {
            assert!(outlet.poll_next(&mut Context::from_waker(&waker)).is_pending());
            let (_, mut answer) = core.channel.request("interrupt", &json!({})).ok().unwrap();
            let mut cx = Context::from_waker(&waker);
            assert!(std::pin::Pin::new(&mut answer).poll(&mut cx).is_pending());
            waits.push(answer);
        }
        let mut reader = Reader::new(&core, usize::MAX, Trace::of(&AgentOptions::default()));
        reader.read(&mut Lines(LINES)).await.unwrap();
        reader.take_lines();
        counts[0] = meddler.count();
        assert!(matches!(
            outlet.poll_next(&mut Context::from_waker(&waker)),
            Poll::Ready(Some(Ok(_)))
        ));
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        counts[1] = meddler.count();
        core.lifecycle.stop(Stop::Closed);
        core.end(ProcessExit::default(), None);
        counts[2] = meddler.count();
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        counts[3] = meddler.count();
    });
    counts
}

#[test]
fn code_of_the_user_may_take_every_lock() {
    let (done, result) = mpsc::channel();
    thread::spawn(move || done.send(play()).unwrap());
    let counts = result.recv_timeout(Duration::from_secs(60)).expect("a lock was held");
    assert!(counts[0] >= 5, "four events and a waker: {counts:?}");
    assert!(counts.is_sorted_by(|a, b| a < b), "each part runs code of the user's: {counts:?}");
}

/// A run to whose CLI so many bytes are to be written behind the first line.
fn behind(bytes: usize) -> Arc<Core> {
    let (inbox, _) = inbox::channel(usize::MAX, false);
    let core = Core::new(&AgentOptions::default(), inbox, false);
    core.channel.writer.add(|out| out.push(b'\n'));
    core.channel.writer.add(|out| out.resize(out.len() + bytes, b'\n'));
    core
}

const MOST: usize = 64 * 1024 * 1024;

#[tokio::test]
async fn a_prompt_waits_for_room_and_a_run_that_ends_lets_it_go() {
    for reads in [true, false] {
        let core = behind(MOST);
        let mut prompt = std::pin::pin!(core.prompt_as("?".into(), Asker::Client, |_| ()));
        assert!(prompt.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(core.turns.sent(), 0);
        match reads {
            true => {
                tokio::spawn(core.channel.clone().run(Box::new(Reads)));
                prompt.await.unwrap();
            }
            false => {
                core.end(ProcessExit::default(), None);
                prompt.await.unwrap_err();
            }
        }
    }
}

#[tokio::test]
async fn a_prompt_to_a_run_that_has_failed_gets_the_error_of_the_run() {
    let core = behind(0);
    core.lifecycle.stop(Stop::Failed(RunError::Unread { unread: 2, bound: 1 }));
    let asked = || core.prompt("?".into(), Asker::Client).unwrap_err();
    assert!(matches!(asked(), RunError::Unread { .. }));
    let exit = ProcessExit::default();
    let error = core.lifecycle.failure(&exit, None);
    core.end(exit, error);
    assert!(matches!(asked(), RunError::Unread { .. }));
}

#[tokio::test]
async fn a_run_stops_when_a_line_is_lost() {
    let core = behind(MOST + 1);
    let (id, _) = core.channel.open("asked", 1).unwrap();
    core.channel.answer(&id, "{}");
    // A callback does so, and knows nothing of the run.
    core.channel.writer.flush();
    core.lifecycle.changed().await;
    assert!(core.is_stopped());
    let error = core.prompt("?".into(), Asker::Client).unwrap_err();
    assert!(matches!(error, RunError::Unwritten { unwritten } if unwritten == MOST + 2));
}

#[tokio::test]
async fn prompts_that_wait_for_room_keep_their_order() {
    let core = behind(MOST);
    let mut cx = Context::from_waker(Waker::noop());
    let ask = |text: &str| Box::pin(core.prompt_as(text.into(), Asker::Client, |_| ()));
    let (mut first, mut second) = (ask("1"), ask("2"));
    for prompt in [&mut first, &mut second] {
        assert!(prompt.as_mut().poll(&mut cx).is_pending());
    }
    tokio::spawn(core.channel.clone().run(Box::new(Reads)));
    core.channel.writer.caught_up().await;
    assert!(second.as_mut().poll(&mut cx).is_pending(), "it has overtaken the first");
    assert_eq!(first.await.unwrap().0, 0);
    assert_eq!(second.await.unwrap().0, 1);
}

#[tokio::test]
async fn a_request_that_is_for_others_is_not_kept() {
    let core = behind(0);
    for request in [
        r#"{"subtype":"remote_tool_call"}"#,
        r#"{"subtype":"request_user_dialog","dialog_kind":"x","payload":{}}"#,
    ] {
        let line = format!(r#"{{"type":"control_request","request_id":"a","request":{request}}}"#);
        core.control(Control::read(ControlKind::Request, &line), line.len());
        let (id, _) = core.channel.open("a", 1).expect("it is open");
        assert!(core.channel.forget(&id));
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_finds_no_room_times_out_and_ends_no_run() {
    let core = behind(MOST + 1);
    let handle = Handle::of(core.clone());
    handle.set_model(None).await.unwrap_err();
    handle.interrupt().await.unwrap_err();
    assert!(!core.is_stopped());
}
