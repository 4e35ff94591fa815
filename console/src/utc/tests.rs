use super::date_time;

#[test]
fn days_fall_where_they_should() {
    assert_eq!(date_time(0), "1970-01-01T00:00:00");
    assert_eq!(date_time(951_827_696), "2000-02-29T12:34:56");
    assert_eq!(date_time(1_795_154_160), "2026-11-20T05:56:00");
}
