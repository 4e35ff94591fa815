use toolwright::serde_json::{self, Map};
use toolwright::{
    Args, Content, Context, Deserialize, ErrorObject, JsonSchema, Value, schemars, tool,
};

/// Arguments with derives by hand. That of serde is told where its crate is, that of schemars finds
/// it by the `use` above.
#[derive(Deserialize, JsonSchema)]
#[serde(crate = "toolwright::serde")]
pub struct Message {
    /// A content block as JSON text.
    block: String,
}

/// Show a block that another server has sent.
#[tool(read_only)]
pub async fn show(Args(message): Args<Message>, cx: &Context) -> Result<Content, ErrorObject> {
    if is_urgent(cx.meta()) {
        cx.progress(1.0, "urgent");
    }
    serde_json::from_str(&message.block)
        .map_err(|error| ErrorObject::new(ErrorObject::INVALID_PARAMS, error.to_string()))
}

fn is_urgent(meta: &Map<String, Value>) -> bool {
    meta.contains_key("com.example/urgent")
}
