//! Copy and constant propagation within basic blocks, and folding of address computations into loads
//! and stores.

use super::operands::written;
use crate::alu;
use crate::bytecode::{Function, Indexed, Inst, Reg, Width};
use simt::isa::{BinOp, MemTy, Ty};

/// What is known of a register's value.
#[derive(Debug, Clone, Copy)]
enum Value {
    Same(Reg),
    Bits(u64),
    /// An address in the frame.
    Frame(u32),
    Element(Indexed),
    Offset(Reg, i32),
}

impl Value {
    fn names(self, reg: Reg) -> bool {
        match self {
            Value::Same(a) | Value::Offset(a, _) => a == reg,
            Value::Element(at) => at.p == reg || at.index == reg,
            Value::Bits(_) | Value::Frame(_) => false,
        }
    }
}

/// The most facts that are kept: each search is linear.
const MOST: usize = 48;

#[derive(Debug, Default)]
struct Known(Vec<(Reg, Value)>);

impl Known {
    fn get(&self, reg: Reg) -> Option<Value> {
        self.0.iter().find(|(of, _)| *of == reg).map(|(_, value)| *value)
    }

    fn bits(&self, reg: Reg) -> Option<u64> {
        match self.get(reg)? {
            Value::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    fn forget(&mut self, gone: impl Fn(Reg) -> bool) {
        self.0.retain(|(of, value)| {
            let names = match value {
                Value::Same(a) | Value::Offset(a, _) => gone(*a),
                Value::Element(at) => gone(at.p) || gone(at.index),
                Value::Bits(_) | Value::Frame(_) => false,
            };
            !gone(*of) && !names
        });
    }

    fn learn(&mut self, reg: Reg, value: Value) {
        if value.names(reg) {
            return;
        }
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push((reg, value));
    }
}

pub(super) fn forward(function: &mut Function, starts: &[usize]) {
    let frame = function.frame;
    for block in starts.windows(2) {
        let mut known = Known::default();
        for inst in &mut function.code[block[0]..block[1]] {
            inst.for_each_register(|reg, write| {
                if !write && let Some(Value::Same(a)) = known.get(*reg) {
                    *reg = a;
                }
            });
            // The simplified instruction may allow another simplification.
            for _ in 0..3 {
                *inst = better(*inst, &known, frame);
            }
            match *inst {
                Inst::Call { window, .. } | Inst::CallIndirect { window, .. } => {
                    known.forget(|reg| reg >= window);
                }
                Inst::Library { window, .. } => known.forget(|reg| reg == window),
                _ => {}
            }
            let Some(d) = written(inst) else { continue };
            known.forget(|reg| reg == d);
            let value = match *inst {
                Inst::Const { bits, .. } => Value::Bits(bits),
                Inst::Move { a, .. } => Value::Same(a),
                Inst::FrameAddress { at, .. } => Value::Frame(at),
                Inst::IndexAddress { at, .. } => Value::Element(at),
                Inst::Offset { a, offset, .. } => Value::Offset(a, offset),
                _ => continue,
            };
            known.learn(d, value);
        }
    }
}

/// A constant that fits the operand of an instruction.
fn small(ty: Ty, bits: u64) -> Option<i32> {
    match ty {
        Ty::I32 | Ty::U32 | Ty::F32 => Some(bits as i32),
        Ty::I64 | Ty::U64 => i32::try_from(bits as i64).ok(),
        _ => None,
    }
}

/// A simpler form of an instruction, given the known values.
fn better(inst: Inst, known: &Known, frame: u32) -> Inst {
    let constant = |op, ty, d, a, b, inst| match known.bits(b).and_then(|b| small(ty, b)) {
        Some(b) => Inst::BinaryConst { op, ty, d, a, b },
        None => inst,
    };
    match inst {
        Inst::Move { d, a } => match known.bits(a) {
            Some(bits) => Inst::Const { d, bits },
            None => inst,
        },
        Inst::AddI32 { d, a, b } => match (known.bits(a), known.bits(b)) {
            (_, Some(b)) => Inst::AddI32Const { d, a, b: b as i32 },
            (Some(a), _) => Inst::AddI32Const { d, a: b, b: a as i32 },
            _ => inst,
        },
        Inst::AddI32Const { d, a, b } => match known.bits(a) {
            Some(a) => Inst::Const { d, bits: u64::from((a as u32).wrapping_add(b as u32)) },
            None => inst,
        },
        Inst::MulI32 { d, a, b } => constant(BinOp::Mul, Ty::U32, d, a, b, inst),
        Inst::AddI64 { d, a, b } => constant(BinOp::Add, Ty::U64, d, a, b, inst),
        Inst::AddF32 { d, a, b } => constant(BinOp::Add, Ty::F32, d, a, b, inst),
        Inst::MulF32 { d, a, b } => constant(BinOp::Mul, Ty::F32, d, a, b, inst),
        Inst::Binary { op, ty, d, a, b } => constant(op, ty, d, a, b, inst),
        Inst::BinaryConst { op, ty, d, a, b } if !ty.is_float() => {
            let value = known.bits(a).and_then(|a| alu::binary(op, ty, a, i64::from(b) as u64));
            value.map_or(inst, |bits| Inst::Const { d, bits })
        }
        Inst::Convert { from, to, d, a } => match known.bits(a) {
            Some(a) => Inst::Const { d, bits: alu::convert(from, to, a) },
            None => inst,
        },
        Inst::BranchCompare { op, ty, when, a, b, to } => {
            match known.bits(b).and_then(|b| small(ty, b)) {
                Some(b) => Inst::BranchConst { op, ty, when, a, b, to },
                None => inst,
            }
        }
        Inst::IndexAddress { d, at } => match constant_place(at, known) {
            Some((a, offset)) => Inst::Offset { d, a, offset },
            None => inst,
        },
        Inst::LoadIndex { ty, d, at } => match constant_place(at, known) {
            Some((p, offset)) => Inst::Load { ty, d, p, offset },
            None => inst,
        },
        Inst::StoreIndex { ty, a, at } => match constant_place(at, known) {
            Some((p, offset)) => Inst::Store { ty, a, p, offset },
            None => inst,
        },
        Inst::Offset { d, a, offset } => match known.get(a) {
            Some(Value::Offset(a, more)) => match offset.checked_add(more) {
                Some(offset) => Inst::Offset { d, a, offset },
                None => inst,
            },
            Some(Value::Frame(at)) => match inside(at, offset, 1, frame) {
                Some(at) => Inst::FrameAddress { d, at },
                None => inst,
            },
            _ => inst,
        },
        Inst::Load { ty, d, p, offset } => match at(known, p, offset, ty, frame) {
            Some(At::Frame(at)) => Inst::LoadFrame { ty, d, at },
            Some(At::Element(at)) => Inst::LoadIndex { ty, d, at },
            Some(At::Pointer(p, offset)) => Inst::Load { ty, d, p, offset },
            None => inst,
        },
        Inst::Store { ty, a, p, offset } => match at(known, p, offset, ty, frame) {
            Some(At::Frame(at)) => Inst::StoreFrame { ty, a, at },
            Some(At::Element(at)) => Inst::StoreIndex { ty, a, at },
            Some(At::Pointer(p, offset)) => Inst::Store { ty, a, p, offset },
            None => inst,
        },
        _ => inst,
    }
}

/// The simplest form of an address.
enum At {
    Frame(u32),
    Element(Indexed),
    Pointer(Reg, i32),
}

fn at(known: &Known, p: Reg, offset: i32, ty: MemTy, frame: u32) -> Option<At> {
    match known.get(p)? {
        Value::Frame(at) => inside(at, offset, ty.bytes(), frame).map(At::Frame),
        Value::Element(at) => {
            let offset = u16::try_from(i32::from(at.offset).checked_add(offset)?).ok()?;
            Some(At::Element(Indexed { offset, ..at }))
        }
        Value::Offset(p, more) => Some(At::Pointer(p, offset.checked_add(more)?)),
        Value::Same(_) | Value::Bits(_) => None,
    }
}

/// An offset in the frame, if all of the access is within it.
fn inside(at: u32, offset: i32, bytes: u32, frame: u32) -> Option<u32> {
    let at = u32::try_from(i64::from(at) + i64::from(offset)).ok()?;
    (at.checked_add(bytes)? <= frame).then_some(at)
}

/// The constant offset of an element whose index is known.
fn constant_place(at: Indexed, known: &Known) -> Option<(Reg, i32)> {
    let index = known.bits(at.index)?;
    let index = match at.width {
        Width::Signed32 => i64::from(index as i32),
        Width::Unsigned32 => i64::from(index as u32),
        Width::Full => index as i64,
    };
    let bytes = index.checked_mul(i64::from(at.scale))?.checked_add(i64::from(at.offset))?;
    i32::try_from(bytes).ok().map(|offset| (at.p, offset))
}
