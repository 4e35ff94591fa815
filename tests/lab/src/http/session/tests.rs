use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use super::*;

/// What becomes of a session with a server that gives this result to its call.
fn begun(result: String) -> Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let call = format!(r#"{{"jsonrpc":"2.0","id":{FIRST_ID},"result":{result}}}"#);
    let server = thread::spawn(move || {
        let mut stream = BufReader::new(listener.accept()?.0);
        for body in ["{}", "", &call] {
            let (mut line, mut length) = (String::new(), 0);
            while line != "\r\n" {
                line.clear();
                stream.read_line(&mut line)?;
                length = line
                    .strip_prefix("Content-Length: ")
                    .map_or(length, |it| it.trim().parse().expect("a length"));
            }
            stream.read_exact(&mut vec![0; length])?;
            let (head, length) = ("HTTP/1.1 200 OK\r\nmcp-session-id: 7", body.len());
            write!(stream.get_mut(), "{head}\r\nContent-Length: {length}\r\n\r\n{body}")?;
        }
        anyhow::Ok(())
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let begun = runtime.block_on(async { Sessions::open(address).await?.begin().await });
    server.join().expect("no panic")?;
    begun
}

fn text(text: &str, is_error: bool) -> String {
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}],"isError":{is_error}}}"#)
}

#[test]
fn a_session_whose_call_is_answered_wrongly_is_noticed() {
    let right = Call::Add.text(FIRST_ID);
    assert_eq!(begun(text(&right, false)).expect("it is right"), "7");
    for wrong in [text(&right, true), text("1.25", false), r#"{"content":[]}"#.to_owned()] {
        assert!(begun(wrong.clone()).is_err(), "{wrong}");
    }
}
