//! The functions that a compiler emits: kernels, functions that another file may call, and what those
//! call. An `inline` or `static` function that nothing calls is checked, and is not emitted: that it
//! calls what no file defines, or holds assembly that does not assemble, is no mistake.

use crate::diagnostic::{Diagnostic, Span};
use crate::sema::Sema;
use crate::sema::symbols::symbol_table::Instance;
use crate::syntax::ast;
use std::collections::{HashMap, HashSet};

/// Who calls whom, and what is wrong with functions if they are emitted.
#[derive(Default)]
pub(in crate::sema) struct Emitted {
    calls: HashMap<Instance, HashSet<Instance>>,
    /// Those that are emitted whether or not another function calls them.
    roots: HashSet<Instance>,
    /// Whether what is being checked is emitted only if something calls it.
    on_demand: bool,
    mistakes: Vec<(Instance, Diagnostic)>,
}

/// Whether the function is emitted though nothing in its unit calls it.
pub(super) fn is_visible_outside(ast: &ast::Function) -> bool {
    let words = ast.storage;
    words.global || !(words.inline || words.is_static || words.constexpr)
}

impl Sema<'_> {
    /// Checks a function on its own account.
    pub(in crate::sema) fn checked_alone<T>(
        &mut self,
        ast: &ast::Function,
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.emitted.on_demand = !is_visible_outside(ast);
        let made = check(self);
        self.emitted.on_demand = false;
        made
    }

    /// The function that is being checked needs this one. Outside functions, the program needs it.
    pub(in crate::sema) fn note_call(&mut self, to: &Instance) {
        if self.instances.unevaluated {
            return;
        }
        match self.instances.active.last() {
            Some(from) if self.emitted.calls.get(from).is_some_and(|all| all.contains(to)) => {}
            Some(from) => {
                self.emitted.calls.entry(from.clone()).or_default().insert(to.clone());
            }
            None if self.emitted.on_demand => {}
            None => {
                self.emitted.roots.insert(to.clone());
            }
        }
    }

    /// Reports the mistake once all is checked, if the function that is being checked is emitted.
    pub(in crate::sema) fn report_if_emitted(&mut self, mistake: Diagnostic) {
        match self.instances.active.last() {
            Some(inside) => self.emitted.mistakes.push((inside.clone(), mistake)),
            None => self.report(mistake),
        }
    }

    /// Reports what is wrong with the functions that are emitted, and forgets what is undefined for
    /// the others.
    pub(in crate::sema) fn check_emitted(&mut self) -> HashSet<Instance> {
        let Emitted { calls, roots, mistakes, .. } = std::mem::take(&mut self.emitted);
        let mut found: HashSet<Instance> = HashSet::new();
        let mut open: Vec<Instance> = roots.into_iter().collect();
        while let Some(next) = open.pop() {
            if !found.contains(&next) {
                open.extend(calls.get(&next).into_iter().flatten().cloned());
                found.insert(next);
            }
        }
        for (inside, mistake) in mistakes {
            if found.contains(&inside) {
                self.report(mistake);
            }
        }
        let undefined = &self.instances.undefined;
        let needed: HashSet<Span> =
            undefined.iter().filter(|(f, _)| found.contains(f)).map(|(_, ast)| ast.span).collect();
        let unneeded: HashSet<Span> =
            undefined.values().map(|ast| ast.span).filter(|at| !needed.contains(at)).collect();
        self.diagnostics.list.retain(|d| d.code != "undefined" || !unneeded.contains(&d.span));
        found
    }
}
