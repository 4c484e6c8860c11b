//! The typed tree to bytecode.
//!
//! One kernel at a time: every call is inlined, every variable whose address nobody takes lives in
//! registers, and every load and store stands exactly where the source has it. That is what makes
//! the counters meaningful: nothing is merged, hoisted, unrolled or dropped. Constants are folded,
//! and a product that meets a sum is contracted as the device's compiler does, for the same bits.
//!
//! ```text
//! statement, call   where control goes, and where lanes that part meet again
//! value, place      expressions to registers and addresses
//! intrinsic         built-in functions
//! memory, large     loads and stores, whole vectors at once; values that live in memory
//! code              the instructions being written, labels, virtual registers
//! fuse, allocate    what happens to them before the machine sees them
//! debug             which variable is where, for whoever steps through the kernel
//! ```

mod allocate;
mod call;
mod code;
mod debug;
mod fuse;
mod intrinsic;
mod kernel;
mod large;
mod layout;
mod memory;
mod place;
mod statement;
mod value;

pub use crate::isa::disassemble;

use crate::diagnostic::Severity;
use crate::isa::Object;
use crate::sema::tree::Program;
use crate::sema::types::{Kind, Types};
use crate::{CheckedProgram, Failure, HostEnvironment, Module, Sources};

/// See [`crate::compile`].
pub(crate) fn compile(sources: Sources) -> Result<Module, Failure> {
    unit(sources, None).map(|(module, ..)| module)
}

/// See [`crate::compile_program`].
pub(crate) fn program(
    sources: Sources,
    environment: &'static HostEnvironment,
) -> Result<CheckedProgram, Failure> {
    let (module, tree, types) = unit(sources, Some(environment))?;
    Ok(CheckedProgram { module, tree, types })
}

fn unit(
    sources: Sources,
    environment: Option<&'static HostEnvironment>,
) -> Result<(Module, Program, Types), Failure> {
    let mut diagnostics = Vec::new();
    let unit = crate::syntax::parse(&sources, environment, &mut diagnostics);
    let failed = |d: &[crate::Diagnostic]| d.iter().any(|d| d.severity == Severity::Error);
    // A tree with holes would only bring mistakes that follow from mistakes.
    if failed(&diagnostics) {
        return Err(failure(sources, diagnostics));
    }
    let (mut program, types) = crate::sema::check(&unit, environment, &mut diagnostics);
    let mut kernels = Vec::new();
    let mut constants = Vec::new();
    if !failed(&diagnostics) {
        for function in &program.kernels {
            if let Some(kernel) = kernel::lower(
                function,
                &types,
                &sources,
                &mut diagnostics,
                &mut constants,
                program.globals.len(),
            ) {
                kernels.push(kernel);
            }
        }
        let prints = kernels.iter_mut().flat_map(|k| &mut k.prints);
        for launch in prints.filter_map(|print| print.launch.as_mut()) {
            *launch = program.device_launched[*launch as usize] as u32;
        }
    }
    if failed(&diagnostics) {
        return Err(failure(sources, diagnostics));
    }
    diagnostics.sort_by_key(|d| d.span);
    let mut globals = globals(&program, &types);
    globals.append(&mut constants);
    let functions = std::mem::take(&mut program.functions);
    Ok((Module { sources, kernels, functions, globals, diagnostics }, program, types))
}

fn failure(sources: Sources, mut diagnostics: Vec<crate::Diagnostic>) -> Failure {
    diagnostics.sort_by_key(|d| d.span);
    Failure { sources, diagnostics }
}

fn globals(program: &Program, types: &Types) -> Vec<Object> {
    let mut offset = 0u64;
    let mut out = Vec::new();
    for global in &program.globals {
        offset = crate::sema::types::align_up(offset, types.align_of(&global.ty));
        let size = types.size_of(&global.ty);
        let mut element = &global.ty;
        while let Kind::Array(inner, _) = &element.kind {
            element = inner;
        }
        out.push(Object {
            name: global.name.to_string(),
            element: layout::element(types, element),
            size: size as u32,
            offset: offset as u32,
            dynamic: false,
            initial: global.initial.clone(),
            constant: global.constant,
            managed: global.managed,
            span: global.span,
        });
        offset += size;
    }
    out
}
