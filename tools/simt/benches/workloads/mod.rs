//! What is timed: kernels, their launches and their arrays.

use simt::{Arg, Buffer, Checks, Config, Dim3, Launch, Memory, Module, Outcome, Report, Sources};

/// One launch that can be repeated.
pub(crate) struct Workload {
    /// As the table calls it.
    pub(crate) name: &'static str,
    module: Module,
    memory: Memory,
    kernel: &'static str,
    grid: Dim3,
    block: Dim3,
    args: Vec<Arg>,
}

impl Workload {
    /// Launches it; all arrays hold values, so that no check has anything to say.
    ///
    /// # Panics
    /// If the launch does not run to its end without a finding: then its time says nothing.
    pub(crate) fn run(&mut self, checks: Checks, threads: usize) -> Report {
        let launch = Launch {
            kernel: self.module.kernel(self.kernel).expect("a kernel of kernels.cu"),
            grid: self.grid,
            block: self.block,
            dynamic_shared: 0,
            args: &self.args,
        };
        let config = Config { checks, threads, ..Config::default() };
        let report = simt::launch(&self.module, &launch, &mut self.memory, &config)
            .expect("a launch that CUDA would take");
        assert_eq!(report.outcome, Outcome::Completed);
        assert_eq!(report.findings, []);
        report
    }

    fn new(name: &'static str, kernel: &'static str, grid: (u32, u32), block: (u32, u32)) -> Self {
        let text = include_str!("kernels.cu");
        let module = simt::compile(Sources::single("kernels.cu", text)).expect("it compiles");
        let dim = |(x, y)| Dim3 { x, y, z: 1 };
        let (grid, block) = (dim(grid), dim(block));
        Workload { name, module, memory: Memory::new(), kernel, grid, block, args: Vec::new() }
    }

    fn array(&mut self, element: &str, values: impl Iterator<Item = [u8; 4]>) -> Buffer {
        let bytes: Vec<u8> = values.flatten().collect();
        let buffer = self.memory.alloc("array", element, 4, bytes.len());
        self.memory.upload(buffer, &bytes);
        self.args.push(Arg::Buffer(buffer));
        buffer
    }

    fn floats(&mut self, count: u32) {
        self.array("float", (0..count).map(|i| ((i % 17) as f32 * 0.125 - 1.0).to_le_bytes()));
    }

    fn value(&mut self, bytes: [u8; 4]) {
        self.args.push(Arg::Value(bytes.to_vec()));
    }
}

/// 64 warps, 2048 rounds of sixteen statements: long enough that starting a thread is not what is
/// timed.
pub(crate) fn arithmetic() -> Workload {
    let mut w = Workload::new("arithmetic", "arithmetic", (8, 1), (256, 1));
    w.floats(8 * 256);
    w.value(2048i32.to_le_bytes());
    w
}

/// The same without anything that is fused.
pub(crate) fn sums() -> Workload {
    let mut w = Workload::new("arithmetic, none fused", "sums", (8, 1), (256, 1));
    w.floats(8 * 256);
    w.value(512i32.to_le_bytes());
    w
}

/// Nothing but fused multiply-adds.
pub(crate) fn fused() -> Workload {
    let mut w = Workload::new("fused multiply-add", "fused", (8, 1), (256, 1));
    w.floats(8 * 256);
    w.value(512i32.to_le_bytes());
    w
}

/// 256 x 256 floats in tiles of 16 x 16.
pub(crate) fn tiled_product() -> Workload {
    let mut w = Workload::new("tiled product", "tiled_product", (16, 16), (16, 16));
    for _ in 0..3 {
        w.floats(256 * 256);
    }
    w.value(256i32.to_le_bytes());
    w
}

/// 2^20 elements.
pub(crate) fn saxpy() -> Workload {
    saxpy_of(1 << 20)
}

/// `n` elements, in two arrays.
pub(crate) fn saxpy_of(n: u32) -> Workload {
    let mut w = Workload::new("saxpy", "saxpy", (n / 256, 1), (256, 1));
    w.floats(n);
    w.floats(n);
    w.value(1.5f32.to_le_bytes());
    w.value(n.to_le_bytes());
    w
}

/// 2^18 elements out of 2^20, anywhere.
pub(crate) fn gather() -> Workload {
    let (n, from) = (1u32 << 18, 1u32 << 20);
    let mut w = Workload::new("random gathers", "gather", (n / 256, 1), (256, 1));
    let scattered = |i: u32| i.wrapping_mul(2_654_435_761).rotate_left(7) % from;
    w.array("int", (0..n).map(|i| scattered(i).to_le_bytes()));
    w.floats(from);
    w.floats(n);
    w.value(n.to_le_bytes());
    w
}
