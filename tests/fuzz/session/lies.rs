//! A client whose messages lie in every field: the examples of the specification, and those of
//! older revisions. What must be answered is what serde_json makes of each line.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::answers::Question;
use super::world::World;
use super::{LIFE, assert_none};
use crate::dice::Dice;
use crate::lie::Truth;
use crate::setting;

macro_rules! example {
    ($path:literal) => {
        include_str!(concat!(
            "../../../sdk/tests-data/mcp-schema/2026-07-28/examples/",
            $path,
            ".json"
        ))
    };
}

const EXAMPLES: [&str; 11] = [
    example!("CallToolRequest/call-tool-request"),
    example!("CancelledNotification/user-requested-cancellation"),
    example!("CompleteRequest/completion-request"),
    example!("DiscoverRequest/server-discover-request"),
    example!("GetPromptRequest/get-prompt-request"),
    example!("ListPromptsRequest/list-prompts-request"),
    example!("ListResourceTemplatesRequest/list-resource-templates-request"),
    example!("ListResourcesRequest/list-resources-request"),
    example!("ListToolsRequest/list-tools-request"),
    example!("ReadResourceRequest/read-resource-request"),
    example!("SubscriptionsListenRequest/listen-for-list-changes"),
];

const OTHERS: [&str; 20] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"c","title":"C","version":"1","icons":[{"src":"a","mimeType":"b","sizes":["c"]}]}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2.5},"_meta":{"progressToken":"p"}}}"#,
    r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"inputResponses":{"name":{"action":"accept","content":{"name":"Ann"}}},"requestState":"00000000000000000000000000000000.1","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"sampling":{},"roots":{}},"io.modelcontextprotocol/logLevel":"debug","progressToken":3,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}"#,
    r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"any","arguments":{"value":{"a":[1,{"b":null}]}},"task":{"ttl":1000}}}"#,
    r#"{"jsonrpc":"2.0","id":6,"method":"logging/setLevel","params":{"level":"debug"}}"#,
    r#"{"jsonrpc":"2.0","id":7,"result":{"roots":[{"uri":"file:///a","name":"a"}]}}"#,
    r#"{"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"no","data":{"a":1}}}"#,
    r#"{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"code_review","arguments":{"code":"x","language":"py"}}}"#,
    r#"{"jsonrpc":"2.0","id":10,"method":"prompts/list","params":{"cursor":null}}"#,
    r#"{"jsonrpc":"2.0","id":11,"method":"resources/read","params":{"uri":"notes://ships"}}"#,
    r#"{"jsonrpc":"2.0","id":12,"method":"resources/subscribe","params":{"uri":"notes://ships"}}"#,
    r#"{"jsonrpc":"2.0","id":13,"method":"resources/unsubscribe","params":{"uri":"notes://ships"}}"#,
    r#"{"jsonrpc":"2.0","id":14,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"notes://{title}"},"argument":{"name":"title","value":"s"},"context":{"arguments":{"a":"b"}}}}"#,
    r#"{"jsonrpc":"2.0","id":15,"method":"tasks/get","params":{"taskId":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}"#,
    r#"{"jsonrpc":"2.0","id":16,"method":"tasks/update","params":{"taskId":"a","inputResponses":{"roots-1":{"roots":[]}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}"#,
    r#"{"jsonrpc":"2.0","id":17,"method":"tasks/cancel","params":{"taskId":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}"#,
    r#"{"jsonrpc":"2.0","id":18,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}"#,
    r#"{"jsonrpc":"2.0","id":19,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["notes://ships"],"taskIds":["a"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
];

fn truths() -> Vec<Truth> {
    EXAMPLES.iter().chain(&OTHERS).map(|text| Truth::of(text)).collect()
}

/// Sends one line to a session that has been through others.
pub(super) fn send(world: &mut World, line: impl AsRef<[u8]>) -> Result<(), String> {
    let sent = catch_unwind(AssertUnwindSafe(|| world.line(line.as_ref())));
    sent.unwrap_or_else(|_| Err("a panic".to_owned()))
}

/// Each of the specification's requests is decoded, and its result is no error.
#[test]
fn each_example_has_a_result() {
    let mut world = World::new();
    for example in EXAMPLES {
        send(&mut world, example).unwrap();
    }
    world.close().unwrap();
    let results = world.codes().clone();
    assert_eq!(results, [(0, 10)].into(), "all but the notification");
}

#[test]
fn each_lie_of_a_client_is_answered_as_serde_json_reads_it() {
    let (mut faults, mut count) = (Vec::new(), 0_u64);
    let mut world = World::new();
    for truth in truths() {
        for (place, told) in truth.lies() {
            count += 1;
            let mut sent = send(&mut world, &told);
            if count.is_multiple_of(LIFE / 20) {
                sent = sent.and_then(|()| world.close());
                world = World::new();
            }
            if let Err(fault) = sent {
                faults.push(format!("{fault}\n    a lie about {place}: {told:.300}"));
                world = World::new();
            }
        }
    }
    faults.extend(world.close().err());
    assert!(count > 5_000, "{count} lies");
    assert_none(&faults);
}

fn fuzz(seed: u64, count: u64) -> Vec<String> {
    let (mut dice, truths, mut world) = (Dice::new(seed), truths(), World::new());
    let (questions, mut faults) = (Question::all(), Vec::new());
    for number in 0..count {
        let (told, mut sent) = match dice.one_in(3) {
            true => {
                let question = &questions[dice.roll(questions.len())];
                (String::new(), question.lie(&mut world, number, &mut dice))
            }
            false => {
                let told = truths[dice.roll(truths.len())].told_by(&mut dice);
                let sent = send(&mut world, &told);
                (told, sent)
            }
        };
        if number % LIFE == LIFE - 1 {
            sent = sent.and_then(|()| world.close());
            world = World::new();
        }
        if let Err(fault) = sent {
            faults.push(format!("{fault}\n    lie {number} of seed {seed}: {told:.300}"));
            if faults.len() >= super::MOST {
                break;
            }
            world = World::new();
        }
    }
    let last = world.close().map_err(|fault| format!("{fault}\n    at the end of seed {seed}"));
    faults.extend(last.err());
    faults
}

#[test]
fn random_lies_of_a_client_are_answered_as_serde_json_reads_them() {
    assert_none(&fuzz(setting("FUZZ_SEED", 1), 5_000));
}

/// `FUZZ_LIES` lies, from `FUZZ_SEED` on.
#[test]
#[ignore = "it takes as long as one likes"]
fn many_random_lies_of_a_client_are_answered_as_serde_json_reads_them() {
    let (begin, count) = (Instant::now(), setting("FUZZ_LIES", 1_000_000));
    let faults = fuzz(setting("FUZZ_SEED", 1_000), count);
    eprintln!("{count} lies in {:?}", begin.elapsed());
    assert_none(&faults);
}
