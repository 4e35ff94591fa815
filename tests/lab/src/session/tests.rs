use super::*;
use crate::servers::Name;

#[test]
fn a_server_gets_nothing_that_this_program_has_in_its_environment() {
    let inherited = "CARGO_MANIFEST_DIR";
    assert!(std::env::var_os(inherited).is_some(), "cargo sets it");
    let script = format!("[ -z \"${inherited}\" ] && exec cat");
    let server =
        Server { name: Name::Raw, program: "/bin/sh".into(), args: vec!["-c".to_owned(), script] };
    let session = Session::start(&server, Era::Legacy).expect("it echoes the opening");
    session.close().expect("it ends");
}
