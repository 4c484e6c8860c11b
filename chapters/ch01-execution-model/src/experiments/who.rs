//! # Who writes which element
//!
//! The kernel `who` on a small matrix, and some of what its threads wrote down.

use anyhow::{Result, ensure};
use cudarc::driver::{LaunchConfig, PushKernelArg};
use verify::experiment::Lab;

const SOURCE: &str = include_str!("../../kernels/1_who.cu");

/// The matrix, in elements.
const WIDTH: u32 = 24;
const HEIGHT: u32 = 15;

/// The elements that are shown: column and row.
const SHOWN: [(u32, u32); 8] =
    [(0, 0), (1, 0), (15, 0), (0, 1), (0, 2), (16, 0), (23, 3), (20, 14)];

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let who = lab.compile(SOURCE)?.load_function("who")?;
    let stream = lab.context().default_stream();
    let elements = (WIDTH * HEIGHT) as usize;
    let mut block = stream.alloc_zeros::<i32>(elements)?;
    let mut thread = stream.alloc_zeros::<i32>(elements)?;
    let shape = LaunchConfig {
        grid_dim: (WIDTH.div_ceil(16), HEIGHT.div_ceil(4), 1),
        block_dim: (16, 4, 1),
        shared_mem_bytes: 0,
    };
    let (width, height) = (WIDTH as i32, HEIGHT as i32);
    let mut call = stream.launch_builder(&who);
    call.arg(&mut block).arg(&mut thread).arg(&width).arg(&height);
    // SAFETY: `who` takes (int*, int*, int, int) and writes within width * height of both arrays.
    unsafe { call.launch(shape) }?;
    let (block, thread) = (stream.clone_dtoh(&block)?, stream.clone_dtoh(&thread)?);
    for (x, y) in SHOWN {
        let at = (y * WIDTH + x) as usize;
        let (block, thread) = (block[at], thread[at]);
        ensure!((0..64).contains(&thread), "element {at} says thread {thread}");
        let (warp, lane) = (thread / 32, thread % 32);
        lab.row(format!(
            "column {x}, row {y}: block {block}, thread {thread}, which is lane {lane} of warp {warp}"
        ))
        .value("count", at as f64);
    }
    Ok(())
}
