use super::{Duration, Text, parsed};
use expect_test::expect;

#[test]
fn texts_are_read_by_their_units() {
    let nanos = |text| parsed(text).map(|duration| duration.as_nanos());
    for (text, expected) in [
        ("1.5s", 1_500_000_000),
        ("200ms", 200_000_000),
        ("2m", 120_000_000_000),
        ("1h30m", 5_400_000_000_000),
        ("0s", 0),
        ("1h30m0.25s", 5_400_250_000_000),
        ("1s1s", 2_000_000_000),
        ("1.0000000019s", 1_000_000_001),
        ("0.5ns", 0),
        ("0.000000000009h", 32),
        ("7us8ns", 7_008),
        ("18446744073709551615.999999999s", 18_446_744_073_709_551_615_999_999_999),
    ] {
        assert_eq!(nanos(text), Some(expected), "{text}");
    }
    for text in [
        "",
        "5",
        "s",
        "1.s",
        ".5s",
        "-1s",
        "+1s",
        "1 s",
        "1s ",
        "1S",
        "1d",
        "1e3s",
        "1s2",
        "1,5s",
        "18446744073709551616s",
        "99999999999999999999999999999999999999999999h",
        "١s",
    ] {
        assert_eq!(nanos(text), None, "{text}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let durations = [
        Duration::ZERO,
        Duration::from_nanos(1),
        Duration::from_nanos(1_000),
        Duration::from_nanos(1_000_001),
        Duration::from_millis(1),
        Duration::from_millis(1_500),
        Duration::from_secs(60),
        Duration::from_secs(3_600),
        Duration::from_secs(3_661),
        Duration::new(3_600, 1),
        Duration::MAX,
    ];
    let texts = durations.map(|duration| Text(duration).to_string());
    for (text, duration) in texts.iter().zip(durations) {
        assert_eq!(parsed(text), Some(duration), "{text}");
    }
    expect![[r#"0s 1ns 1us 1000001ns 1ms 1.5s 1m 1h 1h1m1s 1h0.000000001s 5124095576030431h15.999999999s"#]]
        .assert_eq(&texts.join(" "));
}

#[test]
fn a_refusal_shows_how_durations_are_written() {
    let refused = |json: &str| serde_json::from_str::<Text>(json).unwrap_err().to_string();
    expect!["invalid type: integer `5`, expected a duration such as `1.5s`, `200ms`, `2m` or `1h30m` at line 1 column 1"]
        .assert_eq(&refused("5"));
    expect![[r#"invalid value: string "soon", expected a duration such as `1.5s`, `200ms`, `2m` or `1h30m` at line 1 column 6"#]]
        .assert_eq(&refused(r#""soon""#));
}
