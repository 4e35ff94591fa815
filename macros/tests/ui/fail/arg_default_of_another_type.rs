use toolwright::{data, tool};

#[data]
enum Speed {
    Slow,
}

#[tool]
async fn number(#[arg(default = 0.5)] limit: u32) -> u32 {
    limit
}

#[tool]
async fn text(#[arg(default = "slow")] speed: Speed) {
    let Speed::Slow = speed;
}

#[tool]
async fn expression(#[arg(default = vec![1])] list: &[String]) -> usize {
    list.len()
}

fn main() {
    let _ = toolwright::tools![number, text, expression];
}
