use toolwright::tool;

#[tool]
async fn twice<T: Clone + Send>(value: T) -> Vec<T> {
    vec![value.clone(), value]
}

#[tool]
async fn fixed<const N: usize>(values: [f64; 2]) -> f64 {
    values[0] + N as f64
}

fn main() {
    let _ = toolwright::tools![twice, fixed];
}
