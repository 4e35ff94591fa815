use toolwright::tool;

trait Store {
    #[tool]
    fn count(&self) -> usize;

    #[tool]
    fn open(path: &str) -> usize;
}

struct Empty;

impl Store for Empty {
    fn count(&self) -> usize {
        0
    }

    fn open(_: &str) -> usize {
        0
    }
}

fn main() {
    let _ = Empty::open("") + Empty.count();
}
