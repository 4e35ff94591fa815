//! docs/DIAGNOSTICS.md says what the compiler says.

use std::fs;

const PAGE: &str = include_str!("../../../docs/DIAGNOSTICS.md");

/// The errors of rmcp, below the name of each mistake.
const RMCP: &str = include_str!("../../../tests/peers/rmcp-mistakes/said.txt");

#[test]
fn every_row_quotes_both_compilers() {
    let rows = PAGE.lines().filter(|line| line.starts_with("| ["));
    let mut count = 0;
    for row in rows {
        let [mistake, ours, theirs] = row.trim_matches('|').split(" | ").collect::<Vec<_>>()[..]
        else {
            panic!("a row has three cells: {row}");
        };
        let case = mistake.rsplit('/').next().unwrap().trim_end_matches(".rs)");
        let ours = format!(": {}\n", ours.trim());
        let errors = fs::read_to_string(format!("tests/ui/fail/{case}.stderr")).unwrap();
        assert!(errors.contains(&ours), "{case} does not say{ours}");
        let mut said = RMCP.lines().skip_while(|line| *line != case);
        assert_eq!(said.next(), Some(case), "rmcp was not asked");
        let said: Vec<_> = said.take_while(|line| line.starts_with(' ')).collect();
        let expected = match said.len() {
            0 => "nothing".to_owned(),
            1 => theirs.trim().to_owned(),
            errors => format!("{} ({errors} of them)", theirs.trim().rsplit_once(" (").unwrap().0),
        };
        assert_eq!(theirs.trim(), expected, "{case}");
        let text = expected.strip_suffix(" of them)").map(|text| text.rsplit_once(" (").unwrap().0);
        let text = text.unwrap_or(&expected);
        let is_first = said.first().is_none_or(|first| first.contains(text));
        assert!(is_first, "rmcp does not say {text} of {case}");
        count += 1;
    }
    assert!(count >= 15, "the page has only {count} mistakes");
}
