use super::*;
use crate::servers::Name;

fn said(words: &str) -> Option<String> {
    parse(words.split(' ').map(str::to_owned)).err().map(|error| error.to_string())
}

/// An option with a value that it takes.
fn given(option: &str) -> String {
    let value = match option {
        "--pictures" | "--default-heap" => return option.to_owned(),
        "--pin" => "same",
        "--era" => "legacy",
        "--runtime" => "current",
        _ => "1",
    };
    format!("{option} {value}")
}

#[test]
fn a_command_has_the_options_of_its_row_and_no_others() {
    for option in KNOWN.iter().flat_map(|(.., options)| options.split(' ')) {
        for (command, .., options) in KNOWN {
            let refused = format!("{command} has no option {option}; --help lists them");
            let expected = (!options.split(' ').any(|it| it == option)).then_some(refused);
            assert_eq!(said(&format!("{command} {}", given(option))), expected);
        }
    }
}

#[test]
fn what_no_command_reads_is_refused() {
    let refused = |words| said(words).expect("it is refused");
    assert_eq!(refused("fleet --pin same"), "fleet has no option --pin; --help lists them");
    assert_eq!(refused("speed --calls 1000"), "speed has no option --calls; --help lists them");
    assert_eq!(refused("cost --fast"), "cost has no option --fast; --help lists them");
    assert_eq!(refused("agent --pin split"), "--pin is same, free or for http split, not split");
    assert_eq!(said("http --pin split --quick --json file"), None);
}

#[test]
fn the_help_names_the_servers_that_speak_one_era_alone() {
    let silent = Name::ALL.into_iter().filter(|name| !name.speaks(Era::Stateless));
    let silent = silent.map(Name::as_str).collect::<Vec<_>>().join(" and ");
    assert!(HELP.contains(&format!("or, which {silent} do not speak, _meta")));
}
