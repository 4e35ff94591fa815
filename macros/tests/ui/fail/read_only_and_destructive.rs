use toolwright::{tool, tools};

#[tool(read_only, destructive)]
fn remove(path: &str) -> std::io::Result<()> {
    std::fs::remove_file(path)
}

fn main() {
    let _ = tools![remove];
}
