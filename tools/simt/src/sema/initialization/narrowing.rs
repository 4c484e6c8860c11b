//! Constants in braces that lose something in the type that they are for: `int n{3.5}`, `char c{300}`.
//! C++ refuses these. Compilers only warn of what is no constant, and `nvcc` of constants on the device.

use crate::diagnostic::{Diagnostic, Severity};
use crate::sema::Side;
use crate::sema::body::Body;
use crate::sema::constexpr::folding;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Prim, Type};
use crate::syntax::ast;

/// Whether a floating-point constant is written without names: a `const double` is none in C++.
fn is_literal(written: &ast::Expr) -> bool {
    match &written.kind {
        ast::ExprKind::Float(..) | ast::ExprKind::Int(..) => true,
        ast::ExprKind::Unary(_, inner) => is_literal(inner),
        ast::ExprKind::Binary(_, left, right) => is_literal(left) && is_literal(right),
        ast::ExprKind::Cast(_, _, inner) => is_literal(inner),
        _ => false,
    }
}

/// Whether a constant keeps its value in a type.
fn fits(value: &ExprKind, prim: Prim) -> bool {
    match (value, prim) {
        (ExprKind::Int(v), Prim::Float) => (*v as f32) as i128 == *v,
        (ExprKind::Int(v), Prim::Double) => (*v as f64) as i128 == *v,
        (ExprKind::Int(v), _) if prim.is_integer() => folding::wrap(*v, prim) == *v,
        (ExprKind::Float(v), Prim::Float) => !v.is_finite() || (*v as f32).is_finite(),
        (ExprKind::Float(_), _) => !prim.is_integer(),
        _ => true,
    }
}

impl Body<'_, '_> {
    /// The same of the arguments that a constructor takes from a list: `S s{1.5}` with `S(int)`.
    pub(in crate::sema) fn check_narrowed_arguments(&mut self, items: &[ast::Expr], made: &Expr) {
        let ExprKind::Comma(call, _) = &made.kind else { return };
        let ExprKind::Call(function, Some(_), _) = &call.kind else { return };
        let function = function.clone();
        for (item, param) in items.iter().zip(&function.vars[..function.params]) {
            let number = matches!(param.ty.kind, Kind::Prim(_));
            if let (true, Ok(value)) = (number, self.speculate(|body| body.rvalue(item))) {
                self.check_narrowing(item, &value, &param.ty);
            }
        }
    }

    /// Reports a constant that is narrowed.
    pub(in crate::sema) fn check_narrowing(
        &mut self,
        written: &ast::Expr,
        value: &Expr,
        ty: &Type,
    ) {
        let (Kind::Prim(to), Kind::Prim(_)) = (&ty.kind, &value.ty.kind) else { return };
        let span = written.span;
        // In C a list converts as an assignment does.
        if span.is_built_in() || self.sema.c_files.contains(&span.file) {
            return;
        }
        let value = self.folded(value.clone());
        let known = matches!(value.kind, ExprKind::Int(_))
            || matches!(value.kind, ExprKind::Float(_)) && is_literal(written);
        if !known || fits(&value.kind, *to) {
            return;
        }
        let [from, to] =
            [&value.ty.unqualified(), &ty.unqualified()].map(|ty| self.sema.types.spell(ty));
        let message = format!("a list does not convert this `{from}` to `{to}`: its value changes");
        let help = format!("write a value of that type, or the cast: `static_cast<{to}>(..)`");
        let mut diagnostic = Diagnostic::error("narrowing", span, message).with_help(help);
        if self.side == Side::Device {
            diagnostic.severity = Severity::Warning;
        }
        self.sema.report(diagnostic);
    }
}
