use std::cell::Cell;
use std::rc::Rc;

use toolwright::{State, tool, tools};

struct Counter {
    count: Cell<u64>,
}

#[tool]
async fn count(counter: State<Counter>) -> u64 {
    counter.count.get()
}

#[tool]
async fn names(names: &State<Rc<Vec<String>>>) -> usize {
    names.len()
}

fn main() {
    let _ = tools![count, names];
}
