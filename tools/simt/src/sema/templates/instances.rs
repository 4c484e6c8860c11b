//! Instances of functions: each is checked once per list of template arguments and side.

use crate::diagnostic::Span;
use crate::sema::symbols::symbol_table::{Arg, FunctionId, Instance};
use crate::sema::tree::{Function, Recursion};
use crate::sema::types::Type;
use crate::sema::{Checked, Sema, Side, body};
use crate::syntax::ast;
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// Instances of templates in one unit at most.
pub(in crate::sema) const MAX_INSTANCES: usize = 2000;

/// Templates of classes and aliases that are being instantiated, one inside the other, at most. In a
/// browser the stack is small, and its size is not known.
const MAX_INSTANTIATION_DEPTH: usize = if cfg!(target_arch = "wasm32") { 40 } else { 300 };

/// Functions that call one another, the innermost being checked, at most.
const MAX_CALL_DEPTH: usize = MAX_INSTANTIATION_DEPTH;

/// What was instantiated, and what is being checked.
#[derive(Default)]
pub(in crate::sema) struct Instances {
    pub(in crate::sema) functions: HashMap<Instance, Checked<Rc<Function>>>,
    pub(in crate::sema) structs: HashMap<(Path, Vec<Arg>), Type>,
    /// Those of the functions that no file defines.
    pub(in crate::sema) undefined: HashMap<Instance, Rc<ast::Function>>,
    /// Functions being checked, outermost first. A call of one of them is recursive.
    pub(in crate::sema) active: Vec<Instance>,
    /// Functions that were found to be recursive.
    pub(in crate::sema) recursive: HashMap<Instance, Rc<Recursion>>,
    /// The nesting of class templates that are being instantiated.
    pub(in crate::sema) instantiation_depth: usize,
    /// The nesting of candidates that are being checked.
    pub(in crate::sema) overload_depth: usize,
    /// What is checked is never evaluated: only its type counts.
    pub(in crate::sema) unevaluated: bool,
    /// The operand of `noexcept` is checked: whether it calls a function that may throw.
    pub(in crate::sema) calls_what_throws: Option<bool>,
    /// A user-defined conversion is looked for: a sequence has at most one.
    pub(in crate::sema) in_user_conversion: bool,
}

impl Sema<'_> {
    /// Whether one more template of a class or an alias would be too deep.
    pub(in crate::sema) fn is_too_deep(&self) -> bool {
        self.instances.instantiation_depth > MAX_INSTANTIATION_DEPTH || self.stack.is_low()
    }

    /// The instance of the function for these template arguments, checked once.
    pub(in crate::sema) fn instantiate(
        &mut self,
        id: FunctionId,
        args: Vec<Arg>,
        side: Side,
        site: Span,
    ) -> Checked<Rc<Function>> {
        if let Some(special) =
            self.templates.function_specialisations.get(&(id, args.clone())).copied()
        {
            return self.instantiate(special, Vec::new(), side, site);
        }
        let key = (id, args.clone(), side);
        self.note_call(&key);
        self.note_use_of_template(&key, site);
        if let Some(known) = self.instances.functions.get(&key).cloned() {
            // What was said of it while a candidate was checked is forgotten.
            if let Some(ast) = self.instances.undefined.get(&key).cloned() {
                self.report_undefined(&ast);
            }
            return known;
        }
        let declared = self.definitions[id].clone();
        if self.instances.active.contains(&key) {
            let name = &declared.ast.name;
            return self.unsupported(site, format!("recursion (`{name}` calls itself)"));
        }
        if let Some(definition) = self.defined_under_another_name(&declared, side) {
            let made = self.instantiate(definition, args, side, site);
            self.instances.functions.insert(key, made.clone());
            return made;
        }
        let depth = self.instances.active.len();
        if depth > MAX_CALL_DEPTH || self.stack.is_low() {
            let what = format!("functions that call one another more than {} deep", depth - 1);
            return self.unsupported(site, what);
        }
        if self.instances.functions.len() > MAX_INSTANCES {
            return self
                .unsupported(site, format!("more than {MAX_INSTANCES} instances of functions"));
        }
        self.instances.active.push(key.clone());
        let outer = self.diagnostics.site;
        if outer.is_none() && declared.ast.span.is_built_in() {
            self.diagnostics.site = Some(site);
        }
        let unevaluated = std::mem::take(&mut self.instances.unevaluated);
        let calls_what_throws = self.instances.calls_what_throws.take();
        let mut made = body::function(self, &declared, &args, side);
        self.instances.unevaluated = unevaluated;
        self.instances.calls_what_throws = calls_what_throws;
        self.diagnostics.site = outer;
        self.instances.active.pop();
        let recursion = self.instances.recursive.get(&key);
        if let (Ok(function), Some(_), Side::Device) = (&mut made, recursion, side) {
            // Deep calls pass addresses.
            function.this_addressed |= recursion.is_some_and(|of| of.of_method.get());
            let params = &mut function.vars[..function.params];
            params.iter_mut().for_each(|var| var.addressed |= var.reference);
        }
        let made = made.map(Rc::new);
        if let (Some(recursion), Ok(function)) = (recursion, &made) {
            // It was empty until now.
            let _ = recursion.function.set(function.clone());
        }
        if declared.ast.body.is_none() && self.out_of_class_definition(&declared).is_none() {
            self.instances.undefined.insert(key.clone(), declared.ast);
        }
        self.instances.functions.insert(key, made.clone());
        made
    }
}
