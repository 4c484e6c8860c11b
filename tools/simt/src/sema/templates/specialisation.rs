//! Explicit specialisations of functions, members and classes.

use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Arg, Checked, Declared, FunctionId, Sema};
use crate::syntax::ast::{self, TemplateArg};
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

impl Body<'_, '_> {
    /// `template <> int f<int>(int x) { .. }`; the arguments may also be read off the parameters and
    /// the result, which is deduced like one more parameter.
    pub(in crate::sema) fn specialise_function(
        &mut self,
        arguments: &[TemplateArg],
        ast: &Rc<ast::Function>,
    ) {
        let params: Checked<Vec<Type>> = ast.params.iter().map(|p| self.resolve(&p.ty)).collect();
        let Ok(params) = params else { return };
        let returns = self.speculate(|b| b.resolve(&ast.returns)).ok();
        let values: Vec<Expr> = returns
            .iter()
            .chain(&params)
            .map(|p| Expr::place(ExprKind::Zero, p.unreferenced().clone(), ast.span))
            .collect();
        let known: Vec<FunctionId> =
            self.sema.definitions.functions.get(&ast.name).cloned().unwrap_or_default();
        for id in known {
            let template = self.sema.definitions[id].ast.clone();
            if template.template.is_empty() || template.params.len() != ast.params.len() {
                continue;
            }
            let mut asked = (*template).clone();
            if returns.is_some() {
                asked.params.insert(0, result_as_parameter(&template));
            }
            let Some(args) = self.arguments_of(&Rc::new(asked), arguments, &values) else {
                continue;
            };
            let special = self.sema.definitions.declare(Declared {
                ast: ast.clone(),
                owner: None,
                bindings: Rc::default(),
                scope: None,
            });
            self.sema.templates.function_specialisations.insert((id, args), special);
            return;
        }
        let message = format!("no template `{}` fits this specialisation", ast.name);
        let _: Checked<()> = self.sema.error("template", ast.span, message);
    }

    /// `template <> int S<int>::f() { .. }`, or the member of a specialisation: it takes the place
    /// of what was declared.
    pub(in crate::sema) fn specialise_member(
        &mut self,
        owner: &ast::TypeExpr,
        ast: &Rc<ast::Function>,
    ) {
        let Ok(ty) = self.resolve(owner) else { return };
        let Kind::Struct(index) = ty.kind else { return };
        let class = self.sema.definitions.classes.get(&index).cloned().unwrap_or_default();
        let methods = self.sema.definitions.methods.get(&(index, ast.name)).into_iter().flatten();
        let constructors = self.sema.definitions.constructors.get(&index).into_iter().flatten();
        let others = [class.copy, class.moving, class.destructor].into_iter().flatten();
        let all: Vec<FunctionId> = methods.chain(constructors).copied().chain(others).collect();
        let fitting = all.into_iter().filter(|id| {
            let known = &self.sema.definitions[*id].ast;
            known.name == ast.name
                && known.params.len() == ast.params.len()
                && known.constant == ast.constant
        });
        let fitting: Vec<FunctionId> = fitting.collect();
        let wanted = self.types_of(ast, &[]);
        let exact = fitting.iter().copied().find(|id| {
            let known = self.sema.definitions[*id].clone();
            self.types_of(&known.ast, &known.bindings) == wanted
        });
        let Some(id) = exact.or(fitting.first().copied()) else {
            let text = self.sema.types.spell(&ty);
            let message = format!("`{text}` declares no `{}` like this", ast.name);
            let _: Checked<()> = self.sema.error("name", ast.span, message);
            return;
        };
        let storage = self.sema.definitions[id].ast.storage;
        let made = ast::Function { storage, ..(**ast).clone() };
        self.sema.definitions[id].ast = Rc::new(made);
    }

    pub(in crate::sema) fn types_of(
        &mut self,
        ast: &ast::Function,
        bindings: &[(Path, Arg)],
    ) -> Option<Vec<Type>> {
        self.scopes.push(HashMap::new());
        self.bind(bindings);
        let types: Checked<Vec<Type>> =
            self.speculate(|b| ast.params.iter().map(|p| b.resolve(&p.ty)).collect());
        self.scopes.pop();
        types.ok()
    }

    /// `template <> struct S<int> { .. };`: the specialisation by its whole name, and as written.
    pub(in crate::sema) fn specialise_struct(
        &mut self,
        ast: &Rc<ast::Struct>,
        inside: &Rc<ast::Struct>,
    ) {
        let Some(primary) = self.sema.templates.structs.get(&ast.name).cloned() else {
            let span = ast.span;
            let message = format!("`{}` is no template", ast.name);
            let _: Checked<()> = self.sema.error("name", span, message);
            return;
        };
        let span = ast.span;
        let Ok(bindings) = self.struct_arguments(&primary, &ast.specialises, span) else {
            return;
        };
        let args: Vec<Arg> = bindings.into_iter().map(|(_, arg)| arg).collect();
        let key = (ast.name, args);
        let begun = self.sema.instances.structs.get(&key).cloned();
        self.sema.templates.struct_specialisations.insert(key, inside.clone());
        if let Some(Kind::Struct(index)) = begun.map(|ty| ty.kind)
            && self.sema.types.get(index).incomplete
            && inside.defined
        {
            let seen = self.enclosing(&ast.name);
            // What is wrong with it is reported.
            let _: Checked<()> = self.sema.fill_struct(index, inside, seen);
        }
    }
}

impl Sema<'_> {
    /// A class template is defined: instances that were named since its declaration,
    /// `using vec3 = vec3_t<double>;`, get their members.
    pub(in crate::sema) fn complete_instances(&mut self, name: Path, ast: &Rc<ast::Struct>) {
        let of_name = self.instances.structs.iter().filter(|((of, _), _)| *of == name);
        let mut begun: Vec<(ClassId, Vec<Arg>)> = of_name
            .filter_map(|((_, args), ty)| match ty.kind {
                Kind::Struct(index) => Some((index, args.clone())),
                _ => None,
            })
            .filter(|(index, _)| self.types.get(*index).incomplete)
            .collect();
        begun.sort_by_key(|(index, _)| *index);
        for (index, args) in begun {
            let mut seen = Body::outside(self).enclosing(&name);
            seen.extend(ast.template.iter().map(|t| t.name.into()).zip(args));
            let _: Checked<()> = self.fill_struct(index, ast, seen);
        }
    }
}

/// What a function returns, as a parameter.
fn result_as_parameter(function: &ast::Function) -> ast::VarDecl {
    ast::VarDecl {
        name: Path::from(""),
        span: function.span,
        ty: function.returns.clone(),
        storage: ast::Storage::default(),
        align: None,
        init: ast::Init::None,
    }
}
