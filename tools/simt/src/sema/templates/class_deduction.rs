//! Class template argument deduction: `S s(1, 2.0f);` with a class template `S`.
//!
//! As in the standard, each constructor of the template stands for a function that returns the class,
//! and a deduction guide is such a function as written. Overload resolution among them tells the
//! arguments. A guide that fits goes before the constructors.

use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::Expr;
use crate::sema::types::Type;
use crate::sema::{Checked, Declared, Entity, FunctionId};
use crate::syntax::ast::{
    self, ExprKind, Init, Storage, TemplateArg, TemplateParam, TypeExpr, TypeKind,
};
use crate::syntax::name::Path;
use std::rc::Rc;

impl Body<'_, '_> {
    /// The type of what has this initialiser.
    pub(in crate::sema) fn resolve_for(&mut self, ty: &TypeExpr, init: &Init) -> Checked<Type> {
        match self.open_template(ty) {
            Some(name) => {
                let made = self.deduced_class(name, ty, init)?;
                Ok(made.qualified(ty.constant, ty.volatile))
            }
            None => self.resolve(ty),
        }
    }

    /// The type that `T(..)` and `T{..}` make.
    pub(in crate::sema) fn constructed_type(
        &mut self,
        ty: &TypeExpr,
        items: &[ast::Expr],
        braces: bool,
    ) -> Checked<Type> {
        if self.open_template(ty).is_none() {
            return self.resolve(ty);
        }
        let items = items.to_vec();
        let init = match braces {
            true => Init::Expr(ast::Expr { kind: ExprKind::List(items), span: ty.span }),
            false => Init::Paren(items),
        };
        self.resolve_for(ty, &init)
    }

    /// The class template that is named without arguments.
    fn open_template(&self, ty: &TypeExpr) -> Option<Path> {
        let TypeKind::Named(name, arguments) = &ty.kind else { return None };
        let name = match self.lookup(name) {
            Some(Entity::Template(real)) => real,
            // Inside a template its name is the instance.
            Some(_) if self.scopes.iter().any(|scope| scope.contains_key(name)) => return None,
            _ => *name,
        };
        let known = self.sema.templates.structs.contains_key(&name);
        (arguments.is_empty() && known).then_some(name)
    }

    fn deduced_class(&mut self, name: Path, ty: &TypeExpr, init: &Init) -> Checked<Type> {
        let list = match init {
            Init::Expr(list @ ast::Expr { kind: ExprKind::List(items), .. })
                if !items.is_empty() =>
            {
                Some(list)
            }
            _ => None,
        };
        let values = match init {
            Init::None => Vec::new(),
            Init::Paren(items) => self.values(items)?,
            Init::Expr(ast::Expr { kind: ExprKind::List(items), .. }) => self.values(items)?,
            Init::Expr(one) => self.values(std::slice::from_ref(one))?,
        };
        // A copy.
        if let [one] = values.as_slice()
            && self.instance_of(&name, &one.ty).is_some()
        {
            return Ok(one.ty.unqualified());
        }
        let guides = self.sema.templates.guides.get(&name).cloned().unwrap_or_default();
        let constructors = self.constructor_guides(name);
        // A list goes to a `std::initializer_list` before anything else.
        let listed: Vec<FunctionId> =
            constructors.iter().copied().filter(|id| self.takes_list(*id)).collect();
        if let Some(list) = list
            && !listed.is_empty()
        {
            let whole = [self.braced_argument(list, false)];
            if let Some(made) = self.guided(name, &listed, &whole, ty) {
                return Ok(made);
            }
        }
        let told = self
            .guided(name, &guides, &values, ty)
            .or_else(|| self.guided(name, &constructors, &values, ty));
        if let Some(made) = told {
            return Ok(made);
        }
        let message =
            format!("the template arguments of `{name}` cannot be told: write `{name}<..>`");
        self.sema.error("template", ty.span, message)
    }

    /// What the best of these functions returns.
    fn guided(
        &mut self,
        name: Path,
        ids: &[FunctionId],
        values: &[Expr],
        ty: &TypeExpr,
    ) -> Option<Type> {
        self.speculate(|body| {
            let (id, bound, _) = body.choose(name, ids, &[], values, ty.span)?;
            let declared = body.sema.definitions[id].clone();
            body.declared_result(&declared, &bound)
        })
        .map_err(|Reported| ())
        .ok()
    }

    fn takes_list(&self, id: FunctionId) -> bool {
        let params = &self.sema.definitions[id].ast.params;
        params.first().is_some_and(|first| {
            matches!(&first.ty.kind, TypeKind::Named(name, _)
                if name.in_std().as_deref() == Some("initializer_list"))
        })
    }

    /// A function for each constructor of the template, or for the one that every class has.
    fn constructor_guides(&mut self, name: Path) -> Vec<FunctionId> {
        if let Some(known) = self.sema.templates.constructor_guides.get(&name) {
            return known.clone();
        }
        let Some(class) = self.sema.templates.structs.get(&name).cloned() else {
            return Vec::new();
        };
        let returns = instance(name, &class);
        let around = self.enclosing(&name);
        let guide = |of: ast::Function| {
            let template = class.template.iter().chain(&of.template).cloned().collect();
            Rc::new(ast::Function { name, template, returns: returns.clone(), body: None, ..of })
        };
        let mut made: Vec<Rc<ast::Function>> =
            class.constructors.iter().map(|of| guide((**of).clone())).collect();
        if made.is_empty() {
            made.push(guide(without_parameters(name, &class)));
            if class.bases.is_empty() && !class.fields.is_empty() {
                made.push(guide(of_members(name, &class)));
            }
        }
        let ids: Vec<FunctionId> = made
            .into_iter()
            .map(|ast| self.sema.definitions.declare(Declared::free(ast, around.clone())))
            .collect();
        self.sema.templates.constructor_guides.insert(name, ids.clone());
        ids
    }
}

/// The constructor of a class that declares none.
fn without_parameters(name: Path, class: &ast::Struct) -> ast::Function {
    ast::Function {
        name,
        span: class.span,
        template: Vec::new(),
        returns: instance(name, class),
        params: Vec::new(),
        body: None,
        body_kind: ast::BodyKind::Default,
        member_inits: Vec::new(),
        storage: Storage::default(),
        constant: false,
        object: ast::ObjectOf::Any,
        variadic: None,
        bounds: ast::LaunchBounds::default(),
        requires: None,
        noexcept: ast::Noexcept::Unsaid,
        on_host: None,
    }
}

/// What a list of values for the members of an aggregate tells.
fn of_members(name: Path, class: &ast::Struct) -> ast::Function {
    let params = class.fields.iter().map(|field| {
        let none = ast::Expr { kind: ExprKind::Null, span: field.span };
        ast::VarDecl { init: Init::Expr(none), ..field.clone() }
    });
    ast::Function { params: params.collect(), ..without_parameters(name, class) }
}

/// `S<T, n, Rest...>`: the class with its own parameters as arguments.
fn instance(name: Path, class: &ast::Struct) -> TypeExpr {
    let written = |kind| TypeExpr { kind, constant: false, volatile: false, span: class.span };
    let argument = |param: &TemplateParam| {
        let own = Path::from(param.name);
        let names: Rc<[_]> = [param.name].into();
        let value = |kind| ast::Expr { kind, span: class.span };
        match (&param.value, param.pack) {
            (None, false) => TemplateArg::Type(written(TypeKind::Named(own, Vec::new()))),
            (None, true) => {
                let inner = Box::new(written(TypeKind::Named(own, Vec::new())));
                TemplateArg::Type(written(TypeKind::Expand(inner, names)))
            }
            (Some(_), false) => TemplateArg::Value(value(ExprKind::Name(own, None))),
            (Some(_), true) => {
                let inner = Box::new(value(ExprKind::Name(own, None)));
                TemplateArg::Value(value(ExprKind::Expand(inner, names)))
            }
        }
    };
    written(TypeKind::Named(name, class.template.iter().map(argument).collect()))
}
