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

    #[tool(name = "0123456789_abcdef0123456789_abcdef0123456789_abcdef0123456789_abcdef\
        0123456789_abcdef0123456789_abcdef0123456789_abcdef01234567")]
    fn long(&self) {}
}

struct D;

#[toolset]
impl D {
    #[cfg_attr(all(), tool)]
    fn d(&self) {}

    #[cfg_attr(all(), prompt)]
    fn talk(&self) {}
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

struct H;

#[toolset]
impl H {
    #[tool = "h"]
    fn h(&self) {}

    #[prompt = "talk"]
    fn talk(&self) {}
}

fn main() {}
