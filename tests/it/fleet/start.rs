use rustix::process::{Pid, Signal, kill_process};
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::time::timeout;

use super::scene::SILENCE;
use crate::examples;

#[tokio::test]
async fn a_worker_can_be_told_to_end_while_it_connects() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let queue = format!("nats://{}", silent.local_addr().unwrap());
    let mut command = Command::new(&examples::binaries()["worker"]);
    command.env_clear().envs([("NATS_URL", &*queue), ("DATABASE_URL", ""), ("FLEET_FOLDER", "/")]);
    let mut worker = command.kill_on_drop(true).spawn().unwrap();
    let _connection = timeout(SILENCE, silent.accept()).await.expect("it does not connect");
    let id = Pid::from_raw(worker.id().unwrap().cast_signed()).unwrap();
    kill_process(id, Signal::TERM).unwrap();
    let ended = timeout(SILENCE, worker.wait()).await.expect("it goes on").unwrap();
    assert!(ended.success(), "{ended}");
}
