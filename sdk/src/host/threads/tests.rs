//! Which threads work, and which wait.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Barrier, Weak};
use std::thread::{self, ThreadId};
use std::time::Duration;

use super::{FEW, Pool, Threads, Work};

/// Says on which thread it runs, after all that meet at its barrier have begun.
struct Says(Sender<ThreadId>, Arc<Barrier>);

impl Work for Says {
    fn work(self: Arc<Self>) {
        self.1.wait();
        self.0.send(thread::current().id()).unwrap();
    }

    fn work_elsewhere(self: Arc<Self>) {
        unreachable!("there are threads");
    }
}

fn ticket(work: &Arc<impl Work + 'static>) -> Weak<dyn Work> {
    Arc::downgrade(work) as Weak<dyn Work>
}

/// Has work done, which is kept as long as it waits.
fn add(threads: &Threads, work: Says) -> Arc<Says> {
    let work = Arc::new(work);
    threads.add(ticket(&work));
    work
}

fn wait_for_idle(threads: &Threads, count: usize) {
    while threads.0.0.lock().idle.len() != count {
        thread::yield_now();
    }
}

#[test]
fn threads_that_are_not_needed_stay_idle() {
    let threads = Threads::new(8);
    let (said, heard) = channel();
    let together = Arc::new(Barrier::new(4));
    let _works = [(); 4].map(|()| add(&threads, Says(said.clone(), together.clone())));
    wait_for_idle(&threads, 4);
    assert_eq!(heard.try_iter().count(), 4);

    let alone = Arc::new(Barrier::new(1));
    let mut ids = Vec::new();
    for _ in 0..20 {
        let _work = add(&threads, Says(said.clone(), alone.clone()));
        ids.push(heard.recv().unwrap());
        wait_for_idle(&threads, 4);
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "one thread is enough");
}

#[test]
fn a_burst_wakes_as_many_threads_as_it_has_work() {
    let threads = Threads::new(3);
    let (said, heard) = channel();
    for _ in 0..2 {
        let together = Arc::new(Barrier::new(3));
        let _works = [(); 3].map(|()| add(&threads, Says(said.clone(), together.clone())));
        wait_for_idle(&threads, 3);
        assert_eq!(heard.try_iter().count(), 3);
    }
}

#[test]
fn work_that_comes_after_a_thread_has_waited_in_vain_gets_another() {
    let threads = Threads::of(Pool { patience: Duration::ZERO, ..Pool::new(1) });
    let (said, heard) = channel();
    for _ in 0..2 {
        let alone = Arc::new(Barrier::new(1));
        let _work = add(&threads, Says(said.clone(), alone));
        heard.recv_timeout(Duration::from_secs(60)).unwrap();
        while threads.0.0.lock().running > 0 {
            thread::yield_now();
        }
    }
}

/// Counts how often it is done without a thread.
#[derive(Default)]
struct Counts(AtomicUsize);

impl Work for Counts {
    fn work(self: Arc<Self>) {
        unreachable!("there is no thread");
    }

    fn work_elsewhere(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn work_that_no_thread_can_do_is_done_elsewhere_and_not_kept() {
    let pool = Pool { start: |_| Err(io::ErrorKind::WouldBlock.into()), ..Pool::new(2) };
    let threads = Threads::of(pool);
    let works = [(); 2].map(|()| Arc::<Counts>::default());
    // The first piece counts on a thread that is on its way.
    let set_coming = |count| {
        let mut state = threads.0.0.lock();
        (state.running, state.coming) = (count, count);
    };
    set_coming(1);
    threads.add(ticket(&works[0]));
    set_coming(0);
    threads.add(ticket(&works[1]));
    for work in &works {
        assert_eq!((Arc::strong_count(work), work.0.load(Ordering::SeqCst)), (1, 1));
    }
}

#[test]
fn tickets_of_what_is_gone_do_not_pile_up() {
    // Its threads never come.
    let threads = Threads::of(Pool { start: |_| Ok(()), ..Pool::new(1) });
    let waits = Arc::<Counts>::default();
    for _ in 0..100 {
        threads.add(ticket(&waits));
        for _ in 0..100 {
            threads.add(ticket(&Arc::<Counts>::default()));
        }
    }
    let tickets = &threads.0.0.lock().tickets;
    assert!(tickets.len() <= 2 * 100 + FEW, "{}", tickets.len());
    assert_eq!(tickets.iter().filter(|ticket| ticket.strong_count() > 0).count(), 100);
}
