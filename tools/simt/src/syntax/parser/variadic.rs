//! Functions with any number of arguments, `void say(const char* format, ...)`.
//!
//! Such a function is a template whose last parameter is a pack, and its body begins with an array
//! of what the pack holds, eight bytes each, which `va_start` hands out (`<stdarg.h>`).

use super::super::ast::{
    Expr, ExprKind, Init, Prim, Stmt, StmtKind, Storage, TemplateParam, TypeExpr, TypeKind, VarDecl,
};
use super::super::token::Name;
use crate::diagnostic::Span;

/// Adds the pack behind the parameters, and the array in front of the body.
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
    TemplateParam { name: types, value: None, pack: true, default: None }
}
