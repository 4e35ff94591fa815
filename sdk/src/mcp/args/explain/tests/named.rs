//! Bounds where a type that has a name is used: they hold there, and nowhere else.

use toolwright::{Tool, data, tool};

use super::{is_taken, refused};

#[data]
pub(super) struct Meters(u32);

#[data]
pub(super) struct Percent(#[schemars(range(min = 1, max = 100))] u8);

#[data]
pub(super) struct Name(String);

#[data]
pub(super) struct Names(Vec<Name>);

#[data]
pub(super) struct Wrapped(#[schemars(range(max = 9))] Meters);

#[data]
enum Level {
    #[serde(alias = "l")]
    Low,
    Highest,
}

#[data]
struct Pair(#[schemars(range(max = 9))] Meters, #[schemars(length(max = 2))] Name);

#[data]
enum Stop {
    After(#[schemars(range(max = 9))] Meters),
    At {
        #[schemars(regex(pattern = "^[A-Z]"))]
        name: Name,
    },
}

#[data]
struct Trip {
    free: Option<Meters>,
    #[schemars(range(max = 9))]
    near: Option<Meters>,
    #[schemars(range(max = 99))]
    far: Option<Meters>,
    #[schemars(inner(range(max = 9)), length(max = 2))]
    all: Option<Vec<Meters>>,
    #[schemars(inner(range(max = 9)))]
    maybe: Option<Vec<Option<Meters>>>,
    #[schemars(range(min = 5))]
    part: Option<Percent>,
    #[schemars(range(max = 200))]
    most: Option<Percent>,
    #[schemars(length(max = 3), regex(pattern = "^[a-z]*$"))]
    name: Option<Name>,
    #[schemars(contains("ab"))]
    word: Option<Box<Name>>,
    #[schemars(length(min = 1), inner(length(max = 2)))]
    names: Option<Names>,
    other_names: Option<Names>,
    #[schemars(length(max = 4))]
    level: Option<Level>,
    wrapped: Option<Wrapped>,
    #[schemars(range(min = 5))]
    rewrapped: Option<Wrapped>,
    pair: Option<Pair>,
    stops: Option<Vec<Stop>>,
}

#[tool]
fn plan(trip: Trip, count: Option<u8>) -> String {
    let Trip { free, near, far, all, maybe, part, most, name, word, names, level, .. } = trip;
    let meters = |of: Option<Meters>| of.map(|of| of.0);
    let list = all.map(|all| all.into_iter().map(|it| it.0).collect::<Vec<_>>());
    let maybe = maybe.map(|all| all.into_iter().map(meters).collect::<Vec<_>>());
    let texts = [name, word.map(|word| *word)].map(|text| text.map(|text| text.0));
    let names = [names, trip.other_names]
        .map(|names| names.map(|it| it.0.into_iter().map(|it| it.0).collect::<String>()));
    let percent = [part, most].map(|of| of.map(|of| of.0));
    let level = matches!(level, Some(Level::Low));
    let more = (trip.wrapped, trip.rewrapped, trip.pair, trip.stops);
    let more = (
        more.0.map(|it| it.0.0),
        more.1.map(|it| it.0.0),
        more.2.map(|it| (it.0.0, it.1.0)),
        more.3.map(|all| all.into_iter().map(stop).collect::<String>()),
    );
    let meters = [free, near, far].map(meters);
    format!("{meters:?}{list:?}{maybe:?}{percent:?}{texts:?}{names:?}{level}{more:?}{count:?}")
}

fn stop(stop: Stop) -> String {
    match stop {
        Stop::After(meters) => meters.0.to_string(),
        Stop::At { name } => name.0,
    }
}

/// What is wrong with the arguments, a line each.
fn said(tool: &Tool, arguments: &str) -> String {
    if is_taken(tool, arguments) {
        return String::new();
    }
    refused(tool, arguments).lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_use_keeps_the_bounds_that_stand_there() {
    for (trip, problem) in [
        (r#"{"near":10}"#, "/near: expected 0 to 9, got 10"),
        (r#"{"far":100}"#, "/far: expected 0 to 99, got 100"),
        (r#"{"all":[9,10]}"#, "/all/1: expected 0 to 9, got 10"),
        (r#"{"all":[1,2,3]}"#, "/all: expected at most 2 items, got 3"),
        (r#"{"maybe":[null,10]}"#, "/maybe/1: expected 0 to 9, got 10"),
        (r#"{"part":4}"#, "/part: expected 5 to 100, got 4"),
        (r#"{"part":101}"#, "/part: expected 5 to 100, got 101"),
        (r#"{"most":201}"#, "/most: expected 1 to 200, got 201"),
        (r#"{"name":"abcd"}"#, "/name: expected at most 3 characters, got 4"),
        (r#"{"name":"AB"}"#, r#"/name: expected a match of `^[a-z]*$`, got "AB""#),
        (r#"{"word":"ba"}"#, r#"/word: expected a match of `ab`, got "ba""#),
        (r#"{"names":[]}"#, "/names: expected at least 1 item, got 0"),
        (r#"{"names":["abc"]}"#, "/names/0: expected at most 2 characters, got 3"),
        (r#"{"level":"Highest"}"#, "/level: expected at most 4 characters, got 7"),
        (r#"{"wrapped":10}"#, "/wrapped: expected 0 to 9, got 10"),
        (r#"{"rewrapped":4}"#, "/rewrapped: expected 5 to 9, got 4"),
        (r#"{"pair":[10,"ab"]}"#, "/pair/0: expected 0 to 9, got 10"),
        (r#"{"pair":[9,"abc"]}"#, "/pair/1: expected at most 2 characters, got 3"),
        (r#"{"stops":[{"After":10}]}"#, "/stops/0/After: expected 0 to 9, got 10"),
        (
            r#"{"stops":[{"At":{"name":"a"}}]}"#,
            r#"/stops/0/At/name: expected a match of `^[A-Z]`, got "a""#,
        ),
    ] {
        let line = format!("- /trip{problem}");
        assert_eq!(said(&plan::tool(), &format!(r#"{{"trip":{trip}}}"#)), line);
        // Nothing is told twice where another argument does not decode.
        let other = said(&plan::tool(), &format!(r#"{{"trip":{trip},"count":"x"}}"#));
        let (told, rest) = other.split_once('\n').unwrap();
        assert_eq!((told, rest), (&*line, r#"- /count: expected integer, got string "x""#));
    }
}

#[test]
fn other_uses_of_a_type_keep_only_its_own_bounds() {
    for trip in [
        r#"{"free":4294967295,"near":9,"far":99}"#,
        r#"{"near":null,"all":[9],"maybe":[null,9]}"#,
        r#"{"part":5,"most":200,"name":"abc","word":"xaby"}"#,
        r#"{"names":["a","ab"],"level":"Low","wrapped":9,"pair":[9,"ab"]}"#,
        r#"{"rewrapped":5}"#,
        r#"{"level":"l","other_names":["abc"]}"#,
        r#"{"stops":[{"After":9},{"At":{"name":"A"}}]}"#,
    ] {
        assert_eq!(said(&plan::tool(), &format!(r#"{{"trip":{trip}}}"#)), "", "{trip}");
    }
}

#[test]
fn a_parameter_keeps_its_bounds() {
    #[tool]
    fn go(
        #[schemars(range(max = 9))] by: Meters,
        #[schemars(range(max = 9))] and: Option<Meters>,
        #[schemars(range(max = 99))]
        #[arg(min = 5)]
        then: Option<Percent>,
        free: Option<Meters>,
    ) -> String {
        let more = [and, free].map(|it| it.map(|it| it.0));
        format!("{}{more:?}{:?}", by.0, then.map(|it| it.0))
    }
    assert_eq!(said(&go::tool(), r#"{"by":9,"and":9,"then":5,"free":10}"#), "");
    for (arguments, problem) in [
        (r#"{"by":10}"#, "- /by: expected 0 to 9, got 10"),
        (r#"{"by":1,"and":10}"#, "- /and: expected 0 to 9, got 10"),
        (r#"{"by":1,"then":100}"#, "- /then: expected 5 to 99, got 100"),
        (r#"{"by":1,"then":4}"#, "- /then: expected 5 to 99, got 4"),
    ] {
        assert_eq!(said(&go::tool(), arguments), problem);
    }
}

#[data]
struct Node {
    #[schemars(length(max = 2))]
    nodes: Nodes,
}

#[data]
struct Nodes(Vec<Node>);

#[data]
struct Even(#[schemars(inner(length(max = 1)))] Vec<Odd>);

#[data]
struct Odd(#[schemars(inner(length(max = 2)))] Vec<Even>);

/// schemars adds no bound beside a reference, which a type inside of itself is.
#[test]
fn types_that_contain_themselves_keep_what_their_schema_says() {
    #[tool]
    fn walk(node: Option<Node>, free: Option<Nodes>) -> usize {
        node.map_or(0, |node| node.nodes.0.len()) + free.map_or(0, |free| free.0.len())
    }
    #[tool]
    fn each(even: Even, odd: Odd) -> usize {
        even.0.len() + odd.0.len()
    }
    let nodes = |all: &[&str]| format!(r#"{{"nodes":[{}]}}"#, all.join(","));
    let leaf = nodes(&[]);
    let three = nodes(&[&*leaf; 3]);
    let node = |node: &str| said(&walk::tool(), &format!(r#"{{"node":{node}}}"#));
    assert_eq!(node(&nodes(&[&*leaf; 2])), "");
    assert_eq!(node(&three), "- /node/nodes: expected at most 2 items, got 3");
    assert_eq!(node(&nodes(&[&three])), "");
    assert_eq!(said(&walk::tool(), &format!(r#"{{"free":[{leaf},{leaf},{leaf}]}}"#)), "");
    assert_eq!(said(&each::tool(), r#"{"even":[[[[],[]]]],"odd":[[[]],[[],[]],[]]}"#), "");
    let few =
        "- /even/0: expected at most 1 item, got 2\n- /odd/0: expected at most 2 items, got 3";
    assert_eq!(said(&each::tool(), r#"{"even":[[[],[]]],"odd":[[[],[],[]]]}"#), few);
}
