use std::sync::{Mutex, PoisonError};

use toolwright::{Context, Json, data, toolset};

/// The notes by their numbers.
#[derive(Default)]
pub struct Db {
    texts: Mutex<Vec<String>>,
}

pub struct Notes {
    db: Db,
}

/// A note that was found.
#[data]
pub struct Hit {
    pub id: usize,
    pub text: String,
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

impl Notes {
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[toolset(prefix = "notes_")]
impl Notes {
    /// Add a note; returns its number.
    #[tool(destructive = false)]
    async fn add(&self, #[arg(min_length = 1)] text: String) -> usize {
        self.with(|texts| {
            texts.push(text);
            texts.len()
        })
    }

    /// Search the notes.
    #[tool(read_only, timeout = "10s")]
    async fn search(
        &self,
        query: &str,
        #[arg(default = 10, min = 1, max = 100)] limit: u32,
        cx: &Context,
    ) -> Result<Json<Vec<Hit>>> {
        cx.progress(0.5, "half way");
        let limit = usize::try_from(limit)?;
        let hits = self.with(|texts| {
            let all = texts.iter().enumerate().filter(|(_, text)| text.contains(query));
            all.take(limit).map(|(at, text)| Hit { id: at + 1, text: text.clone() }).collect()
        });
        Ok(Json(hits))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Vec<String>) -> T) -> T {
        work(&mut self.db.texts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
