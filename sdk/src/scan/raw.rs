//! Structs of raw values.

/// Defines a struct of the raw values of an object's members, `None` for those that it lacks.
macro_rules! raw_members {
    ($(#[$meta:meta])* struct $name:ident { $($field:ident = $member:literal,)* }) => {
        $(#[$meta])*
        #[derive(Default)]
        struct $name<'a> {
            $($field: Option<&'a str>,)*
        }

        impl<'a> $name<'a> {
            /// Where the value of this member belongs.
            fn place(&mut self, member: &str) -> Option<&mut Option<&'a str>> {
                match member {
                    $($member => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use raw_members;
