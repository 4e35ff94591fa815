//! Sequences, sets, maps and tuples.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use toolwright::{ToolRegistry, tool, tools};

#[tool]
async fn count(
    list: Vec<u8>,
    queue: VecDeque<Vec<i64>>,
    set: HashSet<String>,
    sorted: BTreeSet<i32>,
    map: HashMap<String, bool>,
    nested: BTreeMap<String, Vec<(u8, String)>>,
    pair: (f64, f64),
    array: [u8; 3],
) -> usize {
    let sizes = [list.len(), queue.len(), set.len(), sorted.len(), map.len(), nested.len()];
    sizes.iter().sum::<usize>() + array.len() + pair.0 as usize
}

pub fn main() {
    ToolRegistry::builder("all").tools(tools![count]).build().unwrap();
}
