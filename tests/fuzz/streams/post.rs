//! A request with calls: what its stream must say, and what its client has read.

use hyper::body::Body as _;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use toolwright::http::Body;

use super::desk::Command;
use super::events::{Event, read, words};

pub(super) struct Post {
    pub(super) calls: Vec<Call>,
    /// What each event says, by its position from 1 on.
    pub(super) said: Vec<String>,
    /// Nothing more will come, and whether there was an answer.
    pub(super) end: Option<bool>,
    /// Its number in the ids of events, once its client knows one.
    pub(super) number: Option<u64>,
    /// The last event that the client has read.
    pub(super) seen: u64,
    pub(super) open: Option<Reading>,
    /// The server has forgotten it, as its time is over.
    pub(super) is_gone: bool,
}

pub(super) struct Call {
    pub(super) id: u64,
    pub(super) commands: UnboundedSender<Command>,
    pub(super) state: State,
    /// The last question that the client has read, with its id.
    pub(super) question: Option<(String, Value)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    Runs,
    Asks(String),
    Ended(String),
    Cancelled,
}

pub(super) struct Reading {
    body: Body,
    position: u64,
    /// The server has given all of it, and knows no reader.
    is_whole: bool,
}

impl Reading {
    pub(super) fn after(position: u64, body: Body) -> Self {
        let is_whole = body.size_hint().exact().is_some();
        Self { body, position, is_whole }
    }

    /// The server knows nothing of such a stream.
    pub(super) fn is_unknown(&self) -> bool {
        self.body.is_end_stream()
    }

    /// What is left of it comes to nothing, as another client reads the stream now.
    pub(super) fn ends(mut self) -> bool {
        read(&mut self.body).1
    }
}

impl Call {
    pub(super) fn tell(&self, command: Command) -> Result<(), String> {
        self.commands.send(command).map_err(|_| format!("call {} has gone", self.id))
    }

    /// It has ended or was cancelled.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state, State::Ended(_) | State::Cancelled)
    }
}

impl Post {
    /// One of its calls has ended or was cancelled; with the last of them comes the answer.
    pub(super) fn settle(&mut self) {
        if !self.calls.iter().all(Call::is_over) {
            return;
        }
        let ended = self.calls.iter().filter_map(|call| match &call.state {
            State::Ended(text) => Some(text.clone()),
            _ => None,
        });
        let mut ended: Vec<_> = ended.collect();
        ended.sort();
        self.end = Some(!ended.is_empty());
        if !ended.is_empty() {
            self.said.push(format!("= {}", ended.join(", ")));
        }
    }

    /// It is over, and the server knows no reader.
    pub(super) fn is_past(&self) -> bool {
        self.end.is_some() && self.open.as_ref().is_none_or(|reading| reading.is_whole)
    }

    /// Reads what has come, which must be all that was said. With `may_skip` the oldest events may
    /// be lost.
    pub(super) fn read(&mut self, may_skip: bool) -> Result<(), String> {
        let Some(mut reading) = self.open.take() else { return Ok(()) };
        let (events, has_ended) = read(&mut reading.body);
        for event in events {
            self.hear(&mut reading, event, may_skip)?;
        }
        let (position, said) = (reading.position, self.said.len() as u64);
        if has_ended != self.end.is_some() {
            return Err(format!("ended: {has_ended}, but {:?} at {position}", self.end));
        }
        // The newest event is never dropped.
        if position != said {
            let calls: Vec<_> = self.calls.iter().map(|call| (call.id, &call.state)).collect();
            return Err(format!(
                "event {position} was the last, of {:?}; calls {calls:?}",
                self.said
            ));
        }
        self.open = (!has_ended).then_some(reading);
        Ok(())
    }

    fn hear(&mut self, reading: &mut Reading, event: Event, may_skip: bool) -> Result<(), String> {
        let (stream, position) = event.id.ok_or("an event without an id")?;
        if *self.number.get_or_insert(stream) != stream {
            return Err(format!("event {stream}-{position} is of another stream"));
        }
        let Some(message) = event.message else {
            let is_first = position == 0 && reading.position == 0;
            return is_first.then_some(()).ok_or("an event without a message".to_owned());
        };
        let next = reading.position + 1;
        if position < next || (position > next && !may_skip) {
            return Err(format!("event {position} comes where {next} should"));
        }
        reading.position = position;
        self.seen = self.seen.max(position);
        let (said, wanted) = (words(&message), self.said.get(position as usize - 1));
        if wanted != Some(&said) {
            return Err(format!("event {position} says {said:?}, not {wanted:?}"));
        }
        for call in &mut self.calls {
            if let State::Asks(text) = &call.state
                && said == format!("? {text}")
            {
                call.question = Some((text.clone(), message["id"].clone()));
            }
        }
        Ok(())
    }

    /// Reads what is left of it after the end of its session.
    pub(super) fn close(&mut self) -> Result<(), String> {
        let Some(mut reading) = self.open.take() else { return Ok(()) };
        let (events, has_ended) = read(&mut reading.body);
        let known = self.said.len() as u64;
        let is_new = |event: &&Event| event.id.is_some_and(|(_, position)| position > known);
        let said = events.iter().filter(is_new).filter_map(|event| event.message.as_ref());
        let mut said: Vec<_> = said.map(words).collect();
        // A question is withdrawn, and a call is answered with an error.
        said.retain(|words| words != "notifications/cancelled");
        if !has_ended || said.len() > 1 || !said.iter().all(|words| words.starts_with("! ")) {
            return Err(format!("a session ends with {said:?}: {has_ended}"));
        }
        Ok(())
    }
}
