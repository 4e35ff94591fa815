use proc_macro2::TokenStream;

use super::{TOO_LARGE, sized};

/// The tokens as text, with what got a type, and `<…>` for what is calculated.
fn with_types(json: &str) -> String {
    let tokens: Option<TokenStream> = json.parse().ok();
    let check = format!(
        " ; const _ : () = :: core :: assert ! (- (1 << 63) <= IT && IT < (1 << 64) , \
         {TOO_LARGE:?}) ; IT }})"
    );
    let sized = sized(tokens.unwrap_or_default()).to_string();
    sized.replace("({ const IT : i128 = ", "<").replace(&check, ">")
}

#[test]
fn large_integers_get_a_type_where_json_has_one() {
    for (json, sized) in [
        ("3000000000", "3000000000i64"),
        ("- 3000000000", "- 3000000000i64"),
        ("18446744073709551615", "18446744073709551615u64"),
        ("(3000000000)", "(3000000000i64)"),
        (
            "{ \"a\" : [null , true , false , 3000000000] }",
            "{ \"a\" : [null , true , false , 3000000000i64] }",
        ),
        ("- 9223372036854775808", "- 9223372036854775808i64"),
        ("[LIMIT , 3000000000]", "[LIMIT , 3000000000i64]"),
        (
            "{ \"a\" : a :: LIMIT , \"b\" : 3000000000 }",
            "{ \"a\" : a :: LIMIT , \"b\" : 3000000000i64 }",
        ),
        ("4 * 1024", "<4i128 * 1024i128>"),
        ("1 << 0x28", "<1i128 << 40i128>"),
        ("- (3 * (2 + 1))", "<- (3i128 * (2i128 + 1i128))>"),
        ("[1 + 3000000000]", "[<1i128 + 3000000000i128>]"),
        ("1 + 9223372036854775808", "<1i128 + 9223372036854775808i128>"),
        ("[{ } , { \"a\" : [] , }]", "[{ } , { \"a\" : [] , }]"),
        ("[[0 ; 3] , 3000000000]", "[([0 ; 3]) , 3000000000i64]"),
        // The compiler says which number is too large for which type.
        ("18446744073709551616", "18446744073709551616u64"),
        ("- 9223372036854775809", "- 9223372036854775809i64"),
        // Each of these has a type already.
        ("2147483647", "2147483647"),
        ("3000000000u32", "3000000000u32"),
        ("3000000000.0", "3000000000.0"),
        // Rust finds the type of these.
        ("LIMIT + 3000000000", "LIMIT + 3000000000"),
        ("4 * 1024 as u64", "4 * 1024 as u64"),
        ("4 * 1024u64", "4 * 1024u64"),
        ("2 * 0.5", "2 * 0.5"),
        ("[f (3000000000)]", "[f (3000000000)]"),
        ("S { a : 3000000000 }", "S { a : 3000000000 }"),
    ] {
        assert_eq!(with_types(json), sized);
    }
}
