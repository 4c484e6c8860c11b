//! # The matrix product beside cuBLAS
//!
//! The rungs of the product beside NVIDIA's own, `cublasSgemm` with its default mathematics: full
//! single precision, no tensor cores. All are run in turns in one process, so that a clock that
//! drifts drifts for all; the inputs are pseudo-random, because zeros draw less power and run
//! faster. Small products are run several times over between the two events, so that it is not
//! the launch that is timed. Where cuBLAS is not installed its rows are missing.

use crate::{PRODUCT, Rung};
use anyhow::Result;
use cudarc::cublas::{CudaBlas, Gemm, GemmConfig, sys::cublasOperation_t};
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, PushKernelArg, sys::CUevent_flags};
use verify::experiment::Lab;

/// Who takes part.
enum Contestant {
    Rung(&'static Rung, CudaFunction),
    Library(CudaBlas),
}

/// Two matrices and the place for their product, `n` by `n` each.
struct Matrices {
    n: u32,
    a: CudaSlice<f32>,
    b: CudaSlice<f32>,
    c: CudaSlice<f32>,
}

impl Contestant {
    fn name(&self) -> &'static str {
        match self {
            Contestant::Rung(rung, _) => rung.name,
            Contestant::Library(_) => "cuBLAS",
        }
    }

    fn launch(&self, stream: &CudaStream, on: &mut Matrices) -> Result<()> {
        match self {
            Contestant::Rung(rung, matmul) => {
                let mut call = stream.launch_builder(matmul);
                call.arg(&on.a).arg(&on.b).arg(&mut on.c).arg(&on.n);
                // SAFETY: `matmul` takes (const float*, const float*, float*, unsigned int) and
                // touches n * n elements of each array: as many as there are.
                unsafe { call.launch(rung.shape(on.n)) }?;
            }
            Contestant::Library(blas) => {
                let side = on.n as i32;
                let config = GemmConfig {
                    transa: cublasOperation_t::CUBLAS_OP_N,
                    transb: cublasOperation_t::CUBLAS_OP_N,
                    m: side,
                    n: side,
                    k: side,
                    alpha: 1.0f32,
                    lda: side,
                    ldb: side,
                    beta: 0.0f32,
                    ldc: side,
                };
                // It reads columns where we read rows, so b times a there is a times b here.
                // SAFETY: all three matrices have `side` rows and columns.
                unsafe { blas.gemm(config, &on.b, &on.a, &mut on.c) }?;
            }
        }
        Ok(())
    }
}

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (sizes, rounds): (&[u32], usize) =
        if lab.quick() { (&[96], 2) } else { (&[1024, 2048, 4096], 12) };
    let stream = lab.context().default_stream();
    let mut contestants = Vec::new();
    for rung in &PRODUCT {
        contestants
            .push(Contestant::Rung(rung, lab.compile(rung.source)?.load_function("matmul")?));
    }
    // SAFETY: loading the library runs its initialisers; it is NVIDIA's own.
    if unsafe { cudarc::cublas::sys::is_culib_present() } {
        contestants.push(Contestant::Library(CudaBlas::new(stream.clone())?));
    }

    let event = || lab.context().new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
    let (begin, end) = (event()?, event()?);
    for &n in sizes {
        let elements = n as usize * n as usize;
        let mut matrices = Matrices {
            n,
            a: stream.clone_htod(&noise(elements, 12_345))?,
            b: stream.clone_htod(&noise(elements, 777))?,
            c: stream.alloc_zeros(elements)?,
        };
        let runs = if lab.quick() { 1 } else { (4096 / n).pow(2).max(1) };
        let work = 2.0 * f64::from(n).powi(3) * f64::from(runs);
        let mut tflops = vec![Vec::with_capacity(rounds); contestants.len()];
        for round in 0..=rounds {
            for (contestant, seen) in contestants.iter().zip(&mut tflops) {
                begin.record(&stream)?;
                for _ in 0..runs {
                    contestant.launch(&stream, &mut matrices)?;
                }
                end.record(&stream)?;
                let ms = f64::from(begin.elapsed_ms(&end)?);
                if round > 0 {
                    seen.push(work / ms / 1e9); // the first round loads and warms up
                }
            }
        }
        for (contestant, seen) in contestants.iter().zip(&tflops) {
            lab.row(contestant.name()).x("n", f64::from(n)).samples("tflops", seen);
        }
    }
    Ok(())
}

/// Numbers between -1 and 1.
fn noise(count: usize, mut state: u64) -> Vec<f32> {
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        })
        .collect()
}
