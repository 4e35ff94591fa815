use super::*;

/// The same members in all orders that a rotation gives.
fn rotations(members: &[&str]) -> Vec<String> {
    (0..members.len())
        .map(|by| format!("{{{}}}", [&members[by..], &members[..by]].concat().join(" , ")))
        .collect()
}

#[test]
fn lines_are_told_apart_in_any_order_of_members() {
    let cases: &[(&[&str], Peek<'_>)] = &[
        (
            &[
                r#""type":"control_request""#,
                r#""request_id":"r""#,
                r#""request":{"type":"result"}"#,
            ],
            Peek::Control(ControlKind::Request),
        ),
        (
            &[r#""type":"control_response""#, r#""response":{}"#],
            Peek::Control(ControlKind::Response),
        ),
        (
            &[r#""type":"control_cancel_request""#, r#""request_id":"r""#],
            Peek::Control(ControlKind::Cancel),
        ),
        (&[r#""type":"keep_alive""#], Peek::Internal),
        (&[r#""type":"transcript_mirror""#, r#""entries":[]"#, r#""filePath":"f""#], Peek::Mirror),
        (
            &[r#""type":"system""#, r#""subtype":"anything""#, r#""sdk_host_only":true"#],
            Peek::Internal,
        ),
        (
            &[
                r#""type":"system""#,
                r#""subtype":"session_state_changed""#,
                r#""state":"idle""#,
                r#""sdk_host_only":true"#,
            ],
            Peek::State { state: "idle".into(), for_host_only: true },
        ),
        (
            &[r#""type":"system""#, r#""subtype":"session_state_changed""#, r#""state":"running""#],
            Peek::State { state: "running".into(), for_host_only: false },
        ),
        (
            &[r#""type":"result""#, r#""subtype":"success""#, r#""is_error":true"#],
            Peek::Result { is_error: true },
        ),
        (&[r#""type":"result""#, r#""usage":{"is_error":true}"#], Peek::Result { is_error: false }),
        (
            &[r#""type":"result""#, r#""subtype":"error_max_turns""#, r#""is_error":false"#],
            Peek::Result { is_error: true },
        ),
        (&[r#""type":"assistant""#, r#""parent_tool_use_id":null"#, r#""message":{}"#], Peek::Work),
        (&[r#""type":"stream_event""#, r#""event":{}"#], Peek::Work),
        (
            &[
                r#""type":"assistant""#,
                r#""parent_tool_use_id":"t""#,
                r#""message":{"parent_tool_use_id":null}"#,
            ],
            Peek::Other,
        ),
        (&[r#""type":"user""#, r#""message":{"type":"result"}"#], Peek::Other),
        (&[r#""type":"system""#, r#""subtype":"init""#, r#""tools":[]"#], Peek::Init),
        (
            &[
                r#""type":"system""#,
                r#""subtype":"task_started""#,
                r#""task_id":"a\u0062""#,
                r#""task_type":"local_agent""#,
            ],
            Peek::TaskStarted { id: "ab".into(), kind: "local_agent".into() },
        ),
        (
            &[r#""type":"system""#, r#""subtype":"task_notification""#, r#""task_id":"t""#],
            Peek::TaskEnded { id: "t".into() },
        ),
        (
            &[
                r#""type":"system""#,
                r#""subtype":"task_updated""#,
                r#""task_id":"t""#,
                r#""patch":{"status":"killed"}"#,
            ],
            Peek::TaskEnded { id: "t".into() },
        ),
        (
            &[
                r#""type":"system""#,
                r#""subtype":"task_updated""#,
                r#""task_id":"t""#,
                r#""patch":{"status":"paused"}"#,
            ],
            Peek::Other,
        ),
        (
            &[
                r#""type":"system""#,
                r#""subtype":"task_updated""#,
                r#""task_id":"t""#,
                r#""patch":{}"#,
            ],
            Peek::Other,
        ),
        (&[r#""type":"new_type""#], Peek::Other),
        (&[r#""type":7"#], Peek::Other),
        (&[r#""a":1"#], Peek::Other),
    ];
    for (members, expected) in cases {
        for line in rotations(members) {
            assert_eq!(peek(&line), *expected, "{line}");
        }
    }
}

#[test]
fn control_messages_need_only_their_first_member() {
    assert_eq!(
        peek(r#"{"type":"control_request","request":{"#),
        Peek::Control(ControlKind::Request)
    );
}

#[test]
fn what_is_no_message_is_of_no_interest() {
    for line in ["", "x", "[]", "{", r#"{"type""#, r#"{"type":"result"#] {
        assert_eq!(peek(line), Peek::Other, "{line}");
    }
}

#[test]
fn parts_of_an_answer_are_known_by_their_beginning() {
    for (line, expected) in [
        (r#"{"type":"stream_event","event":{},"parent_tool_use_id":null}"#, true),
        (r#"{"type":"assistant","message":{},"parent_tool_use_id":"t"}"#, true),
        (r#"{"type":"assistant","message":{},"sdk_host_only":true}"#, false),
        (r#"{"type":"assistant_of_tomorrow","message":{}}"#, false),
        (r#"{"message":{},"type":"assistant"}"#, false),
        (r#"{"type":"result","is_error":true}"#, false),
        (r#"{"type":"control_request","request_id":"r"}"#, false),
    ] {
        assert_eq!(is_part_of_an_answer(line), expected, "{line}");
        assert!(!expected || matches!(peek(line), Peek::Work | Peek::Other), "{line}");
    }
}

#[test]
fn what_is_not_whole_counts_as_nothing_unless_only_its_beginning_was_kept() {
    let result = r#"{"type":"result","is_error":true,"result":"#;
    for torn in
        [format!("{result}\"do"), format!("{result}\"done\""), format!("{result}\"done\"}} x")]
    {
        assert_eq!(peek(&torn), Peek::Other, "{torn}");
        assert_eq!(peek_head(&torn), Peek::Result { is_error: true }, "{torn}");
    }
    assert_eq!(peek(&format!("{result}\"done\"}} ")), Peek::Result { is_error: true });
}
