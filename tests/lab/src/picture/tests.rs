use super::{Goal, Picture, Row};

fn row(label: &str, value: f64, is_ours: bool) -> Row {
    Row { label: label.to_owned(), value, is_ours }
}

fn picture(rows: Vec<Row>, goal: Option<f64>) -> Picture {
    let goal = goal.map(|value| Goal { label: "goal: 8".to_owned(), value });
    Picture { title: "Calls & more".to_owned(), unit: "calls/s <64>".to_owned(), rows, goal }
}

/// The attribute of each element of a class, in order.
fn each(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
    let lines = svg.lines().filter(|line| line.starts_with(&format!("<{element} ")));
    let values = lines.map(|line| {
        let (_, rest) = line.split_once(&format!(" {attribute}=\"")).expect(attribute);
        rest.split('"').next().expect("a value").parse().expect("a number")
    });
    values.collect()
}

#[test]
fn bars_are_as_long_as_their_values() {
    let svg = picture(vec![row("ours", 10.0, true), row("theirs", 2.5, false)], Some(8.0)).svg();
    let widths = each(&svg, "rect", "width");
    // The first is the ground.
    let [_, ours, theirs] = widths[..] else { panic!("{widths:?}") };
    assert!((ours / theirs - 4.0).abs() < 0.01, "{widths:?}");
    let (from, goal) = (each(&svg, "rect", "x")[1], each(&svg, "line", "x1")[0]);
    assert!(((goal - from) / ours - 0.8).abs() < 0.01, "{svg}");
    assert_eq!(svg.matches("class=\"bar ours\"").count(), 1);
    let value = each(&svg, "text", "x")[3];
    assert!(value > from + ours && value < 700.0, "{svg}");
}

#[test]
fn text_is_text() {
    let svg = picture(vec![row("a < b", 1.0, true)], Some(8.0)).svg();
    for text in
        [">Calls &amp; more</text>", ">calls/s &lt;64&gt;<", ">a &lt; b<", ">1.00<", ">goal: 8<"]
    {
        assert!(svg.contains(text), "{text} in {svg}");
    }
}

#[test]
fn any_value_is_drawn() {
    let values = [0.0, -1.0, f64::NAN];
    let svg = picture(values.map(|value| row("odd", value, false)).into(), None).svg();
    assert_eq!(each(&svg, "rect", "width")[1..], [0.0; 3]);
    assert!(picture(Vec::new(), None).svg().ends_with("</svg>\n"));
}
