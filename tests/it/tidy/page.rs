//! ARCHITECTURE.md speaks of files that exist.

use std::fs;

use super::{root, sources};

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// The files and folders that the map names: an indented line lists names in the folder above it.
fn mapped(page: &str) -> Vec<String> {
    let map = page.split("```").nth(1).expect("the page has a map");
    let mut folders: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for line in map.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        let names = line.trim_start().split("  ").next().unwrap_or_default();
        folders.retain(|(depth, _)| *depth < indent);
        let parent = folders.last().map(|(_, folder)| folder.clone()).unwrap_or_default();
        for name in names.split(' ') {
            found.push(format!("{parent}{name}"));
        }
        if names.ends_with('/') && !names.contains(' ') {
            folders.push((indent, format!("{parent}{names}")));
        }
    }
    found
}

#[test]
fn every_path_of_the_map_exists() {
    let page = page("ARCHITECTURE.md");
    let mapped = mapped(&page);
    assert!(mapped.len() > 70, "the map has only {} paths: the check has gone blind", mapped.len());
    for path in mapped {
        assert!(root().join(&path).exists(), "there is no {path}");
    }
}

/// A page that nothing links to is not read.
#[test]
fn every_page_is_linked_and_every_link_leads_to_a_file() {
    let (first, all) = (page("README.md"), page("README.md") + &page("ARCHITECTURE.md"));
    let names = |folder: &str| {
        let files = fs::read_dir(root().join(folder)).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let (pages, mut pictures): (Vec<_>, Vec<_>) =
        names("docs").into_iter().partition(|name| name.ends_with(".md"));
    pictures.retain(|name| name != "pictures");
    pictures.extend(names("docs/pictures").iter().map(|name| format!("pictures/{name}")));
    let beside: String = pages.iter().map(|name| page(&format!("docs/{name}"))).collect();
    for name in pages {
        assert!(all.contains(&format!("docs/{name}")), "nothing leads to docs/{name}");
    }
    for name in pictures {
        assert!(beside.contains(&format!("]({name})")), "no page shows docs/{name}");
    }
    for name in ["docs/SCHEMAS.md", "docs/DIAGNOSTICS.md"] {
        assert!(first.contains(&format!("]({name})")), "README.md has no link to {name}");
    }
    let links = first.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links: Vec<_> = links.filter(|link| !link.contains("://")).collect();
    assert!(links.len() > 5, "README.md has only {} links: the check has gone blind", links.len());
    for link in links {
        assert!(root().join(link).exists(), "there is no {link}");
    }
}

#[test]
fn every_bound_has_a_test() {
    let counts = named_tests(&page("docs/bounds.md"), "| what ");
    assert!(!counts.contains(&0), "a bound has no test");
    let bounds = counts.len();
    assert!(bounds >= 15, "the page has only {bounds} bounds: the check has gone blind");
}

#[test]
fn every_promise_has_a_test() {
    let page = page("docs/RELIABILITY.md");
    let promises = page.split("\n## ").find(|part| part.starts_with("What is promised")).unwrap();
    let counts = named_tests(promises, "| promise ");
    assert!(!counts.contains(&0), "a promise has no test");
    assert!(counts.len() >= 12, "the page has only {} promises", counts.len());
}

#[test]
fn the_tests_of_claude_code_exist() {
    let counts = named_tests(&page("docs/CLAUDE-CODE.md"), "| feature ");
    let tested = counts.iter().filter(|count| **count > 0).count();
    assert!(tested >= 20, "the page has only {tested} tested rows: the check has gone blind");
}

/// How many tests each row of the tables of a page names in its last cell. All of them must exist.
fn named_tests(page: &str, head: &str) -> Vec<usize> {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let code: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with(head));
    let tests = rows.map(|row| {
        let tests = row.trim_end_matches('|').rsplit(" | ").next().unwrap_or_default();
        let names: Vec<_> = tests.split('`').skip(1).step_by(2).collect();
        for name in &names {
            assert!(code.contains(&format!("fn {name}(")), "{row}: there is no test {name}");
        }
        names.len()
    });
    tests.collect()
}

#[test]
fn every_path_of_the_text_exists() {
    let page = page("ARCHITECTURE.md");
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let files: Vec<String> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let text: String = page.split("```").step_by(2).collect();
    let names = text.split('`').skip(1).step_by(2);
    let paths: Vec<_> = names.filter(|name| name.ends_with(".rs") || name.ends_with('/')).collect();
    assert!(paths.len() > 15, "the text has only {} paths: the check has gone blind", paths.len());
    for path in paths {
        let is_there = |file: &String| match path.ends_with('/') {
            true => file.contains(&format!("/{path}")),
            false => file.ends_with(&format!("/{path}")),
        };
        let is_shown = files.iter().any(is_there) || root().join(path).exists();
        assert!(is_shown, "there is no {path}");
    }
}
