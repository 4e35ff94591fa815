//! The golden file of the tools.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::testing::TestClient;
use toolwright::{ToolRegistry, tool, tools};

use crate::testing::client::golden::check;

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
async fn sub(a: f64, b: f64) -> f64 {
    a - b
}

#[tool]
async fn neg(a: f64) -> f64 {
    -a
}

fn list() -> Vec<Value> {
    let tools = tools![add, sub, neg];
    let registry = ToolRegistry::builder("toy").tools(tools).build().unwrap();
    TestClient::in_memory(&registry).unwrap().list_tools().unwrap()
}

/// A file of this test in a folder that does not exist yet.
fn golden(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("toolwright-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder.join("golden/tools.json")
}

#[test]
fn a_golden_file_is_written_and_compared() {
    let path = golden("compared");
    check(&path, &list(), true).unwrap();
    check(&path, &list(), false).unwrap();
    // Git on Windows changes the line ends.
    fs::write(&path, fs::read_to_string(&path).unwrap().replace('\n', "\r\n")).unwrap();
    check(&path, &list(), false).unwrap();

    let mut tools = list();
    tools[0]["description"] = "Adds.".into();
    tools[1]["name"] = "minus".into();
    tools[2]["inputSchema"]["required"] = json!([]);
    let error = check(&path, &tools, false).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    let shown = error.to_string().replace(&path.display().to_string(), "tools.json");
    expect![[r#"
        the tools differ from tools.json; UPDATE_EXPECT=1 accepts them
        "add" has changed:
        -   "description": "Add two numbers.",
        +   "description": "Adds.",
        "sub" is gone
        "neg" has changed:
        -     "required": [
        -       "a"
        -     ],
        +     "required": [],
        "minus" is new
    "#]]
    .assert_eq(&shown);
    assert!(format!("{error:?}").contains("\n- "), "{error:?}");
    fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
}

#[test]
fn another_order_is_a_difference_too() {
    let path = golden("order");
    check(&path, &list(), true).unwrap();
    let mut tools = list();
    tools.reverse();
    let error = check(&path, &tools, false).unwrap_err().to_string();
    assert!(error.contains("\n-     \"name\": \"add\""), "{error}");
    fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
}

#[test]
fn a_file_that_is_missing_says_how_to_write_it() {
    let path = golden("missing");
    let error = check(&path, &list(), false).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("UPDATE_EXPECT=1 writes it"), "{error}");
}

#[test]
fn a_difference_is_short() {
    let path = golden("short");
    check(&path, &list(), true).unwrap();
    let mut tools = list();
    tools[2]["inputSchema"]["required"] = (0..100).collect();
    let error = check(&path, &tools, false).unwrap_err().to_string();
    assert!(error.ends_with("+ and 60 lines more\n"), "{error}");
    fs::write(&path, "no JSON").unwrap();
    let error = check(&path, &[], false).unwrap_err().to_string();
    assert!(error.ends_with("accepts them\n- no JSON\n+ []\n"), "{error}");
    fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
}

#[test]
fn a_client_checks_its_list() {
    let registry = ToolRegistry::builder("toy").tools(tools![add]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    let path = golden("client");
    check(&path, &client.list_tools().unwrap(), true).unwrap();
    client.check_golden(&path).unwrap();
    registry.remove("add");
    let error = client.check_golden(&path).unwrap_err().to_string();
    assert!(error.ends_with("\"add\" is gone\n"), "{error}");
    fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
}
