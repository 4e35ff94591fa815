//! `JsonSchema` for a struct that `#[data]` understands.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Path, Type};

use super::record::{Field, Record};
use crate::lent::inside;

pub(super) fn schema(record: &Record<'_>, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private);
    let Record { ident, doc, is_closed, fields } = record;
    let name = ident.unraw().to_string();
    let fields = fields.iter().map(|field| entry(field, &private));
    quote! {
        #[automatically_derived]
        impl #private::schemars::JsonSchema for #ident {
            fn schema_name() -> #private::Cow<'static, str> {
                #private::Cow::Borrowed(#name)
            }
            fn schema_id() -> #private::Cow<'static, str> {
                #private::Cow::Borrowed(::core::concat!(::core::module_path!(), "::", #name))
            }
            fn json_schema(
                generator: &mut #private::schemars::SchemaGenerator,
            ) -> #private::schemars::Schema {
                #private::record(generator, const {
                    #[allow(unused_imports)]
                    use #private::NoWrapper as _;
                    &#private::Record { doc: #doc, is_closed: #is_closed, fields: &[#(#fields),*] }
                })
            }
        }
    }
}

fn entry(field: &Field<'_>, private: &TokenStream) -> TokenStream {
    let Field { ty, name, doc, has_default, .. } = field;
    let shape = shape(ty, private);
    match has_default {
        true => quote_spanned! {ty.span()=>
            #private::Field::with_default::<#ty>(#name, #doc, #shape)
        },
        false => quote_spanned! {ty.span()=>
            #private::Field::new(#name, #doc, #shape, <#private::Wrapper<#ty>>::MAY_BE_ABSENT)
        },
    }
}

/// The shape of a type. What stands in a `Vec` or an `Option` has one of its own; if these names
/// stand for other types, a constant says so.
fn shape(ty: &Type, private: &TokenStream) -> TokenStream {
    let whole = quote_spanned!(ty.span()=> #private::Shape::of::<#ty>());
    let Some((_, inner)) = inside(ty) else { return whole };
    let inner = shape(inner, private);
    quote_spanned! {ty.span()=>
        #private::Shape::around(
            <#private::Wrapper<#ty>>::KIND,
            const { &#inner },
            #whole,
        )
    }
}
