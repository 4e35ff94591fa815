//! What a source file declares and which paths it names, read from its tokens.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// One module: a file, or an in-line `mod name { .. }` of one.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// `mod name;`
    pub(super) children: Vec<String>,
    /// `mod name { .. }`
    pub(super) inline: Vec<(String, Module)>,
    /// The items that it defines.
    pub(super) items: Vec<String>,
    pub(super) imports: Vec<Import>,
    /// The paths outside of `use`; those with one segment too.
    pub(super) paths: Vec<(Vec<String>, usize)>,
}

/// One name that a `use` brings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Import {
    pub(super) path: Vec<String>,
    /// What it is called here; `None` for a glob.
    pub(super) name: Option<String>,
    pub(super) is_public: bool,
    pub(super) line: usize,
}

/// Reads the production code of a file: what stands behind `#[cfg(test)]` is left out.
pub(super) fn read(text: &str) -> Module {
    let tokens: TokenStream = text.parse().expect("the file is Rust");
    let mut module = Module::default();
    module.walk(&tokens.into_iter().collect::<Vec<_>>(), true);
    module
}

impl Module {
    /// The import that brings a name.
    pub(super) fn imported(&self, name: &str) -> Option<&Import> {
        self.imports.iter().find(|import| import.name.as_deref() == Some(name))
    }

    fn walk(&mut self, tokens: &[TokenTree], is_item_level: bool) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at = match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => self.attribute(tokens, at + 1),
                TokenTree::Ident(_) => self.word(tokens, at, is_item_level),
                TokenTree::Group(group) => {
                    // The items that a macro is given become items of the module.
                    let is_macro = at > 0 && is_punct(tokens.get(at - 1), '!');
                    self.walk(&trees(group.stream()), is_item_level && is_macro);
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    /// An attribute from its brackets on. An item behind `#[cfg(test)]` is skipped with it.
    fn attribute(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let at = if is_punct(tokens.get(at), '!') { at + 1 } else { at };
        let Some(TokenTree::Group(group)) = tokens.get(at) else { return at };
        if group.stream().to_string().replace(' ', "") == "cfg(test)" {
            let is_use = (at..at + 4).any(|at| ident(tokens.get(at)).as_deref() == Some("use"));
            let ends = |token: &TokenTree| match token {
                TokenTree::Punct(punct) => punct.as_char() == ';',
                TokenTree::Group(group) => !is_use && group.delimiter() == Delimiter::Brace,
                _ => false,
            };
            return tokens[at..].iter().position(ends).map_or(tokens.len(), |end| at + end + 1);
        }
        let inner = trees(group.stream());
        if ident(inner.first()).as_deref() != Some("doc") {
            self.walk(&inner, false);
            self.texts(&inner);
        }
        at + 1
    }

    /// The paths that an attribute gives as text, as serde's do.
    fn texts(&mut self, tokens: &[TokenTree]) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.texts(&trees(group.stream())),
                TokenTree::Literal(literal) => {
                    let (text, line) = (literal.to_string(), literal.span().start().line);
                    let path = text.trim_matches('"').split("::").map(str::to_owned);
                    let path: Vec<_> = path.collect();
                    if path.len() > 1 {
                        self.paths.push((path, line));
                    }
                }
                _ => {}
            }
        }
    }

    /// A keyword with what belongs to it, or a path. Gives where to go on.
    fn word(&mut self, tokens: &[TokenTree], at: usize, is_item_level: bool) -> usize {
        let word = ident(tokens.get(at)).unwrap_or_default();
        let next = ident(tokens.get(at + 1));
        match (word.as_str(), next) {
            // `impl Trait + use<'a>` imports nothing.
            ("use", _) if !is_punct(tokens.get(at + 1), '<') => self.import(tokens, at),
            ("pub", _) => match tokens.get(at + 1) {
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                    at + 2
                }
                _ => at + 1,
            },
            ("mod", Some(name)) => match tokens.get(at + 2) {
                Some(TokenTree::Group(group)) => {
                    let mut inline = Self::default();
                    inline.walk(&trees(group.stream()), true);
                    self.inline.push((name, inline));
                    at + 3
                }
                _ => {
                    self.children.push(name);
                    at + 3
                }
            },
            ("macro_rules", _) => {
                self.items.extend(ident(tokens.get(at + 2)));
                at + 3
            }
            ("fn" | "struct" | "enum" | "trait" | "type" | "const" | "static", Some(name)) => {
                if is_item_level {
                    self.items.push(name);
                }
                // The name itself can be a keyword: `const fn`.
                at + 1
            }
            _ => self.path(tokens, at),
        }
    }

    fn path(&mut self, tokens: &[TokenTree], start: usize) -> usize {
        let mut at = start + 1;
        let mut path: Vec<_> = ident(tokens.get(start)).into_iter().collect();
        while let (true, Some(name)) = (is_colons(tokens, at), ident(tokens.get(at + 2))) {
            path.push(name);
            at += 3;
        }
        // The rest of `<T>::name`, a field or a method, but no `..name`.
        let is_before = |back: usize, c| start >= back && is_punct(tokens.get(start - back), c);
        let is_rest =
            is_before(1, ':') && is_before(2, ':') || is_before(1, '.') && !is_before(2, '.');
        if !is_rest {
            self.paths.push((path, tokens[start].span().start().line));
        }
        at
    }

    fn import(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let is_public = at > 0
            && (ident(tokens.get(at - 1)).as_deref() == Some("pub")
                || ident(tokens.get(at.wrapping_sub(2))).as_deref() == Some("pub"));
        let is_end = |token: &TokenTree| is_punct(Some(token), ';');
        let end = tokens[at..].iter().position(is_end).map_or(tokens.len(), |end| at + end);
        self.tree(&tokens[at + 1..end], &[], is_public);
        end + 1
    }

    /// One tree of a `use` declaration below `prefix`.
    fn tree(&mut self, tokens: &[TokenTree], prefix: &[String], is_public: bool) {
        let mut path = prefix.to_vec();
        let mut name = None;
        let mut at = 0;
        let mut line = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Group(group) => {
                    let inner = trees(group.stream());
                    for tree in inner.split(|token| is_punct(Some(token), ',')) {
                        self.tree(tree, &path, is_public);
                    }
                    return;
                }
                TokenTree::Ident(word) if word == "as" => {
                    name = ident(tokens.get(at + 1));
                    at += 1;
                }
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == '*' => {
                    let line = punct.span().start().line;
                    self.imports.push(Import { path, name: None, is_public, line });
                    return;
                }
                _ => {}
            }
            line = token.span().start().line;
            at += 1;
        }
        let name = name.or_else(|| path.last().cloned());
        if path.len() > prefix.len() || !tokens.is_empty() {
            self.imports.push(Import { path, name, is_public, line });
        }
    }
}

fn trees(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

fn ident(token: Option<&TokenTree>) -> Option<String> {
    match token {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}
