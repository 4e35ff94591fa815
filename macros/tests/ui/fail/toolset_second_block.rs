use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    #[tool]
    fn one(&self) {}
}

#[toolset]
impl Notes {
    #[tool]
    fn two(&self) {}
}

fn main() {}
