//! A copy-compute pipeline: copy in, kernel and copy out overlap on different pieces of an array.
//!
//! The two copy engines and the multiprocessors can work at the same time on different pieces. A
//! [`Pipeline`] has a ring of buffers, each with its own stream. Each piece is copied in, processed and
//! copied out on one slot's stream, while the other slots are at another stage. With n pieces the whole takes about max(h, k, d) + (h + k + d - max) / n, where h, k
//! and d are what the copy in, the work and the copy out take alone.
//!
//! Nothing overlaps unless the host's memory is pinned: `CudaContext::alloc_pinned_with_flags(n, 0)`
//! (without write-combining, which the host reads slowly).

use crate::Error;
use crate::handle::device_arg::alloc_for;
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, CudaViewMut, DeviceRepr};
use std::sync::Arc;

/// A ring of buffers on the device, each with its stream.
pub struct Pipeline<T> {
    slots: Vec<Slot<T>>,
    piece: usize,
}

struct Slot<T> {
    stream: Arc<CudaStream>,
    buffer: CudaSlice<T>,
}

impl<T: DeviceRepr> Pipeline<T> {
    /// `slots` buffers of `piece` elements each. Three slots keep both copy engines and the
    /// multiprocessors busy; a fourth covers the host's own delay. Pieces of some megabytes are
    /// large enough for the full rate of a copy.
    ///
    /// # Errors
    /// [`Error::Argument`] where `slots` or `piece` is 0; [`Error::Memory`] where the device has no
    /// room.
    pub fn new(
        context: &Arc<CudaContext>,
        slots: usize,
        piece: usize,
    ) -> Result<Pipeline<T>, Error> {
        for (name, value) in [("slots", slots), ("piece", piece)] {
            if value == 0 {
                return Err(Error::Argument {
                    name,
                    why: "is 0; it must be at least 1".to_owned(),
                });
            }
        }
        let slot = |_| -> Result<Slot<T>, Error> {
            let stream = context.new_stream()?;
            // SAFETY: a piece is written by its copy in before anything reads it.
            let buffer = unsafe { alloc_for::<T>(&stream, "piece", piece) }?;
            Ok(Slot { stream, buffer })
        };
        Ok(Pipeline { slots: (0..slots).map(slot).collect::<Result<_, _>>()?, piece })
    }

    /// Sends `from` through `work` into `to`, and returns when all of it has arrived. `work` queues
    /// on the given stream what changes a piece in place; its last argument is where in the array the
    /// piece begins.
    ///
    /// # Errors
    /// [`Error::Argument`] where `to` is shorter than `from`; what `work` says; [`Error::Driver`]. In
    /// each case nothing uses `from` and `to` any more, and `to` holds some pieces or none.
    pub fn run(
        &mut self,
        from: &[T],
        to: &mut [T],
        mut work: impl FnMut(&Arc<CudaStream>, usize, &mut CudaViewMut<'_, T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if to.len() < from.len() {
            let why = format!("has {} elements, and `from` has {}", to.len(), from.len());
            return Err(Error::Argument { name: "to", why });
        }
        let issued = self.issue(from, to, &mut work);
        // Also after an error: queued copies still use the host's memory.
        let mut waited = Ok(());
        for slot in &self.slots {
            waited = waited.and(slot.stream.synchronize());
        }
        issued?;
        Ok(waited?)
    }

    fn issue(
        &mut self,
        from: &[T],
        to: &mut [T],
        work: &mut impl FnMut(&Arc<CudaStream>, usize, &mut CudaViewMut<'_, T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (piece, slots) = (self.piece, self.slots.len());
        let pieces = from.chunks(piece).zip(to.chunks_mut(piece));
        for (at, (from, to)) in pieces.enumerate() {
            let Slot { stream, buffer } = &mut self.slots[at % slots];
            let to = &mut to[..from.len()];
            let mut part = buffer.slice_mut(..from.len());
            stream.memcpy_htod(from, &mut part)?;
            work(stream, at * piece, &mut part)?;
            stream.memcpy_dtoh(&part, to)?;
        }
        Ok(())
    }
}
