use super::{name, name_in};

#[test]
fn another_name_is_found_in_every_form_of_a_dependency() {
    for manifest in [
        "[dependencies]\nserde = \"1\"\ntw = { package = \"toolwright\", version = \"0.1\" }",
        "[dependencies.tw]\nversion = \"0.1\"\npackage = \"toolwright\"\n[features]\na = []",
        "[dependencies]\ntw.package = \"toolwright\"\ntw.version = \"0.1\"",
        "[target.'cfg(unix)'.dev-dependencies]\n\"tw\" = { version = \"1\", package = \"toolwright\" }",
    ] {
        assert_eq!(name_in(manifest).as_deref(), Some("tw"), "{manifest}");
    }
    let manifest = "[dependencies]\nmy-tools = { package = \"toolwright\" }";
    assert_eq!(name_in(manifest).as_deref(), Some("my_tools"));
}

#[test]
fn a_package_that_has_the_crate_under_its_own_name_needs_no_other() {
    for manifest in [
        "",
        "[dependencies]\ntoolwright = \"0.1\"",
        "[dependencies]\ntoolwright.workspace = true\n[dev-dependencies]\ntw = { package = \"toolwright\" }",
        "[dependencies.toolwright]\nversion = \"0.1\"",
        "[package]\nname = \"toolwright\"\n[dev-dependencies]\ntw = { package = \"toolwright\" }",
        "[dependencies]\nfacade = { package = \"toolwright-facade\" }",
        "[workspace.dependencies]\ntw = { package = \"toolwright\" }",
        "[package]\nname = \"a\"\ndescription = \"package = \\\"toolwright\\\"\"",
    ] {
        assert_eq!(name_in(manifest), None, "{manifest}");
    }
    assert_eq!(name(), None);
}
