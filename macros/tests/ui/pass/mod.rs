//! Each file beside this one is a program without mistakes, which runs here as a test. Trybuild
//! would compile all dependencies once more for them.

macro_rules! cases {
    ($($name:ident)*) => {
        $(mod $name;)*

        $(#[test]
        fn $name() {
            $name::main();
        })*

        #[test]
        fn every_file_is_a_case() {
            let cases = [$(stringify!($name)),*];
            for file in std::fs::read_dir("tests/ui/pass").unwrap() {
                let file = file.unwrap().file_name().into_string().unwrap();
                let case = file.strip_suffix(".rs").unwrap();
                assert!(case == "mod" || cases.contains(&case), "{case} is not in the list");
            }
        }
    };
}

cases! {
    arguments_with_more
    attributes_of_others
    attributes_of_serde
    borrowed_arguments
    borrowed_result
    by_hand
    collections
    conditions
    descriptions
    errors
    every_key
    forms
    generic_toolset
    generic_types
    inside_a_function
    kinds_of_functions
    layers
    lists
    made_by_a_macro
    many_arguments
    modules
    names
    no_arguments
    optional_arguments
    own_derives
    own_types
    plain_arguments
    references_inside
    renamed_crate
    results_as_content
    results_as_json
    results_as_text
    shadowed_names
    state
    strict_lints
    toolset
    types_of_std
    values_of_the_call
    whole_arguments
    without_a_prelude
}
