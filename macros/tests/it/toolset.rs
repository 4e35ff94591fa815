//! Methods as tools.

mod groups;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use toolwright::mcp::Kind;
use toolwright::{Args, Context, Json, State, Tool, ToolRegistry, Value, data, json, toolset};

use super::{description, listed, now, properties, property};

#[derive(Default)]
struct Notes {
    texts: Mutex<Vec<String>>,
}

#[data]
struct Search {
    query: String,
}

#[toolset(prefix = "notes_")]
impl Notes {
    /// No tool.
    const MOST: usize = 2;

    /// Keep a note.
    ///
    /// It has a number.
    #[tool(idempotent, timeout = "10s")]
    async fn keep(
        &self,
        /// What it says.
        text: &str,
        r#type: Option<String>,
        #[arg(default = 1, max = 9)] times: usize,
        cx: &Context,
    ) -> Result<usize, String> {
        cx.progress(0.5, "half way");
        let mut texts = self.texts.lock().unwrap();
        if texts.len() == Self::MOST {
            return Err(self.full());
        }
        texts.push(r#type.unwrap_or_default() + &text.repeat(times));
        Ok(texts.len())
    }

    #[tool(name = "all", read_only)]
    pub(crate) fn list(&self) -> Json<Vec<String>> {
        Json(self.texts.lock().unwrap().clone())
    }

    #[toolwright::tool]
    async fn find(self: &Arc<Self>, Args(search): Args<Search>) -> Option<String> {
        let texts = self.texts.lock().unwrap();
        texts.iter().find(|text| text.contains(&search.query)).cloned()
    }

    #[tool]
    async fn owners(self: Arc<Self>, tenant: State<str>) -> String {
        format!("{} for {}", Arc::strong_count(&self), &*tenant)
    }

    /// Borrows from the value.
    #[tool(inline)]
    fn name(&self) -> &str {
        "notes"
    }

    #[tool]
    async fn version(major: u8) -> u8 {
        major
    }

    fn full(&self) -> String {
        "there are notes enough".to_owned()
    }
}

fn registry(
    builder: impl FnOnce(toolwright::ToolRegistryBuilder) -> toolwright::ToolRegistryBuilder,
) -> ToolRegistry {
    builder(ToolRegistry::builder("test").state(Arc::<str>::from("acme"))).build().unwrap()
}

fn names(registry: &ToolRegistry) -> Vec<String> {
    registry.tools().iter().map(|tool| tool.name().to_owned()).collect()
}

/// The text of a result.
fn text(registry: &ToolRegistry, name: &str, arguments: Value) -> String {
    now(registry.call(name, arguments)).unwrap().to_text()
}

#[test]
fn methods_are_tools_that_share_their_value() {
    let registry = registry(|it| it.toolset(Notes::default()));
    assert_eq!(
        names(&registry),
        ["notes_keep", "notes_all", "notes_find", "notes_owners", "notes_name", "notes_version"]
    );
    assert_eq!(text(&registry, "notes_keep", json!({"text": "one"})), "1");
    assert_eq!(text(&registry, "notes_keep", json!({"text": "two", "type": "b"})), "2");
    assert_eq!(
        text(&registry, "notes_keep", json!({"text": "x", "times": 10})),
        "Invalid arguments for `notes_keep`:\n- /times: expected 0 to 9, got 10"
    );
    assert_eq!(text(&registry, "notes_keep", json!({"text": "three"})), "there are notes enough");
    assert_eq!(text(&registry, "notes_all", json!({})), r#"["one","btwo"]"#);
    assert_eq!(text(&registry, "notes_find", json!({"query": "tw"})), "btwo");
    assert_eq!(text(&registry, "notes_name", json!({})), "notes");
    assert_eq!(text(&registry, "notes_version", json!({"major": 3})), "3");
    assert_eq!(
        text(&registry, "notes_keep", json!({"txt": 1})),
        "Invalid arguments for `notes_keep`:\n- /txt: unknown, did you mean `text`?\n\
         - /text: missing, expected string"
    );
}

#[test]
fn a_method_has_all_that_a_function_has() {
    let tools = Tool::of_toolset(Notes::default());
    let [keep, list, find, _, name, version] = &*tools else { panic!() };
    assert_eq!(description(keep.clone()), "Keep a note.\n\nIt has a number.");
    assert_eq!(properties(keep.clone()), ["text", "type", "times"]);
    assert_eq!(property(keep.clone(), "times")["maximum"], 9);
    assert_eq!(property(keep.clone(), "text")["description"], "What it says.");
    assert_eq!(keep.timeout().unwrap().as_secs(), 10);
    assert_eq!(listed(keep.clone())["annotations"]["idempotentHint"], true);
    assert!(list.output_schema().is_some());
    assert_eq!(properties(find.clone()), ["query"]);
    let kinds = [keep, list, name, version].map(Tool::kind);
    assert_eq!(kinds, [Kind::Async, Kind::Sync, Kind::Inline, Kind::Async]);
}

#[test]
fn a_unit_test_calls_the_method() {
    let notes = Notes::default();
    let cx = Context::detached();
    assert_eq!(now(notes.keep("one", None, 1, &cx)), Ok(1));
    assert_eq!(notes.list().0, ["one"]);
    assert_eq!(now(Notes::version(1)), 1);
}

#[test]
fn a_value_in_an_arc_is_as_good() {
    let notes = Arc::new(Notes::default());
    let registry = registry(|it| it.toolset(notes.clone()));
    assert_eq!(text(&registry, "notes_keep", json!({"text": "one"})), "1");
    assert_eq!(notes.list().0, ["one"]);
}

#[test]
fn a_state_that_a_method_takes_must_be_there() {
    let error = ToolRegistry::builder("test").toolset(Notes::default()).build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool `notes_owners`: it takes `State<str>`, and the server has no such state; give its \
         builder one: `.state(…)`"
    );
}

#[test]
fn tools_of_a_value_may_be_added_while_sessions_run() {
    let registry = registry(|it| it);
    for tool in Tool::of_toolset(Notes::default()) {
        registry.add(tool).unwrap();
    }
    assert_eq!(text(&registry, "notes_keep", json!({"text": "one"})), "1");
    assert_eq!(text(&registry, "notes_all", json!({})), r#"["one"]"#);
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[toolset]
impl Counted {
    #[tool]
    fn one(&self) {}

    #[tool]
    fn two(&self) {}
}

#[test]
fn the_value_is_dropped_with_its_last_tool() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let registry = registry(|it| it.toolset(Counted(dropped.clone())));
    assert!(registry.remove("one"));
    assert_eq!(dropped.load(Ordering::Relaxed), 0);
    assert!(registry.remove("two"));
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
}

#[test]
fn two_values_of_a_type_need_names_of_their_own() {
    let counted = || Counted(Arc::default());
    let error =
        ToolRegistry::builder("test").toolset(counted()).toolset(counted()).build().unwrap_err();
    assert_eq!(
        error.complaints(),
        [
            "tool `one`: there is more than one of that name",
            "tool `two`: there is more than one of that name",
        ]
    );
}

mod generic {
    use std::fmt::Debug;
    use std::marker::PhantomData;

    use toolwright::{Deserialize, JsonSchema, toolset};

    pub(super) trait Store: Send + Sync {
        type Key: Debug + for<'de> Deserialize<'de> + JsonSchema + Send + 'static;
        fn name(&self) -> String;
    }

    /// Its parameter `M` need not be `Send`.
    pub(super) struct Files<S, M, const N: usize>
    where
        S: Store,
    {
        pub(super) store: S,
        pub(super) mark: PhantomData<fn() -> M>,
    }

    impl<S: Store, M, const N: usize> Files<S, M, N> {
        const DOC: &'static str = "Said of the type.";
    }

    #[toolset]
    impl<S, M, const N: usize> Files<S, M, N>
    where
        S: Store,
    {
        #[tool(description = Self::DOC)]
        async fn name(&self, key: S::Key) -> String {
            format!("{} {key:?} {N}", self.store.name())
        }
    }
}

struct Memory;

impl generic::Store for Memory {
    type Key = u8;
    fn name(&self) -> String {
        "memory".into()
    }
}

struct Disk(&'static str);

impl generic::Store for Disk {
    type Key = String;
    fn name(&self) -> String {
        self.0.into()
    }
}

#[test]
fn a_type_may_have_parameters() {
    use generic::Files;
    let memory = Files::<_, std::rc::Rc<u8>, 3> { store: Memory, mark: std::marker::PhantomData };
    let disk = Files::<_, u8, 4> { store: Disk("/"), mark: std::marker::PhantomData };
    assert_eq!(description(Tool::of_toolset(Arc::new(memory)).remove(0)), "Said of the type.");
    let memory = Files::<_, std::rc::Rc<u8>, 3> { store: Memory, mark: std::marker::PhantomData };
    let (memory, disk) = (registry(|it| it.toolset(memory)), registry(|it| it.toolset(disk)));
    assert_eq!(text(&memory, "name", json!({"key": 1})), "memory 1 3");
    assert_eq!(text(&disk, "name", json!({"key": "x"})), r#"/ "x" 4"#);
    assert!(text(&disk, "name", json!({"key": 1})).contains("expected string"));
}

mod conditional {
    use toolwright::toolset;

    pub(super) struct Some;

    #[toolset]
    impl Some {
        #[cfg(any())]
        #[tool]
        fn absent(&self, value: DoesNotExist) {}

        #[tool]
        #[cfg(not(any()))]
        fn there(&self) {}

        #[cfg(any())]
        #[tool(name = "twin")]
        fn first(&self) {}

        #[cfg(not(any()))]
        #[tool(name = "twin")]
        fn second(&self) {}

        #[cfg_attr(all(), doc = "No tool.")]
        fn other(&self) {
            self.there();
        }
    }

    #[toolset]
    #[cfg(any())]
    impl DoesNotExist {
        #[tool]
        fn absent(&self) {}
    }

    pub(super) fn some() -> Some {
        Some.other();
        Some
    }
}

#[test]
fn a_condition_holds_for_the_tool_as_for_its_method() {
    assert_eq!(names(&registry(|it| it.toolset(conditional::some()))), ["there", "twin"]);
}

macro_rules! counters {
    ($($(#[$meta:meta])* $type:ident $(<$param:ident>)?: $name:ident = $value:expr, $prefix:literal;)*) => {$(
        #[allow(dead_code)]
        struct $type $(<$param>(std::marker::PhantomData<fn() -> $param>))? ;

        #[toolset(prefix = $prefix)]
        impl $(<$param>)? $type $(<$param>)? {
            $(#[$meta])*
            #[tool]
            fn $name(&self, by: usize) -> usize {
                let this = $value;
                let tools = by;
                this + tools
            }
        }
    )*};
}

counters! {
    /// Count.
    Plain: count = 1, "p_";
    Typed<T>: tools = 2, "t_";
}

#[test]
fn a_toolset_may_be_written_by_a_macro() {
    let typed = Typed::<u8>(std::marker::PhantomData);
    let registry = registry(|it| it.toolset(Plain).toolset(typed));
    assert_eq!(names(&registry), ["p_count", "t_tools"]);
    assert_eq!(registry.get("p_count").unwrap().description(), "Count.");
    assert_eq!(text(&registry, "t_tools", json!({"by": 40})), "42");
}
