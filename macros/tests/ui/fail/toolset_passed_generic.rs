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

    #[tool]
    fn last(&self, #[schemars(range(max = N))] _count: usize) {}
}

struct Notes;

#[toolset]
impl Notes {
    const MOST: u32 = 9;

    #[tool]
    fn take(&self, #[schemars(range(max = Self::MOST))] _count: u32) {}

    #[tool]
    fn read(&self, #[serde(deserialize_with = "Self::hex")] _count: u32) {}

    #[tool]
    fn fine(
        &self,
        #[arg(max = Self::MOST)]
        #[schemars(extend("x" = "Self"), title = "Of Self: N")]
        _count: u32,
    ) {
    }
}

fn main() {}
