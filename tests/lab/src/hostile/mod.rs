//! The same hostile bytes for our servers and for those of three other SDKs: each case has its
//! right answers, and after each case a plain call must be answered.

#[path = "../../../it/reliability/bytes/mod.rs"]
mod bytes;
mod verdict;
mod server;
mod stdio;
mod http;
mod report;

use anyhow::Result;

use crate::names;
use crate::options::Options;
use bytes::{Case, lines, requests};
use server::Name;
use verdict::Verdict;

/// What each server made of each case of one transport.
struct Table {
    title: &'static str,
    servers: Vec<Name>,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    is_demanded: bool,
    verdicts: Vec<Verdict>,
}

/// A server that is asked, and is started again when it has to be.
trait Ask {
    fn ask(&mut self, case: &Case) -> Result<Verdict>;
}

impl Table {
    /// The cases in which ours is not right.
    fn faults(&self) -> impl Iterator<Item = (&'static str, &Verdict)> {
        let ours = self.servers.iter().position(|name| *name == Name::Ours);
        let verdicts =
            self.rows.iter().filter_map(move |row| Some((row.name, &row.verdicts[ours?])));
        verdicts.filter(|(_, verdict)| !matches!(verdict, Verdict::Right(_)))
    }
}

/// Says whether ours was right in every case; of one that cannot be asked it was not.
pub fn run(options: &Options) -> Result<bool> {
    let transports = [("stdio", lines as fn() -> Vec<Case>, false), ("http", requests, true)];
    names::check(options, &Name::ALL.map(Name::as_str), &transports.map(|(title, ..)| title))?;
    let servers = server::prepare(options)?;
    let is_wanted = |case: &Case| !(options.quick && case.is_long);
    let mut tables = Vec::new();
    for (title, all, is_http) in transports {
        if !options.wants_measure(title) {
            continue;
        }
        let cases: Vec<Case> = all().into_iter().filter(is_wanted).collect();
        let names = servers.iter().map(|server| server.name).collect();
        let row = |case: &Case| Row {
            name: case.name,
            is_demanded: case.is_demanded,
            verdicts: Vec::new(),
        };
        let rows = cases.iter().map(row).collect();
        let mut table = Table { title, servers: names, rows };
        for server in &servers {
            let mut asked: Box<dyn Ask + '_> = match is_http {
                true => Box::new(http::Asked::new(server)),
                false => Box::new(stdio::Asked::new(server)),
            };
            // A server that does not start ends neither the table nor the others.
            let mut is_up = true;
            for (case, row) in cases.iter().zip(&mut table.rows) {
                let verdict = if is_up { asked.ask(case) } else { Ok(Verdict::Unasked) };
                row.verdicts.push(verdict.unwrap_or_else(|error| {
                    is_up = false;
                    eprintln!("{title}, {}: {error:#}", case.name);
                    Verdict::Unasked
                }));
            }
        }
        tables.push(table);
    }
    print!("{}", report::render(&tables));
    if let Some(path) = &options.json {
        report::save(path, options, &tables)?;
    }
    Ok(tables.iter().all(|table| table.faults().next().is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ours_is_judged_and_it_must_be_asked() {
        let faults = |ours, python| {
            let row = Row { name: "ping", is_demanded: true, verdicts: vec![ours, python] };
            let servers = vec![Name::Ours, Name::Python];
            Table { title: "stdio", servers, rows: vec![row] }.faults().count()
        };
        let right = || Verdict::Right("result".to_owned());
        assert_eq!(faults(right(), Verdict::Unasked), 0);
        assert_eq!(faults(Verdict::Unasked, right()), 1);
    }
}
