//! Names that one scope declares twice, as the tree has them: in a function and in a class.
//!
//! What C++ allows twice is left alone: `extern` declarations, a class and a variable of one name, and
//! an overload. Names that a header of the library declares are never compared.

use crate::diagnostic::{Diagnostic, Span};
use crate::sema::Sema;
use crate::sema::types::as_written;
use crate::syntax::ast::{Function, Item, Stmt, StmtKind, Struct, VarDecl};
use crate::syntax::name::{Name, Path};
use std::collections::HashMap;

/// The names of a scope, with their places.
type Scope = HashMap<Name, Span>;

/// The most overloads of one name in a class that are compared with each other.
const MAX_COMPARED: usize = 256;

impl Sema<'_> {
    /// Reports what the parameters and the blocks of a function declare twice.
    pub(in crate::sema) fn redeclared_in_function(&mut self, ast: &Function) {
        if ast.span.is_built_in() {
            return;
        }
        let mut scope = Scope::new();
        for param in &ast.params {
            self.declared_once(&mut scope, param.name.last(), param.span);
        }
        if let Some(body) = &ast.body {
            self.redeclared_in_part(body, &scope);
        }
    }

    /// A part of a statement whose outermost block shares the scope of what stands before it.
    fn redeclared_in_part(&mut self, part: &Stmt, scope: &Scope) {
        let mut scope = scope.clone();
        match &part.kind {
            StmtKind::Block(all) => self.redeclared_in_list(all, &mut scope),
            _ => self.redeclared_in_statement(part, &mut scope),
        }
    }

    fn redeclared_in_list(&mut self, all: &[Stmt], scope: &mut Scope) {
        for stmt in all {
            self.redeclared_in_statement(stmt, scope);
        }
    }

    fn redeclared_in_statement(&mut self, stmt: &Stmt, scope: &mut Scope) {
        match &stmt.kind {
            StmtKind::Declare(all) => {
                for variable in all.iter().filter(|variable| !variable.storage.external) {
                    self.declared_once(scope, variable.name.last(), variable.span);
                }
            }
            StmtKind::StructuredBinding(_, names, _) => {
                for (name, span) in names {
                    self.declared_once(scope, *name, *span);
                }
            }
            StmtKind::Enum(ast) if !ast.scoped => {
                for (name, span, _) in &ast.values {
                    self.declared_once(scope, name.last(), *span);
                }
            }
            StmtKind::Several(all) => self.redeclared_in_list(all, scope),
            StmtKind::Block(_) => self.redeclared_in_part(stmt, &Scope::new()),
            StmtKind::If { init, cond, then, other, .. } => {
                let mut own = Scope::new();
                for first in init.iter().chain([cond]) {
                    self.redeclared_in_statement(first, &mut own);
                }
                for part in [then].into_iter().chain(other) {
                    self.redeclared_in_part(part, &own);
                }
            }
            StmtKind::While(cond, body) => {
                let mut own = Scope::new();
                self.redeclared_in_statement(cond, &mut own);
                self.redeclared_in_part(body, &own);
            }
            StmtKind::For { init, cond, body, .. } => {
                let mut own = Scope::new();
                for first in [init].into_iter().chain(cond) {
                    self.redeclared_in_statement(first, &mut own);
                }
                self.redeclared_in_part(body, &own);
            }
            StmtKind::Range { variable, body, .. } => {
                let mut own = Scope::new();
                self.redeclared_in_statement(variable, &mut own);
                self.redeclared_in_part(body, &own);
            }
            StmtKind::Do(body, _) | StmtKind::Switch(_, body) => {
                self.redeclared_in_part(body, &Scope::new());
            }
            StmtKind::Try(body, handlers) => {
                self.redeclared_in_part(body, &Scope::new());
                for handler in handlers {
                    let caught = handler.variable.iter().map(|v| (v.name.last(), v.span));
                    self.redeclared_in_part(&handler.body, &caught.collect());
                }
            }
            _ => {}
        }
    }

    fn declared_once(&mut self, scope: &mut Scope, name: Name, span: Span) {
        // A name that the parser makes up has a `#`.
        if name.is_empty() || name.contains('#') {
            return;
        }
        let first = *scope.entry(name).or_insert(span);
        if first != span {
            self.declared_twice(name.into(), span, first);
        }
    }

    fn declared_twice(&mut self, name: Path, span: Span, first: Span) {
        let message = format!("`{name}` is declared twice in this scope");
        let help = format!(
            "to give it a new value, write `{name} = ..` without the type; else rename one of them"
        );
        self.report(
            Diagnostic::error("name", span, message)
                .with_label(first, "first declared here")
                .with_help(help),
        );
    }

    /// Reports what a class declares twice.
    pub(in crate::sema) fn redeclared_in_class(&mut self, ast: &Struct) {
        if ast.span.is_built_in() {
            return;
        }
        let mut found: HashMap<Name, Span> = HashMap::new();
        let mut repeated = Vec::new();
        let written = |field: &&VarDecl| {
            let name = field.name.last();
            !name.is_empty() && !name.contains('#')
        };
        for field in ast.fields.iter().filter(written) {
            let first = *found.entry(field.name.last()).or_insert(field.span);
            if first != field.span {
                repeated.push((field.name.last(), field.span, first));
            }
        }
        // A class with other text under `__CUDA_ARCH__` may have a `static` member and an enumerator
        // of each side, so these are compared with the data members alone.
        let members = ast.members.iter().flat_map(|item| -> Vec<(Name, Span)> {
            match item {
                Item::Variables(all) => all.iter().map(|v| (v.name.last(), v.span)).collect(),
                Item::Enum(made) if !made.scoped => {
                    made.values.iter().map(|(name, span, _)| (name.last(), *span)).collect()
                }
                _ => Vec::new(),
            }
        });
        let methods = ast.methods.iter().map(|method| (method.name.last(), method.span));
        for (name, span) in members.chain(methods) {
            if let Some(first) = found.get(&name) {
                repeated.push((name, span, *first));
            }
        }
        for (name, span, first) in repeated {
            let message = format!("`{}` has two members `{name}`", ast.name.last());
            self.report(
                Diagnostic::error("name", span, message)
                    .with_label(first, "first declared here")
                    .with_help("remove one of them, or rename it"),
            );
        }
        self.repeated_methods(ast);
    }

    /// Methods of one name and the same parameters.
    fn repeated_methods(&mut self, ast: &Struct) {
        let mut named: HashMap<Path, Vec<&Function>> = HashMap::new();
        for method in ast.methods.iter().chain(&ast.constructors) {
            // A template may differ in its constraints, and a conversion in its type.
            if method.template.is_empty() && !method.name.is("operator ") {
                named.entry(method.name).or_default().push(method);
            }
        }
        let same = |a: &Function, b: &Function| {
            (a.constant, a.object) == (b.constant, b.object)
                && (a.storage.host, a.storage.device) == (b.storage.host, b.storage.device)
                && a.requires.is_none()
                && b.requires.is_none()
                && a.span != b.span
                && as_written::same_parameters(a, b)
        };
        for methods in named.into_values().filter(|all| (2..MAX_COMPARED).contains(&all.len())) {
            for (at, method) in methods.iter().enumerate() {
                let Some(first) = methods[..at].iter().find(|first| same(first, method)) else {
                    continue;
                };
                let message = format!("`{}` is declared twice in its class", method.name.last());
                self.report(
                    Diagnostic::error("name", method.span, message)
                        .with_label(first.span, "first declared here")
                        .with_help("remove one of them, or give it other parameters"),
                );
            }
        }
    }
}
