use proptest::prelude::*;

use super::*;

#[test]
fn short_numbers_are_written_by_hand() {
    for (value, text) in [
        (0.25, "0.25"),
        (-0.05, "-0.05"),
        (10_000_000.25, "10000000.25"),
        (999_999_999.999_999, "999999999.999999"),
        (0.000_001, "0.000001"),
        (0.29, "0.29"),
    ] {
        assert_eq!(fraction(value).as_deref(), Some(text));
    }
    for value in [0.0, -0.0, 0.1 + 0.2, 1.0 / 3.0, 1e-7, 1e300, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(fraction(value), None, "{value}");
    }
}

proptest! {
    #[test]
    fn every_number_is_written_as_display_writes_it(
        value in any::<f64>(),
        digits in any::<i64>(),
        shift in 0..60u32,
        places in 0..9i32,
    ) {
        let short = (digits >> shift) as f64 / 10f64.powi(places);
        for value in [value, short, short.next_up(), short.next_down(), short.fract()] {
            prop_assert_eq!(number(value), value.to_string());
        }
    }
}
