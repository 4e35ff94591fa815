use super::*;

#[test]
fn a_stream_that_opens_after_the_end_of_its_session_is_over() {
    let streams = Streams::new(&Options::default(), 1_024, Duration::from_secs(60));
    let streams = Arc::new(streams);
    let next = |mut reader: Reader| {
        let polled = reader.poll_next(&mut Context::from_waker(Waker::noop()));
        polled.map(|message| message.is_some())
    };
    let (early, _early) = streams.listen();
    assert_eq!(next(early), Poll::Pending);
    streams.close();
    let (late, _late) = streams.listen();
    assert_eq!(next(late), Poll::Ready(false));
}
