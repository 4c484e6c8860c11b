//! Code generation: lowers the typed tree to bytecode, one kernel at a time.
//!
//! Every call is inlined but deep recursion, and every variable whose address is not taken lives in registers. Memory
//! accesses are never merged, hoisted, unrolled or removed: each load and store of the source is one
//! of the bytecode, so the counters describe the source. (A `const` reference may be read once, where it is
//! declared.) Constants are folded, and products and sums are contracted to FMA as by the device's
//! compiler, for equal bits.
//!
//! ```text
//! kernel                parameters and storage of one kernel; drives the passes below
//! statement, call       control flow with convergence regions; inlining
//! goto                  jumps to labels
//! recursion             calls of a function from inside itself
//! value, location       expressions to registers (rvalues) and addresses (lvalues)
//! intrinsic             built-in functions
//! assembly              operands of inline assembly
//! matrix                those of <mma.h>
//! memory, aggregate     loads, stores and copies; values that live in memory
//! merged_reads          the reads through a `const` reference
//! layout                the registers of a type's scalars
//! instruction_builder   instructions under construction: labels, virtual registers
//! fma_contraction       pass: products and sums become FMAs
//! sink_products         products move to the blocks of their sums
//! operand_rank          which product of a sum comes first
//! equal_products        which products are one
//! register_allocation   pass: virtual registers to real ones
//! debug                 debug information: which variable is where
//! ```

mod aggregate;
mod assembly;
mod assignment;
mod call;
mod debug;
mod equal_products;
mod fma_contraction;
mod goto;
mod instruction_builder;
mod intrinsic;
mod kernel;
mod layout;
mod location;
mod matrix;
mod memory;
mod merged_reads;
mod operand_rank;
mod order;
mod recursion;
mod register_allocation;
mod sink_products;
mod statement;
mod value;

pub use crate::isa::disassemble;

use crate::diagnostic::Severity;
use crate::isa::Object;
use crate::sema::tree::Program;
use crate::sema::types::{Kind, Types};
use crate::{CheckedProgram, Failure, HostEnvironment, Module, Sources};

/// The limit of instructions in all kernels of a unit.
const MAX_CODE: usize = 4_000_000;

/// The most diagnostics of a unit.
const MAX_TOLD: usize = 100;

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
    let mut unit = crate::syntax::parse(&sources, environment, &mut diagnostics);
    let failed = |d: &[crate::Diagnostic]| d.iter().any(|d| d.severity == Severity::Error);
    // Checking an incomplete tree would report errors that follow from other errors.
    if failed(&diagnostics) {
        return Err(failure(sources, diagnostics));
    }
    crate::sema::definition_specifiers::join(&mut unit);
    let (mut program, types) = crate::sema::check(&unit, &sources, environment, &mut diagnostics);
    let mut kernels = Vec::new();
    let mut constants = kernel::Constants::default();
    if !failed(&diagnostics) {
        let mut size = 0;
        for function in &program.kernels {
            if size > MAX_CODE {
                let what = format!("kernels of more than {MAX_CODE} instructions together");
                diagnostics.push(crate::Diagnostic::unsupported(function.span, what));
                break;
            }
            if let Some(kernel) = kernel::lower(
                function,
                &types,
                &sources,
                &mut diagnostics,
                &mut constants,
                program.globals.len(),
            ) {
                size += kernel.code.len();
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
    let diagnostics = told(diagnostics);
    let mut globals = globals(&program, &types);
    globals.append(&mut constants.objects);
    let functions = std::mem::take(&mut program.functions);
    Ok((Module { sources, kernels, functions, globals, diagnostics }, program, types))
}

fn failure(sources: Sources, mut diagnostics: Vec<crate::Diagnostic>) -> Failure {
    if diagnostics.len() > MAX_TOLD {
        diagnostics.retain(|d| d.severity == Severity::Error);
    }
    Failure { sources, diagnostics: told(diagnostics) }
}

/// The diagnostics in the order of the text. Behind the first hundred, the last says how many more there
/// are. A reader needs no more of them, and rendering each takes time.
fn told(mut diagnostics: Vec<crate::Diagnostic>) -> Vec<crate::Diagnostic> {
    diagnostics.sort_by_key(|d| d.span);
    let more = diagnostics.len().saturating_sub(MAX_TOLD);
    diagnostics.truncate(MAX_TOLD);
    let mut diagnostics: Vec<_> = diagnostics.into_iter().map(crate::Diagnostic::spoken).collect();
    if more > 0
        && let Some(last) = diagnostics.last_mut()
    {
        last.help = Some(format!("{more} more of such messages are left out"));
    }
    diagnostics
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
            scalar: std::ptr::eq(element, &global.ty),
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
