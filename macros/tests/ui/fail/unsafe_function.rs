use toolwright::tool;

#[tool]
unsafe fn poke(address: usize) {
    let _ = address;
}

fn main() {}
