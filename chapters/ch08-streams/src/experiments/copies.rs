//! # Bandwidth of a copy by size
//!
//! The speed of a copy over its size: pageable and pinned, to the device and back. Small copies
//! cost what a call costs; large ones what the bus allows.

use super::common::{micros, pinned, samples, untracked};
use anyhow::Result;
use std::time::Instant;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let sizes: &[usize] = if lab.quick() {
        &[4 << 10, 64 << 10]
    } else {
        &[4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20]
    };
    let context = untracked(lab)?;
    let stream = context.new_stream()?;
    for &bytes in sizes {
        let n = bytes / size_of::<f32>();
        let mut pinned = pinned(&context, n)?;
        let mut pageable = vec![0.0_f32; n];
        let mut device = stream.alloc_zeros::<f32>(n)?;
        stream.synchronize()?;

        let rate = |start: Instant| bytes as f64 / micros(start) / 1e3;
        for (kind, host) in [("pinned", pinned.as_mut_slice()?), ("pageable", &mut pageable[..])] {
            let there = samples(lab, || {
                let start = Instant::now();
                stream.memcpy_htod(&*host, &mut device)?;
                stream.synchronize()?;
                Ok(rate(start))
            })?;
            let back = samples(lab, || {
                let start = Instant::now();
                stream.memcpy_dtoh(&device, host)?;
                stream.synchronize()?;
                Ok(rate(start))
            })?;
            lab.row(format!("{kind}, to the device"))
                .x("bytes", bytes as f64)
                .samples("gbps", &there);
            lab.row(format!("{kind}, to the host")).x("bytes", bytes as f64).samples("gbps", &back);
        }
    }
    Ok(())
}
