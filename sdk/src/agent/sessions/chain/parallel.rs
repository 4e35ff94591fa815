//! Puts back the calls and results of tools that ran at the same time.
//!
//! The CLI writes an entry for each block of an answer, each after the one before. The result of a
//! call follows its own call's entry, so with several calls the way forks, and the conversation
//! goes on from one result only.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::index::Index;
use super::link::{Kind, Link};
use super::names::Name;

/// The chain with what belongs to its answers: behind the last entry of an answer on the chain come
/// the answer's other entries, then the results of its calls.
pub(super) fn recover(links: &[Link], index: &Index, walked: Vec<usize>) -> Vec<usize> {
    let on_chain: HashSet<_> = walked.iter().copied().collect();
    let answers = Answers::of(links, index);
    let mut anchors = HashMap::new();
    for at in &walked {
        anchors.extend(links[*at].answer.map(|answer| (answer, *at)));
    }
    let (answered, places) = (OnceCell::new(), OnceCell::new());
    let walk = &*walked;
    let mut lookup = Lookup { links, index, answers: &answers, walk, on_chain, answered, places };
    let mut inserts = HashMap::new();
    let mut done = HashSet::new();
    for answer in walked.iter().filter_map(|at| links[*at].answer) {
        if done.insert(answer) {
            let missing = lookup.missing(answer);
            lookup.on_chain.extend(&missing);
            inserts.insert(anchors[&answer], missing);
        }
    }
    let with_inserts = |at: &usize| {
        let behind = inserts.get(at).cloned().unwrap_or_default();
        [*at].into_iter().chain(behind)
    };
    walked.iter().flat_map(with_inserts).collect()
}

/// What belongs together in a transcript.
#[derive(Default)]
struct Answers {
    /// The entries of each answer.
    parts: HashMap<Name, Vec<usize>>,
    /// The entry that has each call. A call of two answers belongs to none.
    callers: HashMap<Name, Option<usize>>,
    /// The results that may belong to an entry.
    results: HashMap<usize, Vec<usize>>,
}

impl Answers {
    fn of(links: &[Link], index: &Index) -> Self {
        let mut answers = Self::default();
        let mut results = Vec::new();
        for at in index.all() {
            let link = &links[at];
            if let Some(answer) = link.answer {
                answers.parts.entry(answer).or_default().push(at);
                for call in &link.calls {
                    let caller = answers.callers.entry(*call).or_insert(Some(at));
                    let is_same = caller.is_some_and(|caller| links[caller].answer == Some(answer));
                    *caller = is_same.then_some(at);
                }
            } else if link.kind == Kind::User && link.has_result && link.parent.is_some() {
                results.push(at);
            }
        }
        for at in results {
            answers.place(links, index, at);
        }
        answers
    }

    /// Notes a result with its parent, and with the entries whose calls it answers if the same
    /// agent has written them.
    fn place(&mut self, links: &[Link], index: &Index, at: usize) {
        let link = &links[at];
        let callers = link.results.iter().filter_map(|call| self.callers.get(call).copied()?);
        let named = link.source.and_then(|source| index.get(source)).into_iter().chain(callers);
        let named = named.filter(|caller| link.has_writer_of(&links[*caller]));
        let parent = link.parent.and_then(|parent| index.get(parent));
        for caller in parent.into_iter().chain(named).collect::<Vec<_>>() {
            self.results.entry(caller).or_default().push(at);
        }
    }
}

struct Lookup<'a> {
    links: &'a [Link],
    index: &'a Index,
    answers: &'a Answers,
    walk: &'a [usize],
    /// The entries that have their place.
    on_chain: HashSet<usize>,
    /// The calls that have a result on the walk. Few transcripts need it, nor the next.
    answered: OnceCell<HashSet<Name>>,
    /// Where each entry stands in the transcript.
    places: OnceCell<HashMap<usize, usize>>,
}

impl Lookup<'_> {
    /// The entries of an answer and the results of its calls that have no place yet.
    fn missing(&self, answer: Name) -> Vec<usize> {
        let parts = self.answers.parts.get(&answer).map(Vec::as_slice).unwrap_or_default();
        let all: HashSet<_> = parts.iter().copied().collect();
        let is_new = |at: &usize| !self.on_chain.contains(at);
        let mut missing: Vec<_> = parts.iter().copied().filter(is_new).collect();
        let mut collected = HashSet::new();
        let results = parts.iter().filter_map(|part| self.answers.results.get(part)).flatten();
        let results = results.copied().filter(|at| is_new(at) && collected.insert(*at));
        let (mut own, strays): (Vec<_>, Vec<_>) =
            results.partition(|at| self.parent(*at).is_some_and(|parent| all.contains(&parent)));
        self.add_strays(&mut own, strays, &all);
        // Both sorts keep the order of those of the same time.
        missing.sort_by_key(|at| &self.link(*at).timestamp);
        own.sort_by_key(|at| &self.link(*at).timestamp);
        missing.extend(own);
        missing
    }

    /// Adds those results of other parents that answer a call to which there is no result yet.
    fn add_strays(&self, own: &mut Vec<usize>, mut strays: Vec<usize>, parts: &HashSet<usize>) {
        if strays.is_empty() {
            return;
        }
        let results = |at: &usize| self.link(*at).results.iter().copied();
        let on_walk = self.answered.get_or_init(|| self.walk.iter().flat_map(results).collect());
        let places = || self.index.all().enumerate().map(|(place, at)| (at, place)).collect();
        let places = self.places.get_or_init(places);
        let mut answered: HashSet<_> = own.iter().flat_map(results).collect();
        strays.sort_by_key(|at| places[at]);
        for at in strays {
            let is_open = |call: &Name| {
                let caller = self.answers.callers.get(call).copied().flatten();
                let is_of_this = caller.is_some_and(|caller| parts.contains(&caller));
                is_of_this && !on_walk.contains(call) && !answered.contains(call)
            };
            if self.link(at).results.iter().any(is_open) {
                answered.extend(results(&at));
                own.push(at);
            }
        }
    }

    fn parent(&self, at: usize) -> Option<usize> {
        self.link(at).parent.and_then(|parent| self.index.get(parent))
    }

    fn link(&self, at: usize) -> &Link {
        &self.links[at]
    }
}
