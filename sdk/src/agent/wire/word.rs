/// Enums of the strings that a field is known to have, with `Other` for those that a newer CLI may
/// send. `Name = Variant` names the default, which is the empty string otherwise.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident $(= $default:ident)? {
        $($(#[$doc:meta])* $variant:ident = $word:literal,)*
    })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $variant,)*
            /// Another one, which this version does not know.
            Other(String),
        }

        impl $name {
            /// The string on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Other(word) => word,
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                $crate::agent::wire::start!($($default)?)
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)*
                    _ => Self::Other(word.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(|word| Self::from(word.as_str()))
            }
        }

        impl $crate::agent::wire::Field for $name {
            fn read(json: &mut $crate::agent::wire::Cursor<'_>) -> Option<Self> {
                json.string().map(|word| Self::from(&*word))
            }
        }
    )*};
}

macro_rules! start {
    () => {
        Self::Other(String::new())
    };
    ($default:ident) => {
        Self::$default
    };
}

pub(in crate::agent) use {start, words};
