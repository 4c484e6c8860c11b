//! Products against cuBLAS.

use crate::Done;
use crate::comparison::{Comparison, contestant, noise};
use crate::libraries::{BF16, Blas, PEDANTIC};
use cudarc::driver::{DevicePtr, DevicePtrMut};
use half::bf16;
use kernels::Shape;

/// The distance of two results, as a share of the second's size.
fn distance(a: &[f32], b: &[f32]) -> f64 {
    let squares = |x: f32| f64::from(x) * f64::from(x);
    let off: f64 = a.iter().zip(b).map(|(a, b)| squares(a - b)).sum();
    (off / b.iter().map(|b| squares(*b)).sum::<f64>()).sqrt()
}

pub(crate) fn single(bench: &mut Comparison) -> Done {
    let blas = Blas::new(bench)?;
    bench.takes_part("cublas", blas.version()?);
    let stream = bench.stream.clone();
    let handle = kernels::Kernels::new(&stream)?;
    for side in [1024, 2048, 4096, 8192] {
        let shape = Shape::new(side, side);
        let a = stream.clone_htod(&noise(side * side, 1))?;
        let b = stream.clone_htod(&noise(side * side, 2))?;
        let mut c = stream.alloc_zeros::<f32>(side * side)?;
        let mut d = stream.alloc_zeros::<f32>(side * side)?;
        let places =
            [a.device_ptr(&stream).0, b.device_ptr(&stream).0, d.device_ptr_mut(&stream).0];
        handle.matmul_f32(&a, shape, &b, shape, &mut c, shape)?;
        blas.matmul(PEDANTIC, places, (side, side, side))?;
        let off = distance(&stream.clone_dtoh(&c)?, &stream.clone_dtoh(&d)?);
        if off.is_nan() || off > 1e-5 {
            return Err(format!("a product of {side} that is {off} from cuBLAS's").into());
        }
        let ours =
            contestant("ours", || Ok(handle.matmul_f32(&a, shape, &b, shape, &mut c, shape)?));
        let theirs =
            contestant("cuBLAS, pedantic", || blas.matmul(PEDANTIC, places, (side, side, side)));
        let work = (2.0 * (side as f64).powi(3), "TFLOP/s");
        bench.contest("fp32 product", &side.to_string(), work, vec![ours, theirs])?;
    }
    Ok(())
}

pub(crate) fn half(bench: &mut Comparison) -> Done {
    let blas = Blas::new(bench)?;
    let stream = bench.stream.clone();
    let handle = kernels::Kernels::new(&stream)?;
    let square = |side| (side, side, side);
    for (m, n, k) in
        [square(2048), square(4096), square(8192), (4095, 1000, 777), (4095, 4097, 4095)]
    {
        let numbers = |count, seed| -> Vec<bf16> {
            noise(count, seed).into_iter().map(bf16::from_f32).collect()
        };
        let (sa, sb, sc) = (Shape::new(m, k), Shape::new(k, n), Shape::new(m, n));
        let a = stream.clone_htod(&numbers(m * k, 1))?;
        let b = stream.clone_htod(&numbers(k * n, 2))?;
        let mut c = stream.alloc_zeros::<bf16>(m * n)?;
        let mut sync = stream.alloc_zeros::<bf16>(m * n)?;
        let mut d = stream.alloc_zeros::<bf16>(m * n)?;
        let places =
            [a.device_ptr(&stream).0, b.device_ptr(&stream).0, d.device_ptr_mut(&stream).0];
        handle.matmul_16(&a, sa, &b, sb, &mut c, sc)?;
        handle.matmul_16_sync(&a, sa, &b, sb, &mut sync, sc)?;
        blas.matmul(BF16, places, (m, n, k))?;
        let wide = |x: Vec<bf16>| -> Vec<f32> { x.into_iter().map(bf16::to_f32).collect() };
        let theirs = wide(stream.clone_dtoh(&d)?);
        for ours in [&c, &sync] {
            let off = distance(&wide(stream.clone_dtoh(ours)?), &theirs);
            if off.is_nan() || off > 2e-3 {
                return Err(format!("{m} x {n} x {k}: {off} from cuBLAS's").into());
            }
        }
        let all = vec![
            contestant("ours", || Ok(handle.matmul_16(&a, sa, &b, sb, &mut c, sc)?)),
            contestant("ours, mma.sync", || {
                Ok(handle.matmul_16_sync(&a, sa, &b, sb, &mut sync, sc)?)
            }),
            contestant("cuBLAS", || blas.matmul(BF16, places, (m, n, k))),
        ];
        let work = (2.0 * m as f64 * n as f64 * k as f64, "TFLOP/s");
        bench.contest("bf16 product", &format!("{m} x {n} x {k}"), work, all)?;
    }
    Ok(())
}
