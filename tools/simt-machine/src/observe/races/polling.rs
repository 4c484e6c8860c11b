//! `volatile` reads that only poll.
//!
//! To PTX a `volatile` access is a relaxed one of the system's scope, and two of them are no data race.
//! That is what polling needs; a value to compute with must be ordered nevertheless, or it may be old. A
//! data-flow analysis of the code decides: a read polls if its value decides whether the innermost loop
//! around it goes on (whatever else it is used for: a flag and a sum may share a word), or if it decides
//! branches and has no other use.

use crate::isa::operands::Role;
use crate::isa::{Category, Flow, Inst, Kernel, Reg};
use std::collections::{BTreeMap, BTreeSet};

/// Whether the instruction is a `volatile` read that only polls.
pub(crate) fn asks(kernel: &Kernel, load: usize) -> bool {
    let Inst::Load { volatile: true, ty, n, d, .. } = kernel.code[load] else { return false };
    let target = |at: usize| match kernel.code[at].flow() {
        Flow::Jump(target) | Flow::Branch(target) => Some(target as usize),
        Flow::Next | Flow::End => None,
    };
    // The innermost loop: a jump back over the read.
    let around = (load..kernel.code.len()).filter_map(|end| Some(target(end)?..=end));
    let inner = around.filter(|l| l.contains(&load)).min_by_key(|l| l.end() - l.start());
    let value: BTreeSet<Reg> = (d..d + ty.slots() * u16::from(n)).collect();
    let mut known = BTreeMap::from([(load + 1, value)]);
    let mut open = vec![load + 1];
    let (mut decides, mut used) = (false, false);
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
                decides = true;
                let leaves = |to: usize| inner.as_ref().is_some_and(|l| !l.contains(&to));
                if leaves(at + 1) || to.is_some_and(leaves) {
                    return true;
                }
            }
            // What goes into a multiply-add or a library function is computed with.
            Inst::Fma { .. } | Inst::Math { .. } => used |= touched,
            Inst::Vote { .. } => passes = touched,
            _ if inst.category() == Category::Arithmetic => passes = touched,
            _ => used |= touched,
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
    decides && !used
}
