//! # 16 bits beside cuBLAS
//!
//! The rungs on the tensor cores, the library `kernels` and cuBLAS: factors and product `bfloat16`,
//! sums in single precision. What is timed, and how: [`crate::contest`].

use crate::contest::{BF16, Clock, Contestant, LIBRARY, gemm, leave, noise};
use crate::{HALF, launch};
use anyhow::Result;
use cudarc::cublas::CudaBlas;
use cudarc::driver::{DevicePtr, DevicePtrMut};
use kernels::matmul::bf16;
use kernels::{Kernels, Shape};
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (sides, rounds): (&[u32], usize) =
        if lab.quick() { (&[512], 2) } else { (&[4096, 8192], 25) };
    let stream = lab.context().default_stream();
    let mut clock = Clock::new(lab.context(), &stream)?;
    let library = Kernels::new(&stream)?;
    // SAFETY: loading the library runs its initialisers; it is NVIDIA's own.
    let blas = match unsafe { cudarc::cublas::sys::is_culib_present() } {
        true => Some(CudaBlas::new(stream.clone())?),
        false => None,
    };
    // Maps and `wgmma` came with compute capability 9.0, and `wgmma` left with it.
    let hopper = lab.context().compute_capability()?.0 == 9;
    let mut functions = Vec::new();
    for rung in HALF.iter().filter(|rung| hopper || !rung.maps) {
        functions.push((rung, rung.function(&lab.compile(rung.source)?)?));
    }
    for &side in sides {
        let elements = side as usize * side as usize;
        let a = stream.clone_htod(&numbers(elements, 12_345))?;
        let b = stream.clone_htod(&numbers(elements, 777))?;
        let mut c = stream.alloc_zeros::<bf16>(elements)?;
        let mut ours = stream.alloc_zeros::<bf16>(elements)?;
        let places =
            [a.device_ptr(&stream).0, b.device_ptr(&stream).0, c.device_ptr_mut(&stream).0];
        let mut all = Vec::new();
        for (rung, function) in &functions {
            let run = || launch(rung, function, &stream, places, side);
            all.push(Contestant { name: rung.name, run: Box::new(run) });
        }
        let shape = Shape::new(side as usize, side as usize);
        let run = || Ok(library.matmul_16(&a, shape, &b, shape, &mut ours, shape)?);
        all.push(Contestant { name: "the library `kernels`", run: Box::new(run) });
        if let Some(blas) = &blas {
            let run = || gemm(blas, BF16, places, side);
            all.push(Contestant { name: LIBRARY, run: Box::new(run) });
        }
        leave(lab, side, &clock.contest(side, rounds, all)?);
    }
    Ok(())
}

/// Numbers between -1 and 1, rounded.
fn numbers(count: usize, seed: u64) -> Vec<bf16> {
    noise(count, seed).into_iter().map(bf16::from_f32).collect()
}
