//! In a page a program loads no modules: all kernels are its own.

use crate::host_memory::function_at;
use crate::interpreter::Interpreter;
use crate::lower::KERNELS;
use simt::isa::{Kernel, Module};
use std::marker::PhantomData;

/// Where loaded modules would live.
#[derive(Debug, Default)]
pub(crate) struct Arena;

/// No modules.
#[derive(Debug)]
pub(crate) struct LoadedModules<'p>(PhantomData<&'p Arena>);

impl<'p> LoadedModules<'p> {
    pub(crate) fn new(_: &'p Arena) -> LoadedModules<'p> {
        LoadedModules(PhantomData)
    }
}

impl<'p> Interpreter<'p> {
    /// The kernel of a number.
    pub(super) fn kernel(&self, number: usize) -> Option<&'p Kernel> {
        self.program.module.kernels.get(number)
    }

    /// The kernel at an address.
    pub(crate) fn kernel_at(&self, function: u64) -> Option<&'p Kernel> {
        self.kernel(function_at(function)?.checked_sub(KERNELS)? as usize)
    }

    /// No module is ever unloaded.
    pub(super) fn tell_unloaded(&mut self, _: u64) {}

    /// The module of a kernel, and the number of its first kernel.
    pub(super) fn module_of(&self, _: &Kernel) -> (&'p Module, usize) {
        (&self.program.module, 0)
    }

    /// The number of a kernel.
    pub(super) fn number_of(&self, kernel: &Kernel) -> usize {
        let all = &self.program.module.kernels;
        all.iter().position(|k| std::ptr::eq(k, kernel)).unwrap_or(all.len())
    }
}
