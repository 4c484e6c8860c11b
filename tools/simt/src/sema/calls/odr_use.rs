//! ODR-use of constants: a reference binds to the variable of a `const` number, not to its value. An
//! expression that only reads it has the value, as C++'s conversion from lvalue to rvalue gives it.

use crate::sema::body::Body;
use crate::sema::expressions::id_expression::stored;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::{Checked, Entity, FunctionId};
use crate::syntax::ast::{self, TypeExpr, TypeKind};

impl Body<'_, '_> {
    /// The local variable that the name of a constant means.
    fn local_constant(&self, named: &ast::Expr) -> Option<Expr> {
        let ast::ExprKind::Name(name, None) = &named.kind else { return None };
        let scope = self.scopes.iter().rev().find(|scope| scope.contains_key(name))?;
        match (scope.get(name), scope.get(&stored(name))) {
            (Some(Entity::Constant(_)), Some(Entity::Var(id))) => {
                let ty = self.vars[*id as usize].ty.clone();
                Some(Expr::place(ExprKind::Var(*id), ty, named.span))
            }
            _ => None,
        }
    }

    /// The expression as a reference sees it: the name of a constant is its variable.
    pub(in crate::sema) fn expr_to_bind(&mut self, e: &ast::Expr) -> Checked<Expr> {
        match self.local_constant(e) {
            Some(place) => Ok(self.kept_variable(place)),
            None => self.expr(e),
        }
    }

    /// The variable of a constant is there, and not its value alone.
    pub(in crate::sema) fn kept_variable(&mut self, place: Expr) -> Expr {
        if let ExprKind::Var(id) = place.kind {
            self.vars[id as usize].folded = false;
        }
        place
    }

    /// The arguments of a call of one of these functions: a constant that a parameter may refer to
    /// is its variable.
    pub(in crate::sema) fn constants_to_bind(
        &mut self,
        ids: &[FunctionId],
        args: &[ast::Expr],
        values: &mut [Expr],
    ) {
        if args.len() != values.len() {
            return;
        }
        for (i, (arg, value)) in args.iter().zip(values).enumerate() {
            if !value.is_constant() {
                continue;
            }
            let binds = |id: &FunctionId| {
                let params = &self.sema.definitions[*id].ast.params;
                params.get(i).or(params.last()).is_some_and(|param| may_refer(&param.ty))
            };
            if ids.iter().any(binds)
                && let Some(place) = self.local_constant(arg)
            {
                *value = place;
            }
        }
    }

    /// The value of a constant that [`Body::constants_to_bind`] took as its variable.
    pub(in crate::sema) fn constant_of(&self, value: &Expr) -> Option<Expr> {
        let ExprKind::Var(id) = value.kind else { return None };
        let known = self.constants.get(&id)?;
        known.is_constant().then(|| Expr { span: value.span, ..(**known).clone() })
    }
}

fn may_refer(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Reference(_) | TypeKind::Rvalue(_) => true,
        TypeKind::Expand(inner, _) => may_refer(inner),
        _ => false,
    }
}
