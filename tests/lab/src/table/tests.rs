use super::*;

#[test]
fn rounds_have_a_spread_beside_their_median() {
    assert_eq!(spread(vec![]), None);
    assert_eq!(spread(vec![7.5]).as_deref(), Some("7.50"));
    assert_eq!(spread(vec![7.4, 8.0, 7.5]).as_deref(), Some("7.50 ±4%"));
    assert_eq!(spread(vec![12_000.0, 12_000.0]).as_deref(), Some("12.0k ±0%"));
    assert_eq!(spread(vec![-1.0, 0.0, 1.0]).as_deref(), Some("0.00"));
}

#[test]
fn ratios_have_the_lowest_and_the_highest_beside_their_median() {
    assert_eq!(times(vec![1.08]).as_deref(), Some("1.08x"));
    assert_eq!(times(vec![1.15, 1.08, 1.02]).as_deref(), Some("1.08x (1.02-1.15)"));
}
