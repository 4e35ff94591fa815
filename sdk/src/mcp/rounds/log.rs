//! What is settled over the rounds of one call: answers, and the results of effects.

#[cfg(feature = "sealed-state")]
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(feature = "sealed-state")]
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex as AsyncMutex;

use crate::mcp::places::{ByName, Places};

/// How many rounds a call may have. Claude gives up after ten.
const ROUNDS: u32 = 8;

/// How many answers to a question may not fit.
const MISFITS: usize = 2;

/// All rounds of a call share it, so that a round which is played twice, as its result was lost,
/// finds the same answers and effects.
pub(crate) struct Log {
    /// The fingerprint of the request: its method, what it names, its arguments and its sender.
    pub(crate) request: u64,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    rounds: u32,
    questions: ByName<Asked>,
    effects: ByName<Arc<Effect>>,
}

/// A log as it is written.
#[cfg(feature = "sealed-state")]
#[derive(Serialize, Deserialize)]
struct Written {
    request: u64,
    rounds: u32,
    questions: BTreeMap<Box<str>, Asked>,
    effects: BTreeMap<Box<str>, Box<str>>,
}

/// The JSON text of an effect's result, once there is one. It is locked while the effect happens.
pub(crate) type Effect = AsyncMutex<Option<Box<str>>>;

/// A question that a round has ended with.
#[derive(Clone)]
#[cfg_attr(feature = "sealed-state", derive(Serialize, Deserialize))]
struct Asked {
    /// Of its method and parameters: the answer to one question is none to another.
    digest: u64,
    answer: Option<Box<str>>,
    /// The round that has brought the answer, if no run has read it yet.
    #[cfg_attr(feature = "sealed-state", serde(skip_serializing_if = "Option::is_none"))]
    unread: Option<u32>,
    /// The problems of answers that did not fit, and the rounds of the answers.
    misfits: Vec<(u32, String)>,
}

impl Log {
    pub(crate) fn new(request: u64) -> Self {
        Self { request, entries: Mutex::default() }
    }

    /// The key of a question without one, among those that its run has not `used`: the one that it
    /// had in an earlier round, or else the first that no question has had. What is settled returns
    /// at once, so that branches of a function may ask in another order in each round.
    pub(super) fn key(&self, noun: &str, digest: u64, used: &Places<'_>) -> String {
        let entries = self.lock();
        let is_numbered = |key: &str| {
            let parts = key.rsplit_once('-');
            parts.is_some_and(|(of, number)| of == noun && number.parse::<u64>().is_ok())
        };
        let had = entries.questions.iter().filter(|(_, asked)| asked.digest == digest);
        let had = had.map(|(key, _)| key).filter(|key| is_numbered(key) && !used.has(key));
        // Of equal questions they are in the order of their numbers.
        if let Some(key) = had.min_by_key(|key| (key.len(), *key)) {
            return key.to_owned();
        }
        let is_free = |key: &String| !used.has(key) && entries.questions.get(key).is_none();
        (1_u64..).map(|number| format!("{noun}-{number}")).find(is_free).unwrap_or_default()
    }

    /// The answer to a question from an earlier round, and which round, if no run has read it yet.
    #[inline]
    pub(crate) fn answer(&self, key: &str, digest: u64) -> Option<(Box<str>, Option<u32>)> {
        let entries = self.lock();
        let asked = entries.asked(key, digest)?;
        asked.answer.clone().map(|answer| (answer, asked.unread))
    }

    /// True if a round has ended with this question.
    pub(super) fn has_asked(&self, key: &str, digest: u64) -> bool {
        self.lock().asked(key, digest).is_some()
    }

    /// Keeps an answer for the rounds that follow.
    #[inline]
    pub(crate) fn settle(&self, key: &str, digest: u64, answer: &str) {
        let mut entries = self.lock();
        let asked = entries.entry(key, digest);
        (asked.answer, asked.unread) = (Some(answer.into()), None);
    }

    /// Keeps the answers that a round has brought to questions that its run has not come to: the
    /// client does not send them again.
    pub(crate) fn keep_unread(&self, round: u32, answers: &ByName<Box<str>>) {
        let mut entries = self.lock();
        for (key, answer) in answers.iter() {
            let Some(asked) = entries.questions.get_mut(key) else { continue };
            if asked.answer.is_none() && asked.misfits.iter().all(|(of, _)| *of != round) {
                (asked.answer, asked.unread) = (Some(answer.clone()), Some(round));
            }
        }
    }

    /// Notes why an answer does not fit. A round that is repeated counts once.
    #[inline]
    pub(crate) fn misfit(&self, key: &str, digest: u64, round: u32, problem: String) {
        let mut entries = self.lock();
        let asked = entries.entry(key, digest);
        if asked.unread.take().is_some() {
            asked.answer = None;
        }
        let misfits = &mut asked.misfits;
        misfits.retain(|(of, _)| *of != round);
        if misfits.len() < MISFITS {
            misfits.push((round, problem));
        }
    }

    /// Why the answers so far did not fit.
    #[inline]
    pub(crate) fn misfits(&self, key: &str, digest: u64) -> Vec<String> {
        let entries = self.lock();
        let misfits = entries.asked(key, digest).map(|asked| &asked.misfits);
        misfits.into_iter().flatten().map(|(_, problem)| problem.clone()).collect()
    }

    #[inline]
    pub(crate) fn effect(&self, key: &str) -> Arc<Effect> {
        self.lock().effects.entry(key, Arc::default).clone()
    }

    /// Ends the round after `last` with these questions and returns its number, or `None` if there
    /// were too many. A round may be played more than once.
    pub(crate) fn end_round<'a>(
        &self,
        last: u32,
        questions: impl Iterator<Item = (&'a str, u64)>,
    ) -> Option<u32> {
        let mut entries = self.lock();
        for (key, digest) in questions {
            entries.entry(key, digest);
        }
        let round = Some(last + 1).filter(|round| *round <= ROUNDS)?;
        entries.rounds = entries.rounds.max(round);
        Some(round)
    }

    /// How many rounds there were.
    pub(crate) fn rounds(&self) -> u32 {
        self.lock().rounds
    }

    /// Whether it has the answers and the results of another log.
    #[cfg(feature = "sealed-state")]
    pub(super) fn has_all_of(&self, other: &Self) -> bool {
        let (own, other) = (self.lock(), other.lock());
        let result = |effect: &Arc<Effect>| effect.try_lock().ok()?.clone();
        let has_answers = other.questions.iter().all(|(key, theirs)| {
            // A run may have read it since, and found that it does not fit.
            let is_misfit = |(round, _): &(u32, String)| theirs.unread == Some(*round);
            let has =
                |own: &Asked| own.answer == theirs.answer || own.misfits.iter().any(is_misfit);
            theirs.answer.is_none() || own.asked(key, theirs.digest).is_some_and(has)
        });
        let mut effects = other.effects.iter();
        let has_result = |(key, theirs)| own.effects.get(key).and_then(result) == result(theirs);
        has_answers && effects.all(has_result)
    }

    /// The log as JSON text. An effect that happens now is not in it.
    #[cfg(feature = "sealed-state")]
    pub(crate) fn write(&self) -> Option<String> {
        let entries = self.lock();
        let written = Written {
            request: self.request,
            rounds: entries.rounds,
            questions: entries.questions.iter().map(|(key, it)| (key.into(), it.clone())).collect(),
            effects: entries
                .effects
                .iter()
                .filter_map(|(key, effect)| Some((key.into(), effect.try_lock().ok()?.clone()?)))
                .collect(),
        };
        serde_json::to_string(&written).ok()
    }

    /// The log that was written so.
    #[cfg(feature = "sealed-state")]
    pub(crate) fn read(text: &str) -> Option<Self> {
        let Written { request, rounds, questions, effects } = serde_json::from_str(text).ok()?;
        let mut entries = Entries { rounds, ..Entries::default() };
        for (key, asked) in questions {
            entries.questions.set(key.into_string().into(), asked);
        }
        for (key, text) in effects {
            entries.effects.set(key.into_string().into(), Arc::new(Effect::new(Some(text))));
        }
        Some(Self { request, entries: Mutex::new(entries) })
    }

    /// The length of what it keeps, in bytes.
    pub(super) fn bytes(&self) -> usize {
        const ENTRY: usize = 128;
        let entries = self.lock();
        let mut bytes = ENTRY;
        for (key, Asked { answer, misfits, .. }) in entries.questions.iter() {
            bytes += ENTRY + key.len() + answer.as_deref().map_or(0, str::len);
            for (_, problem) in misfits {
                bytes += problem.len();
            }
        }
        for (key, effect) in entries.effects.iter() {
            let result = effect.try_lock();
            bytes += ENTRY + key.len();
            bytes += result.map_or(0, |result| result.as_deref().map_or(0, str::len));
        }
        bytes
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn asked(&self, key: &str, digest: u64) -> Option<&Asked> {
        self.questions.get(key).filter(|asked| asked.digest == digest)
    }

    /// The entry of a question. It replaces that of another question with the same key.
    fn entry(&mut self, key: &str, digest: u64) -> &mut Asked {
        let new = || Asked { digest, answer: None, unread: None, misfits: Vec::new() };
        let asked = self.questions.entry(key, new);
        if asked.digest != digest {
            *asked = new();
        }
        asked
    }
}
