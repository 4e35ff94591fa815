//! What a registry shows of a package, and which files are in it.

use std::collections::BTreeSet;

use super::metadata::{PUBLISHED, cargo, members, name};

#[test]
fn all_else_stays_here() {
    let published = members().filter(|package| package["publish"].is_null());
    assert_eq!(published.map(name).collect::<BTreeSet<_>>(), BTreeSet::from(PUBLISHED));
}

#[test]
fn a_registry_can_show_every_package() {
    for package in members().filter(|package| package["publish"].is_null()) {
        let name = name(package);
        for key in ["description", "documentation", "license", "readme", "rust_version"] {
            assert!(package[key].is_string(), "{name} has no {key}");
        }
        let documentation = package["documentation"].as_str().unwrap();
        assert_eq!(documentation, format!("https://docs.rs/{name}"));
        let keywords = package["keywords"].as_array().unwrap();
        assert!((1..=5).contains(&keywords.len()), "{name}: {keywords:?}");
        let categories = package["categories"].as_array().unwrap();
        assert!((1..=5).contains(&categories.len()), "{name}: {categories:?}");
        assert_eq!(package["metadata"]["docs"]["rs"]["all-features"], true, "{name}");
    }
}

#[test]
fn a_package_has_its_sources_its_page_and_its_licences() {
    for name in PUBLISHED {
        let list = cargo(&["package", "--list", "--offline", "--allow-dirty", "--package", name]);
        let list = String::from_utf8(list).unwrap();
        let files: BTreeSet<&str> = list.lines().collect();
        for file in ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "src/lib.rs"] {
            assert!(files.contains(file), "{name} has no {file}");
        }
        let is_wanted = |file: &&str| {
            let is_test = file.split('/').any(|part| part == "tests" || part == "tests.rs");
            let at_root = !file.contains('/');
            !is_test && (at_root || file.starts_with("src/") || file.starts_with("docs/"))
        };
        let superfluous: Vec<_> = files.iter().filter(|file| !is_wanted(file)).collect();
        assert!(superfluous.is_empty(), "{name}: {superfluous:?}");
    }
}
