//! Pointers to members: `&S::a` and `&S::f`.
//!
//! The classes behind `T S::*` and `R (S::*)(A...)` are C++ (`headers/builtin.cuh`): an offset, and a
//! pointer to a function that takes the object and calls the method.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::{Body, Pointed};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, Entity, FunctionId};
use crate::syntax::ast::{self, Init, Prim, StmtKind, TemplateArg, TypeExpr, TypeKind, VarDecl};
use crate::syntax::name::{Name, Path};
use std::collections::HashMap;
use std::rc::Rc;

/// A type by a name that is bound to it.
fn named(name: &str, span: Span) -> TypeExpr {
    let kind = TypeKind::Named(name.into(), Vec::new());
    TypeExpr { kind, constant: false, volatile: false, span }
}

fn bare(kind: TypeKind, span: Span) -> TypeExpr {
    TypeExpr { kind, constant: false, volatile: false, span }
}

impl Body<'_, '_> {
    /// `&S::a`, where `a` is no static member; `None` for any other operand of `&`.
    pub(in crate::sema) fn member_address(
        &mut self,
        inner: &ast::Expr,
        span: Span,
    ) -> Option<Checked<Expr>> {
        let (class, name) = match &inner.kind {
            ast::ExprKind::Name(path, None) => match self.lookup(path.parent()?)? {
                Entity::Type(ty) => (ty, path.last()),
                _ => return None,
            },
            ast::ExprKind::Scoped(ty, name) => (self.speculate(|b| b.resolve(ty)).ok()?, *name),
            _ => return None,
        };
        let Kind::Struct(index) = class.kind else { return None };
        if let Some(path) = self.sema.types.find(index, name) {
            return Some(self.data_member_pointer(index, &path, span));
        }
        let (ids, _) = self.sema.find_methods(index, name)?;
        if ids.iter().any(|id| self.sema.definitions[*id].ast.storage.is_static) {
            return None;
        }
        match ids.as_slice() {
            [one] if self.sema.definitions[*one].ast.template.is_empty() => {
                Some(self.method_pointer(*one, name, span))
            }
            all => {
                let Some(id) = self.method_pointed_to(all) else {
                    let message = format!(
                        "which `{name}` is meant is not told: `static_cast` to the pointer's type says it"
                    );
                    return Some(self.sema.error("overload", span, message));
                };
                Some(self.method_pointer(id, name, span))
            }
        }
    }

    /// The one of these methods to which a pointer of the wanted type points.
    fn method_pointed_to(&mut self, ids: &[FunctionId]) -> Option<FunctionId> {
        let Pointed { signature, class: Some(class) } = self.pointed.clone()? else { return None };
        ids.iter().copied().find(|id| {
            let declared = self.sema.definitions[*id].clone();
            declared.ast.template.is_empty()
                && declared.ast.constant == class.constant
                && self.types_of(&declared.ast, &declared.bindings).as_ref()
                    == Some(&signature.params)
        })
    }

    fn data_member_pointer(&mut self, class: ClassId, path: &[usize], span: Span) -> Checked<Expr> {
        let (mut offset, mut at, mut ty) = (0, class, Type::from(Kind::Struct(class)));
        for i in path {
            let info = self.sema.types.get(at);
            let Some(field) = info.fields.get(*i) else {
                return self.sema.error("type", span, "there are no pointers to bit-fields");
            };
            if self.sema.definitions.references.contains(&(at, *i)) {
                return self.sema.error("type", span, "there are no pointers to references");
            }
            (offset, ty) = (offset + field.offset, field.ty.clone());
            if let Kind::Struct(inner) = ty.kind {
                at = inner;
            }
        }
        self.scopes.push(HashMap::new());
        self.define("#S", Entity::Type(Kind::Struct(class).into()));
        self.define("#T", Entity::Type(ty));
        let arguments = ["#S", "#T"].map(|name| TemplateArg::Type(named(name, span)));
        let made = self.struct_instance(&"__member_pointer".into(), &arguments, span);
        self.scopes.pop();
        let parts = vec![Expr::new(ExprKind::Int(i128::from(offset)), Prim::Long.into(), span)];
        Ok(Expr::new(ExprKind::Make(parts), made?, span))
    }

    /// The address of `[](S& object, A... a) -> R { return object.f(a...); }`
    fn method_pointer(&mut self, id: FunctionId, name: Name, span: Span) -> Checked<Expr> {
        let declared = self.sema.definitions[id].clone();
        let owner = declared.owner.ok_or(Reported)?;
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        let params: Checked<Vec<Type>> =
            declared.ast.params.iter().map(|param| self.resolve(&param.ty)).collect();
        let returns = self.resolve(&declared.ast.returns);
        self.scopes = outer;
        let (params, returns) = (params?, returns?);
        self.scopes.push(HashMap::new());
        let class = Type::from(Kind::Struct(owner)).qualified(declared.ast.constant, false);
        self.define("#S", Entity::Type(class));
        self.define("#R", Entity::Type(returns));
        let value = |kind| ast::Expr { kind, span };
        let by_name = |name: Path| value(ast::ExprKind::Name(name, None));
        let declaration = |name: Path, ty| VarDecl {
            name,
            span,
            ty,
            storage: ast::Storage::default(),
            align: None,
            init: Init::None,
        };
        let this = bare(TypeKind::Reference(Box::new(named("#S", span))), span);
        let mut own = vec![declaration("#object".into(), this)];
        let (mut types, mut given) = (Vec::new(), Vec::new());
        for (i, param) in params.into_iter().enumerate() {
            let ty = format!("#A{i}");
            self.define(ty.as_str(), Entity::Type(param.clone()));
            types.push(named(&ty, span));
            let parameter = Path::from(format!("#a{i}"));
            own.push(declaration(parameter, named(&ty, span)));
            let passed = by_name(parameter);
            given.push(match param.is_reference() {
                true => passed,
                // What was passed by value may be moved.
                false => {
                    let to = bare(TypeKind::Rvalue(Box::new(named(&ty, span))), span);
                    let kind = ast::ExprKind::Cast(ast::CastStyle::Static, to, Box::new(passed));
                    value(kind)
                }
            });
        }
        let object = Box::new(by_name("#object".into()));
        let callee = value(ast::ExprKind::Member(object, name.into(), span, false));
        let call = value(ast::ExprKind::Call(Box::new(callee), given));
        let body = ast::Stmt { kind: StmtKind::Return(Some(call)), span };
        let both = ast::Storage { device: true, host: true, ..ast::Storage::default() };
        let function = ast::Function {
            name: "operator()".into(),
            span,
            template: Vec::new(),
            returns: named("#R", span),
            params: own,
            body: Some(ast::Stmt { kind: StmtKind::Block(vec![body]), span }),
            body_kind: ast::BodyKind::Ordinary,
            member_inits: Vec::new(),
            storage: both,
            constant: true,
            object: ast::ObjectOf::Any,
            variadic: None,
            bounds: ast::LaunchBounds::default(),
            requires: None,
            noexcept: ast::Noexcept::Unsaid,
            on_host: None,
        };
        let lambda = value(ast::ExprKind::Lambda(Rc::new(ast::Lambda {
            default: None,
            captures: Vec::new(),
            values: Vec::new(),
            names: Vec::new(),
            function: Rc::new(function),
        })));
        let signature = bare(TypeKind::Function(Box::new(named("#R", span)), types), span);
        let arguments = vec![TemplateArg::Type(named("#S", span)), TemplateArg::Type(signature)];
        let class = bare(TypeKind::Named("__method_pointer".into(), arguments), span);
        let made = self.expr(&value(ast::ExprKind::Construct(class, vec![lambda], false)));
        self.scopes.pop();
        made
    }
}
