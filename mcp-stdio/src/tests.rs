use super::utc;

#[test]
fn days_fall_where_they_should() {
    assert_eq!(utc(0), "1970-01-01T00:00:00Z");
    assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
    assert_eq!(utc(1_795_154_160), "2026-11-20T05:56:00Z");
}
