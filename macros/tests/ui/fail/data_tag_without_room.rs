use toolwright::{data, tool, tools};

#[data]
struct Area {
    width: f64,
    height: f64,
}

#[data]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Amount {
    Count(u32),
    Area(Area),
    Names(Vec<String>),
    #[serde(skip)]
    Unknown(String),
    Everything,
}

/// Reserve.
#[tool]
async fn reserve(amount: Amount) -> String {
    match amount {
        Amount::Count(count) => count.to_string(),
        Amount::Area(area) => (area.width * area.height).to_string(),
        Amount::Names(names) => names.join(", "),
        Amount::Unknown(text) => text,
        Amount::Everything => "all".into(),
    }
}

fn main() {
    let _ = tools![reserve];
}
