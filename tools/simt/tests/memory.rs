//! What a launch needs of this computer's memory, with every check on.

use simt::{Arg, Config, Launch, Memory, Outcome, Sources};

const MIB: u64 = 1 << 20;

/// A line of `/proc/self/status`, in bytes; `None` where there is no such file.
fn status(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// The only test of its process: the peak is its own.
#[test]
fn a_launch_takes_at_most_six_times_its_arrays() {
    let text = "__global__ void add(const float *x, float *y, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] += x[i];
    }";
    let module = simt::compile(Sources::single("add.cu", text)).unwrap();
    let arrays = 64 * MIB;
    let count = (arrays / 8) as u32;
    let Some(before) = status("VmRSS:") else { return };
    let mut memory = Memory::new();
    let mut args = Vec::new();
    for name in ["x", "y"] {
        let buffer = memory.alloc(name, "float", 4, arrays as usize / 2);
        memory.upload(buffer, &vec![0; arrays as usize / 2]);
        args.push(Arg::Buffer(buffer));
    }
    args.push(Arg::Value(count.to_le_bytes().to_vec()));
    let launch = Launch {
        kernel: module.kernel("add").unwrap(),
        grid: (count / 256).into(),
        block: 256.into(),
        dynamic_shared: 0,
        args: &args,
    };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    assert_eq!((report.outcome, report.findings.len()), (Outcome::Completed, 0));
    let peak = status("VmHWM:").unwrap() - before;
    assert!(peak <= 6 * arrays, "{} MiB for arrays of {}", peak / MIB, arrays / MIB);
    assert!(peak >= 4 * arrays, "the shadow of every word is missing: {} MiB", peak / MIB);
}
