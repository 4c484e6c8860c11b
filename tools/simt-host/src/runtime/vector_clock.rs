//! Vector clocks: the order of operations on streams.
//!
//! A queue is a stream's list of operations. Operations of one queue are ordered, and so is what an
//! event, the default stream or a wait of the host orders. An operation is a number in its queue, and a
//! clock says for some queues up to which number everything is done. What the host knows to be done
//! is done for all that is issued later, so clocks do not repeat it.

use std::collections::BTreeMap;

/// The queue of the default stream.
pub(super) const DEFAULT: usize = 0;

/// The queue of `cudaStreamPerThread`.
pub(super) const PER_THREAD: usize = 1;

/// An operation: its number in its queue, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) queue: usize,
    pub(super) number: u64,
}

/// By queue the operations that are done: those up to this number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clock(BTreeMap<usize, u64>);

impl Clock {
    pub(super) fn join(&mut self, other: &Clock) {
        for (queue, number) in &other.0 {
            self.add(Point { queue: *queue, number: *number });
        }
    }

    /// An operation is done, too, and all before it in its queue.
    pub(super) fn add(&mut self, at: Point) {
        let known = self.0.entry(at.queue).or_default();
        *known = at.number.max(*known);
    }

    /// Whether an operation is done.
    pub(super) fn has(&self, at: Point) -> bool {
        self.0.get(&at.queue).is_some_and(|done| *done >= at.number)
    }
}

#[derive(Debug, Default)]
struct Queue {
    /// What is done once its last operation is.
    clock: Clock,
    count: u64,
    /// The default stream waits for it, and it for the default stream.
    blocking: bool,
    /// Nothing is issued to it any more.
    ended: bool,
    name: String,
}

/// All queues, and what the host knows to be done.
#[derive(Debug)]
pub(super) struct Order {
    /// By queue.
    host: Vec<u64>,
    queues: Vec<Queue>,
    /// Those that have ended, and may be used again once their work is done.
    ended: Vec<usize>,
}

impl Default for Order {
    fn default() -> Order {
        let queue = |name: &str| Queue {
            blocking: true,
            name: format!("the {name} stream"),
            ..Queue::default()
        };
        let queues = vec![queue("default"), queue("per-thread default")];
        Order { host: vec![0; queues.len()], queues, ended: Vec::new() }
    }
}

impl Order {
    /// A new queue. One that has ended is used again when the host knows that its work is done.
    pub(super) fn open(&mut self, blocking: bool, name: String) -> usize {
        let done = |at: &usize| self.host[*at] >= self.queues[*at].count;
        let at = match self.ended.iter().position(done) {
            Some(place) => self.ended.swap_remove(place),
            None => {
                self.queues.push(Queue::default());
                self.host.push(0);
                self.queues.len() - 1
            }
        };
        let queue = &mut self.queues[at];
        (queue.blocking, queue.ended, queue.name) = (blocking, false, name);
        at
    }

    /// The stream is destroyed. What it was given is done nevertheless.
    pub(super) fn close(&mut self, queue: usize) {
        self.queues[queue].ended = true;
        self.ended.push(queue);
    }

    /// The stream's name, in words.
    pub(super) fn name(&self, queue: usize) -> &str {
        &self.queues[queue].name
    }

    /// Names the queue.
    pub(super) fn rename(&mut self, queue: usize, name: String) {
        self.queues[queue].name = name;
    }

    /// Whether the default stream and this one wait for each other.
    pub(super) fn is_blocking(&self, queue: usize) -> bool {
        self.queues[queue].blocking
    }

    /// What is done before the next operation of a queue begins, apart from what the host knows.
    pub(super) fn before(&self, queue: usize) -> Clock {
        let mut clock = self.queues[queue].clock.clone();
        if queue == DEFAULT {
            let others = self.queues.iter().filter(|other| other.blocking && other.count > 0);
            others.for_each(|other| clock.join(&other.clock));
        } else if self.queues[queue].blocking {
            clock.join(&self.queues[DEFAULT].clock);
        }
        clock.0.retain(|queue, number| self.host[*queue] < *number);
        clock
    }

    /// By queue the last operation that is done once a clock's are, or that the host knows to be done.
    pub(super) fn done(&self, clock: &Clock) -> impl Iterator<Item = Point> {
        self.host.iter().enumerate().map(|(queue, host)| {
            let number = clock.0.get(&queue).copied().unwrap_or_default().max(*host);
            Point { queue, number }
        })
    }

    /// The next operation of a queue.
    pub(super) fn next(&mut self, queue: usize) -> Point {
        let last = &mut self.queues[queue];
        last.count += 1;
        Point { queue, number: last.count }
    }

    /// An operation is issued. Returns it, and what is done before it begins.
    pub(super) fn issue(&mut self, queue: usize) -> (Point, Clock) {
        let before = self.before(queue);
        let at = self.next(queue);
        let mut clock = before.clone();
        clock.add(at);
        self.queues[queue].clock = clock;
        (at, before)
    }

    /// `cudaEventRecord`: what is done when the event happens.
    pub(super) fn record(&mut self, queue: usize) -> Clock {
        let clock = self.before(queue);
        self.queues[queue].clock.clone_from(&clock);
        clock
    }

    /// `cudaStreamWaitEvent`: what the queue is given next begins after the event.
    pub(super) fn wait_in(&mut self, queue: usize, event: &Clock) {
        let mut clock = self.before(queue);
        clock.join(event);
        self.queues[queue].clock = clock;
    }

    /// The host waits for an event.
    pub(super) fn host_waits(&mut self, event: &Clock) {
        for (queue, number) in &event.0 {
            self.host[*queue] = self.host[*queue].max(*number);
        }
    }

    /// The host waits for a stream.
    pub(super) fn host_waits_for(&mut self, queue: usize) {
        let clock = self.before(queue);
        self.host_waits(&clock);
    }

    /// The host waits for everything.
    pub(super) fn host_waits_for_all(&mut self) {
        for (known, queue) in self.host.iter_mut().zip(&self.queues) {
            *known = queue.count;
        }
    }

    /// Whether the host knows that an operation is done.
    pub(super) fn host_knows(&self, at: Point) -> bool {
        self.host[at.queue] >= at.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(order: &mut Order, blocking: bool) -> usize {
        order.open(blocking, String::new())
    }

    #[test]
    fn streams_are_ordered_by_events_and_by_the_default_stream() {
        let mut order = Order::default();
        let (a, b, free) =
            (stream(&mut order, true), stream(&mut order, true), stream(&mut order, false));
        let (first, _) = order.issue(a);
        let (_, before) = order.issue(b);
        assert!(!before.has(first), "nothing orders two streams");
        let event = order.record(a);
        let (later, _) = order.issue(a);
        order.wait_in(b, &event);
        let (_, before) = order.issue(b);
        assert!(before.has(first) && !before.has(later), "the event is before the second");
        let (middle, before) = order.issue(DEFAULT);
        assert!(before.has(later), "the default stream waits for blocking streams");
        assert!(order.issue(b).1.has(middle), "and they for it");
        assert!(!order.issue(free).1.has(middle), "a non-blocking stream does not");
    }

    #[test]
    fn the_host_waits_for_one_stream_or_for_all() {
        let mut order = Order::default();
        let (a, b) = (stream(&mut order, false), stream(&mut order, false));
        let ((x, _), (y, _)) = (order.issue(a), order.issue(b));
        order.host_waits_for(a);
        assert!(order.host_knows(x) && !order.host_knows(y));
        order.host_waits_for_all();
        assert!(order.host_knows(y));
    }

    #[test]
    fn the_queue_of_a_destroyed_stream_is_used_again_once_its_work_is_done() {
        let mut order = Order::default();
        let a = stream(&mut order, true);
        let (last, _) = order.issue(a);
        order.close(a);
        let b = stream(&mut order, true);
        assert_ne!(a, b, "its work may not be done");
        order.host_waits_for_all();
        assert_eq!(stream(&mut order, true), a);
        assert!(order.host_knows(last) && order.issue(a).0.number == 2);
    }
}
