//! Methods as tools, in several blocks.

use std::sync::Mutex;

use toolwright::{Context, Json, ToolRegistry, toolset};

macro_rules! two {
    () => {
        /// Neither is this.
        fn two(&self) -> usize {
            2
        }
    };
}

#[derive(Default)]
pub struct Notes {
    texts: Mutex<Vec<String>>,
}

#[toolset(prefix = "notes_", groups(admin))]
impl Notes {
    /// Add a note.
    #[tool(idempotent = false)]
    async fn add(&self, text: String, cx: &Context) -> usize {
        cx.progress(1.0, "added");
        self.helper(text)
    }

    #[tool(read_only)]
    pub fn find(&self, part: &str, #[arg(default = 10, max = 100)] limit: usize) -> Json<Vec<String>> {
        let texts = self.texts.lock().unwrap();
        Json(texts.iter().filter(|text| text.contains(part)).take(limit).cloned().collect())
    }

    two! {}

    /// Not a tool.
    fn helper(&self, text: String) -> usize {
        let mut texts = self.texts.lock().unwrap();
        texts.push(text);
        texts.len()
    }

    #[cfg(any())]
    #[tool]
    fn never(&self, nothing: DoesNotExist) {}

    #[tool]
    fn twice(&self) -> usize {
        self.two() * self.texts.lock().unwrap().len()
    }

    #[tool(inline)]
    fn version() -> &'static str {
        "1"
    }
}

mod admin {
    use toolwright::toolset;

    use super::Notes;

    #[toolset(group = admin)]
    impl Notes {
        #[tool(name = "clear", destructive)]
        async fn remove_all(&self) {
            self.texts.lock().unwrap().clear();
        }
    }
}

pub struct Text<'a>(&'a str);

#[toolset(prefix = "a-text.")]
impl Text<'static> {
    #[tool]
    fn length(&self) -> usize {
        self.0.len()
    }
}

pub fn main() {
    let registry = ToolRegistry::builder("notes").toolset(Notes::default()).toolset(Text("a")).build().unwrap();
    for name in ["notes_add", "notes_find", "notes_twice", "notes_version", "clear", "a-text.length"] {
        assert!(registry.get(name).is_some(), "{name}");
    }
}
