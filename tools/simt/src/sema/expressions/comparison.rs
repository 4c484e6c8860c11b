//! Comparisons that C++20 makes from others: `a != b` is `!(a == b)`, `a < b` is `(a <=> b) < 0`, and
//! the operands may change places; and the bodies of defaulted comparisons.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::Expr;
use crate::sema::{Checked, Sema};
use crate::syntax::ast::{
    self, BinaryOp, BodyKind, CastStyle, ExprKind, Prim, StmtKind, TypeExpr, TypeKind, UnaryOp,
    VarDecl,
};
use crate::syntax::foreign::foreign;
use crate::syntax::name::{Name, Path};
use std::rc::Rc;

const EQUAL: &str = "operator==";
const THREE_WAY: &str = "operator<=>";

impl Body<'_, '_> {
    /// The comparison of objects by an operator that is not written for them.
    pub(in crate::sema) fn rewritten(
        &mut self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        span: Span,
    ) -> Option<Checked<Expr>> {
        let name = match op {
            BinaryOp::Eq | BinaryOp::Ne => EQUAL,
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => THREE_WAY,
            _ => return None,
        };
        let forth = [a.clone(), b.clone()];
        let back = [b.clone(), a.clone()];
        let (values, turned) = match (self.operator_fits(name, &forth), op) {
            (true, _) => (forth, false),
            (false, _) if self.operator_fits(name, &back) => (back, true),
            _ => return None,
        };
        let made = self.operator_call(name, values.into(), span);
        let zero = Self::int(0, Prim::Int, span);
        Some(made.and_then(|made| match (op, turned) {
            (BinaryOp::Eq, _) => Ok(made),
            (BinaryOp::Ne, _) => {
                let value = self.boolean(made)?;
                let no = Self::int(0, Prim::Bool, span);
                self.binary_values(BinaryOp::Eq, value, no, span)
            }
            (_, false) => self.binary_values(op, made, zero, span),
            (_, true) => self.binary_values(op, zero, made, span),
        }))
    }

    /// `a <=> b` of numbers and pointers.
    pub(in crate::sema) fn three_way(&mut self, a: Expr, b: Expr, span: Span) -> Checked<Expr> {
        let name = in_std("__three_way");
        let Some(ids) = self.functions(name) else {
            let header = foreign(name).ok_or(Reported)?;
            self.sema.report(header.refused(name, span));
            return Err(Reported);
        };
        let values = vec![a, b];
        let (id, bound, params) = self.choose(name, &ids, &[], &values, span)?;
        self.finish(id, bound, &params, None, values, span)
    }
}

fn in_std(name: &str) -> Path {
    Path::from("std").join(name.into())
}

impl Sema<'_> {
    /// The comparisons that a class declares as `= default`, and the `==` that comes with `<=>`.
    pub(in crate::sema) fn defaulted_comparisons(
        &self,
        class: &ast::Struct,
    ) -> Vec<(Rc<ast::Function>, bool)> {
        let own = class.methods.iter().map(|method| (method, true));
        let all: Vec<_> = own.chain(class.friends.iter().map(|friend| (friend, false))).collect();
        let has_equal = all.iter().any(|(f, _)| f.name.is(EQUAL));
        let mut made = Vec::new();
        for (function, method) in all {
            if function.body_kind != BodyKind::Default {
                continue;
            }
            if function.name.is(EQUAL) || function.name.is(THREE_WAY) {
                made.push((Rc::new(defaulted(class, function, method)), method));
            }
            if function.name.is(THREE_WAY) && !has_equal {
                let kind = TypeKind::Prim(Prim::Bool);
                let span = function.span;
                let returns = TypeExpr { kind, constant: false, volatile: false, span };
                let equal = ast::Function { name: EQUAL.into(), returns, ..(**function).clone() };
                made.push((Rc::new(defaulted(class, &equal, method)), method));
            }
        }
        made
    }
}

/// A defaulted comparison with its body: of the bases, and of the members in their order.
pub(in crate::sema) fn defaulted(
    class: &ast::Struct,
    function: &ast::Function,
    method: bool,
) -> ast::Function {
    let span = function.span;
    let value = |kind| ast::Expr { kind, span };
    let names: [Name; 2] = ["#one".into(), "#other".into()];
    let own = if method { &names[1..] } else { &names[..] };
    let params = function.params.iter().zip(own);
    let params = params.map(|(p, name)| VarDecl { name: name.into(), ..p.clone() }).collect();
    let object = |name: &Name| match method && *name == names[0] {
        true => value(ExprKind::Unary(UnaryOp::Deref, Box::new(value(ExprKind::This)))),
        false => value(ExprKind::Name(name.into(), None)),
    };
    let base = |name: &Name, ty: &TypeExpr| {
        let constant = TypeExpr { constant: true, ..ty.clone() };
        let kind = TypeKind::Reference(Box::new(constant));
        let ty = TypeExpr { kind, constant: false, volatile: false, span };
        value(ExprKind::Cast(CastStyle::Static, ty, Box::new(object(name))))
    };
    let member = |name: &Name, field: &VarDecl| {
        value(ExprKind::Member(Box::new(object(name)), field.name, span, false))
    };
    let bases = class.bases.iter().map(|ty| names.map(|name| base(&name, ty)));
    let named = class.fields.iter().filter(|field| !field.name.is_empty());
    let pairs = bases.chain(named.map(|field| names.map(|name| member(&name, field))));
    let call = |name: Path, values: Vec<ast::Expr>| {
        value(ExprKind::Call(Box::new(value(ExprKind::Name(name, None))), values))
    };
    let result = if function.name.is(EQUAL) {
        let parts = pairs.map(|pair| call("__same_value".into(), pair.into()));
        let both = |a: ast::Expr, b| {
            value(ExprKind::Binary(BinaryOp::LogicalAnd, Box::new(a), Box::new(b)))
        };
        parts.reduce(both).unwrap_or_else(|| value(ExprKind::Bool(true)))
    } else {
        let parts = pairs.map(|pair| call(in_std("__three_way"), pair.into())).collect();
        call(in_std("__first_that_differs"), parts)
    };
    let written = |kind| ast::Stmt { kind, span };
    let body = written(StmtKind::Block(vec![written(StmtKind::Return(Some(result)))]));
    let storage = ast::Storage { host: true, device: true, ..function.storage };
    ast::Function {
        params,
        body: Some(body),
        body_kind: BodyKind::Ordinary,
        storage,
        ..function.clone()
    }
}
