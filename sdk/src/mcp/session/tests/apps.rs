//! Views for the results of tools (MCP Apps).

use std::sync::Arc;

use expect_test::expect;
use toolwright::{Resource, ResourceContents, ToolRegistry, ToolVisibility, json, tool};

use super::harness::{World, check_in};
use super::toys::Toys;

#[tool(ui = "ui://clock", visibility = ["app"])]
async fn now() -> &'static str {
    "12:00"
}

#[tool]
async fn later() -> &'static str {
    "13:00"
}

fn clock() -> Resource {
    let clock = Resource::new("ui://clock", "clock", "", async |_, _| {
        let other = ResourceContents::text("ui://clock/other", "").with_meta("ui", json!({}));
        vec![ResourceContents::text("", "<!doctype html>"), other]
    });
    clock.with_meta("ui", json!({"prefersBorder": true})).with_meta("com.example/a", 1)
}

#[test]
fn a_tool_names_its_view_and_the_view_says_what_hosts_need() {
    let later = later::tool().with_visibility([ToolVisibility::Model]).with_ui("ui://clock");
    let registry = ToolRegistry::builder("toy").version("1").tools([now::tool(), later]);
    let registry = registry.resources([clock()]).build().unwrap();
    check_in(
        World::serving(registry, Arc::new(Toys::default())),
        r#"modern 1 server/discover
           modern 2 tools/list
           modern 3 resources/list
           modern 4 resources/read {"uri":"ui://clock"}
           legacy 5 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 6 tools/list"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"extensions":{"io.modelcontextprotocol/ui":{}}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"now","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"_meta":{"ui":{"resourceUri":"ui://clock","visibility":["app"]}}},{"name":"later","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"_meta":{"ui":{"visibility":["model"],"resourceUri":"ui://clock"}}}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","resources":[{"uri":"ui://clock","name":"clock","mimeType":"text/html;profile=mcp-app","_meta":{"ui":{"prefersBorder":true},"com.example/a":1}}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","contents":[{"uri":"ui://clock","mimeType":"text/html;profile=mcp-app","text":"<!doctype html>","_meta":{"ui":{"prefersBorder":true}}},{"uri":"ui://clock/other","mimeType":"text/html;profile=mcp-app","text":"","_meta":{"ui":{}}}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":5,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":6,"result":{"tools":[{"name":"now","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"_meta":{"ui":{"resourceUri":"ui://clock","visibility":["app"]}}},{"name":"later","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"_meta":{"ui":{"visibility":["model"],"resourceUri":"ui://clock"}}}]}}
        "#]],
    );
}

#[tool(ui = "ui://wetter in köln")]
async fn weather() -> &'static str {
    "Regen"
}

#[test]
fn the_uri_of_a_view_is_encoded_as_its_resource_has_it() {
    const URI: &str = "ui://wetter in köln";
    let later = later::tool().with_ui(URI);
    let view = Resource::new(URI, "weather", "", async |_, _| "<!doctype html>");
    let registry = ToolRegistry::builder("toy").tools([weather::tool(), later]).resources([view]);
    let mut world = World::serving(registry.build().unwrap(), Arc::new(Toys::default()));
    let said = world.play("modern 1 resources/list {}\nmodern 2 tools/list {}");
    assert_eq!(said.matches(r#""uri":"ui://wetter%20in%20k%C3%B6ln""#).count(), 1, "{said}");
    assert_eq!(
        said.matches(r#""resourceUri":"ui://wetter%20in%20k%C3%B6ln""#).count(),
        2,
        "{said}"
    );
}

#[test]
fn a_view_that_does_not_exist_is_refused() {
    let none = "tool `now`: no resource of the server has the URI of its view `ui://clock`";
    let builder = || ToolRegistry::builder("toy").resources([]);
    assert_eq!(builder().tool(now::tool()).build().unwrap_err().to_string(), none);
    let registry = builder().build().unwrap();
    assert_eq!(registry.add(now::tool()).unwrap_err().to_string(), none);
    registry.add_resource(clock()).unwrap();
    registry.add(now::tool()).unwrap();
}
