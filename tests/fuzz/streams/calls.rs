//! What happens to calls and their streams.

use serde_json::{Value, json};

use super::desk::Command;
use super::post::{Call, Post, Reading, State};
use super::session::Session;
use super::world::World;

/// A session keeps so many requests.
const KEPT: usize = 6;

impl World {
    /// Calls the tool, once or in a batch. Each call says something at once, so that its response
    /// is a stream.
    pub(super) async fn call(
        &mut self,
        at: usize,
        note: &mut impl FnMut(&str),
    ) -> Result<(), String> {
        let version = self.sessions[at].version;
        let is_batch = version == "2025-03-26" && self.dice.one_in(3);
        let count = if is_batch { 1 + self.dice.roll(3) as u64 } else { 1 };
        let (mut calls, mut said, mut messages) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            let id = self.calls;
            self.calls += 1;
            let commands = self.desk.add(id);
            let call = Call { id, commands, state: State::Runs, question: None };
            let text = self.text();
            call.tell(Command::Say(text.clone()))?;
            said.push(text);
            calls.push(call);
            messages.push(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
                "name": "obey", "arguments": {"call": id}, "_meta": {"progressToken": id}}}));
        }
        let message = if is_batch { Value::Array(messages) } else { messages.remove(0) };
        note(&format!("calls the {count} after {}, batch: {is_batch}", self.calls - count));
        let session = &mut self.sessions[at];
        let response = session.post(&self.service, &message).await;
        if response.status() != 200 {
            return Err(format!("{} to {message}", response.status()));
        }
        let open = Some(Reading::after(0, response.into_body()));
        let (end, number) = (None, None);
        session.posts.push(Post { calls, said, end, number, seen: 0, open, is_gone: false });
        let is_old = |post: &Post| post.end.is_some();
        if session.posts.len() > KEPT
            && let Some(old) = session.posts.iter().position(is_old)
        {
            session.posts.remove(old);
        }
        Ok(())
    }

    pub(super) fn command(&mut self, at: usize, note: &mut impl FnMut(&str)) -> Result<(), String> {
        let Some((post, call)) = self.running(at) else { return Ok(()) };
        let (text, what) = (self.text(), self.dice.roll(8));
        let Session { version, posts, .. } = &mut self.sessions[at];
        let post = &mut posts[post];
        let call = &mut post.calls[call];
        match what {
            0 | 1 => {
                note(&format!("call {} ends with {text}", call.id));
                call.tell(Command::End(text.clone()))?;
                call.state = State::Ended(text);
                post.settle();
            }
            // Elicitation is as old as this.
            2 | 3 if *version >= "2025-06-18" => {
                note(&format!("call {} asks {text}", call.id));
                call.tell(Command::Ask(text.clone()))?;
                post.said.push(format!("? {text}"));
                call.state = State::Asks(text);
            }
            _ => {
                note(&format!("call {} says {text}", call.id));
                call.tell(Command::Say(text.clone()))?;
                post.said.push(text);
            }
        }
        Ok(())
    }

    pub(super) async fn cancel(
        &mut self,
        at: usize,
        note: &mut impl FnMut(&str),
    ) -> Result<(), String> {
        let Some(post) = self.post(at) else { return Ok(()) };
        let count = self.sessions[at].posts[post].calls.len();
        let call = self.dice.roll(count);
        let id = self.sessions[at].posts[post].calls[call].id;
        note(&format!("call {id} is cancelled"));
        let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": id}});
        let session = &mut self.sessions[at];
        session.expect(&self.service, &message, 202).await?;
        let post = &mut session.posts[post];
        let call = &mut post.calls[call];
        // One that has ended stays as it is.
        if !call.is_over() {
            if matches!(call.state, State::Asks(_)) {
                // The question is withdrawn.
                post.said.push("notifications/cancelled".to_owned());
            }
            call.state = State::Cancelled;
            post.settle();
        }
        Ok(())
    }

    /// Answers a question that a client has read, sometimes again.
    pub(super) async fn answer(
        &mut self,
        at: usize,
        note: &mut impl FnMut(&str),
    ) -> Result<(), String> {
        let Some(post) = self.post(at) else { return Ok(()) };
        let session = &mut self.sessions[at];
        let call = &mut session.posts[post].calls[0];
        let Some((question, id)) = call.question.clone() else { return Ok(()) };
        note(&format!("call {} is answered", call.id));
        let answer = json!({"jsonrpc": "2.0", "id": id,
            "result": {"action": "accept", "content": {"confirm": true}}});
        session.expect(&self.service, &answer, 202).await?;
        let post = &mut session.posts[post];
        // Another one may have been asked meanwhile.
        if post.calls[0].state == State::Asks(question.clone()) {
            post.said.push(format!("{question}: true"));
            post.calls[0].state = State::Runs;
        }
        Ok(())
    }

    pub(super) fn cut(&mut self, at: usize, note: &mut impl FnMut(&str)) {
        let Some(post) = self.post(at) else { return };
        note(&format!("request {post} is cut"));
        self.sessions[at].posts[post].open = None;
    }

    pub(super) async fn resume(
        &mut self,
        at: usize,
        note: &mut impl FnMut(&str),
    ) -> Result<(), String> {
        let Some(post) = self.post(at) else { return Ok(()) };
        let seen = self.sessions[at].posts[post].seen;
        let after = self.dice.roll(seen as usize + 1) as u64;
        let session = &mut self.sessions[at];
        let Some(number) = session.posts[post].number else { return Ok(()) };
        note(&format!("request {post} is resumed after {number}-{after}"));
        let response = session.get(&self.service, Some(&format!("{number}-{after}"))).await;
        if response.status() != 200 {
            return Err(format!("{} to a resumption", response.status()));
        }
        let post = &mut session.posts[post];
        let reading = Reading::after(after, response.into_body());
        // What nobody reads any more makes room for other streams.
        if reading.is_unknown() && (post.is_gone || (self.is_tight && post.is_past())) {
            return Ok(());
        }
        if reading.is_unknown() || post.is_gone {
            return Err(format!("a stream that is gone: {}", post.is_gone));
        }
        match post.open.replace(reading) {
            Some(old) => old.ends().then_some(()).ok_or("the reader before goes on".to_owned()),
            None => Ok(()),
        }
    }
}
