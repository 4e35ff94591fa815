use std::io::Read;

use super::*;

#[test]
fn answers_above_the_bound_stop_the_reader() {
    let (mut client, wire) = std::io::pipe().unwrap();
    let output = Arc::new(Output::new(wire.into(), 0));
    let flush = |length: usize| Client(output.clone()).flush(&|_| vec![b'x'; length]);
    flush(1_000);
    assert!(!output.is_behind(), "a pipe takes this much");
    flush(BEYOND);
    assert!(output.is_behind() && !output.is_stuffed());
    flush(1_000_000);
    assert!(output.is_stuffed());
    let mut all = vec![0; 1_000 + BEYOND + 1_000_000];
    client.read_exact(&mut all).unwrap();
    assert!(all.iter().all(|byte| *byte == b'x'));
    while output.is_behind() {
        output.wait_for_room(Duration::from_secs(60));
        thread::yield_now();
    }
    output.close();
}
