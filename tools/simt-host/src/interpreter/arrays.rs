//! Local arrays: an object per activation of their function.
//!
//! The first activation of a function uses objects that are made once, so a call costs a counter. A
//! recursive one gets new objects, and gives them back when it ends.

use super::Interpreter;
use crate::host_memory::{Allocator, parts};

/// Which functions with arrays are active.
#[derive(Debug)]
pub(super) struct Activations {
    /// How often, per function.
    active: Vec<u32>,
    /// The objects of the activations that are hidden by recursive ones, the latest last.
    hidden: Vec<Vec<u64>>,
}

impl Activations {
    pub(super) fn new(functions: usize) -> Activations {
        Activations { active: vec![0; functions], hidden: Vec::new() }
    }
}

impl Interpreter<'_> {
    pub(super) fn enter_arrays(&mut self, function: u32) {
        let active = &mut self.activations.active[function as usize];
        *active += 1;
        if *active == 1 {
            return;
        }
        let mut hidden = Vec::new();
        for &array in &self.code_of(function).arrays {
            let global = &self.program.code.globals[array as usize];
            let (name, element) = (global.name.clone(), global.element.clone());
            let by = Allocator::Program;
            let made = self.heap.allocate(name, element, global.bytes, by, global.span);
            let object = &mut self.globals[array as usize];
            hidden.push(std::mem::replace(object, made.unwrap_or(0)));
        }
        self.activations.hidden.push(hidden);
    }

    pub(super) fn leave_arrays(&mut self, function: u32) {
        let active = &mut self.activations.active[function as usize];
        *active -= 1;
        if *active == 0 {
            return;
        }
        let span = self.span();
        let arrays = &self.code_of(function).arrays;
        for (&array, before) in
            arrays.iter().zip(self.activations.hidden.pop().into_iter().flatten())
        {
            let ended = std::mem::replace(&mut self.globals[array as usize], before);
            self.heap.free(parts(ended).0, span);
        }
    }
}
