//! The setters of builders.

/// Defines the setters of a builder, which take it and give it back. `name = self.field` names the
/// place that their bodies change.
macro_rules! setters {
    (
        @setter [$($path:tt)*] $place:ident,
        $(#[$doc:meta])* $setter:ident($($argument:tt)*) { $change:expr }
    ) => {
        $(#[$doc])*
        pub fn $setter(mut self, $($argument)*) -> Self {
            let $place = &mut self$($path)*;
            $change;
            self
        }
    };
    (
        @each $path:tt $place:ident,
        $($(#[$doc:meta])* $setter:ident $arguments:tt { $change:expr })*
    ) => {
        $($crate::agent::setters::setters! {
            @setter $path $place, $(#[$doc])* $setter $arguments { $change }
        })*
    };
    (
        $(#[$meta:meta])*
        impl $builder:ty, $place:ident = self$(.$field:ident)*;
        $($setters:tt)*
    ) => {
        $(#[$meta])*
        impl $builder {
            $crate::agent::setters::setters! { @each [$(.$field)*] $place, $($setters)* }
        }
    };
}

pub(in crate::agent) use setters;
