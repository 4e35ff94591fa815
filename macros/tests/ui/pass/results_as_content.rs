//! Images, links and whole results.

use toolwright::{
    Audio, Content, EmbeddedResource, Image, ResourceLink, ToolRegistry, ToolResult, tool, tools,
};

#[tool]
async fn image() -> Image {
    Image::png(b"...")
}

#[tool]
async fn sound() -> Result<Audio, std::io::Error> {
    Ok(Audio::wav(b"..."))
}

#[tool]
async fn link() -> Option<ResourceLink> {
    Some(ResourceLink::new("file:///a", "a"))
}

#[tool]
async fn resource() -> EmbeddedResource {
    EmbeddedResource::text("file:///a", "text/plain", "a")
}

#[tool]
async fn blocks() -> Vec<Content> {
    vec![Content::text("a"), Image::png(b"...").into()]
}

#[tool]
async fn whole(fails: bool) -> ToolResult {
    if fails { ToolResult::error("It failed.") } else { ToolResult::text("It worked.") }
}

pub fn main() {
    let tools = tools![image, sound, link, resource, blocks, whole];
    ToolRegistry::builder("content").tools(tools).build().unwrap();
}
