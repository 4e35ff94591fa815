use super::*;

#[test]
fn each_feature_of_the_manifest_has_a_program() {
    let manifest = include_str!("../../../../../sdk/Cargo.toml");
    let features = manifest.split_once("\n[features]\n").expect("features").1;
    let features = features.split_once("\n[").expect("what follows them").0;
    let names = features.lines().filter(|line| !line.starts_with('#'));
    let names = names.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    let mut names: Vec<_> = names.filter(|name| *name != "default").collect();
    names.sort_unstable();
    // The one without a feature is what the others are compared with.
    let programs = SNIPPETS.map(|snippet| snippet.feature);
    assert_eq!(programs.split_first(), Some((&"", &*names)));
}
