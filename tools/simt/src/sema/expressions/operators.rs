//! Built-in operators: conversions of their operands, and warnings for likely mistakes.

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::isa::{BinOp, CmpOp, UnOp};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::constexpr::folding;
use crate::sema::conversions::standard_conversion::{ambiguous, common, promoted};
use crate::sema::expressions::id_expression::stored;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Entity, Side};
use crate::syntax::ast::{self, BinaryOp, Prim, UnaryOp};
use crate::syntax::name::Path;

pub(in crate::sema) fn arithmetic_op(op: BinaryOp) -> Option<BinOp> {
    Some(match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::And => BinOp::And,
        BinaryOp::Or => BinOp::Or,
        BinaryOp::Xor => BinOp::Xor,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Shr => BinOp::Shr,
        _ => return None,
    })
}

fn comparison(op: BinaryOp) -> Option<CmpOp> {
    Some(match op {
        BinaryOp::Eq => CmpOp::Eq,
        BinaryOp::Ne => CmpOp::Ne,
        BinaryOp::Lt => CmpOp::Lt,
        BinaryOp::Le => CmpOp::Le,
        BinaryOp::Gt => CmpOp::Gt,
        BinaryOp::Ge => CmpOp::Ge,
        _ => return None,
    })
}

impl Body<'_, '_> {
    /// A constant as the variable that it is when its address is asked for.
    fn constant_place(&mut self, named: &ast::Expr) -> Option<Expr> {
        let ast::ExprKind::Name(name, None) = &named.kind else { return None };
        let Some(Entity::Constant(value)) = self.lookup(name) else { return None };
        if value.ty.signature().is_some() {
            return None;
        }
        match self.lookup(stored(name)) {
            Some(Entity::Var(id)) => {
                let ty = self.vars[id as usize].ty.clone();
                Some(Expr::place(ExprKind::Var(id), ty, named.span))
            }
            Some(Entity::HostGlobal(index)) => self.host_global(index, name, named.span).ok(),
            _ if self.side == Side::Host => {
                let ty = value.ty.clone().qualified(true, false);
                Some(self.materialize(Expr { ty, span: named.span, ..value }, named.span))
            }
            _ => None,
        }
    }

    /// `*inner`
    fn pointed_to(&mut self, inner: &ast::Expr, span: Span) -> Checked<Expr> {
        if let Some(object) = self.pointed_to_by_this(inner) {
            return Ok(object);
        }
        let pointer = self.rvalue(inner)?;
        if let Kind::Struct(_) = pointer.ty.kind {
            return self.operator_call("operator*", vec![pointer], span);
        }
        let Some(ty) = pointer.ty.pointee().cloned() else {
            let text = self.sema.types.spell(&pointer.ty);
            return self.sema.error(
                "type",
                span,
                format!("`*` needs a pointer, and this is a `{text}`"),
            );
        };
        self.sized(&ty, span)?;
        Ok(self.dereference(pointer, ty, span))
    }

    /// An object for which there is no such operator, as the number that it converts to.
    fn unary_operand(&mut self, name: &str, value: Expr) -> Checked<Expr> {
        match self.operator_fits(name, std::slice::from_ref(&value)) {
            true => Ok(value),
            false => self.as_number(value),
        }
    }

    pub(in crate::sema) fn unary(
        &mut self,
        op: UnaryOp,
        inner: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        match op {
            UnaryOp::AddressOf => {
                if let Some(made) = self.member_address(inner, span) {
                    return made;
                }
                if self.room_of(inner).is_some() {
                    let what = "`&` of an array whose length is not constant";
                    return self.sema.unsupported(span, what);
                }
                let place = self.constant_place(inner);
                let place = place.map_or_else(|| self.expr(inner), Ok)?;
                let place = self.as_place(place);
                if let Kind::Struct(index) = place.ty.kind
                    && let Some((methods, _)) = self.sema.find_methods(index, "operator&")
                    && methods.iter().any(|id| self.sema.definitions[*id].ast.params.is_empty())
                {
                    return self.operator_call("operator&", vec![place], span);
                }
                if place.ty.signature().is_some() && !place.place {
                    // `&f` is `f`.
                    return Ok(Expr { span, ..place });
                }
                if !place.place {
                    return self.sema.error(
                        "type",
                        span,
                        "`&` needs a variable or an element, and this is a value",
                    );
                }
                self.mark_addressed(&place);
                let ty = place.ty.clone().pointer_to();
                Ok(Expr::new(ExprKind::Address(Box::new(place)), ty, span))
            }
            UnaryOp::Deref => self.pointed_to(inner, span),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.step(op, inner, span)
            }
            UnaryOp::Not => {
                let value = self.rvalue(inner)?;
                if let Kind::Struct(index) = value.ty.kind
                    && (self.sema.find_methods(index, "operator!").is_some()
                        || self.sema.find_methods(index, "operator ").is_none())
                {
                    return self.operator_call("operator!", vec![value], span);
                }
                let values = [value];
                if let Some(made) = self.enum_operator("operator!", &values, span) {
                    return made;
                }
                let [value] = values;
                let value = self.boolean(value)?;
                Ok(match value.as_int() {
                    Some(v) => Self::int(i128::from(v == 0), Prim::Bool, span),
                    None => Expr::new(ExprKind::Not(Box::new(value)), Prim::Bool.into(), span),
                })
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.rvalue(inner)?;
                let name = match op {
                    UnaryOp::Minus => "operator-",
                    UnaryOp::BitNot => "operator~",
                    _ => "operator+",
                };
                // `+[](int x) {..}`: the pointer to its function.
                let lambda = self.captureless(&value).filter(|_| op == UnaryOp::Plus);
                if let Some(id) = lambda.filter(|_| self.side == Side::Host) {
                    return self.pointer_to(id, Vec::new(), span);
                }
                let value = self.unary_operand(name, value)?;
                if let Kind::Struct(_) = value.ty.kind {
                    return self.operator_call(name, vec![value], span);
                }
                let values = [value];
                if let Some(made) = self.enum_operator(name, &values, span) {
                    return made;
                }
                let [value] = values;
                let value = self.promote(value);
                let packed = value.ty.packed().filter(|_| op == UnaryOp::Minus);
                let prim = match self.sema.types.arithmetic(&value.ty).or(packed) {
                    Some(p) if op != UnaryOp::BitNot || p.is_integer() => p,
                    _ => {
                        let sign = if op == UnaryOp::BitNot { "~" } else { "-" };
                        let text = self.sema.types.spell(&value.ty);
                        return self.sema.error(
                            "type",
                            span,
                            format!("there is no `{sign}` for a `{text}`"),
                        );
                    }
                };
                let op = match op {
                    UnaryOp::Plus => return Ok(Expr { span, place: false, ..value }),
                    UnaryOp::Minus => UnOp::Neg,
                    _ => UnOp::Not,
                };
                let ty = value.ty.unqualified();
                let kind = folding::unary(op, prim, &value)
                    .unwrap_or(ExprKind::Unary(op, Box::new(value)));
                Ok(Expr::new(kind, ty, span))
            }
        }
    }

    /// `++` and `--`.
    fn step(&mut self, op: UnaryOp, inner: &ast::Expr, span: Span) -> Checked<Expr> {
        let place = self.expr(inner)?;
        if let Kind::Struct(_) | Kind::Enum(_) = place.ty.kind {
            let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
            let name = if up { "operator++" } else { "operator--" };
            let mut values = vec![place.clone()];
            if matches!(op, UnaryOp::PostInc | UnaryOp::PostDec) {
                values.push(Self::int(0, Prim::Int, span));
            }
            if let Some(made) = self.enum_operator(name, &values, span) {
                return made;
            }
            if let Kind::Struct(_) = place.ty.kind {
                return self.operator_call(name, values, span);
            }
        }
        if let Some(bits) = self.bits_of(&place) {
            let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
            let post = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
            let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
            let one = Self::int(1, Prim::Int, span);
            return self.assign_bits(bits, Some(op), one, post, span);
        }
        self.not_constant(inner, &place)?;
        let place = self.as_place(place);
        self.writable(&place, span)?;
        let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
        let post = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        let ty = place.ty.unqualified();
        let current = Expr::new(ExprKind::Current, ty.clone(), span);
        let one = Self::int(1, Prim::Int, span);
        let half = ty.prim().is_some_and(Prim::is_half);
        let one = if half { self.cast(one, &ty) } else { one };
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let value = self.combine(op, current, one, span)?;
        let value = self.cast(value, &ty);
        let (place, value) = (Box::new(place), Box::new(value));
        let kind = ExprKind::Update { place, value, post, partial: false };
        Ok(Expr { kind, ty, span, place: !post })
    }

    pub(in crate::sema) fn binary(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        self.lint_precedence(op, a, b);
        let left = self.rvalue(a);
        let right = match self.side {
            // A string is an array, and an operator of a class may want it so.
            crate::sema::Side::Host => self.expr(b),
            crate::sema::Side::Device => self.rvalue(b),
        };
        let (left, right) = (left?, right?);
        self.lint_unsigned(op, [a, b], [&left, &right], span);
        self.binary_values(op, left, right, span)
    }

    pub(in crate::sema) fn binary_values(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Checked<Expr> {
        let class = |e: &Expr| matches!(e.ty.kind, Kind::Struct(_));
        let name = Path::from(format!("operator{}", op.text()));
        let (left, right) = if class(&left) || class(&right) {
            let values = [left.clone(), right.clone()];
            if self.operator_fits(name, &values) {
                return self.operator_call(name, vec![left, right], span);
            }
            if let Some(made) = self.rewritten(op, &left, &right, span) {
                return made;
            }
            // A class may convert to a number.
            if matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
                let both = (self.boolean_of(left)?, self.boolean_of(right)?);
                return self.combine(op, both.0, both.1, span);
            }
            (self.as_number(left)?, self.as_number(right)?)
        } else {
            let values = [left, right];
            if let Some(made) = self.enum_operator(&name.last(), &values, span) {
                return made;
            }
            values.into()
        };
        let right = self.decay(right);
        if matches!(left.ty.kind, Kind::Struct(_)) || matches!(right.ty.kind, Kind::Struct(_)) {
            return self.operator_call(name, vec![left, right], span);
        }
        if op == BinaryOp::ThreeWay {
            return self.three_way(left, right, span);
        }
        self.combine(op, left, right, span)
    }

    fn boolean_of(&mut self, e: Expr) -> Checked<Expr> {
        if matches!(e.ty.kind, Kind::Struct(_)) { self.boolean(e) } else { Ok(e) }
    }

    pub(in crate::sema) fn combine(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Checked<Expr> {
        if matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
            let left = self.boolean(left)?;
            let right = self.boolean(right)?;
            let and = op == BinaryOp::LogicalAnd;
            if let Some(known) = left.as_int() {
                return Ok(if (known != 0) == and {
                    right
                } else {
                    Self::int(i128::from(!and), Prim::Bool, span)
                });
            }
            let (a, b) = (Box::new(left), Box::new(right));
            let kind = if and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
            return Ok(Expr::new(kind, Prim::Bool.into(), span));
        }
        if left.ty.pointee().is_some() || right.ty.pointee().is_some() || left.ty.kind == Kind::Null
        {
            return self.pointers(op, left, right, span);
        }
        if let (Kind::Enum(a), Kind::Enum(b), Some(op)) =
            (&left.ty.kind, &right.ty.kind, comparison(op))
            && a == b
        {
            let kind = folding::compare(op, &left, &right).unwrap_or(ExprKind::Compare(
                op,
                Box::new(left),
                Box::new(right),
            ));
            return Ok(Expr::new(kind, Prim::Bool.into(), span));
        }
        if left.ty.packed().is_some() && left.ty.kind == right.ty.kind {
            return self.pairwise(op, left, right, span);
        }
        let prims = self.sema.types.arithmetic(&left.ty).zip(self.sema.types.arithmetic(&right.ty));
        let Some((x, y)) = prims else {
            return self.no_operator(op, &left, &right, span);
        };
        if ambiguous(x, y) {
            return self.ambiguous(&format!("`{}`", op.text()), &left, &right, span);
        }
        if let Some(op) = comparison(op) {
            let meet = Type::from(common(x, y));
            let (left, right) = (self.cast(left, &meet), self.cast(right, &meet));
            let kind = folding::compare(op, &left, &right).unwrap_or(ExprKind::Compare(
                op,
                Box::new(left),
                Box::new(right),
            ));
            return Ok(Expr::new(kind, Prim::Bool.into(), span));
        }
        let made = arithmetic_op(op).ok_or(Reported)?;
        let shift = matches!(made, BinOp::Shl | BinOp::Shr);
        let bits = shift || matches!(made, BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Rem);
        if bits && (x.is_float() || y.is_float()) {
            return self.no_operator(op, &left, &right, span);
        }
        let meet = if shift { promoted(x) } else { common(x, y) };
        let (left, right) = if shift {
            let count = self.promote(right);
            (self.cast(left, &meet.into()), self.cast(count, &Prim::UInt.into()))
        } else {
            (self.cast(left, &meet.into()), self.cast(right, &meet.into()))
        };
        if matches!(made, BinOp::Div | BinOp::Rem) && right.as_int() == Some(0) {
            self.sema.report(Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::error("lint-division", span, "this divides by zero")
            });
        }
        let kind = folding::binary(made, meet, &left, &right).unwrap_or(ExprKind::Binary(
            made,
            Box::new(left),
            Box::new(right),
        ));
        Ok(Expr::new(kind, meet.into(), span))
    }

    /// An operator on two pairs of 16-bit floats; of a comparison both halves must hold.
    fn pairwise(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Checked<Expr> {
        let ty = left.ty.unqualified();
        if let Some(cmp) = comparison(op) {
            let kind = ExprKind::Compare(cmp, Box::new(left), Box::new(right));
            return Ok(Expr::new(kind, Prim::Bool.into(), span));
        }
        match arithmetic_op(op) {
            Some(made @ (BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div)) => {
                let kind = ExprKind::Binary(made, Box::new(left), Box::new(right));
                Ok(Expr::new(kind, ty, span))
            }
            _ => self.no_operator(op, &left, &right, span),
        }
    }

    /// A 16-bit float and another number: the overloaded operators are ambiguous.
    pub(in crate::sema) fn ambiguous<T>(
        &mut self,
        what: &str,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Checked<T> {
        let (a, b) = (
            self.sema.types.spell(&left.ty.unqualified()),
            self.sema.types.spell(&right.ty.unqualified()),
        );
        let diagnostic =
            Diagnostic::error("type", span, format!("{what} of `{a}` and `{b}` is ambiguous"))
                .with_help(
                    "convert one of them, with `__float2half(..)`, `__half2float(..)` or a cast",
                );
        self.sema.report(diagnostic);
        Err(Reported)
    }

    fn pointers(
        &mut self,
        op: BinaryOp,
        mut left: Expr,
        mut right: Expr,
        span: Span,
    ) -> Checked<Expr> {
        // One to a class and one to its base are both to the base.
        if let (Some(Kind::Struct(a)), Some(Kind::Struct(b))) =
            (left.ty.pointee().map(|t| &t.kind), right.ty.pointee().map(|t| &t.kind))
            && a != b
            && comparison(op).is_some()
        {
            if self.sema.types.base_path(*a, *b).is_some() {
                left = self.pointer_or_cast(left, &right.ty);
            } else if self.sema.types.base_path(*b, *a).is_some() {
                right = self.pointer_or_cast(right, &left.ty);
            }
        }
        let both = left.ty.pointee().is_some() && right.ty.pointee().is_some();
        if let Some(cmp) = comparison(op) {
            let comparable = (both || Self::is_null(&left) || Self::is_null(&right))
                && (!both || same_pointee(&left.ty, &right.ty));
            if !comparable {
                return self.no_operator(op, &left, &right, span);
            }
            let ty = if left.ty.pointee().is_some() {
                left.ty.unqualified()
            } else {
                right.ty.unqualified()
            };
            let (left, right) = (self.cast(left, &ty), self.cast(right, &ty));
            let kind = ExprKind::Compare(cmp, Box::new(left), Box::new(right));
            return Ok(Expr::new(kind, Prim::Bool.into(), span));
        }
        if op == BinaryOp::Sub && both {
            if !same_pointee(&left.ty, &right.ty) {
                return self.no_operator(op, &left, &right, span);
            }
            let kind = ExprKind::PointerDiff(Box::new(left), Box::new(right));
            return Ok(Expr::new(kind, Prim::Long.into(), span));
        }
        let (pointer, index) = match (op, left.ty.pointee().is_some()) {
            (BinaryOp::Add | BinaryOp::Sub, true) => (left, right),
            (BinaryOp::Add, false) => (right, left),
            _ => return self.no_operator(op, &left, &right, span),
        };
        let index = self.promote(index);
        if !index.ty.is_integer() {
            return self.no_operator(op, &pointer, &index, span);
        }
        let element = pointer.ty.pointee().cloned().ok_or(Reported)?;
        let ty = pointer.ty.unqualified();
        // In GCC's C, bytes are counted.
        if element.is(Prim::Void) && self.sema.c_files.contains(&span.file) {
            let byte = Type::from(Prim::Char).pointer_to();
            let bytes = Box::new(self.cast(pointer, &byte));
            let kind = ExprKind::PointerAdd(bytes, Box::new(index), op == BinaryOp::Sub);
            return Ok(self.cast(Expr::new(kind, byte, span), &ty));
        }
        self.sized(&element, span)?;
        let kind = ExprKind::PointerAdd(Box::new(pointer), Box::new(index), op == BinaryOp::Sub);
        Ok(Expr::new(kind, ty, span))
    }

    fn no_operator<T>(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Checked<T> {
        let (a, b) = (
            self.sema.types.spell(&left.ty.unqualified()),
            self.sema.types.spell(&right.ty.unqualified()),
        );
        let message = format!("there is no `{}` for `{a}` and `{b}`", op.text());
        let mut diagnostic = Diagnostic::error("type", span, message);
        if op == BinaryOp::Shl && left.ty.signature().is_some() {
            diagnostic = diagnostic
                .with_help("a kernel is launched with three: `kernel<<<grid, block>>>(..)`");
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// `a & b == c` is `a & (b == c)`: rarely what is meant.
    fn lint_precedence(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr) {
        if !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            return;
        }
        for side in [a, b] {
            let ast::ExprKind::Binary(inner, ..) = &side.kind else { continue };
            // In brackets the span begins with one.
            if comparison(*inner).is_some() && !self.bracketed(side) {
                self.sema.report(Diagnostic {
                    severity: Severity::Warning,
                    ..Diagnostic::error(
                        "lint-precedence",
                        side.span,
                        format!("`{}` binds more tightly than `{}`", inner.text(), op.text()),
                    )
                    .with_help("put brackets around what belongs together")
                });
            }
        }
    }

    /// Whether brackets stand around an expression: its span then is wider than its parts.
    fn bracketed(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            ast::ExprKind::Binary(_, a, _) => {
                a.span.file != e.span.file || a.span.start > e.span.start
            }
            _ => false,
        }
    }
}

fn same_pointee(a: &Type, b: &Type) -> bool {
    a.pointee()
        .zip(b.pointee())
        .is_some_and(|(x, y)| x.kind == y.kind || x.is(Prim::Void) || y.is(Prim::Void))
}
