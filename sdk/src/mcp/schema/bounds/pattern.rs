//! The regular expressions of `pattern`.
//!
//! The time of a match is the length of the text times the length of the expression: all places of
//! the expression that the text can have reached move on together, and nothing is tried again.

mod set;
mod parse;

use super::super::portable::portable;
use parse::{Assertion, Piece};
use set::Set;

/// A regular expression as in ECMA-262, without what needs a look around or back.
#[derive(Debug, Clone)]
pub(super) struct Pattern(Vec<Step>);

#[derive(Debug, Clone)]
enum Step {
    One(Set),
    Assert(Assertion),
    Either(usize, usize),
    Jump(usize),
    End,
}

/// The most pieces of a program. Counted repetitions are written out.
const LONGEST: usize = 10_000;

impl Pattern {
    /// `None` for an expression that is wrong, too long, or beyond what this matcher knows. One
    /// with needless escapes is what clients see of it.
    pub(super) fn of(text: &str) -> Option<Self> {
        let expression = parse::parse(&portable(text)).filter(|it| !it.is_beyond)?;
        let mut steps = Vec::new();
        let mut left = LONGEST;
        write(&expression.piece, &mut steps, &mut left)?;
        steps.push(Step::End);
        Some(Self(steps))
    }

    /// False for an expression that JavaScript does not compile with the flag `u`, as validators
    /// of JSON Schema do it.
    pub(super) fn is_one(text: &str) -> bool {
        let is_nested = text.matches('(').count() > parse::DEEPEST;
        is_nested || parse::parse(text).is_some()
    }

    /// False for an expression that is plainly wrong: something in it is left open, or nothing is
    /// repeated.
    pub(super) fn may_be_one(text: &str) -> bool {
        let (mut groups, mut is_in_class) = (0_usize, false);
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            match char {
                '\\' if chars.next().is_none() => return false,
                '[' => is_in_class = true,
                ']' => is_in_class = false,
                '(' if !is_in_class => groups += 1,
                ')' if !is_in_class => match groups.checked_sub(1) {
                    Some(left) => groups = left,
                    None => return false,
                },
                _ => {}
            }
        }
        groups == 0 && !is_in_class && !text.starts_with(['*', '+', '?'])
    }

    /// True if it matches somewhere in the text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut reached = Reached { at: vec![0; self.0.len()], round: 0, open: Vec::new() };
        let mut places = Vec::new();
        let mut chars = text.chars();
        let mut before = None;
        loop {
            let after = chars.clone().next();
            // A match may begin anywhere.
            reached.open.push(0);
            reached.round += 1;
            if self.follow(&mut reached, &mut places, before, after) {
                return true;
            }
            let Some(next) = chars.next() else { return false };
            while let Some(place) = places.pop() {
                if let Step::One(set) = &self.0[place]
                    && set.has(next)
                {
                    reached.open.push(place + 1);
                }
            }
            before = Some(next);
        }
    }

    /// Follows everything that takes no character. Returns true at the end of the program.
    fn follow(
        &self,
        reached: &mut Reached,
        places: &mut Vec<usize>,
        before: Option<char>,
        after: Option<char>,
    ) -> bool {
        while let Some(place) = reached.open.pop() {
            if std::mem::replace(&mut reached.at[place], reached.round) == reached.round {
                continue;
            }
            match &self.0[place] {
                Step::One(_) => places.push(place),
                Step::Assert(assertion) if assertion.holds(before, after) => {
                    reached.open.push(place + 1);
                }
                Step::Assert(_) => {}
                Step::Either(one, other) => reached.open.extend([*one, *other]),
                Step::Jump(to) => reached.open.push(*to),
                Step::End => return true,
            }
        }
        false
    }
}

/// The steps that were reached, each marked with the round in which it was.
struct Reached {
    at: Vec<usize>,
    round: usize,
    open: Vec<usize>,
}

/// Writes the steps of a piece. `left` is how many pieces may still be written.
fn write(piece: &Piece, steps: &mut Vec<Step>, left: &mut usize) -> Option<()> {
    *left = left.checked_sub(1)?;
    match piece {
        Piece::One(set) => steps.push(Step::One(set.clone())),
        Piece::Assert(assertion) => steps.push(Step::Assert(*assertion)),
        Piece::All(pieces) => {
            for piece in pieces {
                write(piece, steps, left)?;
            }
        }
        Piece::Either(branches) => {
            let Some((last, branches)) = branches.split_last() else { return Some(()) };
            let mut jumps = Vec::new();
            for branch in branches {
                let fork = hole(steps);
                write(branch, steps, left)?;
                jumps.push(hole(steps));
                steps[fork] = Step::Either(fork + 1, steps.len());
            }
            write(last, steps, left)?;
            for jump in jumps {
                steps[jump] = Step::Jump(steps.len());
            }
        }
        Piece::Repeat { piece, least, most } => {
            for _ in 0..*least {
                write(piece, steps, left)?;
            }
            let mut forks = Vec::new();
            for _ in *least..most.unwrap_or(least.saturating_add(1)) {
                forks.push(hole(steps));
                write(piece, steps, left)?;
            }
            if let (None, [fork]) = (most, forks.as_slice()) {
                steps.push(Step::Jump(*fork));
            }
            for fork in forks {
                steps[fork] = Step::Either(fork + 1, steps.len());
            }
        }
    }
    Some(())
}

/// A place for a step that is written later.
fn hole(steps: &mut Vec<Step>) -> usize {
    steps.push(Step::End);
    steps.len() - 1
}

#[cfg(test)]
mod tests;
