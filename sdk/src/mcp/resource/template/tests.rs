use super::{UriTemplate, Uris};

fn matched(template: &str, uri: &str) -> Option<String> {
    let template = UriTemplate::parse(template).unwrap();
    let variables = template.matched(uri)?;
    let text = variables.iter().map(|(name, value)| format!("{name}={value}"));
    Some(text.collect::<Vec<_>>().join(" "))
}

#[test]
fn uris_fit_or_do_not() {
    #[rustfmt::skip]
    let rows = [
        ("notes://{id}", "notes://7", Some("id=7")),
        ("notes://{id}", "notes://", None),
        ("notes://{id}", "notes://7/8", None),
        ("notes://{id}", "notes://7?x=1", None),
        ("notes://{id}", "notes://7#x", None),
        ("notes://{id}", "tones://7", None),
        ("notes://{id}/text", "notes://7/text", Some("id=7")),
        ("notes://{id}/text", "notes://7/texts", None),
        ("notes://{id}", "notes://a%20b", Some("id=a b")),
        ("notes://{id}", "notes://a b", Some("id=a b")),
        ("notes://{id}", "notes://%C3%A9", Some("id=é")),
        ("notes://{id}", "notes://é", Some("id=é")),
        ("notes://{id}", "notes://%ff", None),
        ("notes://{id}", "notes://100%", Some("id=100%")),
        ("notes://café/{id}", "notes://caf%c3%a9/1", Some("id=1")),
        ("notes://caf%C3%A9/{id}", "notes://café/1", Some("id=1")),
        ("a:{name}.{kind}", "a:x.tar.gz", Some("name=x.tar kind=gz")),
        ("a:{name}.{kind}", "a:x.", None),
        ("fx:{from}2{to}", "fx:km2us%20mi", Some("from=km to=us mi")),
        ("fx:{from}2{to}", "fx:m²2ft²", Some("from=m² to=ft²")),
        ("a:{x}0", "a:b%20", None),
        ("a:{x}0", "a:b%200", Some("x=b ")),
        ("a:{+x}C3{y}", "a:é", None),
        ("file:///{+path}", "file:///a/b.txt", Some("path=a/b.txt")),
        ("file:///{+path}", "file:///a%2Fb", Some("path=a/b")),
        ("file:///{+path}", "file:///", None),
        ("x:{+path}/{name}", "x:a/b/c", Some("path=a/b name=c")),
        ("x:{+path}?raw", "x:a?b?raw", Some("path=a?b")),
        ("s:find{?q,limit}", "s:find", Some("")),
        ("s:find{?q,limit}", "s:find?limit=3&q=a%26b", Some("limit=3 q=a&b")),
        ("s:find{?q,limit}", "s:find?q=1&q=2&other=3", Some("q=1")),
        ("s:find{?q}", "s:find?q", Some("q=")),
        ("s:{kind}{?q}", "s:all?q=x", Some("kind=all q=x")),
        ("plain:uri", "plain:uri", Some("")),
        ("plain:uri", "plain:uris", None),
    ];
    for (template, uri, expected) in rows {
        assert_eq!(matched(template, uri).as_deref(), expected, "{template} {uri}");
    }
}

#[test]
fn no_value_leads_out_of_a_directory() {
    let segments =
        ["..", ".", "%2e%2e", "%2E.", "a%2Fb", "..%2F..", "a%5Cb", "a\\b", "a%00b", "%00"];
    for value in segments {
        assert_eq!(matched("d:{x}", &format!("d:{value}")), None, "{value}");
        assert_eq!(matched("d:{x}/end", &format!("d:{value}/end")), None, "{value}");
    }
    for value in ["../a", "a/..", "a/%2e%2e/b", "a/./b", "a%2F..", "a%5Cb", "a%00"] {
        assert_eq!(matched("d:{+x}", &format!("d:{value}")), None, "{value}");
    }
    for value in ["/etc/passwd", "%2Fetc/passwd", "/"] {
        assert_eq!(matched("d:{+x}", &format!("d:{value}")), None, "{value}");
        assert_eq!(matched("d:///{+x}", &format!("d:///{value}")), None, "{value}");
        assert_eq!(matched("d:{?x}", &format!("d:?x={value}")), None, "{value}");
    }
    for value in ["...", "a..b", ".a", "..a/b.", "a//b", "a/"] {
        assert!(matched("d:{+x}", &format!("d:{value}")).is_some(), "{value}");
    }
}

#[test]
fn templates_that_cannot_be_matched_are_refused() {
    let rows = [
        ("notes", "it must begin with a scheme such as `notes:` (RFC 3986)"),
        ("1a:b", "it must begin with a scheme such as `notes:` (RFC 3986)"),
        ("{scheme}:a", "it must begin with a scheme such as `notes:` (RFC 3986)"),
        ("a:{x", "a `{` of it has no `}`"),
        ("a:x}", "a `}` of it has no `{`"),
        ("a:}b{x}", "a `}` of it has no `{`"),
        ("a:{x}}{?y}", "a `}` of it has no `{`"),
        ("a:{x}{y}", "between two of its variables must be other text"),
        ("a:{x}-{x}", "its variable `x` is there twice"),
        ("a:{x}{?x}", "its variable `x` is there twice"),
        ("a:{?x}/b", "`{?…}` must be at its end"),
        ("a:{?x}{y}", "`{?…}` must be at its end"),
        ("a:?b{?x}", "it has both a `?` and `{?…}`"),
        ("a:{}", "`{}` is not one of `{x}`, `{+x}` and `{?a,b}` of RFC 6570"),
        ("a:{/x}", "`{/x}` is not one of `{x}`, `{+x}` and `{?a,b}` of RFC 6570"),
        ("a:{x*}", "`{x*}` is not one of `{x}`, `{+x}` and `{?a,b}` of RFC 6570"),
        ("a:{x:3}", "`{x:3}` is not one of `{x}`, `{+x}` and `{?a,b}` of RFC 6570"),
        ("a:{#x}", "`{#x}` is not one of `{x}`, `{+x}` and `{?a,b}` of RFC 6570"),
        ("a:{x,y}", "`{x,y}` is not one of `{x}`, `{+x}` and `{?a,b}` of RFC 6570"),
        ("a:{é}", "`{é}` is not one of `{x}`, `{+x}` and `{?a,b}` of RFC 6570"),
    ];
    for (template, expected) in rows {
        assert_eq!(UriTemplate::parse(template).unwrap_err(), expected, "{template}");
    }
}

#[test]
fn a_long_uri_takes_no_long_time() {
    let uri = format!("a:{}", "-".repeat(8_000));
    assert_eq!(matched("a:{+a}-{+b}-{+c}-{+d}-x", &uri), None);
    assert!(matched("a:{+a}-{+b}-{+c}-{+d}", &uri).is_some());
    assert_eq!(matched("a:{+a}", &format!("a:{}", "-".repeat(10_000))), None);
}
