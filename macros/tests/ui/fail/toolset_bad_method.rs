use toolwright::toolset;

struct Point;

struct Notes;

#[toolset]
impl Notes {
    #[tool]
    async fn draw(&self, point: Point) -> u8 {
        let _ = point;
        0
    }

    #[tool]
    async fn first(&self) -> Point {
        Point
    }
}

fn main() {}
