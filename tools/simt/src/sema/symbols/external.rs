//! Variables that are declared `extern` and defined in no file: a linker's undefined references.
//!
//! A declaration alone is no mistake. What is reported is the first use of such a variable, once all
//! files are read.

use crate::diagnostic::{Diagnostic, Span};
use crate::sema::body::Body;
use crate::sema::ids::{GlobalId, HostGlobalId};
use crate::sema::{Checked, Entity, Sema, Side};
use crate::syntax::ast::VarDecl;
use std::collections::HashMap;

/// A variable that lives as long as the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::sema) enum Variable {
    Host(HostGlobalId),
    Device(GlobalId),
}

/// The variables that are declared and not defined so far, with the place of the first use.
#[derive(Default)]
pub(in crate::sema) struct External {
    undefined: HashMap<Variable, Option<Span>>,
}

impl External {
    pub(in crate::sema) fn declare(&mut self, variable: Variable) {
        self.undefined.entry(variable).or_default();
    }

    /// Returns whether it was only declared before.
    pub(in crate::sema) fn define(&mut self, variable: Variable) -> bool {
        self.undefined.remove(&variable).is_some()
    }

    pub(in crate::sema) fn use_at(&mut self, variable: Variable, span: Span) {
        if let Some(used) = self.undefined.get_mut(&variable) {
            used.get_or_insert(span);
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
    /// Reports the uses of variables that no file defines.
    pub(in crate::sema) fn check_external(&mut self) {
        let undefined = std::mem::take(&mut self.external.undefined);
        let mut used: Vec<_> =
            undefined.into_iter().filter_map(|(variable, used)| Some((used?, variable))).collect();
        used.sort_by_key(|(at, _)| (at.file, at.start));
        for (at, variable) in used {
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
            let message = format!("undefined reference to `{name}`: no file defines it");
            let diagnostic = Diagnostic::error("undefined", at, message)
                .with_label(declared, "declared `extern` here")
                .with_help("define it without `extern` in one file of the program");
            self.report(diagnostic);
        }
    }
}
