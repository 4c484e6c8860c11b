//! The host code that the page shows, on a device: what comes back is right in every arrangement,
//! with pinned and with pageable memory.

use anyhow::{Result, ensure};
use ch08_streams::model::Order;
use ch08_streams::pipeline::{Pipeline, Plan, WORK};
use cudarc::driver::CudaContext;
use cudarc::nvrtc::compile_ptx;

fn main() -> std::process::ExitCode {
    verify::harness::run_device_tests(&[
        ("host: with event tracking", || comes_back_right(true)),
        ("host: without event tracking", || comes_back_right(false)),
    ])
}

fn comes_back_right(tracking: bool) -> Result<()> {
    let context = CudaContext::new(0)?;
    if !tracking {
        // SAFETY: nothing is allocated yet, and the pipeline waits for its streams by itself.
        unsafe { context.disable_event_tracking() };
    }
    let work = context.load_module(compile_ptx(WORK)?)?.load_function("work")?;
    for n in [1, 31, 1000, 65_537] {
        for (streams, pieces) in [(1, 1), (1, 5), (4, 4), (4, 16), (3, 7)] {
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let mut pipeline = Pipeline::new(&context, work.clone(), streams, n)?;
                let from: Vec<f32> = (0..n).map(|i| (i % 101) as f32).collect();
                let mut to = vec![-1.0; n];
                pipeline.run(&from, &mut to, Plan { pieces, order, rounds: 2 })?;
                for (i, (x, y)) in from.iter().zip(&to).enumerate() {
                    let wanted = (x * 0.5 + 0.25) * 0.5 + 0.25;
                    ensure!(
                        (y - wanted).abs() < 1e-5,
                        "number {i} of {n}, {streams} streams, {pieces} pieces, {order:?}: {y} \
                         instead of {wanted}"
                    );
                }
            }
        }
    }
    Ok(())
}
