use toolwright::{Tool, tools};

struct Add;

fn main() {
    let _: [Tool; 1] = tools![Add];
}
