use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use super::*;

/// Such as the watcher, which has none of the variables of its program.
#[test]
fn a_child_without_the_mark_is_seen_when_its_parent_is_gone() {
    let mut left = Leftovers::new("test").expect("folders");
    let mut command = left.of(Path::new("/bin/sh"));
    command.args(["-c", "env -i /bin/sh -c 'echo; exec sleep 600' & wait"]);
    let mut parent = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
    let mut output = BufReader::new(parent.stdout.take().expect("an output"));
    output.read_line(&mut String::new()).expect("the child is there");
    left.note_children(parent.id());
    parent.kill().expect("it is killed");
    parent.wait().expect("it has ended");
    assert_eq!(left.processes(None).len(), 1);
}
