//! The stages with damaged tokens: they complain with compile errors, and never panic.
#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, File, Item, ItemFn, Meta};

use crate::noun::Noun;
use crate::{data, expand, list, toolset};

#[allow(dead_code, reason = "it is that of the fuzz tests")]
#[path = "../../../tests/fuzz/dice.rs"]
mod dice;

use dice::Dice;

/// What stands where it should not; each is a token stream by itself.
const PIECES: &str = r##"
    , ; : :: = == -> => & &mut * ? ! # . .. ... | || < > () [] {} + - @ $ ~ _ % (a) (,) (u8,u8)
    [0] [u8] [u8;4] {a} {a:1} {;} <T> <'a> &'a &'static #[cfg(unix)] #[tool] #[doc=""] #[]
    self Self super crate fn pub async unsafe const mut dyn impl where ref move r#type 'a
    'static 1 -1 0 1.5 1e400 99999999999999999999999999999999999999999 0xf 1u8 1_foo "" "x"
    "notes://{id}" "{" "}" "10s" "0s" "99999999999999999999h" "é" "\u{202e}" "\0" "_" b"x" c"x"
    'x' '"' r#"x"# true false name title description read_only destructive idempotent open_world
    timeout task inline icons meta ui scopes krate crate prefix group groups default min max header
    complete skip arg tool prompt resource schemars serde validate cfg doc String Option Vec Context
    State Args Json Result Self u8 f64 str
"##;

/// Pieces with white space.
const SPACED: [&str; 9] = [
    "\"a b\"",
    "dyn Copy + Send",
    "impl Copy",
    "where T: Copy",
    "a: u8",
    "_: &str",
    "fn f() {}",
    "(a b)",
    "{ let a = 1; }",
];

/// The macros of a source, with the attribute's arguments and what it stands on.
#[derive(Clone)]
struct Seed {
    kind: Kind,
    args: TokenStream,
    item: TokenStream,
    /// The program compiles.
    is_right: bool,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Function(Noun),
    Toolset,
    Data,
    List,
}

impl Kind {
    fn of(attribute: &Attribute) -> Option<Self> {
        Some(match &*attribute.path().segments.last()?.ident.to_string() {
            "tool" => Self::Function(Noun::Tool),
            "prompt" => Self::Function(Noun::Prompt),
            "resource" => Self::Function(Noun::Resource),
            "toolset" => Self::Toolset,
            "data" => Self::Data,
            _ => return None,
        })
    }

    fn expand(self, args: TokenStream, item: TokenStream) -> TokenStream {
        match self {
            Self::Function(noun) => expand::function_item(noun, args, item),
            Self::Toolset => toolset::toolset(args, item),
            Self::Data => data::expand(args, item),
            // `tools!` itself writes what is in parentheses.
            Self::List => list::list(Noun::Tool, quote!((::toolwright) #item)),
        }
    }
}

/// What programs write under the macros, right and wrong.
fn seeds() -> Vec<Seed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let mut paths: Vec<_> = ["pass", "fail"]
        .iter()
        .flat_map(|kind| fs::read_dir(folder.join(kind)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect();
    paths.sort();
    let mut seeds = Vec::new();
    for path in paths {
        let is_right = path.parent().unwrap().ends_with("pass");
        let Ok(File { items, .. }) = syn::parse_file(&fs::read_to_string(&path).unwrap()) else {
            assert!(!is_right, "{} is not read", path.display());
            continue;
        };
        items.into_iter().for_each(|item| collect(item, is_right, &mut seeds));
    }
    let list = "add, #[cfg(unix)] more::text, r#type,".parse().unwrap();
    seeds.push(Seed { kind: Kind::List, args: TokenStream::new(), item: list, is_right: true });
    seeds
}

fn collect(mut item: Item, is_right: bool, seeds: &mut Vec<Seed>) {
    let attrs = match &mut item {
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Mod(module) => {
            let items = module.content.take().map(|(_, items)| items);
            return items.into_iter().flatten().for_each(|item| collect(item, is_right, seeds));
        }
        _ => return,
    };
    let Some(at) = attrs.iter().position(|attribute| Kind::of(attribute).is_some()) else { return };
    let attribute = attrs.remove(at);
    let args = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let kind = Kind::of(&attribute).unwrap();
    seeds.push(Seed { kind, args, item: item.to_token_stream(), is_right });
}

/// How many trees there are, inside of groups too.
fn count(tokens: &TokenStream) -> usize {
    let inside = |tree: TokenTree| match tree {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    };
    tokens.clone().into_iter().map(inside).sum()
}

/// Changes the tree with number `at`.
fn damage(
    tokens: TokenStream,
    at: &mut usize,
    change: &mut dyn FnMut(TokenTree) -> Vec<TokenTree>,
) -> TokenStream {
    let mut out = Vec::new();
    for tree in tokens {
        if *at == 0 {
            *at = usize::MAX;
            out.extend(change(tree));
            continue;
        }
        *at -= 1;
        out.push(match tree {
            TokenTree::Group(group) => {
                let stream = damage(group.stream(), at, change);
                let mut changed = Group::new(group.delimiter(), stream);
                changed.set_span(group.span());
                changed.into()
            }
            tree => tree,
        });
    }
    out.into_iter().collect()
}

fn change(dice: &mut Dice, tree: TokenTree, pieces: &[TokenStream]) -> Vec<TokenTree> {
    let piece = pieces[dice.roll(pieces.len())].clone().into_iter();
    match (dice.roll(8), tree) {
        (0 | 1, _) => Vec::new(),
        (2, tree) => vec![tree.clone(), tree],
        (3, tree) => piece.chain([tree]).collect(),
        (4, TokenTree::Group(group)) => group.stream().into_iter().collect(),
        (5, TokenTree::Group(group)) => {
            let all =
                [Delimiter::Brace, Delimiter::Bracket, Delimiter::Parenthesis, Delimiter::None];
            vec![Group::new(dice.pick(&all), group.stream()).into()]
        }
        (6, TokenTree::Group(group)) => {
            let mut inside: Vec<_> = group.stream().into_iter().collect();
            if !inside.is_empty() {
                let at = dice.roll(inside.len());
                inside.rotate_left(at);
            }
            vec![Group::new(group.delimiter(), inside.into_iter().collect()).into()]
        }
        (7, tree) => std::iter::once(tree).chain(piece).collect(),
        _ => piece.collect(),
    }
}

fn damaged(dice: &mut Dice, seed: &Seed, pieces: &[TokenStream]) -> Seed {
    let mut seed = seed.clone();
    for _ in 0..1 + dice.roll(4) {
        let in_args = dice.one_in(3) && !seed.args.is_empty();
        let tokens = if in_args { &mut seed.args } else { &mut seed.item };
        let all = count(tokens);
        if all == 0 {
            break;
        }
        let mut at = dice.roll(all);
        let mut change = |tree| change(dice, tree, pieces);
        *tokens = damage(std::mem::take(tokens), &mut at, &mut change);
    }
    seed
}

/// Expands, and checks what comes out: code that can be read, or a complaint. Bodies are left to
/// the compiler.
fn check(Seed { kind, args, item, .. }: &Seed) -> Result<bool, String> {
    let expanded = || kind.expand(args.clone(), item.clone());
    let wrong = |what: &str| Err(format!("{what}\n  {kind:?}({args})\n  {item}"));
    let Ok(out) = catch_unwind(AssertUnwindSafe(expanded)) else { return wrong("a panic") };
    let has_complaint = out.to_string().contains("compile_error");
    let is_read = match kind {
        // It is an expression.
        Kind::List => syn::parse2::<Expr>(out).is_ok(),
        _ => syn::parse2::<File>(out).is_ok() || !syn_reads_code_for(args, item),
    };
    match has_complaint || is_read {
        true => Ok(has_complaint),
        false => wrong("neither code nor a complaint"),
    }
}

/// True if syn reads all code for this item. The compiler refuses an item that it cannot read
/// before any macro sees it: it reads no field with the name `_`, as syn does. Of a block for `!`
/// or for `dyn Notes +` it reads a `where`, and syn does not; it then refuses the type. It also
/// reads a call of a macro in a module with the name `default`. And syn reads an item, but no file,
/// with an empty invisible group at its end.
fn syn_reads_code_for(args: &TokenStream, item: &TokenStream) -> bool {
    if args.to_string().contains("crate = default") || syn::parse2::<File>(item.clone()).is_err() {
        return false;
    }
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Struct(item)) => {
            item.fields.iter().all(|field| field.ident.as_ref().is_none_or(|name| name != "_"))
        }
        Ok(Item::Impl(item)) => !item.self_ty.to_token_stream().to_string().ends_with(['!', '+']),
        read => read.is_ok(),
    }
}

fn fuzz(seed: u64, rounds: u64) -> u64 {
    let (seeds, mut dice) = (seeds(), Dice::new(seed));
    assert!(seeds.len() > 100, "{} items under a macro", seeds.len());
    let pieces = PIECES.split_whitespace().chain(SPACED);
    let pieces: Vec<TokenStream> = pieces.map(|text| text.parse().expect(text)).collect();
    let mut complaints = 0;
    for number in 0..rounds {
        let at = dice.roll(seeds.len());
        let damaged = damaged(&mut dice, &seeds[at], &pieces);
        match check(&damaged) {
            Ok(has_complaint) => complaints += u64::from(has_complaint),
            Err(fault) => panic!("item {number} of seed {seed}: {fault}"),
        }
    }
    complaints
}

fn setting(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.replace('_', "").parse().ok()).unwrap_or(default)
}

#[test]
fn what_programs_write_is_expanded() {
    let (mut right, mut complaints) = (0, 0);
    for seed in seeds() {
        let has_complaint = check(&seed).unwrap_or_else(|fault| panic!("{fault}"));
        let Seed { kind, args, item, is_right } = seed;
        assert!(!(is_right && has_complaint), "a complaint\n  {kind:?}({args})\n  {item}");
        right += u64::from(is_right);
        complaints += u64::from(has_complaint);
    }
    assert!(right > 100 && complaints > 50, "{right} are right, {complaints} have complaints");
}

/// A file has a macro's name, the arguments, and what it stands on.
#[test]
fn the_kept_tokens_are_expanded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/corpus/stages");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut parts = text.splitn(3, '\n');
        let mut next = || parts.next().unwrap();
        let attribute: TokenStream = format!("#[{}] fn f() {{}}", next()).parse().unwrap();
        let attribute = &syn::parse2::<ItemFn>(attribute).unwrap().attrs[0];
        let kind = Kind::of(attribute).unwrap_or(Kind::List);
        let [args, item] = [next(), next()].map(|text| text.parse::<TokenStream>().unwrap());
        let seed = Seed { kind, args, item, is_right: false };
        check(&seed).unwrap_or_else(|fault| panic!("{fault}"));
        files += 1;
    }
    assert!(files > 3);
}

#[test]
fn random_tokens_are_expanded_or_complained_about() {
    let complaints = fuzz(setting("FUZZ_SEED", 1), 2_000);
    assert!((200..2_000).contains(&complaints), "{complaints} complaints");
}

/// `FUZZ_ITEMS` items, from `FUZZ_SEED` on.
#[test]
#[ignore = "it takes as long as one likes"]
fn many_random_tokens_are_expanded_or_complained_about() {
    let (begin, items) = (Instant::now(), setting("FUZZ_ITEMS", 100_000));
    let complaints = fuzz(setting("FUZZ_SEED", 1_000), items);
    eprintln!("{items} items, {complaints} with complaints, in {:?}", begin.elapsed());
}
