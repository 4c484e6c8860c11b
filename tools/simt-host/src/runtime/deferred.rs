//! Deferred execution: work on streams runs not as it is issued, but when something waits for it.
//!
//! A device may begin an asynchronous operation at any time between its issue and the next wait, and in
//! any order that streams and events allow. Here it begins as late as it can, and independent operations
//! in an order drawn by a seed. So a wait that is missing shows in the results. What must precede an
//! operation is known as it is issued ([`super::vector_clock`]).
//!
//! Without deferral ([`StreamOrder::AtOnce`]) the operations are recorded only, for [`Timeline`]; then
//! [`super::stream_races`] looks for missing waits. It does not where work is deferred: it compares
//! operations as they run, and takes it that they run as they are issued.
//!
//! Not done: a host function ([`cudaLaunchHostFunc`]) waits for its stream at once, and so does a launch
//! of a graph with host or memory nodes. `cudaStreamQuery` and `cudaEventQuery` wait, too.
//!
//! [`cudaLaunchHostFunc`]: https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__EXECUTION.html

use super::cuda_memory::{ASYNC, WAITS};
use super::error::{Error, SUCCESS};
use super::graph::Work;
use super::vector_clock::{Clock, Point};
use crate::host_memory::parts;
use crate::interpreter::{ABORTED, Executed, Interpreter, Termination};
use crate::timeline::{Issued, Operation, Timeline};
use crate::{Library, StreamOrder};
use simt::diagnostic::Span;
use simt::machine::memory::Side;
use simt::random::SplitMix64;
use simt::sema::types::Prim;
use std::collections::HashMap;

/// `cudaErrorNotReady`.
const NOT_READY: Error = 600;

/// One operation in this many issues begins earlier than it must.
const EARLY: usize = 4;

/// Operations that are recorded; a program that issues more is stopped.
const MOST: usize = 1 << 12;

/// The state of deferred execution.
#[derive(Debug, Default)]
pub(crate) struct Deferred {
    /// The generator of orders; none if work runs at once.
    order: Option<SplitMix64>,
    pub(crate) timeline: Timeline,
    /// What each operation will do; none once it has begun.
    work: Vec<Option<Work>>,
    /// By queue its operations, in order: their numbers there, and in the timeline.
    queues: HashMap<usize, Vec<(u64, usize)>>,
    /// Where the work was issued that runs now. What it calls is part of it.
    running: Option<Span>,
}

impl Deferred {
    pub(crate) fn new(order: StreamOrder) -> Deferred {
        let order = match order {
            StreamOrder::AtOnce => None,
            StreamOrder::Deferred(seed) => Some(SplitMix64(seed)),
        };
        Deferred { order, ..Deferred::default() }
    }

    /// Whether work is deferred, and not only recorded.
    pub(super) fn defers(&self) -> bool {
        self.order.is_some()
    }

    /// Where the work was issued that is running now.
    pub(crate) fn running(&self) -> Option<Span> {
        self.running
    }

    fn draw(&mut self, below: usize) -> usize {
        let drawn = self.order.as_mut().map_or(0, SplitMix64::next_u64);
        (drawn % below.max(1) as u64) as usize
    }

    /// The last operation of a queue up to a point.
    fn last(&self, point: Point) -> Option<usize> {
        let all = self.queues.get(&point.queue)?;
        let later = all.partition_point(|(number, _)| *number <= point.number);
        Some(all.get(later.checked_sub(1)?)?.1)
    }
}

impl Interpreter<'_> {
    /// Whether calls are recorded, and not the execution of recorded ones.
    pub(super) fn records(&self) -> bool {
        self.runtime.deferred.as_ref().is_some_and(|deferred| deferred.running.is_none())
    }

    /// Whether calls are recorded whose work is deferred.
    pub(super) fn defers(&self) -> bool {
        self.records() && self.runtime.deferred.as_ref().is_some_and(Deferred::defers)
    }

    fn deferred(&mut self) -> &mut Deferred {
        self.runtime.deferred.get_or_insert_default()
    }

    /// Counts a call, until the profiler stops.
    pub(super) fn count(&mut self, call: impl FnOnce(&mut Timeline)) {
        let timeline = &mut self.deferred().timeline;
        if timeline.end.is_none() {
            call(timeline);
        }
    }

    /// Does what is part of a recorded operation.
    pub(super) fn unrecorded<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        if self.runtime.deferred.is_none() {
            return run(self);
        }
        let span = self.span();
        self.unrecorded_at(span, run)
    }

    fn unrecorded_at<T>(&mut self, span: Span, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.deferred().running.replace(span);
        let done = run(self);
        self.deferred().running = before;
        done
    }

    /// `cudaProfilerStart` and `cudaProfilerStop`: what they enclose counts.
    pub(super) fn profiler(&mut self, starts: bool) {
        let Some(Deferred { timeline, .. }) = &mut self.runtime.deferred else { return };
        if starts {
            let operations = std::mem::take(&mut timeline.operations);
            let first = operations.len();
            *timeline = Timeline { operations, first, ..Timeline::default() };
        } else {
            timeline.end = Some(timeline.operations.len());
        }
    }

    /// A library call of a program whose calls are recorded.
    pub(super) fn recorded_call(
        &mut self,
        function: Library,
        args: &[u64; 8],
        extra: &[(Prim, u64)],
    ) -> Executed<u64> {
        match function {
            Library::CudaMemcpy | Library::CudaMemcpy2D | Library::CudaMemset2D => {
                return self.recorded_transfer(function, args);
            }
            Library::CudaSynchronise | Library::CudaReset => {
                self.count(|timeline| timeline.waits += 1);
                self.complete_everything()?;
            }
            Library::CudaStreamWait => {
                self.count(|timeline| timeline.waits += 1);
                self.complete_stream(args[0])?;
            }
            Library::CudaEventWait => {
                self.count(|timeline| timeline.waits += 1);
                let clock = self.runtime.streams.event_clock(args[0]);
                self.complete(&self.operations(&clock))?;
            }
            Library::CudaElapsed => {
                let streams = &self.runtime.streams;
                let mut clock = streams.event_clock(args[1]);
                clock.join(&streams.event_clock(args[2]));
                let before = self.operations(&clock);
                if before.into_iter().any(|at| self.deferred().work[at].is_some()) {
                    return Ok(self.answer(NOT_READY));
                }
            }
            Library::CudaCallback if args[1] != 0 => self.complete_stream(args[0])?,
            Library::CudaFree if args[1] == ASYNC => self.complete_stream(args[2])?,
            Library::CudaFree | Library::CudaUnregister => self.complete_everything()?,
            _ => {}
        }
        let answer = self.c_memory_function(function, args, extra)?;
        match function {
            Library::CudaMalloc if answer == SUCCESS as u64 && args[1] > 0 => {
                self.count(|timeline| {
                    timeline.allocations += 1;
                    timeline.unfreed += 1;
                });
            }
            Library::CudaFree if answer == SUCCESS as u64 && args[0] != 0 => {
                self.count(|timeline| timeline.unfreed = timeline.unfreed.saturating_sub(1));
            }
            // With a second graph it changes that one.
            Library::GraphNew if args[1] != 0 => {}
            Library::CudaCreate | Library::GraphNew => {
                self.count(|timeline| timeline.undestroyed += 1);
            }
            Library::CudaDestroy | Library::GraphDestroy if answer == SUCCESS as u64 => {
                self.count(|timeline| {
                    timeline.undestroyed = timeline.undestroyed.saturating_sub(1);
                });
            }
            _ => {}
        }
        Ok(answer)
    }

    /// A copy or a fill. It runs at once if the host waits for it, or if its bytes are in pageable
    /// memory, which the host may write when the call returns.
    fn recorded_transfer(&mut self, function: Library, args: &[u64; 8]) -> Executed<u64> {
        let (stream, waits) = match function {
            Library::CudaMemcpy => (args[4], self.copy_waits([args[0], args[1]], args[4] == WAITS)),
            Library::CudaMemcpy2D => {
                (args[7], self.copy_waits([args[0], args[2]], args[7] == WAITS))
            }
            _ => (args[5], args[5] == WAITS && self.is_shared(parts(args[0]).0)),
        };
        let stream = if stream == WAITS { 0 } else { stream };
        let issued = self.issued_call(function, args);
        let returns_late = waits || matches!(issued, Issued::Copy { pageable: true, .. });
        let at = self.note(issued, Some(Work::Call(function, *args)), stream)?;
        if returns_late {
            self.count(|timeline| timeline.waits += 1);
        } else if self.defers() {
            self.begin_early()?;
            return Ok(SUCCESS as u64);
        }
        let before = self.deferred().timeline.operations[at].after.clone();
        self.complete(&before)?;
        let error = self.begin(at)?;
        if waits {
            let queue = self.queue(stream);
            self.runtime.pending_work.order.host_waits_for(queue);
        }
        Ok(error as u64)
    }

    /// What the timeline says of a copy or a `memset`.
    pub(super) fn issued_call(&self, function: Library, args: &[u64; 8]) -> Issued {
        let (to, from, bytes) = match function {
            Library::CudaMemcpy => (args[0], args[1], args[2]),
            Library::CudaMemcpy2D => (args[0], args[2], args[4].saturating_mul(args[5])),
            _ => return Issued::OnDevice,
        };
        let is_device = |at: u64| {
            let side = self.memory.global(parts(at).0).map(|array| array.owner.side);
            side.is_some_and(|side| side != Side::Pinned)
        };
        let is_pageable =
            |at: u64| self.memory.global(parts(at).0).is_none() && self.mirrored(at).is_none();
        match (is_device(to), is_device(from)) {
            (true, true) => Issued::OnDevice,
            (to_device, _) => {
                let pageable = is_pageable(if to_device { from } else { to });
                Issued::Copy { to_device, bytes, pageable }
            }
        }
    }

    /// A launch: issues it, or returns `None` if it must run now.
    pub(super) fn recorded_launch(
        &mut self,
        work: Work,
        issued: Issued,
        stream: u64,
    ) -> Executed<Option<Error>> {
        let defers = self.defers();
        self.note(issued, defers.then_some(work), stream)?;
        if !defers {
            return Ok(None);
        }
        self.begin_early()?;
        Ok(Some(SUCCESS))
    }

    /// Records an operation of a stream, or of the graph that runs.
    pub(super) fn note(
        &mut self,
        issued: Issued,
        work: Option<Work>,
        stream: u64,
    ) -> Executed<usize> {
        let span = self.span();
        let queue = self.queue(stream);
        let pending = &mut self.runtime.pending_work;
        let in_graph = pending.graph.is_some();
        let (point, before) = pending.issue(queue);
        let after = self.operations(&before);
        let deferred = self.deferred();
        let at = deferred.work.len();
        deferred.timeline.operations.push(Operation { work: issued, after, span, in_graph });
        deferred.work.push(work);
        deferred.queues.entry(point.queue).or_default().push((point.number, at));
        if at >= MOST {
            let message = format!("more than {MOST} copies and launches: it is stopped");
            self.report_error("budget", message, Some("a loop that does not end?"));
            return Err(Termination::Killed(ABORTED));
        }
        Ok(at)
    }

    /// The last operations that are complete once a clock's are and those that the host knows.
    fn operations(&self, clock: &Clock) -> Vec<usize> {
        let Some(deferred) = &self.runtime.deferred else { return Vec::new() };
        let done = self.runtime.pending_work.order.done(clock);
        let mut all: Vec<usize> = done.filter_map(|point| deferred.last(point)).collect();
        all.sort_unstable();
        all
    }

    /// Completes what a stream was given so far.
    pub(super) fn complete_stream(&mut self, stream: u64) -> Executed<()> {
        let queue = self.queue(stream);
        let clock = self.runtime.pending_work.order.before(queue);
        self.complete(&self.operations(&clock))
    }

    fn complete_everything(&mut self) -> Executed<()> {
        let all: Vec<usize> = (0..self.deferred().work.len()).collect();
        self.complete(&all)
    }

    /// Runs operations and all that must precede them, in one of the orders that this leaves open.
    fn complete(&mut self, wanted: &[usize]) -> Executed<()> {
        let deferred = self.deferred();
        let mut needed = wanted.to_vec();
        let mut left = Vec::new();
        while let Some(at) = needed.pop() {
            if deferred.work[at].is_some() && !left.contains(&at) {
                left.push(at);
                needed.extend(&deferred.timeline.operations[at].after);
            }
        }
        left.sort_unstable();
        while !left.is_empty() {
            let deferred = self.deferred();
            let is_ready = |at: &usize| {
                let after = &deferred.timeline.operations[*at].after;
                after.iter().all(|before| deferred.work[*before].is_none())
            };
            let ready: Vec<usize> = left.iter().copied().filter(is_ready).collect();
            let drawn = deferred.draw(ready.len());
            let Some(at) = ready.get(drawn).copied() else { break };
            left.retain(|other| *other != at);
            self.begin(at)?;
        }
        Ok(())
    }

    /// Runs an operation.
    fn begin(&mut self, at: usize) -> Executed<Error> {
        let deferred = self.deferred();
        let Some(work) = deferred.work[at].take() else { return Ok(SUCCESS) };
        let span = deferred.timeline.operations[at].span;
        self.unrecorded_at(span, |this| match work {
            Work::Call(function, args) => {
                this.c_memory_function(function, &args, &[]).map(|error| error as Error)
            }
            Work::Kernel { kernel, shape, shared, values } => {
                this.start_again(kernel, shape, shared, values)
            }
            Work::Host(..) | Work::Child(_) | Work::Allocate(..) => Ok(SUCCESS),
        })
    }

    /// Sometimes runs an operation that nothing waits for yet.
    fn begin_early(&mut self) -> Executed<()> {
        let deferred = self.deferred();
        if deferred.draw(EARLY) != 0 {
            return Ok(());
        }
        let all = deferred.work.len();
        let early = deferred.draw(all);
        self.complete(&[early])
    }

    /// Runs what is left when the program ends.
    pub(super) fn complete_all(&mut self) {
        if self.runtime.deferred.is_some() {
            // The program has ended: what stops a kernel stops nothing more.
            let _ = self.complete_everything();
        }
    }
}
