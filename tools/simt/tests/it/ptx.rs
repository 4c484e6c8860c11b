//! Inline PTX: the values of its instructions, and how they meet C++.

mod asynchronous;
mod atomics;
mod barriers;
mod bits;
mod conformance;
mod conversions;
mod floats;
mod integers;
mod matrix;
mod soft;
mod statement;
mod warp_group;
mod warps;

use simt::{Arg, Config, Launch, Memory, Outcome, Report, Sources};

/// Runs `__global__ void k(unsigned* out)` with this body in a block of 64 threads; `out` has 256
/// words, zero at first.
pub(super) fn report(body: &str) -> (Report, Vec<u32>, simt::Module) {
    let text = format!("__global__ void k(unsigned* out) {{\n{body}\n}}\n");
    let module = simt::compile(Sources::single("case.cu", text)).unwrap_or_else(|e| {
        panic!("{body}\n{}", e.diagnostics.iter().map(|d| d.render(&e.sources)).collect::<String>())
    });
    let mut memory = Memory::new();
    let out = memory.alloc("out", "unsigned", 4, 1024);
    memory.upload(out, &[0; 1024]);
    let kernel = module.kernel("k").unwrap();
    let args = [Arg::Buffer(out)];
    let launch =
        Launch { kernel, grid: 1.into(), block: 64.into(), dynamic_shared: 0, args: &args };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    let bytes = memory.download(out);
    let words = bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    (report, words, module)
}

/// The words that the body leaves, without a finding.
pub(super) fn run(body: &str) -> Vec<u32> {
    let (report, words, module) = report(body);
    let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!((report.outcome, &*findings), (Outcome::Completed, ""), "{body}");
    words
}
