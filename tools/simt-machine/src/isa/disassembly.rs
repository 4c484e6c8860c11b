//! Disassembly: a kernel's bytecode as text, for golden tests and for readers who want to see what
//! a line was compiled to. The text of an instruction is part of its row.

use super::{Kernel, Preload};
use std::fmt::Write;

/// The whole kernel, one instruction per line.
pub fn disassemble(kernel: &Kernel) -> String {
    let mut out = format!(
        "kernel {} registers {} barriers {}\n",
        kernel.name, kernel.registers, kernel.barriers
    );
    for (reg, preload) in &kernel.preloads {
        let _ = writeln!(out, "       r{reg} = {}", preload_text(kernel, *preload));
    }
    for (i, inst) in kernel.code.iter().enumerate() {
        let _ = writeln!(out, "{i:5}  {inst}");
    }
    out
}

fn preload_text(kernel: &Kernel, preload: Preload) -> String {
    const AXES: [&str; 3] = ["x", "y", "z"];
    let axis = |a: u8| AXES.get(usize::from(a)).copied().unwrap_or("?");
    let name = |all: &[crate::isa::Object], i: u16| {
        all.get(usize::from(i)).map_or("?".to_string(), |o| o.name.clone())
    };
    match preload {
        Preload::Const { bits, wide: false } => format!("{:#x}", bits as u32),
        Preload::Const { bits, wide: true } => format!("{bits:#x} wide"),
        Preload::Param { offset, ty } => {
            let param = kernel.params.iter().rfind(|p| p.offset <= offset);
            format!("param {} +{offset} {ty}", param.map_or("?", |p| p.name.as_str()))
        }
        Preload::ThreadIdx(a) => format!("threadIdx.{}", axis(a)),
        Preload::BlockIdx(a) => format!("blockIdx.{}", axis(a)),
        Preload::BlockDim(a) => format!("blockDim.{}", axis(a)),
        Preload::GridDim(a) => format!("gridDim.{}", axis(a)),
        Preload::ClusterDim(a) => format!("clusterDim.{}", axis(a)),
        Preload::Cooperative => "cooperative".to_string(),
        Preload::LaneId => "lane".to_string(),
        Preload::Shared(i) => format!("shared {}", name(&kernel.shared, i)),
        Preload::Local(i) => format!("local {}", name(&kernel.locals, i)),
        Preload::Global(i) => format!("global {i}"),
    }
}
