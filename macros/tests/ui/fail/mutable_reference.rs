use toolwright::tool;

#[tool]
async fn sort(values: &mut Vec<i64>) {
    values.sort();
}

#[tool]
async fn sort_some(values: Option<&mut Vec<i64>>, rows: &[&mut [i64]]) {
    assert!(rows.is_empty());
    values.map(|values| values.sort());
}

fn main() {}
