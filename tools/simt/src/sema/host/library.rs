//! Calls of the functions at the bottom: see [`crate::host::Library`].
//!
//! The headers call them by their own names. Those that take any number of arguments also have the
//! name that C gives them, since no header can pass such arguments on: `printf` is `__host_printf`.

use crate::diagnostic::Span;
use crate::host::{Library, Shape};
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind, Host};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Side};
use crate::syntax::ast::{self, Prim};

type Row = (Library, &'static str, &'static [Shape], Shape);

fn row(name: &str) -> Option<&'static Row> {
    let plain = name.strip_prefix("::").unwrap_or(name);
    let plain = plain.strip_prefix("std::").unwrap_or(plain);
    if plain.starts_with("__host_") {
        return Library::ALL.iter().find(|row| row.1 == plain);
    }
    Library::ALL.iter().find(|row| {
        row.2.last() == Some(&Shape::Void) && row.1.strip_prefix("__host_") == Some(plain)
    })
}

fn ty(shape: Shape) -> Type {
    match shape {
        Shape::Void => Prim::Void.into(),
        Shape::Int => Prim::Int.into(),
        Shape::UInt => Prim::UInt.into(),
        Shape::Long => Prim::LongLong.into(),
        Shape::Size => Prim::ULong.into(),
        Shape::Double => Prim::Double.into(),
        Shape::Pointer => Type::from(Prim::Void).pointer_to(),
    }
}

impl Body<'_, '_> {
    /// `None` if there is no such function.
    pub(in crate::sema) fn primitive_call(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Checked<Expr>> {
        if self.side == Side::Device {
            return None;
        }
        let row = row(name)?;
        Some(self.primitive(row, args, span))
    }

    fn primitive(&mut self, row: &Row, args: &[ast::Expr], span: Span) -> Checked<Expr> {
        let (function, name, mut params, result) = *row;
        let open = params.last() == Some(&Shape::Void);
        if open {
            params = &params[..params.len() - 1];
        }
        let shown = name.strip_prefix("__host_").unwrap_or(name);
        let given = self.values(args)?;
        if given.len() < params.len() || (!open && given.len() > params.len()) {
            let least = if open { "at least " } else { "" };
            let message =
                format!("`{shown}` takes {least}{} arguments, not {}", params.len(), given.len());
            return self.sema.error("overload", span, message);
        }
        let mut values = Vec::new();
        for (i, value) in given.into_iter().enumerate() {
            let value = self.decay(value);
            values.push(match params.get(i) {
                Some(Shape::Pointer) => self.any_pointer(value)?,
                Some(shape) => self.convert(value, &ty(*shape))?,
                None => self.passed_on(value, shown)?,
            });
        }
        let kind = ExprKind::Host(Box::new(Host::Library(function, values)));
        Some(Expr::new(kind, ty(result), span))
    }

    fn any_pointer(&mut self, value: Expr) -> Checked<Expr> {
        let to = ty(Shape::Pointer);
        if value.ty.pointee().is_some() {
            return Some(self.cast(value, &to));
        }
        self.convert(value, &to)
    }

    /// One of any number of arguments.
    fn passed_on(&mut self, value: Expr, name: &str) -> Checked<Expr> {
        match self.sema.types.arithmetic(&value.ty) {
            Some(Prim::Float) => Some(self.cast(value, &Prim::Double.into())),
            Some(prim) if !prim.is_half() => Some(self.promote(value)),
            _ if matches!(value.ty.kind, Kind::Pointer(_) | Kind::Null | Kind::Enum(_)) => {
                Some(value)
            }
            _ => {
                let text = self.sema.types.spell(&value.ty.unqualified());
                let message = format!("`{name}` cannot take a `{text}`");
                self.sema.error("type", value.span, message)
            }
        }
    }
}
