use toolwright::tool;

#[tool]
async fn sort(values: &mut Vec<i64>) {
    values.sort();
}

fn main() {}
