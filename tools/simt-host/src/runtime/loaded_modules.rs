//! Modules that the program loads while it runs, beside its own.
//!
//! The kernels of all modules have one numbering, the program's own first, and so have their
//! `__device__` variables. A module stays until the program ends: of one that was unloaded, findings
//! still say where it was.

use crate::host_memory::function_at;
use crate::interpreter::Interpreter;
use crate::lower::KERNELS;
use simt::isa::{Kernel, Module, Object, Preload};
use simt::{Diagnostic, Memory, Sources, Span};
use std::cell::OnceCell;
use std::ops::Range;

/// The most modules: a program that loads more is told that memory is full.
const MOST: usize = 10_000;

/// The most variables of all modules: their numbers have 16 bits.
const VARIABLES: usize = 1 << 16;

/// Where loaded modules live.
#[derive(Debug, Default)]
pub(crate) struct Arena(OnceCell<Box<(Module, Arena)>>);

/// A module, or what was one.
#[derive(Debug)]
pub(super) struct Loaded<'p> {
    pub(super) module: &'p Module,
    /// The names of its kernels in the image.
    pub(super) names: Vec<String>,
    /// The number of its first kernel.
    pub(super) first: usize,
    /// The numbers of its variables.
    pub(super) variables: Range<usize>,
    /// Where it was loaded, and where unloaded.
    pub(super) made: Span,
    pub(super) unloaded: Option<Span>,
}

/// The modules that were loaded so far.
#[derive(Debug)]
pub(crate) struct LoadedModules<'p> {
    end: &'p Arena,
    pub(super) all: Vec<Loaded<'p>>,
}

impl<'p> LoadedModules<'p> {
    pub(crate) fn new(arena: &'p Arena) -> LoadedModules<'p> {
        LoadedModules { end: arena, all: Vec::new() }
    }

    fn keep(&mut self, module: Module) -> &'p Module {
        let (module, next) = &**self.end.0.get_or_init(|| Box::new((module, Arena::default())));
        self.end = next;
        module
    }
}

impl<'p> Interpreter<'p> {
    /// Loads a module that was compiled alone; `names` are those of its kernels in the image. Returns its
    /// number, or `None` if there are too many.
    pub(super) fn load_module(
        &mut self,
        compiled: &Module,
        names: Vec<String>,
        sources: Sources,
    ) -> Option<usize> {
        let own = &self.program.module;
        let last = self.loaded.all.last();
        let (before, first) = last.map_or((&own.globals[..], own.kernels.len()), |last| {
            (&last.module.globals[..], last.first + last.module.kernels.len())
        });
        let variables = before.len()..before.len() + compiled.globals.len();
        if self.loaded.all.len() >= MOST || variables.end > VARIABLES {
            return None;
        }
        // Their first values are no longer needed.
        let known = before.iter().map(|object| Object { initial: Vec::new(), ..object.clone() });
        let module = Module {
            sources,
            kernels: compiled.kernels.iter().map(|k| moved(k, variables.start)).collect(),
            functions: Vec::new(),
            globals: known.chain(compiled.globals.iter().cloned()).collect(),
            diagnostics: Vec::new(),
        };
        self.memory.add_variables(&compiled.globals);
        self.runtime.note_managed(compiled);
        let (module, made) = (self.loaded.keep(module), self.span());
        let loaded = Loaded { module, names, first, variables, made, unloaded: None };
        self.loaded.all.push(loaded);
        Some(self.loaded.all.len() - 1)
    }

    /// The kernel of a number.
    pub(super) fn kernel(&self, number: usize) -> Option<&'p Kernel> {
        let own = &self.program.module.kernels;
        own.get(number).or_else(|| {
            let loaded = self.module_with(number)?;
            loaded.module.kernels.get(number - loaded.first)
        })
    }

    /// Reports that a kernel is used whose module was unloaded.
    pub(super) fn tell_unloaded(&mut self, function: u64) {
        let number = function_at(function).and_then(|number| number.checked_sub(KERNELS));
        let Some(number) = number.map(|number| number as usize) else { return };
        let Some(kernel) = self.kernel(number) else { return };
        let Some(loaded) = self.module_with(number) else { return };
        let message = format!("`{}` does not start: its module was unloaded", kernel.name);
        let mut diagnostic = Diagnostic::error("module", self.span(), message);
        let unloaded = loaded.unloaded.map(|span| (span, "unloaded here".to_owned()));
        diagnostic.labels.extend(unloaded);
        self.report(diagnostic);
    }

    /// The kernel at an address.
    pub(crate) fn kernel_at(&self, function: u64) -> Option<&'p Kernel> {
        let number = function_at(function)?.checked_sub(KERNELS)? as usize;
        let gone = self.module_with(number).is_some_and(|loaded| loaded.unloaded.is_some());
        if gone { None } else { self.kernel(number) }
    }

    /// The loaded module that has the kernel of this number.
    pub(super) fn module_with(&self, number: usize) -> Option<&Loaded<'p>> {
        let all = &self.loaded.all;
        let later = all.partition_point(|loaded| loaded.first <= number);
        // One without kernels has the same first number as the next.
        all.get(later.checked_sub(1)?)
    }

    /// The module of a kernel, and the number of its first kernel.
    pub(super) fn module_of(&self, kernel: &Kernel) -> (&'p Module, usize) {
        let has =
            |module: &Module| module.kernels.as_ptr_range().contains(&std::ptr::from_ref(kernel));
        let found = self.loaded.all.iter().find(|loaded| has(loaded.module));
        found.map_or((&self.program.module, 0), |loaded| (loaded.module, loaded.first))
    }

    /// The number of a kernel.
    pub(super) fn number_of(&self, kernel: &Kernel) -> usize {
        let (module, first) = self.module_of(kernel);
        let place = module.kernels.iter().position(|k| std::ptr::eq(k, kernel));
        first + place.unwrap_or(module.kernels.len())
    }
}

/// A kernel whose variables have numbers from `first` on.
fn moved(kernel: &Kernel, first: usize) -> Kernel {
    let mut kernel = kernel.clone();
    for (_, preload) in &mut kernel.preloads {
        if let Preload::Global(number) = preload {
            *number += first as u16;
        }
    }
    for number in kernel.params.iter_mut().filter_map(|param| param.object.as_mut()) {
        *number += first as u16;
    }
    kernel
}

/// Frees the variables of a module.
pub(super) fn free(loaded: &mut Loaded<'_>, memory: &mut Memory, span: Span) {
    loaded.unloaded = Some(span);
    memory.release_variables(loaded.variables.clone(), span);
}
