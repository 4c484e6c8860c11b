//! # The value read from the right and from the wrong array
//!
//! A right kernel, and a host that reads the answer out of the wrong array.

use anyhow::Result;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use verify::experiment::Lab;

const SOURCE: &str = include_str!("../../kernels/2_vector_add.cu");

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let vector_add = lab.compile(SOURCE)?.load_function("vector_add")?;
    let stream = lab.context().default_stream();
    let n = 1u32 << 20;
    let a = stream.clone_htod(&vec![1.0f32; n as usize])?;
    let b = stream.clone_htod(&vec![2.0f32; n as usize])?;
    let mut c = stream.alloc_zeros::<f32>(n as usize)?;
    let (grid_dim, block_dim) = ((n.div_ceil(256), 1, 1), (256, 1, 1));
    let shape = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(&vector_add);
    call.arg(&a).arg(&b).arg(&mut c).arg(&n);
    // SAFETY: `vector_add` takes (const float*, const float*, float*, unsigned int), and touches n
    // floats of each array.
    unsafe { call.launch(shape) }?;

    // ANCHOR: wrong
    let right = stream.clone_dtoh(&c)?;
    let wrong = stream.clone_dtoh(&a)?; // the notes' program does this
    // ANCHOR_END: wrong
    lab.row("the first number of c").value("count", f64::from(right[0]));
    lab.row("the first number of a, taken for it").value("count", f64::from(wrong[0]));
    Ok(())
}
