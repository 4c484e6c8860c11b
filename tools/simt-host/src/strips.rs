//! Strip mining: loops whose iterations can run side by side.
//!
//! A loop is taken if one path through it, from its start to the branch back, consists of arithmetic,
//! loads, stores and branches. [`crate::interpreter`] then runs the path for several iterations at once,
//! one lane each, an instruction for all lanes at a time, as long as each of them takes this path. So
//! the cost of decoding an instruction is shared.
//!
//! A register that an iteration takes from the one before must be a counter, or be written by a single
//! instruction (`sum = sum + x`), which then runs lane after lane.
//!
//! Not done: loops in loops, calls, iterations that branch differently (they run one by one).

use crate::Library;
use crate::bytecode::{Function, Indexed, Inst, Pc, Reg};
use crate::specialised::{Specialised, one};
use simt::isa::{BinOp, MemTy, Ty};
use std::collections::HashMap;

/// The most instructions of a path, and of the search for one.
const MAX_PATH: usize = 64;
const MAX_SEARCH: u32 = 512;

/// A path through a loop.
#[derive(Debug)]
pub(super) struct Strip {
    /// Its number in the program.
    pub(super) number: usize,
    /// The branch back, and a counter that the instruction before it increments.
    pub(super) end: Pc,
    pub(super) increment: Option<(Reg, i32)>,
    pub(super) path: Vec<Op>,
    pub(super) slots: Vec<Slot>,
    /// Steps of the budget per iteration.
    pub(super) steps: u64,
    /// How many numbers of `rand` an iteration draws.
    pub(super) draws: usize,
}

/// A register of the path. The instructions name it by its index.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) register: Reg,
    pub(super) begins: Begins,
    pub(super) written: bool,
}

/// What a register holds as an iteration begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// What it holds before the first one.
    Same,
    /// A counter of 32 bits, or of 64.
    Counter32(i32),
    Counter64(i64),
    /// Nothing that is used.
    Unused,
}

/// An instruction of the path; its registers are slots.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    /// One that has an opcode per type.
    Lanes(Specialised),
    /// Other arithmetic.
    Generic(Inst),
    /// `d` is also an operand, and comes from the iteration before.
    Sequential(Inst, Reg),
    /// A branch, and whether the path takes it.
    Guard(Specialised, bool),
    /// The address of a load or a store.
    Address {
        d: Reg,
        at: Address,
    },
    Load {
        ty: MemTy,
        d: Reg,
        at: Address,
    },
    Store {
        ty: MemTy,
        a: Reg,
        at: Address,
    },
    /// A number of `rand`.
    Draw(Reg),
}

/// Where a load or a store is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Address {
    Element(Indexed),
    Pointer(Reg, i32),
    Frame(u32),
}

/// Finds the strips of all functions. Where one ends, the fast loop gets an opcode of its own.
pub(super) fn find(functions: &mut [Function]) {
    let mut number = 0;
    for function in functions {
        let code = &function.code;
        for (end, inst) in code.iter().enumerate() {
            let (Inst::BranchCompare { to, .. } | Inst::BranchConst { to, .. }) = *inst else {
                continue;
            };
            let Some(strip) = strip(code, to as usize, end, number) else {
                continue;
            };
            let at = end - usize::from(strip.increment.is_some());
            let index = function.strips.len() as u32;
            function.specialised[at] = Specialised::Loop { strip: index };
            function.strips.push(strip);
            number += 1;
        }
    }
}

/// The strip of the loop between two instructions.
fn strip(code: &[Inst], start: usize, end: usize, number: usize) -> Option<Strip> {
    if start >= end {
        return None;
    }
    let mut path = Vec::new();
    let mut search = Search { code, start, end, left: MAX_SEARCH };
    if !search.walk(start, &mut path) {
        return None;
    }
    path.push((end, true));
    let slots = slots(code, &path)?;
    let index: HashMap<Reg, Reg> =
        slots.iter().enumerate().map(|(at, slot)| (slot.register, at as Reg)).collect();
    // The opcode of the branch takes the increment before it along, as other opcodes do.
    let increment = match code[end - 1] {
        Inst::AddI32Const { d, a, b } if d == a => Some((d, b)),
        _ => None,
    };
    let end = end as Pc;
    let (mut ops, mut steps, mut draws) = (Vec::new(), 0, 0);
    for (at, taken) in path {
        let mut inst = code[at];
        inst.for_each_register(|register, _| *register = index[&*register]);
        let op = match inst {
            Inst::Nop | Inst::Skip { .. } => continue,
            Inst::Jump { .. } | Inst::Tick => {
                steps += 1;
                continue;
            }
            Inst::Branch { .. } | Inst::BranchCompare { .. } | Inst::BranchConst { .. } => {
                steps += u64::from(taken);
                match one(inst) {
                    // A comparison without an opcode of its own, which is rare.
                    Specialised::GenericBranch => return None,
                    branch => Op::Guard(branch, taken),
                }
            }
            Inst::IndexAddress { d, at } => Op::Address { d, at: Address::Element(at) },
            Inst::FrameAddress { d, at } => Op::Address { d, at: Address::Frame(at) },
            Inst::LoadIndex { ty, d, at } => Op::Load { ty, d, at: Address::Element(at) },
            Inst::Load { ty, d, p, offset } => Op::Load { ty, d, at: Address::Pointer(p, offset) },
            Inst::LoadFrame { ty, d, at } => Op::Load { ty, d, at: Address::Frame(at) },
            Inst::StoreIndex { ty, a, at } => Op::Store { ty, a, at: Address::Element(at) },
            Inst::Store { ty, a, p, offset } => {
                Op::Store { ty, a, at: Address::Pointer(p, offset) }
            }
            Inst::Library { window, .. } => {
                draws += 1;
                Op::Draw(index[&window])
            }
            _ => match (carried(inst, &slots), one(inst)) {
                (Some(register), _) => Op::Sequential(inst, register),
                (None, Specialised::Generic) => Op::Generic(inst),
                (None, specialised) => Op::Lanes(specialised),
            },
        };
        ops.push(op);
    }
    Some(Strip { number, end, increment, path: ops, slots, steps, draws })
}

/// The slot that an instruction takes from the iteration before, and writes.
fn carried(mut inst: Inst, slots: &[Slot]) -> Option<Reg> {
    let (mut read, mut written) = (Vec::new(), None);
    inst.for_each_register(|slot, write| {
        if write {
            written = Some(*slot);
        } else {
            read.push(*slot);
        }
    });
    let slot = &slots[usize::from(written?)];
    (slot.begins == Begins::Same && read.contains(&written?)).then_some(written?)
}

/// The search for a path.
struct Search<'a> {
    code: &'a [Inst],
    start: usize,
    end: usize,
    left: u32,
}

impl Search<'_> {
    /// Walks from an instruction to the end of the loop; appends the instructions on the way, each with
    /// whether it jumps. It prefers not to jump: what a branch skips is mostly what it is there for.
    fn walk(&mut self, mut at: usize, path: &mut Vec<(usize, bool)>) -> bool {
        while at != self.end {
            if self.left == 0 || path.len() == MAX_PATH || !(self.start..self.end).contains(&at) {
                return false;
            }
            self.left -= 1;
            match self.code[at] {
                Inst::Jump { to } | Inst::Skip { to } => {
                    if to as usize <= at {
                        return false;
                    }
                    path.push((at, true));
                    at = to as usize;
                }
                Inst::Branch { to, .. }
                | Inst::BranchCompare { to, .. }
                | Inst::BranchConst { to, .. } => {
                    let known = path.len();
                    path.push((at, false));
                    if self.walk(at + 1, path) {
                        return true;
                    }
                    path.truncate(known);
                    if to as usize <= at {
                        return false;
                    }
                    path.push((at, true));
                    at = to as usize;
                }
                inst if is_plain(inst) => {
                    path.push((at, false));
                    at += 1;
                }
                _ => return false,
            }
        }
        true
    }
}

/// Whether lanes can execute the instruction, apart from branches.
fn is_plain(inst: Inst) -> bool {
    match inst {
        Inst::Library { function: Library::Rand, .. } | Inst::Tick | Inst::Nop => true,
        Inst::Load { .. }
        | Inst::LoadIndex { .. }
        | Inst::Store { .. }
        | Inst::StoreIndex { .. } => true,
        Inst::Literal { .. } | Inst::Symbol { .. } | Inst::Distance { .. } => false,
        Inst::Binary { .. } | Inst::BinaryConst { .. } => true,
        inst => inst.is_register_only(),
    }
}

/// The registers of a path; `None` if one of them is carried from iteration to iteration in a way that
/// lanes cannot follow.
fn slots(code: &[Inst], path: &[(usize, bool)]) -> Option<Vec<Slot>> {
    // Per register: the accesses, as positions in the path, and whether each writes.
    let mut accesses: HashMap<Reg, Vec<(usize, bool)>> = HashMap::new();
    for (position, (at, _)) in path.iter().enumerate() {
        let mut inst = code[*at];
        inst.for_each_register(|register, write| {
            accesses.entry(*register).or_default().push((position, write));
        });
        if let Inst::Library { window, .. } = inst {
            accesses.entry(window).or_default().push((position, true));
        }
    }
    let mut slots = Vec::new();
    for (register, accesses) in accesses {
        let writes: Vec<usize> =
            accesses.iter().filter(|(_, write)| *write).map(|(position, _)| *position).collect();
        let begins = match (accesses[0].1, &writes[..]) {
            (true, _) => Begins::Unused,
            (false, []) => Begins::Same,
            (false, [only]) => match code[path[*only].0] {
                Inst::AddI32Const { d, a, b } if d == a => Begins::Counter32(b),
                Inst::BinaryConst { op: BinOp::Add, ty: Ty::I64 | Ty::U64, d, a, b } if d == a => {
                    Begins::Counter64(i64::from(b))
                }
                Inst::Offset { d, a, offset } if d == a => Begins::Counter64(i64::from(offset)),
                // Nothing reads what the iteration before left, but the instruction that replaces it.
                inst if is_arithmetic(inst) && accesses.iter().all(|(at, _)| at >= only) => {
                    Begins::Same
                }
                _ => return None,
            },
            _ => return None,
        };
        slots.push(Slot { register, begins, written: !writes.is_empty() });
    }
    slots.sort_by_key(|slot| slot.register);
    Some(slots)
}

/// Whether lanes can execute the instruction one after the other.
fn is_arithmetic(inst: Inst) -> bool {
    matches!(
        inst,
        Inst::Binary { .. }
            | Inst::BinaryConst { .. }
            | Inst::AddF32 { .. }
            | Inst::AddF64 { .. }
            | Inst::MulF32 { .. }
            | Inst::MulF64 { .. }
            | Inst::AddI32 { .. }
            | Inst::MulI32 { .. }
            | Inst::AddI64 { .. }
            | Inst::Fma { .. }
            | Inst::Math { .. }
            | Inst::Step { .. }
    )
}
