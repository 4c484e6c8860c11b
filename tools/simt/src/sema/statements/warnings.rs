//! Warnings of statements that C++ allows and that go wrong, as nvcc has them.

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::sema::Side;
use crate::sema::body::Body;
use crate::sema::symbols::namespace_variables::element_of;
use crate::sema::tree::{Expr, ExprKind, Home};
use crate::sema::types::Kind;
use crate::syntax::ast::{self, BinaryOp, Init, Prim, StmtKind};

impl Body<'_, '_> {
    fn warn(&mut self, warning: Diagnostic) {
        self.sema.report(Diagnostic { severity: Severity::Warning, ..warning });
    }

    /// Warns of a `return` that gives back where a local variable was.
    pub(in crate::sema) fn lint_returned_local(&mut self, place: &Expr, what: &str, span: Span) {
        let mut inner = place;
        while let ExprKind::Member(outer, _) | ExprKind::Index(outer, _) | ExprKind::Decay(outer) =
            &inner.kind
        {
            inner = outer;
        }
        let ExprKind::Var(id) = &inner.kind else { return };
        if span.is_built_in() {
            return;
        }
        let var = &self.vars[*id as usize];
        // A constant may be `static`.
        let ends = var.home == Home::Own && !var.reference && !element_of(&var.ty).constant;
        if !ends || inner.ty.pointee().is_some() && !std::ptr::eq(inner, place) {
            return;
        }
        let message = format!("this returns {what} `{}`, which ends with the function", var.name);
        let warning = Diagnostic::error("lint-return", span, message)
            .with_label(var.span, "declared here")
            .with_help("return the value itself, or let the caller pass where it goes");
        self.warn(warning);
    }

    /// Warns of a `case` that jumps past a variable's first value.
    pub(in crate::sema) fn lint_passed_value(&mut self, list: &[&ast::Stmt]) {
        let mut passed: Option<(crate::syntax::name::Path, Span)> = None;
        for stmt in list {
            match (&stmt.kind, passed) {
                (StmtKind::Declare(all), None) => {
                    let given =
                        |v: &&ast::VarDecl| !matches!(v.init, Init::None) && !v.storage.is_static;
                    passed = all.iter().find(given).map(|v| (v.name, v.span));
                }
                (StmtKind::Case(_) | StmtKind::Default, Some((name, at))) => {
                    let message = format!("this label jumps past the first value of `{name}`");
                    // `nvcc` warns, and `g++` refuses it in host code. In C it is fine.
                    let on_host = self.side == Side::Host && !self.sema.c_files.contains(&at.file);
                    let code = if on_host { "syntax" } else { "lint-jump" };
                    let mistake = Diagnostic::error(code, stmt.span, message)
                        .with_label(at, "it begins here")
                        .with_help("put the statements of the `case` before into braces");
                    return if on_host { self.sema.report(mistake) } else { self.warn(mistake) };
                }
                _ => {}
            }
        }
    }

    /// Warns of a number or a variable before a comma, as in `dim3 block = (16, 16);`.
    pub(in crate::sema) fn lint_before_comma(&mut self, written: &ast::Expr) {
        let still = matches!(
            written.kind,
            ast::ExprKind::Int(..) | ast::ExprKind::Float(..) | ast::ExprKind::Name(_, None)
        );
        if !still || written.span.is_built_in() {
            return;
        }
        let message = "the value before this comma is not used: only the last one is";
        let warning = Diagnostic::error("lint-unused", written.span, message).with_help(
            "a `dim3` of two numbers is `dim3 block(16, 16)`, an index of two is `a[i][j]`",
        );
        self.warn(warning);
    }

    /// Warns of `u >= 0` and `u < 0` of an unsigned number.
    pub(in crate::sema) fn lint_unsigned(
        &mut self,
        op: BinaryOp,
        written: [&ast::Expr; 2],
        values: [&Expr; 2],
        span: Span,
    ) {
        let number = match op {
            BinaryOp::Ge | BinaryOp::Lt => 0,
            BinaryOp::Le | BinaryOp::Gt => 1,
            _ => return,
        };
        let is_zero = values[1 - number].as_int() == Some(0)
            && matches!(written[1 - number].kind, ast::ExprKind::Int(..));
        let prim = self.sema.types.arithmetic(&values[number].ty);
        let unsigned = prim.is_some_and(|p| p.is_integer() && !p.is_signed() && p != Prim::Bool);
        if !is_zero || !unsigned || values[number].as_int().is_some() || span.is_built_in() {
            return;
        }
        let always = if matches!(op, BinaryOp::Ge | BinaryOp::Le) { "always" } else { "never" };
        let ty = self.sema.types.spell(&values[number].ty.unqualified());
        let message = format!("this is {always} so: an `{ty}` is never below zero");
        let warning = Diagnostic::error("lint-comparison", span, message)
            .with_help("compare with `> 0`, or make it an `int`");
        self.warn(warning);
    }

    /// Warns of values that the format of a kernel's `printf` takes for others.
    pub(in crate::sema) fn lint_format(&mut self, text: &[u8], values: &[Expr]) {
        for (number, (wanted, value)) in wanted(text).into_iter().zip(values).enumerate() {
            let ty = &value.ty;
            let scalar = self.sema.types.scalar(ty);
            let size = scalar.map_or(0, |prim| prim.size());
            let pointer = ty.pointee();
            let float = self.sema.types.arithmetic(ty).is_some_and(|prim| prim.is_float());
            let fits = match wanted.what {
                What::Float => float,
                What::Int(bytes) => !float && size == bytes && (pointer.is_none() || bytes == 8),
                What::Pointer => pointer.is_some() || ty.kind == Kind::Null,
                // What is no pointer is refused.
                What::Text => pointer.is_none_or(|to| {
                    self.sema.types.scalar(to).is_some_and(|prim| prim.size() == 1)
                }),
                What::Other => true,
            };
            if fits || scalar.is_none() {
                continue;
            }
            let given = self.sema.types.spell(&ty.unqualified());
            let message = format!(
                "`%{}` prints {}, and value {} of the format is `{given}`",
                wanted.written,
                wanted.what.words(),
                number + 1
            );
            let warning = Diagnostic::error("printf", value.span, message)
                .with_help("change the format, or convert the value");
            self.warn(warning);
        }
    }
}

/// What a conversion of a format takes.
#[derive(Clone, Copy)]
enum What {
    Float,
    /// An integer of so many bytes.
    Int(u64),
    Pointer,
    Text,
    Other,
}

impl What {
    fn words(self) -> &'static str {
        match self {
            What::Float => "a `double`",
            What::Int(8) => "an integer of 64 bits",
            What::Int(_) => "an `int`",
            What::Pointer => "a pointer",
            What::Text => "a text",
            What::Other => "a value",
        }
    }
}

struct Wanted {
    what: What,
    /// The conversion without its `%`.
    written: String,
}

/// What the conversions of a format take, those of `*` among them.
fn wanted(text: &[u8]) -> Vec<Wanted> {
    let mut out = Vec::new();
    let mut bytes = text.iter().map(|byte| char::from(*byte));
    while let Some(byte) = bytes.next() {
        if byte != '%' {
            continue;
        }
        let mut written = String::new();
        for c in bytes.by_ref() {
            written.push(c);
            if c == '*' {
                out.push(Wanted { what: What::Int(4), written: written.clone() });
            }
            if c == '%' || c.is_ascii_alphabetic() && !"lhzjtL".contains(c) {
                break;
            }
        }
        let long = written.contains(['l', 'z', 'j', 't']);
        let what = match written.chars().last() {
            Some('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c') => What::Int(if long { 8 } else { 4 }),
            Some(c) if "aAeEfFgG".contains(c) => What::Float,
            Some('s') => What::Text,
            Some('p') => What::Pointer,
            Some('%') | None => continue,
            Some(_) => What::Other,
        };
        out.push(Wanted { what, written });
    }
    out
}
