//! Variables that are declared, `extern` or as `static` members, and defined in no file: a linker's
//! undefined references.
//!
//! A declaration alone is no mistake. What is reported is the first use of such a variable, once all
//! files are read.

use crate::diagnostic::{Diagnostic, Span};
use crate::sema::body::Body;
use crate::sema::ids::{ClassId, GlobalId, HostGlobalId};
use crate::sema::{Checked, Entity, Instance, Sema, Side};
use crate::syntax::ast::VarDecl;
use std::collections::{HashMap, HashSet};

/// A variable that lives as long as the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::sema) enum Variable {
    Host(HostGlobalId),
    Device(GlobalId),
}

/// Where a variable is used: the place, and the function that it is in.
type Use = (Span, Option<Instance>);

/// A variable that is declared and not defined so far.
#[derive(Default)]
struct Undefined {
    /// The class whose member it is.
    class: Option<ClassId>,
    /// The first use in each function.
    used: Vec<Use>,
}

/// The variables that are declared and not defined so far.
#[derive(Default)]
pub(in crate::sema) struct External {
    undefined: HashMap<Variable, Undefined>,
}

impl External {
    pub(in crate::sema) fn declare(&mut self, variable: Variable) {
        self.undefined.entry(variable).or_default();
    }

    /// A `static` member of a class.
    pub(in crate::sema) fn declare_member(&mut self, variable: Variable, class: ClassId) {
        self.undefined.insert(variable, Undefined { class: Some(class), used: Vec::new() });
    }

    /// Returns whether it was only declared before.
    pub(in crate::sema) fn define(&mut self, variable: Variable) -> bool {
        self.undefined.remove(&variable).is_some()
    }

    fn use_at(&mut self, variable: Variable, span: Span, inside: Option<&Instance>) {
        if let Some(Undefined { used, .. }) = self.undefined.get_mut(&variable)
            && !used.iter().any(|(_, other)| other.as_ref() == inside)
        {
            used.push((span, inside.cloned()));
        }
    }
}

impl Body<'_, '_> {
    /// `extern int n;` in a function: it names a variable at namespace scope.
    pub(in crate::sema) fn external_variable(&mut self, ast: &VarDecl) -> Checked<()> {
        let known = |sema: &Sema<'_>| match sema.definitions.scope.get(&ast.name) {
            Some(found @ (Entity::HostGlobal(_) | Entity::Global(_) | Entity::Constant(_))) => {
                Some(found.clone())
            }
            _ => None,
        };
        if known(self.sema).is_none() && self.side == Side::Host {
            self.sema.host_variable(ast);
        }
        let Some(found) = known(self.sema) else {
            let message = format!("undefined reference to `{}`: no file defines it", ast.name);
            return self.sema.error("undefined", ast.span, message);
        };
        self.define(ast.name.last(), found);
        Ok(())
    }
}

impl Sema<'_> {
    pub(in crate::sema) fn use_variable(&mut self, variable: Variable, span: Span) {
        if !self.instances.unevaluated {
            self.external.use_at(variable, span, self.instances.active.last());
        }
    }

    /// Reports the uses of variables that no file defines.
    pub(in crate::sema) fn check_external(&mut self, emitted: &HashSet<Instance>) {
        let is_emitted = |of: &Use| of.1.as_ref().is_none_or(|inside| emitted.contains(inside));
        let undefined = std::mem::take(&mut self.external.undefined);
        let first = |(variable, of): (Variable, Undefined)| {
            Some((of.used.into_iter().find(is_emitted)?.0, variable, of.class))
        };
        let mut used: Vec<_> = undefined.into_iter().filter_map(first).collect();
        used.sort_by_key(|(at, ..)| (at.file, at.start));
        for (at, variable, class) in used {
            let (name, declared) = match variable {
                Variable::Host(index) => {
                    let global = &self.host.globals[index.index()];
                    (global.name, global.span)
                }
                Variable::Device(index) => {
                    let global = &self.storage.globals[index.index()];
                    (global.name, global.span)
                }
            };
            let name = class.map_or(name, |class| self.types.get(class).path.join(name.last()));
            let (label, help) = match class {
                None => (
                    "declared `extern` here",
                    "define it without `extern` in one file of the program",
                ),
                Some(_) => (
                    "declared here",
                    "define it outside of the class in one file, or write `inline` before `static`",
                ),
            };
            let message = format!("undefined reference to `{name}`: no file defines it");
            let diagnostic = Diagnostic::error("undefined", at, message)
                .with_label(declared, label)
                .with_help(help);
            self.report(diagnostic);
        }
    }
}
