use toolwright::toolset;

trait Store: Send + Sync {
    type Key;
}

struct Files<S, const N: usize>(S);

#[toolset]
impl<S: Store, const N: usize> Files<S, N> {
    #[tool]
    fn read(&self, #[schemars(length(max = 9))] _keys: Vec<S::Key>) {}

    #[tool]
    fn fill(&self, #[schemars(length(max = 9))] _keys: [u8; N]) {}

    #[tool]
    fn copy(&self, #[serde(with = "files")] _to: Option<Self>) {}
}

fn main() {}
