//! Names at namespace scope that are defined twice, or declared as two things: variables, enumerators
//! and aliases of types.
//!
//! Of several units only variables are compared, as by a linker: what else one unit declares, another
//! may declare as something else.

use crate::diagnostic::{Diagnostic, Span};
use crate::sema::Sema;
use crate::sema::types::Type;
use crate::syntax::ast::{Enum, Init, VarDecl};
use crate::syntax::name::Path;
use std::collections::HashMap;

/// The names of the program's own files, with where each is declared first.
#[derive(Default)]
pub(in crate::sema) struct Names {
    variables: HashMap<Path, Span>,
    enumerators: HashMap<Path, Span>,
    aliases: HashMap<Path, (Span, Type)>,
    /// `extern __shared__` arrays by namespace and name: all are one, with one type.
    dynamic_shared: HashMap<(Option<Path>, Path), (Span, Type)>,
    /// Bytes of `__constant__` variables.
    constant_bytes: u64,
}

/// Bytes of constant memory.
const CONSTANT_MEMORY: u64 = 1 << 16;

impl Sema<'_> {
    /// Whether the definition of a variable is not the first of its name, which is reported.
    pub(in crate::sema) fn redefines(&mut self, variable: &VarDecl) -> bool {
        let (name, span) = (variable.name, variable.span);
        let empty = matches!(variable.init, Init::None);
        // In C, `int n;` may stand there twice.
        let defines = !(empty && (variable.storage.external || self.c_files.contains(&span.file)));
        if span.is_built_in() || name.last().contains('#') || variable.storage.shared {
            return false;
        }
        let other = (!self.several_units).then(|| self.other_meaning(name)).flatten();
        if let Some(first) = other {
            self.defined_twice(name, span, first);
            return true;
        }
        if !defines {
            return false;
        }
        let first = *self.names.variables.entry(name).or_insert(span);
        if first != span {
            self.defined_twice(name, span, first);
        }
        first != span
    }

    /// Where the name of a variable is declared as an enumerator or a function.
    fn other_meaning(&self, name: Path) -> Option<Span> {
        let functions = self.definitions.functions.get(&name).into_iter().flatten();
        let own = functions.map(|id| self.definitions[*id].ast.span).find(|at| !at.is_built_in());
        self.names.enumerators.get(&name).copied().or(own)
    }

    /// Whether a function has the name of a variable, which is reported.
    pub(in crate::sema) fn has_name_of_variable(&mut self, name: Path, span: Span) -> bool {
        if span.is_built_in() || self.several_units {
            return false;
        }
        let known = self.names.variables.get(&name).or(self.names.enumerators.get(&name));
        let Some(first) = known.copied() else { return false };
        self.defined_twice(name, span, first);
        true
    }

    fn defined_twice(&mut self, name: Path, span: Span, first: Span) {
        let message = format!("`{name}` is defined twice");
        self.report(
            Diagnostic::error("name", span, message)
                .with_label(first, "first defined here")
                .with_help("remove one of them, or rename it"),
        );
    }

    /// Reports enumerators of which the enumeration has two, or whose name a variable has.
    pub(in crate::sema) fn redefined_enumerators(&mut self, ast: &Enum) {
        let mut own: HashMap<Path, Span> = HashMap::new();
        for (name, span, _) in ast.values.iter().filter(|(_, span, _)| !span.is_built_in()) {
            let outside = !ast.scoped && !self.several_units;
            let variable = self.names.variables.get(name).filter(|_| outside).copied();
            let first = variable.unwrap_or(*own.entry(*name).or_insert(*span));
            if first != *span {
                self.defined_twice(*name, *span, first);
            }
            if outside {
                self.names.enumerators.entry(*name).or_insert(*span);
            }
        }
    }

    /// Reports a name that was given to another type before.
    pub(in crate::sema) fn redefined_alias(&mut self, name: Path, ty: &Type, span: Span) {
        if span.is_built_in() || self.several_units {
            return;
        }
        let (first, known) =
            self.names.aliases.entry(name).or_insert_with(|| (span, ty.clone())).clone();
        if known != *ty {
            self.two_types(name, [&known, ty], span, first);
        }
    }

    pub(in crate::sema) fn two_types(
        &mut self,
        name: Path,
        types: [&Type; 2],
        span: Span,
        first: Span,
    ) {
        let [a, b] = types.map(|ty| self.types.spell(ty));
        let message = format!("`{name}` is declared twice, as `{a}` and as `{b}`");
        self.report(
            Diagnostic::error("name", span, message)
                .with_label(first, "first declared here")
                .with_help("rename one of them"),
        );
    }

    /// Reports an `extern __shared__` variable that was declared with another type.
    pub(in crate::sema) fn dynamic_shared(
        &mut self,
        namespace: Option<Path>,
        name: Path,
        ty: &Type,
        span: Span,
    ) {
        if span.is_built_in() || self.several_units {
            return;
        }
        let key = (namespace, name);
        let (first, known) =
            self.names.dynamic_shared.entry(key).or_insert_with(|| (span, ty.clone())).clone();
        if known == *ty {
            return;
        }
        let [a, b] = [&known, ty].map(|ty| self.types.spell(ty).replace("[0]", "[]"));
        let message =
            format!("the `extern __shared__` variable `{name}` has two types, `{a}` and `{b}`");
        self.report(
            Diagnostic::error("type", span, message)
                .with_label(first, "first declared here")
                .with_help("all `extern __shared__` arrays of one name are one variable: rename one, or declare `char` bytes and cast the pointer"),
        );
    }

    /// Counts a `__constant__` variable.
    pub(in crate::sema) fn takes_constant_memory(&mut self, ast: &VarDecl, bytes: u64) {
        // Each unit has constant memory of its own.
        let before = if self.several_units { 0 } else { self.names.constant_bytes };
        self.names.constant_bytes = before.saturating_add(bytes);
        if before > CONSTANT_MEMORY || self.names.constant_bytes <= CONSTANT_MEMORY {
            return;
        }
        let all = self.names.constant_bytes;
        let with = if before > 0 { "with those before it, " } else { "" };
        let message = format!(
            "`{}` does not fit into constant memory: {with}it needs {all} bytes of {CONSTANT_MEMORY}",
            ast.name
        );
        self.report(
            Diagnostic::error("type", ast.span, message)
                .with_help("make it smaller, or write `__device__` in the place of `__constant__`"),
        );
    }
}
