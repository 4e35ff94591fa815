use toolwright::tool;

#[tool]
async fn search(
    #[arg(header = 5)] a: u32,
    #[arg(header = "")] b: u32,
    #[arg(header = "Region:")] c: u32,
    #[arg(header = "Region")] d: String,
    #[arg(header = "REGION")] e: String,
    #[arg(header = "Token", secret)] f: String,
) -> String {
    format!("{a}{b}{c}{d}{e}{f}")
}

fn main() {
    let _ = search::tool();
}
