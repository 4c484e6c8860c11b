//! What `volatile` reads are for: those that only poll, and those that only compute.
//!
//! To PTX a `volatile` access is a relaxed one of the system's scope, and two of them are no data race.
//! That is what polling needs; a value to compute with must be ordered nevertheless, or it may be old. A
//! data-flow analysis of the code decides: a read polls if its value decides whether the innermost loop
//! around it goes on (whatever else it is used for: a flag and a sum may share a word), or if it decides
//! branches and has no other use.
//!
//! A read acquires what was published at its word only if the program can have waited for that: its value
//! must steer something. `*v = *v + 1` asks nothing, so what another block did before it wrote `v` may
//! come before or after.

use crate::isa::operands::Role;
use crate::isa::{Category, Inst, Kernel, Reg, Successor};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of the value of a `volatile` read.
#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    /// It decides whether the innermost loop goes on.
    ends_loop: bool,
    /// It decides a branch.
    decides: bool,
    /// It is computed with, stored, or an operand of another thread's doing.
    used: bool,
    /// It decides a branch, an address, or something that this analysis does not follow.
    steers: bool,
}

/// Whether the instruction is a `volatile` read that only polls. What goes into a multiply-add or a
/// library function is computed with.
pub(crate) fn asks(kernel: &Kernel, load: usize) -> bool {
    let uses = uses(kernel, load, false);
    uses.is_some_and(|uses| uses.ends_loop || (uses.decides && !uses.used))
}

/// Whether the instruction is a `volatile` read whose value steers nothing.
pub(crate) fn only_computes(kernel: &Kernel, load: usize) -> bool {
    uses(kernel, load, true).is_some_and(|uses| !uses.steers)
}

/// What becomes of the value that the instruction reads, and `through` whether also of what a
/// multiply-add or a library function makes of it; `None` if it is no `volatile` read.
fn uses(kernel: &Kernel, load: usize, through: bool) -> Option<Uses> {
    let Inst::Load { volatile: true, ty, n, d, .. } = kernel.code[load] else { return None };
    let target = |at: usize| match kernel.code[at].successor() {
        Successor::Jump(target) | Successor::Branch(target) => Some(target as usize),
        Successor::Next | Successor::End => None,
    };
    // The innermost loop: a jump back over the read.
    let around = (load..kernel.code.len()).filter_map(|end| Some(target(end)?..=end));
    let inner = around.filter(|l| l.contains(&load)).min_by_key(|l| l.end() - l.start());
    let value: BTreeSet<Reg> = (d..d + ty.slots() * u16::from(n)).collect();
    let mut known = BTreeMap::from([(load + 1, value)]);
    let mut open = vec![load + 1];
    let mut uses = Uses::default();
    while let Some(at) = open.pop() {
        let (Some(inst), Some(mut value)) = (kernel.code.get(at), known.get(&at).cloned()) else {
            continue;
        };
        let (mut touched, mut written) = (false, Vec::new());
        inst.for_each_operand(&mut |reg, n, role| match role {
            Role::Read => touched |= value.range(reg..reg + n).next().is_some(),
            Role::Write => written.extend(reg..reg + n),
        });
        let to = target(at);
        let mut passes = false;
        match inst {
            Inst::Branch { .. } if touched => {
                (uses.decides, uses.steers) = (true, true);
                let leaves = |to: usize| inner.as_ref().is_some_and(|l| !l.contains(&to));
                uses.ends_loop |= leaves(at + 1) || to.is_some_and(leaves);
            }
            Inst::Fma { .. } | Inst::Math { .. } => {
                uses.used |= touched;
                passes = touched && through;
            }
            Inst::Vote { .. } => passes = touched,
            _ if inst.category() == Category::Arithmetic => passes = touched,
            // A plain store may hand it to a thread that it steers.
            Inst::Store { volatile: true, a, ty, n, addr } => {
                uses.used |= touched;
                let data = *a..*a + ty.slots() * u16::from(*n);
                let mut address = false;
                Inst::Lea { d: 0, addr: *addr }.for_each_operand(&mut |reg, n, role| {
                    address |= role == Role::Read && value.range(reg..reg + n).next().is_some();
                });
                uses.steers |= address || value.range(data).next().is_none() && touched;
            }
            _ => {
                uses.used |= touched;
                uses.steers |= touched;
            }
        }
        for reg in written {
            if passes {
                value.insert(reg)
            } else {
                value.remove(&reg)
            };
        }
        for next in inst.successors(at) {
            let there = known.entry(next).or_default();
            let before = there.len();
            there.extend(&value);
            if there.len() > before {
                open.push(next);
            }
        }
    }
    Some(uses)
}
