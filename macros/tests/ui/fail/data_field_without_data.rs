use toolwright::{data, tool, tools};

struct Celsius(f64);

#[data]
struct Weather {
    degrees: Celsius,
    wind: f64,
}

#[tool]
async fn is_nice(weather: Weather) -> bool {
    weather.degrees.0 > 20.0 && weather.wind < 5.0
}

fn main() {
    let _ = tools![is_nice];
}
