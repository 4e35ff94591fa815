//! Parts of a line, each of which may be wrong by itself or for its place.

pub(super) const METHODS: [&str; 15] = [
    "\"tools/call\"",
    "\"tools/call\"",
    "\"tools/call\"",
    "\"tools/call\"",
    "\"tools/call\"",
    "\"ping\"",
    "\"ping\"",
    "\"tools/list\"",
    "\"server/discover\"",
    "\"subscriptions/listen\"",
    "\"initialize\"",
    "\"logging/setLevel\"",
    "\"no/such\"",
    "\"tools\\/call\"",
    "\"pin\\u0067\"",
];
pub(super) const BAD_METHODS: [&str; 6] = ["7", "null", "{}", "\"\"", "\"\\ud800\"", "\"ping\t\""];
/// Ids in all spellings, some of which are none.
pub(super) const IDS: [&str; 28] = [
    "0",
    "-0",
    "1.0",
    "-1.0",
    "-7",
    "18446744073709551615",
    "18446744073709551616",
    "9999999999999999999",
    "123456789012345678901234567890",
    "\"\"",
    "\"a\"",
    "\"\\u0061\"",
    "\"\\\"\"",
    "\"é\"",
    "\"\\ud800\"",
    "\"}\"",
    "1.5",
    "1e2",
    "1E+2",
    "1.00",
    "null",
    "true",
    "[1]",
    "{\"id\":1}",
    "01",
    ".5",
    "+1",
    "\"a\tb\"",
];
pub(super) const VERSIONS: [&str; 6] =
    ["\"2.\\u0030\"", "\"1.0\"", "2.0", "null", "tru", "\"2.0 \""];
pub(super) const KEYS: [&str; 6] =
    ["\"jsonrpc\"", "\"id\"", "\"method\"", "\"params\"", "\"result\"", "\"error\""];
pub(super) const ESCAPED: [&str; 6] = [
    "\"json\\u0072pc\"",
    "\"\\u0069d\"",
    "\"\\u006dethod\"",
    "\"p\\u0061rams\"",
    "\"\\u0072esult\"",
    "\"erro\\u0072\"",
];
pub(super) const TOOLS: [&str; 11] = [
    "\"add\"",
    "\"add\"",
    "\"text\"",
    "\"any\"",
    "\"send\"",
    "\"wait\"",
    "\"falls\"",
    "\"nothing\"",
    "\"no such\"",
    "\"\\u0061dd\"",
    "7",
];
pub(super) const ARGUMENTS: [&str; 20] = [
    "{}",
    "{\"a\":1,\"b\":2}",
    "{\"a\":1.5e3,\"b\":-0}",
    "{\"\\u0061\":1,\"b\":2}",
    "{\"a\":1,\"a\":2,\"b\":3}",
    "{\"a\":\"x\"}",
    "{\"a\":1e999,\"b\":1}",
    "{\"text\":\"plain\"}",
    "{\"text\":\"esc\\u0061ped \\ud83d\\ude00\"}",
    "{\"text\":\"\\ud800\"}",
    "{\"value\":{\"a\":[1,{\"b\":null}],\"c\":\"}\"}}",
    "{\"value\":[[[[]]]]}",
    "{\"value\":tru}",
    "{\"to\":{\"city\":\"x\",\"more\":[[{\"a\":[tru]}]]}}",
    "{\"to\":{\"more\":[[1]],\"city\":\"Bonn\",\"parcels\":10}}",
    "{\"a\":1 \"b\":2}",
    "{\"unknown\":[1,]}",
    "null",
    "[]",
    "\"x\"",
];
/// Calls that are as they should be. Most calls are such: what is wrong with others takes long to
/// explain.
pub(super) const CALLS: [&str; 6] = [
    "\"name\":\"add\",\"arguments\":{\"a\":1,\"b\":2}",
    "\"arguments\":{\"b\":-0.5e1,\"a\":2},\"name\":\"add\"",
    "\"name\":\"add\",\"arguments\":{\"\\u0061\":1,\"b\":2}",
    "\"name\":\"text\",\"arguments\":{\"text\":\"a \\u00e9 \\ud83d\\ude00 }\"}",
    "\"name\":\"nothing\",\"arguments\":{}",
    "\"name\":\"any\",\"arguments\":{\"value\":[1,{\"b\":null}]}",
];
pub(super) const METAS: [&str; 7] = [
    "{\"progressToken\":1}",
    "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}",
    "{\"io.modelcontextprotocol\\/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/client\\u0043apabilities\":{}}",
    "{\"io.modelcontextprotocol/protocolVersion\":\"1999-01-01\",\"io.modelcontextprotocol/clientCapabilities\":{}}",
    "{\"io.modelcontextprotocol/protocolVersion\":7}",
    "null",
    "{\"a\":01}",
];
pub(super) const OTHERS: [&str; 8] = [
    "\"notifications\":{\"toolsListChanged\":true}",
    "\"protocolVersion\":\"2025-11-25\"",
    "\"protocolVersion\":\"2025-06-18\"",
    "\"protocolVersion\":\"2024-11-05\"",
    "\"level\":\"debug\"",
    "\"cursor\":\"x\"",
    "\"n\\u0061me\":\"add\"",
    "\"x\":[{\"name\":\"}\"}]",
];
pub(super) const JUNK: [&str; 12] =
    ["", " ", "{", "}", "[]", "null", "7", "\"x\"", "{}", "[{\"id\":1}]", "}{", "{\"\\"];
