//! Streams and events.
//!
//! Work is executed when it is issued, so synchronising never waits. But a kernel's error is returned,
//! and its output written, only when the host synchronises, as on a device.

use super::error::{INVALID_HANDLE, SUCCESS};
use crate::interpreter::{Executed, Interpreter};
use simt::isa::MemTy;
use std::collections::HashMap;

/// The streams and events that exist. A handle is a number.
#[derive(Debug, Default)]
pub(super) struct Streams {
    made: u64,
    streams: HashMap<u64, u32>,
    events: HashMap<u64, Event>,
    /// How often the host has synchronised.
    waits: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Event {
    flags: u32,
    /// When it was recorded.
    time: Option<i64>,
    /// How often the host had synchronised then.
    waits: u64,
}

/// `cudaEventDisableTiming`.
const NO_TIMING: u32 = 2;

impl Streams {
    /// The default streams always exist.
    fn known(&self, stream: u64) -> bool {
        stream <= 2 || self.streams.contains_key(&stream)
    }

    /// Notes that the host has synchronised with everything.
    pub(super) fn awaited(&mut self) {
        self.waits += 1;
    }
}

impl Interpreter<'_> {
    pub(super) fn cuda_create(&mut self, event: bool, flags: u32) -> u64 {
        let streams = &mut self.runtime.streams;
        streams.made += 1;
        let handle = 0x1000 + streams.made * 16;
        if event {
            streams.events.insert(handle, Event { flags, ..Event::default() });
        } else {
            streams.streams.insert(handle, flags);
        }
        handle
    }

    pub(super) fn cuda_destroy(&mut self, event: bool, handle: u64) -> u64 {
        let streams = &mut self.runtime.streams;
        let known = if event {
            streams.events.remove(&handle).is_some()
        } else {
            streams.streams.remove(&handle).is_some()
        };
        self.answer(if known { SUCCESS } else { INVALID_HANDLE })
    }

    /// `cudaStreamSynchronize`.
    pub(super) fn cuda_stream_wait(&mut self, stream: u64) -> u64 {
        let error = self.synchronise();
        let known = self.runtime.streams.known(stream);
        self.answer(if known { error } else { INVALID_HANDLE })
    }

    /// Whether a handle is a stream to which work can be issued.
    pub(super) fn stream_known(&self, stream: u64) -> bool {
        self.runtime.streams.known(stream)
    }

    pub(super) fn cuda_event_record(&mut self, event: u64, stream: u64) -> u64 {
        let now = self.os.now_ns();
        let streams = &mut self.runtime.streams;
        let (known, waits) = (streams.known(stream), streams.waits);
        let found = streams.events.get_mut(&event).filter(|_| known);
        let error = match found {
            Some(event) => {
                (event.time, event.waits) = (Some(now), waits);
                SUCCESS
            }
            None => INVALID_HANDLE,
        };
        self.answer(error)
    }

    /// `cudaEventSynchronize`.
    pub(super) fn cuda_event_wait(&mut self, event: u64) -> u64 {
        if !self.runtime.streams.events.contains_key(&event) {
            return self.answer(INVALID_HANDLE);
        }
        let error = self.synchronise();
        self.answer(error)
    }

    /// `cudaEventElapsedTime`: where to store the milliseconds, from, to.
    pub(super) fn cuda_elapsed(&mut self, to: u64, start: u64, end: u64) -> Executed<u64> {
        let events = &self.runtime.streams.events;
        let timed = |event: &u64| events.get(event).filter(|e| e.flags & NO_TIMING == 0).copied();
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
