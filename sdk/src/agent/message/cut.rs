//! A result that was longer than a line may be.

use crate::scan::{Members, is_json};

/// The error result that stands for a result of `length` bytes, of which only the `head` was kept:
/// with the members of that, but for what the result was.
pub(crate) fn cut_result(head: &str, length: usize) -> String {
    let mut text = format!(
        "{{\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":true,\
         \"errors\":[\"the result has {length} bytes, more than a line may have\"]"
    );
    if let Ok(mut members) = Members::of(head) {
        while let Ok(Some(key)) = members.key()
            && let Ok(value) = members.value()
        {
            let member = format!("\"{key}\":{value}");
            // The cut may be in the last value, and what is broken would cost the whole result.
            let is_whole = members.position() < head.len() && is_json(&format!("{{{member}}}"));
            let is_replaced = matches!(key, "type" | "subtype" | "is_error" | "errors" | "result");
            if is_whole && !is_replaced {
                text.extend([",", &*member]);
            }
        }
    }
    text.push('}');
    text
}
