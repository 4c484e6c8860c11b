//! Semantic analysis: name lookup, types, overload resolution, templates, conversions. It turns the
//! syntax tree into a typed tree.
//!
//! Every kernel is checked with all that it calls; a template is checked for each set of
//! arguments that it is used with. A function that nothing calls is checked too, unless it is a
//! template.
//!
//! A check that fails has reported why, and returns [`Reported`]; its callers give up as well.

mod body;
mod budget;
mod calls;
mod classes;
mod constexpr;
mod conversions;
mod diagnostics;
mod expressions;
mod host;
mod ids;
mod initialization;
pub mod may_throw;
mod statements;
mod symbols;
mod templates;
pub mod tree;
pub mod types;

use crate::diagnostic::{Diagnostic, Sources};
use crate::environment::HostEnvironment;
use crate::isa::Signature;
use crate::reported::Reported;
use crate::stack::Stack;
use crate::syntax::ast::{self, Unit};
use crate::syntax::name::Path;
pub(crate) use classes::definition_specifiers;
use classes::virtual_dispatch::DispatchTable;
use diagnostics::Diagnostics;
use std::collections::HashSet;
use std::rc::Rc;
use symbols::emitted::Emitted;
use symbols::external::External;
use symbols::symbol_table::{Arg, Bindings, Declared, Definitions, Entity, FunctionId, Instance};
use templates::Templates;
use templates::instances::Instances;
use tree::{Function, Global, Program};
use types::Types;

/// Checking stops after this many errors.
const MAX_ERRORS: usize = 20;

/// What a check gives.
type Checked<T> = Result<T, Reported>;

/// The side that runs the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Device,
    Host,
}

/// Variables that live as long as the program.
#[derive(Default)]
struct Storage {
    /// In device memory.
    globals: Vec<Global>,
    /// The `__shared__` variables of the file, as a function that names one has it among its own.
    shared: Vec<tree::Var>,
    /// The values of `constexpr` arrays and structs.
    constants: constexpr::evaluation::Known,
}

/// What semantic analysis holds while it checks a unit.
struct Sema<'a> {
    sources: &'a Sources,
    types: Types,
    definitions: Definitions,
    templates: Templates,
    instances: Instances,
    storage: Storage,
    /// What copies, moves, assigns and destroys values of each type.
    lifetimes: classes::special_members::Lifetimes,
    dispatch_table: DispatchTable,
    external: External,
    emitted: Emitted,
    diagnostics: Diagnostics<'a>,
    host: host::Host,
    /// The files that are in C.
    c_files: HashSet<u32>,
    /// Whether the text is that of several translation units.
    several_units: bool,
    /// What each of several translation units sees.
    units: &'a [ast::TranslationUnit],
    pending_instantiations: templates::pending_instantiations::PendingInstantiations,
    cross_unit_instantiations: templates::cross_unit_instantiations::CrossUnitInstantiations,
    names: symbols::namespace_redeclarations::Names,
    /// How often `warpSize` was named, which is no constant.
    warp_sizes: u64,
    /// The steps taken of the budget.
    steps: u64,
    stack: Stack,
}

/// Checks a unit; with an environment it is a program with host code. The result is complete if no
/// error was added to `diagnostics`.
pub(crate) fn check<'a>(
    unit: &'a Unit,
    sources: &'a Sources,
    environment: Option<&'static HostEnvironment>,
    diagnostics: &'a mut Vec<Diagnostic>,
) -> (Program, Types) {
    let files = sources.files().iter().enumerate();
    let c_files = files.filter(|(_, (name, _))| name.ends_with(".c")).map(|(i, _)| i as u32);
    let mut sema = Sema {
        sources,
        types: Types::default(),
        definitions: Definitions::default(),
        templates: Templates::default(),
        instances: Instances::default(),
        storage: Storage::default(),
        lifetimes: classes::special_members::Lifetimes::default(),
        dispatch_table: DispatchTable::default(),
        external: External::default(),
        emitted: Emitted::default(),
        diagnostics: Diagnostics::new(diagnostics),
        host: host::Host::new(environment),
        c_files: c_files.collect(),
        several_units: sources.units() > 1,
        units: &unit.merged,
        pending_instantiations: templates::pending_instantiations::PendingInstantiations::default(),
        cross_unit_instantiations:
            templates::cross_unit_instantiations::CrossUnitInstantiations::default(),
        names: symbols::namespace_redeclarations::Names::default(),
        warp_sizes: 0,
        steps: 0,
        stack: Stack::here(),
    };
    let program = sema.unit(unit);
    (program, sema.types)
}

impl Sema<'_> {
    fn unit(&mut self, unit: &Unit) -> Program {
        let mut order = Vec::new();
        for item in &unit.items {
            if self.diagnostics.errors >= MAX_ERRORS {
                break;
            }
            self.item(item, &mut order);
        }
        let mut program = Program::default();
        self.begin_globals();
        // A function for both sides is checked for each side that calls it.
        let mut shared = Vec::new();
        for id in order {
            if self.diagnostics.errors >= MAX_ERRORS {
                break;
            }
            let declared = self.definitions[id].clone();
            let ast = &declared.ast;
            if !ast.template.is_empty() {
                if ast.storage.global {
                    continue;
                }
                program.functions.push(self.template_signature(ast));
                continue;
            }
            if ast.body.is_none() {
                continue;
            }
            let side = self.side_of(ast);
            if side.is_none() {
                shared.push(id);
            }
            let Some(side) = side else { continue };
            let made = self.checked_alone(ast, |s| s.instantiate(id, Vec::new(), side, ast.span));
            let Ok(function) = made else { continue };
            if ast.storage.global {
                self.check_kernel(ast);
                program.kernels.push(function);
            } else if side == Side::Host && ast.name.is("main") {
                self.check_main(&function);
                program.main = Some(function);
            } else if declared.owner.is_none() {
                program.functions.push(self.signature(&function));
            }
        }
        self.check_shared(shared, &mut program);
        let asked = self.check_device_launched();
        self.finish_dispatches();
        self.begin_statics();
        let emitted = self.check_emitted();
        self.check_external(&emitted);
        self.check_used_across_units(&emitted);
        if self.host.is_program() && program.main.is_none() && self.diagnostics.errors == 0 {
            self.no_main(unit);
        }
        for kernel in std::mem::take(&mut self.host.kernels) {
            if !program.kernels.iter().any(|k| Rc::ptr_eq(k, &kernel)) {
                program.kernels.push(kernel);
            }
        }
        let place = |kernel: &Rc<Function>| {
            program.kernels.iter().position(|k| Rc::ptr_eq(k, kernel)).unwrap_or(0)
        };
        program.device_launched = asked.iter().map(place).collect();
        program.globals = std::mem::take(&mut self.storage.globals);
        self.order_initialisation(&mut program);
        program.host_globals = std::mem::take(&mut self.host.globals);
        program.lifetimes = std::mem::take(&mut self.lifetimes).of_host();
        program
    }

    fn check_kernel(&mut self, ast: &ast::Function) {
        let void = matches!(ast.returns.kind, ast::TypeKind::Prim(ast::Prim::Void));
        if !void {
            self.report(
                Diagnostic::error("type", ast.returns.span, "a kernel returns nothing")
                    .with_help("make it `void`, and pass a pointer for the result"),
            );
        }
    }

    fn signature(&self, function: &Function) -> Signature {
        let params = function.vars[..function.params]
            .iter()
            .map(|v| {
                let sign = if v.reference { "&" } else { "" };
                (format!("{}{sign}", self.types.spell(&v.ty)), v.name.to_string())
            })
            .collect();
        Signature {
            name: function.name.to_string(),
            returns: self.types.spell(&function.returns),
            params,
            span: function.span,
        }
    }

    /// A template has no types yet: they are spelled with the names of its parameters.
    fn template_signature(&self, ast: &ast::Function) -> Signature {
        let params = ast
            .params
            .iter()
            .map(|p| (types::as_written::spell(&p.ty), p.name.to_string()))
            .collect();
        let returns = types::as_written::spell(&ast.returns);
        Signature { name: ast.name.to_string(), returns, params, span: ast.span }
    }
}
