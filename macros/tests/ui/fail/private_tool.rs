use toolwright::tools;

mod math {
    #[toolwright::tool]
    async fn add(a: f64, b: f64) -> f64 {
        a + b
    }
}

fn main() {
    let _ = tools![math::add];
}
