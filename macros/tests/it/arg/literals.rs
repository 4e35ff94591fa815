//! Literals without a type, which become JSON.

use toolwright::{Value, json, tool};

use super::{property, text};

const MILLISECONDS: u64 = 1000;

#[tool(meta("since" = 1_700_000_000_000))]
fn large_literals(
    #[arg(min = -3_000_000_000, max = 9_007_199_254_740_993, default = 0xFFFF_FFFF)] at: i64,
    #[arg(max = 18446744073709551615, example = 4_000_000_000, default = 5_000_000_000)] id: u64,
    #[arg(default = [3_000_000_000], example = [1, 3_000_000_000])] ids: Vec<u32>,
    #[arg(max = 3_000_000_000 * MILLISECONDS, example = {"a": [-3_000_000_000]})] any: Value,
) -> String {
    format!("{at} {id} {ids:?} {any}")
}

#[test]
fn a_literal_may_be_larger_than_i32() {
    let shown = |name| property(large_literals::tool(), name).to_string();
    let at = r#""minimum":-3000000000,"maximum":9007199254740993,"default":4294967295}"#;
    assert!(shown("at").ends_with(at), "{}", shown("at"));
    let id = r#""maximum":18446744073709551615,"default":5000000000,"examples":[4000000000]}"#;
    assert!(shown("id").ends_with(id), "{}", shown("id"));
    let any = r#"{"maximum":3000000000000,"examples":[{"a":[-3000000000]}]}"#;
    assert_eq!(shown("any"), any);
    assert_eq!(large_literals::tool().meta()["since"], 1_700_000_000_000_u64);
    let called = text(large_literals::tool(), json!({"any": 1}));
    assert_eq!(called, "4294967295 5000000000 [3000000000] 1");
}

#[tool(meta("bytes" = 3 * (1 << 30), "half" = 1 << 63))]
fn calculated(
    #[arg(max = 4 * 1024 * 1024 * 1024, example = 1 << 40)] bytes: u64,
    #[arg(min = -(5 * 1_000_000_000), max_length = 2 * 8)] any: Value,
    #[arg(min = 1 << 63, max = (1 << 64) - 1, example = -(1 << 63))] most: u64,
) -> String {
    format!("{bytes} {any} {most}")
}

#[test]
fn a_calculation_may_have_a_larger_result_than_i32() {
    let shown = |name| property(calculated::tool(), name);
    assert_eq!(shown("bytes")["maximum"], 4_294_967_296_u64);
    assert_eq!(shown("bytes")["examples"], json!([1_099_511_627_776_u64]));
    assert_eq!(shown("any")["minimum"], -5_000_000_000_i64);
    assert_eq!(shown("any")["maxLength"], 16);
    assert_eq!(shown("most")["minimum"], 1_u64 << 63);
    assert_eq!(shown("most")["maximum"], u64::MAX);
    assert_eq!(shown("most")["examples"], json!([i64::MIN]));
    assert_eq!(calculated::tool().meta()["bytes"], 3_221_225_472_u64);
    assert_eq!(calculated::tool().meta()["half"], 1_u64 << 63);
}

#[tool(meta("zeros" = {"of": [[0; 2], [1]]}))]
fn repeated(
    #[arg(example = [0; 3], example = [7, 8])] ids: Vec<u32>,
    #[arg(default = vec![1; 2])] others: Vec<u32>,
) -> String {
    format!("{ids:?} {others:?}")
}

#[test]
fn an_array_may_repeat_its_value() {
    let shown = property(repeated::tool(), "ids");
    assert_eq!(shown["examples"], json!([[0, 0, 0], [7, 8]]));
    assert_eq!(repeated::tool().meta()["zeros"], json!({"of": [[0, 0], [1]]}));
    assert_eq!(text(repeated::tool(), json!({"ids": [1]})), "[1] [1, 1]");
}
