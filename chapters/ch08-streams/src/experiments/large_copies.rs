//! # Copies of 256 MiB
//!
//! Copies so large that only the bus counts: pageable, pinned, write-combined, and both ways at
//! once.

use super::common::{micros, pinned, samples, untracked};
use anyhow::Result;
use cudarc::driver::sys::CU_MEMHOSTALLOC_WRITECOMBINED;
use std::time::Instant;
use verify::experiment::Lab;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let bytes = if lab.quick() { 1 << 20 } else { 256 << 20 };
    let n = bytes / size_of::<f32>();
    let context = untracked(lab)?;
    let (there, back) = (context.new_stream()?, context.new_stream()?);
    let mut pageable = vec![0.0_f32; n];
    let (mut first, mut second) = (pinned(&context, n)?, pinned(&context, n)?);
    // SAFETY: the memory is unset; every bit pattern is a float, and it is written at once.
    let mut combined =
        unsafe { context.alloc_pinned_with_flags::<f32>(n, CU_MEMHOSTALLOC_WRITECOMBINED) }?;
    combined.as_mut_slice()?.fill(0.0);
    let mut device = there.alloc_zeros::<f32>(n)?;
    let other = there.alloc_zeros::<f32>(n)?;
    there.synchronize()?;

    let rate = |start: Instant| bytes as f64 / micros(start) / 1e3;
    let mut rows = Vec::new();
    for (kind, host) in [
        ("pageable", &mut pageable[..]),
        ("pinned", first.as_mut_slice()?),
        ("pinned, write-combined", combined.as_mut_slice()?),
    ] {
        let to_device = samples(lab, || {
            let start = Instant::now();
            there.memcpy_htod(&*host, &mut device)?;
            there.synchronize()?;
            Ok(rate(start))
        })?;
        rows.push((format!("{kind}, to the device"), to_device));
        let to_host = samples(lab, || {
            let start = Instant::now();
            there.memcpy_dtoh(&device, host)?;
            there.synchronize()?;
            Ok(rate(start))
        })?;
        rows.push((format!("{kind}, to the host"), to_host));
    }
    let (from, to) = (first.as_slice()?, second.as_mut_slice()?);
    let both = samples(lab, || {
        let start = Instant::now();
        there.memcpy_htod(from, &mut device)?;
        back.memcpy_dtoh(&other, to)?;
        there.synchronize()?;
        back.synchronize()?;
        Ok(2.0 * rate(start))
    })?;
    rows.push(("pinned, both ways at once".to_owned(), both));
    for (name, rates) in rows {
        lab.row(name).samples("gbps", &rates);
    }
    Ok(())
}
