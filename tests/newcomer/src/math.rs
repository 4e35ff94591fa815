use std::collections::BTreeMap;

use toolwright::{Args, Json, data, tool};

/// Add two numbers.
///
/// Returns the exact sum.
#[tool(read_only, idempotent)]
pub async fn add(
    /// Left operand.
    a: f64,
    /// Right operand.
    #[arg(default = 0.0)]
    b: f64,
) -> f64 {
    a + b
}

/// Mean of some numbers.
#[tool(read_only, title = "Arithmetic mean", inline)]
pub fn mean(
    /// The numbers.
    #[arg(min_length = 1, max_length = 1000, example = [1.0, 2.0])]
    numbers: &[f64],
    /// By how much each number counts; all count the same without it.
    weights: Option<Vec<f64>>,
) -> Result<f64, &'static str> {
    let weights = weights.unwrap_or_else(|| vec![1.0; numbers.len()]);
    if weights.len() != numbers.len() {
        return Err("there must be a weight for each number");
    }
    let sum: f64 = numbers.iter().zip(&weights).map(|(number, weight)| number * weight).sum();
    Ok(sum / weights.iter().sum::<f64>())
}

/// Scale named amounts.
#[tool(read_only)]
pub async fn scale(
    /// The amounts.
    amounts: BTreeMap<String, f64>,
    /// Least and greatest result.
    range: Option<(f64, f64)>,
    #[arg(rename = "by", description = "The factor.", min = 0.1, max = 10, default = 2.0)]
    factor: f64,
) -> Json<BTreeMap<String, f64>> {
    let (least, greatest) = range.unwrap_or((f64::MIN, f64::MAX));
    let scaled = amounts
        .into_iter()
        .map(|(name, amount)| (name, (amount * factor).clamp(least, greatest)))
        .collect();
    Json(scaled)
}

/// A shape.
#[data]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum Shape {
    /// A circle.
    Circle { radius: f64 },
    /// A rectangle.
    Rectangle { width: f64, height: f64 },
}

/// An area with its unit.
#[data]
pub struct Area {
    pub value: f64,
    pub unit: String,
}

/// Area of a shape.
#[data]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The shape.
    pub shape: Shape,
    /// The unit of its lengths.
    #[serde(default = "metre")]
    pub unit: String,
}

/// Area of a shape.
#[tool(read_only, name = "area_of_shape", max_result_chars = 1000, search_hint = "geometry")]
pub async fn area(Args(question): Args<Question>) -> Json<Area> {
    let value = match question.shape {
        Shape::Circle { radius } => radius * radius * std::f64::consts::PI,
        Shape::Rectangle { width, height } => width * height,
    };
    Json(Area { value, unit: format!("{}²", question.unit) })
}

fn metre() -> String {
    "m".to_owned()
}
