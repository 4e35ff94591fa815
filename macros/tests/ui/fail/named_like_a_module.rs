use toolwright::{tool, tools};

mod add {
    pub(crate) fn ints(a: i64, b: i64) -> i64 {
        a + b
    }
}

#[tool]
async fn add(a: i64, b: i64) -> i64 {
    add::ints(a, b)
}

fn main() {
    let _ = tools![add];
}
