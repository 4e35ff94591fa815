use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io;

use toolwright::{
    CancelToken, Content, Context, LoggingLevel, ResourceLink, State, ToolResult, data, tool,
};

/// What all calls share.
#[derive(Debug)]
pub struct Dictionary {
    words: HashMap<&'static str, &'static str>,
}

impl Default for Dictionary {
    fn default() -> Self {
        Self { words: HashMap::from([("milk", "Milch"), ("bread", "Brot")]) }
    }
}

#[derive(Debug)]
pub enum Unknown {
    Word(String),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Word(word) = self;
        write!(f, "the dictionary has no {word:?}")
    }
}

impl std::error::Error for Unknown {}

/// Say the same.
#[tool(read_only, always_load, icon = "https://example.com/echo.png")]
pub async fn echo(text: String, r#type: Option<&str>, _volume: Option<u8>) -> ToolResult {
    ToolResult::text(text).with(Content::text(r#type.unwrap_or("plain")))
}

/// Translate a word into German.
#[tool(read_only, open_world = false, meta("example.com/cost" = 1))]
pub async fn translate(
    #[arg(pattern = "^[a-z]+$", secret)] word: Cow<'_, str>,
    dictionary: State<Dictionary>,
    cx: &Context,
) -> Result<String, Unknown> {
    cx.log(LoggingLevel::Debug, "looking it up");
    let found = dictionary.words.get(&*word);
    found.map(ToString::to_string).ok_or_else(|| Unknown::Word(word.into_owned()))
}

/// An order.
#[data]
#[derive(Clone, Copy)]
pub enum Order {
    Rising,
    Falling,
}

/// Sort the lines of a file.
#[tool(description = "Sort the lines of a text file.", read_only, timeout = "10s")]
pub fn sort(
    path: &std::path::Path,
    #[arg(lenient, default = 100, max = 1000)] limit: usize,
    order: Option<Order>,
) -> io::Result<Vec<Content>> {
    let text = std::fs::read_to_string(path)?;
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    if let Some(Order::Falling) = order {
        lines.reverse();
    }
    lines.truncate(limit);
    let link = ResourceLink::new(format!("file://{}", path.display()), "the file");
    Ok(vec![Content::text(lines.join("\n")), link.into()])
}

/// Wait until the call is cancelled.
#[tool(destructive = false)]
pub async fn wait(cancel: CancelToken) {
    cancel.cancelled().await;
}
