//! Braced lists as arguments of calls: `f({1, 2})`.
//!
//! Such an argument has no type of its own. Overload resolution tries it on the parameter of each
//! candidate; the value that it makes there is kept for the call, so that a list is checked once per
//! type.

use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::ids::ListId;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast;

/// A braced list among the arguments of a call.
pub(in crate::sema) struct BracedArgument {
    written: ast::Expr,
    /// The values that it made, by unqualified type.
    values: Vec<(Type, Expr)>,
}

impl Body<'_, '_> {
    /// The argument as an expression of the type [`Kind::List`].
    pub(in crate::sema) fn braced_argument(&mut self, written: &ast::Expr) -> Expr {
        let list = ListId::new(self.braced_arguments.len());
        self.braced_arguments.push(BracedArgument { written: written.clone(), values: Vec::new() });
        Expr::new(ExprKind::Zero, Kind::List(list).into(), written.span)
    }

    /// The list as written.
    pub(in crate::sema) fn braced_as_written(&self, list: ListId) -> ast::Expr {
        self.braced_arguments[list.index()].written.clone()
    }

    /// The list as a value of this type.
    pub(in crate::sema) fn braced_value(&mut self, list: ListId, ty: &Type) -> Checked<Expr> {
        let ty = &ty.unqualified();
        let argument = &self.braced_arguments[list.index()];
        if let Some((_, value)) = argument.values.iter().find(|(made, _)| made == ty) {
            return Ok(value.clone());
        }
        let written = argument.written.clone();
        let reported = self.sema.diagnostics.list.len();
        let value = self.list_value(ty, &written, written.span)?;
        // Whoever speculates discards what was reported, and it has to be reported again.
        if self.sema.diagnostics.list.len() == reported {
            let values = &mut self.braced_arguments[list.index()].values;
            values.push((ty.clone(), value.clone()));
        }
        Ok(value)
    }

    /// Whether the list can be a value of this type.
    pub(in crate::sema) fn braced_fits(&mut self, list: ListId, ty: &Type) -> bool {
        self.speculate(|body| body.braced_value(list, ty)).is_ok()
    }

    /// The type of the list's first value, from which a template deduces what a
    /// `std::initializer_list` lists.
    pub(in crate::sema) fn braced_element(&mut self, list: ListId) -> Option<Type> {
        let ast::ExprKind::List(items) = self.braced_as_written(list).kind else { return None };
        let first = self.speculate(|body| body.rvalue(items.first()?).ok())?;
        Some(first.ty.unqualified())
    }
}
