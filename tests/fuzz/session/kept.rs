//! Lines that are tried each time: one for each method and each answer, and broken ones.

use super::lies::send;
use super::world::World;

const KEPT: &[u8] = include_bytes!("../corpus/session.jsonl");

#[test]
fn the_kept_lines_are_answered_rightly() {
    let mut world = World::new();
    for line in KEPT.split(|byte| *byte == b'\n') {
        let checked = send(&mut world, line);
        checked.unwrap_or_else(|fault| panic!("{fault}\n{}", line.escape_ascii()));
    }
    world.close().unwrap();
    let (codes, asked) = (world.codes(), world.asked());
    let all = [-32700, -32603, -32602, -32601, -32600, -32022, -32021, -32002, 0];
    assert!(codes.keys().eq(&all), "{codes:?}");
    assert!(codes[&0] > 40 && asked > 10, "{codes:?}, {asked} questions");
}
