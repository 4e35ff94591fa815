use toolwright::tool;

#[tool]
async fn first<'a>(text: &'a str) -> String {
    text.chars().take(1).collect()
}

#[tool]
async fn whole(text: &'static str) -> &'static str {
    text
}

#[tool]
async fn deep(text: &'static Option<&str>) -> bool {
    text.is_some()
}

#[tool]
async fn inside(option: Option<&'static str>, list: Vec<&'static str>) -> usize {
    option.map_or(0, str::len) + list.len()
}

#[tool]
async fn of_items<'a>(names: &[&'a str], rows: &[&'static [u8]]) -> usize {
    names.len() + rows.len()
}

fn main() {}
