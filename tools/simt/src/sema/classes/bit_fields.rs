//! Bit-fields: members of a few bits that share a word.
//!
//! The word is an unnamed member, of the smallest size that holds its bits, at the offset of the
//! x86-64 System V ABI. A bit-field is read by two shifts, so it is a value; an assignment
//! recognises the two shifts and writes the word with the other bits unchanged. A bit-field that
//! would share its word with another member is unsupported.

use crate::diagnostic::Span;
use crate::isa::BinOp;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind, Stmt};
use crate::sema::types::{BitField, Kind, Type};
use crate::sema::{Checked, Path};
use crate::syntax::ast::{self, BinaryOp, Prim};

/// The name of a word of bit-fields, which no source text can spell.
pub(in crate::sema) const WORD: &str = "#bits";

/// The word that is being filled.
#[derive(Debug, Default)]
pub(in crate::sema) struct Words {
    pub(in crate::sema) fields: Vec<BitField>,
    /// Which member it is, where it begins, its bytes as declared, its bits so far.
    open: Option<(usize, u64, u64, u64)>,
    /// The member behind would begin before the end of the last word, if it is smaller than this.
    gap: u64,
}

impl Words {
    /// The next member is no bit-field.
    pub(in crate::sema) fn close(&mut self) {
        self.open = None;
    }
}

fn smallest(bits: u64) -> Prim {
    match bits {
        0..=8 => Prim::UChar,
        9..=16 => Prim::UShort,
        17..=32 => Prim::UInt,
        _ => Prim::ULong,
    }
}

/// The bits of the machine's word that a type is computed in.
fn total(ty: &Type) -> u64 {
    match ty.prim().map(Prim::size) {
        Some(8) => 64,
        _ => 32,
    }
}

fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
}

fn as_type(e: Expr, ty: &Type) -> Expr {
    let span = e.span;
    Expr::new(ExprKind::Cast(Box::new(e)), ty.clone(), span)
}

/// What a value was taken from by the two shifts of a bit-field, and by how much each shifts.
fn taken(e: &Expr) -> Option<(&Expr, u64, u64)> {
    let ExprKind::Cast(right) = &e.kind else { return None };
    let ExprKind::Binary(BinOp::Shr, left, b) = &right.kind else { return None };
    let ExprKind::Binary(BinOp::Shl, word, a) = &left.kind else { return None };
    let ExprKind::Cast(word) = &word.kind else { return None };
    Some((word, a.as_int()? as u64, b.as_int()? as u64))
}

impl Body<'_, '_> {
    /// Lays a bit-field out behind the members so far.
    pub(in crate::sema) fn bit_field(
        &mut self,
        field: &ast::VarDecl,
        width: &ast::Expr,
        union: bool,
        words: &mut Words,
        members: &mut Vec<(Path, Type)>,
        aligned: &mut Vec<(usize, u64)>,
    ) -> Checked<()> {
        let ty = self.variable_type(field)?;
        let size = self.sema.types.size_of(&ty);
        let most = if ty.is(Prim::Bool) { 1 } else { size * 8 };
        let integer = self.sema.types.scalar(&ty).is_some_and(Prim::is_integer);
        let width = self.constant_int(width)?;
        let width = match u64::try_from(width) {
            Ok(0) if field.name.is(WORD) => {
                words.close();
                return Ok(());
            }
            Ok(n) if integer && ty.pointee().is_none() && (1..=most).contains(&n) => n,
            _ => return self.sema.error("type", field.span, "this type has no so many bits"),
        };
        let fits = words.open.filter(|_| !union).and_then(|(unit, start, bytes, used)| {
            let bytes = if start % size == 0 { bytes.max(size) } else { bytes };
            let at = match used % (size * 8) + width > size * 8 {
                true => used.next_multiple_of(size * 8),
                false => used,
            };
            (at + width <= bytes * 8 && size <= bytes).then_some((unit, start, bytes, at))
        });
        let (unit, start, bytes, at) = match fits {
            Some(open) => open,
            None => {
                let laid = self.sema.types.lay_out(members.clone(), aligned, 1, None).0;
                let end = match (laid.last(), words.open) {
                    _ if union => 0,
                    (Some(last), _) => last.offset + self.sema.types.size_of(&last.ty),
                    _ => 0,
                };
                let start = end.next_multiple_of(size);
                let shares = words.open.is_none() && end * 8 % (size * 8) + width <= size * 8;
                if start != end && shares {
                    let what = "a bit-field in the same word as a member that is none";
                    return self.sema.unsupported(field.span, what);
                }
                aligned.push((members.len(), size));
                members.push((WORD.into(), Prim::UChar.into()));
                (members.len() - 1, start, size, 0)
            }
        };
        let used = at + width;
        members[unit].1 = smallest(used).into();
        aligned.push((unit, size));
        words.open = Some((unit, start, bytes, used));
        let bytes = used.div_ceil(8);
        words.gap = if bytes.is_power_of_two() { 0 } else { smallest(used).size() };
        if !field.name.is(WORD) {
            words.fields.push(BitField { name: field.name, unit, shift: at, width, ty });
        }
        Ok(())
    }

    /// A member that is no bit-field, behind one.
    pub(in crate::sema) fn behind_bits(
        &mut self,
        words: &mut Words,
        ty: &Type,
        span: Span,
    ) -> Checked<()> {
        words.close();
        if self.sema.types.align_of(ty) < std::mem::take(&mut words.gap) {
            let what = "a member in the same word as bit-fields";
            return self.sema.unsupported(span, what);
        }
        Ok(())
    }

    /// A bit-field's value, out of its word.
    pub(in crate::sema) fn bit_value(&mut self, word: Expr, bits: &BitField, span: Span) -> Expr {
        let signed = self.sema.types.scalar(&bits.ty).is_some_and(Prim::is_signed);
        let total = total(&word.ty);
        let wide: Type = match (total, signed) {
            (64, true) => Prim::Long,
            (64, false) => Prim::ULong,
            (_, true) => Prim::Int,
            (_, false) => Prim::UInt,
        }
        .into();
        let by = |n: u64| Self::int(i128::from(n), Prim::UInt, span);
        let left = total - bits.shift - bits.width;
        let high = binary(BinOp::Shl, as_type(Expr { span, ..word }, &wide), by(left));
        as_type(binary(BinOp::Shr, high, by(total - bits.width)), &bits.ty.unqualified())
    }

    /// The word that a bit-field was read from, and which bits.
    pub(in crate::sema) fn bits_of(&self, e: &Expr) -> Option<(Expr, BitField)> {
        let (word, left, right) = taken(e)?;
        let ExprKind::Member(inner, i) = &word.kind else { return None };
        let Kind::Struct(index) = inner.ty.kind else { return None };
        let fields = &self.sema.types.get(index).fields;
        if !word.place || fields.get(*i as usize).is_none_or(|f| !f.name.is(WORD)) {
            return None;
        }
        let (unit, width) = (*i as usize, total(&word.ty) - right);
        let (name, ty, shift) = (WORD.into(), e.ty.clone(), right - left);
        Some((word.clone(), BitField { name, unit, shift, width, ty }))
    }

    /// A word with a value in some of its bits.
    pub(in crate::sema) fn with_bits(&mut self, word: Expr, bits: &BitField, value: Expr) -> Expr {
        let (span, ty) = (value.span, word.ty.unqualified());
        let prim = if total(&ty) == 64 { Prim::ULong } else { Prim::UInt };
        let wide: Type = prim.into();
        let mask = (u64::MAX >> (64 - bits.width)) << bits.shift;
        let number = |n: u64| Self::int(i128::from(n), prim, span);
        let by = Self::int(i128::from(bits.shift), Prim::UInt, span);
        let kept = binary(BinOp::And, as_type(word, &wide), number(!mask));
        let new = binary(BinOp::Shl, as_type(value, &wide), by);
        let new = binary(BinOp::And, new, number(mask));
        as_type(binary(BinOp::Or, kept, new), &ty)
    }

    /// `s.a = v`, `s.a += v`, `s.a++`.
    pub(in crate::sema) fn assign_bits(
        &mut self,
        (word, bits): (Expr, BitField),
        op: Option<BinaryOp>,
        value: Expr,
        post: bool,
        span: Span,
    ) -> Checked<Expr> {
        self.writable(&word, span)?;
        let ty = word.ty.unqualified();
        let current = Expr::new(ExprKind::Current, ty.clone(), span);
        // What the value does to the same word comes first.
        let kind = value.ty.unqualified();
        let mut keep = None;
        let value = match value.kind {
            _ if value.is_constant() || self.sema.types.scalar(&kind).is_none() => value,
            _ => {
                let var = self.fresh(&kind, span);
                let it = || Expr::place(ExprKind::Var(var), kind.clone(), span);
                let made = ExprKind::Assign(Box::new(it()), Box::new(value));
                keep = Some(Expr::place(made, kind.clone(), span));
                it()
            }
        };
        let value = match op {
            None => self.convert(value, &bits.ty)?,
            Some(op) => {
                let old = self.bit_value(current.clone(), &bits, span);
                let value = self.combine(op, old, value, span)?;
                self.cast(value, &bits.ty)
            }
        };
        let new = self.with_bits(current, &bits, value);
        let (place, value) = (Box::new(word), Box::new(new));
        let kind = ExprKind::Update { place, value, post, partial: true };
        let made = self.bit_value(Expr::new(kind, ty, span), &bits, span);
        let Some(keep) = keep else { return Ok(made) };
        let ty = made.ty.clone();
        Ok(Expr::new(ExprKind::Comma(Box::new(keep), Box::new(made)), ty, span))
    }

    /// A constructor's value for a bit-field; `false` if there is none of that name.
    pub(in crate::sema) fn begin_bits(
        &mut self,
        this: &Expr,
        ast::MemberInit { name, span, values, .. }: &ast::MemberInit,
        out: &mut Vec<Stmt>,
    ) -> Checked<bool> {
        let Kind::Struct(owner) = this.ty.kind else { return Ok(false) };
        let info = self.sema.types.get(owner);
        let Some(at) = info.bits.iter().position(|b| b.name == *name) else { return Ok(false) };
        let (i, bits) = (info.fields.len() + at, info.bits[at].clone());
        let place = self.field(this.clone(), owner, i, *span);
        let (word, _) = self.bits_of(&place).ok_or(Reported)?;
        let value = self.list(&bits.ty, values, *span)?;
        let made = self.assign_bits((word, bits), None, value, false, *span)?;
        out.push(Stmt::Expr(bare(made)));
        Ok(true)
    }
}

/// An assignment to a bit-field whose value is discarded.
pub(in crate::sema) fn bare(e: Expr) -> Expr {
    if let ExprKind::Comma(first, last) = e.kind {
        let kind = ExprKind::Comma(first, Box::new(bare(*last)));
        return Expr { kind, ..e };
    }
    match taken(&e) {
        Some((word @ Expr { kind: ExprKind::Update { .. }, .. }, ..)) => word.clone(),
        _ => e,
    }
}
