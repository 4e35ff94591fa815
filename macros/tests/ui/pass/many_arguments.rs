//! Sixteen arguments, of all kinds.

use toolwright::{Context, ToolRegistry, tool, tools};

#[tool]
#[allow(clippy::too_many_arguments)]
async fn many(
    a: u8,
    b: i64,
    c: f32,
    d: bool,
    e: char,
    f: &str,
    g: String,
    h: Option<u8>,
    i: Vec<u8>,
    j: &[u8],
    k: (u8, u8),
    l: [u8; 1],
    m: &Context,
    n: Box<u8>,
    o: &Option<String>,
    p: std::collections::BTreeMap<String, u8>,
) -> String {
    m.progress(1.0, f);
    format!("{a}{b}{c}{d}{e}{f}{g}{h:?}{i:?}{j:?}{k:?}{l:?}{n}{o:?}{p:?}")
}

#[tool]
#[allow(clippy::too_many_arguments)]
fn as_many_as_the_largest_tuple(
    a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8,
) -> u8 {
    a + b + c + d + e + f + g + h + i + j + k + l
}

#[tool]
#[allow(clippy::too_many_arguments)]
fn one_more(
    a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8, m: u8,
) -> u8 {
    a + b + c + d + e + f + g + h + i + j + k + l + m
}

pub fn main() {
    let tools = tools![many, as_many_as_the_largest_tuple, one_more];
    ToolRegistry::builder("many").tools(tools).build().unwrap();
}
