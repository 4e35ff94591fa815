//! What model APIs and clients would refuse, cut or misread.

use serde_json::json;
use toolwright::mcp::Finding;

use super::failure::Failure;
use super::screen::Screen;
use super::table::table;

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
    let mut rows = vec![["TOOL", "FINDING"].map(str::to_owned).to_vec()];
    for Finding { tool, pointer, rule, advice, .. } in findings {
        let tool = if tool.is_empty() { "(the server)" } else { tool };
        rows.push(vec![tool.to_owned(), format!("{rule} at {pointer}")]);
        rows.push(vec![String::new(), advice.clone()]);
    }
    table(&rows, width)
}

/// One object on one line: `{"findings":[…]}`.
fn json(findings: &[Finding]) -> String {
    let findings: Vec<_> = findings
        .iter()
        .map(|Finding { tool, pointer, rule, advice, .. }| {
            json!({"tool": tool, "pointer": pointer, "rule": rule.name(), "advice": advice})
        })
        .collect();
    format!("{}\n", json!({"findings": findings}))
}
