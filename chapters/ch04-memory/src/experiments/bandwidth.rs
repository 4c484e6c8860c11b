//! # Read bandwidth by memory
//!
//! Bandwidths by reading again: what lies near enough is read many times over.
//!
//! The second-level cache and the device's memory are read by one kernel, which passes the
//! first-level caches by, over arrays of two sizes: one that the cache holds, one that it does not
//! by far. Rounds are added until a run takes long enough for its beginning and end not to count.

use anyhow::Result;
use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags};
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, LaunchConfig, PushKernelArg};
use std::sync::Arc;
use verify::experiment::Lab;

const REREAD: &str = include_str!("../../kernels/3_reread.cu");
const REREAD_SHARED: &str = include_str!("../../kernels/4_reread_shared.cu");

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let stream = lab.context().default_stream();
    let multiprocessors =
        lab.context().attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    let grid = 2 * u32::try_from(multiprocessors)?;
    let threads = 1024 * grid;
    let reader = |kernel| Reader { stream: Arc::clone(&stream), kernel, grid };
    let quick = lab.quick();

    let shared = reader(lab.compile(REREAD_SHARED)?.load_function("reread")?);
    let rounds = if quick { 16 } else { 1 << 14 };
    let work = Work { vectors: 2048, count: threads, round: 16 * u64::from(threads), rounds };
    lab.row("shared memory").x("bytes", 32768.0).samples("gbps", &shared.samples(&work, quick)?);

    let global = reader(lab.compile(REREAD)?.load_function("reread")?);
    let large = if quick { 26 } else { 30 };
    for (name, power, rounds) in [("second-level cache", 24, 256), ("device memory", large, 4)] {
        let (round, vectors) = (1u64 << power, 1u32 << (power - 4));
        let rounds = if quick { 2 } else { rounds };
        let work = Work { vectors, count: vectors, round, rounds };
        lab.row(name).x("bytes", round as f64).samples("gbps", &global.samples(&work, quick)?);
    }
    Ok(())
}

/// What is read.
struct Work {
    /// The array's length, in vectors of 16 bytes.
    vectors: u32,
    /// The kernel's third argument.
    count: u32,
    /// Bytes that all threads together read in one round.
    round: u64,
    rounds: u32,
}

/// A kernel `(data, sums, count, rounds)` that reads again and again, and its grid.
struct Reader {
    stream: Arc<CudaStream>,
    kernel: CudaFunction,
    grid: u32,
}

impl Reader {
    /// GB/s, once for each run but the first.
    fn samples(&self, work: &Work, quick: bool) -> Result<Vec<f64>> {
        let data = self.stream.alloc_zeros::<i32>(4 * work.vectors as usize)?;
        let mut sums = self.stream.alloc_zeros::<i32>(1024 * self.grid as usize)?;
        let bytes = work.round as f64 * f64::from(work.rounds);
        let runs = if quick { 1 } else { 21 };
        self.time_ms(&data, &mut sums, work)?;
        (0..runs).map(|_| Ok(bytes / self.time_ms(&data, &mut sums, work)? / 1e6)).collect()
    }

    fn time_ms(
        &self,
        data: &CudaSlice<i32>,
        sums: &mut CudaSlice<i32>,
        work: &Work,
    ) -> Result<f64> {
        let event = || self.stream.context().new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        let (start, stop) = (event()?, event()?);
        let (grid_dim, block_dim) = ((self.grid, 1, 1), (1024, 1, 1));
        let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
        let mut call = self.stream.launch_builder(&self.kernel);
        call.arg(data).arg(sums).arg(&work.count).arg(&work.rounds);
        start.record(&self.stream)?;
        // SAFETY: (data, sums, count, rounds): what is read lies within `data`, and each thread
        // writes one of `sums`, which has as many.
        unsafe { call.launch(shape) }?;
        stop.record(&self.stream)?;
        Ok(f64::from(start.elapsed_ms(&stop)?))
    }
}
