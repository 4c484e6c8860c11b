//! What does nothing but move bytes: how fast can it be?

use crate::Done;
use crate::comparison::{Comparison, Contestant, contestant};
use cudarc::driver::{CudaFunction, CudaSlice, DevicePtr, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use kernels::reduce::{Fold, Order};
use serde_json::json;
use std::error::Error;

/// The same reads as those that the book's ladders are held against.
const READ: &str = include_str!("../../../tools/verify/probes/read.cu");
const COPY: &str = include_str!("copy.cu");

/// Kernel, threads per block, vectors in flight per thread, blocks that fit on a multiprocessor.
const READS: [(&str, u32, u64, u32); 3] =
    [("read_256x8", 256, 8, 4), ("read_512x8", 512, 8, 2), ("read_1024x4", 1024, 4, 2)];

fn load(bench: &Comparison, source: &str, name: &str) -> Result<CudaFunction, Box<dyn Error>> {
    let options = CompileOptions { arch: Some("compute_80"), ..CompileOptions::default() };
    let module = bench.context.load_module(compile_ptx_with_opts(source, options)?)?;
    Ok(module.load_function(name)?)
}

/// A sum of all ints against reads that do nothing with them.
pub(crate) fn reads(bench: &mut Comparison, data: &CudaSlice<i32>) -> Done {
    let stream = bench.stream.clone();
    let handle = kernels::Kernels::new(&stream)?;
    let mut out = stream.alloc_zeros::<i32>(1)?;
    let sink = stream.alloc_zeros::<i32>(4)?;
    let vectors = data.len() as u64 / 4;
    let (from, to) = (data.device_ptr(&stream).0, sink.device_ptr(&stream).0);
    let count = multiprocessors(bench)?;
    let mut all = Vec::new();
    for (name, threads, unroll, resident) in READS {
        let function = load(bench, READ, name)?;
        let many = vectors.div_ceil(u64::from(threads) * unroll * 4) as u32;
        for (blocks, how) in [(count * resident, "as many as fit"), (many, "4 tiles")] {
            let (function, stream) = (function.clone(), stream.clone());
            all.push(contestant(format!("{name}, {how}"), move || {
                let config = LaunchConfig {
                    grid_dim: (blocks, 1, 1),
                    block_dim: (threads, 1, 1),
                    shared_mem_bytes: 0,
                };
                let mut launch = stream.launch_builder(&function);
                launch.arg(&from).arg(&vectors).arg(&to);
                // SAFETY: the probes take (const int4*, u64, int*) and read so many vectors.
                unsafe { launch.launch(config) }?;
                Ok(())
            }));
        }
    }
    let names: Vec<String> = all.iter().map(|one| one.name.clone()).collect();
    all.push(contestant("ours", || {
        Ok(handle.reduce_into(Fold::Sum, Order::Fixed, data, &mut out)?)
    }));
    let times = bench.contest("reads", "2^30", (4.0 * data.len() as f64, "GB/s"), all)?;
    let (ours, probes) = times.split_last().ok_or("nothing was timed")?;
    let best = names.iter().zip(probes).min_by(|a, b| a.1.total_cmp(b.1)).ok_or("no probe")?;
    let values =
        json!({ "probe": best.0, "probe_us": best.1, "ours_us": ours, "share": best.1 / ours });
    bench.note("share of the best read probe", "2^30", values);
    Ok(())
}

fn multiprocessors(bench: &Comparison) -> Result<u32, Box<dyn Error>> {
    use cudarc::driver::sys::CUdevice_attribute as Attribute;
    let count = bench.context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    Ok(u32::try_from(count)?)
}

/// The copy that leaves the cache full.
pub(crate) fn copy_and_keep<'a>(
    bench: &Comparison,
    from: &'a CudaSlice<f32>,
    to: &'a mut CudaSlice<f32>,
) -> Result<Contestant<'a>, Box<dyn Error>> {
    let function = load(bench, COPY, "copy_and_keep")?;
    let stream = bench.stream.clone();
    let vectors = from.len() as u64 / 4;
    Ok(contestant("a copy that fills the cache", move || {
        let config = LaunchConfig {
            grid_dim: (vectors.div_ceil(256) as u32, 1, 1),
            block_dim: (256, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = stream.launch_builder(&function);
        launch.arg(from).arg(&mut *to).arg(&vectors);
        // SAFETY: the kernel takes (const float4*, float4*, u64); both arrays have so many vectors.
        unsafe { launch.launch(config) }?;
        Ok(())
    }))
}
