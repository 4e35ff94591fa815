//! What model APIs and clients would refuse, cut or misread.

use serde_json::json;
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
            let (noun, rule) = (owner.noun(), rule.name());
            json!({noun: owner.name(), "pointer": pointer, "rule": rule, "advice": advice})
        })
        .collect();
    format!("{}\n", json!({"findings": findings}))
}
