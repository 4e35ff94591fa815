//! For how long clients may use an answer again.

use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use toolwright::{Caching, ToolRegistry};

use super::harness::{World, check_in};
use super::toys::Toys;

#[test]
fn each_list_has_its_own_hint_or_that_of_the_server() {
    let [minute, hour] = [60, 3600].map(Duration::from_secs);
    let registry = ToolRegistry::builder("toy").version("1").prompts([]).resources([]);
    let registry = registry.caching(Caching::public(hour));
    let registry = registry.tools_caching(Caching::private(minute));
    let registry = registry.resources_caching(Caching::default());
    check_in(
        World::serving(registry.build().unwrap(), Arc::new(Toys::default())),
        r#"modern 1 server/discover
           modern 2 tools/list
           modern 3 prompts/list
           modern 4 resources/list
           modern 5 resources/templates/list
           legacy 6 tools/list"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}},"ttlMs":3600000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","prompts":[],"ttlMs":3600000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","resources":[],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","resourceTemplates":[],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":6,"result":{"tools":[]}}
        "#]],
    );
}

#[test]
fn a_time_without_an_end_is_a_number_that_every_client_can_read() {
    let registry = ToolRegistry::builder("toy").caching(Caching::private(Duration::MAX));
    let mut world = World::serving(registry.build().unwrap(), Arc::new(Toys::default()));
    let said = world.play("modern 1 server/discover");
    assert!(said.contains(r#""ttlMs":9007199254740992,"cacheScope":"private""#), "{said}");
}
