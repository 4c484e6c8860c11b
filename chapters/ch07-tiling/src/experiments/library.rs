//! The rungs of the product beside NVIDIA's own, `cublasSgemm` with its default mathematics: full
//! single precision, no tensor cores. All are run in turns in one process, so that a clock that
//! drifts drifts for all; the inputs are pseudo-random, because zeros draw less power and run
//! faster. Where cuBLAS is not installed its row is missing.

use crate::PRODUCT;
use anyhow::Result;
use cudarc::cublas::{CudaBlas, Gemm, GemmConfig, sys::cublasOperation_t};
use cudarc::driver::{CudaFunction, PushKernelArg, sys::CUevent_flags};
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (sizes, rounds): (&[u32], usize) =
        if lab.quick() { (&[96], 2) } else { (&[1024, 2048, 4096], 12) };
    let stream = lab.context().default_stream();
    // SAFETY: loading the library runs its initialisers; it is NVIDIA's own.
    let blas = if unsafe { cudarc::cublas::sys::is_culib_present() } {
        Some(CudaBlas::new(stream.clone())?)
    } else {
        None
    };
    let mut contestants: Vec<(&str, Option<CudaFunction>)> = Vec::new();
    for rung in &PRODUCT {
        let matmul = lab.compile(rung.source)?.load_function("matmul")?;
        contestants.push((rung.name, Some(matmul)));
    }
    if blas.is_some() {
        contestants.push(("cuBLAS", None));
    }

    let event = || lab.context().new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
    let (begin, end) = (event()?, event()?);
    for &n in sizes {
        let elements = n as usize * n as usize;
        let a = stream.clone_htod(&noise(elements, 12_345))?;
        let b = stream.clone_htod(&noise(elements, 777))?;
        let mut c = stream.alloc_zeros::<f32>(elements)?;
        let mut samples = vec![Vec::with_capacity(rounds); contestants.len()];
        for _ in 0..=rounds {
            for (place, (_, rung)) in contestants.iter().enumerate() {
                begin.record(&stream)?;
                match (rung, &blas) {
                    (Some(matmul), _) => {
                        let mut call = stream.launch_builder(matmul);
                        call.arg(&a).arg(&b).arg(&mut c).arg(&n);
                        // SAFETY: `matmul` takes (const float*, const float*, float*, unsigned
                        // int) and touches n * n elements of each array: as many as there are.
                        unsafe { call.launch(PRODUCT[place].shape(n)) }?;
                    }
                    (None, Some(blas)) => {
                        let side = n as i32;
                        // cuBLAS reads columns where we read rows, so b times a there is a times
                        // b here.
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
                        // SAFETY: all three matrices have `side` rows and columns.
                        unsafe { blas.gemm(config, &b, &a, &mut c) }?;
                    }
                    (None, None) => {}
                }
                end.record(&stream)?;
                samples[place].push(f64::from(begin.elapsed_ms(&end)?) * 1e3);
            }
        }
        for ((name, _), samples) in contestants.iter().zip(&mut samples) {
            samples.remove(0); // loads and warms up
            let flops = 2.0 * f64::from(n).powi(3);
            let tflops: Vec<f64> = samples.iter().map(|us| flops / us / 1e6).collect();
            lab.row(format!("{name}, {n}")).x("count", f64::from(n)).samples("tflops", &tflops);
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
