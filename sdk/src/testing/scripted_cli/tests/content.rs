//! Results of tools as the model gets them. Only the real CLI stores images and tells the model
//! where, so that this is not among the scenarios that are played by both.

use serde_json::json;

use super::super::content::for_model;

#[test]
fn images_are_passed_on_as_images() {
    let image = json!({"type": "image", "mimeType": "image/png", "data": "cG5n"});
    let resource = json!({"uri": "a://b", "mimeType": "image/png", "blob": "cG5n"});
    let resource = json!({"type": "resource", "resource": resource});
    let source = json!({"type": "base64", "media_type": "image/png", "data": "cG5n"});
    let shown = json!({"type": "image", "source": source});

    let result = json!({"content": [image, {"type": "text", "text": "one"}],
        "structuredContent": {"n": 1}});
    let json = json!({"type": "text", "text": r#"{"n":1}"#});
    assert_eq!(for_model(&result, "calc"), json!([shown, json]));

    let from = json!({"type": "text", "text": "[Resource from calc at a://b] "});
    assert_eq!(for_model(&json!({"content": [resource]}), "calc"), json!([from, shown]));
}
