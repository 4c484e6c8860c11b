//! CUDA's built-in functions: their names, their types, and what each comes down to.

use super::Checked;
use super::body::Body;
use super::convert::common;
use super::tree::{Expr, ExprKind, Intrinsic};
use super::types::{Kind, Type};
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::{AtomicOp, BarrierKind, BinOp, Scope, ShuffleKind, UnOp, VoteKind};
use crate::syntax::ast::{self, Prim};

/// Names for "is ... meant?".
pub(super) const NAMES: [&str; 24] = [
    "atomicAdd",
    "atomicSub",
    "atomicMin",
    "atomicMax",
    "atomicExch",
    "atomicCAS",
    "syncthreads",
    "printf",
    "assert",
    "min",
    "max",
    "abs",
    "sqrtf",
    "fabsf",
    "fminf",
    "fmaxf",
    "fmaf",
    "make_float4",
    "make_int4",
    "make_float2",
    "make_int2",
    "floorf",
    "ceilf",
    "sqrt",
];

const FULL: i128 = 0xffff_ffff;

impl Body<'_, '_> {
    /// `None` if there is no built-in function of that name.
    pub(super) fn builtin_call(
        &mut self,
        written: &str,
        args: &[ast::Expr],
        at: Span,
        span: Span,
    ) -> Option<Checked<Expr>> {
        let name = written.strip_prefix("::").unwrap_or(written);
        let standard = name.strip_prefix("std::").or_else(|| name.strip_prefix("cuda::std::"));
        let name = match standard {
            Some(n)
                if matches!(
                    n,
                    "min"
                        | "max"
                        | "abs"
                        | "sqrt"
                        | "fabs"
                        | "fma"
                        | "floor"
                        | "ceil"
                        | "fmin"
                        | "fmax"
                ) =>
            {
                n
            }
            Some(_) => return Some(self.sema.unsupported(at, format!("`{written}`"))),
            None => name,
        };
        if let Some(what) = refused(name) {
            return Some(self.sema.unsupported(at, format!("`{name}` ({what})")));
        }
        if name == "printf" {
            return Some(self.printf(args, span));
        }
        let shape = known(name)?;
        let mut values = Vec::new();
        for arg in args {
            match self.rvalue(arg) {
                Some(value) => values.push(value),
                None => return Some(None),
            }
        }
        let (least, most) = shape.count;
        if values.len() < least || values.len() > most {
            let wanted =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            let plural = if most == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {wanted} argument{plural}, not {}", values.len());
            return Some(self.sema.error("overload", span, message));
        }
        Some(self.builtin(name, shape.what, values, at, span))
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
            Some(Expr::new(ExprKind::Intrinsic(kind, values), ty, span))
        };
        match what {
            What::Typed(kind, params, returns) => {
                let mut args = Vec::new();
                for (value, prim) in values.into_iter().zip(params) {
                    args.push(self.convert(value, &(*prim).into())?);
                }
                made(kind, args, returns.into())
            }
            What::Math(op) => {
                let prim = self.math_type(&values, name)?;
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Unary(op), args, prim.into())
            }
            What::Abs => {
                let prim = self.number(&values[0], name)?;
                let prim = super::convert::promoted(prim);
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Unary(UnOp::Abs), args, prim.into())
            }
            What::MinMax(op) => {
                let (a, b) = (self.number(&values[0], name)?, self.number(&values[1], name)?);
                let prim = common(a, b);
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Binary(op), args, prim.into())
            }
            What::FloatPair(op) => {
                let prim = self.math_type(&values, name)?;
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Binary(op), args, prim.into())
            }
            What::Fma => {
                let prim = self.math_type(&values, name)?;
                let args = self.all_to(values, prim)?;
                made(Intrinsic::Fma, args, prim.into())
            }
            What::Bits(from, to) => {
                let value = values.into_iter().next()?;
                let value = self.convert(value, &from.into())?;
                Some(Expr::new(ExprKind::Bits(Box::new(value)), to.into(), span))
            }
            What::Shuffle(kind) => self.shuffle(name, kind, values, span),
            What::Reduce(op) => {
                let prim = self.number(&values[1], name)?;
                let prim = match (op, super::convert::promoted(prim)) {
                    (AtomicOp::And | AtomicOp::Or | AtomicOp::Xor, _) | (_, Prim::UInt) => {
                        Prim::UInt
                    }
                    (_, Prim::Int) => Prim::Int,
                    _ => {
                        let message = format!("`{name}` exists for `int` and `unsigned int`");
                        return self.sema.error("type", values[1].span, message);
                    }
                };
                let mut values = values.into_iter();
                let (mask, value) = (values.next()?, values.next()?);
                let args = vec![
                    self.convert(mask, &Prim::UInt.into())?,
                    self.convert(value, &prim.into())?,
                ];
                made(Intrinsic::Reduce(op), args, prim.into())
            }
            What::Match(all) => {
                let mut values = values.into_iter();
                let mask = values.next()?;
                let mask = self.convert(mask, &Prim::UInt.into())?;
                let value = values.next()?;
                let prim = super::convert::promoted(self.number(&value, name)?);
                let value = self.cast(value, &prim.into());
                let mut args = vec![mask, value];
                if all {
                    let pointer = values.next()?;
                    args.push(self.convert(pointer, &Type::from(Prim::Int).pointer_to())?);
                }
                made(
                    if all { Intrinsic::MatchAll } else { Intrinsic::MatchAny },
                    args,
                    Prim::UInt.into(),
                )
            }
            What::Atomic(op, scope) => self.atomic(name, op, scope, values, span),
            What::Load => {
                let pointer = values.into_iter().next()?;
                let Some(ty) = pointer.ty.pointee().cloned() else {
                    return self.sema.error(
                        "type",
                        pointer.span,
                        format!("`{name}` needs a pointer"),
                    );
                };
                let place = self.dereference(pointer, ty.unqualified(), span);
                Some(Expr::new(ExprKind::Bits(Box::new(place)), ty.unqualified(), span))
            }
            What::Store => {
                let mut values = values.into_iter();
                let pointer = values.next()?;
                let Some(ty) = pointer.ty.pointee().cloned() else {
                    return self.sema.error(
                        "type",
                        pointer.span,
                        format!("`{name}` needs a pointer"),
                    );
                };
                let value = values.next()?;
                let value = self.convert(value, &ty)?;
                let place = self.dereference(pointer, ty.clone(), at);
                let kind = ExprKind::Assign(Box::new(place), Box::new(value));
                Some(Expr::new(
                    ExprKind::Cast(Box::new(Expr::place(kind, ty, span))),
                    Prim::Void.into(),
                    span,
                ))
            }
            What::Make => {
                let ty = self.sema.types.builtin(name.strip_prefix("make_")?)?;
                let Kind::Struct(index) = ty.kind else { return None };
                let fields = self.sema.types.get(index).fields.clone();
                if fields.len() != values.len() {
                    let message =
                        format!("`{name}` takes {} values, not {}", fields.len(), values.len());
                    return self.sema.error("overload", span, message);
                }
                let mut parts = Vec::new();
                for (value, field) in values.into_iter().zip(&fields) {
                    parts.push(self.convert(value, &field.ty)?);
                }
                Some(Expr::new(ExprKind::Make(parts), ty, span))
            }
            What::Assert => {
                let value = values.into_iter().next()?;
                let cond = self.boolean(value)?;
                made(Intrinsic::Assert, vec![cond], Prim::Void.into())
            }
            What::Trap => made(
                Intrinsic::Trap("__trap() was called".to_string()),
                Vec::new(),
                Prim::Void.into(),
            ),
            What::SyncWarp => {
                let mask = match values.into_iter().next() {
                    Some(mask) => self.convert(mask, &Prim::UInt.into())?,
                    None => Self::int(FULL, Prim::UInt, span),
                };
                made(Intrinsic::SyncWarp, vec![mask], Prim::Void.into())
            }
        }
    }

    fn all_to(&mut self, values: Vec<Expr>, prim: Prim) -> Checked<Vec<Expr>> {
        values.into_iter().map(|v| self.convert(v, &prim.into())).collect()
    }

    fn number(&mut self, value: &Expr, name: &str) -> Checked<Prim> {
        match self.sema.types.arithmetic(&value.ty) {
            Some(prim) => Some(prim),
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

    /// `sqrtf` is for `float`; `sqrt` is for both, and integers count as `double`.
    fn math_type(&mut self, values: &[Expr], name: &str) -> Checked<Prim> {
        if name.ends_with('f') && !matches!(name, "modf") {
            return Some(Prim::Float);
        }
        let mut prim = Prim::Float;
        for value in values {
            if self.number(value, name)? != Prim::Float {
                prim = Prim::Double;
            }
        }
        Some(prim)
    }

    fn shuffle(
        &mut self,
        name: &str,
        kind: ShuffleKind,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let prim = self.number(&values[1], name)?;
        let prim = super::convert::promoted(prim);
        let mut values = values.into_iter();
        let (mask, value, lane) = (values.next()?, values.next()?, values.next()?);
        let mask = self.convert(mask, &Prim::UInt.into())?;
        let value = self.cast(value, &prim.into());
        let lane = self.convert(lane, &Prim::Int.into())?;
        let width = match values.next() {
            Some(width) => self.convert(width, &Prim::Int.into())?,
            None => Self::int(32, Prim::Int, span),
        };
        let args = vec![mask, value, lane, width];
        Some(Expr::new(ExprKind::Intrinsic(Intrinsic::Shuffle(kind), args), prim.into(), span))
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
        let pointer = values.next()?;
        let target = pointer.ty.pointee().cloned();
        let prim = target.as_ref().and_then(Type::prim);
        let allowed = atomic_types(op);
        let constant = target.as_ref().is_some_and(|t| t.constant);
        let Some(prim) = prim.filter(|p| allowed.contains(p) && !constant) else {
            let text = self.sema.types.spell(&pointer.ty);
            let list: Vec<String> =
                allowed.iter().map(|p| format!("`{}*`", p.spelling())).collect();
            let diagnostic = Diagnostic::error(
                "type",
                pointer.span,
                format!("`{name}` cannot work on `{text}`"),
            )
            .with_help(format!("CUDA has it for {}", list.join(", ")));
            self.sema.report(diagnostic);
            return None;
        };
        let mut args = vec![pointer];
        for value in values {
            args.push(self.convert(value, &prim.into())?);
        }
        Some(Expr::new(ExprKind::Intrinsic(Intrinsic::Atomic(op, scope), args), prim.into(), span))
    }

    fn printf(&mut self, args: &[ast::Expr], span: Span) -> Checked<Expr> {
        let Some((format, rest)) = args.split_first() else {
            return self.sema.error("overload", span, "`printf` needs a format");
        };
        let ast::ExprKind::Str(text) = &format.kind else {
            return self
                .sema
                .unsupported(format.span, "a `printf` format that is not a string literal");
        };
        let mut values = Vec::new();
        for arg in rest {
            let value = self.rvalue(arg)?;
            let value = match self.sema.types.arithmetic(&value.ty) {
                Some(Prim::Float) => self.cast(value, &Prim::Double.into()),
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
        self.check_format(text, &values, format.span)?;
        let kind = ExprKind::Intrinsic(Intrinsic::Print(text.clone()), values);
        Some(Expr::new(kind, Prim::Int.into(), span))
    }

    /// As many values as the format wants.
    fn check_format(&mut self, text: &str, values: &[Expr], span: Span) -> Checked<()> {
        let mut wanted = 0;
        let mut chars = text.chars().peekable();
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
        if wanted != values.len() {
            let message =
                format!("the format asks for {wanted} values, and {} are given", values.len());
            return self.sema.error("type", span, message);
        }
        Some(())
    }
}

/// What a built-in function needs and does.
struct Shape {
    count: (usize, usize),
    what: What,
}

enum What {
    /// Fixed types of parameters and result.
    Typed(Intrinsic, &'static [Prim], Prim),
    /// `float` or `double`.
    Math(UnOp),
    Abs,
    MinMax(BinOp),
    FloatPair(BinOp),
    Fma,
    Bits(Prim, Prim),
    Shuffle(ShuffleKind),
    Reduce(AtomicOp),
    Match(bool),
    Atomic(AtomicOp, Scope),
    Load,
    Store,
    Make,
    Assert,
    Trap,
    SyncWarp,
}

fn atomic_types(op: AtomicOp) -> &'static [Prim] {
    use Prim::{Double, Float, Int, LongLong, UInt, ULongLong};
    match op {
        AtomicOp::Add => &[Int, UInt, ULongLong, Float, Double],
        AtomicOp::Sub => &[Int, UInt],
        AtomicOp::Min | AtomicOp::Max => &[Int, UInt, LongLong, ULongLong],
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Cas => &[Int, UInt, ULongLong],
        AtomicOp::Exch => &[Int, UInt, ULongLong, Float],
        AtomicOp::Inc | AtomicOp::Dec => &[UInt],
    }
}

fn known(name: &str) -> Option<Shape> {
    use Prim::{Double, Float, Int, LongLong, UInt, ULongLong, Void};
    let typed = |kind: Intrinsic, params: &'static [Prim], returns: Prim| {
        Some(Shape {
            count: (params.len(), params.len()),
            what: What::Typed(kind, params, returns),
        })
    };
    let one = |what: What| Some(Shape { count: (1, 1), what });
    let two = |what: What| Some(Shape { count: (2, 2), what });
    if let Some(found) = atomic(name) {
        return Some(found);
    }
    if name.starts_with("make_") {
        return Some(Shape { count: (1, 4), what: What::Make });
    }
    let unary = |op: UnOp, params: &'static [Prim], returns: Prim| {
        typed(Intrinsic::Unary(op), params, returns)
    };
    let binary = |op: BinOp, params: &'static [Prim], returns: Prim| {
        typed(Intrinsic::Binary(op), params, returns)
    };
    match name {
        "__syncthreads" => typed(Intrinsic::Barrier(BarrierKind::Plain), &[], Void),
        "__syncthreads_count" => typed(Intrinsic::Barrier(BarrierKind::Count), &[Int], Int),
        "__syncthreads_and" => typed(Intrinsic::Barrier(BarrierKind::And), &[Int], Int),
        "__syncthreads_or" => typed(Intrinsic::Barrier(BarrierKind::Or), &[Int], Int),
        "__syncwarp" => Some(Shape { count: (0, 1), what: What::SyncWarp }),
        "__activemask" => typed(Intrinsic::ActiveMask, &[], UInt),
        "__shfl_sync" => Some(Shape { count: (3, 4), what: What::Shuffle(ShuffleKind::Idx) }),
        "__shfl_up_sync" => Some(Shape { count: (3, 4), what: What::Shuffle(ShuffleKind::Up) }),
        "__shfl_down_sync" => Some(Shape { count: (3, 4), what: What::Shuffle(ShuffleKind::Down) }),
        "__shfl_xor_sync" => Some(Shape { count: (3, 4), what: What::Shuffle(ShuffleKind::Xor) }),
        "__all_sync" => typed(Intrinsic::Vote(VoteKind::All), &[UInt, Int], Int),
        "__any_sync" => typed(Intrinsic::Vote(VoteKind::Any), &[UInt, Int], Int),
        "__ballot_sync" => typed(Intrinsic::Vote(VoteKind::Ballot), &[UInt, Int], UInt),
        "__reduce_add_sync" => two(What::Reduce(AtomicOp::Add)),
        "__reduce_min_sync" => two(What::Reduce(AtomicOp::Min)),
        "__reduce_max_sync" => two(What::Reduce(AtomicOp::Max)),
        "__reduce_and_sync" => two(What::Reduce(AtomicOp::And)),
        "__reduce_or_sync" => two(What::Reduce(AtomicOp::Or)),
        "__reduce_xor_sync" => two(What::Reduce(AtomicOp::Xor)),
        "__match_any_sync" => two(What::Match(false)),
        "__match_all_sync" => Some(Shape { count: (3, 3), what: What::Match(true) }),
        "__threadfence" | "__threadfence_system" => {
            typed(Intrinsic::Fence(Scope::Device), &[], Void)
        }
        "__threadfence_block" => typed(Intrinsic::Fence(Scope::Block), &[], Void),
        "__ldg" | "__ldcs" | "__ldca" | "__ldcg" | "__ldlu" | "__ldcv" => one(What::Load),
        "__stcs" | "__stcg" | "__stwb" | "__stwt" => two(What::Store),
        "min" => two(What::MinMax(BinOp::Min)),
        "max" => two(What::MinMax(BinOp::Max)),
        "umin" => binary(BinOp::Min, &[UInt, UInt], UInt),
        "umax" => binary(BinOp::Max, &[UInt, UInt], UInt),
        "llmin" => binary(BinOp::Min, &[LongLong, LongLong], LongLong),
        "llmax" => binary(BinOp::Max, &[LongLong, LongLong], LongLong),
        "fmin" | "fminf" => two(What::FloatPair(BinOp::Min)),
        "fmax" | "fmaxf" => two(What::FloatPair(BinOp::Max)),
        "fmod" | "fmodf" => two(What::FloatPair(BinOp::Rem)),
        "abs" => one(What::Abs),
        "labs" | "llabs" => unary(UnOp::Abs, &[LongLong], LongLong),
        "fabs" | "fabsf" => one(What::Math(UnOp::Abs)),
        "sqrt" | "sqrtf" => one(What::Math(UnOp::Sqrt)),
        "__fsqrt_rn" => unary(UnOp::Sqrt, &[Float], Float),
        "__dsqrt_rn" => unary(UnOp::Sqrt, &[Double], Double),
        "floor" | "floorf" => one(What::Math(UnOp::Floor)),
        "ceil" | "ceilf" => one(What::Math(UnOp::Ceil)),
        "trunc" | "truncf" => one(What::Math(UnOp::Trunc)),
        "rint" | "rintf" | "nearbyint" | "nearbyintf" => one(What::Math(UnOp::RoundEven)),
        "fma" | "fmaf" => Some(Shape { count: (3, 3), what: What::Fma }),
        "__fmaf_rn" => typed(Intrinsic::Fma, &[Float, Float, Float], Float),
        "__fma_rn" => typed(Intrinsic::Fma, &[Double, Double, Double], Double),
        "__fadd_rn" => binary(BinOp::Add, &[Float, Float], Float),
        "__fsub_rn" => binary(BinOp::Sub, &[Float, Float], Float),
        "__fmul_rn" => binary(BinOp::Mul, &[Float, Float], Float),
        "__fdiv_rn" => binary(BinOp::Div, &[Float, Float], Float),
        "__dadd_rn" => binary(BinOp::Add, &[Double, Double], Double),
        "__dsub_rn" => binary(BinOp::Sub, &[Double, Double], Double),
        "__dmul_rn" => binary(BinOp::Mul, &[Double, Double], Double),
        "__ddiv_rn" => binary(BinOp::Div, &[Double, Double], Double),
        "__popc" => unary(UnOp::Popc, &[UInt], Int),
        "__popcll" => unary(UnOp::Popc, &[ULongLong], Int),
        "__clz" => unary(UnOp::Clz, &[UInt], Int),
        "__clzll" => unary(UnOp::Clz, &[ULongLong], Int),
        "__ffs" => unary(UnOp::Ffs, &[UInt], Int),
        "__ffsll" => unary(UnOp::Ffs, &[ULongLong], Int),
        "__brev" => unary(UnOp::Brev, &[UInt], UInt),
        "__brevll" => unary(UnOp::Brev, &[ULongLong], ULongLong),
        "__umulhi" => binary(BinOp::MulHi, &[UInt, UInt], UInt),
        "__mulhi" => binary(BinOp::MulHi, &[Int, Int], Int),
        "__umul64hi" => binary(BinOp::MulHi, &[ULongLong, ULongLong], ULongLong),
        "__mul64hi" => binary(BinOp::MulHi, &[LongLong, LongLong], LongLong),
        "__float_as_int" => one(What::Bits(Float, Int)),
        "__float_as_uint" => one(What::Bits(Float, UInt)),
        "__int_as_float" => one(What::Bits(Int, Float)),
        "__uint_as_float" => one(What::Bits(UInt, Float)),
        "__double_as_longlong" => one(What::Bits(Double, LongLong)),
        "__longlong_as_double" => one(What::Bits(LongLong, Double)),
        "assert" => one(What::Assert),
        "__trap" => Some(Shape { count: (0, 0), what: What::Trap }),
        "__nanosleep" => typed(Intrinsic::Nothing, &[UInt], Void),
        _ => None,
    }
}

fn atomic(name: &str) -> Option<Shape> {
    let rest = name.strip_prefix("atomic")?;
    let (rest, scope) = match rest.strip_suffix("_block") {
        Some(rest) => (rest, Scope::Block),
        None => (rest.strip_suffix("_system").unwrap_or(rest), Scope::Device),
    };
    let op = match rest {
        "Add" => AtomicOp::Add,
        "Sub" => AtomicOp::Sub,
        "Min" => AtomicOp::Min,
        "Max" => AtomicOp::Max,
        "And" => AtomicOp::And,
        "Or" => AtomicOp::Or,
        "Xor" => AtomicOp::Xor,
        "Exch" => AtomicOp::Exch,
        "CAS" => AtomicOp::Cas,
        "Inc" => AtomicOp::Inc,
        "Dec" => AtomicOp::Dec,
        _ => return None,
    };
    let count = if op == AtomicOp::Cas { 3 } else { 2 };
    Some(Shape { count: (count, count), what: What::Atomic(op, scope) })
}

/// Functions that CUDA has and that are not here (yet).
fn refused(name: &str) -> Option<&'static str> {
    let plain = name.trim_start_matches("__").trim_end_matches('f');
    if matches!(
        plain,
        "exp"
            | "exp2"
            | "exp10"
            | "expm1"
            | "log"
            | "log2"
            | "log10"
            | "log1p"
            | "pow"
            | "sin"
            | "cos"
            | "tan"
            | "sincos"
            | "asin"
            | "acos"
            | "atan"
            | "atan2"
            | "sinh"
            | "cosh"
            | "tanh"
            | "er"
            | "erfc"
            | "cbrt"
            | "rsqrt"
            | "rcbrt"
            | "hypot"
            | "tgamma"
            | "lgamma"
            | "sinpi"
            | "cospi"
            | "saturate"
            | "powi"
            | "fdivide"
    ) {
        return Some("a function whose last bits are the hardware's own");
    }
    match name {
        "round" | "roundf" | "lround" | "lroundf" | "llround" | "lrint" | "lrintf" | "ldexp"
        | "ldexpf" | "frexp" | "frexpf" | "modf" | "modff" | "remainder" | "copysign"
        | "copysignf" | "isnan" | "isinf" | "isfinite" | "signbit" => {
            Some("a function of the mathematics library")
        }
        "clock" | "clock64" | "__clock" | "globaltimer" => {
            Some("the hardware's clock: the simulator has no time")
        }
        "malloc" | "free" => Some("the device's heap"),
        "memcpy" | "memset" => Some("a function of the C library"),
        "__shfl" | "__shfl_up" | "__shfl_down" | "__shfl_xor" | "__any" | "__all" | "__ballot" => {
            Some("removed since Volta: use the `_sync` form with a mask")
        }
        "tex1D" | "tex2D" | "tex3D" | "tex1Dfetch" | "surf2Dread" | "surf2Dwrite" => {
            Some("textures")
        }
        _ => None,
    }
}
