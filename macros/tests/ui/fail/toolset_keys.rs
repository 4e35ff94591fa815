use toolwright::toolset;

struct A;

#[toolset(prefx = "a_")]
impl A {
    #[tool]
    fn a(&self) {}
}

struct B;

#[toolset(prefix = "b/")]
impl B {
    #[tool]
    fn b(&self) {}
}

struct C;

#[toolset(prefix = "c_")]
impl C {
    #[tool(name = "c d")]
    fn c(&self) {}
}

struct D;

#[toolset]
impl D {
    #[cfg_attr(all(), tool)]
    fn d(&self) {}
}

struct E;

#[toolset]
impl E {
    #[tool(read_only)]
    #[tool]
    fn e(&self) {}
}

struct F;

#[toolset(prefix = 1, groups = g)]
impl F {
    #[tool]
    fn f(&self) {}
}

struct G;

#[toolset]
impl G {
    #[tool]
    fn str(&self) {}

    #[tool]
    fn g(&self, #[arg(dflt = 1)] _count: u8) {}
}

fn main() {}
