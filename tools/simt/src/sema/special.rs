//! Explicit specialisations: what a template is for one list of arguments.

use super::body::Body;
use super::tree::{Expr, ExprKind};
use super::types::Type;
use super::{Arg, Declared, FunctionId};
use crate::syntax::ast::{self, TemplateArg};
use std::rc::Rc;

impl Body<'_, '_> {
    /// `template <> int f<int>(int x) { .. }`; the arguments may also be read off the parameters.
    pub(super) fn special_function(&mut self, arguments: &[TemplateArg], ast: &Rc<ast::Function>) {
        let params: Option<Vec<Type>> = ast.params.iter().map(|p| self.resolve(&p.ty)).collect();
        let Some(params) = params else { return };
        let values: Vec<Expr> = params
            .iter()
            .map(|p| Expr::place(ExprKind::Zero, p.unreferenced().clone(), ast.span))
            .collect();
        let known: Vec<FunctionId> =
            self.sema.functions.get(&ast.name).cloned().unwrap_or_default();
        for id in known {
            let template = self.sema.declared[id].ast.clone();
            if template.template.is_empty() || template.params.len() != ast.params.len() {
                continue;
            }
            let Some(args) = self.arguments_of(&template, arguments, &values) else { continue };
            self.sema.declared.push(Declared {
                ast: ast.clone(),
                owner: None,
                bindings: Vec::new(),
                scope: None,
            });
            let special = self.sema.declared.len() - 1;
            self.sema.special_functions.insert((id, args), special);
            return;
        }
        let message = format!("no template `{}` fits this specialisation", ast.name);
        let _: super::Checked<()> = self.sema.error("template", ast.span, message);
    }

    /// `template <> struct S<int> { .. };`
    pub(super) fn special_struct(&mut self, ast: &Rc<ast::Struct>) {
        let Some(primary) = self.sema.struct_templates.get(&ast.name).cloned() else {
            let span = ast.span;
            let message = format!("`{}` is no template", ast.name);
            let _: super::Checked<()> = self.sema.error("name", span, message);
            return;
        };
        let span = ast.span;
        let Some(bindings) = self.struct_arguments(&primary, &ast.special, span) else { return };
        let args: Vec<Arg> = bindings.into_iter().map(|(_, arg)| arg).collect();
        self.sema.special_structs.insert((ast.name.clone(), args), ast.clone());
    }
}
