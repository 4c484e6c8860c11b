//! Warp-aggregated atomics: one lane performs the atomic for its warp.
//!
//! If the compiler sees that all lanes use one address, it combines their values first and lets one lane
//! go to memory: 32 atomics on one counter cost one. It does so for 32-bit integers whose old value is
//! dropped, for sums whose old value is used, and for 64-bit sums of a value that all lanes share. (If
//! the old value of a sum is used and the values differ, it does so only if all lanes of the warp are
//! active; otherwise each lane does its own.) The compiler sees what is known without running: an
//! argument, a block index, a variable of the module, and what is computed or loaded from these. This
//! was read from machine code of nvcc 13.0 and measured on an H200: see the recordings of the
//! micro-kernels.
//!
//! Only straight-line code before the atomic is considered. An address that depends on a loop variable
//! counts as different in each lane.

use crate::isa::operands::Role;
use crate::isa::{AtomicOp, Category, Inst, Kernel, Preload, Reg, Successor, Ty};

/// When one lane performs the atomic for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WarpAggregation {
    Never,
    Always,
    /// If all lanes of the warp are active.
    Full,
}

impl WarpAggregation {
    /// Whether it does so for these lanes.
    pub(crate) fn holds(self, lanes: u32) -> bool {
        match self {
            WarpAggregation::Never => false,
            WarpAggregation::Always => true,
            WarpAggregation::Full => lanes == u32::MAX,
        }
    }
}

/// For each instruction, when one lane performs it for all.
pub(crate) fn aggregations(kernel: &Kernel) -> Vec<WarpAggregation> {
    let mut straight = None;
    let mut found = vec![WarpAggregation::Never; kernel.code.len()];
    for (pc, inst) in kernel.code.iter().enumerate() {
        let Inst::Atomic { op, ty, d, a, .. } = *inst else { continue };
        let sum = matches!(op, AtomicOp::Add | AtomicOp::Sub);
        let ordered = matches!(
            op,
            AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor
        );
        // For values that differ.
        let differing = match ty {
            Ty::I32 | Ty::U32 if d.is_none() && (sum || ordered) => WarpAggregation::Always,
            Ty::I32 | Ty::U32 if sum => WarpAggregation::Full,
            Ty::I64 | Ty::U64 if sum => WarpAggregation::Never,
            _ => continue,
        };
        let straight = straight.get_or_insert_with(|| Straight::new(kernel));
        let mut budget = BUDGET;
        if straight.place(pc, &mut budget) {
            let same = sum && straight.same(a, ty.slots(), pc, &mut budget);
            found[pc] = if same { WarpAggregation::Always } else { differing };
        }
    }
    found
}

/// Instructions that are considered for one atomic.
const BUDGET: usize = 1024;

/// The code, and what is known of its registers before it runs.
struct Straight<'k> {
    kernel: &'k Kernel,
    preload: Vec<Option<Preload>>,
    /// Whether some instruction writes the register.
    written: Vec<bool>,
    /// Whether an instruction is a jump target.
    entered: Vec<bool>,
}

impl<'k> Straight<'k> {
    fn new(kernel: &'k Kernel) -> Straight<'k> {
        let registers = usize::from(kernel.registers) + 2;
        let (mut preload, mut written) = (vec![None; registers], vec![false; registers]);
        let mut entered = vec![false; kernel.code.len() + 1];
        for &(reg, what) in &kernel.preloads {
            preload[usize::from(reg)] = Some(what);
        }
        for inst in &kernel.code {
            if let Successor::Branch(target) | Successor::Jump(target) = inst.successor() {
                entered[target as usize] = true;
            }
            inst.for_each_operand(&mut |reg, slots, role| {
                if role == Role::Write {
                    let from = usize::from(reg);
                    written[from..from + usize::from(slots)].fill(true);
                }
            });
        }
        Straight { kernel, preload, written, entered }
    }

    /// Whether the address of the instruction at `pc` is uniform.
    fn place(&self, pc: usize, budget: &mut usize) -> bool {
        let (Inst::Load { addr, .. } | Inst::Atomic { addr, .. }) = self.kernel.code[pc] else {
            return false;
        };
        use crate::isa::Index;
        let index = match addr.index {
            Index::None => true,
            Index::I32(r) | Index::U32(r) => self.same(r, 1, pc, budget),
            Index::I64(r) => self.same(r, 2, pc, budget),
        };
        index && self.same(addr.base, 2, pc, budget)
    }

    /// Whether a register is uniform before `pc`.
    fn same(&self, reg: Reg, slots: u16, pc: usize, budget: &mut usize) -> bool {
        let all = usize::from(reg)..usize::from(reg + slots);
        if !self.written[all.clone()].contains(&true) {
            return self.preloaded(reg);
        }
        for at in (0..pc).rev() {
            if self.entered[at + 1] || *budget == 0 {
                return false;
            }
            *budget -= 1;
            let (mut meets, mut whole, mut reads) = (false, false, Vec::new());
            let inst = &self.kernel.code[at];
            inst.for_each_operand(&mut |other, count, role| match role {
                Role::Write => {
                    let theirs = usize::from(other)..usize::from(other + count);
                    meets |= theirs.start < all.end && all.start < theirs.end;
                    whole |= theirs.start <= all.start && all.end <= theirs.end;
                }
                Role::Read => reads.push((other, count)),
            });
            if !meets {
                continue;
            }
            return whole
                && match inst.category() {
                    // A call of the mathematics library is not followed.
                    Category::Arithmetic if matches!(inst, Inst::Math { .. }) => false,
                    Category::Arithmetic | Category::Address => {
                        reads.iter().all(|&(reg, slots)| self.same(reg, slots, at, budget))
                    }
                    Category::Load => self.place(at, budget),
                    _ => false,
                };
        }
        self.preloaded(reg)
    }

    fn preloaded(&self, reg: Reg) -> bool {
        matches!(
            self.preload[usize::from(reg)],
            Some(
                Preload::Const { .. }
                    | Preload::Param { .. }
                    | Preload::BlockIdx(_)
                    | Preload::BlockDim(_)
                    | Preload::GridDim(_)
                    | Preload::Shared(_)
                    | Preload::Global(_)
            )
        )
    }
}
