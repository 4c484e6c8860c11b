//! Code sinking: a product moves from the basic block that computes it to the sums that use it.
//!
//! The device's compiler contracts within a basic block only, but it first moves single-use
//! instructions to the block of their use. So `a * 1.5f + (c ? x : y)` is one FMA, although the
//! branches of the selection stand between. [`super::fma_contraction`] runs afterwards.
//!
//! All uses of a product must be sums and differences, and none may leave the product's loop. Then:
//!
//! 1. A product with a constant moves to every use (`ptxas` contracts it wherever it is used).
//! 2. Another one moves to its only use, not into a loop, if that keeps no more than one more value
//!    alive, or if both factors are loaded and nothing is stored between.
//!
//! LLVM's and `ptxas`'s costs are finer than that: what `nvcc` does with products of computed values
//! may differ.

use super::fma_contraction::{boundaries, operands, successors};
use super::instruction_builder::Builder;
use crate::isa::operands::Role;
use crate::isa::{BinOp, Category, Inst, Preload, Reg, Ty};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

/// The most instructions that all searches of a kernel visit; beyond it, products stay where they are.
const MAX_SEARCHED: usize = 10_000_000;

/// Moves the products of the code.
pub(super) fn sink(code: &mut Builder) {
    let is_product =
        |inst: &Inst| matches!(inst, Inst::Binary { op: BinOp::Mul, ty: Ty::F32 | Ty::F64, .. });
    if !code.insts.iter().any(is_product) {
        return;
    }
    let flow = Flow::of(code);
    let mut keep = vec![true; code.insts.len()];
    let mut before: HashMap<usize, Vec<Inst>> = HashMap::new();
    let products: Vec<usize> = (0..code.insts.len())
        .filter(|at| !code.no_contract[*at] && is_product(&code.insts[*at]))
        .collect();
    for at in products {
        let Some(uses) = flow.uses_to_sink_to(code, at) else { continue };
        let Inst::Binary { op, ty, d, a, b } = code.insts[at] else { continue };
        keep[at] = uses.iter().any(|to| flow.block[*to] == flow.block[at]);
        for to in uses.into_iter().filter(|to| flow.block[*to] != flow.block[at]) {
            let moved = code.registers(ty.slots());
            before.entry(to).or_default().push(Inst::Binary { op, ty, d: moved, a, b });
            if let Inst::Binary { a, b, .. } = &mut code.insts[to] {
                [a, b].into_iter().filter(|reg| **reg == d).for_each(|reg| *reg = moved);
            }
        }
    }
    if !before.is_empty() {
        code.rebuild(&keep, &before);
    }
}

/// Where registers are read and written, and how control flows.
struct Flow {
    block: Vec<usize>,
    /// The instructions that read, and that write, each register.
    reads: HashMap<Reg, Vec<usize>>,
    writes: HashMap<Reg, Vec<usize>>,
    /// The first and the last instruction of each loop.
    loops: Vec<(usize, usize)>,
    /// How many instructions before each position write to memory.
    stores: Vec<usize>,
    /// How many instructions the searches have visited.
    searched: Cell<usize>,
}

impl Flow {
    fn of(code: &Builder) -> Flow {
        let boundary = boundaries(code);
        let mut flow = Flow {
            block: Vec::new(),
            reads: HashMap::new(),
            writes: HashMap::new(),
            loops: Vec::new(),
            stores: vec![0],
            searched: Cell::new(0),
        };
        let mut stores = 0;
        for (at, inst) in code.insts.iter().enumerate() {
            let block = flow.block.last().copied().unwrap_or(0);
            flow.block.push(block + usize::from(boundary[at]));
            operands(code, at, &mut |reg, slots, role| {
                let of = if role == Role::Read { &mut flow.reads } else { &mut flow.writes };
                for reg in reg..reg + slots {
                    let all = of.entry(reg).or_default();
                    if all.last() != Some(&at) {
                        all.push(at);
                    }
                }
            });
            if let Some(label) = inst.label()
                && let Some(to) = code.labels[label as usize]
                && to <= at
            {
                flow.loops.push((to, at));
            }
            stores += usize::from(matches!(
                inst.category(),
                Category::Store | Category::Atomic | Category::Asynchronous | Category::System
            ));
            flow.stores.push(stores);
        }
        flow
    }

    /// The uses of the product at a position, if it moves to those in other blocks.
    fn uses_to_sink_to(&self, code: &Builder, at: usize) -> Option<Vec<usize>> {
        let Inst::Binary { ty, d, a, b, .. } = code.insts[at] else { return None };
        // First what most products fail: a register that is written often is read as often.
        if !(d..d + ty.slots()).all(|reg| self.written(reg) == [at]) {
            return None;
        }
        let uses = self.reads.get(&d)?.clone();
        let is_sum = |to: &usize| {
            matches!(code.insts[*to], Inst::Binary { op: BinOp::Add | BinOp::Sub, ty: t, a, b, .. }
                if t == ty && a != b && !code.no_contract[*to])
        };
        let elsewhere = uses.iter().any(|to| self.block[*to] != self.block[at]);
        if !elsewhere || !uses.iter().all(is_sum) {
            return None;
        }
        let stable = |reg: Reg| self.written(reg).iter().all(|write| *write < at);
        let leaves = |to: usize| {
            self.loops.iter().any(|(start, end)| *start <= at && at <= *end && to > *end)
        };
        if !stable(a) || !stable(b) || uses.iter().any(|to| *to < at || leaves(*to)) {
            return None;
        }
        if self.reaches_without(code, at, &uses) {
            return None;
        }
        let constant = |reg| matches!(code.preload_in(reg), Some(Preload::Const { .. }));
        if constant(a) || constant(b) {
            return Some(uses);
        }
        let &[to] = uses.as_slice() else { return None };
        let enters =
            self.loops.iter().any(|(start, end)| at < *start && *start <= to && to <= *end);
        (!enters && self.is_cheap(code, [a, b], to)).then_some(uses)
    }

    fn written(&self, reg: Reg) -> &[usize] {
        self.writes.get(&reg).map_or(&[], Vec::as_slice)
    }

    /// Whether few enough values live longer if factors are needed at a position.
    fn is_cheap(&self, code: &Builder, factors: [Reg; 2], to: usize) -> bool {
        let read_after = |reg: &Reg| {
            self.reads.get(reg).and_then(|reads| reads.last()).is_some_and(|last| *last > to)
        };
        let lives_on = |reg: &Reg| code.is_preloaded(*reg) || read_after(reg);
        let loaded_before_stores = |reg: &Reg| match self.written(*reg) {
            [at] => {
                code.insts[*at].category() == Category::Load && self.stores[*at] == self.stores[to]
            }
            _ => false,
        };
        let [a, b] = factors;
        a == b || lives_on(&a) || lives_on(&b) || factors.iter().all(loaded_before_stores)
    }

    /// Whether control may come to one of `uses` around the instruction at a position. Then what the product
    /// holds there may be that of an earlier turn of a loop, whose factors are gone.
    fn reaches_without(&self, code: &Builder, at: usize, uses: &[usize]) -> bool {
        let (mut open, mut seen) = (vec![0], HashSet::new());
        while let Some(next) = open.pop() {
            if uses.contains(&next) || self.searched.get() > MAX_SEARCHED {
                return true;
            }
            if next != at && next < code.insts.len() && seen.insert(next) {
                self.searched.set(self.searched.get() + 1);
                successors(code, next, &mut open);
            }
        }
        false
    }
}
