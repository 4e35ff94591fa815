use uuid::{Uuid, Variant};

use super::{is_uuid, random};

#[test]
fn they_are_of_version_4_and_differ() {
    let [one, other] = [random(), random()];
    assert_ne!(one, other);
    for text in [one, other] {
        let uuid = Uuid::parse_str(&text).unwrap();
        assert_eq!((uuid.get_version_num(), uuid.get_variant()), (4, Variant::RFC4122));
        assert_eq!(uuid.to_string(), text);
        assert!(is_uuid(&text) && is_uuid(&text.to_uppercase()));
    }
}

#[test]
fn other_forms_are_no_ids() {
    let id = "0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b";
    let braced = format!("{{{id}}}");
    for text in ["", "x", &id.replace('-', ""), &id[1..], &id.replace('b', "g"), &braced] {
        assert!(!is_uuid(text), "{text}");
    }
    assert!(!is_uuid(&id.replace("5d3c", "../.")));
}
