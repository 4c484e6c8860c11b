//! The workloads of `benches/`, timed by the shortest of many launches, for a platform on which
//! criterion does not run: `benches/wasm.mjs` compares this program natively and in WebAssembly.
//!
//! A line a measurement: name, mode, microseconds. An argument asks for the workloads alone whose
//! names contain it.

#![allow(missing_docs, clippy::print_stdout, reason = "a program's output is its purpose")]

#[path = "../benches/workloads/mod.rs"]
mod workloads;

use simt::Checks;
use std::time::{Duration, Instant};

fn main() {
    let all = [
        workloads::sums(),
        workloads::fused(),
        workloads::arithmetic(),
        workloads::tiled_product(),
        workloads::saxpy(),
        workloads::gather(),
    ];
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for mut workload in all.into_iter().filter(|w| w.name.contains(&wanted)) {
        for (mode, checks) in
            [("bare", Checks::Bare), ("counters", Checks::Counters), ("races", Checks::All)]
        {
            workload.run(checks, 1);
            let begin = Instant::now();
            let mut best = Duration::MAX;
            for _ in 0..40 {
                let start = Instant::now();
                workload.run(checks, 1);
                best = best.min(start.elapsed());
                if begin.elapsed() > Duration::from_millis(200) {
                    break;
                }
            }
            println!("{}|{mode}|{:.1}", workload.name, best.as_secs_f64() * 1e6);
        }
    }
}
