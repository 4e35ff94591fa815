use toolwright::{Context, tool, tools};

#[tool]
async fn work(cx: &mut Context) {
    cx.progress(1.0, "done");
}

fn main() {
    let _ = tools![work];
}
