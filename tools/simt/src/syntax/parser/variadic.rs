//! C variadic functions, `void say(const char* format, ...)`, rewritten as variadic templates.
//!
//! The `...` becomes a parameter pack. The body begins with an array of the pack's elements, eight
//! bytes each, to which `va_start` points (`<stdarg.h>`).

use super::super::ast::{
    Expr, ExprKind, Init, Prim, Stmt, StmtKind, Storage, TemplateParam, TypeExpr, TypeKind, VarDecl,
};
use super::super::token::Name;
use crate::diagnostic::Span;

/// Appends the pack to the parameters, and inserts the array at the start of the body. Returns the
/// template parameter of the pack's types.
pub(super) fn open(params: &mut Vec<VarDecl>, body: Option<&mut Stmt>, at: Span) -> TemplateParam {
    let ty = |kind| TypeExpr { kind, constant: false, volatile: false, span: at };
    let expr = |kind| Expr { kind, span: at };
    let variable = |name: &str, ty, init| VarDecl {
        name: name.into(),
        span: at,
        ty,
        storage: Storage::default(),
        align: None,
        init,
    };
    let types: Name = "__va_types".into();
    let pack = ty(TypeKind::Named(types.into(), Vec::new()));
    params.push(variable(
        "__va_rest",
        ty(TypeKind::Expand(Box::new(pack), [types].into())),
        Init::None,
    ));
    if let Some(Stmt { kind: StmtKind::Block(statements), .. }) = body {
        let name = |name: &str| Box::new(expr(ExprKind::Name(name.into(), None)));
        let slot = expr(ExprKind::Call(name("__va_slot"), vec![*name("__va_rest")]));
        let all = ExprKind::Expand(Box::new(slot), ["__va_rest".into()].into());
        let items = vec![expr(all), expr(ExprKind::Int(0, Prim::Int))];
        let words = ty(TypeKind::Array(Box::new(ty(TypeKind::Prim(Prim::ULongLong))), None));
        let array = variable("__va_here", words, Init::Expr(expr(ExprKind::List(items))));
        statements.insert(0, Stmt { kind: StmtKind::Declare(vec![array]), span: at });
    }
    TemplateParam { name: types, value: None, pack: true, default: None, constraint: None }
}
