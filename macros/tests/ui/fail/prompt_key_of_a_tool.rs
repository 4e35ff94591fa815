use toolwright::{prompt, prompts, resource};

#[prompt(read_only)]
fn review() -> String {
    String::new()
}

#[prompt(titel = "Review")]
fn other() -> String {
    String::new()
}

#[prompt]
fn branch(#[arg(header = "Branch")] name: String) -> String {
    name
}

#[resource("notes://{id}")]
fn note(#[arg(header = "Note")] id: String) -> String {
    id
}

fn main() {
    prompts![review, other, branch];
    note::resource();
}
