//! `tools!`, `prompts!` and `resources!`: what the attributes make of functions, by their names.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::token::Paren;
use syn::{Attribute, Error, Ident, Path, Result, Token, parenthesized};

use crate::noun::Noun;

const CONDITION: &str = "only `#[cfg(…)]` may stand before a tool here";
const OTHER: &str = "the list has names of functions under `#[tool]`; another `Tool` is added by the \
    builder's `tool`";

/// The list. The tokens begin with the path of the crate toolwright in parentheses.
pub(crate) fn list(noun: Noun, tokens: TokenStream) -> TokenStream {
    let (make, ty, of_function) = (noun.ident(), noun.ty(), noun.function());
    let parser = |input: ParseStream<'_>| {
        let krate;
        parenthesized!(krate in input);
        let krate: TokenStream = krate.parse()?;
        let (mut entries, mut errors) = (Vec::new(), Vec::new());
        while !input.is_empty() {
            match Entry::parse(noun, input) {
                Ok(entry) => entries.push(entry),
                Err(error) => errors.push(error.into_compile_error()),
            }
            // What is left of an entry that cannot be read.
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<TokenTree>()?;
            }
            input.parse::<Option<Token![,]>>()?;
        }
        let entries = entries.iter().map(|Entry { conditions, function }| {
            quote! {
                #(#conditions)*
                <#function as #krate::__private::#of_function>::#make
            }
        });
        // A table and one loop: calls in a row would be a large function, in which each may unwind.
        let list = quote! {
            <#krate::__private::#ty as #krate::__private::Made>::made(const { [#(#entries),*] })
        };
        Ok(if errors.is_empty() { list } else { quote!({ #(#errors;)* #list }) })
    };
    parser.parse2(tokens).unwrap_or_else(Error::into_compile_error)
}

struct Entry {
    conditions: Vec<Attribute>,
    function: Path,
}

impl Entry {
    fn parse(noun: Noun, input: ParseStream<'_>) -> Result<Self> {
        let (condition, other) =
            (noun.said(CONDITION), noun.said(OTHER).replace("`Tool`", &format!("`{}`", noun.ty())));
        let conditions = input.call(Attribute::parse_outer)?;
        if let Some(attr) = conditions.iter().find(|attr| !attr.path().is_ident("cfg")) {
            return Err(Error::new_spanned(attr, condition));
        }
        let at = input.span();
        let function =
            input.call(Path::parse_mod_style).map_err(|error| Error::new(error.span(), &other))?;
        if input.is_empty() || input.peek(Token![,]) {
            return Ok(Self { conditions, function });
        }
        if !input.peek(Paren) {
            return Err(Error::new(at, other));
        }
        let arguments;
        parenthesized!(arguments in input);
        let arguments: TokenStream = arguments.parse()?;
        let message = match arguments.is_empty() {
            true => {
                format!("the list has the name of the function alone: `{}`", name(&function, noun))
            }
            false => other,
        };
        Err(Error::new_spanned(&function, message))
    }
}

/// `add` for `add` and `add::tool`.
fn name(function: &Path, noun: Noun) -> String {
    let mut idents: Vec<&Ident> = function.segments.iter().map(|segment| &segment.ident).collect();
    if idents.len() > 1 && idents.last().is_some_and(|last| *last == noun.name()) {
        idents.pop();
    }
    idents.iter().map(ToString::to_string).collect::<Vec<_>>().join("::")
}
