//! How a method takes the value that it belongs to.

use syn::{Receiver, ReceiverKind, Type};

use crate::lent::{is_named, peeled};

const SHARED: &str = "the tools of a value run at the same time: take `&self`, and put what \
    changes into a `Mutex` or an atomic";

/// Why a tool cannot have this receiver.
pub(super) fn refusal(receiver: &Receiver) -> Option<&'static str> {
    let is_fine = match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_none(),
        ReceiverKind::Typed(_, ty) => match peeled(ty) {
            Type::Reference(reference) => reference.mutability.is_none(),
            ty => is_named(ty, "Arc"),
        },
        _ => false,
    };
    (!is_fine).then_some(SHARED)
}

/// False for `self: Arc<Self>`.
pub(super) fn by_ref(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Typed(_, ty) => !is_named(peeled(ty), "Arc"),
        _ => true,
    }
}
