use toolwright::tool;

#[tool(meta("bytes" = [-(1 << 63) - 1]))]
async fn read(#[arg(max = 1 << 64)] bytes: u64) -> String {
    bytes.to_string()
}

fn main() {
    let _ = read::tool();
}
