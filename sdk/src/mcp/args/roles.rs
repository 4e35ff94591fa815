//! What a signature may combine. The types of the parameters decide, so aliases count as what they
//! stand for.

use super::defaulted::Defaulted;
use super::lent::LentSlot;
use super::param::{RefParam, kind};
use super::place::Nowhere;
use super::slot::{Keep, RefSlot, Slot};

/// Kinds of parameters that need no name.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an argument needs a name, not a pattern",
    label = "not a name",
    note = "take it apart in the body, or name it by `#[arg(rename = \"…\")]`"
)]
pub trait Nameless {}

#[diagnostic::do_not_recommend]
impl Nameless for kind::Whole {}
#[diagnostic::do_not_recommend]
impl Nameless for kind::Injected {}
#[diagnostic::do_not_recommend]
impl Nameless for kind::Unknown {}

/// Kinds of parameters that are arguments with a name of their own.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`#[arg]` is for an argument with a name of its own",
    label = "this parameter is all arguments, or a value of the call or of the server",
    note = "a field of the `T` in `Args<T>` has `#[serde(…)]` and `#[schemars(…)]` instead"
)]
pub trait Argument {}

#[diagnostic::do_not_recommend]
impl Argument for kind::Named {}
#[diagnostic::do_not_recommend]
impl Argument for kind::Unsized {}
#[diagnostic::do_not_recommend]
impl Argument for kind::Unknown {}

/// Kinds of parameters that may stand in the same signature as one of kind `K`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`Args` stands for all arguments, so there can be no others beside it",
    label = "make this a field of the type in `Args`"
)]
pub trait Beside<K> {}

#[diagnostic::do_not_recommend]
impl Beside<kind::Injected> for kind::Whole {}
#[diagnostic::do_not_recommend]
impl Beside<kind::Unknown> for kind::Whole {}
#[diagnostic::do_not_recommend]
impl<K> Beside<K> for kind::Unknown {}
#[diagnostic::do_not_recommend]
impl<K> Beside<K> for kind::Named {}
#[diagnostic::do_not_recommend]
impl<K> Beside<K> for kind::Unsized {}
#[diagnostic::do_not_recommend]
impl<K> Beside<K> for kind::Injected {}

/// Kinds of parameters that a prompt may have.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a prompt takes its arguments one by one",
    label = "make the fields parameters of the function",
    note = "clients send the arguments of a prompt as texts, not as an object"
)]
pub trait OfPrompt {}

#[diagnostic::do_not_recommend]
impl OfPrompt for kind::Named {}
#[diagnostic::do_not_recommend]
impl OfPrompt for kind::Unsized {}
#[diagnostic::do_not_recommend]
impl OfPrompt for kind::Injected {}
#[diagnostic::do_not_recommend]
impl OfPrompt for kind::Unknown {}

/// Kinds of parameters that can be a variable of a URI.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a variable of the URI is text",
    label = "this parameter is all arguments, or a value of the call or of the server"
)]
pub trait OfVariable {}

#[diagnostic::do_not_recommend]
impl OfVariable for kind::Named {}
#[diagnostic::do_not_recommend]
impl OfVariable for kind::Unsized {}
#[diagnostic::do_not_recommend]
impl OfVariable for kind::Unknown {}

/// Kinds of parameters of a resource that are no variables of its URI.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the URI has no variable of this name",
    label = "a resource is found by its URI alone: write the parameter there, as in `notes://{{id}}`"
)]
pub trait BesideUri {}

#[diagnostic::do_not_recommend]
impl BesideUri for kind::Injected {}
#[diagnostic::do_not_recommend]
impl BesideUri for kind::Unknown {}

/// The place of a parameter of this kind.
#[doc(hidden)]
pub trait Role {
    /// The kind.
    type Kind;
}

impl<T, K, S> Role for Slot<T, K, S> {
    type Kind = K;
}

impl<X: RefParam<K> + ?Sized, K> Role for RefSlot<X, K> {
    type Kind = K;
}

impl<T, X: ?Sized, K, S> Role for LentSlot<T, X, K, S> {
    type Kind = kind::Named;
}

impl<P: Keep + Role, U> Role for Defaulted<P, U> {
    type Kind = P::Kind;
}

// What is nowhere has its error already, so it may stand anywhere.
impl<P> Role for Nowhere<P> {
    type Kind = kind::Unknown;
}

/// Compiles if the two may stand in one signature; the first is written as `Args`.
#[doc(hidden)]
pub fn beside<A: Role, B: Role>(_: &A, _: &B)
where
    A::Kind: Beside<B::Kind>,
{
}

/// Compiles for arguments with a name of their own.
#[doc(hidden)]
pub fn argument<P: Role>(_: &P)
where
    P::Kind: Argument,
{
}

/// Compiles for parameters that need no name.
#[doc(hidden)]
pub fn nameless<P: Role>(_: &P)
where
    P::Kind: Nameless,
{
}

/// Compiles for the parameters of a prompt.
#[doc(hidden)]
pub fn of_prompt<P: Role>(_: &P)
where
    P::Kind: OfPrompt,
{
}

/// Compiles for the variables of a URI.
#[doc(hidden)]
pub fn of_variable<P: Role>(_: &P)
where
    P::Kind: OfVariable,
{
}

/// Compiles for the other parameters of a resource.
#[doc(hidden)]
pub fn beside_uri<P: Role>(_: &P)
where
    P::Kind: BesideUri,
{
}
