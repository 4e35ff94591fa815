//! Runs several futures at the same time in one task.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

/// The result of `work`, unless `end` is ready first.
pub(super) async fn unless<T>(
    end: impl Future<Output = ()>,
    work: impl Future<Output = T>,
) -> Option<T> {
    first(end, work).await.err()
}

/// What is ready first: the result of `a`, or, as an error, that of `b`.
pub(super) async fn first<A, B>(
    a: impl Future<Output = A>,
    b: impl Future<Output = B>,
) -> Result<A, B> {
    let (mut a, mut b) = (pin!(a), pin!(b));
    poll_fn(|cx| match a.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Ok(value)),
        Poll::Pending => b.as_mut().poll(cx).map(Err),
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
