//! Contraction to fused multiply-add: products and sums become FMAs as `nvcc` makes them.
//!
//! The device's compiler contracts by default (`-fmad=true`), across statements. An FMA rounds once,
//! so its bits differ from those of a product and a sum: equal bits need equal contraction. Two of
//! the compiler's passes contract, and this one does what they do, within a basic block:
//!
//! 1. LLVM, for `float` and `double`: a sum with a product of fewer than five uses, all of them
//!    sums. Of two products the operand of lower rank comes first ([`super::operand_rank`]).
//! 2. `ptxas`, for every type, what is left: a sum or difference with a product of which all uses
//!    are sums and differences.
//!
//! A product with any other use stays one, and is added as it is. Equal products of the same values
//! count as one product ([`super::equal_products`]). Products move to the blocks of their sums first
//! ([`super::sink_products`]). What the compiler does after it has unrolled loops and turned branches
//! into selections is not modelled.

use super::equal_products::equal_products;
use super::instruction_builder::Builder;
use super::operand_rank::right_comes_first;
use super::sink_products::sink;
use crate::isa::operands::{Role, visit_print};
use crate::isa::{BinOp, Inst, Reg, Successor, Ty, UnOp};
use std::collections::{HashMap, HashSet};

/// LLVM fuses a product into at most so many sums.
const MAX_USES: usize = 4;

/// The limit of instructions that a search for a later use visits; beyond it, there is one.
const MAX_SEARCH: usize = 4000;

/// Rewrites the code.
pub(super) fn contract(code: &mut Builder) {
    sink(code);
    let boundary = boundaries(code);
    let right_first = right_comes_first(code, &boundary);
    let [reads, writes] = [Role::Read, Role::Write].map(|role| count(code, role));
    let keep = vec![true; code.insts.len()];
    let written_at = written_at(code);
    let before = HashMap::new();
    let mut pass = Pass { keep, before, reads, writes, written_at, right_first, code };
    let mut start = 0;
    for end in 1..boundary.len() {
        if boundary[end] || end + 1 == boundary.len() {
            pass.block(start, end);
            start = end;
        }
    }
    let (keep, before) = (pass.keep, pass.before);
    code.rebuild(&keep, &before);
}

struct Pass<'c> {
    code: &'c mut Builder,
    keep: Vec<bool>,
    before: HashMap<usize, Vec<Inst>>,
    /// How many instructions read and write each register.
    reads: Vec<u32>,
    writes: Vec<u32>,
    /// The instructions that write each register, in order; the pass changes none of them.
    written_at: Vec<Vec<usize>>,
    /// Sums whose right operand comes first.
    right_first: Vec<bool>,
}

/// An operand of a sum or difference: the instruction, and which of the two.
type Use = (usize, Side);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Left,
    Right,
}

/// Products of the same two values in a block.
#[derive(Debug, Default)]
struct Product {
    /// The multiplications.
    made_by: Vec<usize>,
    /// The sums and differences that use them and are not contracted yet.
    sums: Vec<Use>,
    /// Whether anything else uses them.
    other: bool,
    contracted: bool,
}

/// The products of a block, and for each operand of a sum the product and the multiplication.
#[derive(Debug, Default)]
struct Products {
    all: Vec<Product>,
    of: HashMap<Use, (usize, usize)>,
}

impl Pass<'_> {
    fn block(&mut self, start: usize, end: usize) {
        let muls: Vec<usize> =
            (start..end).filter(|at| self.multiplication(*at).is_some()).collect();
        let sums: Vec<usize> = (start..end).filter(|at| self.sum(*at).is_some()).collect();
        if muls.is_empty() || sums.is_empty() {
            return;
        }
        for at in &sums {
            self.fold_negations(start, end, *at);
        }
        let mut products = self.products(start, end);
        for at in sums.iter().rev() {
            self.sum_of_llvm(&mut products, *at);
        }
        for at in &sums {
            self.sum_of_ptxas(&mut products, *at);
        }
        for product in products.all.iter().filter(|p| p.contracted && !p.other && p.sums.is_empty())
        {
            product.made_by.iter().for_each(|at| self.keep[*at] = false);
        }
    }

    /// A multiplication that may be contracted: its type, its result and its factors.
    fn multiplication(&self, at: usize) -> Option<(Ty, Reg, [Reg; 2])> {
        match self.code.insts[at] {
            Inst::Binary { op: BinOp::Mul, ty, d, a, b }
                if ty.is_float() && !self.code.no_contract[at] =>
            {
                Some((ty, d, [a, b]))
            }
            _ => None,
        }
    }

    /// A sum or difference that may be contracted.
    fn sum(&self, at: usize) -> Option<(BinOp, Ty, [Reg; 2])> {
        match self.code.insts[at] {
            Inst::Binary { op: op @ (BinOp::Add | BinOp::Sub), ty, a, b, .. }
                if ty.is_float() && !self.code.no_contract[at] =>
            {
                Some((op, ty, [a, b]))
            }
            _ => None,
        }
    }

    /// `-x + y` is `y - x`, and `x - -y` is `x + y`.
    fn fold_negations(&mut self, start: usize, end: usize, at: usize) {
        let Some((op, ty @ (Ty::F32 | Ty::F64), operands)) = self.sum(at) else { return };
        let Inst::Binary { d, .. } = self.code.insts[at] else { return };
        for (i, operand) in operands.into_iter().enumerate() {
            let Some(from) = self.producer(start, at, operand) else { continue };
            let Inst::Unary { op: UnOp::Neg, ty: of, a: x, .. } = self.code.insts[from] else {
                continue;
            };
            let only = self.uses(from, operand, of, end);
            if of != ty || only.1 || only.0.len() != 1 || !self.unchanged(from, at, &[x]) {
                continue;
            }
            let (op, a, b) = match (op, i) {
                (BinOp::Add, 0) => (BinOp::Sub, operands[1], x),
                (BinOp::Add, _) => (BinOp::Sub, operands[0], x),
                (BinOp::Sub, 1) => (BinOp::Add, operands[0], x),
                _ => continue,
            };
            self.code.insts[at] = Inst::Binary { op, ty, d, a, b };
            self.keep[from] = false;
            return;
        }
    }

    fn products(&self, start: usize, end: usize) -> Products {
        let mut products = Products::default();
        for made_by in equal_products(&self.code.insts[start..end]) {
            let mut product = Product::default();
            for at in made_by.iter().map(|i| start + i) {
                let Some((ty, d, _)) = self.multiplication(at) else { continue };
                product.made_by.push(at);
                let (sums, other) = self.uses(at, d, ty, end);
                product.other |= other;
                for one in sums {
                    products.of.insert(one, (products.all.len(), at));
                    product.sums.push(one);
                }
            }
            products.all.push(product);
        }
        products
    }

    /// Where the value that an instruction leaves in `reg` is an operand of a sum or difference,
    /// and whether it is used elsewhere too.
    fn uses(&self, from: usize, reg: Reg, ty: Ty, end: usize) -> (Vec<Use>, bool) {
        let (mut sums, mut other, mut found) = (Vec::new(), false, 0);
        let single = self.writes[usize::from(reg)] == 1;
        for at in from + 1..end {
            if single && found == self.reads[usize::from(reg)] {
                return (sums, other);
            }
            if !self.keep[at] {
                continue;
            }
            if !self.touches(at, reg, ty.slots(), Role::Read) {
                if self.touches(at, reg, ty.slots(), Role::Write) {
                    return (sums, other);
                }
                continue;
            }
            found += 1;
            match self.sum(at) {
                Some((_, t, operands)) if t == ty => {
                    let sides = [Side::Left, Side::Right].into_iter().zip(operands);
                    sums.extend(sides.filter(|(_, r)| *r == reg).map(|(side, _)| (at, side)));
                }
                _ => other = true,
            }
            if self.touches(at, reg, ty.slots(), Role::Write) {
                return (sums, other);
            }
        }
        let all = single && found == self.reads[usize::from(reg)];
        (sums, other || !all && self.is_live(end, reg, ty.slots()))
    }

    fn touches(&self, at: usize, reg: Reg, slots: u16, wanted: Role) -> bool {
        touches(self.code, at, reg, slots, wanted)
    }

    /// Whether a register is read after a position before it is written.
    fn is_live(&self, from: usize, reg: Reg, slots: u16) -> bool {
        let (mut open, mut seen) = (Vec::new(), HashSet::new());
        successors(self.code, from.saturating_sub(1), &mut open);
        while let Some(at) = open.pop() {
            if at >= self.code.insts.len() || !seen.insert(at) {
                continue;
            }
            if seen.len() > MAX_SEARCH || self.touches(at, reg, slots, Role::Read) {
                return true;
            }
            if !self.touches(at, reg, slots, Role::Write) {
                successors(self.code, at, &mut open);
            }
        }
        false
    }

    fn sum_of_llvm(&mut self, products: &mut Products, at: usize) {
        let Some((BinOp::Add, Ty::F32 | Ty::F64, _)) = self.sum(at) else { return };
        let sides = match self.right_first[at] {
            true => [Side::Right, Side::Left],
            false => [Side::Left, Side::Right],
        };
        for side in sides {
            let Some((number, _)) = products.of.get(&(at, side)) else { continue };
            let product = &products.all[*number];
            let adds =
                product.sums.iter().all(|(s, _)| matches!(self.sum(*s), Some((BinOp::Add, ..))));
            let contractible = !product.other && adds && product.sums.len() <= MAX_USES;
            if contractible && self.fuse(products, at, side) {
                return;
            }
        }
    }

    fn sum_of_ptxas(&mut self, products: &mut Products, at: usize) {
        if self.sum(at).is_none() {
            return;
        }
        for side in [Side::Left, Side::Right] {
            let Some((number, _)) = products.of.get(&(at, side)) else { continue };
            let product = &products.all[*number];
            let twice = product.sums.iter().filter(|(s, _)| *s == at).count() > 1;
            if !product.other && !twice && self.fuse(products, at, side) {
                return;
            }
        }
    }

    /// Makes a sum or difference an FMA with the product on one side; not if the factors are gone.
    fn fuse(&mut self, products: &mut Products, at: usize, side: Side) -> bool {
        let Some(&(number, from)) = products.of.get(&(at, side)) else { return false };
        let Some((ty, made, [x, y])) = self.multiplication(from) else { return false };
        let Inst::Binary { op, d, a, b, .. } = self.code.insts[at] else { return false };
        let overwrites = made == x || made == y;
        let only = products.all[number].sums.len() == 1 && products.all[number].made_by.len() == 1;
        if overwrites && !only || !self.unchanged(from, at, &[x, y]) {
            return false;
        }
        let negated = |pass: &mut Self, reg: Reg| {
            let d = pass.code.registers(ty.slots());
            pass.before.insert(at, vec![Inst::Unary { op: UnOp::Neg, ty, d, a: reg }]);
            d
        };
        let (x, c) = match (op, side) {
            (BinOp::Sub, Side::Left) => (x, negated(self, b)),
            (BinOp::Sub, Side::Right) => (negated(self, x), a),
            (_, Side::Left) => (x, b),
            (_, Side::Right) => (x, a),
        };
        self.code.insts[at] = Inst::Fma { ty, d, a: x, b: y, c };
        products.all[number].contracted = true;
        products.all[number].sums.retain(|one| *one != (at, side));
        let addend = (at, if side == Side::Left { Side::Right } else { Side::Left });
        if let Some((number, _)) = products.of.get(&addend) {
            products.all[*number].sums.retain(|one| *one != addend);
            products.all[*number].other = true;
        }
        true
    }

    /// The last instruction of the block before `at` that writes `reg`.
    fn producer(&self, start: usize, at: usize, reg: Reg) -> Option<usize> {
        let all = self.written_at.get(usize::from(reg))?;
        let last = all[..all.partition_point(|i| *i < at)].last().copied();
        last.filter(|last| *last >= start)
    }

    /// Whether no instruction between two positions writes any of `regs`.
    fn unchanged(&self, from: usize, to: usize, regs: &[Reg]) -> bool {
        regs.iter().all(|reg| {
            let all = self.written_at.get(usize::from(*reg)).map_or(&[][..], Vec::as_slice);
            all.get(all.partition_point(|i| *i <= from)).is_none_or(|next| *next >= to)
        })
    }
}

/// The instructions that write each register, in order.
fn written_at(code: &Builder) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); code.tuple_of.len() + 2];
    for at in 0..code.insts.len() {
        operands(code, at, &mut |reg, slots, role| {
            for reg in (reg..reg + slots).filter(|_| role == Role::Write) {
                out[usize::from(reg)].push(at);
            }
        });
    }
    out
}

/// How many instructions read, or write, each register.
fn count(code: &Builder, wanted: Role) -> Vec<u32> {
    let mut out = vec![0; code.tuple_of.len() + 2];
    for at in 0..code.insts.len() {
        let mut touched = Vec::new();
        operands(code, at, &mut |reg, slots, role| {
            if role == wanted {
                touched.extend(reg..reg + slots);
            }
        });
        touched.sort_unstable();
        touched.dedup();
        touched.iter().for_each(|r| out[usize::from(*r)] += 1);
    }
    out
}

/// Whether an instruction reads or writes any of these registers.
fn touches(code: &Builder, at: usize, reg: Reg, slots: u16, wanted: Role) -> bool {
    let mut hit = false;
    operands(code, at, &mut |r, n, role| {
        hit |= role == wanted && r < reg + slots && reg < r + n;
    });
    hit
}

/// The registers of an instruction, those of what it prints among them.
pub(super) fn operands(code: &Builder, at: usize, note: &mut dyn FnMut(Reg, u16, Role)) {
    let inst = code.insts[at];
    inst.for_each_operand(note);
    if let Inst::Print { print } = inst {
        let mut print = code.prints[usize::from(print)].clone();
        visit_print(&mut print, &mut |r, n, role| note(*r, n, role));
    }
}

/// The positions to which control may go after an instruction.
pub(super) fn successors(code: &Builder, at: usize, out: &mut Vec<usize>) {
    let target = |label: u32| code.labels[label as usize].unwrap_or(0);
    match code.insts[at].successor() {
        Successor::Next => out.push(at + 1),
        Successor::Jump(label) => out.push(target(label)),
        Successor::Branch(label) => out.extend([target(label), at + 1]),
        Successor::End => {}
    }
}

/// Whether a basic block begins at each instruction.
pub(super) fn boundaries(code: &Builder) -> Vec<bool> {
    let mut out = vec![false; code.insts.len() + 1];
    for (i, inst) in code.insts.iter().enumerate() {
        // A label without a jump to it begins no block.
        if let Some(label) = inst.label()
            && let Some(at) = code.labels[label as usize]
        {
            out[at] = true;
        }
        if matches!(inst, Inst::Jump { .. } | Inst::Branch { .. } | Inst::Exit | Inst::Bsync { .. })
        {
            out[i + 1] = true;
        }
    }
    out
}
