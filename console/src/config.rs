//! The configuration with which an MCP client starts this program.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use serde_json::Value;

/// One line of JSON. `arguments` are those of the program itself, before the command.
///
/// # Errors
///
/// The path of the program or an argument is not UTF-8.
pub fn config(server: &str, program: &Path, arguments: &[OsString]) -> Result<String, String> {
    let (server, command) = (Value::from(server), json(program.as_os_str())?);
    let mut args = String::new();
    for argument in arguments {
        args.push_str(if args.is_empty() { "" } else { "," });
        args.push_str(&json(argument)?);
    }
    let server = format!(r#"{{{server}:{{"type":"stdio","command":{command},"args":[{args}]}}}}"#);
    Ok(format!("{{\"mcpServers\":{server}}}\n"))
}

fn json(text: &OsStr) -> Result<String, String> {
    match text.to_str() {
        Some(text) => Ok(Value::from(text).to_string()),
        None => Err(format!("{} cannot be written as JSON", text.display())),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn the_program_is_named_by_its_path() {
        let config = |path: &str, arguments: &[&str]| {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            config("calc", Path::new(path), &arguments).unwrap()
        };
        assert_eq!(
            config("/opt/calc", &[]),
            concat!(
                r#"{"mcpServers":{"calc":{"type":"stdio","command":"/opt/calc","args":[]}}}"#,
                "\n"
            )
        );
        let with_arguments = config("/a b/\"c\"", &["--db", "x"]);
        assert!(with_arguments.contains(r#""command":"/a b/\"c\"","args":["--db","x"]"#));
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let odd = OsString::from_vec(vec![b'x', 0xff]);
        let expected = Err("x\u{fffd} cannot be written as JSON".to_owned());
        assert_eq!(config("calc", Path::new(&odd), &[]), expected);
        assert_eq!(config("calc", Path::new("/calc"), &[odd]), expected);
    }
}
