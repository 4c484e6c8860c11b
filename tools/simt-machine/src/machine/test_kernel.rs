//! Kernels in bytecode for unit tests, without a compiler.

use crate::isa::{Inst, Kernel, MemTy, Module, Param, Preload};
use crate::machine::{Arg, Launch, Memory};
use crate::{Sources, Span};

/// A module of one kernel, which takes pointers in registers 0, 2, 4 and so on.
pub(crate) fn module(pointers: u16, mut code: Vec<Inst>) -> Module {
    code.push(Inst::Exit);
    let param = |at: u16| Param {
        name: format!("p{at}"),
        ty: "int *".to_owned(),
        offset: u32::from(at) * 8,
        size: 8,
        pointee: None,
        object: None,
    };
    let preload = |at: u16| (at * 2, Preload::Param { offset: u32::from(at) * 8, ty: MemTy::B64 });
    let kernel = Kernel {
        name: "f".to_owned(),
        params: (0..pointers).map(param).collect(),
        param_bytes: u32::from(pointers) * 8,
        spans: vec![Span::default(); code.len()],
        code,
        registers: pointers * 2 + 8,
        preloads: (0..pointers).map(preload).collect(),
        ..Kernel::default()
    };
    Module {
        sources: Sources::default(),
        kernels: vec![kernel],
        functions: Vec::new(),
        globals: Vec::new(),
        diagnostics: Vec::new(),
    }
}

/// A launch of its kernel with one warp.
pub(crate) fn launch<'a>(module: &'a Module, args: &'a [Arg]) -> Launch<'a> {
    let kernel = &module.kernels[0];
    Launch { kernel, grid: 1.into(), block: 32.into(), dynamic_shared: 0, args }
}

/// Arrays of these sizes, as arguments.
pub(crate) fn arrays(memory: &mut Memory, bytes: &[usize]) -> Vec<Arg> {
    bytes.iter().map(|bytes| Arg::Buffer(memory.alloc("a", "char", 1, *bytes))).collect()
}
