//! What the pages of the attributes say, and what the stages make of damaged tokens.

mod damaged;

use std::collections::HashSet;

use quote::quote;

use crate::arg;
use crate::expand::function_item;
use crate::noun::Noun;

#[test]
fn the_page_of_tool_has_every_key_in_an_example() {
    let page = include_str!("../docs/tool.md");
    let code: String = page.split("```").skip(1).step_by(2).collect();
    // The page of prompts has this one.
    let of_arg: Vec<_> = arg::KEYS.into_iter().filter(|key| *key != "complete").collect();
    for (attribute, keys) in [("#[tool(", Noun::Tool.keys()), ("#[arg(", &of_arg)] {
        let written = code.split(attribute).skip(1).filter_map(|rest| rest.split(")]").next());
        let words: HashSet<_> =
            written.flat_map(|text| text.split(|c: char| c != '_' && !c.is_alphabetic())).collect();
        for key in keys {
            assert!(words.contains(key), "{attribute}{key} …)] is in no example");
        }
    }
}

#[test]
fn the_pages_of_prompts_and_resources_have_every_key() {
    let pages = [
        (Noun::Prompt, include_str!("../docs/prompt.md")),
        (Noun::Resource, include_str!("../docs/resource.md")),
    ];
    for (noun, page) in pages {
        let is_there = |key: &str| {
            [format!("| `{key}"), format!(", `{key}")].iter().any(|cell| page.contains(cell))
        };
        for key in noun.keys() {
            assert!(is_there(key), "{key} is not in the table of #[{}]", noun.name());
        }
        assert!(page.contains("#[arg(complete = "));
    }
}

#[test]
fn the_documentation_of_a_type_links_to_a_function_with_a_raw_name() {
    let items = function_item(
        Noun::Tool,
        quote!(),
        quote!(
            pub fn r#match() {}
        ),
    )
    .to_string();
    assert!(items.contains("[`match`](fn@match)"), "{items}");
}
