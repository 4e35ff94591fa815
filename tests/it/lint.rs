//! What `lint` says about the server of the tests.

use toolwright::mcp::Rule;
use toolwright_tests::fixture::{Flags, registry};

/// What it finds is meant: MCP's suite wants those keywords and names.
#[test]
fn the_fixture_has_no_finding_that_is_not_meant() {
    let findings = registry(&Flags::default()).unwrap().lint();
    let found: Vec<_> = findings
        .iter()
        .map(|finding| (finding.owner.name(), finding.pointer.as_str(), finding.rule))
        .collect();
    let meant = [
        ("json_schema_2020_12_tool", "/inputSchema/allOf", Rule::RootCombinator),
        ("json_schema_2020_12_tool", "/inputSchema/properties/address", Rule::Reference),
        ("test_input_required_result_multiple_inputs", "/name", Rule::NameLength),
        ("test_input_required_result_tampered_state", "/name", Rule::NameLength),
    ];
    assert_eq!(found, meant, "{findings:#?}");
}
