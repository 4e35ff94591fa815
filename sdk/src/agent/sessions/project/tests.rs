use super::*;
use crate::agent::sessions::tests::Home;

#[test]
fn all_but_letters_and_digits_become_dashes() {
    assert_eq!(sanitized("/home/me/my app_1.2"), "-home-me-my-app-1-2");
    // As JavaScript counts them, this is one character and then two.
    assert_eq!(sanitized("/é/😀"), "---".to_owned() + "--");
}

#[test]
fn long_paths_are_cut_and_get_a_hash() {
    let path = format!("/{}", "a".repeat(300));
    let name = sanitized(&path);
    assert_eq!(name.len(), LONGEST + 1 + hash(&path).len());
    assert_eq!(&name[..=LONGEST], format!("-{}-", "a".repeat(199)));
    // As `_simple_hash` of the Python SDK has it.
    assert_eq!(hash("/home/user/project"), "q9y62y");
    assert_eq!(hash(""), "0");
}

#[test]
fn a_name_of_the_users_counts_along_with_a_configuration_folder() {
    let named = |config: &str, name: &str| {
        named(|variable| match variable {
            "CLAUDE_CONFIG_DIR" => Some(config.into()),
            NAME => Some(name.into()),
            _ => None,
        })
    };
    let longest = "n".repeat(64);
    for name in ["My_app-1", "com", "com10", "lpt", "console", &longest] {
        assert_eq!(named("/c", name).as_deref(), Some(name));
        assert_eq!(named("", name), None);
    }
    let longer = longest.clone() + "n";
    for name in ["", "a/b", "..", "a b", "é", "con", "NUL", "Com0", "lpt9", &longer] {
        assert_eq!(named("/c", name), None, "{name}");
    }
}

#[test]
fn links_are_followed_as_far_as_the_path_exists() {
    let home = Home::new();
    let real = home.path().join("real");
    std::fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, home.path().join("link")).unwrap();
    let expected = real.canonicalize().unwrap().join("new/er");
    assert_eq!(canonical(&home.path().join("link/new/er")), expected.to_str().unwrap());
}
