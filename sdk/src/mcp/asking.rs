//! How a call asks its client, in each revision.

use std::future::poll_fn;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::task::Poll;

use tokio::sync::oneshot;

use super::context::{Context, Reach};
use super::link::{Answered, AskError, Speech, Words};
use super::protocol::{Capability, ErrorObject, Profile, Revision};
use super::recorded::Recorder;
use super::rounds::{Log, Look, Question};
use super::words::{split_last, without_position};

/// A question to the client.
pub(crate) struct Inquiry<'a> {
    pub(crate) needs: Capability,
    pub(crate) method: &'static str,
    /// Distinguishes it from the other questions of the call, in each round.
    pub(crate) key: Option<&'a str>,
    /// Writes the members of its parameters as JSON text. If the last answer did not fit, it gets
    /// the problem.
    pub(crate) params: &'a (dyn Fn(Option<&str>) -> String + Send + Sync),
}

/// Why an answer cannot be used.
pub(crate) enum Misread {
    /// It is no answer to a question of this kind.
    IllTyped(String),
    /// It does not fit the form that was asked for. The client may try once more.
    Misfit(String),
}

/// Answers in a task have numbers from here on, those before it the numbers of their rounds.
const TASK: u32 = 100;

/// Reads the JSON text of an answer.
pub(crate) type Read<'a, T> = &'a (dyn Fn(&str) -> Result<T, Misread> + Send + Sync);

/// How a call asks its client.
enum Way<'a> {
    /// A unit test answers.
    Recorded(&'a Recorder),
    /// By requests, until 2025-11-25.
    Requests,
    /// By results that ask, since 2026-07-28.
    Rounds,
}

impl Context {
    /// Asks the client. An answer that does not fit is asked for once more.
    pub(crate) async fn inquire<T>(
        &self,
        inquiry: &Inquiry<'_>,
        read: Read<'_, T>,
    ) -> Result<T, AskError> {
        match self.way(inquiry.needs)? {
            Way::Recorded(recorder) => self.inquire_twice(Some(recorder), inquiry, read).await,
            Way::Requests => self.inquire_twice(None, inquiry, read).await,
            Way::Rounds => self.inquire_by_result(inquiry, read).await,
        }
    }

    /// Ends this round; the client begins the next one. In the legacy era there are no rounds.
    pub(crate) async fn come_back(&self) -> Result<(), AskError> {
        let talk = &self.call.talk;
        if self.has_rounds() && self.call.reach == Reach::Plain {
            return Err(AskError::NeedsAsync);
        }
        if self.has_rounds() && !talk.is_task() {
            let log = self.log_of_rounds();
            let key = talk.next_key(&log, "round", 0);
            if talk.has_come_back(&log, &key, 0) {
                return Ok(());
            }
            let question = Question { key, digest: 0, method: "", params: None };
            self.wait(question).await?;
        }
        // Where there are no rounds, in a task too, a loop that waits for something lets others
        // run.
        let mut has_yielded = false;
        poll_fn(|cx| {
            cx.waker().wake_by_ref();
            match std::mem::replace(&mut has_yielded, true) {
                true => Poll::Ready(Ok(())),
                false => Poll::Pending,
            }
        })
        .await
    }

    /// The key of a question without one, which is the same in each round.
    pub(crate) fn key_of(&self, method: &str, params: &str) -> String {
        self.call.talk.next_key(&self.log_of_rounds(), method, digest(method, params))
    }

    /// What is settled over the rounds of the call.
    pub(crate) fn log_of_rounds(&self) -> Arc<Log> {
        self.call.talk.log(self.call.request)
    }

    /// True if the call can ask what needs this.
    #[inline]
    pub(crate) fn can_ask(&self, needs: Capability) -> bool {
        match &self.call.recorder {
            Some(recorder) => recorder.answering().is_some(),
            None => self.call.reach == Reach::Client && self.declares(needs),
        }
    }

    #[inline]
    fn way(&self, needs: Capability) -> Result<Way<'_>, AskError> {
        let (revision, recorder) = (self.call.call.as_ref(), &self.call.recorder);
        match (revision.map(|(_, revision)| revision.profile()), recorder) {
            (_, Some(recorder)) => Ok(Way::Recorded(recorder)),
            (None, None) => Err(AskError::Unsupported),
            (Some(_), None) if self.call.reach == Reach::Plain => Err(AskError::NeedsAsync),
            (Some(_), None) if !self.can_ask(needs) => {
                self.call.talk.lack(needs);
                Err(AskError::Unsupported)
            }
            (Some(profile), None) if profile.has_rounds => Ok(Way::Rounds),
            (Some(_), None) => Ok(Way::Requests),
        }
    }

    /// Asks until an answer fits, at most twice. A test answers in place of the client.
    async fn inquire_twice<T>(
        &self,
        test: Option<&Recorder>,
        inquiry: &Inquiry<'_>,
        read: Read<'_, T>,
    ) -> Result<T, AskError> {
        let mut problem = None;
        loop {
            let params = (inquiry.params)(problem.as_deref());
            let mut write = |out: &mut Vec<u8>| out.extend_from_slice(params.as_bytes());
            let answer = match test {
                Some(recorder) => recorder.answer(inquiry.method, &params)?.into(),
                None => self.ask(inquiry.method, &mut write).await?,
            };
            match (read(&answer), problem) {
                (Ok(read), _) => return Ok(read),
                (Err(Misread::Misfit(misfit)), None) => problem = Some(misfit),
                (Err(misread), _) => return Err(misread.into()),
            }
        }
    }

    async fn inquire_by_result<T>(
        &self,
        inquiry: &Inquiry<'_>,
        read: Read<'_, T>,
    ) -> Result<T, AskError> {
        let (talk, log) = (&self.call.talk, self.log_of_rounds());
        let Inquiry { method, params, .. } = *inquiry;
        let asked = params(None);
        let digest = digest(method, &asked);
        let key = match inquiry.key {
            Some(key) => key.to_owned(),
            None => talk.next_key(&log, method, digest),
        };
        match talk.look(&log, &key, digest) {
            Look::Settled(answer) => return read(&answer).map_err(AskError::from),
            Look::Given(answer, round) => match read(&answer) {
                Ok(read) => {
                    log.settle(&key, digest, &answer);
                    return Ok(read);
                }
                Err(Misread::Misfit(problem)) => log.misfit(&key, digest, round, problem),
                Err(Misread::IllTyped(problem)) => {
                    let message = format!("the answer `{key}` in `inputResponses`: {problem}");
                    // An earlier request that has brought the answer is over.
                    let is_new = round == talk.round();
                    if is_new && talk.fail(ErrorObject::invalid_params(message)) {
                        // The run that the error ends may not be what waits here.
                        let question = Question { key, digest, method, params: None };
                        return self.wait(question).await.and(Err(AskError::Closed));
                    }
                    log.misfit(&key, digest, round, problem);
                }
            },
            Look::Unknown => {}
        }
        let mut number = TASK;
        loop {
            let params = match &*log.misfits(&key, digest) {
                [] => asked.clone(),
                [problem] => params(Some(problem)),
                [.., problem] => return Err(AskError::Invalid(problem.clone())),
            };
            let question = Question { key: key.clone(), digest, method, params: Some(params) };
            let answer = self.wait(question).await?;
            match read(&answer) {
                Ok(read) => {
                    log.settle(&key, digest, &answer);
                    return Ok(read);
                }
                // Whoever has answered has gone on, so there is no request to refuse.
                Err(Misread::Misfit(problem) | Misread::IllTyped(problem)) => {
                    log.misfit(&key, digest, number, problem);
                    number += 1;
                }
            }
        }
    }

    /// Waits for the end of the round, which ends with this question unless the caller drops it; in
    /// a task for the answer.
    async fn wait(&self, question: Question) -> Result<Box<str>, AskError> {
        let talk = &self.call.talk;
        let number = talk.open(question)?;
        let _open = Open { context: self, number };
        let answer = poll_fn(|cx| talk.poll_answer(number, cx.waker())).await?;
        Ok(answer.unwrap_or_default())
    }

    /// Sends a request to the client and waits for the JSON text of its result. The request is
    /// withdrawn when the call ends or the future is dropped.
    pub(crate) async fn ask(
        &self,
        method: &'static str,
        params: &mut (dyn FnMut(&mut Vec<u8>) + Send),
    ) -> Answered {
        let Some((call, _)) = &self.call.call else { return Err(AskError::Unsupported) };
        if self.call.reach != Reach::Client || self.has_rounds() {
            return Err(AskError::Unsupported);
        }
        let link = self.link().ok_or(AskError::Closed)?;
        let (answer, answered) = oneshot::channel();
        let mut id = None;
        link.speak(Speech(Words::Ask { call, method, params, answer, id: &mut id }));
        drop(link);
        let _withdrawal = id.map(|id| Withdrawal { context: self, id });
        answered.await.unwrap_or(Err(AskError::Closed))
    }

    /// The profile of the call's revision; that of the latest one without a client.
    #[inline]
    pub(crate) fn profile(&self) -> &'static Profile {
        self.call.call.as_ref().map_or(Revision::LATEST, |(_, revision)| *revision).profile()
    }

    /// True if the client declares a capability that the call's revision has.
    #[inline]
    fn declares(&self, capability: Capability) -> bool {
        let Some((_, revision)) = &self.call.call else { return false };
        let by_handshake = &self.call.connection.capabilities;
        let capabilities = self.told(by_handshake, |meta| meta.client_capabilities);
        capabilities.is_some_and(|text| capability.is_in(text, revision.profile()))
    }
}

/// Withdraws a question whose answer is no longer needed.
struct Withdrawal<'a> {
    context: &'a Context,
    id: u64,
}

impl Drop for Withdrawal<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(link) = self.context.link() {
            link.speak(Speech(Words::Withdraw { id: self.id }));
        }
    }
}

/// Takes back a question whose future is dropped before the round ends, or before its answer comes.
struct Open<'a> {
    context: &'a Context,
    number: u64,
}

impl Drop for Open<'_> {
    #[inline]
    fn drop(&mut self) {
        self.context.call.talk.take_back(self.number);
    }
}

impl From<serde_json::Error> for Misread {
    #[inline]
    fn from(error: serde_json::Error) -> Self {
        // The model may read it, to which neither a type of ours nor a position says anything.
        let message = error.to_string();
        let message = without_position(&message);
        Self::IllTyped(match split_last(message, ", expected struct ") {
            Some((found, _)) => format!("{found}, expected an object"),
            None => message.to_owned(),
        })
    }
}

impl From<Misread> for AskError {
    fn from(misread: Misread) -> Self {
        match misread {
            Misread::IllTyped(problem) | Misread::Misfit(problem) => Self::Invalid(problem),
        }
    }
}

#[inline]
fn digest(method: &str, params: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (method, params).hash(&mut hasher);
    hasher.finish()
}
