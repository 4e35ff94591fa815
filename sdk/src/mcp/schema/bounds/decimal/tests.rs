use proptest::prelude::*;

use super::*;

fn of(text: &str) -> Decimal {
    Decimal::of(text).unwrap()
}

#[test]
fn numbers_are_equal_however_they_are_written() {
    for (one, other) in
        [("1", "1.0"), ("-0", "0"), ("1e2", "100"), ("0.0010E3", "1"), ("12e-1", "1.2")]
    {
        assert_eq!(of(one), of(other), "{one} {other}");
        assert_eq!(of(one).canonical(), of(other).canonical());
    }
    assert_ne!(
        of("340282366920938463463374607431768211455"),
        of("340282366920938463463374607431768211454")
    );
    for text in ["", "-", "x", "1.x", "1e", "1e+", "true"] {
        assert_eq!(Decimal::of(text), None, "{text}");
    }
}

#[test]
fn they_are_ordered_by_size() {
    let ordered = [
        "-1e99999999999999999999",
        "-2",
        "-1.5",
        "-1",
        "-1e-9",
        "0",
        "1e-99999999999999999999",
        "0.1",
        "0.25",
        "0.3",
        "9",
        "10",
        "18446744073709551615",
        "18446744073709551616",
        "1e400",
    ];
    for pair in ordered.windows(2) {
        assert!(of(pair[0]) < of(pair[1]), "{pair:?}");
    }
}

#[test]
fn multiples_are_exact() {
    for (value, step) in
        [("0.3", "0.1"), ("0", "7"), ("1e300", "0.5"), ("-6", "3"), ("2.50", "0.25")]
    {
        assert!(of(value).is_multiple_of(&of(step)), "{value} {step}");
    }
    for (value, step) in [("1000000000.5", "1"), ("0.25", "0.1"), ("1e-300", "1"), ("7", "2")] {
        assert!(!of(value).is_multiple_of(&of(step)), "{value} {step}");
    }
}

proptest! {
    #[test]
    fn whole_numbers_are_compared_like_i128(a in any::<i128>(), b in any::<i128>()) {
        prop_assert_eq!(of(&a.to_string()).cmp(&of(&b.to_string())), a.cmp(&b));
    }

    #[test]
    fn fractions_are_compared_like_f64(a in any::<f64>(), b in any::<f64>()) {
        prop_assume!(a.is_finite() && b.is_finite());
        let expected = a.partial_cmp(&b).unwrap();
        prop_assert_eq!(of(&format!("{a:e}")).cmp(&of(&format!("{b}"))), expected);
    }

    #[test]
    fn multiples_are_those_of_whole_numbers(a in any::<i64>(), step in 1..1000i64) {
        let is_multiple = of(&a.to_string()).is_multiple_of(&of(&step.to_string()));
        prop_assert_eq!(is_multiple, a % step == 0);
    }
}
