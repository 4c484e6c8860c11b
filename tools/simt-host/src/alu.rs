//! Arithmetic with the semantics of x86-64: integers wrap, floats are rounded after each operation, and
//! an integer division by zero ends the program.

use simt::isa::half::{decode, encode, integer};
use simt::isa::{BinOp, CmpOp, Math, Ty, UnOp};
use simt::sema::types::Prim;

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn g(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn of_f(x: f32) -> u64 {
    u64::from(x.to_bits())
}

/// A binary operation. `None` for a division that traps: by zero, or of the least integer by -1.
#[inline(always)]
pub(super) fn binary(op: BinOp, ty: Ty, x: u64, y: u64) -> Option<u64> {
    match ty {
        Ty::I32 => int32(op, x as i32, y as i32).map(|v| u64::from(v as u32)),
        Ty::U32 => uint32(op, x as u32, y as u32).map(u64::from),
        Ty::I64 => int64(op, x as i64, y as i64).map(|v| v as u64),
        Ty::U64 => uint64(op, x, y),
        Ty::F32 => Some(of_f(float(op, f(x), f(y)))),
        Ty::F64 => Some(double(op, g(x), g(y)).to_bits()),
        Ty::F16 | Ty::Bf16 => Some(half(op, ty, x as u16, y as u16)),
        Ty::F16x2 | Ty::Bf16x2 => {
            let one = if ty == Ty::F16x2 { Ty::F16 } else { Ty::Bf16 };
            let low = half(op, one, x as u16, y as u16);
            let high = half(op, one, (x >> 16) as u16, (y >> 16) as u16);
            Some(low | high << 16)
        }
    }
}

macro_rules! integers {
    ($name:ident, $ty:ty, $wide:ty, $bits:literal) => {
        #[inline(always)]
        fn $name(op: BinOp, x: $ty, y: $ty) -> Option<$ty> {
            // The processor takes a shift's count modulo the width.
            let count = y as u32 & ($bits - 1);
            Some(match op {
                BinOp::Add => x.wrapping_add(y),
                BinOp::Sub => x.wrapping_sub(y),
                BinOp::Mul => x.wrapping_mul(y),
                BinOp::MulHi => ((x as $wide * y as $wide) >> $bits) as $ty,
                BinOp::Div => x.checked_div(y)?,
                BinOp::Rem => x.checked_rem(y)?,
                BinOp::And => x & y,
                BinOp::Or => x | y,
                BinOp::Xor => x ^ y,
                BinOp::Shl => x << count,
                BinOp::Shr => x >> count,
                BinOp::ShlClamp => x.unbounded_shl(y as u32),
                BinOp::ShrClamp => x.unbounded_shr(y as u32),
                BinOp::Min => x.min(y),
                BinOp::Max => x.max(y),
            })
        }
    };
}

integers!(int32, i32, i64, 32);
integers!(uint32, u32, u64, 32);
integers!(int64, i64, i128, 64);
integers!(uint64, u64, u128, 64);

macro_rules! floats {
    ($name:ident, $ty:ty) => {
        #[inline(always)]
        fn $name(op: BinOp, x: $ty, y: $ty) -> $ty {
            match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Rem => x % y,
                BinOp::Min if x.is_nan() || y < x => y,
                BinOp::Max if x.is_nan() || y > x => y,
                _ => x,
            }
        }
    };
}

floats!(float, f32);
floats!(double, f64);

fn half(op: BinOp, ty: Ty, x: u16, y: u16) -> u64 {
    u64::from(encode(ty, f64::from(float(op, decode(ty, x) as f32, decode(ty, y) as f32))))
}

#[inline(always)]
pub(super) fn unary(op: UnOp, ty: Ty, x: u64) -> u64 {
    match ty {
        Ty::F32 => of_f(match op {
            UnOp::Neg => -f(x),
            UnOp::Abs => f(x).abs(),
            UnOp::Sqrt => f(x).sqrt(),
            UnOp::Floor => f(x).floor(),
            UnOp::Ceil => f(x).ceil(),
            UnOp::Trunc => f(x).trunc(),
            UnOp::RoundEven => f(x).round_ties_even(),
            _ => f(x),
        }),
        Ty::F64 => match op {
            UnOp::Neg => -g(x),
            UnOp::Abs => g(x).abs(),
            UnOp::Sqrt => g(x).sqrt(),
            UnOp::Floor => g(x).floor(),
            UnOp::Ceil => g(x).ceil(),
            UnOp::Trunc => g(x).trunc(),
            UnOp::RoundEven => g(x).round_ties_even(),
            _ => g(x),
        }
        .to_bits(),
        Ty::F16 | Ty::Bf16 | Ty::F16x2 | Ty::Bf16x2 => {
            let signs = if matches!(ty, Ty::F16 | Ty::Bf16) { 0x8000 } else { 0x8000_8000 };
            match op {
                UnOp::Neg => x ^ signs,
                UnOp::Abs => x & !signs,
                _ => x,
            }
        }
        Ty::I32 | Ty::U32 => {
            let v = x as u32;
            u64::from(match op {
                UnOp::Neg => v.wrapping_neg(),
                UnOp::Not => !v,
                UnOp::Abs => (v as i32).unsigned_abs(),
                UnOp::Popc => v.count_ones(),
                UnOp::Clz => v.leading_zeros(),
                UnOp::Brev => v.reverse_bits(),
                UnOp::Ffs => v.trailing_zeros().wrapping_add(1) * u32::from(v != 0),
                _ => v,
            })
        }
        Ty::I64 | Ty::U64 => match op {
            UnOp::Neg => x.wrapping_neg(),
            UnOp::Not => !x,
            UnOp::Abs => (x as i64).unsigned_abs(),
            UnOp::Popc => u64::from(x.count_ones()),
            UnOp::Clz => u64::from(x.leading_zeros()),
            UnOp::Brev => x.reverse_bits(),
            UnOp::Ffs => u64::from((x.trailing_zeros() + 1) * u32::from(x != 0)),
            _ => x,
        },
    }
}

#[inline(always)]
pub(super) fn compare(op: CmpOp, ty: Ty, x: u64, y: u64) -> bool {
    match ty {
        Ty::I32 => holds(op, &(x as i32), &(y as i32)),
        Ty::U32 => holds(op, &(x as u32), &(y as u32)),
        Ty::I64 => holds(op, &(x as i64), &(y as i64)),
        Ty::U64 => holds(op, &x, &y),
        Ty::F32 => holds(op, &f(x), &f(y)),
        Ty::F64 => holds(op, &g(x), &g(y)),
        Ty::F16 | Ty::Bf16 => holds(op, &decode(ty, x as u16), &decode(ty, y as u16)),
        Ty::F16x2 | Ty::Bf16x2 => pairs(op, ty, x, y),
    }
}

/// Whether the comparison holds for both halves of a packed pair.
#[cold]
fn pairs(op: CmpOp, ty: Ty, x: u64, y: u64) -> bool {
    let one = if ty == Ty::F16x2 { Ty::F16 } else { Ty::Bf16 };
    [0, 16].iter().all(|by| {
        let [x, y] = [x, y].map(|v| decode(one, (v >> by) as u16));
        holds(op, &x, &y)
    })
}

#[inline(always)]
fn holds<T: PartialOrd>(op: CmpOp, x: &T, y: &T) -> bool {
    match op {
        CmpOp::Eq => x == y,
        CmpOp::Ne => x != y,
        CmpOp::Lt => x < y,
        CmpOp::Le => x <= y,
        CmpOp::Gt => x > y,
        CmpOp::Ge => x >= y,
    }
}

pub(super) fn math(function: Math, ty: Ty, operands: [u64; 4]) -> u64 {
    match ty {
        Ty::F32 => of_f(function.value(true, operands.map(|x| f64::from(f(x)))) as f32),
        _ => function.value(false, operands.map(g)).to_bits(),
    }
}

pub(super) fn fma(ty: Ty, x: u64, y: u64, z: u64) -> u64 {
    match ty {
        Ty::F32 => of_f(libm::fmaf(f(x), f(y), f(z))),
        Ty::F64 => libm::fma(g(x), g(y), g(z)).to_bits(),
        Ty::I32 | Ty::U32 => u64::from((x as u32).wrapping_mul(y as u32).wrapping_add(z as u32)),
        Ty::F16 | Ty::Bf16 => {
            let [a, b, c] = [x, y, z].map(|v| decode(ty, v as u16));
            u64::from(encode(ty, libm::fma(a, b, c)))
        }
        Ty::F16x2 | Ty::Bf16x2 => {
            let one = if ty == Ty::F16x2 { Ty::F16 } else { Ty::Bf16 };
            let low = fma(one, x & 0xFFFF, y & 0xFFFF, z & 0xFFFF);
            low | fma(one, x >> 16, y >> 16, z >> 16) << 16
        }
        Ty::I64 | Ty::U64 => x.wrapping_mul(y).wrapping_add(z),
    }
}

/// Converts a value from one type to another.
#[inline(always)]
pub(super) fn convert(from: Prim, to: Prim, x: u64) -> u64 {
    use Prim::*;
    if from.is_float() {
        let value = match from {
            Float => f64::from(f(x)),
            Double => g(x),
            _ => decode(from.ty(), x as u16),
        };
        return match to {
            Float => of_f(if from == Float { f(x) } else { value as f32 }),
            Double => value.to_bits(),
            Half | BFloat16 => u64::from(encode(to.ty(), value)),
            Bool => u64::from(value != 0.0),
            ULong | ULongLong => to_unsigned(value),
            Long | LongLong => to_signed(value) as u64,
            UInt => u64::from(to_signed(value) as u32),
            _ => {
                // Where the value does not fit, the processor's conversion gives the least integer.
                let whole = value.trunc();
                let fits = (-2_147_483_648.0..=2_147_483_647.0).contains(&whole);
                let whole = if fits { whole as i32 } else { i32::MIN };
                extend(to, u64::from(whole as u32))
            }
        };
    }
    if to.is_float() {
        let signed = match from {
            Long | LongLong => i128::from(x as i64),
            _ if from.size() == 8 => i128::from(x),
            _ if from.is_signed() => i128::from(x as i32),
            _ => i128::from(x as u32),
        };
        // Most values fit 64 signed bits, which one instruction converts.
        let narrow = i64::try_from(signed);
        return match to {
            Float => of_f(narrow.map_or(signed as f32, |v| v as f32)),
            Double => narrow.map_or(signed as f64, |v| v as f64).to_bits(),
            _ => u64::from(encode(to.ty(), integer(signed))),
        };
    }
    if to == Bool {
        let whole = if from.size() == 8 { x } else { u64::from(x as u32) };
        return u64::from(whole != 0);
    }
    let wide = match from.size() {
        8 => x,
        _ if from.is_signed() => i64::from(x as i32) as u64,
        _ => u64::from(x as u32),
    };
    extend(to, wide)
}

/// Truncates to a type's width, and extends to 32 or 64 bits.
fn extend(to: Prim, x: u64) -> u64 {
    match (to.size(), to.is_signed()) {
        (1, true) => u64::from(x as i8 as i32 as u32),
        (1, false) => u64::from(x as u8),
        (2, true) => u64::from(x as i16 as i32 as u32),
        (2, false) => u64::from(x as u16),
        (4, _) => u64::from(x as u32),
        _ => x,
    }
}

fn to_signed(value: f64) -> i64 {
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
    if fits { value as i64 } else { i64::MIN }
}

fn to_unsigned(value: f64) -> u64 {
    if value < 9_223_372_036_854_775_808.0 {
        return to_signed(value) as u64;
    }
    (to_signed(value - 9_223_372_036_854_775_808.0) as u64) ^ (1 << 63)
}
