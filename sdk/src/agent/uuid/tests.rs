use uuid::{Uuid, Variant};

use super::random;

#[test]
fn they_are_of_version_4_and_differ() {
    let [one, other] = [random(), random()];
    assert_ne!(one, other);
    for text in [one, other] {
        let uuid = Uuid::parse_str(&text).unwrap();
        assert_eq!((uuid.get_version_num(), uuid.get_variant()), (4, Variant::RFC4122));
        assert_eq!(uuid.to_string(), text);
    }
}
