//! Measures how fast this device reads memory, by the kernels in `probes/read.cu` in several shapes.

use crate::backend::gpu::device::{Buffer, Device, DeviceInfo, words};
use crate::backend::gpu::stage::Ready;
use crate::backend::nvrtc::Nvrtc;
use crate::measure::Candidate;
use anyhow::{Context, Result, anyhow};
use cudarc::driver::{CudaFunction, LaunchConfig};
use cudarc::nvrtc::Ptx;
use kernel_file::fill::{ElementType, Fill};
use kernel_file::unit::Unit;
use serde::Deserialize;
use std::collections::BTreeMap;

const SOURCE: &str = include_str!("../../probes/read.cu");

/// Earlier measurements of devices: see [`anchor_us`].
const ANCHORS: [&str; 1] = [include_str!("../../anchors/h200.json")];

/// The share of an anchor that a ceiling must reach.
const SHARE_OF_ANCHOR: f64 = 0.98;

/// The caches are cleared by reading this multiple of the second-level cache.
const SCRUB: u64 = 4;

/// Kernel, threads per block, vectors in flight per thread, blocks that fit on a multiprocessor.
const SHAPES: [(&str, u32, u64, u32); 3] =
    [("read_256x8", 256, 8, 4), ("read_512x8", 512, 8, 2), ("read_1024x4", 1024, 4, 2)];

/// Tiles that a block reads in a grid of many blocks.
const TILES: u64 = 4;

/// The probes, loaded, with an array to read.
pub(crate) struct Probes<'a> {
    device: &'a Device,
    multiprocessors: u32,
    l2_bytes: u64,
    functions: Vec<CudaFunction>,
    data: Buffer,
    sink: Buffer,
}

impl<'a> Probes<'a> {
    pub(crate) fn new(
        device: &'a Device,
        nvrtc: &Nvrtc,
        info: &DeviceInfo,
        bytes: u64,
    ) -> Result<Probes<'a>> {
        let failed = |e| anyhow!("the read probe: {}", words(e));
        let unit = Unit {
            name: "probes/read.cu".to_owned(),
            text: SOURCE.to_owned(),
            headers: Vec::new(),
            ..Unit::default()
        };
        let compiled = nvrtc
            .compile(&unit, &info.architecture(), &[])
            .map_err(|p| anyhow!("the read probe: {}", p[0].rendered))?;
        let module =
            device.context.load_module(Ptx::from_binary(compiled.cubin)).map_err(failed)?;
        let functions = SHAPES
            .iter()
            .map(|shape| module.load_function(shape.0))
            .collect::<Result<_, _>>()
            .map_err(failed)?;
        let count = usize::try_from(bytes).context("too many bytes")? / 4;
        let data = device.upload(&Fill::Lcg256.bytes(ElementType::I32, count)).map_err(failed)?;
        let sink = device.upload(&[0; 4]).map_err(failed)?;
        Ok(Probes {
            device,
            multiprocessors: info.multiprocessors,
            l2_bytes: info.l2_bytes,
            functions,
            data,
            sink,
        })
    }

    /// Every shape, with a grid that fills the device once and with one of many blocks.
    pub(crate) fn candidates(&self) -> Vec<Candidate<'_>> {
        let vectors = self.data.bytes as u64 / 16;
        let mut all = Vec::new();
        for (shape, (name, threads, unroll, resident)) in SHAPES.into_iter().enumerate() {
            let tiles = vectors.div_ceil(u64::from(threads) * unroll);
            let many = u32::try_from(tiles.div_ceil(TILES)).unwrap_or(u32::MAX).max(1);
            let once = self.multiprocessors * resident;
            for (blocks, how) in [(once, "as many blocks as fit"), (many, "4 tiles a block")] {
                all.push(Candidate {
                    name: format!("read probe {name}, {how}"),
                    run: Box::new(move || self.launch(shape, blocks, &self.data)),
                });
            }
        }
        all
    }

    fn launch(&self, shape: usize, blocks: u32, data: &Buffer) -> Result<(), String> {
        let (name, threads, ..) = SHAPES[shape];
        let slots = vec![(data.pointer, 8), (data.bytes as u64 / 16, 8), (self.sink.pointer, 8)];
        let config = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: 0,
        };
        let function = self.functions[shape].clone();
        let ready = Ready::new(function, config, slots, 0, name).map_err(|r| r.message)?;
        ready.launch(self.device).map_err(words)
    }
}

/// The array whose reading clears the caches.
pub(crate) struct Scrub<'a> {
    probes: &'a Probes<'a>,
    pub(crate) buffer: Buffer,
}

impl<'a> Scrub<'a> {
    pub(crate) fn new(probes: &'a Probes<'a>) -> Result<Scrub<'a>> {
        let bytes = usize::try_from(SCRUB * probes.l2_bytes).context("too large a cache")?;
        let buffer = probes
            .device
            .upload(&vec![0; bytes])
            .map_err(|e| anyhow!("{bytes} bytes to clear the caches with: {}", words(e)))?;
        Ok(Scrub { probes, buffer })
    }

    /// Queues a read of all of it.
    pub(crate) fn read(&self, buffer: &Buffer) -> Result<(), String> {
        let (shape, resident) = (1, SHAPES[1].3);
        self.probes.launch(shape, self.probes.multiprocessors * resident, buffer)
    }
}

/// Bandwidths of a device that other programs measured: a ceiling below them is too low.
#[derive(Deserialize)]
struct Anchors {
    gpu: String,
    #[expect(dead_code, reason = "for who reads the file")]
    from: String,
    read_gbps_by_bytes: BTreeMap<u64, f64>,
}

/// The time in which this device can read `bytes`, if that is known.
pub(crate) fn anchor_us(gpu: &str, bytes: u64) -> Option<f64> {
    let all = ANCHORS.iter().filter_map(|text| serde_json::from_str::<Anchors>(text).ok());
    let gbps = all
        .filter(|anchors| anchors.gpu == gpu)
        .find_map(|anchors| anchors.read_gbps_by_bytes.get(&bytes).copied())?;
    Some(bytes as f64 / (gbps * SHARE_OF_ANCHOR) / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read_for_their_device_alone() {
        let us = anchor_us("NVIDIA H200", 1 << 30).unwrap();
        assert!((us - 249.2).abs() < 0.1, "{us}");
        assert_eq!(anchor_us("NVIDIA H200", 12345), None);
        assert_eq!(anchor_us("NVIDIA H100", 1 << 30), None);
    }

    #[test]
    fn every_shape_is_in_the_source() {
        for (name, threads, _, resident) in SHAPES {
            let head = format!("__launch_bounds__({threads}, {resident}) {name}(");
            assert!(SOURCE.contains(&head), "{head}");
        }
    }
}
