//! Several ways to the same product, run in turns.
//!
//! In one process, on one stream, one after the other and round after round, so that a clock that
//! drifts drifts for all. Before each run the second-level cache is overwritten. A ratio is taken
//! within a round.

use anyhow::Result;
use cudarc::cublas::sys::{
    cublasComputeType_t, cublasGemmAlgo_t, cublasOperation_t, cudaDataType_t,
};
use cudarc::cublas::{CudaBlas, result};
use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaContext, CudaEvent, CudaSlice, CudaStream};
use std::sync::Arc;
use verify::experiment::Lab;

/// Who takes part.
pub struct Contestant<'a> {
    /// The row's name.
    pub name: &'static str,
    /// Queues one run.
    pub run: Box<dyn FnMut() -> Result<()> + 'a>,
}

/// What was seen of one of them, a number a round.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The row's name.
    pub name: &'static str,
    /// Operations a second, in 10^12.
    pub tflops: Vec<f64>,
    /// The time of cuBLAS in the same round, over its own; empty where cuBLAS is missing.
    pub ratio: Vec<f64>,
}

/// The name of cuBLAS's row.
pub const LIBRARY: &str = "cuBLAS";

/// Two events, and something to wash the cache with.
#[derive(Debug)]
pub struct Clock {
    stream: Arc<CudaStream>,
    begin: CudaEvent,
    end: CudaEvent,
    wash: CudaSlice<u8>,
}

impl Clock {
    /// A clock for a stream.
    ///
    /// # Errors
    /// Where the device has no memory left.
    pub fn new(context: &Arc<CudaContext>, stream: &Arc<CudaStream>) -> Result<Clock> {
        let event = || context.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        let (begin, end) = (event()?, event()?);
        Ok(Clock { stream: Arc::clone(stream), begin, end, wash: stream.alloc_zeros(256 << 20)? })
    }

    /// Milliseconds of one run.
    fn lap(&mut self, one: &mut Contestant<'_>) -> Result<f64> {
        self.stream.memset_zeros(&mut self.wash)?;
        self.begin.record(&self.stream)?;
        (one.run)()?;
        self.end.record(&self.stream)?;
        Ok(f64::from(self.begin.elapsed_ms(&self.end)?))
    }

    /// `rounds` rounds of products of `side` by `side`, after one that only warms up.
    ///
    /// # Errors
    /// The first contestant's.
    pub fn contest(
        &mut self,
        side: u32,
        rounds: usize,
        mut all: Vec<Contestant<'_>>,
    ) -> Result<Vec<Seen>> {
        let work = 2.0 * f64::from(side).powi(3);
        let mut seen: Vec<Seen> = all
            .iter()
            .map(|one| Seen { name: one.name, tflops: Vec::new(), ratio: Vec::new() })
            .collect();
        for round in 0..=rounds {
            let times: Vec<f64> = all.iter_mut().map(|one| self.lap(one)).collect::<Result<_>>()?;
            if round == 0 {
                continue;
            }
            let theirs = all.iter().position(|one| one.name == LIBRARY).map(|at| times[at]);
            for (one, ms) in seen.iter_mut().zip(times) {
                one.tflops.push(work / ms / 1e9);
                one.ratio.extend(theirs.map(|theirs| theirs / ms));
            }
        }
        Ok(seen)
    }
}

/// Leaves a row for each.
pub(crate) fn leave(lab: &mut Lab, side: u32, all: &[Seen]) {
    for one in all {
        let row = lab.row(one.name).x("n", f64::from(side)).samples("tflops", &one.tflops);
        if !one.ratio.is_empty() {
            row.samples("ratio", &one.ratio);
        }
    }
}

/// Elements and arithmetic of a product by cuBLAS.
#[derive(Debug, Clone, Copy)]
pub struct Mode(cudaDataType_t, cublasComputeType_t);

/// Single precision, and nothing less on the way.
pub const PEDANTIC: Mode =
    Mode(cudaDataType_t::CUDA_R_32F, cublasComputeType_t::CUBLAS_COMPUTE_32F_PEDANTIC);

/// `bfloat16`, added up in single precision.
pub const BF16: Mode = Mode(cudaDataType_t::CUDA_R_16BF, cublasComputeType_t::CUBLAS_COMPUTE_32F);

/// Queues c = a b by cuBLAS, for matrices at these addresses.
///
/// # Errors
/// What cuBLAS answers.
pub fn gemm(blas: &CudaBlas, mode: Mode, [a, b, c]: [u64; 3], side: u32) -> Result<()> {
    let (one, zero) = (1.0f32, 0.0f32);
    let (Mode(data, compute), n) = (mode, side as i32);
    let plain = cublasOperation_t::CUBLAS_OP_N;
    // It reads columns where we read rows, so b times a there is a times b here.
    // SAFETY: the caller's matrices have `side` rows and columns.
    unsafe {
        result::gemm_ex(
            *blas.handle(),
            plain,
            plain,
            n,
            n,
            n,
            (&raw const one).cast(),
            b as *const _,
            data,
            n,
            a as *const _,
            data,
            n,
            (&raw const zero).cast(),
            c as *mut _,
            data,
            n,
            compute,
            cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
        )
    }?;
    Ok(())
}

/// Numbers between -1 and 1.
#[must_use]
pub fn noise(count: usize, mut state: u64) -> Vec<f32> {
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        })
        .collect()
}
