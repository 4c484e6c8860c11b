//! Pre-decoding: one operation per instruction for the interpreter loop, and a plan for each access to
//! a known object.
//!
//! Most pointers are never written: an argument, a shared array, a variable. For an access through one,
//! object, limits and alignment are known before the launch, and only an index in 32 bits is left. An
//! access to an array of arrays is planned, too, as a superinstruction: the pointer to the inner array
//! is computed by the instruction before (`Lea`) and dead afterwards, so the two run as one. Counters
//! do not change by that. All other accesses take the general way.

use crate::event::Space;
use crate::isa::operands::Role;
use crate::isa::{Addr, BinOp, Index, Inst, Kernel, MemTy, Preload, Reg};
use crate::machine::access::{self, AccessOp};
use crate::machine::alu::Op;
use crate::machine::memory::{BIAS, OBJECT_SHIFT};
use crate::machine::prepared_kernel::{PreparedKernel, Target};

/// An access to a known object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) what: AccessOp,
    /// Instructions before it that it performs as well: 1 with the `Lea` of an inner array, else 0.
    pub(crate) before: u32,
    /// Whether it may be a poll.
    pub(crate) polls: bool,
    /// The destination, if it loads one word per lane, not volatile, and not from local memory.
    pub(crate) words_to: Option<Reg>,
    pub(crate) space: Space,
    /// Index into [`PreparedKernel::objects`] for global ones.
    pub(crate) object: u32,
    /// Where the object starts in its space.
    pub(crate) start: u32,
    /// The last byte at which the access may begin, from the start of the object.
    pub(crate) limit: u32,
    /// What is added to the indices in bytes.
    pub(crate) offset: i32,
    pub(crate) terms: [Term; 2],
}

/// One index of an access.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub(crate) index: Reg,
    /// Bytes per step.
    pub(crate) scale: u32,
    pub(crate) vary: LaneStride,
    /// The largest index with which the access may be inside.
    pub(crate) most: u32,
}

/// How an index differs between lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LaneStride {
    /// There is no such index.
    Absent,
    /// The differences never change: it is a constant, an argument, or a thread index in a block whose
    /// warps are all alike.
    Fixed,
    Varying,
}

/// The operations of all instructions, and the plans that they refer to. `alone`: no plans, since each
/// instruction is observed by itself. `checked`: undefined arithmetic is observed.
pub(crate) fn plan(
    prepared: &PreparedKernel<'_>,
    alone: bool,
    checked: bool,
) -> (Vec<Op>, Vec<Plan>) {
    let kernel = prepared.kernel;
    let known = ConstantRegisters::new(prepared);
    let tag = |inst: &Inst| match checked && known.doubtful(inst) {
        true => Op::of_doubtful(inst),
        false => Op::of(inst),
    };
    let mut ops: Vec<Op> = kernel.code.iter().map(tag).collect();
    let mut plans = Vec::new();
    if alone {
        return (ops, plans);
    }
    for (pc, inst) in kernel.code.iter().enumerate() {
        let Some((what, addr)) = access::of(inst) else { continue };
        if let Some(plan) = known.access(what, &addr, None) {
            ops[pc] = Op::Access(plans.len() as u32);
            plans.push(plan);
            continue;
        }
        let Some(Inst::Lea { d, addr: outer }) = pc.checked_sub(1).map(|at| kernel.code[at]) else {
            continue;
        };
        // Only the address of this access may read the pointer.
        let mut reads = 0;
        inst.for_each_operand(&mut |reg, slots, role| {
            let meets = reg < d + 2 && d < reg + slots;
            reads += u32::from(role == Role::Read && meets);
        });
        if addr.base != d || reads != 1 || !dead(kernel, pc, d) {
            continue;
        }
        if let Some(plan) = known.access(what, &addr, Some(&outer)) {
            ops[pc - 1] = Op::Access(plans.len() as u32);
            plans.push(plan);
        }
    }
    (ops, plans)
}

/// Registers that hold the same from start to end.
pub(crate) struct ConstantRegisters<'p> {
    prepared: &'p PreparedKernel<'p>,
    preload: Vec<Option<Preload>>,
}

impl<'p> ConstantRegisters<'p> {
    pub(crate) fn new(prepared: &'p PreparedKernel<'_>) -> ConstantRegisters<'p> {
        let kernel = prepared.kernel;
        let mut preload = vec![None; usize::from(kernel.registers) + 2];
        for &(reg, what) in &kernel.preloads {
            preload[usize::from(reg)] = Some(what);
        }
        for inst in &kernel.code {
            inst.for_each_operand(&mut |reg, slots, role| {
                if role == Role::Write {
                    // A pair that begins one register before is overwritten, too.
                    let from = usize::from(reg);
                    preload[from.saturating_sub(1)..from + usize::from(slots)].fill(None);
                }
            });
        }
        ConstantRegisters { prepared, preload }
    }

    /// What a register holds.
    pub(crate) fn preload(&self, reg: Reg) -> Option<Preload> {
        self.preload[usize::from(reg)]
    }

    /// The pointer that a register holds in all lanes.
    pub(crate) fn pointer(&self, reg: Reg) -> Option<u64> {
        self.preloaded(self.preload[usize::from(reg)]?)
    }

    /// The pointer that a register begins with.
    pub(crate) fn preloaded(&self, preload: Preload) -> Option<u64> {
        use crate::machine::memory::{GLOBALS, LOCAL, SHARED, pointer};
        Some(match preload {
            Preload::Param { offset, ty } if ty.slots() == 2 => self.prepared.param(offset, ty),
            Preload::Shared(at) => pointer(SHARED + u64::from(at)),
            Preload::Local(at) => pointer(LOCAL + u64::from(at)),
            Preload::Global(at) => pointer(GLOBALS + u64::from(at)),
            _ => return None,
        })
    }

    fn access(&self, what: AccessOp, addr: &Addr, outer: Option<&Addr>) -> Option<Plan> {
        let prepared = self.prepared;
        let pointer = self.pointer(outer.unwrap_or(addr).base)?;
        let number = pointer >> OBJECT_SHIFT;
        let (space, object, start, size) = match prepared.target(number)? {
            Target::Global(index, size) => (Space::Global, index, 0, size),
            // It may be freed while the kernel runs.
            Target::Heap(..) => return None,
            Target::Shared(start, size) => (Space::Shared, 0, start, size),
            Target::Local(start, size) => (Space::Local, 0, start, size),
        };
        let loads = matches!(what, AccessOp::Load { .. });
        if space == Space::Global && !loads && prepared.objects[object as usize].constant {
            return None;
        }
        let limit = size.checked_sub(what.width())?;
        let origin = (number << OBJECT_SHIFT) | BIAS;
        let offset = (pointer.wrapping_sub(origin) as i64)
            .checked_add(i64::from(addr.offset))?
            .checked_add(outer.map_or(0, |a| i64::from(a.offset)))?;
        let offset = i32::try_from(offset).ok()?;
        // With both indices within these bounds, no sum overflows 32 bits.
        let room = i64::from(limit) - i64::from(offset);
        let room = u32::try_from(room).ok().filter(|&room| room < 1 << 31)?;
        let mut terms = [Term { index: 0, scale: 0, vary: LaneStride::Absent, most: 0 }; 2];
        let mut aligned = offset as u32;
        for (term, addr) in terms.iter_mut().zip(outer.into_iter().chain([addr])) {
            let (Index::I32(index) | Index::U32(index)) = addr.index else {
                if addr.index == Index::None {
                    continue;
                }
                return None;
            };
            let most = room.checked_div(addr.scale)?.min(i32::MAX as u32);
            *term = Term { index, scale: addr.scale, vary: self.vary(index), most };
            aligned |= addr.scale;
        }
        let words_to = match what {
            AccessOp::Load { ty: MemTy::B32, n: 1, volatile: false, d } => Some(d),
            _ => None,
        };
        let words_to = words_to.filter(|_| space != Space::Local);
        let polls = what.polls();
        (aligned & (what.width() - 1) == 0).then_some(Plan {
            what,
            before: u32::from(outer.is_some()),
            polls,
            words_to,
            space,
            object,
            start,
            limit,
            offset,
            terms,
        })
    }

    /// Whether it is a shift whose count may be undefined.
    fn doubtful(&self, inst: &Inst) -> bool {
        let Inst::Binary { op: BinOp::Shl | BinOp::Shr, b, .. } = *inst else { return false };
        !matches!(self.preload[usize::from(b)], Some(Preload::Const { bits: 0..32, .. }))
    }

    fn vary(&self, reg: Reg) -> LaneStride {
        let Some(preload) = self.preload[usize::from(reg)] else { return LaneStride::Varying };
        match preload {
            Preload::Const { .. }
            | Preload::Param { .. }
            | Preload::BlockIdx(_)
            | Preload::BlockDim(_)
            | Preload::GridDim(_)
            | Preload::ClusterDim(_)
            | Preload::Cooperative
            | Preload::LaneId => LaneStride::Fixed,
            Preload::ThreadIdx(axis) if self.steady(usize::from(axis % 3)) => LaneStride::Fixed,
            _ => LaneStride::Varying,
        }
    }

    /// Whether a thread index differs from lane to lane alike in every warp.
    fn steady(&self, axis: usize) -> bool {
        let prepared = self.prepared;
        let at = |warp: u32, lane: u32| prepared.thread_index(warp * 32 + lane)[axis];
        let step = |warp, lane| at(warp, lane).wrapping_sub(at(warp, 0));
        (1..prepared.warps).all(|warp| (1..32).all(|lane| step(warp, lane) == step(0, lane)))
    }
}

/// Instructions that are searched for a read of a register.
const FAR: usize = 256;

/// Whether the pair `d` is dead after the instruction at `pc`.
fn dead(kernel: &Kernel, pc: usize, d: Reg) -> bool {
    // Where to go on, and which halves of the pair were overwritten.
    let mut todo = vec![(pc + 1, halves(kernel, pc, d).1)];
    let mut seen: Vec<(usize, u8)> = Vec::new();
    while let Some((at, gone)) = todo.pop() {
        if gone == 3 || seen.contains(&(at, gone)) {
            continue;
        }
        if seen.len() == FAR {
            return false;
        }
        seen.push((at, gone));
        let (read, written) = halves(kernel, at, d);
        if read & !gone != 0 {
            return false;
        }
        let gone = gone | written;
        todo.extend(kernel.code[at].successors(at).map(|next| (next, gone)));
    }
    true
}

/// Which halves of the pair `d` an instruction reads and writes, a bit each.
fn halves(kernel: &Kernel, at: usize, d: Reg) -> (u8, u8) {
    let (mut read, mut written) = (0, 0);
    let mut note = |reg: Reg, slots: u16, role: Role| {
        for (half, part) in [d, d + 1].into_iter().enumerate() {
            if (reg..reg + slots).contains(&part) {
                match role {
                    Role::Read => read |= 1 << half,
                    Role::Write => written |= 1 << half,
                }
            }
        }
    };
    kernel.for_each_operand(&kernel.code[at], &mut note);
    (read, written)
}
