use toolwright::{data, tool, tools};

#[data(crates = toolwright)]
struct Point {
    x: f64,
}

#[data(deny_unknown_fields)]
struct Line {
    from: Point,
}

#[tool]
async fn length(line: Line) -> f64 {
    line.from.x
}

fn main() {
    let _ = tools![length];
}
