use toolwright::{Form, data};

#[data]
enum Speed {
    Slow,
    Fast,
}

#[data]
struct Page<T> {
    item: T,
}

#[data]
struct City(String);

#[data]
struct Tagged {
    #[serde(flatten)]
    city: Option<String>,
}

fn ask<T: Form>() {}

fn main() {
    ask::<String>();
    ask::<Speed>();
    ask::<Page<String>>();
    ask::<City>();
    ask::<Tagged>();
}
