use toolwright::toolset;

trait Store: Send + Sync {
    type Key;
}

struct Files<S>(S);

#[toolset]
impl<S: Store> Files<S> {
    #[tool]
    fn read(&self, #[schemars(length(max = 9))] _keys: Vec<S::Key>) {}

    #[tool]
    fn copy(&self, #[serde(with = "files")] _to: Option<Self>) {}
}

fn main() {}
