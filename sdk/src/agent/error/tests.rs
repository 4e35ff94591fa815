use super::*;

#[test]
fn an_error_result_does_not_say_that_it_is_a_success() {
    let said = |subtype: &str| {
        RunError::ErrorResult { subtype: subtype.into(), text: "why".into() }.to_string()
    };
    assert_eq!(said("success"), "the run ended with an error result: why");
    assert_eq!(
        said("error_max_turns"),
        "the run ended with an error result (error_max_turns): why"
    );
}
