use super::*;

fn report(desk: &Desk, id: usize) {
    let tool_use_id = id.to_string();
    let message = String::new();
    desk.progress(ToolProgress { tool_use_id, done: 1.0, total: 2.0, message });
}

#[test]
fn the_progress_of_calls_that_nobody_watches_is_bounded() {
    let desk = Desk::default();
    for id in 0..2_000 {
        report(&desk, id);
        report(&desk, id);
    }
    assert!(desk.progress_of("975").is_none(), "the oldest are forgotten");
    let mut ids = Vec::new();
    while let Some(Item::Progress(Event::Progress { id, .. })) = desk.take() {
        ids.push(id);
    }
    assert_eq!(ids, (976..2_000).map(|id| id.to_string()).collect::<Vec<_>>());
}
