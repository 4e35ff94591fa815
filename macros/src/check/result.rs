//! The result of a function that becomes a tool.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{
    AssocType, Error, GenericArgument, PathArguments, ReturnType, Signature, Token, Type,
    TypeParamBound,
};

use crate::complaints::Complaints;
use crate::lent::{has_impl, peeled};

const IMPL: &str = "a tool's result needs a type: write it instead of `impl`";

pub(super) fn check_result(sig: &Signature, complaints: &mut Complaints) {
    let ReturnType::Type(_, ty) = &sig.output else { return };
    if let Some(output) = output_of(ty) {
        let why = complaints.noun.said("the macro must see that this tool is async");
        let error = format!("{why}: write `async fn {}(…) -> {}`", sig.ident, spelled(output));
        complaints.push(Error::new_spanned(ty, error));
    } else if has_impl(ty) {
        complaints.add(ty, IMPL);
    }
}

/// The `T` of `impl Future<Output = T>` and of `Pin<Box<dyn Future<Output = T>>>`.
fn output_of(ty: &Type) -> Option<&Type> {
    match peeled(ty) {
        Type::ImplTrait(ty) => output_among(&ty.bounds),
        Type::TraitObject(ty) => output_among(&ty.bounds),
        Type::Path(ty) => {
            let last = ty
                .path
                .segments
                .last()
                .filter(|last| ["Pin", "Box"].iter().any(|it| last.ident == it))?;
            let PathArguments::AngleBracketed(args) = &last.arguments else { return None };
            args.args.iter().find_map(|arg| match arg {
                GenericArgument::Type(ty) => output_of(ty),
                _ => None,
            })
        }
        _ => None,
    }
}

fn output_among(bounds: &Punctuated<TypeParamBound, Token![+]>) -> Option<&Type> {
    let mut traits = bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last(),
        _ => None,
    });
    let future = traits.find(|segment| segment.ident == "Future")?;
    let PathArguments::AngleBracketed(args) = &future.arguments else { return None };
    args.args.iter().find_map(|arg| match arg {
        GenericArgument::AssocType(AssocType { ident, ty, .. }) if ident == "Output" => Some(ty),
        _ => None,
    })
}

/// A type as a person writes it: the compiler puts spaces between all tokens.
fn spelled(ty: &Type) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (spaced, close) in [(" < ", "<"), (" >", ">"), (" ,", ","), (" :: ", "::"), ("& ", "&")] {
        text = text.replace(spaced, close);
    }
    text
}
