//! The pipeline against what the times of its parts foretell, and a graph against launches.

use crate::Done;
use crate::comparison::Comparison;
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaModule, CudaStream, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;
use kernels::pipeline::Pipeline;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// `rounds` steps of arithmetic on each number, and a kernel that does nothing.
const SOURCE: &str = r#"
extern "C" __global__ void work(float* x, unsigned int n, int rounds) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int r = 0; r < rounds; r++) v = v * 0.9999f + 0.0001f;
    x[i] = v;
}
extern "C" __global__ void nothing() {}
"#;

const COUNT: usize = 1 << 26;
const PIECES: usize = 32;

/// The median of some runs, in milliseconds of the host's clock.
fn median(mut run: impl FnMut() -> Done) -> Result<f64, Box<dyn std::error::Error>> {
    let mut times = Vec::new();
    for _ in 0..9 {
        let start = Instant::now();
        run()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

pub(crate) fn overlap(bench: &mut Comparison) -> Done {
    let module = bench.context.load_module(compile_ptx(SOURCE)?)?;
    pipeline(bench, &module)?;
    graph(bench, &module)
}

/// The pipeline beside the time that its parts take alone.
fn pipeline(bench: &mut Comparison, module: &Arc<CudaModule>) -> Done {
    let context = bench.context.clone();
    let work = module.load_function("work")?;
    let mut pipeline = Pipeline::<f32>::new(&context, 4, COUNT / PIECES)?;
    // SAFETY: written below before it is read.
    let (mut from, mut to) = unsafe {
        (
            context.alloc_pinned_with_flags::<f32>(COUNT, 0)?,
            context.alloc_pinned_with_flags::<f32>(COUNT, 0)?,
        )
    };
    from.as_mut_slice()?.iter_mut().enumerate().for_each(|(i, x)| *x = (i % 1021) as f32);
    to.as_mut_slice()?.fill(-1.0);
    let (from, to) = (from.as_slice()?, to.as_mut_slice()?);

    let (one, two) = (context.new_stream()?, context.new_stream()?);
    let mut first = one.alloc_zeros::<f32>(COUNT)?;
    let second = two.alloc_zeros::<f32>(COUNT)?;
    context.synchronize()?;
    // Both directions at once, so often that each is timed while the other runs.
    let duplex = median(|| {
        for _ in 0..3 {
            one.memcpy_htod(from, &mut first)?;
            two.memcpy_dtoh(&second, to)?;
        }
        one.synchronize()?;
        Ok(two.synchronize()?)
    })? / 3.0;
    let launch = |stream: &Arc<CudaStream>,
                  x: &mut cudarc::driver::CudaViewMut<'_, f32>,
                  n: usize,
                  rounds: i32| {
        let count = n as u32;
        let config = LaunchConfig {
            grid_dim: (count.div_ceil(256), 1, 1),
            block_dim: (256, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut call = stream.launch_builder(&work);
        call.arg(x).arg(&count).arg(&rounds);
        // SAFETY: `work` takes (float*, unsigned int, int) and touches `n` floats.
        unsafe { call.launch(config) }.map(drop)
    };
    for rounds in [0, 4000] {
        let alone = median(|| {
            launch(&one, &mut first.as_view_mut(), COUNT, rounds)?;
            Ok(one.synchronize()?)
        })?;
        let whole = median(|| {
            Ok(pipeline.run(from, to, |stream, _, part| {
                let n = COUNT / PIECES;
                Ok(launch(stream, part, n, rounds)?)
            })?)
        })?;
        let (h, k, d) = (duplex, alone, duplex);
        let most = h.max(k).max(d);
        let bound = most + (h + k + d - most) / PIECES as f64;
        let values = json!({
            "both_ways_ms": duplex, "work_ms": alone, "pipeline_ms": whole, "bound_ms": bound,
            "share": bound / whole,
        });
        bench.note("pipeline", &format!("2^26 floats, {PIECES} pieces, {rounds} rounds"), values);
    }
    if to[COUNT - 1] < 0.0 {
        return Err("the pipeline did not write its last number".into());
    }
    Ok(())
}

/// A graph of 100 empty kernels beside 100 launches.
fn graph(bench: &mut Comparison, module: &Arc<CudaModule>) -> Done {
    let stream = bench.context.new_stream()?;
    let nothing = module.load_function("nothing")?;
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (32, 1, 1), shared_mem_bytes: 0 };
    let hundred = || -> Done {
        for _ in 0..100 {
            // SAFETY: a kernel without parameters.
            unsafe { stream.launch_builder(&nothing).launch(config) }?;
        }
        Ok(())
    };
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)?;
    hundred()?;
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    let graph = stream.end_capture(flags)?.ok_or("no graph was captured")?;
    graph.upload()?;
    const TIMES: usize = 50;
    let by_hand = median(|| {
        for _ in 0..TIMES {
            hundred()?;
        }
        Ok(stream.synchronize()?)
    })?;
    let by_graph = median(|| {
        for _ in 0..TIMES {
            graph.launch()?;
        }
        Ok(stream.synchronize()?)
    })?;
    let each = 1e3 / (TIMES * 100) as f64;
    let values = json!({
        "launch_us": by_hand * each, "node_us": by_graph * each, "ratio": by_hand / by_graph,
    });
    bench.note("graph of 100 empty kernels", "a kernel", values);
    Ok(())
}
