use toolwright::{data, tool, tools};

#[data]
union Number {
    whole: u64,
    real: f64,
}

#[tool]
async fn whole(number: Number) -> bool {
    let _ = number;
    true
}

fn main() {
    let _ = tools![whole];
}
