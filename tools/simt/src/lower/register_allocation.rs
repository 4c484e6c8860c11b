//! Register allocation by linear scan over live ranges (Poletto and Sarkar, 1999).
//!
//! A live range goes from the first mention of a register tuple to its last. One that enters a loop
//! from outside is extended to the end of the loop. Divergence needs no extra care: each lane has
//! its own copy of every register, so the order within one lane decides. A named variable keeps its
//! registers for its whole scope, so that a debugger finds its value there.
//!
//! The machine stores a register as a row with one word per lane. A 64-bit pair interleaves its two
//! rows by lane, so a row that held a pair is never reused for 32 bits: other lanes of a diverged
//! warp may still need their part. There is no spilling: the machine has as many registers as the
//! kernel needs.

use super::instruction_builder::Builder;
use crate::isa::operands::{Role, visit, visit_print};
use crate::isa::{AtomicOp, Home, Inst, Preload, Reg, Successor};

/// Renames every register. Returns the number of registers, and the preloaded ones.
pub(super) fn allocate(code: &mut Builder) -> (u16, Vec<(Reg, Preload)>) {
    let live_ranges = find_live_ranges(code);
    let classes = register_classes(code);
    let mut order: Vec<usize> = (0..code.tuples.len())
        .filter(|g| !code.tuples[*g].preloaded && live_ranges[*g].is_some())
        .collect();
    order.sort_by_key(|g| (live_ranges[*g].map(|(first, _)| first), *g));
    // For each real register: the end of its last live range, and its class.
    let mut occupied: Vec<Option<(usize, RegisterClass)>> = Vec::new();
    let mut assigned = vec![0usize; code.tuples.len()];
    for g in order {
        let Some((first, last)) = live_ranges[g] else { continue };
        let len = usize::from(code.tuples[g].len);
        let step = if len > 1 { 2 } else { 1 };
        let mut at = 0;
        let taken = |at: usize| {
            occupied.get(at).copied().flatten().is_some_and(|(end, class)| {
                end >= first || class != classes[g] || class == RegisterClass::Mixed
            })
        };
        while (at..at + len).any(taken) {
            at += step;
        }
        if occupied.len() < at + len {
            occupied.resize(at + len, None);
        }
        occupied[at..at + len].fill(Some((last, classes[g])));
        assigned[g] = at;
    }
    let mut top = occupied.len();
    for (g, group) in code.tuples.iter().enumerate() {
        if group.preloaded && live_ranges[g].is_some() {
            top = top.next_multiple_of(if group.len > 1 { 2 } else { 1 });
            assigned[g] = top;
            top += usize::from(group.len);
        }
    }
    let (tuples, tuple_of) = (&code.tuples, &code.tuple_of);
    let real = |reg: Reg| -> Reg {
        let g = tuple_of[usize::from(reg)] as usize;
        (assigned[g] + usize::from(reg - tuples[g].start)) as Reg
    };
    let used = |reg: Reg| live_ranges[tuple_of[usize::from(reg)] as usize].is_some();
    let preloads =
        code.preloads.iter().filter(|(r, _)| used(*r)).map(|(r, p)| (real(*r), *p)).collect();
    let mut rename = |reg: &mut Reg, _: u16, _: Role| *reg = real(*reg);
    for inst in &mut code.insts {
        visit(inst, &mut rename);
        // Only compare-and-swap reads `b`; elsewhere it is no operand, and any register will do.
        if let Inst::Atomic { op, a, b, .. } = inst
            && *op != AtomicOp::Cas
        {
            *b = *a;
        }
    }
    for print in &mut code.prints {
        visit_print(print, &mut rename);
    }
    for life in &mut code.lives {
        if let Home::Registers(reg) | Home::Address(reg) = &mut life.home {
            let known = usize::from(*reg) < tuple_of.len();
            if known && used(*reg) {
                *reg = real(*reg);
            } else {
                life.home = Home::Nowhere;
            }
        }
    }
    (top.next_multiple_of(2).max(2) as u16, preloads)
}

/// How instructions use the rows of a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RegisterClass {
    Single,
    Pair,
    /// Used both as single rows and as pairs; never shared with another tuple.
    Mixed,
}

fn register_classes(code: &mut Builder) -> Vec<RegisterClass> {
    let mut classes: Vec<Option<RegisterClass>> = vec![None; code.tuples.len()];
    let tuple_of = &code.tuple_of;
    let mut note = |reg: Reg, pair: bool| {
        let now = if pair { RegisterClass::Pair } else { RegisterClass::Single };
        let class = &mut classes[tuple_of[usize::from(reg)] as usize];
        *class = Some(if class.is_none_or(|s| s == now) { now } else { RegisterClass::Mixed });
    };
    for inst in &mut code.insts {
        if let Inst::Print { print } = inst {
            visit_print(&mut code.prints[usize::from(*print)], &mut |reg, slots, _| {
                note(*reg, slots == 2);
            });
        }
        // An operand may cover several rows; its class is that of one component.
        inst.visit_operands(&mut |reg, width, _| note(*reg, width.is_wide()));
    }
    classes.into_iter().map(|s| s.unwrap_or(RegisterClass::Single)).collect()
}

/// The live range of each tuple as first and last instruction; `None` if it is never mentioned.
fn find_live_ranges(code: &mut Builder) -> Vec<Option<(usize, usize)>> {
    let mut live_ranges: Vec<Option<(usize, usize)>> = vec![None; code.tuples.len()];
    let (tuple_of, tuples) = (&code.tuple_of, &code.tuples);
    for (i, inst) in code.insts.iter_mut().enumerate() {
        let mut note = |reg: &mut Reg, _: u16, _: Role| {
            let g = tuple_of[usize::from(*reg)] as usize;
            let (first, last) = live_ranges[g].unwrap_or((tuples[g].first_def.min(i), i));
            live_ranges[g] = Some((first, last.max(i)));
        };
        if let Inst::Print { print } = inst {
            visit_print(&mut code.prints[usize::from(*print)], &mut note);
        }
        visit(inst, &mut note);
    }
    // A variable keeps its registers while it is in scope.
    for life in &code.lives {
        let (Home::Registers(reg) | Home::Address(reg)) = life.home else { continue };
        let group = tuple_of.get(usize::from(reg)).copied().unwrap_or(0) as usize;
        if let Some(Some((first, last))) = live_ranges.get_mut(group) {
            *first = (*first).min(life.scope.start as usize);
            *last = (*last).max((life.scope.end as usize).saturating_sub(1));
        }
    }
    for (end, inst) in code.insts.iter().enumerate() {
        let (Successor::Jump(target) | Successor::Branch(target)) = inst.successor() else {
            continue;
        };
        let start = target as usize;
        if start > end {
            continue;
        }
        for (first, last) in live_ranges.iter_mut().flatten() {
            if *first < start && *last >= start {
                *last = (*last).max(end);
            }
        }
    }
    live_ranges
}
