//! Changes of lists, from one replica of a server to the others.

#[cfg(feature = "redis")]
mod redis;

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use tokio::time::sleep;

use crate::ToolRegistry;
use crate::mcp::protocol::{ListKind, Topic};
use crate::mcp::{Link, Speech};

#[cfg(feature = "redis")]
pub use self::redis::{BadRedisUrl, RedisBus};

/// When a bus is connected again, what stores the tasks may not be yet: so often they are looked up
/// once more, after such a pause.
const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_secs(1);

/// Carries changes between the replicas of a server, so that a client that listens at one replica
/// hears of a change at another. Without a bus each replica notifies its own clients only.
///
/// ```
/// use std::sync::Mutex;
/// use toolwright::http::{Bus, Change, Heard};
///
/// /// A bus within one process. One between processes sends `change.to_string()`, and parses what
/// /// it receives.
/// #[derive(Default)]
/// struct Local(Mutex<Vec<Heard>>);
///
/// impl Bus for Local {
///     fn publish(&self, change: &Change) {
///         let parsed = change.to_string().parse().expect("a change's text is a change");
///         self.0.lock().expect("nobody panics here").iter().for_each(|heard| heard(&parsed));
///     }
///
///     fn listen(&self, heard: Heard) {
///         self.0.lock().expect("nobody panics here").push(heard);
///     }
/// }
/// ```
pub trait Bus: Send + Sync + 'static {
    /// Sends a change to the other replicas. It may be called on any thread and must not block; a
    /// change that cannot be sent is lost.
    fn publish(&self, change: &Change);

    /// From now on passes each change of other replicas to `heard`; those of this replica may be
    /// among them. A bus that has been disconnected passes [`Change::anything`] when it is
    /// connected again, as it may have missed some.
    fn listen(&self, heard: Heard);
}

/// Takes the changes of other replicas.
pub type Heard = Box<dyn Fn(&Change) + Send + Sync>;

/// A change of a list, a resource or a task. Its text, from [`Display`](fmt::Display) to
/// [`FromStr`], is for the replicas of one version of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    what: What,
    /// The replica on which it happened, at random.
    origin: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// All lists, resources and tasks.
    Anything,
    List(ListKind),
    /// The resource with this canonical URI.
    Resource(Box<str>),
    /// The task with this id, where the replicas share their tasks.
    Task(Box<str>),
}

/// A text is no [`Change`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoChange(());

/// Connects a registry with a bus, as long as this exists.
pub(super) struct Bridge {
    registry: ToolRegistry,
    bus: Arc<dyn Bus>,
    origin: u64,
    /// Where the states of changed tasks are fetched.
    runtime: Option<Handle>,
    /// Looks up all tasks that clients listen for.
    catching_up: Mutex<Option<AbortHandle>>,
}

impl Change {
    /// Any list, any resource and any task may have changed.
    pub fn anything() -> Self {
        Self { what: What::Anything, origin: 0 }
    }
}

impl Bridge {
    pub(super) fn new(registry: &ToolRegistry, bus: Arc<dyn Bus>) -> Arc<Self> {
        // Each has a new seed.
        let origin = RandomState::new().build_hasher().finish();
        let runtime = Handle::try_current().ok();
        let bridge = Arc::new(Self {
            registry: registry.clone(),
            bus: bus.clone(),
            origin,
            runtime,
            catching_up: Mutex::default(),
        });
        let this = Arc::downgrade(&bridge);
        registry.connect(this.clone());
        bus.listen(Box::new(move |change| Self::heard(&this, change)));
        bridge
    }

    /// Notifies the clients of this replica of a change elsewhere.
    fn heard(this: &Weak<Self>, change: &Change) {
        let Some(bridge) = this.upgrade().filter(|bridge| bridge.origin != change.origin) else {
            return;
        };
        let notify = |topic: Topic| bridge.registry.heard(&topic);
        match &change.what {
            What::Anything => {
                ListKind::ALL.into_iter().map(Topic::List).for_each(notify);
                notify(Topic::Resource(None));
                bridge.catch_up();
            }
            What::List(list) => notify(Topic::List(*list)),
            What::Resource(uri) => notify(Topic::Resource(Some(uri.clone()))),
            What::Task(id) => {
                let (registry, id) = (bridge.registry.clone(), id.clone());
                let told = async move { registry.task_heard(&id).await };
                drop(bridge.runtime.as_ref().map(|runtime| runtime.spawn(told)));
            }
        }
    }

    /// Tells the clients of this replica in which state the tasks are that they listen for.
    fn catch_up(&self) {
        let registry = self.registry.clone();
        let told = async move {
            let mut attempts = 0;
            for id in registry.listened_tasks() {
                while registry.task_heard(&id).await.is_err() && attempts < ATTEMPTS {
                    attempts += 1;
                    sleep(PAUSE).await;
                }
            }
        };
        let newer = self.runtime.as_ref().map(|runtime| runtime.spawn(told).abort_handle());
        let mut catching_up = self.catching_up.lock().unwrap_or_else(PoisonError::into_inner);
        let older = std::mem::replace(&mut *catching_up, newer);
        drop(catching_up);
        // The newer one looks up all of them again.
        older.iter().for_each(AbortHandle::abort);
    }
}

impl Link for Bridge {
    fn speak(&self, speech: Speech<'_>) {
        let what = match speech.topic() {
            None => return,
            Some(Topic::List(list)) => What::List(*list),
            Some(Topic::Resource(None)) => What::Anything,
            Some(Topic::Resource(Some(uri))) => What::Resource(uri.clone()),
            Some(Topic::Task(task)) => What::Task(task.id.clone()),
        };
        self.bus.publish(&Change { what, origin: self.origin });
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x} ", self.origin)?;
        match &self.what {
            What::Anything => f.write_str("*"),
            What::List(list) => f.write_str(list.as_str()),
            What::Resource(uri) => write!(f, "resource {uri}"),
            What::Task(id) => write!(f, "task {id}"),
        }
    }
}

impl FromStr for Change {
    type Err = NoChange;

    fn from_str(text: &str) -> Result<Self, NoChange> {
        let (origin, what) = text.split_once(' ').ok_or(NoChange(()))?;
        let origin = u64::from_str_radix(origin, 16).map_err(|_| NoChange(()))?;
        let what = match what.split_once(' ') {
            None if what == "*" => What::Anything,
            None => {
                let list = ListKind::ALL.into_iter().find(|known| known.as_str() == what);
                What::List(list.ok_or(NoChange(()))?)
            }
            Some(("resource", uri)) => What::Resource(uri.into()),
            Some(("task", id)) => What::Task(id.into()),
            Some(_) => return Err(NoChange(())),
        };
        Ok(Self { what, origin })
    }
}

impl fmt::Display for NoChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is no change")
    }
}

impl std::error::Error for NoChange {}

impl fmt::Debug for dyn Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bus")
    }
}
