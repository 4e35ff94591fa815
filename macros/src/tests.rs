use std::collections::HashSet;

use crate::{arg, args};

#[test]
fn the_page_of_tool_has_every_key_in_an_example() {
    let page = include_str!("../docs/tool.md");
    let code: String = page.split("```").skip(1).step_by(2).collect();
    for (attribute, keys) in [("#[tool(", &args::KEYS[..]), ("#[arg(", &arg::KEYS[..])] {
        let written = code.split(attribute).skip(1).filter_map(|rest| rest.split(")]").next());
        let words: HashSet<_> =
            written.flat_map(|text| text.split(|c: char| c != '_' && !c.is_alphabetic())).collect();
        for key in keys {
            assert!(words.contains(key), "{attribute}{key} …)] is in no example");
        }
    }
}
