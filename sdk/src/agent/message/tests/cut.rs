use super::super::cut_result;
use super::*;

#[test]
fn a_member_that_was_cut_is_left_out() {
    for last in [r#""duration_ms":12"#, r#""stop_reason":nul"#, r#""x":@,"result":"a"#] {
        let head = format!(r#"{{"type":"result","num_turns":3,{last}"#);
        let message = Message::parse(cut_result(&head, 9));
        let Message::Result(result) = &message else { panic!("{message:?}") };
        assert_eq!((result.is_error, result.num_turns, result.duration_ms), (true, 3, 0), "{last}");
    }
}
