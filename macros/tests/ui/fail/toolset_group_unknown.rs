use toolwright::toolset;

struct Notes;

#[toolset(groups(admin))]
impl Notes {
    #[tool]
    fn one(&self) {}
}

fn main() {}
