//! Notes in a SQLite database: each is a resource, and a prompt reviews one. Claude Code shows the
//! prompt as the command `/notes:review`, and completes `@notes:notes://…`.

use std::error::Error;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Result};
use toolwright::testing::TestClient;
use toolwright::{Completing, EmbeddedResource, PromptMessage, ToolRegistry, json, toolset};

const SETUP: &str = "CREATE TABLE notes (title TEXT, text TEXT); INSERT INTO notes VALUES
    ('shopping', '- milk'), ('ships', '- Titanic: 1912'), ('taxes', 'Never.')";

struct Notes(Mutex<Connection>);

#[toolset]
impl Notes {
    /// A note.
    #[resource("notes://{title}", mime = "text/markdown")]
    fn note(&self, #[arg(complete = Self::titles)] title: &str) -> Result<Option<String>> {
        let text = "SELECT text FROM notes WHERE title = ?";
        self.db().query_row(text, [title], |row| row.get(0)).optional()
    }

    /// Review a note.
    #[prompt]
    fn review(
        &self,
        #[arg(complete = Self::titles)] title: &str,
        /// What to look for.
        focus: Option<&str>,
    ) -> std::result::Result<Vec<PromptMessage>, Box<dyn Error>> {
        let text = self.note(title)?.ok_or_else(|| format!("There is no note {title}."))?;
        let note = EmbeddedResource::text(format!("notes://{title}"), "text/markdown", text);
        let ask = format!("Review this note. Look for {}.", focus.unwrap_or("mistakes"));
        Ok(vec![PromptMessage::user(note), PromptMessage::user(ask)])
    }

    fn titles(&self, typed: &str, _: &Completing) -> Vec<String> {
        let (db, found) = (self.db(), "SELECT title FROM notes WHERE instr(title, ?) = 1");
        let Ok(mut query) = db.prepare(found) else { return Vec::new() };
        query.query_map([typed], |row| row.get(0)).into_iter().flatten().flatten().collect()
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let db = Connection::open_in_memory()?;
    db.execute_batch(SETUP)?;
    let registry = ToolRegistry::builder("notes").toolset(Notes(Mutex::new(db))).build()?;
    let mut client = TestClient::in_memory(&registry)?;
    println!("{:?}", client.complete_prompt("review", "title", "sh")?);
    println!("{}", client.read_resource("notes://ships")?[0]);
    println!("{:#}", client.get_prompt("review", json!({"title": "ships"}))?["messages"]);
    Ok(())
}
