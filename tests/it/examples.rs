//! Every example runs.

use std::process::Command;

fn example(name: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "toolwright-examples", "--example", name])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn quickstart() {
    let shown = example("quickstart");
    for part in ["initialize", "tools/list", "← 42", "← 5", "/a: expected number, got string \"two\"", "exit status: 0"] {
        assert!(shown.contains(part), "{part:?} is not in\n{shown}");
    }
}
