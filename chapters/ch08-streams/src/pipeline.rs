//! An array through the device in pieces: in, work, out, with several streams.
//!
//! The same code runs in one stream or in many, in one piece or in a hundred, depth first or breadth
//! first, so that only what an experiment varies is varied.

use crate::model::{Engine, Order, issue_order};
use anyhow::{Result, ensure};
use cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaSlice, CudaStream, LaunchConfig, PushKernelArg,
};
use std::ops::Range;
use std::sync::Arc;

/// The kernel that the pieces go through: `work(data, n, rounds)`.
pub const WORK: &str = include_str!("../kernels/1_work.cu");

/// Streams, the kernel, and room for the whole array on the device.
pub struct Pipeline {
    work: CudaFunction,
    streams: Vec<Arc<CudaStream>>,
    data: CudaSlice<f32>,
}

/// How an array is sent through.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many pieces; the last may be shorter.
    pub pieces: usize,
    /// In which order the host issues them.
    pub order: Order,
    /// Rounds of work for each number.
    pub rounds: i32,
}

/// One stage of one piece, between two events.
pub struct Timed {
    /// Which stream, from 0.
    pub stream: usize,
    /// Which engine did it.
    pub engine: Engine,
    /// Recorded before it.
    pub start: CudaEvent,
    /// Recorded after it.
    pub end: CudaEvent,
}

impl Pipeline {
    /// Room for `n` numbers and so many streams. Whether the pieces overlap depends on `context`:
    /// with cudarc's event tracking they do not.
    ///
    /// # Errors
    /// Where the device refuses, or `streams` is 0.
    pub fn new(
        context: &Arc<CudaContext>,
        work: CudaFunction,
        streams: usize,
        n: usize,
    ) -> Result<Pipeline> {
        ensure!(streams > 0, "a pipeline needs a stream");
        let streams = (0..streams).map(|_| context.new_stream()).collect::<Result<Vec<_>, _>>()?;
        let data = streams[0].alloc_zeros(n)?;
        // The other streams must not run ahead of the allocation.
        context.synchronize()?;
        Ok(Pipeline { work, streams, data })
    }

    // ANCHOR: run
    /// `from` through the device into `to`; both are as long as the pipeline
    /// has room for. Returns when all is done. Nothing overlaps unless both
    /// are pinned memory.
    ///
    /// # Errors
    /// Where the lengths differ, and where the device refuses.
    pub fn run(&mut self, from: &[f32], to: &mut [f32], plan: Plan) -> Result<()> {
        self.issue(from, to, plan, false)?;
        Ok(())
    }

    fn issue(
        &mut self,
        from: &[f32],
        to: &mut [f32],
        plan: Plan,
        timed: bool,
    ) -> Result<Vec<Timed>> {
        let n = self.data.len();
        ensure!(from.len() == n && to.len() == n, "the pipeline has room for {n} numbers");
        let issued = self.issue_all(from, to, plan, timed);
        // Also where something failed: on return nothing may still be using
        // `from` and `to`.
        for stream in &self.streams {
            stream.synchronize()?;
        }
        issued
    }
    // ANCHOR_END: run

    /// The same, with the times: an event recorded before all else, and the stages in the order in
    /// which they were issued.
    ///
    /// # Errors
    /// As [`Pipeline::run`].
    pub fn run_timed(
        &mut self,
        from: &[f32],
        to: &mut [f32],
        plan: Plan,
    ) -> Result<(CudaEvent, Vec<Timed>)> {
        let begin = self.streams[0].record_event(Some(CU_EVENT_DEFAULT))?;
        Ok((begin, self.issue(from, to, plan, true)?))
    }

    fn issue_all(
        &mut self,
        from: &[f32],
        to: &mut [f32],
        plan: Plan,
        timed: bool,
    ) -> Result<Vec<Timed>> {
        let mut all = Vec::new();
        for (piece, engine) in issue_order(plan.pieces, self.streams.len(), plan.order) {
            let range = piece_range(from.len(), plan.pieces, piece);
            if range.is_empty() {
                continue;
            }
            let at = piece % self.streams.len();
            let event = || self.streams[at].record_event(Some(CU_EVENT_DEFAULT));
            let start = if timed { Some(event()?) } else { None };
            self.issue_stage(at, engine, range, from, to, plan.rounds)?;
            let end = if timed {
                Some(self.streams[at].record_event(Some(CU_EVENT_DEFAULT))?)
            } else {
                None
            };
            if let (Some(start), Some(end)) = (start, end) {
                all.push(Timed { stream: at, engine, start, end });
            }
        }
        Ok(all)
    }

    // ANCHOR: stage
    fn issue_stage(
        &mut self,
        stream: usize,
        engine: Engine,
        range: Range<usize>,
        from: &[f32],
        to: &mut [f32],
        rounds: i32,
    ) -> Result<()> {
        let stream = &self.streams[stream];
        let count = u32::try_from(range.len())?;
        match engine {
            Engine::In => {
                let mut part = self.data.slice_mut(range.clone());
                stream.memcpy_htod(&from[range], &mut part)?;
            }
            Engine::Compute => {
                let mut part = self.data.slice_mut(range);
                let shape = LaunchConfig {
                    grid_dim: (count.div_ceil(256), 1, 1),
                    block_dim: (256, 1, 1),
                    shared_mem_bytes: 0,
                };
                let mut call = stream.launch_builder(&self.work);
                call.arg(&mut part).arg(&count).arg(&rounds);
                // SAFETY: `work` takes (float*, unsigned int, int) and
                // touches `count` floats. The part has as many.
                unsafe { call.launch(shape) }?;
            }
            Engine::Out => {
                let part = self.data.slice(range.clone());
                stream.memcpy_dtoh(&part, &mut to[range])?;
            }
        }
        Ok(())
    }
    // ANCHOR_END: stage
}

/// Piece `piece` of `pieces` of `n` numbers. The last is cut where the numbers end, and is empty
/// where there are none left.
fn piece_range(n: usize, pieces: usize, piece: usize) -> Range<usize> {
    let length = n.div_ceil(pieces.max(1));
    (piece * length).min(n)..((piece + 1) * length).min(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_every_number_once() {
        for n in [0, 1, 5, 1000, 1021, 4096] {
            for pieces in [1, 2, 3, 4, 7, 64] {
                let ranges: Vec<_> = (0..pieces).map(|p| piece_range(n, pieces, p)).collect();
                let covered: Vec<usize> = ranges.into_iter().flatten().collect();
                assert_eq!(covered, (0..n).collect::<Vec<_>>(), "{n} in {pieces}");
            }
        }
    }
}
