//! Instances of variable templates that are variables: arrays, and what is in device memory.
//!
//! A variable template that is a constant number is a function without parameters
//! (`crate::syntax::parser::outside`).

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::symbols::symbol_table::{Arg, FunctionId};
use crate::sema::tree::Expr;
use crate::sema::{Checked, Declared, Entity, Sema};
use crate::syntax::ast::{self, BodyKind, StmtKind, TemplateArg, VarDecl};
use crate::syntax::name::Path;
use std::rc::Rc;

impl Sema<'_> {
    /// `template <typename T> constexpr bool v<T*> = true;`
    pub(in crate::sema) fn specialise_variable(
        &mut self,
        arguments: &[TemplateArg],
        ast: &Rc<ast::Function>,
    ) {
        let known = self.definitions.functions.get(&ast.name).into_iter().flatten();
        if !known.clone().any(|id| self.definitions[*id].ast.body_kind == BodyKind::Variable) {
            let message = format!("`{}` is no variable template", ast.name);
            let _: Checked<()> = self.error("template", ast.span, message);
            return;
        }
        let special = Rc::new(ast::Struct {
            template: ast.template.clone(),
            specialises: arguments.to_vec(),
            ..ast::Struct::declared(ast.name, ast.span)
        });
        let id = self.definitions.declare(Declared::free(ast.clone(), Vec::new()));
        self.templates.partial_variables.push((special.clone(), id));
        self.templates.partial_specialisations.entry(ast.name).or_default().push(special);
    }
}

impl Body<'_, '_> {
    /// A variable template that is named with its arguments.
    pub(in crate::sema) fn variable_instance(
        &mut self,
        name: &Path,
        id: FunctionId,
        arguments: &[TemplateArg],
        span: Span,
    ) -> Checked<Expr> {
        let (id, bound, params) = self.choose(name, &[id], arguments, &[], span)?;
        let (id, own) = self.special_variable(id, &bound);
        match self.templated_variable(id, &own, &bound) {
            Some(variable) => self.meant(&variable?, name, span),
            None => self.finish(id, own, &params, None, Vec::new(), span),
        }
    }

    /// The specialisation of a variable template that these arguments choose, with its own arguments;
    /// the template itself if there is none.
    fn special_variable(&mut self, id: FunctionId, arguments: &[Arg]) -> (FunctionId, Vec<Arg>) {
        let name = self.sema.definitions[id].ast.name;
        let key = (id, arguments.to_vec());
        if let Some(special) = self.sema.templates.function_specialisations.get(&key) {
            return (*special, Vec::new());
        }
        if !self.sema.templates.partial_specialisations.contains_key(&name) {
            return key;
        }
        let Some((special, bindings)) = self.partial(&name, arguments) else { return key };
        let mut all = self.sema.templates.partial_variables.iter();
        match all.find(|(of, _)| Rc::ptr_eq(of, &special)) {
            Some((_, id)) => (*id, bindings.into_iter().map(|(_, arg)| arg).collect()),
            None => key,
        }
    }

    /// The variable that a variable template stands for with these arguments; `None` if it is a value.
    /// It is called as it is named.
    fn templated_variable(
        &mut self,
        id: FunctionId,
        arguments: &[Arg],
        named: &[Arg],
    ) -> Option<Checked<Entity>> {
        let declared = self.sema.definitions[id].clone();
        let StmtKind::Block(body) = &declared.ast.body.as_ref()?.kind else { return None };
        let [statement] = body.as_slice() else { return None };
        let StmtKind::Declare(variables) = &statement.kind else { return None };
        let [variable] = variables.as_slice() else { return None };
        let key = (id, arguments.to_vec());
        if let Some(known) = self.sema.templates.variables.get(&key) {
            return Some(known.clone());
        }
        let segment = format!("{}<{}>", variable.name.last(), self.spell_args(named)).into();
        let name = variable.name.parent().map_or(Path::from(segment), |outer| outer.join(segment));
        let variable = VarDecl { name, ..variable.clone() };
        let names = declared.ast.template.iter().map(|t| Path::from(t.name));
        let bindings: Vec<_> = names.zip(arguments.iter().cloned()).collect();
        let mut body = Body::outside(self.sema);
        body.bind(&declared.bindings);
        body.bind(&bindings);
        let made = body.declare_instance(&variable);
        self.sema.templates.variables.insert(key, made.clone());
        Some(made)
    }

    /// Declares the instance.
    fn declare_instance(&mut self, variable: &VarDecl) -> Checked<Entity> {
        let words = variable.storage;
        let in_memory = words.device || words.constant_memory || words.managed;
        if in_memory || !self.sema.host.is_program() {
            return self.global(variable)?.ok_or(Reported);
        }
        let ty = self.variable_type(variable)?;
        let index = self.sema.add_host_global(variable, ty.clone(), false);
        self.sema.host.order.instance(index);
        self.know(variable, &ty, index);
        let init = self.begin(variable, index)?;
        self.sema.host.globals[index.index()].init = init;
        Ok(Entity::HostGlobal(index))
    }
}
