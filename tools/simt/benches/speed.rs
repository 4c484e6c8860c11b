//! How fast the simulator is: `cargo bench -p simt`.
//!
//! One launch is one iteration, from its start to its report. What is timed is in `workloads`; what
//! came out, and how the modes compare, is in the table of `benches/README.md`.

#![allow(missing_docs, reason = "criterion's macros make functions")]

#[allow(dead_code, reason = "some of it is for the table")]
mod workloads;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simt::Checks;
use workloads::Workload;

/// The modes, as the table calls them.
const MODES: [(&str, Checks); 3] =
    [("bare", Checks::Bare), ("counters", Checks::Counters), ("races", Checks::All)];

fn modes(criterion: &mut Criterion, mut workload: Workload) {
    let mut group = criterion.benchmark_group(workload.name);
    let instructions = workload.run(Checks::Counters, 1).counters.instructions;
    group.throughput(Throughput::Elements(instructions)).sample_size(20);
    for (mode, checks) in MODES {
        group.bench_function(mode, |b| b.iter(|| workload.run(checks, 1)));
    }
    group.bench_function("bare, two threads", |b| b.iter(|| workload.run(Checks::Bare, 2)));
    group.finish();
}

fn all(criterion: &mut Criterion) {
    modes(criterion, workloads::arithmetic());
    modes(criterion, workloads::sums());
    modes(criterion, workloads::fused());
    modes(criterion, workloads::tiled_product());
    modes(criterion, workloads::saxpy());
    modes(criterion, workloads::gather());
}

criterion_group!(benches, all);
criterion_main!(benches);
