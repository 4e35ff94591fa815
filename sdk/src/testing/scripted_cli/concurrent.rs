//! Runs several futures at the same time in one task.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

/// The result of `work`, unless `end` is ready first.
pub(super) async fn unless<T>(
    end: impl Future<Output = ()>,
    work: impl Future<Output = T>,
) -> Option<T> {
    let (mut end, mut work) = (pin!(end), pin!(work));
    poll_fn(|cx| match end.as_mut().poll(cx) {
        Poll::Ready(()) => Poll::Ready(None),
        Poll::Pending => work.as_mut().poll(cx).map(Some),
    })
    .await
}

/// The results of both.
pub(super) async fn both<A, B>(a: impl Future<Output = A>, b: impl Future<Output = B>) -> (A, B) {
    let (mut a, mut b) = (pin!(a), pin!(b));
    let (mut first, mut second) = (None, None);
    poll_fn(|cx| {
        first = first.take().or_else(|| ready(a.as_mut().poll(cx)));
        second = second.take().or_else(|| ready(b.as_mut().poll(cx)));
        match (first.take(), second.take()) {
            (Some(a), Some(b)) => Poll::Ready((a, b)),
            (a, b) => {
                (first, second) = (a, b);
                Poll::Pending
            }
        }
    })
    .await
}

/// The results of all, in the order of the futures.
pub(super) async fn all<'a, T>(
    futures: impl IntoIterator<Item = Pin<Box<dyn Future<Output = T> + Send + 'a>>>,
) -> Vec<T> {
    let mut futures: Vec<_> = futures.into_iter().map(|future| (future, None)).collect();
    poll_fn(|cx| {
        for (future, value) in &mut futures {
            *value = value.take().or_else(|| ready(future.as_mut().poll(cx)));
        }
        match futures.iter().all(|(_, value)| value.is_some()) {
            true => Poll::Ready(futures.iter_mut().filter_map(|(_, value)| value.take()).collect()),
            false => Poll::Pending,
        }
    })
    .await
}

fn ready<T>(poll: Poll<T>) -> Option<T> {
    match poll {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
