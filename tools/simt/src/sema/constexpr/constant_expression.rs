//! Constants that C++ needs at compile time: lengths, template arguments, `static_assert`, cases,
//! and the first bytes of variables in device memory.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::constexpr::evaluation::{self, MAX_STEPS};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Sema};
use crate::syntax::ast::{self, Storage};
use std::rc::Rc;

/// Bytes of a variable whose elements are constants at most.
const MAX_KNOWN: u64 = 1 << 19;

/// The largest alignment that may be asked for.
const MAX_ALIGNMENT: u64 = 1 << 16;

impl Body<'_, '_> {
    /// The expression as a constant, if it is one.
    pub(in crate::sema) fn folded(&mut self, e: Expr) -> Expr {
        if e.is_constant() || self.sema.types.scalar(&e.ty).is_none() {
            return e;
        }
        let (types, known) = (&self.sema.types, &self.sema.storage.constants);
        match evaluation::value(types, known, &self.constants, &e).filter(Expr::is_constant) {
            Some(value) => {
                Expr { kind: value.kind, ty: e.ty.unqualified(), span: e.span, place: false }
            }
            None => e,
        }
    }

    /// The value of a `constexpr` array, struct or pointer, as far as it can be told.
    pub(in crate::sema) fn known_value(
        &mut self,
        storage: Storage,
        value: &Expr,
    ) -> Option<Rc<Expr>> {
        let ty = &value.ty;
        let kept = matches!(ty.kind, Kind::Struct(_) | Kind::Array(..) | Kind::Pointer(_));
        if !storage.constexpr || !kept || self.sema.types.size_of(ty) > MAX_KNOWN {
            return None;
        }
        let (types, known) = (&self.sema.types, &self.sema.storage.constants);
        evaluation::value(types, known, &self.constants, value).map(Rc::new)
    }

    /// An integer constant.
    pub(in crate::sema) fn constant_int(&mut self, e: &ast::Expr) -> Checked<i128> {
        let before = self.sema.warp_sizes;
        let value = self.rvalue(e)?;
        self.names_no_warp_size(before, e.span)?;
        let value = self.folded(value);
        match value.as_int() {
            Some(v) => Ok(v),
            None if self.sema.storage.constants.is_exhausted() => self.too_many_steps(e.span),
            None => {
                let diagnostic = Diagnostic::error("constant", e.span, "this must be a constant integer")
                    .with_help("it may use numbers, `constexpr` variables and their elements, `const` numbers, and template parameters");
                self.sema.report(diagnostic);
                Err(Reported)
            }
        }
    }

    /// Reports `warpSize` in a constant: `before` is how often it was named before.
    pub(in crate::sema) fn names_no_warp_size(&mut self, before: u64, span: Span) -> Checked<()> {
        if self.sema.warp_sizes == before {
            return Ok(());
        }
        let message = "`warpSize` is no constant: it is read as the kernel runs";
        let diagnostic = Diagnostic::error("constant", span, message)
            .with_help("write 32, or `constexpr int WARP = 32;` and its name");
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// A constant whose evaluation was given up.
    pub(in crate::sema) fn too_many_steps<T>(&mut self, span: Span) -> Checked<T> {
        let message = format!(
            "evaluating this constant takes more than {MAX_STEPS} steps, or those of all constants four times as many"
        );
        self.sema.error("constant", span, message)
    }

    /// What `__align__` asks for; 1 where there is none.
    pub(in crate::sema) fn alignment(&mut self, e: Option<&ast::Expr>) -> Checked<u64> {
        let Some(e) = e else { return Ok(1) };
        let value = self.constant_int(e)?;
        match u64::try_from(value) {
            Ok(n) if n.is_power_of_two() && n <= MAX_ALIGNMENT => Ok(n),
            _ => self.sema.error(
                "constant",
                e.span,
                format!("an alignment is a power of two up to {MAX_ALIGNMENT}, not {value}"),
            ),
        }
    }

    /// What an alias stands for. A `typedef` may state the alignment that the type has.
    pub(in crate::sema) fn aliased_type(&mut self, alias: &ast::Alias) -> Checked<Type> {
        let ty = self.only_named(|b| b.resolve(&alias.ty))?;
        if let Some(written) = &alias.align
            && self.alignment(Some(written))? != self.sema.types.align_of(&ty)
        {
            let what = "a `typedef` that changes the alignment of its type";
            return self.sema.unsupported(written.span, what);
        }
        Ok(ty)
    }

    pub(in crate::sema) fn static_assert(&mut self, cond: &ast::Expr, message: Option<&str>) {
        let Ok(value) = self.constant_condition(cond) else { return };
        if !value {
            let words = message.map_or(String::new(), |m| format!(": {m}"));
            let _: Checked<()> =
                self.sema.error("static-assert", cond.span, format!("assertion failed{words}"));
        }
    }

    /// The condition of `if constexpr` and `static_assert`.
    pub(in crate::sema) fn constant_condition(&mut self, cond: &ast::Expr) -> Checked<bool> {
        let before = self.sema.warp_sizes;
        let value = self.condition_value(cond)?;
        self.names_no_warp_size(before, cond.span)?;
        let value = self.folded(value);
        match value.as_int() {
            Some(v) => Ok(v != 0),
            None if self.sema.storage.constants.is_exhausted() => self.too_many_steps(cond.span),
            None => self.sema.error("constant", cond.span, "this condition must be a constant"),
        }
    }
}

impl Sema<'_> {
    /// Writes a constant's bytes at `at`.
    pub(in crate::sema) fn store_constant(
        &mut self,
        value: &Expr,
        out: &mut [u8],
        at: usize,
    ) -> Checked<()> {
        let size = self.types.size_of(&value.ty) as usize;
        let bytes: [u8; 8] = match &value.kind {
            ExprKind::Zero => return Ok(()),
            ExprKind::Int(v) => (*v as u64).to_le_bytes(),
            ExprKind::Float(v) => {
                let prim = self.types.scalar(&value.ty).unwrap_or(ast::Prim::Double);
                prim.float_bits(*v).to_le_bytes()
            }
            ExprKind::Make(parts) => {
                let offsets: Vec<usize> = match &value.ty.kind {
                    Kind::Struct(i) => {
                        self.types.get(*i).fields.iter().map(|f| f.offset as usize).collect()
                    }
                    Kind::Array(element, _) => {
                        let step = self.types.size_of(element) as usize;
                        (0..parts.len()).map(|i| i * step).collect()
                    }
                    _ => Vec::new(),
                };
                for (part, offset) in parts.iter().zip(offsets) {
                    self.store_constant(part, out, at + offset)?;
                }
                return Ok(());
            }
            _ => {
                return self.error(
                    "constant",
                    value.span,
                    "the value of a variable in device memory must be constant",
                );
            }
        };
        match out.get_mut(at..at + size) {
            Some(place) => place.copy_from_slice(&bytes[..size]),
            None => {
                return self.error("constant", value.span, "this value does not fit its variable");
            }
        }
        Ok(())
    }
}
