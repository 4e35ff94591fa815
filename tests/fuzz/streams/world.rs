//! The service, its clients, and what happens to them.

use std::time::Duration;

use tokio::time::sleep;
use toolwright::ToolRegistry;
use toolwright::http::{Options, Service, Sessions};

use super::desk::Desk;
use super::post::State;
use super::session::Session;
use crate::dice::Dice;

const VERSIONS: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];

pub(super) struct World {
    pub(super) service: Service,
    pub(super) registry: ToolRegistry,
    pub(super) desk: Desk,
    pub(super) dice: Dice,
    pub(super) sessions: Vec<Session>,
    /// The ids of sessions that have ended.
    pub(super) ended: Vec<String>,
    /// What is kept of streams has room for some messages only.
    pub(super) is_tight: bool,
    pub(super) calls: u64,
    pub(super) texts: u64,
    pub(super) has_extra: bool,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let desk = Desk::default();
        let registry = ToolRegistry::builder("toy").tools([desk.tool()]).build().unwrap();
        let is_tight = dice.one_in(3);
        let mut options = Options::default();
        let mut sessions = Sessions::default();
        if is_tight {
            sessions.replay = 1_000;
        }
        sessions.key = dice.one_in(2).then_some([7; 32]);
        options.sessions = Some(sessions);
        let service = Service::with(registry.clone(), options);
        let (sessions, ended) = (Vec::new(), Vec::new());
        Self {
            service,
            registry,
            desk,
            dice,
            sessions,
            ended,
            is_tight,
            calls: 0,
            texts: 0,
            has_extra: false,
        }
    }

    /// Does something. The log gets a line about it.
    pub(super) async fn act(&mut self, log: &mut Vec<String>) -> Result<(), String> {
        if self.sessions.is_empty() || (self.sessions.len() < 4 && self.dice.one_in(40)) {
            let version = self.dice.pick(&VERSIONS);
            log.push(format!("a session of {version}"));
            self.sessions.push(Session::begin(&self.service, version).await?);
            return Ok(());
        }
        let at = self.dice.roll(self.sessions.len());
        let action = self.dice.roll(100);
        let mut note = |what: &str| log.push(format!("session {at}: {what}"));
        match action {
            0..15 => self.call(at, &mut note).await?,
            15..50 => self.command(at, &mut note)?,
            50..56 => self.cut(at, &mut note),
            56..68 => self.resume(at, &mut note).await?,
            68..73 => self.cancel(at, &mut note).await?,
            73..81 => self.answer(at, &mut note).await?,
            81..86 => self.listen(at, &mut note).await?,
            86..90 => self.change(&mut note).await?,
            90..96 => self.stray(at, &mut note).await?,
            96 => self.forget(&mut note).await?,
            97 => self.delete(at, &mut note).await?,
            _ => {}
        }
        // Until nothing happens any more: the clock stands still while a task can run.
        sleep(Duration::from_millis(1)).await;
        // Some streams are read later.
        for session in &mut self.sessions {
            for post in &mut session.posts {
                if self.dice.one_in(2) {
                    post.read(self.is_tight)?;
                }
            }
        }
        Ok(())
    }

    /// Ends all sessions.
    pub(super) async fn close(&mut self) -> Result<(), String> {
        while !self.sessions.is_empty() {
            self.delete(0, &mut |_| {}).await?;
        }
        Ok(())
    }

    pub(super) fn text(&mut self) -> String {
        self.texts += 1;
        format!("t{}", self.texts)
    }

    /// A running call of a request: its place.
    pub(super) fn running(&mut self, at: usize) -> Option<(usize, usize)> {
        let posts = &self.sessions[at].posts;
        let all = posts.iter().enumerate().flat_map(|(post, of)| {
            let calls = of.calls.iter().enumerate();
            let running = calls.filter(|(_, call)| call.state == State::Runs);
            running.map(move |(call, _)| (post, call))
        });
        let all: Vec<_> = all.collect();
        (!all.is_empty()).then(|| self.dice.pick(&all))
    }

    /// A request of a session: its place.
    pub(super) fn post(&mut self, at: usize) -> Option<usize> {
        let count = self.sessions[at].posts.len();
        (count > 0).then(|| self.dice.roll(count))
    }
}
