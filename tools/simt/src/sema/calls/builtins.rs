//! CUDA's built-in functions: argument conversions, and the intrinsic that each becomes.

pub(in crate::sema) mod exact;
mod extremes;
mod table;
mod vector_atomics;

use crate::Severity;
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::{AtomicOp, Math, Scope, ShuffleKind, UnOp};
use crate::reported::Reported;
use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::calls::misspelt::instead_of_target;
use crate::sema::conversions::standard_conversion::{common, promoted};
use crate::sema::tree::{Expr, ExprKind, Intrinsic};
use crate::sema::types::{ClassId, Kind, Type};
use crate::syntax::ast::{self, Prim};
use crate::syntax::name::Path;
use std::cmp;
use table::{What, atomic_types, is_standard, known, refused};

const FULL: i128 = 0xffff_ffff;

/// Whether there is a built-in function of that name.
pub(in crate::sema) fn knows(path: Path) -> bool {
    match path.in_std() {
        Some(name) => is_standard(&name),
        None => {
            path.unrooted().unqualified().is_some_and(|n| &*n == "printf" || known(&n).is_some())
        }
    }
}

/// Whether it is `printf`. Its format is a literal, which is no value on the device.
pub(in crate::sema) fn is_printf(path: Path) -> bool {
    path.unrooted().is("printf")
}

impl Body<'_, '_> {
    /// The error for a function that exists in CUDA or C++ and is not supported.
    pub(in crate::sema) fn refused_builtin(
        &mut self,
        path: Path,
        at: Span,
    ) -> Option<Checked<Expr>> {
        if path.in_std().is_some_and(|name| !is_standard(&name)) {
            let found = crate::syntax::foreign::foreign(path)?;
            self.sema.report(found.refused(path, at));
            return Some(Err(Reported));
        }
        let name = path.in_std().or(path.unrooted().unqualified())?;
        let what = refused(&name)?;
        Some(self.sema.unsupported(at, format!("`{name}` ({what})")))
    }

    /// Arguments as values: arrays become pointers.
    fn all_decayed(&mut self, values: Vec<Expr>) -> Checked<Vec<Expr>> {
        let mut out = Vec::new();
        for value in values {
            out.push(match value.ty.kind {
                // Braces have no type of their own: this reports that.
                Kind::List(list) => self.rvalue(&self.braced_as_written(list))?,
                _ => self.decay(value),
            });
        }
        Ok(out)
    }

    /// A call of a built-in function ([`knows`]) but `printf`.
    pub(in crate::sema) fn builtin_call(
        &mut self,
        path: Path,
        values: Vec<Expr>,
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        let name = path.last();
        let name: &str = &name;
        let shape = known(name).ok_or(Reported)?;
        let values = self.all_decayed(values)?;
        let (least, most) = shape.count;
        if values.len() < least || values.len() > most {
            let wanted =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            let plural = if most == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {wanted} argument{plural}, not {}", values.len());
            return self.sema.error("overload", span, message);
        }
        self.builtin(name, shape.what, values, at, span)
    }

    fn builtin(
        &mut self,
        name: &str,
        what: What,
        values: Vec<Expr>,
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        let made = |kind: Intrinsic, values: Vec<Expr>, ty: Type| {
            Ok(Expr::new(ExprKind::Intrinsic(kind, values), ty, span))
        };
        match what {
            What::Typed(kind, params, returns) => {
                let mut args = Vec::new();
                for (value, prim) in values.into_iter().zip(params) {
                    self.lint_conversion(&value, &(*prim).into());
                    args.push(self.convert(value, &(*prim).into())?);
                }
                made(kind, args, returns.into())
            }
            What::Math(_)
            | What::HalfAbs
            | What::Operator(_)
            | What::Abs
            | What::MinMax(_)
            | What::FloatPair(_)
            | What::Library(..)
            | What::Fma => {
                // What <cmath> overloads takes a class by its conversion.
                let values =
                    values.into_iter().map(|v| self.as_number(v)).collect::<Checked<_>>()?;
                self.arithmetic_builtin(name, what, values, span)
            }
            What::Bits(from, to) => {
                let value = values.into_iter().next().ok_or(Reported)?;
                let value = self.convert(value, &from.into())?;
                Ok(Expr::new(ExprKind::Bits(Box::new(value)), to.into(), span))
            }
            What::Shuffle(kind) => self.shuffle(name, kind, values, span),
            What::Reduce(op) => self.warp_reduce(name, op, values, span),
            What::Match(all) => self.warp_match(name, all, values, span),
            What::Atomic(op, scope) => self.atomic(name, op, scope, values, span),
            What::Load | What::Store => self.hinted_access(name, values, at, span),
            What::Make => self.make_vector(name, values, span),
            What::Assert => {
                let value = values.into_iter().next().ok_or(Reported)?;
                let cond = self.boolean(value)?;
                made(Intrinsic::Assert, vec![cond], Prim::Void.into())
            }
            What::Trap(why) => {
                made(Intrinsic::Trap(why.to_string()), Vec::new(), Prim::Void.into())
            }
            What::Assume => {
                self.boolean(values.into_iter().next().ok_or(Reported)?)?;
                made(Intrinsic::Nothing, Vec::new(), Prim::Void.into())
            }
            What::Expect => {
                let value = values.into_iter().next().ok_or(Reported)?;
                self.convert(value, &Prim::Long.into())
            }
            What::First => values.into_iter().next().ok_or(Reported),
            What::Unreachable => made(
                Intrinsic::Trap("__builtin_unreachable() was reached".to_string()),
                Vec::new(),
                Prim::Void.into(),
            ),
            What::NotANumber(prim) => Ok(Expr::new(ExprKind::Float(f64::NAN), prim.into(), span)),
            What::Malloc => {
                let bytes = values.into_iter().next().ok_or(Reported)?;
                let bytes = self.convert(bytes, &Prim::ULong.into())?;
                made(Intrinsic::Malloc, vec![bytes], Type::from(Prim::Void).pointer_to())
            }
            What::Free => {
                let pointer = values.into_iter().next().ok_or(Reported)?;
                let pointer = self.convert(pointer, &Type::from(Prim::Void).pointer_to())?;
                made(Intrinsic::Free, vec![pointer], Prim::Void.into())
            }
            What::Matrix(kind) => {
                if let Some(value) = values.iter().find(|value| value.ty.pointee().is_none()) {
                    let message = format!("an argument of `{name}` is no pointer");
                    return self.sema.error("type", value.span, message);
                }
                made(kind, values, Prim::Void.into())
            }
            What::SyncWarp => {
                let mask = match values.into_iter().next() {
                    Some(mask) => self.convert(mask, &Prim::UInt.into())?,
                    None => Self::int(FULL, Prim::UInt, span),
                };
                made(Intrinsic::SyncWarp, vec![mask], Prim::Void.into())
            }
        }
    }

    /// Arithmetic whose type follows from the arguments.
    fn arithmetic_builtin(
        &mut self,
        name: &str,
        what: What,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let made = |kind: Intrinsic, values: Vec<Expr>, ty: Type| {
            Ok(Expr::new(ExprKind::Intrinsic(kind, values), ty, span))
        };
        match what {
            What::Math(op) => {
                let prim = self.math_type(&values, name)?;
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Unary(op), args, prim.into())
            }
            What::HalfAbs => {
                let ty = values[0].ty.unqualified();
                made(Intrinsic::Unary(UnOp::Abs), values, ty)
            }
            What::Operator(op) => {
                let mut values = values.into_iter();
                let (a, b) = (values.next().ok_or(Reported)?, values.next().ok_or(Reported)?);
                let ty = a.ty.unqualified();
                let half = ty.prim().filter(|p| p.is_half() || p.packed().is_some());
                if half.is_none() || a.ty.kind != b.ty.kind {
                    let text = self.sema.types.spell(&ty);
                    let message = format!("`{name}` needs two 16-bit floats, not a `{text}`");
                    return self.sema.error("type", a.span, message);
                }
                made(Intrinsic::Binary(op), vec![a, b], ty)
            }
            What::Abs => {
                let prim = self.number(&values[0], name)?;
                let prim = promoted(prim);
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Unary(UnOp::Abs), args, prim.into())
            }
            What::MinMax(op) => {
                let (a, b) = (self.number(&values[0], name)?, self.number(&values[1], name)?);
                self.check_ambiguous_extremes(name, [a, b], &values, span)?;
                let prim = common(a, b);
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Binary(op), args, prim.into())
            }
            What::FloatPair(op) => {
                let prim = self.math_type(&values, name)?;
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Binary(op), args, prim.into())
            }
            What::Library(function, single) => {
                // `pow(float, int)` is a `float` to NVRTC, and a `double` in the <cmath> of a program.
                let program = self.sema.host.is_program();
                let whole = name == "pow" && !program && values[1].ty.is_integer();
                let deciding = if whole { &values[..1] } else { &values[..] };
                let prim = if single { Prim::Float } else { self.widest(deciding, name)? };
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Math(function), args, prim.into())
            }
            What::Fma
                if values[0].ty.prim().is_some_and(|p| p.is_half() || p.packed().is_some()) =>
            {
                let ty = values[0].ty.unqualified();
                made(Intrinsic::Fma, values, ty)
            }
            What::Fma => {
                let prim = self.math_type(&values, name)?;
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Fma, args, prim.into())
            }
            _ => Err(Reported),
        }
    }

    /// `__reduce_add_sync` and its kin.
    fn warp_reduce(
        &mut self,
        name: &str,
        op: AtomicOp,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let prim = self.number(&values[1], name)?;
        let prim = match (op, crate::sema::conversions::standard_conversion::promoted(prim)) {
            (AtomicOp::And | AtomicOp::Or | AtomicOp::Xor, _) | (_, Prim::UInt) => Prim::UInt,
            (_, Prim::Int) => Prim::Int,
            _ => {
                let message = format!("`{name}` exists for `int` and `unsigned int`");
                return self.sema.error("type", values[1].span, message);
            }
        };
        let mut values = values.into_iter();
        let (mask, value) = (values.next().ok_or(Reported)?, values.next().ok_or(Reported)?);
        let args =
            vec![self.convert(mask, &Prim::UInt.into())?, self.convert(value, &prim.into())?];
        Ok(Expr::new(ExprKind::Intrinsic(Intrinsic::Reduce(op), args), prim.into(), span))
    }

    /// `__match_any_sync`, `__match_all_sync`.
    fn warp_match(
        &mut self,
        name: &str,
        all: bool,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let mut values = values.into_iter();
        let mask = values.next().ok_or(Reported)?;
        let mask = self.convert(mask, &Prim::UInt.into())?;
        let value = values.next().ok_or(Reported)?;
        let prim =
            crate::sema::conversions::standard_conversion::promoted(self.number(&value, name)?);
        let value = self.cast(value, &prim.into());
        let mut args = vec![mask, value];
        if all {
            let pointer = values.next().ok_or(Reported)?;
            args.push(self.convert(pointer, &Type::from(Prim::Int).pointer_to())?);
        }
        let kind = if all { Intrinsic::MatchAll } else { Intrinsic::MatchAny };
        Ok(Expr::new(ExprKind::Intrinsic(kind, args), Prim::UInt.into(), span))
    }

    /// `__ldg`, `__stcs` and their kin: a load or a store with a cache hint, which is ignored.
    fn hinted_access(
        &mut self,
        name: &str,
        values: Vec<Expr>,
        at: Span,
        span: Span,
    ) -> Checked<Expr> {
        let mut values = values.into_iter();
        let pointer = values.next().ok_or(Reported)?;
        let Some(ty) = pointer.ty.pointee().cloned() else {
            return self.sema.error("type", pointer.span, format!("`{name}` needs a pointer"));
        };
        let Some(value) = values.next() else {
            let place = self.dereference(pointer, ty.unqualified(), span);
            return Ok(Expr::new(ExprKind::Bits(Box::new(place)), ty.unqualified(), span));
        };
        let value = self.convert(value, &ty)?;
        let place = self.dereference(pointer, ty.clone(), at);
        let kind = ExprKind::Assign(Box::new(place), Box::new(value));
        let stored = Box::new(Expr::place(kind, ty, span));
        Ok(Expr::new(ExprKind::Cast(stored), Prim::Void.into(), span))
    }

    /// `make_float4(..)` and its kin.
    fn make_vector(&mut self, name: &str, values: Vec<Expr>, span: Span) -> Checked<Expr> {
        let ty =
            self.sema.types.builtin(name.strip_prefix("make_").ok_or(Reported)?).ok_or(Reported)?;
        let Kind::Struct(index) = ty.kind else { return Err(Reported) };
        let fields = self.sema.types.get(index).fields.clone();
        if fields.len() != values.len() {
            let message = format!("`{name}` takes {} values, not {}", fields.len(), values.len());
            return self.sema.error("overload", span, message);
        }
        let mut parts = Vec::new();
        for (value, field) in values.into_iter().zip(&fields) {
            parts.push(self.convert(value, &field.ty)?);
        }
        Ok(Expr::new(ExprKind::Make(parts), ty, span))
    }

    fn all_to(&mut self, values: Vec<Expr>, prim: Prim) -> Checked<Vec<Expr>> {
        values.into_iter().map(|v| self.convert(v, &prim.into())).collect()
    }

    fn number(&mut self, value: &Expr, name: &str) -> Checked<Prim> {
        match self.sema.types.arithmetic(&value.ty) {
            Some(prim) => Ok(prim),
            None => {
                let text = self.sema.types.spell(&value.ty);
                self.sema.error(
                    "type",
                    value.span,
                    format!("`{name}` needs a number, not a `{text}`"),
                )
            }
        }
    }

    /// `sqrtf` is for `float`; `sqrt` is for both.
    fn math_type(&mut self, values: &[Expr], name: &str) -> Checked<Prim> {
        if name.ends_with('f') { Ok(Prim::Float) } else { self.widest(values, name) }
    }

    /// `float` if all are, else `double`: what integers count as.
    fn widest(&mut self, values: &[Expr], name: &str) -> Checked<Prim> {
        let mut prim = Prim::Float;
        for value in values {
            // A 16-bit float converts to `float`.
            if !matches!(self.number(value, name)?, Prim::Float | Prim::Half | Prim::BFloat16) {
                prim = Prim::Double;
            }
        }
        Ok(prim)
    }

    fn shuffle(
        &mut self,
        name: &str,
        kind: ShuffleKind,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        if let Kind::Struct(index) = values[1].ty.kind
            && span.is_built_in()
        {
            return self.shuffle_members(name, kind, &values, index, span);
        }
        let prim = match values[1].ty.prim().filter(|p| p.packed().is_some()) {
            Some(pair) => pair,
            None => promoted(self.number(&values[1], name)?),
        };
        let mut values = values.into_iter();
        let (mask, value, lane) = (
            values.next().ok_or(Reported)?,
            values.next().ok_or(Reported)?,
            values.next().ok_or(Reported)?,
        );
        self.lint_conversion(&mask, &Prim::UInt.into());
        let mask = self.convert(mask, &Prim::UInt.into())?;
        let value = self.cast(value, &prim.into());
        let lane = self.convert(lane, &Prim::Int.into())?;
        let width = match values.next() {
            Some(width) => self.convert(width, &Prim::Int.into())?,
            None => Self::int(32, Prim::Int, span),
        };
        let args = vec![mask, value, lane, width];
        Ok(Expr::new(ExprKind::Intrinsic(Intrinsic::Shuffle(kind), args), prim.into(), span))
    }

    /// The shuffle of a cooperative group takes a struct, too, and moves it word by word.
    fn shuffle_members(
        &mut self,
        name: &str,
        kind: ShuffleKind,
        values: &[Expr],
        index: ClassId,
        span: Span,
    ) -> Checked<Expr> {
        let (whole, ty) = (values[1].clone(), values[1].ty.unqualified());
        let info = self.sema.types.get(index).clone();
        let mut parts = Vec::new();
        for (i, field) in info.fields.iter().enumerate() {
            let words = matches!(self.sema.types.size_of(&field.ty), 4 | 8);
            let moved = matches!(field.ty.kind, Kind::Struct(_))
                || (words && self.sema.types.arithmetic(&field.ty).is_some());
            if info.union || !moved {
                let text = self.sema.types.spell(&ty);
                let what = format!("a shuffle of `{text}`, which is not of 4-byte numbers");
                return self.sema.unsupported(span, what);
            }
            let mut values = values.to_vec();
            values[1] = self.field(whole.clone(), index, i, span);
            let part = self.shuffle(name, kind, values, span)?;
            parts.push(self.cast(part, &field.ty.unqualified()));
        }
        Ok(Expr::new(ExprKind::Make(parts), ty, span))
    }

    fn atomic(
        &mut self,
        name: &str,
        op: AtomicOp,
        scope: Scope,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let mut values = values.into_iter();
        let pointer = values.next().ok_or(Reported)?;
        let target = pointer.ty.pointee().cloned();
        let prim = target.as_ref().and_then(Type::prim);
        let allowed = atomic_types(op);
        let constant = target.as_ref().is_some_and(|t| t.constant);
        let Some(prim) = prim.filter(|p| allowed.contains(p) && !constant) else {
            let text = self.sema.types.spell(&pointer.ty);
            self.check_vector_atomic(name, op, &text, pointer.span)?;
            let diagnostic = Diagnostic::error(
                "type",
                pointer.span,
                format!("`{name}` cannot work on `{text}`"),
            )
            .with_help(instead_of_target(pointer.ty.prim(), allowed));
            self.sema.report(diagnostic);
            return Err(Reported);
        };
        let mut args = vec![pointer];
        for value in values {
            args.push(self.convert(value, &prim.into())?);
        }
        Ok(Expr::new(ExprKind::Intrinsic(Intrinsic::Atomic(op, scope), args), prim.into(), span))
    }

    /// `printf`; `checked` are the values of `args` if they are known already.
    pub(in crate::sema) fn printf(
        &mut self,
        args: &[ast::Expr],
        checked: Option<Vec<Expr>>,
        span: Span,
    ) -> Checked<Expr> {
        let Some((format, rest)) = args.split_first() else {
            return self.sema.error("overload", span, "`printf` needs a format");
        };
        let ast::ExprKind::Str(text) = &format.kind else {
            return self
                .sema
                .unsupported(format.span, "a `printf` format that is not a string literal");
        };
        let given = match checked {
            Some(all) => all.into_iter().skip(1).collect(),
            None => self.values(rest)?,
        };
        let mut values = Vec::new();
        for value in self.all_decayed(given)? {
            let value = match self.sema.types.arithmetic(&value.ty) {
                Some(Prim::Float) => self.cast(value, &Prim::Double.into()),
                Some(prim) if prim.is_half() => {
                    let words = prim.spelling();
                    let diagnostic = Diagnostic::error(
                        "type",
                        value.span,
                        format!("`printf` cannot print a `{words}`"),
                    )
                    .with_help("convert it: `(float)x`");
                    self.sema.report(diagnostic);
                    return Err(Reported);
                }
                Some(_) => self.promote(value),
                None if matches!(value.ty.kind, Kind::Struct(_)) || value.ty.is(Prim::Void) => {
                    let words = self.sema.types.spell(&value.ty);
                    return self.sema.error(
                        "type",
                        value.span,
                        format!("`printf` cannot print a `{words}`"),
                    );
                }
                None => value,
            };
            values.push(value);
        }
        self.check_format(text, &values, format.span);
        self.lint_format(text, &values);
        let kind = ExprKind::Intrinsic(Intrinsic::Print(text.clone()), values);
        Ok(Expr::new(kind, Prim::Int.into(), span))
    }

    /// Warns of more or fewer arguments than the format asks for, as nvcc does.
    fn check_format(&mut self, text: &[u8], values: &[Expr], span: Span) {
        let mut wanted = 0;
        let mut chars = text.iter().map(|b| char::from(*b));
        while let Some(c) = chars.next() {
            if c != '%' {
                continue;
            }
            let mut letters = String::new();
            for c in chars.by_ref() {
                if c == '*' {
                    wanted += 1;
                }
                letters.push(c);
                if c.is_ascii_alphabetic() && !matches!(c, 'l' | 'h' | 'z' | 'j' | 't') || c == '%'
                {
                    break;
                }
            }
            wanted += usize::from(!letters.ends_with('%') && !letters.is_empty());
        }
        let given = values.len();
        let message = format!(
            "the format asks for {wanted} value{}, and {given} {} given",
            if wanted == 1 { "" } else { "s" },
            if given == 1 { "is" } else { "are" }
        );
        let help = match wanted.cmp(&given) {
            cmp::Ordering::Less => "what the format does not ask for is not printed",
            cmp::Ordering::Equal => return,
            cmp::Ordering::Greater => {
                "give one value for each `%`; what is missing is printed as garbage"
            }
        };
        self.sema.report(Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error("printf", span, message).with_help(help)
        });
    }
}

/// How many operands a function of <math.h> has, and the type of these and of its result.
pub(in crate::sema) fn math_signature(name: &str) -> Option<(usize, Prim)> {
    let arity = |plain: &str| match plain {
        "sqrt" | "fabs" | "floor" | "ceil" | "trunc" | "rint" | "nearbyint" => Some(1),
        "fmin" | "fmax" | "fmod" => Some(2),
        "fma" => Some(3),
        _ => Math::named(plain).map(Math::arity),
    };
    match name {
        "abs" => Some((1, Prim::Int)),
        _ => match arity(name) {
            Some(n) => Some((n, Prim::Double)),
            None => Some((arity(name.strip_suffix('f')?)?, Prim::Float)),
        },
    }
}
