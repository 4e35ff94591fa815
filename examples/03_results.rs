//! What tools return: text, structured content, nothing, several blocks, and errors.
//!
//! Run with `cargo run --example 03_results -- call book title=Emma`.

use std::{error::Error, fmt, fs, io, process::ExitCode};

use toolwright::{Content, Json, ResourceLink, ToolRegistry, data, tool, tools};

/// A book of the library.
#[data]
struct Book {
    title: String,
    pages: u32,
}

/// Describe a book: structured content, and a text for the model when there is no such book.
#[tool(read_only)]
async fn book(title: &str) -> Result<Json<Book>, String> {
    let book = Book { title: title.to_owned(), pages: 474 };
    (title == "Emma").then_some(Json(book)).ok_or_else(|| format!("There is no book {title:?}."))
}

/// Say who has a book: a text, or nothing.
#[tool(read_only)]
async fn borrower(title: &str) -> Option<&'static str> {
    (title == "Emma").then_some("Mr Knightley")
}

/// Say where the text of a book is: several content blocks.
#[tool(read_only)]
async fn source(title: &str) -> Vec<Content> {
    let link = ResourceLink::new(format!("https://books.example/{title}.txt"), title);
    vec![Content::text("The whole text:"), link.into()]
}

/// Read the catalogue of another library. The model also reads the cause of an error.
#[tool(read_only)]
fn catalogue(path: &str) -> Result<String, Unreadable> {
    fs::read_to_string(path).map_err(Unreadable)
}

#[derive(Debug)]
struct Unreadable(io::Error);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the catalogue cannot be read")
    }
}

impl Error for Unreadable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

fn main() -> ExitCode {
    let tools = tools![book, borrower, source, catalogue];
    toolwright_stdio::main(|| ToolRegistry::builder("library").tools(tools).build())
}
