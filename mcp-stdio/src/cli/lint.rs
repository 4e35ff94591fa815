//! What model APIs and clients would refuse, cut or misread.

use serde_json::Value;
use toolwright::__private::join;
use toolwright::mcp::{Finding, Owner};
use toolwright_console::table::{row, table};
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
    let mut rows = vec![row(&["WHERE", "FINDING"])];
    for Finding { owner, pointer, rule, advice, .. } in findings {
        let place = match owner {
            Owner::Server => "(the server)",
            owner => owner.name(),
        };
        rows.push(row(&[place, &format!("{rule} at {pointer}")]));
        rows.push(row(&["", advice]));
    }
    table(&rows, width)
}

/// One object on one line: `{"findings":[…]}`.
fn json(findings: &[Finding]) -> String {
    let mut texts = Vec::new();
    for Finding { owner, pointer, rule, advice, .. } in findings {
        let (noun, name) = (owner.noun(), Value::from(owner.name()));
        let (pointer, rule) = (Value::from(pointer.as_str()), Value::from(rule.name()));
        let advice = Value::from(advice.as_str());
        texts.push(format!(
            r#"{{"{noun}":{name},"pointer":{pointer},"rule":{rule},"advice":{advice}}}"#
        ));
    }
    format!("{{\"findings\":[{}]}}\n", join(&texts, ","))
}
