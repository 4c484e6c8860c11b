//! One generic instruction that touches registers and the host's own memory only.
//!
//! The compact loop runs all of its instructions through it, the fast loop those that have no
//! specialised opcode.

use super::{MemTy, REGISTER_FILE};
use crate::alu;
use crate::bytecode::{Indexed, Inst, Width};
use crate::host_memory::{self, Allocation, STACK, allocation, allocation_mut};
use simt::isa::{CmpOp, Ty};
use simt::machine::memory::pointer;

/// Executes it. `None` if it is another instruction or fails; then nothing has changed.
#[cfg_attr(target_arch = "wasm32", inline(always))]
pub(super) fn execute(
    inst: Inst,
    regs: &mut [u64; REGISTER_FILE],
    allocations: &mut [Allocation],
    globals: &[u64],
    frame: u64,
) -> Option<()> {
    macro_rules! r {
        ($reg:expr) => {
            regs[usize::from($reg)]
        };
    }
    match inst {
        Inst::Const { d, bits } => r!(d) = bits,
        Inst::Move { d, a } => r!(d) = r!(a),
        Inst::Binary { op, ty, d, a, b } => r!(d) = alu::binary(op, ty, r!(a), r!(b))?,
        Inst::BinaryConst { op, ty, d, a, b } => {
            r!(d) = alu::binary(op, ty, r!(a), i64::from(b) as u64)?;
        }
        Inst::AddI32 { d, a, b } => {
            r!(d) = u64::from((r!(a) as u32).wrapping_add(r!(b) as u32));
        }
        Inst::AddI32Const { d, a, b } => {
            r!(d) = u64::from((r!(a) as u32).wrapping_add(b as u32));
        }
        Inst::MulI32 { d, a, b } => {
            r!(d) = u64::from((r!(a) as u32).wrapping_mul(r!(b) as u32));
        }
        Inst::AddI64 { d, a, b } => r!(d) = r!(a).wrapping_add(r!(b)),
        Inst::AddF32 { d, a, b } => r!(d) = single(r!(a), r!(b), |x, y| x + y),
        Inst::MulF32 { d, a, b } => r!(d) = single(r!(a), r!(b), |x, y| x * y),
        Inst::AddF64 { d, a, b } => r!(d) = double(r!(a), r!(b), |x, y| x + y),
        Inst::MulF64 { d, a, b } => r!(d) = double(r!(a), r!(b), |x, y| x * y),
        Inst::Compare { op, ty, d, a, b } => r!(d) = u64::from(compare(op, ty, r!(a), r!(b))),
        Inst::Unary { op, ty, d, a } => r!(d) = alu::unary(op, ty, r!(a)),
        Inst::Convert { from, to, d, a } => r!(d) = alu::convert(from, to, r!(a)),
        Inst::Fma { ty, d, a, b, c } => r!(d) = alu::fma(ty, r!(a), r!(b), r!(c)),
        Inst::Math { function, ty, d, operands } => {
            r!(d) = alu::math(function, ty, operands.map(|a| r!(a)));
        }
        Inst::LoadIndex { ty, d, at } => {
            r!(d) = load(allocations, element(r!(at.p), r!(at.index), at), ty)?;
        }
        Inst::StoreIndex { ty, a, at } => {
            store(allocations, element(r!(at.p), r!(at.index), at), ty, r!(a))?;
        }
        Inst::IndexAddress { d, at } => r!(d) = element(r!(at.p), r!(at.index), at),
        Inst::Load { ty, d, p, offset } => {
            r!(d) = load(allocations, r!(p).wrapping_add(i64::from(offset) as u64), ty)?;
        }
        Inst::Store { ty, a, p, offset } => {
            store(allocations, r!(p).wrapping_add(i64::from(offset) as u64), ty, r!(a))?;
        }
        Inst::LoadFrame { ty, d, at } => {
            r!(d) = load(allocations, pointer(STACK) + frame + u64::from(at), ty).unwrap_or(0);
        }
        Inst::StoreFrame { ty, a, at } => {
            store(allocations, pointer(STACK) + frame + u64::from(at), ty, r!(a));
        }
        Inst::GlobalAddress { d, global } => r!(d) = globals[global as usize],
        Inst::FrameAddress { d, at } => r!(d) = pointer(STACK) + frame + u64::from(at),
        Inst::Step { d, a, b, scale } => {
            r!(d) = r!(a).wrapping_add(r!(b).wrapping_mul(i64::from(scale) as u64));
        }
        Inst::Offset { d, a, offset } => r!(d) = r!(a).wrapping_add(i64::from(offset) as u64),
        Inst::Distance { d, a, b, size } => {
            r!(d) = (r!(a).wrapping_sub(r!(b)) as i64 / i64::from(size)) as u64;
        }
        Inst::Copy { to, from, bytes } => copy(allocations, r!(to), r!(from), bytes as usize)?,
        _ => return None,
    }
    Some(())
}

/// Copies a small struct. `None` if it is larger, or not in the host's own memory.
#[inline(always)]
pub(super) fn copy(allocations: &mut [Allocation], to: u64, from: u64, count: usize) -> Option<()> {
    match count {
        8 => copy_some::<8>(allocations, to, from),
        12 => copy_some::<12>(allocations, to, from),
        16 => copy_some::<16>(allocations, to, from),
        0..=64 => {
            let mut held = [0; 64];
            let (bytes, at) = allocation(allocations, from)?;
            let at = usize::try_from(at).ok()?;
            held[..count].copy_from_slice(bytes.get(at..at.checked_add(count)?)?);
            let (bytes, at) = allocation_mut(allocations, to)?;
            let at = usize::try_from(at).ok()?;
            bytes.get_mut(at..at.checked_add(count)?)?.copy_from_slice(&held[..count]);
            Some(())
        }
        _ => None,
    }
}

fn copy_some<const N: usize>(allocations: &mut [Allocation], to: u64, from: u64) -> Option<()> {
    let (bytes, at) = allocation(allocations, from)?;
    let held: [u8; N] = *bytes.get(usize::try_from(at).ok()?..)?.first_chunk()?;
    let (bytes, at) = allocation_mut(allocations, to)?;
    *bytes.get_mut(usize::try_from(at).ok()?..)?.first_chunk_mut()? = held;
    Some(())
}

#[inline(always)]
pub(super) fn single(x: u64, y: u64, of: impl FnOnce(f32, f32) -> f32) -> u64 {
    u64::from(of(f32::from_bits(x as u32), f32::from_bits(y as u32)).to_bits())
}

#[inline(always)]
pub(super) fn double(x: u64, y: u64, of: impl FnOnce(f64, f64) -> f64) -> u64 {
    of(f64::from_bits(x), f64::from_bits(y)).to_bits()
}

/// Compares. For 32-bit integers, which most loops compare, without a branch on the operator: a mask
/// has one bit per ordering for which the operator holds.
#[inline(always)]
pub(super) fn compare(op: CmpOp, ty: Ty, x: u64, y: u64) -> bool {
    let order = match ty {
        Ty::I32 => (x as i32).cmp(&(y as i32)),
        Ty::U32 => (x as u32).cmp(&(y as u32)),
        _ => return alu::compare(op, ty, x, y),
    };
    let holds: u8 = match op {
        CmpOp::Lt => 0b001,
        CmpOp::Eq => 0b010,
        CmpOp::Le => 0b011,
        CmpOp::Gt => 0b100,
        CmpOp::Ne => 0b101,
        CmpOp::Ge => 0b110,
    };
    holds >> (order as i8 + 1) & 1 != 0
}

/// Loads from the host's own memory; `None` if the address is not in it.
#[inline(always)]
pub(super) fn load(allocations: &[Allocation], at: u64, ty: MemTy) -> Option<u64> {
    let (bytes, at) = allocation(allocations, at)?;
    host_memory::read(bytes, at, ty)
}

/// Stores to the host's own memory; `None` if the address is not in it, or is read-only.
#[inline(always)]
pub(super) fn store(allocations: &mut [Allocation], at: u64, ty: MemTy, value: u64) -> Option<()> {
    let (bytes, at) = allocation_mut(allocations, at)?;
    host_memory::write(bytes, at, ty, value)
}

/// The address of an element.
#[inline(always)]
pub(super) fn element(p: u64, index: u64, at: Indexed) -> u64 {
    place(p, index, at.width, at.scale, at.offset)
}

#[inline(always)]
pub(super) fn place(p: u64, index: u64, width: Width, scale: i16, offset: u16) -> u64 {
    let index = match width {
        Width::Signed32 => i64::from(index as i32) as u64,
        Width::Unsigned32 => u64::from(index as u32),
        Width::Full => index,
    };
    p.wrapping_add(index.wrapping_mul(i64::from(scale) as u64)).wrapping_add(u64::from(offset))
}
