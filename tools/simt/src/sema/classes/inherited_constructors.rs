//! `using Base::Base;`: a constructor of the class for each one of the base, with the same parameters.

use crate::sema::types::{ClassId, Kind, as_written};
use crate::sema::{Bindings, Declared, FunctionId, Sema};
use crate::syntax::ast::{self, BodyKind, CastStyle, ExprKind, MemberInit, TypeExpr, TypeKind};
use crate::syntax::name::{Name, Path};
use std::rc::Rc;

impl Sema<'_> {
    /// The constructors that a class has from its bases. What the class declares itself goes before.
    pub(in crate::sema) fn inherited_constructors(
        &mut self,
        index: ClassId,
        ast: &ast::Struct,
        bindings: &Bindings,
    ) -> Vec<FunctionId> {
        let info = self.types.get(index);
        let bases: Vec<ClassId> = info.fields[..info.bases]
            .iter()
            .filter_map(|field| match field.ty.kind {
                Kind::Struct(base) => Some(base),
                _ => None,
            })
            .collect();
        let mut made = Vec::new();
        for (at, base) in bases.iter().enumerate() {
            let Some(theirs) = self.definitions.struct_asts.get(base).cloned() else { continue };
            let named = |name: &Name| {
                let path = Path::from(*name);
                *name == theirs.name.last()
                    || (bases.len() == 1 && !self.definitions.methods.contains_key(&(*base, path)))
            };
            if !ast.constructs.iter().any(named) {
                continue;
            }
            let name = match ast.bases.get(at).map(|written| &written.kind) {
                Some(TypeKind::Named(name, _) | TypeKind::Defaults(name)) => *name,
                _ => theirs.name,
            };
            for id in self.definitions.constructors.get(base).cloned().unwrap_or_default() {
                let declared = self.definitions[id].clone();
                let hidden =
                    |own: &Rc<ast::Function>| as_written::same_parameters(own, &declared.ast);
                if declared.ast.params.is_empty() || ast.constructors.iter().any(hidden) {
                    continue;
                }
                let function = Rc::new(inherited(ast, name, &declared.ast));
                let mut bound = declared.bindings.to_vec();
                bound.retain(|(name, _)| !bindings.iter().any(|(own, _)| own == name));
                bound.extend(bindings.iter().cloned());
                made.push(self.definitions.declare(Declared {
                    ast: function,
                    owner: Some(index),
                    bindings: Rc::new(bound),
                    scope: None,
                }));
            }
        }
        made
    }
}

/// `Class(int a, T&& b) : Base((int&&)a, (T&&)b) {}`
fn inherited(class: &ast::Struct, base: Path, of: &ast::Function) -> ast::Function {
    let span = class.span;
    let mut params = of.params.clone();
    let mut values = Vec::new();
    for (i, param) in params.iter_mut().enumerate() {
        param.name = Path::from(Name::from(format!("__{i}")));
        let value = |kind| ast::Expr { kind, span };
        let forward = |ty: &TypeExpr| {
            let whole = match &ty.kind {
                TypeKind::Reference(_) | TypeKind::Rvalue(_) => ty.clone(),
                _ => TypeExpr { kind: TypeKind::Rvalue(Box::new(ty.clone())), ..ty.clone() },
            };
            let name = Box::new(value(ExprKind::Name(param.name, None)));
            value(ExprKind::Cast(CastStyle::C, whole, name))
        };
        values.push(match &param.ty.kind {
            TypeKind::Expand(inner, names) => {
                let mut packs = names.to_vec();
                packs.push(param.name.last());
                value(ExprKind::Expand(Box::new(forward(inner)), packs.into()))
            }
            _ => forward(&param.ty),
        });
    }
    ast::Function {
        name: class.name,
        params,
        body: Some(ast::Stmt { kind: ast::StmtKind::Block(Vec::new()), span }),
        body_kind: match of.body_kind {
            BodyKind::Delete => BodyKind::Delete,
            _ => BodyKind::Ordinary,
        },
        member_inits: vec![MemberInit { name: base, span, values, braced: false, packs: None }],
        noexcept: ast::Noexcept::Unsaid,
        on_host: None,
        ..of.clone()
    }
}
