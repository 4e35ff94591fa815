//! A module that denies what it can.

pub mod strict {
    #![deny(warnings, unused, rust_2018_idioms)]
    #![deny(missing_debug_implementations, unused_qualifications, unused_results)]
    #![deny(single_use_lifetimes, trivial_casts, let_underscore, nonstandard_style)]
    #![forbid(unsafe_code)]

    use toolwright::{Json, data, tool};

    /// A point.
    #[data]
    #[derive(Debug)]
    pub struct Point {
        /// To the right.
        pub x: f64,
    }

    /// Moves a point.
    #[tool(title = "Move", timeout = "1s", meta("a" = 1))]
    pub fn shift(point: &Point, by: Option<f64>) -> Result<Json<Point>, std::fmt::Error> {
        Ok(Json(Point { x: point.x + by.unwrap_or_default() }))
    }

    #[tool]
    fn never_collected() {}
}

pub fn main() {
    let tools = toolwright::tools![strict::shift];
    toolwright::ToolRegistry::builder("points").tools(tools).build().unwrap();
}
