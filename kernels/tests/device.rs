//! What the library promises, on a device. Where there is none the tests are ignored, with the
//! reason before their names; `WARPBOOK_REQUIRE=gpu` turns that into failure.
//!
//! Results are held against float64 on the host. Outputs are poisoned first, with gaps between rows,
//! so that what is not written is seen and what should not be is too.

#[path = "device/moves.rs"]
mod moves;
#[path = "device/products.rs"]
mod products;
#[path = "device/reductions.rs"]
mod reductions;

use kernels::Kernels;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use verify::backend::gpu::device;
use verify::backend::nvrtc::Nvrtc;

type Test = fn() -> Result<(), Failed>;

fn main() {
    let arguments = Arguments::from_args();
    // Loads the compiler from wherever the book finds it: a later load by name takes that one.
    let compiler = Nvrtc::find(Some(Path::new("..")));
    let reason = match (device::probe(), &compiler) {
        (Err(absence), _) => Some(absence.reason),
        (Ok(_), Err(_)) => Some("no NVRTC found".to_owned()),
        (Ok(_), Ok(_)) => None,
    };
    let required = std::env::var("WARPBOOK_REQUIRE").unwrap_or_default();
    let required = required.split(',').any(|word| word.trim() == "gpu");
    let tests = [reductions::TESTS, moves::TESTS, products::TESTS].concat();
    let trials = tests.into_iter().map(|(name, test)| match reason.clone() {
        None => Trial::test(name, test),
        Some(reason) => {
            let kind = format!("gpu: {reason}");
            Trial::test(name, move || Err(Failed::from(reason)))
                .with_kind(kind)
                .with_ignored_flag(!required)
        }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// A handle on a stream of its own.
fn handle() -> Result<Kernels, Failed> {
    let stream = kernels::open(0)?.new_stream()?;
    Ok(Kernels::new(&stream)?)
}

/// Pseudo-random numbers between -1 and 1.
fn noise(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(next).collect()
}

/// The text of the error that a call must give.
fn refusal(result: Result<(), kernels::Error>) -> Result<String, Failed> {
    match result {
        Ok(()) => Err("the call should be refused".into()),
        Err(error) => Ok(error.to_string()),
    }
}
