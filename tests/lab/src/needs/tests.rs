use super::*;

const PAGE: &str = include_str!("../../../../docs/SCALE.md");

/// The rows of the page's table of what was measured, and what they are called in the JSON.
const ROWS: [(&str, &str); 13] = [
    ("CLI, CPU ms a turn", "slow_cli_cpu_ms"),
    ("worker, CPU ms a turn", "slow_worker_cpu_ms"),
    ("PostgreSQL, CPU ms a turn", "slow_postgres_cpu_ms"),
    ("NATS, CPU ms a turn", "slow_nats_cpu_ms"),
    ("tool server, CPU ms a turn", "slow_tools_cpu_ms"),
    ("memory of a CLI, most, MiB", "slow_cli_mib"),
    ("memory of a worker, most, MiB", "slow_worker_mib"),
    ("statements of PostgreSQL a turn", "slow_statements"),
    ("messages of NATS a turn", "slow_nats_messages"),
    ("connections to PostgreSQL a worker", "slow_postgres_clients"),
    ("connections to NATS a worker", "slow_nats_clients"),
    ("PostgreSQL keeps, KiB a turn", "slow_stored_kib"),
    ("PostgreSQL's log, KiB a turn", "slow_wal_kib"),
];

fn of_page() -> Figures {
    let queued = ("the queue keeps, bytes a waiting prompt", "slow_queued_bytes");
    let read = |(label, key): (&str, &str)| {
        let row = PAGE.lines().find_map(|line| line.strip_prefix(&format!("| {label} | ")));
        let row = row.unwrap_or_else(|| panic!("no row {label}")).trim_end_matches(" |");
        let figure = |cell: &str| cell.parse::<f64>().expect("a figure");
        (key.to_owned(), [1, 2, 4, 8].into_iter().zip(row.split(" | ").map(figure)).collect())
    };
    Figures(ROWS.into_iter().chain([queued]).map(read).collect())
}

#[test]
fn the_page_says_what_follows_from_the_figures_that_it_states() {
    let text = render(&Plan::default(), &of_page()).expect("all figures");
    for table in text.split("\n\n") {
        assert!(PAGE.contains(&format!("\n{}\n\n", table.trim_end())), "not on the page:\n{table}");
    }
}

#[test]
fn more_sessions_need_as_many_times_more_workers() {
    let plan = Plan { sessions: 1e7, ..Plan::default() };
    let text = render(&plan, &of_page()).expect("all figures");
    assert!(text.contains("| **workers** | R s | 11,100 |"), "{text}");
}

#[test]
fn what_fleet_writes_is_read() {
    let folder = crate::cost::Scratch::new().expect("a folder");
    let file = folder.0.join("fleet.json");
    let readings = r#"{"1 worker": {"median": 6.0}, "8 workers": {"median": 2.0}}"#;
    let json = format!(r#"{{"metrics": {{"slow_worker_mib": {{"workers": {readings}}}}}}}"#);
    std::fs::write(&file, json).expect("a file");
    let figures = Figures::read(&file).expect("figures");
    let key = "slow_worker_mib";
    let ways = [figures.of_fewest(key), figures.mean(key), figures.of_most(key)];
    assert_eq!(ways.map(|figure| figure.expect("a figure")), [6.0, 4.0, 2.0]);
    let error = figures.mean("slow_statements").expect_err("there are none");
    assert!(error.to_string().contains("slow_statements"), "{error}");
}

#[test]
fn digits_are_rounded_and_grouped() {
    for (value, most, text) in [
        (0.0, 3, "0"),
        (0.063_06, 3, "0.0631"),
        (0.97, 3, "0.97"),
        (18.35, 4, "18.35"),
        (999.7, 3, "1,000"),
        (1_123.9, 3, "1,120"),
        (1_234_567.0, 15, "1,234,567"),
    ] {
        assert_eq!(digits(value, most), text);
    }
}
