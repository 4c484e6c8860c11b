//! Which instructions copy the operands of products of a warp group from and to variables.
//!
//! The variables live in local memory here, and an `asm` statement gets them in registers: they are loaded
//! and copied before it, and stored after it. On hardware the variable is the register of the product, and
//! the copies do not exist. So they are found by following each register of the product
//! through copies of registers, back to a load and on to a store, in code without jumps.

use crate::isa::operands::Role;
use crate::isa::{Category, Inst, Kernel, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Instructions that are searched for one register.
const WINDOW: usize = 1024;

/// What an instruction does for a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// It loads the operand of that number.
    Load(usize),
    /// It stores an accumulator of the product of that number.
    Store(usize),
}

/// A product of the kernel.
#[derive(Debug)]
pub(super) struct Product {
    /// Its number.
    pub(super) number: usize,
    /// The numbers of its operands: the accumulators, and the left factor where it is in registers.
    pub(super) sums: Range<usize>,
    pub(super) factors: Range<usize>,
}

/// The products of a kernel, and what belongs to them, by instruction.
#[derive(Debug, Default)]
pub(super) struct ProductOperands {
    pub(super) products: FxHashMap<u32, Product>,
    pub(super) parts: FxHashMap<u32, Part>,
    /// Operands in all.
    pub(super) count: usize,
}

impl ProductOperands {
    pub(super) fn new(kernel: &Kernel) -> ProductOperands {
        let mut all = ProductOperands::default();
        let labels: FxHashSet<usize> =
            kernel.code.iter().filter_map(|inst| inst.label()).map(|pc| pc as usize).collect();
        for (pc, inst) in kernel.code.iter().enumerate() {
            let Inst::WarpGroupMultiply { shape, factors, d, a, c, .. } = *inst else { continue };
            let number = all.products.len();
            let of_sums = usize::from(shape.sum_registers());
            let of_factors = if factors.a_in_registers { 4 } else { 0 };
            let sums = all.count..all.count + of_sums;
            let factors = sums.end..sums.end + of_factors;
            all.count = factors.end;
            let inputs = (c..).zip(sums.clone()).take(of_sums);
            for (reg, operand) in inputs.chain((a..).zip(factors.clone())) {
                if let Some(load) = loaded(kernel, &labels, pc, reg) {
                    all.parts.insert(load as u32, Part::Load(operand));
                }
            }
            for reg in d..d + shape.sum_registers() {
                if let Some(store) = stored(kernel, &labels, pc, reg) {
                    all.parts.insert(store as u32, Part::Store(number));
                }
            }
            all.products.insert(pc as u32, Product { number, sums, factors });
        }
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.products.is_empty()
    }
}

/// The instruction that loads what a register holds before the product at `pc`.
fn loaded(kernel: &Kernel, labels: &FxHashSet<usize>, pc: usize, mut reg: Reg) -> Option<usize> {
    for at in (pc.saturating_sub(WINDOW)..pc).rev() {
        if labels.contains(&(at + 1)) || leaves(&kernel.code[at]) {
            return None;
        }
        match kernel.code[at] {
            Inst::Mov { wide: false, d, a } if d == reg => reg = a,
            Inst::Load { n, d, .. } if (d..d + Reg::from(n)).contains(&reg) => return Some(at),
            _ if touches(kernel, at, reg, Role::Write) => return None,
            _ => {}
        }
    }
    None
}

/// The instruction that stores what the product at `pc` leaves in a register.
fn stored(kernel: &Kernel, labels: &FxHashSet<usize>, pc: usize, mut reg: Reg) -> Option<usize> {
    for at in (pc + 1..kernel.code.len()).take(WINDOW) {
        if labels.contains(&at) || leaves(&kernel.code[at]) {
            return None;
        }
        match kernel.code[at] {
            Inst::Mov { wide: false, d, a } if a == reg => reg = d,
            Inst::Store { n: 1, a, .. } if a == reg => return Some(at),
            _ if touches(kernel, at, reg, Role::Write) => return None,
            _ => {}
        }
    }
    None
}

/// Whether control may go elsewhere, or another warp may have its turn.
fn leaves(inst: &Inst) -> bool {
    matches!(inst.category(), Category::Control | Category::BlockBarrier)
}

fn touches(kernel: &Kernel, at: usize, reg: Reg, what: Role) -> bool {
    let mut found = false;
    kernel.code[at].for_each_operand(&mut |first, slots, role| {
        found |= role == what && (first..first + slots).contains(&reg);
    });
    found
}
