//! Constant folding: arithmetic on constants with the device's results.

use crate::isa::{BinOp, CmpOp, UnOp};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Type, Types};
use crate::syntax::ast::Prim;

/// Brings a value into an integer type's range, as a conversion does.
pub(crate) fn wrap(value: i128, prim: Prim) -> i128 {
    match prim {
        Prim::Bool => i128::from(value != 0),
        Prim::Char | Prim::SChar => i128::from(value as i8),
        Prim::UChar => i128::from(value as u8),
        Prim::Short => i128::from(value as i16),
        Prim::UShort => i128::from(value as u16),
        Prim::Int => i128::from(value as i32),
        Prim::UInt => i128::from(value as u32),
        Prim::Long | Prim::LongLong => i128::from(value as i64),
        Prim::ULong | Prim::ULongLong => i128::from(value as u64),
        _ => value,
    }
}

fn float(value: f64, prim: Prim) -> f64 {
    prim.round(value)
}

/// The constant converted to `to`; `None` where it is no constant.
pub(crate) fn convert(types: &Types, e: &Expr, to: &Type) -> Option<ExprKind> {
    let target = types.scalar(to).filter(|p| p.packed().is_none())?;
    Some(match (&e.kind, target.is_float()) {
        (ExprKind::Int(v), false) => ExprKind::Int(wrap(*v, target)),
        (ExprKind::Int(v), true) if target == Prim::Float => ExprKind::Float(f64::from(*v as f32)),
        (ExprKind::Int(v), true) => ExprKind::Float(float(*v as f64, target)),
        (ExprKind::Float(v), true) => ExprKind::Float(float(*v, target)),
        (ExprKind::Float(v), false) => ExprKind::Int(match target {
            Prim::Bool => i128::from(*v != 0.0),
            Prim::UInt => i128::from(*v as u32),
            Prim::ULong | Prim::ULongLong => i128::from(*v as u64),
            Prim::Long | Prim::LongLong => i128::from(*v as i64),
            _ => wrap(i128::from(*v as i32), target),
        }),
        _ => return None,
    })
}

/// The bits of an integer as a number; no NaN, whose bits a conversion may change.
pub(crate) fn reinterpreted(to: Prim, a: &Expr) -> Option<ExprKind> {
    let bits = a.as_int()?;
    let value = match to {
        Prim::Float => f64::from(f32::from_bits(bits as u32)),
        Prim::Double => f64::from_bits(bits as u64),
        _ => return None,
    };
    (!value.is_nan()).then_some(ExprKind::Float(value))
}

pub(crate) fn unary(op: UnOp, prim: Prim, a: &Expr) -> Option<ExprKind> {
    Some(match (&a.kind, op) {
        (ExprKind::Int(v), UnOp::Neg) => ExprKind::Int(wrap(-v, prim)),
        (ExprKind::Int(v), UnOp::Not) => ExprKind::Int(wrap(!v, prim)),
        (ExprKind::Float(v), UnOp::Neg) => ExprKind::Float(-v),
        _ => return None,
    })
}

/// A built-in function of one operand; `None` where its result is no number.
pub(crate) fn function(op: UnOp, prim: Prim, a: &Expr) -> Option<ExprKind> {
    let exact = |value: f64| (!value.is_nan()).then(|| ExprKind::Float(float(value, prim)));
    match (&a.kind, op) {
        (ExprKind::Int(v), UnOp::Abs) => Some(ExprKind::Int(wrap(v.abs(), prim))),
        (ExprKind::Int(v), UnOp::Popc) => Some(ExprKind::Int(i128::from((*v as u64).count_ones()))),
        (ExprKind::Int(v), UnOp::Ffs) => {
            Some(ExprKind::Int(if *v == 0 { 0 } else { i128::from(v.trailing_zeros()) + 1 }))
        }
        (ExprKind::Float(v), UnOp::Abs) => exact(v.abs()),
        (ExprKind::Float(v), UnOp::Sqrt) => exact(v.sqrt()),
        (ExprKind::Float(v), UnOp::Floor) => exact(v.floor()),
        (ExprKind::Float(v), UnOp::Ceil) => exact(v.ceil()),
        (ExprKind::Float(v), UnOp::Trunc) => exact(v.trunc()),
        _ => unary(op, prim, a),
    }
}

/// `None` also where the result is undefined: the machine reports that where it happens.
pub(crate) fn binary(op: BinOp, prim: Prim, a: &Expr, b: &Expr) -> Option<ExprKind> {
    if let (ExprKind::Float(x), ExprKind::Float(y)) = (&a.kind, &b.kind) {
        // One rounding from exact operands is the type's own: binary64 is wide enough for binary32.
        let value = match op {
            BinOp::Add => x + y,
            BinOp::Sub => x - y,
            BinOp::Mul => x * y,
            BinOp::Div => x / y,
            _ => return None,
        };
        return (!value.is_nan()).then(|| ExprKind::Float(float(value, prim)));
    }
    let (x, y) = (a.as_int()?, b.as_int()?);
    let bits = prim.size() as i128 * 8;
    let value = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div => x.checked_div(y)?,
        BinOp::Rem => x.checked_rem(y)?,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl if (0..bits).contains(&y) => x << y,
        BinOp::Shr if (0..bits).contains(&y) => x >> y,
        BinOp::Min => x.min(y),
        BinOp::Max => x.max(y),
        _ => return None,
    };
    Some(ExprKind::Int(wrap(value, prim)))
}

pub(crate) fn compare(op: CmpOp, a: &Expr, b: &Expr) -> Option<ExprKind> {
    let order = match (&a.kind, &b.kind) {
        (ExprKind::Int(x), ExprKind::Int(y)) => Some(x.cmp(y)),
        (ExprKind::Float(x), ExprKind::Float(y)) => x.partial_cmp(y),
        _ => return None,
    };
    let holds = match op {
        CmpOp::Eq => order.is_some_and(|o| o.is_eq()),
        CmpOp::Ne => order.is_none_or(|o| o.is_ne()),
        CmpOp::Lt => order.is_some_and(|o| o.is_lt()),
        CmpOp::Le => order.is_some_and(|o| o.is_le()),
        CmpOp::Gt => order.is_some_and(|o| o.is_gt()),
        CmpOp::Ge => order.is_some_and(|o| o.is_ge()),
    };
    Some(ExprKind::Int(i128::from(holds)))
}
