//! The values that `#[arg(…)]` takes.

use toolwright::{Value, json, tool};

use super::{property, text};

mod own {
    #[toolwright::data]
    #[derive(Debug, Default)]
    pub(super) enum Option {
        #[default]
        First,
        Second,
    }
}

#[tool]
fn choose(#[arg(default)] option: own::Option) -> String {
    format!("{option:?}")
}

#[test]
fn a_type_of_ones_own_may_be_called_option() {
    assert_eq!(text(choose::tool(), json!({})), "First");
    assert_eq!(text(choose::tool(), json!({"option": "Second"})), "Second");
}

const MOST: u64 = 4_000_000_000;

#[tool]
fn large(
    #[arg(min = -9_223_372_036_854_775_808, max = 9_223_372_036_854_775_807)] signed: i64,
    #[arg(max = 18_446_744_073_709_551_615)] unsigned: u64,
    #[arg(example = [MOST, 3_000_000_000], example = {"a": MOST, "b": -3_000_000_000})] any: Value,
) -> String {
    format!("{signed} {unsigned} {any}")
}

#[test]
fn integers_may_be_as_large_as_those_of_json() {
    let signed = property(large::tool(), "signed");
    assert_eq!(
        (signed["minimum"].as_i64(), signed["maximum"].as_i64()),
        (Some(i64::MIN), Some(i64::MAX))
    );
    assert_eq!(property(large::tool(), "unsigned")["maximum"].as_u64(), Some(u64::MAX));
    assert_eq!(
        property(large::tool(), "any")["examples"],
        json!([[MOST, 3_000_000_000_u32], {"a": MOST, "b": -3_000_000_000_i64}])
    );
}
