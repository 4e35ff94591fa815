//! Lines of a client: valid ones, unusual ones, and damaged ones.

use super::parts::{
    ARGUMENTS, BAD_METHODS, CALLS, ESCAPED, IDS, JUNK, KEYS, METAS, METHODS, OTHERS, TOOLS,
    VERSIONS,
};
use super::shapes::{self, ANSWERS, ERRORS, MODERN, SHAPES};
use crate::damage::{damage, gap};
use crate::dice::Dice;

/// The generator.
pub(crate) struct Lines {
    dice: Dice,
    line: Vec<u8>,
    next: u64,
    is_wide: bool,
    /// The method of the request and the members of its params, unless each is random.
    shape: Option<(&'static str, &'static str)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Request,
    Notification,
    Cancel,
    Response,
}

impl Lines {
    pub(crate) fn new(seed: u64) -> Self {
        let (dice, line) = (Dice::new(seed), Vec::with_capacity(4096));
        Self { dice, line, next: 0, is_wide: false, shape: None }
    }

    pub(crate) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Makes the next line.
    pub(crate) fn advance(&mut self) {
        self.line.clear();
        self.is_wide = self.dice.one_in(4);
        if self.dice.one_in(100) {
            let junk = self.dice.pick(&JUNK);
            self.put(junk);
        } else {
            let kind = match self.dice.roll(20) {
                0 | 1 => Kind::Response,
                2 | 3 => Kind::Cancel,
                4 => Kind::Notification,
                _ => Kind::Request,
            };
            self.message(kind);
        }
        if self.dice.one_in(3) {
            damage(&mut self.dice, &mut self.line);
        }
    }

    fn message(&mut self, kind: Kind) {
        let is_shaped = kind == Kind::Request && self.dice.one_in(3);
        self.shape = is_shaped.then(|| self.dice.pick(&SHAPES));
        let mut keys = [0, 1, 2, 3, 4, 5];
        let mut count = 4;
        match kind {
            Kind::Request => {}
            Kind::Notification | Kind::Cancel => (keys, count) = ([0, 2, 3, 1, 4, 5], 3),
            Kind::Response => (keys, count) = ([0, 1, 4, 5, 2, 3], 2 + 1),
        }
        if self.dice.one_in(16) {
            // A member more, or one less.
            count = (count + self.dice.roll(3)).saturating_sub(1);
        }
        if self.dice.one_in(4) {
            let (a, b) = (self.dice.roll(count.max(1)), self.dice.roll(count.max(1)));
            keys.swap(a, b);
        }
        self.gap();
        self.put("{");
        for (at, key) in keys.into_iter().take(count).enumerate() {
            if at > 0 {
                self.put(",");
            }
            self.member(key, kind);
            if self.dice.one_in(40) {
                self.put(",");
                self.member(key, kind);
            }
            if self.dice.one_in(60) {
                self.put(",\"more\":{\"id\":9,\"a\":[{}]}");
            }
        }
        self.gap();
        self.put("}");
        self.gap();
    }

    fn member(&mut self, key: usize, kind: Kind) {
        self.gap();
        let name = if self.dice.one_in(50) { ESCAPED[key] } else { KEYS[key] };
        self.put(name);
        self.gap();
        self.put(":");
        self.gap();
        match (key, kind) {
            (0, _) if self.dice.one_in(50) => self.pick(&VERSIONS),
            (0, _) => self.put("\"2.0\""),
            (1, Kind::Response) if !self.dice.one_in(4) => self.put("\"@asked\""),
            (1, _) => self.id(),
            (2, _) if self.dice.one_in(50) => self.pick(&BAD_METHODS),
            (2, Kind::Cancel) => self.put("\"notifications/cancelled\""),
            (2, Kind::Notification) => self.put("\"notifications/initialized\""),
            (2, _) => match self.shape {
                Some((method, _)) => {
                    self.put("\"");
                    self.put(method);
                    self.put("\"");
                }
                None => self.pick(&METHODS),
            },
            (3, Kind::Cancel) => {
                let key = if self.dice.one_in(8) { "request\\u0049d" } else { "requestId" };
                self.put("{\"");
                self.put(key);
                self.put("\":");
                self.id();
                self.put("}");
            }
            (3, _) if self.dice.one_in(50) => self.pick(&JUNK),
            (3, _) => match self.shape {
                Some((_, params)) => self.shaped(params),
                None => self.params(),
            },
            _ if self.dice.one_in(8) => self.pick(&ARGUMENTS),
            (4, _) => self.pick(&ANSWERS),
            _ => self.pick(&ERRORS),
        }
        self.gap();
    }

    fn params(&mut self) {
        self.put("{");
        let mut comma = "";
        if !self.dice.one_in(8) {
            self.gap();
            self.pick(&CALLS);
            comma = ",";
        }
        let is_call = !comma.is_empty();
        for (chance, part) in [(1, 0), (1, 1), (3, 2), (10, 2), (12, 3), (40, 0), (40, 1)] {
            if is_call && chance < 8 || !self.dice.one_in(chance) {
                continue;
            }
            self.put(comma);
            comma = ",";
            self.gap();
            match part {
                0 => {
                    self.put("\"name\":");
                    self.gap();
                    self.pick(&TOOLS);
                }
                1 => {
                    self.put("\"arguments\":");
                    self.gap();
                    self.pick(&ARGUMENTS);
                }
                2 => {
                    self.put("\"_meta\":");
                    self.gap();
                    self.pick(&METAS);
                }
                _ => self.pick(&OTHERS),
            }
            self.gap();
        }
        self.put("}");
    }

    /// These params, of either era, and sometimes with the answers to the questions of a round.
    fn shaped(&mut self, params: &str) {
        self.put("{");
        self.put(params);
        let mut comma = if params.is_empty() { "" } else { "," };
        if self.dice.one_in(2) {
            self.put(comma);
            comma = ",";
            self.put("\"_meta\":{");
            self.put(MODERN);
            match self.dice.roll(8) {
                0 => self.put(",\"io.modelcontextprotocol/logLevel\":\"info\""),
                1 => self.put(",\"io.modelcontextprotocol/logLevel\":7,\"progressToken\":1"),
                2 => self.put(",\"progressToken\":\"p\""),
                _ => {}
            }
            self.put("}");
            if self.dice.one_in(2) {
                self.put(",\"inputResponses\":{\"");
                self.pick(&shapes::KEYS);
                self.put("\":");
                self.pick(&ANSWERS);
                self.put("}");
            }
            if self.dice.one_in(2) {
                self.put(",\"requestState\":\"@state\"");
            }
        }
        if self.dice.one_in(12) {
            self.put(comma);
            self.pick(&OTHERS);
        }
        self.put("}");
    }

    /// A new id mostly; sometimes one that may be in use, sometimes a spelling of its own.
    fn id(&mut self) {
        match self.dice.roll(8) {
            0 => self.pick(&IDS),
            1 | 2 => {
                let digit = self.dice.roll(10) as u8;
                self.line.push(b'0' + digit);
            }
            3 if self.dice.one_in(500) => {
                let length = self.dice.roll(3_000);
                self.put("\"");
                self.line.extend(std::iter::repeat_n(b'x', length));
                self.put("\"");
            }
            _ => {
                self.next += 1;
                let number = self.next;
                number_to(&mut self.line, number);
            }
        }
    }

    fn gap(&mut self) {
        if self.is_wide {
            gap(&mut self.dice, &mut self.line);
        }
    }

    fn pick(&mut self, from: &[&str]) {
        let text = self.dice.pick(from);
        self.put(text);
    }

    fn put(&mut self, text: &str) {
        self.line.extend_from_slice(text.as_bytes());
    }
}

fn number_to(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut from = digits.len();
    while from == digits.len() || number > 0 {
        from -= 1;
        digits[from] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    out.extend_from_slice(&digits[from..]);
}
