use std::collections::HashMap;

use toolwright::tool;

#[tool]
async fn map(map: HashMap<&str, &[u8]>) -> usize {
    map.len()
}

#[tool]
async fn deep(names: Option<Vec<&str>>, pair: (&std::path::Path, u8), of_option: &Option<&str>) -> usize {
    names.map_or(0, |names| names.len()) + usize::from(pair.1) + of_option.map_or(0, str::len)
}

#[tool]
async fn rows(rows: &[&[&str]], pairs: Vec<[&str; 2]>, boxed: Box<[&str]>) -> usize {
    rows.len() + pairs.len() + boxed.len()
}

#[tool]
async fn function(f: Box<dyn Fn(&str)>) {
    f("")
}

fn main() {
    let _ = toolwright::tools![map, deep, rows, function];
}
