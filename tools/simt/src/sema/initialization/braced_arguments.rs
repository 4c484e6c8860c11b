//! Arguments of calls that have no type of their own: braced lists, `f({1, 2})`, and the names of
//! overloaded functions.
//!
//! Overload resolution tries such an argument on the parameter of each candidate; the value that it
//! makes there is kept for the call, so that a list is checked once per type.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::conversions::standard_conversion::{Fit, fit};
use crate::sema::ids::ListId;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Side};
use crate::syntax::ast::{self, TemplateArg};
use crate::syntax::name::Path;
use std::borrow::Cow;

/// A braced list, or the name of an overloaded function, among the arguments of a call.
pub(in crate::sema) struct BracedArgument {
    written: ast::Expr,
    /// Whether it is a default argument: what it constructs is not the caller's text.
    is_default: bool,
    /// The values that it made, by unqualified type.
    values: Vec<(Type, Expr)>,
}

impl Body<'_, '_> {
    /// The argument as an expression of the type [`Kind::List`].
    pub(in crate::sema) fn braced_argument(
        &mut self,
        written: &ast::Expr,
        is_default: bool,
    ) -> Expr {
        let list = ListId::new(self.braced_arguments.len());
        let values = Vec::new();
        self.braced_arguments.push(BracedArgument { written: written.clone(), is_default, values });
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
        let hidden = argument.is_default.then(|| self.frame.function.take());
        let reported = self.sema.diagnostics.list.len();
        let value = self.braced_as(&written, ty);
        if let Some(function) = hidden {
            self.frame.function = function;
        }
        let value = value?;
        // Whoever speculates discards what was reported, and it has to be reported again.
        if self.sema.diagnostics.list.len() == reported {
            let values = &mut self.braced_arguments[list.index()].values;
            values.push((ty.clone(), value.clone()));
        }
        Ok(value)
    }

    fn braced_as(&mut self, written: &ast::Expr, ty: &Type) -> Checked<Expr> {
        Ok(match &written.kind {
            ast::ExprKind::List(_) | ast::ExprKind::Designated(_) => {
                let made = self.list_value(ty, written, written.span)?;
                self.check_implicit(ty, &made, written.span);
                made
            }
            _ => {
                let value = self.value_for(written, ty)?;
                self.convert(value, ty)?
            }
        })
    }

    /// Whether the list can be a value of this type.
    pub(in crate::sema) fn braced_fits(&mut self, list: ListId, ty: &Type) -> bool {
        self.speculate(|body| body.braced_value(list, ty)).is_ok()
    }

    /// The rank of the list's conversion to this type: to a `std::initializer_list` before any other.
    pub(in crate::sema) fn braced_fit(&mut self, list: ListId, ty: &Type) -> Option<Fit> {
        if !self.braced_fits(list, ty) {
            return None;
        }
        let ast::ExprKind::List(items) = self.braced_as_written(list).kind else {
            let overloaded =
                !matches!(self.braced_as_written(list).kind, ast::ExprKind::Designated(_));
            return Some(if overloaded { Fit::Exact } else { Fit::User });
        };
        let items = self.speculate(|body| body.unpacked(&items).map(Cow::into_owned)).ok()?;
        let listed = self.listed(ty);
        let element = listed.as_ref().unwrap_or(ty).unqualified();
        let exact = items.iter().all(|item| {
            let value = self.speculate(|body| body.rvalue(item));
            let fits = |value: Expr| fit(&self.sema.types, &value.ty, &element, false);
            value.ok().and_then(fits) == Some(Fit::Exact)
        });
        Some(match (listed.is_some(), items.as_slice()) {
            (true, _) if exact => Fit::Exact,
            (true, _) => Fit::Qualified,
            (false, [_]) if self.sema.types.scalar(ty).is_some() => {
                if exact {
                    Fit::Promotion
                } else {
                    Fit::Conversion
                }
            }
            _ => Fit::User,
        })
    }

    /// `std::max({a, b, c})` and `std::min` of constants; `None` for any other call.
    pub(in crate::sema) fn extreme_of_list(
        &mut self,
        name: Path,
        explicit: &[TemplateArg],
        values: &[Expr],
        span: Span,
    ) -> Option<Expr> {
        let largest = match &*name.in_std()? {
            "max" => true,
            "min" => false,
            _ => return None,
        };
        let [Expr { ty: Type { kind: Kind::List(list), .. }, .. }] = values else { return None };
        let ast::ExprKind::List(items) = self.braced_as_written(*list).kind else { return None };
        let numbers = self.speculate(|body| {
            let wanted = match explicit {
                [TemplateArg::Type(ty)] => Some(body.resolve(ty).ok()?),
                _ => None,
            };
            let mut numbers: Vec<(i128, Type)> = Vec::new();
            for item in body.unpacked(&items).ok()?.iter() {
                let value = body.rvalue(item).ok()?;
                let value = match &wanted {
                    Some(ty) => body.convert(value, ty).ok()?,
                    None => value,
                };
                let value = body.folded(value);
                numbers.push((value.as_int()?, value.ty.unqualified()));
            }
            Some(numbers)
        })?;
        let (_, ty) = numbers.first()?;
        if !ty.is_integer() || numbers.iter().any(|(_, other)| other != ty) {
            return None;
        }
        let all = numbers.iter().map(|(number, _)| *number);
        let found = if largest { all.max() } else { all.min() };
        Some(Expr::new(ExprKind::Int(found?), ty.clone(), span))
    }

    /// `max(a, b, c)` of numbers: there are two, or a list.
    pub(in crate::sema) fn check_extremes(
        &mut self,
        name: Path,
        values: &[Expr],
        span: Span,
    ) -> Checked<()> {
        let Some(word) = name.in_std().or(name.unrooted().unqualified()) else { return Ok(()) };
        let numbers = values.len() > 2 && values.iter().all(|value| value.ty.is_arithmetic());
        let own = self.sema.definitions.functions.get(&name.unrooted()).is_some_and(|all| {
            all.iter().any(|id| !self.sema.definitions[*id].ast.span.is_built_in())
        });
        if !["max", "min"].contains(&&*word) || !numbers || own {
            return Ok(());
        }
        let message = format!("`{name}` compares two numbers, not {}", values.len());
        let error = Diagnostic::error("overload", span, message);
        self.sema.report(match self.side {
            Side::Host => error.with_help(format!("write `std::{word}({{a, b, c}})`")),
            Side::Device => error.with_help(format!("write `{word}(a, {word}(b, c))`")),
        });
        Err(Reported)
    }

    /// The type of the list's first value, from which a template deduces what a
    /// `std::initializer_list` lists.
    pub(in crate::sema) fn braced_element(&mut self, list: ListId) -> Option<Type> {
        let ast::ExprKind::List(items) = self.braced_as_written(list).kind else { return None };
        let first = self.speculate(|body| {
            let items = body.unpacked(&items).ok()?;
            body.rvalue(items.first()?).ok()
        })?;
        Some(first.ty.unqualified())
    }
}
