/// Defines an enum of JSON objects that their `type` tells apart.
macro_rules! tagged {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$variant_meta:meta])* $($tag:literal)|+ => $variant:ident $(($type:ty))?,)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_meta])* $variant $(($type))?,)*
            /// One that this version does not know, whole.
            Unknown($crate::agent::RawJson),
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Unknown($crate::agent::RawJson::default())
            }
        }

        impl $name {
            /// Reads one that is known.
            fn known(json: &mut $crate::agent::wire::Cursor<'_>) -> Option<Self> {
                match json.tag().as_deref()? {
                    $($($tag)|+ => {
                        $crate::agent::wire::variant!(json, Self::$variant $(, $type)?)
                    })*
                    _ => None,
                }
            }
        }

        impl $crate::agent::wire::Field for $name {
            fn read(json: &mut $crate::agent::wire::Cursor<'_>) -> Option<Self> {
                json.attempt(Self::known).or_else(|| {
                    $crate::agent::wire::Field::read(json).map(Self::Unknown)
                })
            }
        }
    };
}

macro_rules! variant {
    ($json:ident, $variant:path) => {
        $json.value().map(|_| $variant)
    };
    ($json:ident, $variant:path, $type:ty) => {
        <$type as $crate::agent::wire::Field>::read($json).map($variant)
    };
}

pub(in crate::agent) use {tagged, variant};
