/// What all messages have.
pub(super) trait Envelope {
    fn raw(&self) -> &str;
    fn uuid(&self) -> &str;
    fn session_id(&self) -> &str;
}

/// Defines messages: structs with the members that all messages have, and the text they came in.
macro_rules! message {
    ($($(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* })*) => {$(
        $crate::agent::wire::kept! {
            $(#[$meta])*
            pub struct $name {
                $($fields)*
                /// The message's own id; empty where it has none.
                pub uuid: String,
                /// The session; empty where none is named.
                pub session_id: String,
            }
        }

        impl $crate::agent::message::envelope::Envelope for $name {
            fn raw(&self) -> &str {
                self.raw()
            }

            fn uuid(&self) -> &str {
                &self.uuid
            }

            fn session_id(&self) -> &str {
                &self.session_id
            }
        }
    )*};
}

pub(super) use message;
