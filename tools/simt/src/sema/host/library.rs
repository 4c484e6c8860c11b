//! Calls of library functions that the caller's [`HostEnvironment`] lists.

use crate::diagnostic::Span;
#[cfg(doc)]
use crate::environment::HostEnvironment;
use crate::environment::{CType, LibraryFunction};
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind, Host};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Side};
use crate::syntax::ast::{self, Prim};
use crate::syntax::name::Path;

/// What a kernel does in the place of a function of the host's library, if that is known.
pub(in crate::sema) fn instead_in_kernels(name: &Path) -> Option<&'static str> {
    let spelling = name.in_std().unwrap_or(name.last());
    Some(match &*spelling {
        "rand" | "srand" => {
            "it is of the library of the host: kernels have cuRAND, `#include <curand_kernel.h>`"
        }
        "exit" | "abort" | "terminate" => {
            "it ends the program of the host: a thread of a kernel ends with `return`, and `__trap()` ends the kernel"
        }
        "fprintf" | "puts" | "fputs" | "putchar" | "fflush" | "operator<<" => {
            "it is of the library of the host: kernels print with `printf`"
        }
        "malloc" | "free" => return None,
        "function" => {
            "it is of the library of the host: pass the lambda itself, to a template's parameter"
        }
        _ => {
            "it is of the library of the host: kernels use arrays, pointers and their own functions"
        }
    })
}

/// A variable of the library by the name that programs write.
pub(in crate::sema) fn spelled(name: &Path) -> String {
    let text = name.to_string();
    let stream = text.strip_prefix("__").and_then(|text| text.strip_suffix("_file"));
    stream.map_or(text.clone(), str::to_owned)
}

fn ty(ty: CType) -> Type {
    match ty {
        CType::Void => Prim::Void.into(),
        CType::Int => Prim::Int.into(),
        CType::UInt => Prim::UInt.into(),
        CType::LongLong => Prim::LongLong.into(),
        CType::Size => Prim::ULong.into(),
        CType::Double => Prim::Double.into(),
        CType::Pointer => Type::from(Prim::Void).pointer_to(),
    }
}

impl Body<'_, '_> {
    /// `None` if there is no such function.
    pub(in crate::sema) fn primitive_call(
        &mut self,
        name: Path,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Checked<Expr>> {
        if self.side == Side::Device {
            return None;
        }
        let plain = name.unrooted().unqualified().or(name.in_std())?;
        let (index, function) = self.sema.host.environment?.function(&plain)?;
        Some(self.library_call(index, function, args, span))
    }

    fn library_call(
        &mut self,
        index: u32,
        function: &LibraryFunction,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let LibraryFunction { name, params, variadic, result } = *function;
        let shown = name.strip_prefix("__host_").unwrap_or(name);
        let given = self.values(args)?;
        if given.len() < params.len() || (!variadic && given.len() > params.len()) {
            let least = if variadic { "at least " } else { "" };
            let message =
                format!("`{shown}` takes {least}{} arguments, not {}", params.len(), given.len());
            return self.sema.error("overload", span, message);
        }
        let mut values = Vec::new();
        for (i, value) in given.into_iter().enumerate() {
            let value = self.decay(value);
            values.push(match params.get(i) {
                Some(CType::Pointer) => self.any_pointer(value)?,
                Some(param) => self.convert(value, &ty(*param))?,
                None => self.passed_on(value, shown)?,
            });
        }
        let kind = ExprKind::Host(Box::new(Host::Library(index, values)));
        Ok(Expr::new(kind, ty(result), span))
    }

    fn any_pointer(&mut self, value: Expr) -> Checked<Expr> {
        let to = ty(CType::Pointer);
        if value.ty.pointee().is_some() {
            return Ok(self.cast(value, &to));
        }
        self.convert(value, &to)
    }

    /// One of any number of arguments.
    fn passed_on(&mut self, value: Expr, name: &str) -> Checked<Expr> {
        match self.sema.types.arithmetic(&value.ty) {
            Some(Prim::Float) => Ok(self.cast(value, &Prim::Double.into())),
            Some(prim) if !prim.is_half() => Ok(self.promote(value)),
            _ if matches!(value.ty.kind, Kind::Pointer(_) | Kind::Null | Kind::Enum(_)) => {
                Ok(value)
            }
            _ => {
                let text = self.sema.types.spell(&value.ty.unqualified());
                let message = format!("`{name}` cannot take a `{text}`");
                self.sema.error("type", value.span, message)
            }
        }
    }
}
