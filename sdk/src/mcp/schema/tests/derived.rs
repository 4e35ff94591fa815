//! The schema of a type under `#[data]` is the one that schemars derives, in every setting.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schemas of a type: of input and output, with types written out and with references.
fn schemas<T: JsonSchema>() -> Vec<String> {
    let mut schemas = Vec::new();
    for is_inline in [true, false] {
        let mut settings = SchemaSettings::draft2020_12();
        settings.inline_subschemas = is_inline;
        settings.untagged_enum_variant_titles = is_inline;
        for settings in [settings.clone().for_deserialize(), settings.for_serialize()] {
            let root = settings.clone().into_generator().into_root_schema_for::<T>();
            schemas.push(root.to_value().to_string());
            let mut generator = settings.into_generator();
            let parts = json!([
                generator.subschema_for::<T>(),
                generator.subschema_for::<Option<Vec<T>>>(),
                generator.subschema_for::<BTreeMap<String, T>>(),
                T::schema_name(),
            ]);
            schemas.push(format!("{parts} {}", Value::Object(generator.take_definitions(true))));
        }
    }
    schemas
}

/// Has each type twice, under `#[data]` and under the derives, and compares the two.
macro_rules! alike {
    ($($(#[$attr:meta])* $kind:ident $name:ident { $($inner:tt)* })*) => {
        #[allow(dead_code, reason = "only the schemas are used")]
        mod by_data {
            use super::*;
            $(#[toolwright::data] $(#[$attr])* $kind $name { $($inner)* })*

            pub(super) fn all() -> Vec<(&'static str, Vec<String>)> {
                vec![$((stringify!($name), schemas::<$name>())),*]
            }
        }

        #[allow(dead_code, reason = "only the schemas are used")]
        mod by_derives {
            use super::*;
            $(
                #[derive(serde::Serialize, serde::Deserialize, JsonSchema)]
                $(#[$attr])*
                $kind $name { $($inner)* }
            )*

            pub(super) fn all() -> Vec<(&'static str, Vec<String>)> {
                vec![$((stringify!($name), schemas::<$name>())),*]
            }
        }
    };
}

#[toolwright::data]
#[derive(Default)]
#[serde(transparent)]
struct Perhaps(Option<u8>);

/// Named like the type of the standard library, and another.
mod other {
    #[toolwright::data]
    #[derive(Default)]
    pub(super) struct Vec<T>(pub(super) T);
}

alike! {
    struct Empty {}

    #[serde(deny_unknown_fields)]
    struct EmptyAndClosed {}

    /// # A title
    ///
    /// And more
    ///   of it.
    #[serde(deny_unknown_fields)]
    struct Scalars {
        /// An integer.
        a: u8,
        b: i64,
        /// # Only a title
        c: f64,
        d: bool,
        e: char,
        /** A block
            of text. */
        f: String,
        #[doc = concat!("From ", "a macro")]
        g: Parts,
        h: (),
        #[doc(alias = "other")]
        i: u128,
    }

    #[doc = "  spaces  "]
    #[derive(Default)]
    struct Parts {
        parts: [u8; 4],
        r#type: (u8, String),
    }

    struct Wrapped {
        list: Vec<Parts>,
        strings: Vec<String>,
        nested: Vec<Vec<Parts>>,
        /// Perhaps.
        may_be: Option<Parts>,
        many: Option<Vec<Option<Parts>>>,
        full: std::vec::Vec<std::option::Option<u8>>,
        inner: Option<Option<bool>>,
        boxed: Option<Box<Scalars>>,
        in_box: Box<Option<u8>>,
        map: BTreeMap<String, Vec<Parts>>,
        hashes: HashMap<String, Option<Scalars>>,
        any: Value,
        any_list: Vec<Value>,
        perhaps: Perhaps,
        one: other::Vec<Parts>,
        address: Option<std::net::IpAddr>,
    }

    /// Itself.
    struct Tree {
        children: Vec<Tree>,
        parent: Option<Box<Self>>,
        by_name: BTreeMap<String, Self>,
    }

    struct Left {
        right: Vec<Right>,
    }

    struct Right {
        left: Option<Box<Left>>,
    }

    /// One of several.
    #[serde(untagged)]
    enum Untagged {
        Parts(Parts),
        /// # With a title
        /// and words.
        r#String(String),
        Nothing(()),
        MayBe(Option<u8>),
        List(Vec<Untagged>),
        Itself(Box<Self>),
        Any(Value),
    }

    #[serde(untagged)]
    enum UntaggedByTheDerive {
        Parts { one: Parts, other: Vec<Parts> },
        Pair(u8, Parts),
        Nothing,
    }

    struct Defaults {
        #[serde(default)]
        a: u8,
        /// A list.
        #[serde(default)]
        b: Vec<Parts>,
        #[serde(default)]
        c: Option<String>,
        #[serde(default, rename = "D e")]
        d: Parts,
        #[serde(rename = "other")]
        e: Option<u8>,
    }

    #[serde(rename_all = "camelCase")]
    struct LeftToTheDerive {
        first_name: Vec<Parts>,
        #[schemars(range(max = 9))]
        second: Option<u8>,
        #[serde(flatten)]
        rest: Defaults,
        #[serde(skip)]
        skipped: u8,
        #[serde(alias = "x", skip_serializing_if = "Option::is_none")]
        may_be: Option<Tree>,
    }
}

#[test]
fn types_have_the_schemas_that_schemars_derives() {
    for (ours, theirs) in by_data::all().into_iter().zip(by_derives::all()) {
        assert_eq!(ours, theirs);
        assert!(ours.1[0].contains("object"), "{ours:?}");
    }
}

/// An option, which schemars does not see through its documentation.
#[toolwright::data]
#[serde(transparent)]
struct Documented(Option<u8>);

#[toolwright::data]
struct HasDocumented {
    it: Documented,
}

/// schemars requires the field, though serde decodes the struct without it.
#[test]
fn a_field_whose_type_takes_absence_is_optional() {
    let decoded: HasDocumented = serde_json::from_str("{}").unwrap();
    assert_eq!(decoded.it.0, None);
    let schemas = schemas::<HasDocumented>();
    let (input, output) = (&schemas[0], &schemas[2]);
    assert!(!input.contains("required"), "{input}");
    assert!(output.contains(r#""required":["it"]"#), "{output}");
}

/// A type whose schema is written by hand, and panics.
#[derive(serde::Serialize, serde::Deserialize)]
struct Panics;

impl JsonSchema for Panics {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Panics".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        panic!("on purpose")
    }
}

#[toolwright::data]
struct HasPanics {
    list: Vec<Panics>,
}

#[test]
fn a_schema_that_panics_leaves_the_next_alone() {
    let before = schemas::<Perhaps>();
    std::panic::catch_unwind(schemas::<HasPanics>).unwrap_err();
    assert_eq!(schemas::<Perhaps>(), before);
}
