//! What a view shows next.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use futures_core::Stream;

use super::desk::{Desk, Item};
use crate::agent::error::RunError;
use crate::agent::message::Message;

pub(super) enum Next {
    Message(Option<Result<Message, RunError>>),
    Item(Item),
}

/// What comes first. Messages do, so that a question follows the call that it is about.
pub(super) async fn next(
    mut messages: Pin<&mut impl Stream<Item = Result<Message, RunError>>>,
    desk: &Desk,
) -> Next {
    let mut item = pin!(desk.next());
    poll_fn(|cx| match messages.as_mut().poll_next(cx) {
        Poll::Ready(message) => Poll::Ready(Next::Message(message)),
        Poll::Pending => item.as_mut().poll(cx).map(Next::Item),
    })
    .await
}
