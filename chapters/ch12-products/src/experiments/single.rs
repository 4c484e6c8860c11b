//! # Single precision beside cuBLAS
//!
//! The rungs without tensor cores, the library `kernels` and cuBLAS in its pedantic mode, which
//! allows no TF32. What is timed, and how: [`crate::contest`].

use crate::contest::{Clock, Contestant, LIBRARY, PEDANTIC, gemm, leave, noise};
use crate::{SINGLE, launch};
use anyhow::Result;
use cudarc::cublas::CudaBlas;
use cudarc::driver::{DevicePtr, DevicePtrMut};
use kernels::{Kernels, Shape};
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (sides, rounds): (&[u32], usize) =
        if lab.quick() { (&[256], 2) } else { (&[2048, 4096, 8192], 15) };
    let stream = lab.context().default_stream();
    let mut clock = Clock::new(lab.context(), &stream)?;
    let library = Kernels::new(&stream)?;
    // SAFETY: loading the library runs its initialisers; it is NVIDIA's own.
    let blas = match unsafe { cudarc::cublas::sys::is_culib_present() } {
        true => Some(CudaBlas::new(stream.clone())?),
        false => None,
    };
    let mut functions = Vec::new();
    for rung in &SINGLE {
        functions.push(rung.function(&lab.compile(rung.source)?)?);
    }
    for &side in sides {
        let elements = side as usize * side as usize;
        let a = stream.clone_htod(&noise(elements, 12_345))?;
        let b = stream.clone_htod(&noise(elements, 777))?;
        let mut c = stream.alloc_zeros::<f32>(elements)?;
        let mut ours = stream.alloc_zeros::<f32>(elements)?;
        let places =
            [a.device_ptr(&stream).0, b.device_ptr(&stream).0, c.device_ptr_mut(&stream).0];
        let mut all = Vec::new();
        for (rung, function) in SINGLE.iter().zip(&functions) {
            let run = || launch(rung, function, &stream, places, side);
            all.push(Contestant { name: rung.name, run: Box::new(run) });
        }
        let shape = Shape::new(side as usize, side as usize);
        let run = || Ok(library.matmul_f32(&a, shape, &b, shape, &mut ours, shape)?);
        all.push(Contestant { name: "the library `kernels`", run: Box::new(run) });
        if let Some(blas) = &blas {
            let run = || gemm(blas, PEDANTIC, places, side);
            all.push(Contestant { name: LIBRARY, run: Box::new(run) });
        }
        leave(lab, side, &clock.contest(side, rounds, all)?);
    }
    Ok(())
}
