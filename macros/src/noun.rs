//! What an attribute makes of a function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Attribute, Error, Path};

use crate::nearest;

/// A tool, a prompt or a resource.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Noun {
    #[default]
    Tool,
    Prompt,
    Resource,
}

impl Noun {
    pub(crate) const ALL: [Self; 3] = [Self::Tool, Self::Prompt, Self::Resource];

    /// The name of the attribute.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
        }
    }

    pub(crate) fn ident(self) -> Ident {
        Ident::new(self.name(), Span::call_site())
    }

    /// The keys of the attribute, in the order in which a message lists them.
    pub(crate) fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Tool => &[
                "name",
                "title",
                "description",
                "read_only",
                "destructive",
                "idempotent",
                "open_world",
                "scopes",
                "timeout",
                "task",
                "inline",
                "icon",
                "meta",
                "always_load",
                "search_hint",
                "max_result_chars",
                "ui",
                "visibility",
                "crate",
            ],
            Self::Prompt => {
                &["name", "title", "description", "timeout", "inline", "icon", "meta", "crate"]
            }
            Self::Resource => &[
                "name",
                "title",
                "description",
                "mime",
                "size",
                "ttl",
                "cache_scope",
                "audience",
                "priority",
                "last_modified",
                "timeout",
                "inline",
                "icon",
                "meta",
                "crate",
            ],
        }
    }

    /// What to say of a key that the attribute does not have.
    pub(crate) fn unknown(self, key: &Ident) -> Error {
        let has = |noun: &Self| noun.keys().iter().any(|known| key == known);
        let Some(other) = Self::ALL.into_iter().find(has) else {
            return nearest::unknown(key, self.name(), self.keys());
        };
        let (own, other, keys) = (self.name(), other.name(), self.keys().join(", "));
        let what =
            format!("`{key}` is a key of #[{other}] and not of #[{own}], whose keys are {keys}");
        Error::new(key.span(), what)
    }

    /// A message about tools, about this. It has no words of the user's.
    pub(crate) fn said(self, message: &str) -> String {
        let mut parts = message.split("tool");
        let mut said = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            // The word is not changed in `toolset`.
            said.extend([if part.starts_with("set") { "tool" } else { self.name() }, part]);
        }
        said
    }

    /// The module with what the expansion needs for the result.
    pub(crate) fn module(self, private: &TokenStream) -> TokenStream {
        match self {
            Self::Tool => quote!(#private),
            Self::Prompt => quote!(#private::prompt),
            Self::Resource => quote!(#private::resource),
        }
    }

    /// The type that a registry holds.
    pub(crate) fn ty(self) -> Ident {
        let name = match self {
            Self::Tool => "Tool",
            Self::Prompt => "Prompt",
            Self::Resource => "Resource",
        };
        Ident::new(name, Span::call_site())
    }

    /// The trait of the type beside a function.
    pub(crate) fn function(self) -> Ident {
        Ident::new(&format!("{}Function", self.ty()), Span::call_site())
    }

    /// What an attribute with this path makes.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        let last = &path.segments.last()?.ident;
        Self::ALL.into_iter().find(|noun| last == noun.name())
    }

    pub(crate) fn of(attr: &Attribute) -> Option<Self> {
        Self::of_path(attr.path())
    }
}
