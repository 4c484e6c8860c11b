//! Races between operations of streams, and of them with the host.
//!
//! Work runs as it is issued, so nothing goes wrong here; on a device it would run later, and at the
//! same time as other work. Each operation (a launch, a copy, a fill, an allocation or a free in a
//! stream, a host function) has a place in the order of its stream ([`super::vector_clock`]) and the bytes
//! that it reads and writes. Two operations race if nothing orders them and they access a byte that
//! one of them writes. So do an operation and the host, which accesses pinned and managed memory.
//!
//! Of a launch, the simulator notes the bytes ([`simt::observe::Footprint`]), but only where it can
//! matter: with one stream, no array that the host cannot access takes part in a race.
//!
//! Not detected: races of such arrays with work that was issued before the first stream was made; host
//! accesses to memory that is registered with `cudaHostRegister` and not allocated as pinned, and to
//! ordinary memory that a host function of a stream uses. Copies between ordinary host memory and the
//! device are over for the host when they return, as CUDA says. The order of a graph's nodes is that of
//! its edges ([`super::graph_order`]).

use super::graph_order::{Launched, Run};
use super::vector_clock::{Clock, DEFAULT, Order, Point};
use crate::host_memory::parts;
use crate::interpreter::Interpreter;
use simt::Checks;
use simt::diagnostic::{Diagnostic, Span};
use simt::machine::memory::Side;
use simt::observe::{Accessed, ByteSet, Noted};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// How the names of a graph's queues begin.
pub(super) const BRANCH: &str = "a branch of the graph in ";

/// Operations that are remembered per array. Of more, the oldest are forgotten, which may hide a race.
const MOST: usize = 64;

/// Who accesses memory, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Work {
    Kernel(String),
    Copy,
    Fill,
    Allocation,
    Free,
    HostFunction,
}

/// An operation of a stream.
#[derive(Debug)]
struct Operation {
    work: Work,
    at: Point,
    /// Where it was issued; for a node of a graph, where that was launched.
    span: Span,
    /// For a node of a graph the number of the run, and where the node was made.
    node: Option<(u64, Span)>,
}

impl Operation {
    /// Where it is, beside another one: nodes of one run are where they were made.
    fn place(&self, other: &Operation) -> Span {
        match (self.node, other.node) {
            (Some((run, span)), Some((same, _))) if run == same => span,
            _ => self.span,
        }
    }

    fn name(&self) -> String {
        match &self.work {
            Work::Kernel(name) => format!("`{name}`"),
            Work::Copy => "the copy".to_owned(),
            Work::Fill => "the fill".to_owned(),
            Work::Allocation => "the allocation".to_owned(),
            Work::Free => "the free".to_owned(),
            Work::HostFunction => "the host function".to_owned(),
        }
    }

    fn does(&self, how: How) -> &'static str {
        match (&self.work, how) {
            (Work::Allocation, _) => "makes",
            (Work::Free, _) => "frees",
            (_, How::Read) => "reads",
            (_, How::Written) => "writes",
            (_, How::Atomic) => "updates",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Read,
    Written,
    Atomic,
}

/// What one operation does with one array.
#[derive(Debug)]
struct Use {
    operation: Rc<Operation>,
    bytes: Accessed,
}

/// The first byte at which two operations conflict, and what they do there: the earlier, the later.
fn conflict(earlier: &Accessed, later: &Accessed) -> Option<(u64, How, How)> {
    use How::{Atomic, Read, Written};
    let pairs = [
        (&earlier.written, Written, &later.written, Written),
        (&earlier.written, Written, &later.read, Read),
        (&earlier.written, Written, &later.atomic, Atomic),
        (&earlier.read, Read, &later.written, Written),
        (&earlier.read, Read, &later.atomic, Atomic),
        (&earlier.atomic, Atomic, &later.written, Written),
        (&earlier.atomic, Atomic, &later.read, Read),
    ];
    let found = pairs.into_iter().filter_map(|(a, x, b, y)| Some((a.first_common(b)?, x, y)));
    found.min_by_key(|(at, ..)| *at)
}

/// The host function of a stream that runs.
#[derive(Debug)]
struct Callback {
    queue: usize,
    /// Where it was issued.
    span: Span,
    /// What is done before it.
    before: Clock,
    point: Point,
    accessed: BTreeMap<u64, Accessed>,
}

/// The operations that may not be done yet.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub(super) order: Order,
    /// By object.
    uses: HashMap<u64, Vec<Use>>,
    /// How many of them are of memory that the host accesses.
    shared: usize,
    /// What takes part: see [`Noted`].
    pub(super) noted: Noted,
    /// The graph that runs: the streams of its nodes do not matter.
    pub(super) graph: Option<Run>,
    pub(super) launched: Launched,
    callback: Option<Callback>,
    /// The host's accesses are the simulator's own.
    pub(super) paused: bool,
    /// Nothing takes part: see [`super::deferred`].
    off: bool,
}

impl Pending {
    /// Nothing takes part, now and later.
    pub(super) fn switch_off(&mut self) {
        (self.off, self.noted) = (true, Noted::Nothing);
    }

    /// More takes part from now on.
    pub(super) fn note(&mut self, what: Noted) {
        if !self.off {
            self.noted = self.noted.max(what);
        }
    }

    /// An operation is issued to a queue. Returns it, and what is done before it begins.
    pub(super) fn issue(&mut self, queue: usize) -> (Point, Clock) {
        match &mut self.graph {
            Some(run) => run.issue(&mut self.order),
            None => self.order.issue(queue),
        }
    }

    /// The array is gone.
    fn forget(&mut self, object: u64, shared: bool) {
        let gone = self.uses.remove(&object).map_or(0, |uses| uses.len());
        if shared {
            self.shared -= gone;
        }
    }
}

/// What the host waits for.
#[derive(Debug)]
pub(super) enum Wait<'a> {
    Everything,
    Queue(usize),
    Event(&'a Clock),
}

impl Interpreter<'_> {
    /// Whether operations take part at all.
    pub(super) fn notes_operations(&self) -> bool {
        self.runtime.pending_work.noted != Noted::Nothing && self.config.checks == Checks::All
    }

    /// The objects whose bytes a launch should note.
    pub(super) fn noted_of_launch(&self) -> Noted {
        match self.config.checks {
            Checks::All => self.runtime.pending_work.noted,
            _ => Noted::Nothing,
        }
    }

    pub(super) fn is_shared(&self, object: u64) -> bool {
        self.memory.global(object).is_some_and(|array| array.owner.side != Side::Device)
    }

    /// An operation is issued to a stream, and accesses these bytes of objects. The host waits for it
    /// if `wait` says so.
    pub(super) fn operation(
        &mut self,
        stream: u64,
        work: Work,
        uses: Vec<(u64, Accessed)>,
        wait: bool,
    ) {
        if !self.notes_operations() {
            return;
        }
        let queue = self.queue(stream);
        let (at, before) = self.runtime.pending_work.issue(queue);
        let node = self.runtime.pending_work.graph.as_ref().map(Run::place);
        let operation = Rc::new(Operation { work, at, span: self.span(), node });
        self.add_uses(&operation, Some(&before), uses);
        if wait && self.runtime.pending_work.graph.is_none() {
            self.host_waits(Wait::Queue(queue));
        }
    }

    /// Compares an operation with those that may run at the same time, and remembers it. Without
    /// `before` it was compared already.
    fn add_uses(
        &mut self,
        operation: &Rc<Operation>,
        before: Option<&Clock>,
        uses: Vec<(u64, Accessed)>,
    ) {
        let only_shared = self.runtime.pending_work.noted == Noted::Shared;
        for (object, bytes) in uses {
            let shared = self.is_shared(object);
            if only_shared && !shared {
                continue;
            }
            let Pending { order, uses, .. } = &mut self.runtime.pending_work;
            let known = uses.entry(object).or_default();
            let done =
                |at: Point| before.is_none_or(|before| before.has(at)) || order.host_knows(at);
            let concurrent = known.iter().filter(|old| !done(old.operation.at));
            let found = concurrent
                .rev()
                .find_map(|old| Some((Rc::clone(&old.operation), conflict(&old.bytes, &bytes)?)));
            let count = known.len();
            // What conflicts with the old operation and not with this one is ordered after both.
            known.retain(|old| {
                old.operation.at.queue != operation.at.queue
                    || !bytes.written.includes(&old.bytes.written)
                    || !(bytes.read.includes(&old.bytes.read)
                        || bytes.written.includes(&old.bytes.read))
                    || !(bytes.atomic.includes(&old.bytes.atomic)
                        || bytes.written.includes(&old.bytes.atomic))
            });
            if known.len() == MOST {
                known.remove(0);
            }
            known.push(Use { operation: Rc::clone(operation), bytes });
            let after = known.len();
            if shared {
                let all = &mut self.runtime.pending_work.shared;
                *all = *all + after - count;
            }
            if let Some((earlier, (byte, first, second))) = found {
                self.report_race(object, byte, (&earlier, first), (operation, second));
            }
        }
    }

    /// The host waits.
    pub(super) fn host_waits(&mut self, wait: Wait<'_>) {
        let pending = &mut self.runtime.pending_work;
        match wait {
            Wait::Everything => pending.order.host_waits_for_all(),
            Wait::Queue(queue) => pending.order.host_waits_for(queue),
            Wait::Event(clock) => pending.order.host_waits(clock),
        }
        let Pending { order, uses, .. } = pending;
        let mut gone = Vec::new();
        uses.retain(|object, uses| {
            let before = uses.len();
            uses.retain(|one| !order.host_knows(one.operation.at));
            gone.push((*object, before - uses.len()));
            !uses.is_empty()
        });
        for (object, count) in gone {
            if count > 0 && self.is_shared(object) {
                self.runtime.pending_work.shared -= count;
            }
        }
    }

    /// Whether what the host accesses has to be compared with anything.
    #[inline]
    pub(crate) fn host_may_race(&self) -> bool {
        let pending = &self.runtime.pending_work;
        (pending.shared > 0 || pending.callback.is_some()) && !pending.paused
    }

    /// The host is about to access pinned or managed memory.
    #[cold]
    pub(crate) fn host_accesses(&mut self, object: u64, offset: u64, count: u64, write: bool) {
        let bytes = ByteSet::of(offset..offset + count);
        let pending = &mut self.runtime.pending_work;
        let before = match &mut pending.callback {
            Some(callback) => {
                let accessed = callback.accessed.entry(object).or_default();
                match write {
                    true => accessed.written.unite(&bytes),
                    false => accessed.read.unite(&bytes),
                }
                Some(&callback.before)
            }
            None => None,
        };
        let order = &pending.order;
        let done = |at| order.host_knows(at) || before.is_some_and(|before| before.has(at));
        let uses = pending.uses.get(&object).map_or(&[][..], |uses| &uses[..]);
        let mut concurrent = uses.iter().filter(|one| !done(one.operation.at));
        // A flag that a kernel writes atomically: what it wrote before is known from now on.
        let told = concurrent.clone().find(|one| one.bytes.atomic.first_common(&bytes).is_some());
        if let Some(told) = told {
            let at = told.operation.at;
            if !write && pending.callback.is_none() {
                let mut known = Clock::default();
                known.add(at);
                self.host_waits(Wait::Event(&known));
            }
            return;
        }
        let found = concurrent.find_map(|one| {
            let written = one.bytes.written.first_common(&bytes).map(|at| (at, How::Written));
            let read = one.bytes.read.first_common(&bytes).filter(|_| write);
            let (at, how) = written.or(read.map(|at| (at, How::Read)))?;
            Some((Rc::clone(&one.operation), at, how))
        });
        if let Some((operation, at, how)) = found {
            self.report_host_race(object, at, (&operation, how), write);
        }
    }

    /// A host function of a stream begins or ends.
    pub(super) fn callback(&mut self, stream: u64, begins: bool) {
        if !self.notes_operations() {
            return;
        }
        if begins {
            let queue = self.queue(stream);
            let (point, before) = self.runtime.pending_work.issue(queue);
            let (span, accessed) = (self.span(), BTreeMap::new());
            self.runtime.pending_work.callback =
                Some(Callback { queue, span, before, point, accessed });
        } else if let Some(callback) = self.runtime.pending_work.callback.take() {
            let Callback { span, point: at, accessed, .. } = callback;
            let node = self.runtime.pending_work.graph.as_ref().map(Run::place);
            let operation = Rc::new(Operation { work: Work::HostFunction, at, span, node });
            self.add_uses(&operation, None, accessed.into_iter().collect());
        }
    }

    /// Memory is freed or unregistered, without a wait: what may still use it is reported.
    pub(super) fn freed_early(&mut self, object: u64, done: &str) {
        let pending = &self.runtime.pending_work;
        let uses = pending.uses.get(&object).map_or(&[][..], |uses| &uses[..]);
        let using = uses.iter().rev().find(|one| !pending.order.host_knows(one.operation.at));
        let Some(operation) = using.map(|one| Rc::clone(&one.operation)) else { return };
        let (array, stream) = (self.array(object, None), self.stream_name(&operation));
        let message =
            format!("`{array}` is {done}, and {} in {stream} may still use it", operation.name());
        let diagnostic = Diagnostic::error("early-free", self.span(), message)
            .with_label(operation.span, "issued here")
            .with_help(format!("wait before this: {}", self.host_wait(&operation)));
        self.report(diagnostic);
    }

    /// The array is gone, and its number may be another's.
    pub(super) fn forget_array(&mut self, object: u64) {
        let shared = self.is_shared(object);
        self.runtime.pending_work.forget(object, shared);
    }

    fn report_race(
        &mut self,
        object: u64,
        byte: u64,
        (earlier, first): (&Operation, How),
        (later, second): (&Operation, How),
    ) {
        let array = self.array(object, Some(byte));
        let (one, two) = (self.stream_name(earlier), self.stream_name(later));
        let message = format!(
            "{} in {two} {} `{array}`, and nothing orders this after {} in {one}, which {} it",
            later.name(),
            later.does(second),
            earlier.name(),
            earlier.does(first),
        );
        let order = &self.runtime.pending_work.order;
        let [a, b] = [earlier.at.queue, later.at.queue];
        let free = [a, b].into_iter().find(|queue| !order.is_blocking(*queue));
        let help = match free {
            Some(free) if a == DEFAULT || b == DEFAULT => format!(
                "{} is non-blocking, so the default stream and it do not wait for each other: \
                 record an event after the first, and `cudaStreamWaitEvent` it before the second",
                order.name(free)
            ),
            _ if one.starts_with(BRANCH) || two.starts_with(BRANCH) => {
                "let the second node depend on the first: by an event during the capture, or in its \
                 list of dependencies"
                    .to_owned()
            }
            _ => format!(
                "record an event in {one} after the first, and let {two} wait for it before the \
                 second: `cudaStreamWaitEvent`"
            ),
        };
        let code = if later.work == Work::Free { "early-free" } else { "stream-race" };
        let diagnostic = Diagnostic::error(code, later.place(earlier), message)
            .with_label(earlier.place(later), "the other one is issued here")
            .with_help(help);
        self.report(diagnostic);
    }

    fn report_host_race(
        &mut self,
        object: u64,
        byte: u64,
        (operation, how): (&Operation, How),
        write: bool,
    ) {
        let array = self.array(object, Some(byte));
        let stream = self.stream_name(operation);
        let host = match &self.runtime.pending_work.callback {
            Some(callback) => {
                let name = self.runtime.pending_work.order.name(callback.queue);
                format!("a host function in {name}")
            }
            None => "the host".to_owned(),
        };
        let does = if write { "writes" } else { "reads" };
        let other = if how == How::Written { "write" } else { "read" };
        let message = format!(
            "{host} {does} `{array}`, and {} in {stream} may still {other} it",
            operation.name()
        );
        let diagnostic = Diagnostic::error("host-race", self.span(), message)
            .with_label(operation.span, "issued here")
            .with_help(format!("wait before this: {}", self.host_wait(operation)));
        self.report(diagnostic);
    }

    /// How the host waits for an operation.
    fn host_wait(&self, operation: &Operation) -> String {
        match operation.at.queue {
            DEFAULT => "`cudaDeviceSynchronize()`".to_owned(),
            queue => {
                let name = self.runtime.pending_work.order.name(queue);
                format!("`cudaStreamSynchronize` of {name}, or an event after the operation")
            }
        }
    }

    fn stream_name(&self, operation: &Operation) -> String {
        self.runtime.pending_work.order.name(operation.at.queue).to_owned()
    }

    /// `d_x`, or `d_x[3]`.
    fn array(&self, object: u64, byte: Option<u64>) -> String {
        let Some(array) = self.memory.global(object) else { return "an array".to_owned() };
        let index = byte.map(|byte| byte / u64::from(array.element.size.max(1)));
        match index {
            Some(index) if array.element.name != "byte" => format!("{}[{index}]", array.name),
            _ => array.name.clone(),
        }
    }

    /// Rows of bytes, as an operation's use of an object of the device's or of pinned memory.
    pub(super) fn rows(
        &self,
        at: u64,
        pitch: u64,
        [width, height]: [u64; 2],
        write: bool,
    ) -> Option<(u64, Accessed)> {
        if pitch == width {
            return self.used(at, width.checked_mul(height)?, write);
        }
        let (object, mut all) = self.used(at, width, write)?;
        for row in 1..height {
            let (_, more) = self.used(at + row * pitch, width, write)?;
            let (to, from) = match write {
                true => (&mut all.written, more.written),
                false => (&mut all.read, more.read),
            };
            to.unite(&from);
        }
        Some((object, all))
    }

    /// Bytes from an address on, as an operation's use of an object of the device's or of pinned
    /// memory; nothing for other memory of the host.
    pub(super) fn used(&self, at: u64, bytes: u64, write: bool) -> Option<(u64, Accessed)> {
        let (object, offset) = parts(self.mirrored(at).unwrap_or(at));
        self.memory.global(object)?;
        let bytes = ByteSet::of(offset..offset.checked_add(bytes)?);
        let mut accessed = Accessed::default();
        *(if write { &mut accessed.written } else { &mut accessed.read }) = bytes;
        Some((object, accessed))
    }
}
