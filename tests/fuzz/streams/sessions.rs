//! What happens to sessions, and what concerns no call.

use std::time::Duration;

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::time::sleep;
use toolwright::{Context, Tool};

use super::session::send;
use super::world::World;

/// A session has so many streams of its own.
const LISTENERS: usize = 3;
/// By then every stream is forgotten that was over before and has no reader.
const FORGOTTEN: Duration = Duration::from_secs(130);

impl World {
    pub(super) async fn listen(
        &mut self,
        at: usize,
        note: &mut impl FnMut(&str),
    ) -> Result<(), String> {
        let (close, count) = (self.dice.one_in(3), self.sessions[at].listeners.len());
        let which = self.dice.roll(count.max(1));
        let session = &mut self.sessions[at];
        if count >= LISTENERS || (close && count > 0) {
            note(&format!("listener {which} of {count} goes"));
            drop(session.listeners.remove(which));
            return Ok(());
        }
        note("one more listens");
        let response = session.get(&self.service, None).await;
        if response.status() != 200 {
            return Err(format!("{} to a listener", response.status()));
        }
        session.listeners.push(response.into_body());
        Ok(())
    }

    pub(super) async fn change(&mut self, note: &mut impl FnMut(&str)) -> Result<(), String> {
        note("the tools change");
        if self.has_extra {
            self.registry.remove("extra");
        } else {
            let schema = json!({"type": "object"});
            let extra = Tool::new("extra", "", schema, async |_: Value, _: Context| "");
            self.registry.add(extra).map_err(|error| error.to_string())?;
        }
        self.has_extra = !self.has_extra;
        sleep(Duration::from_millis(1)).await;
        self.sessions.iter_mut().try_for_each(|session| session.hear_changes(1))
    }

    /// What changes nothing.
    pub(super) async fn stray(
        &mut self,
        at: usize,
        note: &mut impl FnMut(&str),
    ) -> Result<(), String> {
        let (what, service) = (self.dice.roll(5), &self.service);
        note(&format!("stray request {what}"));
        let session = &mut self.sessions[at];
        let ping = json!({"jsonrpc": "2.0", "id": "ping", "method": "ping"});
        match what {
            0 => session.expect(service, &ping, 200).await,
            1 => {
                let answer = json!({"jsonrpc": "2.0", "id": 1_000_000_000, "result": {}});
                session.expect(service, &answer, 202).await
            }
            2 => {
                let response = session.get(service, Some("18000000000000000000-1")).await;
                let body = response.into_body().collect().await.unwrap().to_bytes();
                body.is_empty().then_some(()).ok_or("an unknown stream has events".to_owned())
            }
            3 => session.hear_changes(0),
            _ => {
                let Some(id) = self.ended.last() else { return Ok(()) };
                let response = send(service, "POST", id, None, &ping).await;
                let is_unknown = response.status() == 404;
                is_unknown.then_some(()).ok_or(format!("{} for {id}", response.status()))
            }
        }
    }

    /// Waits until streams without a reader are forgotten.
    pub(super) async fn forget(&mut self, note: &mut impl FnMut(&str)) -> Result<(), String> {
        note("time passes");
        for post in self.sessions.iter_mut().flat_map(|session| &mut session.posts) {
            post.is_gone |= post.is_past();
        }
        sleep(FORGOTTEN).await;
        Ok(())
    }

    pub(super) async fn delete(
        &mut self,
        at: usize,
        note: &mut impl FnMut(&str),
    ) -> Result<(), String> {
        note("ends");
        let mut session = self.sessions.swap_remove(at);
        let response = send(&self.service, "DELETE", &session.id, None, &Value::Null).await;
        if response.status() != 200 {
            return Err(format!("{} to DELETE", response.status()));
        }
        sleep(Duration::from_millis(1)).await;
        for post in &mut session.posts {
            post.close()?;
            if let Some(call) = post.calls.iter().find(|call| !call.commands.is_closed()) {
                return Err(format!("call {} goes on without its session", call.id));
            }
        }
        let get = session.get(&self.service, None).await;
        if get.status() != 404 {
            return Err(format!("{} for a session that has ended", get.status()));
        }
        self.ended.push(session.id);
        Ok(())
    }
}
