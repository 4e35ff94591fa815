use toolwright::tools;

mod add {
    use toolwright::tool;

    #[tool]
    pub(crate) async fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

use add::add;

fn main() {
    let _ = tools![add];
}
