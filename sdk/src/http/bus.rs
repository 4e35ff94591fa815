//! Changes of lists, from one replica of a server to the others.

#[cfg(feature = "redis")]
mod redis;

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::str::FromStr;
use std::sync::{Arc, Weak};

use crate::ToolRegistry;
use crate::mcp::protocol::{ListKind, Topic};
use crate::mcp::{Link, Speech};

#[cfg(feature = "redis")]
pub use self::redis::{BadRedisUrl, RedisBus};

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
    /// among them. A bus that has been disconnected passes [`Change::anything`] when it is connected
    /// again, as it may have missed some.
    fn listen(&self, heard: Heard);
}

/// Takes the changes of other replicas.
pub type Heard = Box<dyn Fn(&Change) + Send + Sync>;

/// A change of a list or of a resource. Its text, from [`Display`](fmt::Display) to [`FromStr`], is
/// for the replicas of one version of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// `None` for all lists and resources.
    topic: Option<Topic>,
    /// The replica on which it happened, at random.
    origin: u64,
}

/// A text is no [`Change`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoChange(());

/// Connects a registry with a bus, as long as this exists.
pub(super) struct Bridge {
    registry: ToolRegistry,
    bus: Arc<dyn Bus>,
    origin: u64,
}

impl Change {
    /// Any list and any resource may have changed.
    pub fn anything() -> Self {
        Self { topic: None, origin: 0 }
    }
}

impl Bridge {
    pub(super) fn new(registry: &ToolRegistry, bus: Arc<dyn Bus>) -> Arc<Self> {
        // Each has a new seed.
        let origin = RandomState::new().build_hasher().finish();
        let bridge = Arc::new(Self { registry: registry.clone(), bus: bus.clone(), origin });
        let this = Arc::downgrade(&bridge);
        registry.subscribe(this.clone());
        bus.listen(Box::new(move |change| Self::heard(&this, change)));
        bridge
    }

    /// Notifies the clients of this replica of a change elsewhere.
    fn heard(this: &Weak<Self>, change: &Change) {
        let Some(bridge) = this.upgrade().filter(|bridge| bridge.origin != change.origin) else {
            return;
        };
        let own: Weak<dyn Link> = this.clone();
        match &change.topic {
            Some(topic) => bridge.registry.changed(topic, Some(&own)),
            None => {
                let lists = ListKind::ALL.into_iter().map(Topic::List);
                for topic in lists.chain([Topic::Resource(None)]) {
                    bridge.registry.changed(&topic, Some(&own));
                }
            }
        }
    }
}

impl Link for Bridge {
    fn speak(&self, speech: Speech<'_>) {
        if let Some(topic) = speech.topic() {
            self.bus.publish(&Change { topic: Some(topic.clone()), origin: self.origin });
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x} ", self.origin)?;
        match &self.topic {
            None | Some(Topic::Resource(None)) => f.write_str("*"),
            Some(Topic::List(list)) => f.write_str(list.as_str()),
            Some(Topic::Resource(Some(uri))) => write!(f, "resource {uri}"),
        }
    }
}

impl FromStr for Change {
    type Err = NoChange;

    fn from_str(text: &str) -> Result<Self, NoChange> {
        let (origin, topic) = text.split_once(' ').ok_or(NoChange(()))?;
        let origin = u64::from_str_radix(origin, 16).map_err(|_| NoChange(()))?;
        let list = || ListKind::ALL.into_iter().find(|known| known.as_str() == topic);
        let topic = match (topic, topic.strip_prefix("resource ")) {
            ("*", _) => None,
            (_, Some(uri)) => Some(Topic::Resource(Some(uri.into()))),
            _ => Some(Topic::List(list().ok_or(NoChange(()))?)),
        };
        Ok(Self { topic, origin })
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
