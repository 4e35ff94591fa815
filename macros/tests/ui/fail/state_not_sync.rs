use std::rc::Rc;

use toolwright::{State, tool};

#[tool]
async fn count(list: State<Rc<u8>>) -> u8 {
    **list
}

fn main() {}
