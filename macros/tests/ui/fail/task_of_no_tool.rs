use toolwright::{prompt, resource, toolset};

#[prompt(task)]
fn review() -> String {
    String::new()
}

#[resource("notes://{id}", task = "required")]
async fn note(id: u32) -> String {
    id.to_string()
}

struct Notes;

#[toolset]
impl Notes {
    #[prompt(task)]
    fn write(&self) -> String {
        String::new()
    }
}

fn main() {}
