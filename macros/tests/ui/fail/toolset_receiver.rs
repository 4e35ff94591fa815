use toolwright::toolset;

struct Notes(Vec<String>);

#[toolset]
impl Notes {
    #[tool]
    fn keep(&mut self, text: String) {
        self.0.push(text);
    }

    #[tool]
    fn all(self) -> String {
        self.0.concat()
    }

    #[tool]
    fn clear(self: &mut Self) {
        self.0.clear();
    }

    #[tool]
    fn boxed(self: Box<Self>) {}

    fn no_tool(&mut self) {}
}

fn main() {
    let _ = toolwright::Tool::of_toolset(Notes(Vec::new()));
}
