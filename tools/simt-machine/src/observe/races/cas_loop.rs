//! Plain reads at the start of a compare-and-swap loop.
//!
//! CUDA's programming guide builds atomics that it does not have in this way:
//!
//! ```text
//! old = *p;
//! do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (assumed != old);
//! ```
//!
//! The value read, and what is computed from it, counts only if the compare-and-swap found that value
//! at that address: then it is as if the compare-and-swap had read it. Otherwise it is dropped. Such a
//! read does not race with atomics; with plain writes it does.
//!
//! This is a data-flow analysis (taint tracking). From the load on, on every path, the value and what is
//! computed from it must stay in registers, must not be part of an address, and must decide no branch
//! except the comparison with the result of the compare-and-swap; where that is equal, tracking ends. A
//! value that reaches such a swap and has another use as well is [`CasRead::Doubtful`].

use crate::isa::operands::Role;
use crate::isa::{Addr, AtomicOp, Category, CmpOp, Index, Inst, Kernel, Preload, Reg};
use std::collections::{BTreeMap, BTreeSet};

/// What is done with the value that an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CasRead {
    /// It is no plain load, or its value reaches no compare-and-swap.
    Unrelated,
    /// Its only use is one that a compare-and-swap confirms.
    Confirmed,
    /// A compare-and-swap compares it, and it has another use as well.
    Doubtful,
}

/// What a register holds of the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// This register of it, unchanged.
    Copy(u16),
    /// Something computed from it.
    Derived,
}

/// What is known before an instruction.
#[derive(Debug, Clone, PartialEq, Default)]
struct State {
    tags: BTreeMap<Reg, Tag>,
    /// Whether the address may have changed.
    moved: bool,
    /// Registers that hold the result of the compare-and-swap.
    returned: BTreeSet<Reg>,
    /// The register that tells whether the swap found the value, and with which truth value.
    verdict: Option<(Reg, bool)>,
}

impl State {
    /// The state where two paths meet. Returns whether it changed.
    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (reg, tag) in &other.tags {
            let own = self.tags.entry(*reg).or_insert(*tag);
            if own != tag {
                *own = Tag::Derived;
            }
        }
        self.moved |= other.moved;
        self.returned = self.returned.intersection(&other.returned).copied().collect();
        if self.verdict != other.verdict {
            self.verdict = None;
        }
        *self != before
    }

    fn tainted(&self, reg: Reg, n: u16) -> bool {
        self.tags.range(reg..reg + n).next().is_some()
    }

    /// Whether these registers hold the value itself.
    fn is_value(&self, reg: Reg, n: u16) -> bool {
        (0..n).all(|i| self.tags.get(&(reg + i)) == Some(&Tag::Copy(i)))
    }
}

/// For each instruction of a kernel, what is done with the value that it reads.
pub(crate) fn reads(kernel: &Kernel) -> Vec<CasRead> {
    let swaps: Vec<Addr> = kernel.code.iter().filter_map(|i| swap(i).map(|s| s.1)).collect();
    let one = |(at, inst): (usize, &Inst)| match inst {
        Inst::Load { ty, n: 1, volatile: false, d, addr } if swaps.contains(addr) => {
            follow(kernel, at, *d, ty.slots(), *addr)
        }
        _ => CasRead::Unrelated,
    };
    kernel.code.iter().enumerate().map(one).collect()
}

/// A compare-and-swap: its expected value, and its address.
fn swap(inst: &Inst) -> Option<((Reg, u16), Addr)> {
    match inst {
        Inst::Atomic { op: AtomicOp::Cas, ty, a, addr, .. } => Some(((*a, ty.slots()), *addr)),
        _ => None,
    }
}

fn follow(kernel: &Kernel, load: usize, d: Reg, slots: u16, addr: Addr) -> CasRead {
    let mut begin = State::default();
    begin.tags.extend((0..slots).map(|i| (d + i, Tag::Copy(i))));
    // The load may overwrite its own address.
    begin.moved = overlaps(&addr, d, slots);
    let mut states: BTreeMap<usize, State> = BTreeMap::from([(load + 1, begin)]);
    let mut open = vec![load + 1];
    let (mut confirmed, mut doubtful) = (false, false);
    while let Some(at) = open.pop() {
        let (Some(inst), Some(state)) = (kernel.code.get(at), states.get(&at)) else { continue };
        if state.tags.is_empty() {
            continue;
        }
        let mut next = state.clone();
        match step(kernel, inst, (&addr, slots), &mut next) {
            Use::Fine => {}
            Use::Compared => confirmed = true,
            Use::Other => doubtful = true,
        }
        for (to, state) in ways(inst, at, &next) {
            match states.get_mut(&to) {
                Some(known) => {
                    if !known.join(&state) {
                        continue;
                    }
                }
                None => {
                    states.insert(to, state);
                }
            }
            open.push(to);
        }
    }
    match (confirmed, doubtful) {
        (true, false) => CasRead::Confirmed,
        (true, true) => CasRead::Doubtful,
        _ => CasRead::Unrelated,
    }
}

/// The next instructions, with what is known there.
fn ways(inst: &Inst, at: usize, state: &State) -> Vec<(usize, State)> {
    match *inst {
        Inst::Branch { cond, when, target } => {
            let way = |to: usize, answer: bool| match state.verdict {
                Some((reg, found)) if reg == cond && found == answer => (to, State::default()),
                _ => (to, state.clone()),
            };
            vec![way(target as usize, when), way(at + 1, !when)]
        }
        _ => inst.successors(at).map(|next| (next, state.clone())).collect(),
    }
}

/// How an instruction uses the value.
enum Use {
    Fine,
    Compared,
    Other,
}

fn step(kernel: &Kernel, inst: &Inst, value: (&Addr, u16), state: &mut State) -> Use {
    let (addr, slots) = value;
    let (mut read, mut written) = (Vec::new(), Vec::new());
    kernel.for_each_operand(inst, &mut |reg, n, role| match role {
        Role::Read => read.push((reg, n)),
        Role::Write => written.push((reg, n)),
    });
    let touched = read.iter().any(|(reg, n)| state.tainted(*reg, *n));
    let mut used = Use::Fine;
    let mut tags: Vec<(Reg, Tag)> = Vec::new();
    let mut returned = Vec::new();
    let mut verdict = None;
    match *inst {
        Inst::Mov { wide, d, a } => {
            for i in 0..if wide { 2 } else { 1 } {
                tags.extend(state.tags.get(&(a + i)).map(|tag| (d + i, *tag)));
            }
            if state.returned.contains(&a) {
                returned.push(d);
            }
            verdict = state.verdict.filter(|v| v.0 == a).map(|v| (d, v.1));
        }
        Inst::Compare { op: op @ (CmpOp::Eq | CmpOp::Ne), ty, d, a, b } => {
            let n = ty.slots();
            let pair = |x: Reg, y: Reg| state.is_value(x, n) && state.returned.contains(&y);
            let (equal, zero) = (op == CmpOp::Eq, is_zero(kernel, b));
            if !ty.is_float() && (pair(a, b) || pair(b, a)) {
                verdict = Some((d, equal));
            } else if let Some((_, found)) = state.verdict.filter(|v| v.0 == a && zero) {
                verdict = Some((d, found != equal));
            } else if touched {
                tags.push((d, Tag::Derived));
            }
        }
        _ if inst.category() == Category::Arithmetic => {
            for (reg, n) in written.iter().filter(|_| touched) {
                tags.extend((*reg..*reg + *n).map(|reg| (reg, Tag::Derived)));
            }
        }
        Inst::Atomic { d, .. } => {
            let compares = swap(inst).filter(|s| s.1 == *addr && !state.moved);
            let compares = compares.is_some_and(|((a, n), _)| state.is_value(a, n));
            let place = read.iter().skip(2).any(|(reg, n)| state.tainted(*reg, *n));
            if compares && !place {
                used = Use::Compared;
                returned.extend(d);
            } else if touched {
                used = Use::Other;
            }
        }
        _ if touched => used = Use::Other,
        _ => {}
    }
    for (reg, n) in written {
        for reg in reg..reg + n {
            state.tags.remove(&reg);
            state.returned.retain(|r| !(*r..*r + slots).contains(&reg));
        }
        state.verdict = state.verdict.filter(|v| !(reg..reg + n).contains(&v.0));
        state.moved |= overlaps(addr, reg, n);
    }
    state.tags.extend(tags);
    state.returned.extend(returned);
    state.verdict = verdict.or(state.verdict);
    used
}

/// Whether one of these registers is part of an address.
fn overlaps(addr: &Addr, reg: Reg, n: u16) -> bool {
    let within = |of: Reg, m: u16| reg < of + m && of < reg + n;
    within(addr.base, 2)
        || match addr.index {
            Index::None => false,
            Index::I32(r) | Index::U32(r) => within(r, 1),
            Index::I64(r) => within(r, 2),
        }
}

/// Whether a register is zero from the start.
fn is_zero(kernel: &Kernel, reg: Reg) -> bool {
    let zero = |p: &Preload| matches!(p, Preload::Const { bits: 0, .. });
    kernel.preloads.iter().any(|(r, p)| *r == reg && zero(p))
}
