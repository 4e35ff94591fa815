//! What tokens cost.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::usage::Usage;

/// The price list that is built in: USD per million tokens.
///
/// CLI 2.1.328 computes its costs from these; a test compares the two.
const KNOWN: [(&str, Rates); 4] = [
    ("claude-fable-5-2", Rates::new(8.0, 40.0).cache(10.0, 16.0, 0.2)),
    ("claude-haiku-5-5", Rates::new(0.1, 0.5).cache(0.125, 0.2, 0.01).above(100_000, 5.0)),
    ("claude-opus-5-5", Rates::new(4.0, 20.0).cache(5.0, 8.0, 0.2)),
    ("claude-sonnet-5-5", Rates::new(2.0, 10.0).cache(2.5, 4.0, 0.1)),
];
const DATE: &str = "2026-11-22";
const MILLION: f64 = 1e6;

/// A price list: estimates what requests cost, from the tokens that they used.
///
/// ```
/// use toolwright::agent::Message;
/// use toolwright::agent::message::{ApiEvent, Prices, Rates, Usage};
///
/// let (mut model, mut usage) = (String::new(), Usage::default());
/// for line in [
///     r#"{"type":"stream_event","event":{"type":"message_start","message":{
///         "model":"claude-sonnet-5-5","usage":{"input_tokens":1000,"output_tokens":1}}}}"#,
///     r#"{"type":"stream_event","event":{"type":"message_delta","usage":{"output_tokens":500}}}"#,
/// ] {
///     let Message::StreamEvent(message) = Message::parse(line) else { continue };
///     match message.event {
///         ApiEvent::MessageStart(start) => {
///             (model, usage) = (start.message.model, start.message.usage);
///         }
///         ApiEvent::MessageDelta(end) => usage.output_tokens = end.usage.output_tokens,
///         _ => {}
///     }
/// }
/// let mut prices = Prices::default();
/// assert_eq!(prices.estimate(&model, &usage), Some(0.007));
///
/// // A contract of your own, from the day on that you write beside it.
/// prices.set("claude-sonnet-5-5", Rates::new(1.0, 5.0), "2027-01-01");
/// assert_eq!(prices.estimate(&model, &usage), Some(0.0035));
/// assert_eq!(prices.estimate("another-model", &usage), None);
/// ```
///
/// The CLI's own figures are in [`ResultMessage`](super::ResultMessage) and
/// [`RunSummary`](super::RunSummary) and come at the end of a turn; an estimate is there while it
/// runs, and for prices that the CLI does not know. The built-in list has the prices of
/// 2026-11-22 for requests to Anthropic's API without a region.
///
/// What the model writes is counted at the end of its answer, and of the messages of a turn only
/// [partial ones](crate::agent::AgentOptionsBuilder::include_partial_messages) say it. An
/// [`AssistantMessage`](super::AssistantMessage) has what was known at the beginning, and each
/// block of the answer has it again.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    models: BTreeMap<Cow<'static, str>, Entry>,
    search: f64,
}

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    rates: Rates,
    date: Cow<'static, str>,
}

/// What the tokens of one model cost, in USD per million.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Rates {
    /// Tokens sent that no cache was asked for.
    pub input: f64,
    /// Tokens received.
    pub output: f64,
    /// Tokens written to the cache for five minutes.
    pub cache_write_5m: f64,
    /// Tokens written to the cache for an hour.
    pub cache_write_1h: f64,
    /// Tokens read from the cache.
    pub cache_read: f64,
    /// Requests that send more tokens than the first cost the second times as much.
    pub long: Option<(u64, f64)>,
}

impl Rates {
    /// Rates with the usual ones for the cache: 1.25 times, twice and a tenth of `input`.
    pub const fn new(input: f64, output: f64) -> Self {
        Self {
            input,
            output,
            cache_write_5m: input * 1.25,
            cache_write_1h: input * 2.0,
            cache_read: input * 0.1,
            long: None,
        }
    }

    /// Sets what the cache costs: to write for five minutes and for an hour, and to read.
    pub const fn cache(mut self, write_5m: f64, write_1h: f64, read: f64) -> Self {
        self.cache_write_5m = write_5m;
        self.cache_write_1h = write_1h;
        self.cache_read = read;
        self
    }

    /// Requests that send more than so many tokens cost `factor` times as much.
    pub const fn above(mut self, tokens: u64, factor: f64) -> Self {
        self.long = Some((tokens, factor));
        self
    }

    fn cost(&self, usage: &Usage) -> f64 {
        let hour = usage.cache_creation.as_ref().map_or(0, |by| by.ephemeral_1h_input_tokens);
        let written = usage.cache_creation_input_tokens;
        let parts = [
            (usage.input_tokens, self.input),
            (usage.output_tokens, self.output),
            (written.saturating_sub(hour), self.cache_write_5m),
            (hour, self.cache_write_1h),
            (usage.cache_read_input_tokens, self.cache_read),
        ];
        let sent = usage.input_tokens.saturating_add(written);
        let sent = sent.saturating_add(usage.cache_read_input_tokens);
        let factor =
            self.long.filter(|(tokens, _)| sent > *tokens).map_or(1.0, |(_, factor)| factor);
        factor * parts.iter().map(|(tokens, rate)| float(*tokens) * rate).sum::<f64>() / MILLION
    }
}

impl Prices {
    /// A list without models.
    pub fn none() -> Self {
        Self { models: BTreeMap::new(), search: 0.0 }
    }

    /// Sets the rates of a model, by its full name, and their date, as you want to have it shown.
    pub fn set(&mut self, model: impl Into<String>, rates: Rates, date: impl Into<String>) {
        let entry = Entry { rates, date: Cow::Owned(date.into()) };
        self.models.insert(Cow::Owned(model.into()), entry);
    }

    /// Sets what a search of the API's own tool costs, in USD. Default: 0.01.
    pub fn set_web_search(&mut self, dollars: f64) {
        self.search = dollars;
    }

    /// The rates of a model, and their date. A name that ends in a date, as those of snapshots do,
    /// has the rates of the name without it.
    pub fn rates(&self, model: &str) -> Option<(&Rates, &str)> {
        let entry = self.models.get(model).or_else(|| self.models.get(without_date(model)?))?;
        Some((&entry.rates, &entry.date))
    }

    /// What one request has cost, in USD, by the `usage` of its whole answer. `None` for a model
    /// that is not in the list.
    pub fn estimate(&self, model: &str, usage: &Usage) -> Option<f64> {
        let (rates, _) = self.rates(model)?;
        let searches = usage.server_tool_use.as_ref().map_or(0, |tools| tools.web_search_requests);
        Some(rates.cost(usage) + float(searches) * self.search)
    }
}

impl Default for Prices {
    fn default() -> Self {
        let mut prices = Self::none();
        prices.search = 0.01;
        let known = KNOWN.map(|(model, rates)| {
            (Cow::Borrowed(model), Entry { rates, date: Cow::Borrowed(DATE) })
        });
        prices.models.extend(known);
        prices
    }
}

/// `model` without `-20261118` at its end.
fn without_date(model: &str) -> Option<&str> {
    let (name, date) = model.rsplit_once('-')?;
    (date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}

#[expect(clippy::cast_precision_loss, reason = "no price depends on the sixteenth digit")]
fn float(count: u64) -> f64 {
    count as f64
}
