//! The same bytes for this server and for those of three other SDKs: `docs/RELIABILITY.md` has what
//! each answers. Here the column of this server is compared with what it says now.
//!
//! The page says how all four are asked, which writes it anew; what they need is installed by
//! `tests/run.sh`, or built as the page says.

#[allow(dead_code, unused_imports, reason = "the lab uses more of it")]
mod bytes;
mod page;
mod subject;
mod lines;
mod requests;

use std::sync::Mutex;

use page::{Page, Table};
use subject::{OURS, SUBJECTS, Subject};

/// Asks one server everything that a table asks.
type Ask = fn(&Subject) -> Vec<(&'static str, String)>;

const LINES: (&str, Ask) = ("Standard input", lines::answers);
const REQUESTS: (&str, Ask) = ("HTTP", requests::answers);

#[test]
fn the_column_of_this_server_is_what_it_says() {
    let page = Page::read();
    for (title, ask) in [LINES, REQUESTS] {
        assert_eq!(page.column(title, OURS.name), ask(&OURS), "{title}");
    }
}

#[test]
#[ignore = "the servers of others are asked when their versions change"]
fn all_servers_are_given_the_lines() {
    record(LINES);
}

#[test]
#[ignore = "the servers of others are asked when their versions change"]
fn all_servers_are_given_the_requests() {
    record(REQUESTS);
}

fn record((title, ask): (&str, Ask)) {
    static WRITING: Mutex<()> = Mutex::new(());
    if std::env::var_os("UPDATE_EXPECT").is_none() {
        return;
    }
    let columns = SUBJECTS.iter().map(|subject| (subject.name, ask(subject))).collect();
    let _writing = WRITING.lock().unwrap();
    let mut page = Page::read();
    page.put(title, &Table { columns });
    page.write();
}
