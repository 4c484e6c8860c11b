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

/// What a launch takes at most, from the start of the process on, over 64 MiB in two arrays.
fn peak(body: &str) -> Option<(u64, u64)> {
    let before = status("VmRSS:")?;
    let text = format!(
        "__global__ void add(float *x, float *y, int n) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) {{ {body} }}
        }}"
    );
    let module = simt::compile(Sources::single("add.cu", text)).unwrap();
    let arrays = 64 * MIB;
    let count = (arrays / 8) as u32;
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
    Some((status("VmHWM:")? - before, arrays))
}

/// The only test of its process: the peak is its own. So the kernel that takes less goes first.
#[test]
fn a_launch_takes_at_most_six_times_its_arrays() {
    // Whole lines of one array, and the other is only read.
    let Some((lines, arrays)) = peak("y[i] += x[i];") else { return };
    assert!(2 * lines <= 5 * arrays, "{} MiB for arrays of {}", lines / MIB, arrays / MIB);
    // Every word of both by itself.
    let Some((words, _)) = peak("y[i ^ 1] += x[i ^ 1]; x[i ^ 1] = 0.0f;") else { return };
    assert!(words <= 6 * arrays, "{} MiB for arrays of {}", words / MIB, arrays / MIB);
    assert!(words >= 4 * arrays, "the shadow of every word is missing: {} MiB", words / MIB);
}
