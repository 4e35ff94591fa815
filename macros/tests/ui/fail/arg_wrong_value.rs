use toolwright::tool;

#[tool]
async fn search(
    #[arg(min = "1")] a: u32,
    #[arg(max_length = -1)] b: String,
    #[arg(min_length = 0.5)] c: String,
    #[arg(pattern = 5)] d: String,
    #[arg(rename = "")] e: u32,
    #[arg(min = 1 max = 2)] f: u32,
    #[arg] g: u32,
    #[arg(example = )] h: u32,
    #[arg(max = (1 2))] i: u32,
) -> String {
    format!("{a}{b}{c}{d}{e}{f}{g}{h}{i}")
}

fn main() {
    let _ = search::tool();
}
