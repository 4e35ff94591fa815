//! Values of the server as parameters.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::input::Input;
use super::param::{Param, RefParam, Source, kind};
use super::shaped::ByType;
use crate::mcp::extensions::Need;
use crate::mcp::output::Sealed;

/// A value that calls share, as a parameter: what
/// [`ToolRegistryBuilder::state`](crate::ToolRegistryBuilder::state) was given, or each session's
/// own of [`session_state`](crate::ToolRegistryBuilder::session_state). Clients see no argument.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use toolwright::{State, ToolRegistry, json, tool, tools};
///
/// #[derive(Default)]
/// struct Counter {
///     count: AtomicU64,
/// }
///
/// /// Count on.
/// #[tool]
/// async fn count(by: u64, counter: State<Counter>) -> u64 {
///     counter.count.fetch_add(by, Ordering::Relaxed) + by
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry =
///     ToolRegistry::builder("counter").state(Counter::default()).tools(tools![count]).build()?;
/// registry.call("count", json!({"by": 2})).await?;
/// assert_eq!(registry.call("count", json!({"by": 40})).await?.to_text(), "42");
/// # Ok(())
/// # }
/// ```
///
/// Without a value of the type the registry's `build` fails. A value of the same type in the
/// extensions of a session or of a call, which are [`Extensions`](crate::mcp::Extensions), takes
/// the place of the server's. A value that only those have is a parameter `Option<State<T>>`.
///
/// The field `0` is the `Arc` around the value. So the one of a tuple struct is behind another:
/// `visits.0.0` with a parameter `visits: State<Visits>`, or `visits.0` with `State(visits)`.
///
/// `T` may be a `dyn Trait` whose state was given as an `Arc<dyn Trait>`, so that a test can give
/// another. A function with a `State` is called as any other: `count(2, State::new(counter))`.
pub struct State<T: ?Sized>(pub Arc<T>);

impl<T> State<T> {
    /// Wraps a value, to call a function that takes it.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T: ?Sized> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.0).finish()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + Send + Sync + 'static> Param<kind::Injected> for State<T> {
    const SOURCE: Source = Source::Call;

    fn absent(input: &Input<'_>) -> Option<Self> {
        let shared = input.shared();
        if shared.is_none() {
            input.lacks(Need::of::<T>());
        }
        shared.map(Self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + Send + Sync + 'static> RefParam<kind::Injected> for State<T> {
    type Owned = Self;
    type By = kind::Injected;
    type Shaped = ByType;

    fn lend(owned: &Self, _: Sealed) -> &Self {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + Send + Sync + 'static> Param<kind::Injected> for Option<State<T>> {
    const SOURCE: Source = Source::Call;

    fn absent(input: &Input<'_>) -> Option<Self> {
        Some(input.shared().map(State))
    }
}
