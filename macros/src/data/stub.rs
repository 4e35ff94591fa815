//! What stands for the three derives after a mistake, so that the uses of the type cause no further
//! errors.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, Fields, Path, parse_quote};

use super::check::{derives, is_derived};

pub(super) fn stub(mut item: DeriveInput, krate: &Path) -> TokenStream {
    strip(&mut item);
    let ident = &item.ident;
    let private = quote!(#krate::__private);
    let mut with_de = item.generics.clone();
    with_de.params.insert(0, parse_quote!('de));
    let (generics, args, bounds) = item.generics.split_for_impl();
    let (with_de, ..) = with_de.split_for_impl();
    let form = item.generics.params.is_empty().then(|| quote!(impl #private::Form for #ident {}));
    quote! {
        #item
        #[automatically_derived]
        impl #generics #private::serde::Serialize for #ident #args #bounds {
            fn serialize<__S: #private::serde::Serializer>(
                &self,
                _: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                ::core::unreachable!()
            }
        }
        #[automatically_derived]
        impl #with_de #private::serde::Deserialize<'de> for #ident #args #bounds {
            fn deserialize<__D: #private::serde::Deserializer<'de>>(
                _: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                ::core::unreachable!()
            }
        }
        #[automatically_derived]
        impl #generics #private::schemars::JsonSchema for #ident #args #bounds {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::core::unreachable!()
            }
            fn json_schema(
                _: &mut #private::schemars::SchemaGenerator,
            ) -> #private::schemars::Schema {
                ::core::unreachable!()
            }
        }
        #form
    }
}

/// Removes what only the three derives read, and what would derive again.
fn strip(item: &mut DeriveInput) {
    let rest = |attr: &mut Attribute| {
        let paths = derives(attr);
        if paths.iter().any(is_derived) {
            let paths = paths.iter().filter(|path| !is_derived(path)).map(Path::to_token_stream);
            *attr = parse_quote!(#[derive(#(#paths),*)]);
        }
        !["serde", "schemars", "data"].iter().any(|name| attr.path().is_ident(name))
    };
    let of_fields = |fields: &mut Fields| {
        fields.iter_mut().for_each(|field| field.attrs.retain_mut(rest));
    };
    item.attrs.retain_mut(rest);
    match &mut item.data {
        Data::Struct(data) => of_fields(&mut data.fields),
        Data::Enum(data) => data.variants.iter_mut().for_each(|variant| {
            variant.attrs.retain_mut(rest);
            of_fields(&mut variant.fields);
        }),
        Data::Union(data) => {
            data.fields.named.iter_mut().for_each(|field| field.attrs.retain_mut(rest));
        }
    }
}
