//! What a fuzzer calls with any bytes, and `tests/corpus.rs` with those that it kept.
//!
//! Nothing is expected of the bytes but that the functions return: no panic, no stack that
//! overflows, and time and memory that are bounded by the text's length and the budgets below.

#![allow(dead_code, reason = "each target calls one of them")]

use simt::host::{self, Outside};
use simt::{Arg, Checks, Config, Follow, Launch, Limits, Memory, Model, Module, Record, Sources};

/// Warp-instructions of one launch.
const BUDGET: u64 = 5_000;

/// Steps of a program's host.
const HOST_BUDGET: u64 = 200_000;

/// Elements of every array.
const ELEMENTS: usize = 70;

/// The text, if it is one: compiled, and what there is to say about it rendered.
pub(crate) fn parse(data: &[u8]) {
    if let Ok(text) = str::from_utf8(data) {
        compile(text);
    }
}

/// The first line says how to launch, by its first four bytes: blocks, threads, order and what is
/// watched. The rest is compiled, and every kernel in it launched.
pub(crate) fn run(data: &[u8]) {
    let Some((&[blocks, threads, order, watch], text)) = data.split_first_chunk() else { return };
    let Some(module) = str::from_utf8(text).ok().and_then(compile) else { return };
    let checks = match watch % 4 {
        0 => Checks::Bare,
        1 => Checks::Counters,
        _ => Checks::All,
    };
    let config = Config {
        checks,
        model: match order % 4 {
            0 => Model::Volta,
            1 => Model::Pascal,
            _ => Model::Adversarial(order.into()),
        },
        budget: BUDGET,
        limits: Limits { memory: 1 << 28, ..Limits::default() },
        threads: 1 + usize::from(watch / 4 % 2),
        follow: (watch % 16 == 15).then_some(Follow { block: 0, warp: 0, steps: 100 }),
        record: (watch % 16 == 14).then_some(Record { block: 0, steps: 300 }),
    };
    let block = [1, 5, 31, 32, 33, 64, 100, 257][usize::from(threads % 8)];
    let mut memory = Memory::new();
    for kernel in 0..module.kernels.len().min(4) {
        launch(&module, kernel, 1 + u32::from(blocks % 4), block, &mut memory, &config);
    }
}

/// The text as a whole program, without arguments: compiled and run.
pub(crate) fn program(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let program = match host::compile(Sources::single("fuzz.cu", text)) {
        Ok(program) => program,
        Err(failure) => {
            assert!(!failure.diagnostics.is_empty(), "refused without a reason");
            for diagnostic in &failure.diagnostics {
                assert!(!diagnostic.render(&failure.sources).is_empty());
            }
            return;
        }
    };
    let limits = Limits { memory: 1 << 26, ..Limits::default() };
    let config = Config { budget: HOST_BUDGET, limits, threads: 1, ..Config::default() };
    let report = host::run(&program, &["fuzz".to_owned()], &config, &mut Nowhere::default());
    let sources = &program.module.sources;
    for diagnostic in &report.diagnostics {
        assert!(!diagnostic.render(sources).is_empty());
    }
    for finding in report.launches.iter().flat_map(|l| &l.report.findings) {
        assert!(!finding.render(sources).is_empty());
    }
}

/// A world without files, in which time passes.
#[derive(Default)]
struct Nowhere {
    time: i64,
}

impl Outside for Nowhere {
    fn write(&mut self, _stream: i32, _bytes: &[u8]) {}

    fn now_ns(&mut self) -> i64 {
        self.time += 1000;
        self.time
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, _path: &str) -> Option<Vec<u8>> {
        None
    }

    fn save(&mut self, _path: &str, _bytes: &[u8]) -> bool {
        true
    }
}

fn launch(
    module: &Module,
    kernel: usize,
    blocks: u32,
    threads: u32,
    memory: &mut Memory,
    config: &Config,
) {
    let kernel = &module.kernels[kernel];
    let args: Vec<Arg> = kernel
        .params
        .iter()
        .map(|param| match &param.pointee {
            Some(element) => {
                let bytes = ELEMENTS * (element.size as usize).min(64);
                let array = memory.alloc(&param.name, &element.name, element.size, bytes);
                // The last eighth is left as `cudaMalloc` gave it.
                let values: Vec<u8> = (0..bytes - bytes / 8).map(|i| (i % 7) as u8).collect();
                memory.upload(array, &values);
                Arg::Buffer(array)
            }
            None => Arg::Value((0..param.size).map(|i| if i == 0 { 60 } else { 0 }).collect()),
        })
        .collect();
    let grid = blocks.into();
    let launch = Launch { kernel, grid, block: threads.into(), dynamic_shared: 256, args: &args };
    match simt::launch(module, &launch, memory, config) {
        Ok(report) => {
            for finding in &report.findings {
                assert!(!finding.render(&module.sources).is_empty());
            }
            if let Some(history) = report.history {
                for step in 0..history.len() {
                    assert!(history.after(step).is_some());
                }
            }
        }
        Err(refused) => assert!(!refused.message.is_empty()),
    }
}

fn compile(text: &str) -> Option<Module> {
    match simt::compile(Sources::single("fuzz.cu", text)) {
        Ok(module) => {
            for kernel in &module.kernels {
                assert!(!simt::lower::disassemble(kernel).is_empty());
            }
            for diagnostic in &module.diagnostics {
                assert!(!diagnostic.render(&module.sources).is_empty());
            }
            Some(module)
        }
        Err(failure) => {
            assert!(!failure.diagnostics.is_empty(), "refused without a reason");
            for diagnostic in &failure.diagnostics {
                assert!(!diagnostic.render(&failure.sources).is_empty());
            }
            None
        }
    }
}
