//! What loops are made of: arithmetic, jumps, and memory that is the host's own.
//!
//! Most of a program's time on the host goes into instructions that touch registers, its stack and
//! its objects, and nothing else of the machine. They run here, with all that they need in local
//! variables; whatever else comes, or goes wrong, is left to the loop outside
//! ([`super::interpret`]), which begins with that same instruction.

use super::super::alu;
use super::super::code::{Function, Indexed, Inst, Width};
use super::super::memory::{self, Heap, STACK, parts};
use super::{FILE, Machine, Maker, MemTy};
use crate::isa::{CmpOp, Ty};
use crate::machine::memory::pointer;

impl Machine<'_> {
    /// Runs as far as it goes; `pc` is at what comes then.
    #[inline(never)]
    pub(super) fn quick(&mut self, code: &Function) {
        let Machine { regs, stack, heap, globals, .. } = self;
        // As many as a register's number can name: no access needs a check.
        let Some(regs) = regs[self.base..].first_chunk_mut::<FILE>() else { return };
        let (frame, code) = (self.frame as u64, &code.code[..]);
        let (mut pc, mut steps) = (self.pc as usize, self.steps);
        macro_rules! r {
            ($reg:expr) => {
                regs[usize::from($reg)]
            };
        }
        macro_rules! f {
            ($reg:expr) => {
                f32::from_bits(r!($reg) as u32)
            };
        }
        macro_rules! g {
            ($reg:expr) => {
                f64::from_bits(r!($reg))
            };
        }
        macro_rules! jump {
            ($if:expr, $to:expr) => {
                if $if {
                    if steps == 1 {
                        break;
                    }
                    steps = steps.wrapping_sub(1);
                    pc = $to as usize;
                    continue;
                }
            };
        }
        while let Some(inst) = code.get(pc) {
            match *inst {
                Inst::Const { d, bits } => r!(d) = bits,
                Inst::Move { d, a } => r!(d) = r!(a),
                Inst::Binary { op, ty, d, a, b } => match alu::binary(op, ty, r!(a), r!(b)) {
                    Some(value) => r!(d) = value,
                    None => break,
                },
                Inst::BinaryConst { op, ty, d, a, b } => {
                    match alu::binary(op, ty, r!(a), i64::from(b) as u64) {
                        Some(value) => r!(d) = value,
                        None => break,
                    }
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
                Inst::AddF32 { d, a, b } => r!(d) = u64::from((f!(a) + f!(b)).to_bits()),
                Inst::MulF32 { d, a, b } => r!(d) = u64::from((f!(a) * f!(b)).to_bits()),
                Inst::AddF64 { d, a, b } => r!(d) = (g!(a) + g!(b)).to_bits(),
                Inst::MulF64 { d, a, b } => r!(d) = (g!(a) * g!(b)).to_bits(),
                Inst::Compare { op, ty, d, a, b } => {
                    r!(d) = u64::from(compare(op, ty, r!(a), r!(b)));
                }
                Inst::Unary { op, ty, d, a } => r!(d) = alu::unary(op, ty, r!(a)),
                Inst::Convert { from, to, d, a } => r!(d) = alu::convert(from, to, r!(a)),
                Inst::Jump { to } => jump!(true, to),
                Inst::Branch { cond, when, to } => jump!((r!(cond) != 0) == when, to),
                Inst::BranchCompare { op, ty, when, a, b, to } => {
                    jump!(compare(op, ty, r!(a), r!(b)) == when, to);
                }
                Inst::BranchConst { op, ty, when, a, b, to } => {
                    jump!(compare(op, ty, r!(a), i64::from(b) as u64) == when, to);
                }
                Inst::LoadIndex { ty, d, at } => {
                    match load(stack, heap, element(r!(at.p), r!(at.index), at), ty) {
                        Some(value) => r!(d) = value,
                        None => break,
                    }
                }
                Inst::StoreIndex { ty, a, at } => {
                    let place = element(r!(at.p), r!(at.index), at);
                    if store(stack, heap, place, ty, r!(a)).is_none() {
                        break;
                    }
                }
                Inst::IndexAddress { d, at } => r!(d) = element(r!(at.p), r!(at.index), at),
                Inst::Load { ty, d, p, offset } => {
                    match load(stack, heap, r!(p).wrapping_add(i64::from(offset) as u64), ty) {
                        Some(value) => r!(d) = value,
                        None => break,
                    }
                }
                Inst::Store { ty, a, p, offset } => {
                    let place = r!(p).wrapping_add(i64::from(offset) as u64);
                    if store(stack, heap, place, ty, r!(a)).is_none() {
                        break;
                    }
                }
                Inst::LoadFrame { ty, d, at } => {
                    r!(d) = memory::read(stack, frame + u64::from(at), ty).unwrap_or(0);
                }
                Inst::StoreFrame { ty, a, at } => {
                    memory::write(stack, frame + u64::from(at), ty, r!(a));
                }
                Inst::GlobalAddress { d, global } => r!(d) = globals[global as usize],
                Inst::FrameAddress { d, at } => r!(d) = pointer(STACK) + frame + u64::from(at),
                Inst::Step { d, a, b, scale } => {
                    r!(d) = r!(a).wrapping_add(r!(b).wrapping_mul(i64::from(scale) as u64));
                }
                Inst::Offset { d, a, offset } => {
                    r!(d) = r!(a).wrapping_add(i64::from(offset) as u64);
                }
                Inst::Distance { d, a, b, size } => {
                    r!(d) = (r!(a).wrapping_sub(r!(b)) as i64 / i64::from(size)) as u64;
                }
                _ => break,
            }
            pc += 1;
        }
        (self.pc, self.steps) = (pc as u32, steps);
    }
}

/// Whole numbers, which loops end by, without a way for each operator: a bit for each order that
/// it holds for.
#[inline(always)]
fn compare(op: CmpOp, ty: Ty, x: u64, y: u64) -> bool {
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

/// From the host's own memory; `None` where it is not that, or not there.
#[inline(always)]
pub(super) fn load(stack: &[u8], heap: &Heap, at: u64, ty: MemTy) -> Option<u64> {
    let (object, offset) = parts(at);
    let bytes = if object == STACK { stack } else { &heap.get(object)?.bytes };
    memory::read(bytes, offset, ty)
}

/// Into it; `None` where that may not be.
#[inline(always)]
pub(super) fn store(
    stack: &mut [u8],
    heap: &mut Heap,
    at: u64,
    ty: MemTy,
    value: u64,
) -> Option<()> {
    let (object, offset) = parts(at);
    let bytes = if object == STACK {
        stack
    } else {
        &mut heap.get_mut(object).filter(|o| o.maker != Maker::Text)?.bytes
    };
    memory::write(bytes, offset, ty, value)
}

/// The address of an element.
#[inline(always)]
pub(super) fn element(p: u64, index: u64, at: Indexed) -> u64 {
    let index = match at.width {
        Width::Signed32 => i64::from(index as i32) as u64,
        Width::Unsigned32 => u64::from(index as u32),
        Width::Full => index,
    };
    p.wrapping_add(index.wrapping_mul(u64::from(at.scale))).wrapping_add(u64::from(at.offset))
}
