use std::io::Cursor;

use super::*;

#[tokio::test]
async fn a_line_that_is_too_long_is_cut_and_answers_no_other_question() {
    for over in [0, 1, 100_000] {
        let longest = "y".repeat(65_536);
        let typed = format!("{longest}{}\nno\n", "y".repeat(over));
        let mut keyboard = Keyboard::new(Cursor::new(typed));
        assert_eq!(keyboard.line().await.unwrap().as_deref(), Some(&*longest), "{over}");
        assert_eq!(keyboard.line().await.unwrap().as_deref(), Some("no\n"), "{over}");
        assert_eq!(keyboard.line().await.unwrap(), None, "{over}");
    }
}
