use toolwright::{ToolRegistry, toolset};

struct A;

#[toolset(groups(more))]
impl A {
    #[tool]
    fn one(&self) {}
}

#[toolset(group = "more")]
impl A {
    #[tool]
    fn two(&self) {}
}

struct B;

#[toolset(groups(more))]
impl B {
    #[tool]
    fn one(&self) {}
}

#[toolset(gruop = more)]
impl B {
    #[tool]
    fn two(&self) {}
}

struct C;

#[toolset]
impl C {
    #[tool]
    fn one(&self) {}
}

#[toolset(group)]
impl C {
    #[tool]
    fn two(&self) {}
}

fn main() {
    let _ = ToolRegistry::builder("all").toolset(A).toolset(B).toolset(C);
}
