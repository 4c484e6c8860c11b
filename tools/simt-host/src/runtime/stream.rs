//! Streams and events.
//!
//! Work is executed when it is issued, so synchronising never waits. But a kernel's error is returned,
//! and its output written, only when the host synchronises, as on a device. What would be in which
//! order there is kept in [`super::vector_clock`], for [`super::stream_races`], and for
//! [`super::deferred`], which runs work later than it is issued.

use super::cuda_memory::name_of;
use super::error::{INVALID_HANDLE, SUCCESS};
use super::stream_races::Wait;
use super::vector_clock::{Clock, DEFAULT, PER_THREAD};
use crate::interpreter::{Executed, Interpreter};
use simt::isa::MemTy;
use simt::observe::Noted;
use simt::{Diagnostic, Severity, Span};
use std::collections::HashMap;

/// The streams and events that exist. A handle is a number.
#[derive(Debug, Default)]
pub(super) struct Streams {
    made: u64,
    /// The queue of each stream.
    streams: HashMap<u64, usize>,
    /// The flags of each stream, and behind eight bits how far its priority is above the least.
    flags: HashMap<u64, u32>,
    events: HashMap<u64, Event>,
    /// How often the host has synchronised.
    waits: u64,
}

#[derive(Debug, Clone, Default)]
struct Event {
    flags: u32,
    name: String,
    made: Span,
    /// When it was recorded.
    time: Option<i64>,
    /// How often the host had synchronised then.
    waits: u64,
    /// What is done when it happens.
    clock: Clock,
    /// Where it was first waited for, if it had not been recorded.
    waited: Option<Span>,
}

/// `cudaStreamNonBlocking`.
const NON_BLOCKING: u32 = 1;

/// `cudaEventDisableTiming`.
const NO_TIMING: u32 = 2;

impl Streams {
    /// The default streams always exist.
    fn known(&self, stream: u64) -> bool {
        stream <= 2 || self.streams.contains_key(&stream)
    }

    /// What is done when an event happens.
    pub(super) fn event_clock(&self, event: u64) -> Clock {
        self.events.get(&event).map_or_else(Clock::default, |event| event.clock.clone())
    }

    /// Notes that the host has synchronised with everything.
    pub(super) fn awaited(&mut self) {
        self.waits += 1;
    }
}

impl Interpreter<'_> {
    pub(super) fn cuda_create(&mut self, event: bool, flags: u32) -> u64 {
        let made = self.span();
        let name = format!("`{}`", name_of(self.sources.text(made)));
        let streams = &mut self.runtime.streams;
        streams.made += 1;
        let handle = 0x1000 + streams.made * 16;
        if event {
            streams.events.insert(handle, Event { flags, name, made, ..Event::default() });
        } else {
            let pending = &mut self.runtime.pending_work;
            pending.note(Noted::All);
            let queue = pending.order.open(flags & NON_BLOCKING == 0, name);
            streams.streams.insert(handle, queue);
            streams.flags.insert(handle, flags);
        }
        handle
    }

    /// The flags of a stream, and behind eight bits how far its priority is above the least; -1 if it
    /// does not exist.
    pub(super) fn cuda_stream_flags(&self, stream: u64) -> u64 {
        let streams = &self.runtime.streams;
        match streams.known(stream) {
            true => u64::from(streams.flags.get(&stream).copied().unwrap_or(0)),
            false => u64::from(u32::MAX),
        }
    }

    pub(super) fn cuda_destroy(&mut self, event: bool, handle: u64) -> u64 {
        let streams = &mut self.runtime.streams;
        let known = if event {
            let gone = streams.events.remove(&handle);
            gone.map(|event| self.tell_event(&event)).is_some()
        } else {
            streams.flags.remove(&handle);
            let gone = streams.streams.remove(&handle);
            gone.map(|queue| self.runtime.pending_work.order.close(queue)).is_some()
        };
        self.answer(if known { SUCCESS } else { INVALID_HANDLE })
    }

    /// The queue of a stream.
    pub(super) fn queue(&mut self, stream: u64) -> usize {
        match stream {
            2 => {
                self.runtime.pending_work.note(Noted::All);
                PER_THREAD
            }
            stream => self.runtime.streams.streams.get(&stream).copied().unwrap_or(DEFAULT),
        }
    }

    /// `cudaStreamSynchronize`.
    pub(super) fn cuda_stream_wait(&mut self, stream: u64) -> u64 {
        let error = self.synchronise();
        let known = self.runtime.streams.known(stream);
        if known {
            let queue = self.queue(stream);
            self.host_waits(Wait::Queue(queue));
        }
        self.answer(if known { error } else { INVALID_HANDLE })
    }

    /// Whether a handle is a stream to which work can be issued.
    pub(super) fn stream_known(&self, stream: u64) -> bool {
        self.runtime.streams.known(stream)
    }

    pub(super) fn cuda_event_record(&mut self, event: u64, stream: u64) -> u64 {
        let now = self.clock_ns();
        let queue = self.queue(stream);
        let streams = &mut self.runtime.streams;
        let (known, waits) = (streams.known(stream), streams.waits);
        let found = streams.events.get_mut(&event).filter(|_| known);
        let error = match found {
            Some(event) => {
                (event.time, event.waits, event.waited) = (Some(now), waits, None);
                event.clock = self.runtime.pending_work.order.record(queue);
                SUCCESS
            }
            None => INVALID_HANDLE,
        };
        self.answer(error)
    }

    /// `cudaEventSynchronize`.
    pub(super) fn cuda_event_wait(&mut self, event: u64) -> u64 {
        let Some(clock) = self.clock_of(event) else { return self.answer(INVALID_HANDLE) };
        let error = self.synchronise();
        self.host_waits(Wait::Event(&clock));
        self.answer(error)
    }

    /// `cudaStreamWaitEvent`.
    pub(super) fn cuda_wait_event(&mut self, stream: u64, event: u64) -> u64 {
        let known = self.runtime.streams.known(stream);
        let Some(clock) = self.clock_of(event).filter(|_| known) else {
            return self.answer(INVALID_HANDLE);
        };
        let queue = self.queue(stream);
        self.runtime.pending_work.order.wait_in(queue, &clock);
        self.answer(SUCCESS)
    }

    /// What is done when an event happens that is waited for.
    fn clock_of(&mut self, event: u64) -> Option<Clock> {
        let span = self.span();
        let event = self.runtime.streams.events.get_mut(&event)?;
        if event.time.is_none() {
            event.waited = event.waited.or(Some(span));
        }
        Some(event.clock.clone())
    }

    /// Warns of an event that was waited for and never recorded. A wait before the first record is no
    /// mistake: a loop over several buffers begins like that.
    fn tell_event(&mut self, event: &Event) {
        let Some(waited) = event.waited else { return };
        let message =
            format!("the event {} is never recorded, so this waits for nothing", event.name);
        let mut diagnostic = Diagnostic::error("unrecorded-event", waited, message)
            .with_label(event.made, "made here")
            .with_help("`cudaEventRecord` it in the stream whose work is to be waited for");
        diagnostic.severity = Severity::Warning;
        self.report(diagnostic);
    }

    /// The same of all events, as the program ends.
    pub(super) fn tell_unrecorded(&mut self) {
        let mut events: Vec<(u64, Event)> = self.runtime.streams.events.drain().collect();
        events.sort_by_key(|(handle, _)| *handle);
        for (_, event) in events {
            self.tell_event(&event);
        }
    }

    /// `cudaEventElapsedTime`: where to store the milliseconds, from, to.
    pub(super) fn cuda_elapsed(&mut self, to: u64, start: u64, end: u64) -> Executed<u64> {
        let events = &self.runtime.streams.events;
        let timed = |event: &u64| events.get(event).filter(|e| e.flags & NO_TIMING == 0);
        let (Some(start), Some(end)) = (timed(&start), timed(&end)) else {
            return Ok(self.answer(INVALID_HANDLE));
        };
        let (Some(from), Some(until)) = (start.time, end.time) else {
            return Ok(self.answer(INVALID_HANDLE));
        };
        if end.waits == self.runtime.streams.waits {
            self.warn(
                "event",
                "the event may not have happened yet: nobody has waited for it",
                "`cudaEventSynchronize` it first; a device answers with cudaErrorNotReady",
            );
        }
        let ms = (until - from) as f64 / 1e6;
        self.store(to, MemTy::B32, u64::from((ms as f32).to_bits()))?;
        Ok(self.answer(self.runtime.sticky))
    }
}
