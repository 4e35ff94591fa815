use toolwright::{tool, tools, toolset};

#[tool]
async fn repeat(
    text: &str,
    #[cfg_attr(all(), arg(default = 1))] times: usize,
    #[cfg_attr(any(), serde(default), allow(unused))] _other: usize,
    #[cfg_attr(all(), cfg_attr(all(), arg(min = 1)))] _more: usize,
    #[cfg_attr(all(), allow(unused_variables))] fine: usize,
) -> String {
    text.repeat(times)
}

struct Notes;

#[toolset]
impl Notes {
    #[tool]
    fn find(&self, #[cfg_attr(all(), doc = "Words.", cfg_attr(all(), arg(secret)))] _words: &str) {}
}

fn main() {
    let _ = tools![repeat];
    let _ = Notes;
}
