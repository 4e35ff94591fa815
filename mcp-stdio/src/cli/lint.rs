//! What model APIs and clients would refuse, cut or misread.

use serde_json::Value;
use toolwright::__private::join;
use toolwright::mcp::{Finding, Owner};
use toolwright_console::table::table;
use toolwright_console::{Failure, Screen};

/// Prints the findings. If there are any, the exit status is 1.
pub(super) fn show(
    findings: &[Finding],
    as_json: bool,
    screen: &mut Screen,
) -> Result<(), Failure> {
    let text = match (as_json, findings) {
        (true, findings) => json(findings),
        (false, []) => "no findings\n".into(),
        (false, findings) => rows(findings, screen.width()),
    };
    screen.print(&text)?;
    if findings.is_empty() { Ok(()) } else { Err(Failure::failed("")) }
}

/// Two rows for each finding: its rule and its place, and what to do about it.
fn rows(findings: &[Finding], width: usize) -> String {
    let mut rows = vec![["WHERE", "FINDING"].map(str::to_owned).to_vec()];
    for Finding { owner, pointer, rule, advice, .. } in findings {
        let place = match owner {
            Owner::Server => "(the server)",
            owner => owner.name(),
        };
        rows.push(vec![place.to_owned(), format!("{rule} at {pointer}")]);
        rows.push(vec![String::new(), advice.clone()]);
    }
    table(&rows, width)
}

/// One object on one line: `{"findings":[…]}`.
fn json(findings: &[Finding]) -> String {
    let findings: Vec<_> = findings
        .iter()
        .map(|Finding { owner, pointer, rule, advice, .. }| {
            let [name, pointer, rule, advice] =
                [owner.name(), pointer, rule.name(), advice].map(Value::from);
            let noun = owner.noun();
            format!(r#"{{"{noun}":{name},"pointer":{pointer},"rule":{rule},"advice":{advice}}}"#)
        })
        .collect();
    format!("{{\"findings\":[{}]}}\n", join(&findings, ","))
}
