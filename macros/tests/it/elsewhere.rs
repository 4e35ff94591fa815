//! The crate under another name, and user items with the same names as those of the crate.

use toolwright::{Tool, json};

use super::text;

/// What a framework built on toolwright might do.
mod facade {
    pub(crate) use ::toolwright as tools_of_mine;
}

mod renamed {
    use crate::elsewhere::facade::tools_of_mine::{data, tool, toolset};

    #[data(crate = crate::elsewhere::facade::tools_of_mine)]
    pub(crate) struct Point {
        x: f64,
        y: Option<f64>,
    }

    #[tool(crate = crate::elsewhere::facade::tools_of_mine, read_only)]
    pub(crate) async fn length(point: &Point, scale: f64) -> f64 {
        (point.x + point.y.unwrap_or_default()) * scale
    }

    #[toolset(crate = crate::elsewhere::facade::tools_of_mine)]
    impl Point {
        #[tool]
        fn width(&self) -> f64 {
            self.x
        }
    }

    pub(crate) fn point() -> Point {
        Point { x: 1.0, y: None }
    }
}

/// What a macro of such a framework might write.
mod by_macro {
    macro_rules! resized {
        ($name:ident) => {
            #[data(crate = $crate::elsewhere::facade::tools_of_mine)]
            pub(crate) struct Size {
                width: u32,
            }

            #[data(crate = $crate::elsewhere::facade::tools_of_mine)]
            #[serde(untagged)]
            pub(crate) enum Times {
                Whole(u32),
                Named(Name),
            }

            #[data(crate = $crate::elsewhere::facade::tools_of_mine)]
            pub(crate) enum Name {
                Twice,
            }

            #[tool(crate = $crate::elsewhere::facade::tools_of_mine)]
            pub(crate) fn $name(
                size: Size,
                #[schemars(extend("x-unit" = "px"))] more: u32,
                #[schemars(extend("x-many" = true))] times: Times,
            ) -> u32 {
                let times = match times {
                    Times::Whole(times) => times,
                    Times::Named(Name::Twice) => 2,
                };
                size.width * times + more
            }
        };
    }

    use crate::elsewhere::facade::tools_of_mine::{data, tool};

    resized!(resize);
}

#[test]
fn a_macro_may_name_the_crate() {
    let arguments = json!({"size": {"width": 3}, "more": 1, "times": "Twice"});
    assert_eq!(text(by_macro::resize::tool(), arguments), "7");
}

#[test]
fn the_crate_may_have_another_name() {
    assert_eq!(text(renamed::length::tool(), json!({"point": {"x": 1}, "scale": 2})), "2");
    assert_eq!(text(Tool::of_toolset(renamed::point()).remove(0), json!({})), "1");
}

/// An expansion must use none of these.
#[allow(dead_code, unused_imports, unused_macros)]
mod shadowed {
    use ::toolwright::{Args, data, tool, toolset};

    pub(crate) struct Result;
    pub(crate) struct Box;
    pub(crate) struct Vec;
    pub(crate) enum Option {
        None,
    }
    pub(crate) use self::Option::None;
    pub(crate) struct Some;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) trait Send {}
    pub(crate) trait Default {}
    pub(crate) trait Future {}
    pub(crate) mod core {}
    pub(crate) mod std {}
    pub(crate) mod alloc {}
    pub(crate) mod serde {}
    pub(crate) mod schemars {}
    pub(crate) mod serde_json {}
    pub(crate) mod toolwright {}
    pub(crate) type String = ::std::string::String;
    macro_rules! concat {
        () => {};
    }
    pub(crate) use concat;

    /// Words of the type.
    #[data]
    pub(crate) enum Choice {
        /// The one.
        One,
        Other {
            value: u8,
            more: ::std::option::Option<u8>,
        },
    }

    #[data]
    pub(crate) struct Whole {
        pub(crate) choice: Choice,
    }

    #[data]
    pub(crate) struct Decoder {
        pub(crate) bits: u8,
    }

    #[data]
    pub(crate) struct Stream {
        decoder: Decoder,
    }

    #[tool]
    pub(crate) fn bits(stream: Stream) -> u8 {
        stream.decoder.bits
    }

    /// Add.
    #[tool(read_only, title = "Add", timeout = "1s", icon = "https://example.com", meta("a" = [1, 2]))]
    pub(crate) async fn add(
        a: u8,
        choice: Choice,
        text: &str,
    ) -> ::std::result::Result<String, ::std::fmt::Error> {
        let more = match choice {
            Choice::One => 1,
            Choice::Other { value, more } => value + more.unwrap_or(0),
        };
        ::std::result::Result::Ok(::std::format!("{} {text}", a + more))
    }

    #[tool]
    pub(crate) fn whole(Args(whole): Args<Whole>) -> bool {
        ::std::matches!(whole.choice, Choice::One)
    }

    pub(crate) struct Set(pub(crate) u8);

    #[toolset(groups(more))]
    impl Set {
        #[tool]
        async fn start(&self, this: u8, tools: u8) -> u8 {
            self.0 + this + tools
        }
    }

    #[toolset(group = more)]
    impl Set {
        #[tool]
        fn tools(&self) {}
    }
}

#[test]
fn names_of_the_user_do_not_disturb() {
    let arguments = json!({"a": 1, "choice": {"Other": {"value": 2}}, "text": "t"});
    assert_eq!(text(shadowed::add::tool(), arguments), "3 t");
    assert_eq!(text(shadowed::whole::tool(), json!({"choice": "One"})), "true");
    assert_eq!(text(shadowed::bits::tool(), json!({"stream": {"decoder": {"bits": 8}}})), "8");
    let tools = Tool::of_toolset(shadowed::Set(1));
    assert_eq!(text(tools[0].clone(), json!({"this": 2, "tools": 3})), "6");
    assert_eq!(text(tools[1].clone(), json!({})), "");
}
