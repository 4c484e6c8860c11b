//! Explicitly defaulted functions outside their class, `S::S(S&&) noexcept = default;`.
//!
//! To the class they are functions of its own. What they do is what the compiler's would.

use crate::reported::Reported;
use crate::sema::body::{self, Body};
use crate::sema::tree::{Expr, ExprKind, Function, Stmt};
use crate::sema::types::{Kind, Type};
use crate::sema::{Arg, Checked, Declared, Sema, Side};
use crate::syntax::ast;
use std::rc::Rc;

/// The function, of a declaration without a body.
pub(in crate::sema) fn function(
    sema: &mut Sema<'_>,
    declared: &Declared,
    args: &[Arg],
    side: Side,
) -> Checked<Function> {
    let ast = &declared.ast;
    if ast.name.last().starts_with("operator") && !ast.name.last().ends_with("operator=") {
        let Some(class) = compared(sema, declared) else { return Err(Reported) };
        let method = declared.owner.is_some();
        let written = crate::sema::expressions::defaulted_comparison(&class, ast, method);
        let declared = Declared { ast: Rc::new(written), ..declared.clone() };
        return body::function(sema, &declared, args, side);
    }
    let index = declared.owner.ok_or(Reported)?;
    let mut body = Body::of(sema, declared, ast, args, side);
    for param in &ast.params {
        body.param(param, false)?;
    }
    let Some(first) = body.vars.first() else { return Err(Reported) };
    let span = ast.span;
    let moving = first.rvalue;
    let ty: Type = Kind::Struct(index).into();
    let this = Expr::place(ExprKind::This, ty.clone(), span);
    let other = Expr::place(ExprKind::Var(0), ty.clone(), span);
    let assigns = ast.name.last().starts_with("operator");
    let statements = match assigns {
        true => {
            let mut all = body.assign_members(this.clone(), other, index, moving, span)?;
            all.push(Stmt::Return(Some(this), span));
            all
        }
        false => body.copy_members(this, other, moving, span)?,
    };
    let noexcept = side == Side::Host && body.is_noexcept(ast)?;
    let returns = if assigns { ty } else { ast::Prim::Void.into() };
    let (params, vars) = (ast.params.len(), std::mem::take(&mut body.vars));
    let made = Function::of_object("", returns, statements, span);
    Ok(Function { name: ast.name, reference: assigns, params, vars, noexcept, ..made })
}

/// The class whose objects a defaulted comparison compares.
fn compared(sema: &mut Sema<'_>, declared: &Declared) -> Option<Rc<ast::Struct>> {
    let index = match declared.owner {
        Some(index) => Some(index),
        None => {
            let first = declared.ast.params.first()?;
            let mut body = Body::outside(sema);
            body.bind(&declared.bindings);
            match body.resolve(&first.ty).ok()?.unreferenced().kind {
                Kind::Struct(index) => Some(index),
                _ => None,
            }
        }
    }?;
    sema.definitions.struct_asts.get(&index).cloned()
}
