use toolwright::{Form, data};

#[data(keys)]
struct Order {
    city: String,
}

fn ask<T: Form>() {}

fn main() {
    ask::<Order>();
}
