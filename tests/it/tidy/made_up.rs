//! The checker of the order on small packages, each of which is about one way to use a module.

use super::order::Arrows;
use super::package::Package;

/// The arrows of a package that consists of these files.
fn arrows(files: &[(&str, &str)]) -> Arrows {
    let file =
        |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.to_string());
    let mut arrows = Arrows::default();
    arrows.read("p", &Package::read("made_up", &file));
    arrows
}

/// Whether `a.rs` with this text uses `b`, in a package where `b` is a folder with the file `c`.
fn uses_b(a: &str) -> bool {
    let arrows = arrows(&[
        (
            "lib.rs",
            "mod a; mod b; pub use b::Passed; pub(crate) use b::Passed as Other; struct Own;",
        ),
        ("a.rs", a),
        ("b/mod.rs", "mod c; pub use c::*; pub struct Here; pub fn call() {}"),
        ("b/c.rs", "pub struct Passed; macro_rules! made { () => {} } pub(crate) use made;"),
    ]);
    arrows.has("p/a", "p/b")
}

#[test]
fn every_way_to_use_a_module_is_seen() {
    for text in [
        "use crate::b::Here;",
        "use made_up::b::Here;",
        "use super::b;",
        "use super::{\n    b::{\n        c::{self as d},\n    },\n};",
        "use super::b::*;",
        "pub(crate) use super::b::Here;",
        "pub(in crate::a) use crate::b::made;",
        "fn f() { crate::b::call(); }",
        "fn f(_: Vec<super::b::Here>) {}",
        "fn f() -> T { T { ..super::b::call() } }",
        "fn f() { use super::b; }",
        "fn f() { println!(\"{:?}\", crate::b::Here) }",
        "macro_rules! m { () => { $crate::b::call() } }",
        "#[serde(default = \"crate::b::call\")] struct S;",
        "mod inner { use super::super::b::Here; }",
        // What the parent passes on is what the child has.
        "use super::Passed;",
        "use super::Other;",
        "use crate::{Other as Third};",
    ] {
        assert!(uses_b(text), "{text}");
    }
}

#[test]
fn what_is_no_use_is_not_seen() {
    for text in [
        "",
        "// use super::b;",
        "/// [`crate::b::Here`]\nstruct S;",
        "const TEXT: &str = \"use crate::b::Here;\";",
        "use super::Own;",
        "use serde::b::Here;",
        "pub(in crate::b) fn f() {}",
        "fn f(b: B) { b.call(); x.b::<u8>(); }",
        "fn f() -> impl Sized + use<'_> {}",
        "#[cfg(test)] use super::b::{self};",
        "#[cfg(test)] mod tests { use crate::b::Here; }",
        "#[cfg(test)]\n#[path = \"x\"]\nmod tests;",
    ] {
        assert!(!uses_b(text), "{text}");
    }
}

#[test]
fn two_files_that_use_each_other_are_a_cycle_with_all_its_lines() {
    let cycles = arrows(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B;\npub struct A;\n\nfn f() { crate::b::f() }"),
        ("b.rs", "\nuse crate::a::A; use crate::c::C; pub struct B; fn f() {}"),
        ("c.rs", "pub struct C;"),
    ])
    .cycles();
    let expected = "  p/a -> p/b\n      a.rs: {1, 4}\n  p/b -> p/a\n      b.rs: {2}\n".to_string();
    assert_eq!(cycles, [expected]);
}

#[test]
fn a_longer_way_round_is_a_cycle_too() {
    let cycles = arrows(&[
        ("lib.rs", "mod a; mod b; mod x;"),
        ("a/mod.rs", "mod deep;"),
        ("a/deep.rs", "use crate::b::B;"),
        ("b.rs", "use crate::x::X; pub struct B;"),
        ("x.rs", "use crate::a::deep; pub struct X;"),
    ])
    .cycles();
    assert_eq!(cycles.len(), 1);
    assert_eq!(cycles[0].matches("->").count(), 3, "{}", cycles[0]);
}

#[test]
fn a_folder_may_pass_on_its_files_but_not_use_one_that_uses_it() {
    let of = |parent: &str, child: &str| {
        arrows(&[("lib.rs", "mod a;"), ("a/mod.rs", parent), ("a/b.rs", child)]).cycles().len()
    };
    let (user, independent) = ("use super::Own; pub struct B;", "pub struct B;");
    assert_eq!(of("mod b; pub use b::B; pub struct Own;", user), 0);
    assert_eq!(of("mod b; use b::B; pub struct Own(B);", independent), 0);
    assert_eq!(of("mod b; use b::B; pub struct Own(B);", user), 1);
    assert_eq!(of("mod b; pub use b::B; pub struct Own(B);", user), 1);
    assert_eq!(of("mod b; pub struct Own(b::B);", user), 1);
    assert_eq!(of("mod b; made!(Own); fn f() { b::f() }", user), 1);
}
