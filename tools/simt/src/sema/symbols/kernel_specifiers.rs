//! Specifiers that CUDA does not allow beside `__global__`, and memory spaces of data members.

use crate::diagnostic::{Diagnostic, Severity};
use crate::sema::Sema;
use crate::syntax::ast::{Function, Struct};

impl Sema<'_> {
    /// Reports specifiers beside `__global__`, and `...` among the parameters.
    pub(in crate::sema) fn check_kernel_specifiers(&mut self, ast: &Function) {
        let words = ast.storage;
        if !words.global || ast.span.is_built_in() {
            return;
        }
        if words.device || words.host {
            let word = if words.device { "__device__" } else { "__host__" };
            let message = format!("`{}` cannot be `__global__` and `{word}`", ast.name);
            self.report(
                Diagnostic::error("type", ast.span, message)
                    .with_help("a kernel is `__global__` alone: put what it shares with others into a `__device__` function"),
            );
        }
        if let Some(at) = ast.variadic {
            let message =
                format!("the kernel `{}` cannot have `...` among its parameters", ast.name);
            self.report(
                Diagnostic::error("type", at, message)
                    .with_help("name each parameter, or write a template with a parameter pack"),
            );
        }
    }

    /// Reports kernels among the members of a class, and memory spaces of its data members.
    pub(in crate::sema) fn check_member_specifiers(&mut self, ast: &Struct) {
        if ast.span.is_built_in() {
            return;
        }
        for method in ast.methods.iter().filter(|method| method.storage.global) {
            let message = format!("the kernel `{}` cannot be a member of a class", method.name);
            self.report(
                Diagnostic::error("type", method.span, message)
                    .with_help("write it outside of the class, and pass the object to it"),
            );
        }
        for method in &ast.methods {
            self.check_default_arguments(method);
        }
        for field in &ast.fields {
            let words = field.storage;
            let word = match () {
                () if words.shared => "__shared__",
                () if words.constant_memory => "__constant__",
                () if words.managed => "__managed__",
                () if words.device => "__device__",
                () => continue,
            };
            let message = format!("`{word}` does not apply to the data member `{}`", field.name);
            let mut warning = Diagnostic::error("lint-attribute", field.span, message).with_help(
                "the memory is that of the whole object: write the word before the variable of the class",
            );
            warning.severity = Severity::Warning;
            self.report(warning);
        }
    }
}
