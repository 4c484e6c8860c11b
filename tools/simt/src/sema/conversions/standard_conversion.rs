//! Standard conversions: decay, integral promotion, the usual arithmetic conversions, and the rank
//! of an implicit conversion sequence.

use crate::diagnostic::{Diagnostic, Severity};
use crate::isa::{BinOp, CmpOp, Preload};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::constexpr::folding;
use crate::sema::tree::{Expr, ExprKind, Host};
use crate::sema::types::{Kind, Type, Types};
use crate::sema::{Checked, Side};
use crate::syntax::ast::Prim;

/// The rank of an implicit conversion sequence, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sema) enum Fit {
    Exact,
    Qualified,
    Promotion,
    Conversion,
    /// A pointer to `bool`: worse than any other conversion.
    Boolean,
    /// A user-defined conversion.
    User,
    /// The same as two of those, and then kept for a `const` reference.
    ConversionKept,
    UserKept,
    /// By the `...` of a variadic function.
    Ellipsis,
}

impl Fit {
    /// A value that is made for a `const` reference: one for `T&&` goes before it.
    pub(in crate::sema) fn kept(self) -> Fit {
        match self {
            Fit::Exact | Fit::Qualified => Fit::Qualified,
            Fit::Promotion | Fit::Conversion | Fit::Boolean | Fit::ConversionKept => {
                Fit::ConversionKept
            }
            Fit::User | Fit::UserKept => Fit::UserKept,
            Fit::Ellipsis => Fit::Ellipsis,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Fit::Exact => 0,
            Fit::Qualified => 1,
            Fit::Promotion => 2,
            Fit::Conversion => 3,
            Fit::Boolean => 4,
            Fit::ConversionKept => 5,
            Fit::User => 6,
            Fit::UserKept => 7,
            Fit::Ellipsis => 8,
        }
    }
}

impl PartialOrd for Fit {
    fn partial_cmp(&self, other: &Fit) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fit {
    fn cmp(&self, other: &Fit) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// Integral promotion: `short` and smaller types become `int`.
pub(in crate::sema) fn promoted(prim: Prim) -> Prim {
    match prim {
        Prim::Bool | Prim::Char | Prim::SChar | Prim::UChar | Prim::Short | Prim::UShort => {
            Prim::Int
        }
        other => other,
    }
}

/// The usual arithmetic conversions: the common type of two operands.
pub(in crate::sema) fn common(a: Prim, b: Prim) -> Prim {
    if a == b && a.is_half() {
        return a;
    }
    if a == Prim::Double || b == Prim::Double {
        return Prim::Double;
    }
    if a == Prim::Float || b == Prim::Float {
        return Prim::Float;
    }
    let (a, b) = (promoted(a), promoted(b));
    let rank = |p: Prim| match p {
        Prim::Int | Prim::UInt => 1,
        Prim::Long | Prim::ULong => 2,
        _ => 3,
    };
    let (high, low) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    if rank(high) == rank(low) {
        return if low.is_signed() { high } else { low };
    }
    // A signed type that holds all of the unsigned one stays; `long long` and `unsigned long` do
    // not.
    if high.is_signed() && !low.is_signed() && high.size() == low.size() {
        Prim::ULongLong
    } else {
        high
    }
}

/// Whether C++ cannot tell in which type two operands meet: a 16-bit float is a class, which turns
/// into anything and is made of anything.
pub(in crate::sema) fn ambiguous(a: Prim, b: Prim) -> bool {
    a != b && (a.is_half() || b.is_half())
}

/// The rank of the implicit conversion; `None` if there is none.
pub(in crate::sema) fn fit(types: &Types, from: &Type, to: &Type, null: bool) -> Option<Fit> {
    if from.kind == to.kind {
        return Some(Fit::Exact);
    }
    match (&from.kind, &to.kind) {
        _ if types.makes_dim3(from, to) => Some(Fit::Conversion),
        (Kind::Array(element, _), Kind::Pointer(_)) => {
            fit(types, &(**element).clone().pointer_to(), to, false)
        }
        (Kind::Function(_), Kind::Pointer(b)) if from.kind == b.kind => Some(Fit::Exact),
        (Kind::Struct(a), Kind::Struct(b)) => types.base_path(*a, *b).map(|_| Fit::Conversion),
        (Kind::Pointer(a), Kind::Pointer(b)) => {
            let keeps = (!a.constant || b.constant) && (!a.volatile || b.volatile);
            if !keeps {
                None
            } else if a.kind == b.kind {
                Some(Fit::Qualified)
            } else if b.is(Prim::Void) {
                Some(Fit::Conversion)
            } else if let (Kind::Struct(a), Kind::Struct(b)) = (&a.kind, &b.kind) {
                types.base_path(*a, *b).map(|_| Fit::Conversion)
            } else {
                pointee_qualified(a, b).then_some(Fit::Qualified)
            }
        }
        (_, Kind::Pointer(_) | Kind::Null) if null => Some(Fit::Conversion),
        (Kind::Null, Kind::Pointer(_)) => Some(Fit::Conversion),
        (Kind::Pointer(_), Kind::Prim(Prim::Bool)) => Some(Fit::Boolean),
        (_, Kind::Prim(b)) if *b != Prim::Void && b.packed().is_none() => {
            let a = types.arithmetic(from)?;
            if a.is_half() && b.is_half() {
                return None;
            }
            let promotes = promoted(a) == *b || (a == Prim::Float && *b == Prim::Double);
            Some(if promotes { Fit::Promotion } else { Fit::Conversion })
        }
        _ => None,
    }
}

/// Whether it is a sum or a product with a block's number in it: `blockIdx.x * blockDim.x` and its
/// like. A `threadIdx` by itself is small.
fn counts_threads(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Builtin(Preload::BlockIdx(_)) => true,
        ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, b) => {
            counts_threads(a) || counts_threads(b)
        }
        ExprKind::Cast(a) => e.ty.prim().is_some_and(|p| p.size() >= 4) && counts_threads(a),
        _ => false,
    }
}

/// `T**` as `T* const*`: the same but for what is added further in.
fn pointee_qualified(a: &Type, b: &Type) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Pointer(x), Kind::Pointer(y)) => {
            (!x.constant || y.constant)
                && (!x.volatile || y.volatile)
                && (x.kind == y.kind || pointee_qualified(x, y))
                && (b.constant || x.constant == y.constant)
        }
        (Kind::Array(x, n), Kind::Array(y, m)) => n == m && elements_qualified(x, y),
        _ => false,
    }
}

/// Whether the elements of an array are those of another one, with a `const` more at the most.
pub(in crate::sema) fn elements_qualified(from: &Type, to: &Type) -> bool {
    match (&from.kind, &to.kind) {
        (Kind::Array(x, n), Kind::Array(y, m)) => n == m && elements_qualified(x, y),
        (x, y) => x == y && (!from.constant || to.constant),
    }
}

impl Body<'_, '_> {
    /// Array-to-pointer conversion; other values stay.
    pub(in crate::sema) fn decay(&mut self, e: Expr) -> Expr {
        if let Kind::Array(element, _) = &e.ty.kind {
            let (ty, span) = ((**element).clone().pointer_to(), e.span);
            if let ExprKind::Cond(cond, a, b) = e.kind {
                // One of two arrays: the pointer is chosen, not the array.
                let (a, b) = (self.decay(*a), self.decay(*b));
                return Expr::new(ExprKind::Cond(cond, Box::new(a), Box::new(b)), ty, span);
            }
            return Expr::new(ExprKind::Decay(Box::new(e)), ty, span);
        }
        self.of_shadow(e)
    }

    /// Whether it is a null pointer constant.
    pub(in crate::sema) fn is_null(e: &Expr) -> bool {
        e.ty.kind == Kind::Null || (e.ty.is_integer() && e.as_int() == Some(0))
    }

    /// Whether it is a text that becomes `char*`: what compilers take with a warning, since so much
    /// C is written that way.
    pub(in crate::sema) fn is_text_for(e: &Expr, to: &Type) -> bool {
        let text = match &e.kind {
            ExprKind::Decay(inner) => &inner.kind,
            kind => kind,
        };
        let wanted = |to: &Type| to.pointee().is_some_and(|p| p.is(Prim::Char) && !p.volatile);
        matches!(text, ExprKind::Text(_)) && wanted(to)
    }

    /// A conversion between scalars that is allowed by now.
    pub(in crate::sema) fn cast(&mut self, e: Expr, to: &Type) -> Expr {
        let to = to.unqualified();
        if e.ty.kind == to.kind {
            return e;
        }
        let span = e.span;
        if let Some(kind) = folding::convert(&self.sema.types, &e, &to) {
            return Expr::new(kind, to, span);
        }
        if to.is(Prim::Bool) {
            return self.truth_of(e);
        }
        Expr::new(ExprKind::Cast(Box::new(e)), to, span)
    }

    fn truth_of(&mut self, e: Expr) -> Expr {
        let span = e.span;
        let zero_kind = if e.ty.is_float() { ExprKind::Float(0.0) } else { ExprKind::Int(0) };
        let zero = Expr::new(zero_kind, e.ty.unqualified(), span);
        let kind = folding::compare(CmpOp::Ne, &e, &zero).unwrap_or(ExprKind::Compare(
            CmpOp::Ne,
            Box::new(e),
            Box::new(zero),
        ));
        Expr::new(kind, Prim::Bool.into(), span)
    }

    /// An implicit conversion, as in an assignment or an argument.
    pub(in crate::sema) fn convert(&mut self, e: Expr, to: &Type) -> Checked<Expr> {
        if let Kind::List(list) = e.ty.kind {
            return self.braced_value(list, to);
        }
        if let (Kind::Array(..), Kind::Struct(_)) = (&e.ty.kind, &to.kind)
            && let Some(value) = self.converted(&e, to)
        {
            // A constructor may take the whole array.
            return value;
        }
        let e = self.decay(e);
        if Self::is_text_for(&e, to) {
            return Ok(Expr { ty: to.unqualified(), ..e });
        }
        match fit(&self.sema.types, &e.ty, to, Self::is_null(&e)) {
            Some(_) if e.ty.kind != to.kind && matches!(to.kind, Kind::Struct(_)) => {
                if let (Kind::Struct(from), Kind::Struct(base)) = (&e.ty.kind, &to.kind)
                    && let Some(path) = self.sema.types.base_path(*from, *base)
                {
                    let span = e.span;
                    let whole = self.materialize(e, span);
                    let class = *base;
                    let base = self.along(whole, &path, span);
                    let value = self.owned(base)?;
                    // Slicing: the copy has the dynamic type of its class.
                    return Ok(self.retyped(value, class, span));
                }
                self.dim3_of(e, to)
            }
            Some(_) if matches!(to.kind, Kind::Struct(_)) => self.owned(e),
            Some(_) => Ok(self.pointer_or_cast(e, to)),
            None if self.converts_in_c(&e, to) => Ok(self.pointer_or_cast(e, to)),
            None => {
                if let Some(value) = self.converted(&e, to) {
                    return value;
                }
                self.cannot_convert(&e, to)
            }
        }
    }

    /// C's implicit conversions: of a `void*` to another pointer, of an integer to an enumeration, and,
    /// which GCC only warns of, between pointers to integers that differ in their sign.
    pub(in crate::sema) fn converts_in_c(&self, e: &Expr, to: &Type) -> bool {
        if !self.sema.c_files.contains(&e.span.file) {
            return false;
        }
        let from = match &e.ty.kind {
            Kind::Array(element, _) => Some(&**element),
            _ => e.ty.pointee(),
        };
        let (Some(from), Some(to)) = (from, to.pointee()) else {
            return matches!(to.kind, Kind::Enum(_)) && e.ty.is_integer();
        };
        let keeps = (!from.constant || to.constant) && (!from.volatile || to.volatile);
        let is_alike = match (&from.kind, &to.kind) {
            (Kind::Prim(a), Kind::Prim(b)) => {
                a.is_integer() && b.is_integer() && a.size() == b.size()
            }
            _ => false,
        };
        keeps && (from.is(Prim::Void) || is_alike)
    }

    /// A constant that its new type has no room for, signed or not, and a thread's place or a size
    /// in 8 or 16 bits: neither is meant. (Where a number is narrowed on purpose there is a cast,
    /// or an operation that bounds it.)
    pub(in crate::sema) fn lint_conversion(&mut self, e: &Expr, to: &Type) {
        let (Kind::Prim(prim), true) = (&to.kind, e.ty.is_integer()) else { return };
        let narrowed = self.sema.types.size_of(&e.ty) > prim.size();
        if !prim.is_integer() || *prim == Prim::Bool || !narrowed {
            return;
        }
        let bits = prim.size() * 8;
        let name = self.sema.types.spell(&to.unqualified());
        let message = match e.as_int() {
            Some(v) if v < -(1 << (bits - 1)) || v >= 1 << bits => {
                format!("{v} does not fit in `{name}`")
            }
            Some(_) => return,
            None if bits < 32 && counts_threads(e) => {
                format!(
                    "a number of threads or blocks does not fit in `{name}` as soon as there are many"
                )
            }
            None => return,
        };
        self.sema.report(Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error("lint-conversion", e.span, message)
                .with_help("use a wider type; if it is meant, write the cast")
        });
    }

    /// A cast, which for a pointer to a base may step into the object.
    pub(in crate::sema) fn pointer_or_cast(&mut self, e: Expr, to: &Type) -> Expr {
        // `static_cast<D*>(this)`: the object is in memory, where it may be part of another.
        if let (ExprKind::Address(place), Some(a), Some(b)) =
            (&e.kind, e.ty.pointee(), to.pointee())
            && a.kind != b.kind
        {
            self.mark_addressed(place);
        }
        if let (Some(a), Some(b)) = (e.ty.pointee(), to.pointee())
            && let (Kind::Struct(from), Kind::Struct(base)) = (&a.kind, &b.kind)
            && let types = &self.sema.types
            && let Some((offset, down)) = (types.base_offset(*from, *base).map(|n| (n, false)))
                .or_else(|| types.base_offset(*base, *from).map(|n| (n, true)))
            && offset > 0
        {
            if matches!(e.kind, ExprKind::Address(_)) {
                return self.shifted(e, to, offset, down);
            }
            // A null pointer stays null.
            let (ty, span) = (e.ty.unqualified(), e.span);
            let var = self.fresh(&ty, span);
            let known = || Expr::place(ExprKind::Var(var), ty.clone(), span);
            let keep = ExprKind::Assign(Box::new(known()), Box::new(e));
            let keep = Box::new(Expr::place(keep, ty.clone(), span));
            let there = Box::new(self.cast(known(), &Prim::Bool.into()));
            let moved = Box::new(self.shifted(known(), to, offset, down));
            let none = Box::new(Expr::new(ExprKind::Zero, to.unqualified(), span));
            let made = Expr::new(ExprKind::Cond(there, moved, none), to.unqualified(), span);
            return Expr::new(ExprKind::Comma(keep, Box::new(made)), to.unqualified(), span);
        }
        self.cast(e, to)
    }

    /// A pointer so many bytes further, or back.
    pub(in crate::sema) fn shifted(&mut self, e: Expr, to: &Type, bytes: u64, back: bool) -> Expr {
        let (span, byte) = (e.span, Type::from(Prim::Char).pointer_to());
        let bytes = Box::new(Self::int(i128::from(bytes), Prim::Long, span));
        let kind = ExprKind::PointerAdd(Box::new(self.cast(e, &byte)), bytes, back);
        self.cast(Expr::new(kind, byte, span), to)
    }

    fn cannot_convert<T>(&mut self, e: &Expr, to: &Type) -> Checked<T> {
        let (from_text, to_text) =
            (self.sema.types.spell(&e.ty.unqualified()), self.sema.types.spell(to));
        let mut diagnostic = Diagnostic::error(
            "type",
            e.span,
            format!("cannot convert `{from_text}` to `{to_text}`"),
        );
        if e.ty.is(Prim::Void) {
            diagnostic.message = format!("this has no value, but a `{to_text}` is needed");
            if matches!(&e.kind, ExprKind::Host(host) if matches!(**host, Host::Launch { .. })) {
                diagnostic = diagnostic.with_help("call `cudaGetLastError()` after the launch");
            }
        } else if let (Some(a), Some(b)) = (e.ty.pointee(), to.pointee()) {
            diagnostic = if a.kind == b.kind {
                diagnostic.with_help(
                    "this would drop `const` or `volatile`; add it to the type on the left",
                )
            } else {
                let cast = if a.is(Prim::Void) { "static_cast" } else { "reinterpret_cast" };
                diagnostic.with_help(format!("if it is meant, write `{cast}<{to_text}>(..)`"))
            };
        } else if ["uint3", "dim3"].contains(&from_text.as_str()) && to.is_arithmetic() {
            diagnostic = diagnostic.with_help("one of its parts is a number: write `.x` behind it");
        } else if from_text == "const char*" && to.is(Prim::Char) {
            diagnostic = diagnostic.with_help("a character stands in single quotes: `'x'`");
        } else if from_text == "const char*" && to.is_arithmetic() {
            diagnostic = diagnostic.with_help(match self.side {
                Side::Host => "a text is no number: `atoi(..)` and `atof(..)` read one",
                Side::Device => {
                    "a text is no number, and kernels read none from it: the host passes the number"
                }
            });
        } else if e.ty.pointee().is_some() && to.is_arithmetic() {
            diagnostic = diagnostic
                .with_help("to read what it points to, write `*` before it or an index after it");
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// A condition's value: `bool`.
    pub(in crate::sema) fn boolean(&mut self, e: Expr) -> Checked<Expr> {
        let e = self.decay(e);
        if e.ty.is(Prim::Bool) {
            return Ok(e);
        }
        if matches!(e.ty.kind, Kind::Struct(_))
            && let Some(value) = self.convert_by_class(&e, &Prim::Bool.into(), true)
        {
            return value;
        }
        let scalar = self.sema.types.arithmetic(&e.ty).is_some()
            || matches!(e.ty.kind, Kind::Pointer(_) | Kind::Null);
        if !scalar {
            let message = format!("a `{}` is neither true nor false", self.sema.types.spell(&e.ty));
            return self.sema.error("type", e.span, message);
        }
        Ok(self.truth_of(e))
    }

    /// With `char`, `short`, `bool` and enumerations widened.
    pub(in crate::sema) fn promote(&mut self, e: Expr) -> Expr {
        match self.sema.types.arithmetic(&e.ty) {
            Some(prim) => self.cast(e, &promoted(prim).into()),
            None => e,
        }
    }
}
