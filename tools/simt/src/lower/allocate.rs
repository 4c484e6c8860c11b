//! Virtual registers to real ones.
//!
//! A linear scan over lifetimes. A value lives from its first mention to its last; one that comes
//! into a loop from outside lives until the loop ends. Lanes of a warp may be in different places
//! of the code, but each has its own copy of every register, so one lane's order is all that counts.
//! What has a name lives as long as its scope, so that whoever looks finds it there.
//!
//! A lane's part of a pair lies where other lanes' parts of its two rows lie. So a row that was a
//! pair's is never one of 32 bits: lanes elsewhere may still need theirs.

use super::code::Code;
use crate::isa::operands::{Role, visit, visit_print};
use crate::isa::{AtomicOp, Home, Inst, Preload, Reg};

/// Renames every register; the number of registers, and what is in some from the start.
pub(super) fn allocate(code: &mut Code) -> (u16, Vec<(Reg, Preload)>) {
    let lives = lifetimes(code);
    let shapes = shapes(code);
    let mut order: Vec<usize> =
        (0..code.groups.len()).filter(|g| !code.groups[*g].pinned && lives[*g].is_some()).collect();
    order.sort_by_key(|g| (lives[*g].map(|(first, _)| first), *g));
    // For each real register, when its last value dies.
    let mut busy: Vec<Option<(usize, Shape)>> = Vec::new();
    let mut place = vec![0usize; code.groups.len()];
    for g in order {
        let Some((first, last)) = lives[g] else { continue };
        let len = usize::from(code.groups[g].len);
        let step = if len > 1 { 2 } else { 1 };
        let mut at = 0;
        let taken = |at: usize| {
            busy.get(at).copied().flatten().is_some_and(|(end, shape)| {
                end >= first || shape != shapes[g] || shape == Shape::Both
            })
        };
        while (at..at + len).any(taken) {
            at += step;
        }
        if busy.len() < at + len {
            busy.resize(at + len, None);
        }
        busy[at..at + len].fill(Some((last, shapes[g])));
        place[g] = at;
    }
    let mut top = busy.len();
    for (g, group) in code.groups.iter().enumerate() {
        if group.pinned && lives[g].is_some() {
            top = top.next_multiple_of(if group.len > 1 { 2 } else { 1 });
            place[g] = top;
            top += usize::from(group.len);
        }
    }
    let (groups, group_of) = (&code.groups, &code.group_of);
    let real = |reg: Reg| -> Reg {
        let g = group_of[usize::from(reg)] as usize;
        (place[g] + usize::from(reg - groups[g].start)) as Reg
    };
    let used = |reg: Reg| lives[group_of[usize::from(reg)] as usize].is_some();
    let preloads =
        code.preloads.iter().filter(|(r, _)| used(*r)).map(|(r, p)| (real(*r), *p)).collect();
    let mut rename = |reg: &mut Reg, _: u16, _: Role| *reg = real(*reg);
    for inst in &mut code.insts {
        visit(inst, &mut rename);
        // Read by compare-and-swap alone, and so no operand of the others: any register will do.
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
            let known = usize::from(*reg) < group_of.len();
            if known && used(*reg) {
                *reg = real(*reg);
            } else {
                life.home = Home::Nowhere;
            }
        }
    }
    (top.next_multiple_of(2).max(2) as u16, preloads)
}

/// How the rows of a group are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Rows,
    Pairs,
    /// Now so, now so: they are nobody else's.
    Both,
}

fn shapes(code: &mut Code) -> Vec<Shape> {
    let mut shapes: Vec<Option<Shape>> = vec![None; code.groups.len()];
    let group_of = &code.group_of;
    for inst in &mut code.insts {
        // Of a vector's rows, how each component is seen.
        let vector = match inst {
            Inst::Load { ty, d, .. } => Some((*d, ty.slots())),
            Inst::Store { ty, a, .. } => Some((*a, ty.slots())),
            _ => None,
        };
        let mut note = |reg: &mut Reg, slots: u16, _: Role| {
            let slots = vector.filter(|v| v.0 == *reg).map_or(slots, |v| v.1);
            let now = if slots == 2 { Shape::Pairs } else { Shape::Rows };
            let shape = &mut shapes[group_of[usize::from(*reg)] as usize];
            *shape = Some(if shape.is_none_or(|s| s == now) { now } else { Shape::Both });
        };
        if let Inst::Print { print } = inst {
            visit_print(&mut code.prints[usize::from(*print)], &mut note);
        }
        visit(inst, &mut note);
    }
    shapes.into_iter().map(|s| s.unwrap_or(Shape::Rows)).collect()
}

/// First and last mention of each group; `None` if there is none.
fn lifetimes(code: &mut Code) -> Vec<Option<(usize, usize)>> {
    let mut lives: Vec<Option<(usize, usize)>> = vec![None; code.groups.len()];
    let (group_of, groups) = (&code.group_of, &code.groups);
    for (i, inst) in code.insts.iter_mut().enumerate() {
        let mut note = |reg: &mut Reg, _: u16, _: Role| {
            let g = group_of[usize::from(*reg)] as usize;
            let (first, last) = lives[g].unwrap_or((groups[g].born.min(i), i));
            lives[g] = Some((first, last.max(i)));
        };
        if let Inst::Print { print } = inst {
            visit_print(&mut code.prints[usize::from(*print)], &mut note);
        }
        visit(inst, &mut note);
    }
    // A variable keeps its registers for as long as it is in scope.
    for life in &code.lives {
        let (Home::Registers(reg) | Home::Address(reg)) = life.home else { continue };
        let group = group_of.get(usize::from(reg)).copied().unwrap_or(0) as usize;
        if let Some(Some((first, last))) = lives.get_mut(group) {
            *first = (*first).min(life.scope.start as usize);
            *last = (*last).max((life.scope.end as usize).saturating_sub(1));
        }
    }
    for (end, inst) in code.insts.iter().enumerate() {
        let (Inst::Jump { target } | Inst::Branch { target, .. }) = inst else { continue };
        let start = *target as usize;
        if start > end {
            continue;
        }
        for (first, last) in lives.iter_mut().flatten() {
            if *first < start && *last >= start {
                *last = (*last).max(end);
            }
        }
    }
    lives
}
