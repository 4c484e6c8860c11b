//! Dependence analysis: whether the blocks of a launch are independent, as far as the code shows.
//!
//! Parallel blocks need conflict tracking and an undo log ([`super::workers`]), which is much work for a
//! small kernel. Many small kernels have no loop, so they terminate, and of what they write each thread
//! accesses one element of its own. Such blocks need neither.
//!
//! An abstract interpretation follows indices that are affine in `threadIdx` and `blockIdx`. Indices
//! of different blocks are disjoint if the coefficients of `blockIdx` exceed what the threads' part can
//! reach, as tens exceed ones. Indices that are not affine, have 64 bits or change in a loop are
//! unknown.

use crate::isa::operands::Role;
use crate::isa::{BinOp, Category, Index, Inst, Preload, Reg, Successor, Ty};
use crate::machine::Execution;
use crate::machine::access;
use crate::machine::access::plan::ConstantRegisters;
use crate::machine::memory::{BIAS, OBJECT_SHIFT};
use crate::machine::prepared_kernel::{PreparedKernel, Target};

/// An affine form: a constant, and coefficients of `threadIdx` and `blockIdx`, in 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct AffineIndex {
    constant: u32,
    thread: [u32; 3],
    block: [u32; 3],
}

/// What the registers hold, where it is known.
type Values = Vec<Option<AffineIndex>>;

/// An access to an object that the kernel may write.
#[derive(Debug)]
struct WriteAccess {
    object: u32,
    index: AffineIndex,
    /// Bytes per step of the index.
    scale: u32,
    /// The bytes that are accessed if the index is 0.
    from: i64,
    to: i64,
}

/// Whether all blocks end within the budget, access nothing that another block writes, and cannot
/// cause more reports than the observer keeps.
pub(crate) fn independent(prepared: &PreparedKernel<'_>, execution: &Execution) -> bool {
    let code = &prepared.kernel.code;
    let lanes = prepared.grid.count().saturating_mul(u64::from(prepared.warps) * 32);
    // At the end of a branch a step may count twice.
    let steps = lanes.saturating_mul(2 * code.len() as u64);
    let accesses = code.iter().filter(|inst| access::of(inst).is_some()).count();
    // An access may be refused or go to constant memory; and read undefined data, and race with any other.
    let reports =
        if execution.checks { 3 * code.len() + 2 * accesses * accesses } else { 2 * accesses };
    if steps >= execution.budget || reports >= execution.max_reports {
        return false;
    }
    let Some(accesses) = write_accesses(prepared) else { return false };
    accesses.iter().all(|access| {
        let same = || accesses.iter().filter(|other| other.object == access.object);
        let from = same().map(|other| other.from).min().unwrap_or(access.from);
        // All accesses stay in one element of whole words, and each element has one owner.
        let alike = |other: &WriteAccess| {
            (other.index, other.scale) == (access.index, access.scale)
                && other.to - from <= i64::from(access.scale)
        };
        from % 4 == 0
            && access.scale.is_multiple_of(4)
            && same().all(alike)
            && blocks_disjoint(prepared, &access.index)
    })
}

/// Whether no two blocks have an index in common.
fn blocks_disjoint(prepared: &PreparedKernel<'_>, index: &AffineIndex) -> bool {
    let parts = |steps: [u32; 3], many: crate::machine::Dim3| {
        steps.into_iter().zip([many.x, many.y, many.z].map(|many| u64::from(many) - 1))
    };
    let sum = |sum: u64, (step, most): (u32, u64)| sum.saturating_add(u64::from(step) * most);
    let mut reach = parts(index.thread, prepared.block).fold(0, sum);
    let mut blocks: Vec<(u32, u64)> =
        parts(index.block, prepared.grid).filter(|(_, most)| *most > 0).collect();
    blocks.sort_unstable();
    for part in blocks {
        if u64::from(part.0) <= reach {
            return false;
        }
        reach = sum(reach, part);
    }
    reach <= u64::from(u32::MAX)
}

/// The accesses to objects that the kernel may write. `None`: it may not terminate, or something is
/// unknown.
fn write_accesses(prepared: &PreparedKernel<'_>) -> Option<Vec<WriteAccess>> {
    let kernel = prepared.kernel;
    let known = ConstantRegisters::new(prepared);
    let registers = 0..kernel.registers + 2;
    let mut now: Option<Values> =
        Some(registers.map(|reg| initial_value(prepared, &known, reg)).collect());
    // What is known at the targets of jumps ahead.
    let mut ahead: Vec<Option<Values>> = vec![None; kernel.code.len()];
    let mut accesses = Vec::new();
    for (pc, inst) in kernel.code.iter().enumerate() {
        let come = ahead[pc].take();
        join_values(&mut now, come.as_ref());
        let Some(state) = &mut now else { continue };
        match inst.category() {
            Category::Load | Category::Store => {
                accesses.extend(write_access(prepared, &known, state, inst)?);
            }
            Category::Arithmetic
            | Category::Address
            | Category::Control
            | Category::Definedness => {}
            _ => return None,
        }
        if let Successor::Jump(target) | Successor::Branch(target) = inst.successor() {
            let there = (target as usize).checked_sub(pc + 1)?;
            join_values(ahead[pc + 1..].get_mut(there)?, Some(state));
        }
        let result = result(inst, state);
        inst.for_each_operand(&mut |reg, slots, role| {
            if role == Role::Write {
                state[usize::from(reg)..][..usize::from(slots)].fill(None);
            }
        });
        if let Some((reg, sum)) = result {
            state[usize::from(reg)] = Some(sum);
        }
        if matches!(inst.successor(), Successor::Jump(_) | Successor::End) {
            now = None;
        }
    }
    Some(accesses)
}

/// What a register holds at the start.
fn initial_value(
    prepared: &PreparedKernel<'_>,
    known: &ConstantRegisters<'_>,
    reg: Reg,
) -> Option<AffineIndex> {
    let constant = |constant| AffineIndex { constant, ..AffineIndex::default() };
    let one = |axis: u8| std::array::from_fn(|at| u32::from(at == usize::from(axis % 3)));
    let extent =
        |d: crate::machine::Dim3, axis: u8| constant([d.x, d.y, d.z][usize::from(axis % 3)]);
    Some(match known.preload(reg)? {
        Preload::Const { bits, wide: false } => constant(bits as u32),
        Preload::Param { offset, ty } if ty.slots() == 1 => {
            constant(prepared.param(offset, ty) as u32)
        }
        Preload::ThreadIdx(axis) => AffineIndex { thread: one(axis), ..AffineIndex::default() },
        Preload::BlockIdx(axis) => AffineIndex { block: one(axis), ..AffineIndex::default() },
        Preload::BlockDim(axis) => extent(prepared.block, axis),
        Preload::GridDim(axis) => extent(prepared.grid, axis),
        _ => return None,
    })
}

/// What is known where two paths meet.
fn join_values(now: &mut Option<Values>, other: Option<&Values>) {
    match (now, other) {
        (Some(now), Some(other)) => {
            for (one, other) in now.iter_mut().zip(other) {
                *one = one.filter(|one| Some(*one) == *other);
            }
        }
        (now @ None, Some(other)) => *now = Some(other.clone()),
        (_, None) => {}
    }
}

/// The result of an instruction and its register, if it is affine.
fn result(inst: &Inst, state: &Values) -> Option<(Reg, AffineIndex)> {
    let get = |reg: Reg| state[usize::from(reg)];
    Some(match *inst {
        Inst::Mov { wide: false, d, a } => (d, get(a)?),
        Inst::Binary { op, ty: Ty::I32 | Ty::U32, d, a, b } => {
            let (a, b) = (get(a)?, get(b)?);
            let sum = match op {
                BinOp::Add => a.plus(b, 1),
                BinOp::Sub => a.plus(b, u32::MAX),
                BinOp::Mul => a.times(b)?,
                BinOp::Shl | BinOp::ShlClamp => {
                    let two = 1u32.checked_shl(b.as_constant()?)?;
                    a.times(AffineIndex { constant: two, ..AffineIndex::default() })?
                }
                _ => return None,
            };
            (d, sum)
        }
        Inst::Fma { ty: Ty::I32 | Ty::U32, d, a, b, c } => {
            (d, get(a)?.times(get(b)?)?.plus(get(c)?, 1))
        }
        _ => return None,
    })
}

impl AffineIndex {
    fn plus(self, other: AffineIndex, times: u32) -> AffineIndex {
        let add = |a: u32, b: u32| a.wrapping_add(b.wrapping_mul(times));
        let all = |a: [u32; 3], b: [u32; 3]| std::array::from_fn(|at| add(a[at], b[at]));
        AffineIndex {
            constant: add(self.constant, other.constant),
            thread: all(self.thread, other.thread),
            block: all(self.block, other.block),
        }
    }

    /// The constant, if the form is one.
    fn as_constant(self) -> Option<u32> {
        (self == AffineIndex { constant: self.constant, ..AffineIndex::default() })
            .then_some(self.constant)
    }

    /// The product, if one of the factors is a constant.
    fn times(self, other: AffineIndex) -> Option<AffineIndex> {
        let (sum, times) = match (self.as_constant(), other.as_constant()) {
            (_, Some(times)) => (self, times),
            (Some(times), None) => (other, times),
            (None, None) => return None,
        };
        Some(AffineIndex::default().plus(sum, times))
    }
}

/// An access, if it is to what the kernel may write. The outer `None`: too little is known.
fn write_access(
    prepared: &PreparedKernel<'_>,
    known: &ConstantRegisters<'_>,
    state: &Values,
    inst: &Inst,
) -> Option<Option<WriteAccess>> {
    let (what, addr) = access::of(inst)?;
    let pointer = known.pointer(addr.base)?;
    let number = pointer >> OBJECT_SHIFT;
    // Otherwise it may reach another object.
    if matches!(addr.index, Index::I64(_)) || addr.scale > 64 {
        return None;
    }
    let object = match prepared.target(number) {
        Some(Target::Heap(..)) => return None,
        Some(Target::Global(object, _)) if prepared.written[object as usize] => object,
        _ => return Some(None),
    };
    let index = match addr.index {
        Index::I32(reg) | Index::U32(reg) => state[usize::from(reg)]?,
        _ => AffineIndex::default(),
    };
    let from = pointer.wrapping_sub((number << OBJECT_SHIFT) | BIAS) as i64;
    let from = from.checked_add(i64::from(addr.offset))?;
    let to = from.checked_add(i64::from(what.width()))?;
    Some(Some(WriteAccess { object, index, scale: addr.scale, from, to }))
}

#[cfg(test)]
mod tests;
