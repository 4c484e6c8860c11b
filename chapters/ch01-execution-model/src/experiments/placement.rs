//! # Blocks on multiprocessors
//!
//! Each block writes down the number of the multiprocessor that it runs on. Then we count: how many
//! multiprocessors have a block, and how many blocks has the busiest?
//!
//! A block has 1024 threads, and works long enough that none is done before all have begun.

use anyhow::Result;
use cudarc::driver::sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use verify::experiment::Lab;

/// `%smid` is a register of PTX, the language under CUDA C++: the multiprocessor's number.
const SOURCE: &str = r#"
extern "C" __global__ void place(unsigned int* where, unsigned int* out, unsigned int steps) {
    unsigned int sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int x = i;
    for (unsigned int k = 0; k < steps; k++)
        x = (x * 1664525u) ^ (x >> 15);
    out[i] = x;
    if (threadIdx.x == 0)
        where[blockIdx.x] = sm;
}
"#;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let place = lab.compile(SOURCE)?.load_function("place")?;
    let stream = lab.context().default_stream();
    let processors = lab.context().attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32;
    let grids = [
        ("half as many blocks as multiprocessors", processors / 2),
        ("as many", processors),
        ("one more", processors + 1),
        ("twice as many", processors * 2),
        ("twice as many, and one more", processors * 2 + 1),
    ];
    let steps = 1u32 << 14;
    for (name, blocks) in grids {
        let mut place_of = stream.alloc_zeros::<u32>(blocks as usize)?;
        let mut out = stream.alloc_zeros::<u32>(blocks as usize * 1024)?;
        let shape =
            LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (1024, 1, 1), shared_mem_bytes: 0 };
        let mut call = stream.launch_builder(&place);
        call.arg(&mut place_of).arg(&mut out).arg(&steps);
        // SAFETY: `place` takes (unsigned int*, unsigned int*, unsigned int), and writes one element
        // of the first array for each block and one of the second for each thread.
        unsafe { call.launch(shape) }?;
        let mut count = vec![0u32; processors as usize];
        for processor in stream.clone_dtoh(&place_of)? {
            // The numbers need not be dense on a device of which a part is switched off.
            let at = processor as usize;
            if at >= count.len() {
                count.resize(at + 1, 0);
            }
            count[at] += 1;
        }
        let busy = count.iter().filter(|c| **c > 0).count();
        let most = count.iter().max().copied().unwrap_or(0);
        lab.row(format!("{name}: multiprocessors with a block"))
            .x("blocks", f64::from(blocks))
            .value("count", busy as f64);
        lab.row(format!("{name}: blocks on the busiest"))
            .x("blocks", f64::from(blocks))
            .value("count", f64::from(most));
    }
    Ok(())
}
