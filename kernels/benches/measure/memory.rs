//! What memory bounds: reductions against CUB, the others against the device's copy.

use crate::Done;
use crate::comparison::{Comparison, Contestant, contestant, noise, words};
use crate::libraries::Cub;
use crate::probes;
use cudarc::driver::{CudaSlice, DevicePtr, DevicePtrMut};
use kernels::Shape;
use kernels::elementwise::Activation;
use kernels::reduce::{Fold, Order};

const LARGEST: usize = 1 << 30;

/// So many random words: a piece from the host, and then the piece again and again.
fn fill(bench: &Comparison, bytes: &mut CudaSlice<i32>) -> Done {
    let piece: Vec<i32> = words(1 << 22, 1).map(|w| w as i32).collect();
    for at in (0..bytes.len()).step_by(piece.len()) {
        let mut part = bytes.slice_mut(at..at + piece.len());
        bench.stream.memcpy_htod(&piece, &mut part)?;
    }
    Ok(())
}

fn place<T>(bench: &Comparison, data: &impl DevicePtr<T>) -> u64 {
    data.device_ptr(&bench.stream).0
}

pub(crate) fn reductions(bench: &mut Comparison) -> Done {
    let cub = Cub::build()?;
    bench.takes_part("cub", cub.version()?);
    let stream = bench.stream.clone();
    let mut data = stream.alloc_zeros::<i32>(LARGEST)?;
    fill(bench, &mut data)?;
    let handle = kernels::Kernels::new(&stream)?;
    let mut scratch = stream.alloc_zeros::<u8>(4 << 20)?;
    let scratch = scratch.device_ptr_mut(&stream).0;
    for log in [24, 26, 28, 30] {
        let n = 1usize << log;
        let part = data.slice(..n);
        let mut out = stream.alloc_zeros::<i32>(1)?;
        let mut theirs = stream.alloc_zeros::<i32>(1)?;
        handle.reduce_into(Fold::Sum, Order::Fixed, &part, &mut out)?;
        let places = [scratch, place(bench, &data), theirs.device_ptr_mut(&stream).0];
        cub.sum(&stream, "i32", places, n)?;
        if stream.clone_dtoh(&out)? != stream.clone_dtoh(&theirs)? {
            return Err(format!("a sum of 2^{log} ints that is not CUB's").into());
        }
        let ours = contestant("ours", || {
            Ok(handle.reduce_into(Fold::Sum, Order::Fixed, &part, &mut out)?)
        });
        let cub = contestant("CUB", || cub.sum(&stream, "i32", places, n));
        let work = (4.0 * n as f64, "GB/s");
        bench.contest("int32 sum", &format!("2^{log}"), work, vec![ours, cub])?;
    }
    probes::reads(bench, &data)?;
    drop(data);
    let host = noise(1 << 24, 4);
    let mut data = stream.alloc_zeros::<f32>(1 << 28)?;
    for at in (0..data.len()).step_by(host.len()) {
        stream.memcpy_htod(&host, &mut data.slice_mut(at..at + host.len()))?;
    }
    for log in [24, 26, 28] {
        let n = 1usize << log;
        let part = data.slice(..n);
        let mut out = stream.alloc_zeros::<f32>(1)?;
        let mut any = stream.alloc_zeros::<f32>(1)?;
        let mut theirs = stream.alloc_zeros::<f32>(1)?;
        let places = [scratch, place(bench, &data), theirs.device_ptr_mut(&stream).0];
        let fixed = contestant("ours, fixed order", || {
            Ok(handle.reduce_into(Fold::Sum, Order::Fixed, &part, &mut out)?)
        });
        let any = contestant("ours, any order", || {
            Ok(handle.reduce_into(Fold::Sum, Order::Any, &part, &mut any)?)
        });
        let cub = contestant("CUB", || cub.sum(&stream, "f32", places, n));
        let work = (4.0 * n as f64, "GB/s");
        bench.contest("float32 sum", &format!("2^{log}"), work, vec![fixed, any, cub])?;
    }
    Ok(())
}

const SIDE: usize = 16384;

/// A matrix of noise, and a place for another.
fn matrices(
    bench: &Comparison,
) -> Result<(CudaSlice<f32>, CudaSlice<f32>), Box<dyn std::error::Error>> {
    let host = noise(1 << 24, 5);
    let mut from = bench.stream.alloc_zeros::<f32>(SIDE * SIDE)?;
    for at in (0..from.len()).step_by(host.len()) {
        bench.stream.memcpy_htod(&host, &mut from.slice_mut(at..at + host.len()))?;
    }
    Ok((from, bench.stream.alloc_zeros::<f32>(SIDE * SIDE)?))
}

/// The best copy: ours, which is as fast as the driver's or faster.
fn copy<'a>(
    handle: &'a kernels::Kernels,
    from: &'a CudaSlice<f32>,
    to: &'a mut CudaSlice<f32>,
) -> Contestant<'a> {
    contestant("our copy", move || Ok(handle.copy(from, to)?))
}

pub(crate) fn moves(bench: &mut Comparison) -> Done {
    let stream = bench.stream.clone();
    let handle = kernels::Kernels::new(&stream)?;
    let (from, mut to) = matrices(bench)?;
    let (mut second, mut third, mut fourth) = (
        stream.alloc_zeros::<f32>(from.len())?,
        stream.alloc_zeros(from.len())?,
        stream.alloc_zeros(from.len())?,
    );
    let mut fifth = stream.alloc_zeros::<f32>(from.len())?;
    let mut sixth = stream.alloc_zeros::<f32>(from.len())?;
    let bias = stream.clone_htod(&noise(SIDE, 6))?;
    let keeping = probes::copy_and_keep(bench, &from, &mut sixth)?;
    let all = vec![
        contestant("transpose", || {
            Ok(handle.transpose(&from, Shape::new(SIDE, SIDE), &mut second, SIDE)?)
        }),
        contestant("relu", || Ok(handle.relu(&from, &mut third)?)),
        contestant("bias and GELU", || {
            Ok(handle.bias_activation(Activation::Gelu, &from, &bias, &mut fourth)?)
        }),
        keeping,
        contestant("the driver's copy", || Ok(stream.memcpy_dtod(&from, &mut fifth)?)),
        copy(&handle, &from, &mut to),
    ];
    bench.contest("moves", "16384 x 16384", (8.0 * (SIDE * SIDE) as f64, "GB/s"), all)?;
    Ok(())
}

pub(crate) fn rows(bench: &mut Comparison) -> Done {
    let stream = bench.stream.clone();
    let handle = kernels::Kernels::new(&stream)?;
    let (from, mut to) = matrices(bench)?;
    let (mut second, mut third) =
        (stream.alloc_zeros::<f32>(from.len())?, stream.alloc_zeros::<f32>(from.len())?);
    for log in 10..=16 {
        let columns = 1usize << log;
        let shape = Shape::new(from.len() / columns, columns);
        let gain = stream.clone_htod(&noise(columns, 7))?;
        let bias = stream.clone_htod(&noise(columns, 8))?;
        let all = vec![
            contestant("softmax", || Ok(handle.softmax(&from, shape, &mut second, columns)?)),
            contestant("layernorm", || {
                Ok(handle.layernorm(&from, shape, &gain, &bias, 1e-5, &mut third, columns)?)
            }),
            copy(&handle, &from, &mut to),
        ];
        let size = format!("rows of {columns}");
        bench.contest("rows", &size, (8.0 * from.len() as f64, "GB/s"), all)?;
    }
    Ok(())
}
