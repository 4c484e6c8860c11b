//! # The same work by the library `kernels`
//!
//! The top of each ladder, as a program calls it: the library `kernels`, beside its own copy. Before
//! each run the stream reads 256 MiB, so that nothing lies in a cache and the device is busy until
//! the run is queued; one pair of events a run, all contestants in turns.
//!
//! A sum reads its bytes; the others read and write theirs. `gbps` counts both.

use anyhow::Result;
use cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use cudarc::driver::{CudaSlice, CudaStream, DeviceRepr};
use kernels::reduce::{Fold, Order};
use kernels::{Kernels, Shape};
use std::sync::Arc;
use verify::experiment::Lab;

/// Something that is timed, and the bytes that it must move.
struct Contestant<'a> {
    name: &'static str,
    axis: (&'static str, f64),
    bytes: f64,
    run: Box<dyn FnMut() -> Result<(), kernels::Error> + 'a>,
}

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let stream = lab.context().default_stream();
    let handle = Kernels::new(&stream)?;
    sums(lab, &stream, &handle)?;
    moves(lab, &stream, &handle)
}

fn sums(lab: &mut Lab, stream: &Arc<CudaStream>, handle: &Kernels) -> Result<()> {
    let logs: &[u32] = if lab.quick() { &[10] } else { &[24, 26, 28, 30] };
    let most = 1usize << logs.last().copied().unwrap_or_default();
    let ints: CudaSlice<i32> = noise(stream, most, |word| word as i32)?;
    let floats: CudaSlice<f32> = noise(stream, most, fraction)?;
    for &log in logs {
        let n = 1usize << log;
        let (ints, floats) = (ints.slice(..n), floats.slice(..n));
        let mut int = stream.alloc_zeros::<i32>(1)?;
        let mut float = stream.alloc_zeros::<f32>(1)?;
        let (axis, bytes) = (("n", n as f64), 4.0 * n as f64);
        let run = Box::new(|| handle.reduce_into(Fold::Sum, Order::Fixed, &ints, &mut int));
        let first = Contestant { name: "sum of ints", axis, bytes, run };
        let run = Box::new(|| handle.reduce_into(Fold::Sum, Order::Fixed, &floats, &mut float));
        let second = Contestant { name: "sum of floats, fixed order", axis, bytes, run };
        contest(lab, stream, handle, vec![first, second])?;
    }
    Ok(())
}

fn moves(lab: &mut Lab, stream: &Arc<CudaStream>, handle: &Kernels) -> Result<()> {
    let (side, logs): (usize, &[u32]) =
        if lab.quick() { (64, &[6]) } else { (16384, &[10, 12, 14, 16]) };
    let from = noise(stream, side * side, fraction)?;
    let place = || stream.alloc_zeros::<f32>(side * side);
    let (mut first, mut second, mut third) = (place()?, place()?, place()?);
    let bytes = 8.0 * from.len() as f64;

    let axis = ("n", side as f64);
    let shape = Shape::new(side, side);
    let run = Box::new(|| handle.copy(&from, &mut first));
    let copy = Contestant { name: "copy", axis, bytes, run };
    let run = Box::new(|| handle.transpose(&from, shape, &mut second, side));
    let transpose = Contestant { name: "transpose", axis, bytes, run };
    contest(lab, stream, handle, vec![copy, transpose])?;

    for &log in logs {
        let columns = 1usize << log;
        let shape = Shape::new(from.len() / columns, columns);
        let gain = noise(stream, columns, fraction)?;
        let bias = noise(stream, columns, fraction)?;
        let axis = ("n", columns as f64);
        let run = Box::new(|| handle.copy(&from, &mut first));
        let copy = Contestant { name: "copy, beside rows", axis, bytes, run };
        let run = Box::new(|| handle.softmax(&from, shape, &mut second, columns));
        let softmax = Contestant { name: "softmax", axis, bytes, run };
        let run =
            Box::new(|| handle.layernorm(&from, shape, &gain, &bias, 1e-5, &mut third, columns));
        let layernorm = Contestant { name: "layernorm", axis, bytes, run };
        contest(lab, stream, handle, vec![copy, softmax, layernorm])?;
    }
    Ok(())
}

/// So many pseudo-random values on the device: a piece from the host, again and again.
fn noise<T: DeviceRepr>(
    stream: &Arc<CudaStream>,
    count: usize,
    value: fn(u32) -> T,
) -> Result<CudaSlice<T>> {
    let mut state = 12_345u64;
    let piece: Vec<T> = (0..count.min(1 << 22))
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            value((state >> 32) as u32)
        })
        .collect();
    // SAFETY: all of it is written here; the last piece is cut where the array ends.
    let mut all = unsafe { stream.alloc::<T>(count) }?;
    for at in (0..count).step_by(piece.len().max(1)) {
        let end = count.min(at + piece.len());
        stream.memcpy_htod(&piece[..end - at], &mut all.slice_mut(at..end))?;
    }
    Ok(all)
}

/// A number from -1 to 1.
fn fraction(word: u32) -> f32 {
    word as f32 / (1u32 << 31) as f32 - 1.0
}

/// Times all in turns, once forth and once back in each round, and leaves a row for each.
fn contest(
    lab: &mut Lab,
    stream: &Arc<CudaStream>,
    handle: &Kernels,
    mut all: Vec<Contestant<'_>>,
) -> Result<()> {
    let (rounds, wash) = if lab.quick() { (1, 1 << 10) } else { (25, 64 << 20) };
    let wash: CudaSlice<i32> = stream.alloc_zeros(wash)?;
    let mut sink = stream.alloc_zeros::<i32>(1)?;
    let event = || lab.context().new_event(Some(CU_EVENT_DEFAULT));
    let (begin, end) = (event()?, event()?);
    let mut rates = vec![Vec::new(); all.len()];
    for round in 0..=rounds {
        let order = (0..all.len()).chain((0..all.len()).rev());
        for at in order {
            handle.reduce_into(Fold::Sum, Order::Fixed, &wash, &mut sink)?;
            begin.record(stream)?;
            (all[at].run)()?;
            end.record(stream)?;
            let us = f64::from(begin.elapsed_ms(&end)?) * 1e3;
            if round > 0 {
                rates[at].push(all[at].bytes / us / 1e3); // the first round compiles and warms up
            }
        }
    }
    for (one, seen) in all.iter().zip(&rates) {
        lab.row(one.name).x(one.axis.0, one.axis.1).samples("gbps", seen);
    }
    Ok(())
}
