//! Notes in a SQLite database: methods of one value are tools that share its connection.
//!
//! Run with `cargo run --example 04_toolset -- call notes_add 'text=buy milk'`.

use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Result, params};
use toolwright::{Json, ToolRegistry, data, toolset};

struct Notes(Mutex<Connection>);

/// A note.
#[data]
struct Note {
    id: i64,
    text: String,
}

#[toolset(prefix = "notes_")]
impl Notes {
    /// Add a note; returns its id.
    #[tool(destructive = false)]
    fn add(&self, #[arg(min_length = 1)] text: &str) -> Result<i64> {
        let db = self.db();
        db.execute("INSERT INTO notes (text) VALUES (?)", [text])?;
        Ok(db.last_insert_rowid())
    }

    /// Search the notes.
    #[tool(read_only, timeout = "10s")]
    fn search(
        &self,
        words: &str,
        #[arg(default = 10, min = 1, max = 100)] limit: u32,
    ) -> Result<Json<Vec<Note>>> {
        let db = self.db();
        let mut query = db.prepare("SELECT id, text FROM notes WHERE instr(text, ?) LIMIT ?")?;
        let notes = query.query_map(params![words, limit], |row| {
            Ok(Note { id: row.get(0)?, text: row.get(1)? })
        })?;
        Ok(Json(notes.collect::<Result<_>>()?))
    }

    /// Tools are the methods under `#[tool]`; this is none.
    fn db(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn registry() -> std::result::Result<ToolRegistry, Box<dyn std::error::Error>> {
    let db = Connection::open("notes.db")?;
    db.execute("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)", [])?;
    Ok(ToolRegistry::builder("notes").toolset(Notes(Mutex::new(db))).build()?)
}

fn main() -> ExitCode {
    toolwright_stdio::main(registry)
}
