use std::collections::HashMap;

use toolwright::{Form, data};

#[data]
struct Address {
    city: String,
}

#[data]
struct Order {
    to: Address,
}

#[data]
struct Labels {
    labels: HashMap<String, String>,
}

#[data]
struct Place {
    at: (f64, f64),
}

#[data]
struct Notes {
    notes: Vec<String>,
}

#[data]
enum Payment {
    Cash,
    Card { number: String },
}

#[data]
struct Bill {
    payment: Option<Payment>,
}

fn ask<T: Form>() {}

fn main() {
    ask::<Order>();
    ask::<Labels>();
    ask::<Place>();
    ask::<Notes>();
    ask::<Bill>();
}
