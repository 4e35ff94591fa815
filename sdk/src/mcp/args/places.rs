//! The places of all parameters of a function.

use super::decode::decode;
use super::explain::BadArguments;
use super::input::Input;
use super::slot::Place;

/// A tuple of places. Tools with the same types of parameters share its code.
#[doc(hidden)]
pub trait Places {
    /// The values of the parameters, or the owners that lend them.
    type Values;
    /// Decodes the arguments; see [`decode`].
    fn filled(self, input: &Input<'_>) -> Result<Self::Values, BadArguments>;
}

macro_rules! places {
    ($($place:ident $at:tt)*) => {
        impl<$($place: Place),*> Places for ($($place,)*) {
            type Values = ($($place::Value,)*);

            // Inlined, it would be in the code of each tool.
            #[inline(never)]
            #[allow(unused_mut, clippy::unused_unit, reason = "there may be no parameters")]
            fn filled(mut self, input: &Input<'_>) -> Result<Self::Values, BadArguments> {
                decode(input, &mut [$(self.$at.slot()),*])?;
                Ok(($(self.$at.take(),)*))
            }
        }
    };
}

places!();
places!(A 0);
places!(A 0 B 1);
places!(A 0 B 1 C 2);
places!(A 0 B 1 C 2 D 3);
places!(A 0 B 1 C 2 D 3 E 4);
places!(A 0 B 1 C 2 D 3 E 4 F 5);
places!(A 0 B 1 C 2 D 3 E 4 F 5 G 6);
places!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
places!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8);
places!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9);
places!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10);
places!(A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);
