use std::sync::mpsc;

use super::*;

#[tokio::test]
async fn a_job_of_a_cancelled_request_does_not_begin() {
    let channel = Arc::<Channel>::default();
    let jobs = Jobs::new(channel.clone());
    let (begun, names) = mpsc::channel();
    for name in ["a", "b", "c"] {
        let begun = begun.clone();
        jobs.add(channel.open(name, 1).unwrap().0, Box::new(move |_| begun.send(name).unwrap()));
    }
    drop(begun);
    channel.cancel("b");
    jobs.begin();
    while !jobs.state().queue.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "c"]);
}
