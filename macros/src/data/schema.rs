//! `JsonSchema` for a type that `#[data]` understands.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, Path, Type};

use super::record::{Field, Record};
use super::untagged::{Untagged, Variant};
use crate::lent::inside;

pub(super) fn schema(record: &Record<'_>, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private);
    let Record { ident, doc, is_closed, fields } = record;
    let fields = fields.iter().map(|field| entry(field, &private));
    let table = quote! {
        #private::Record { doc: #doc, is_closed: #is_closed, fields: &[#(#fields),*] }
    };
    implementation(ident, &quote!(#private::record), &table, &private)
}

pub(super) fn of_untagged(untagged: &Untagged<'_>, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private);
    let Untagged { ident, doc, variants } = untagged;
    let variants = variants.iter().map(|Variant { name, doc, ty }| {
        let shape = shape(ty, &private);
        quote!(#private::Variant { name: #name, doc: #doc, shape: #shape })
    });
    let table = quote!(#private::Untagged { doc: #doc, variants: &[#(#variants),*] });
    implementation(ident, &quote!(#private::untagged), &table, &private)
}

/// What `function` makes of a table.
fn implementation(
    ident: &Ident,
    function: &TokenStream,
    table: &TokenStream,
    private: &TokenStream,
) -> TokenStream {
    let name = ident.unraw().to_string();
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
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
                #function(generator, const {
                    #[allow(unused_imports)]
                    use #private::NoWrapper as _;
                    &#table
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
