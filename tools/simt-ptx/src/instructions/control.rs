//! Control flow: branches, exits and traps.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::syntax::Instruction;
use simt_machine::isa::{Inst, Reg};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "bra", types: &[], lower: |l, i, m| branch(l, i, m, None) },
    Entry { name: "exit", types: &[], lower: exit },
    Entry { name: "pmevent", types: &[], lower: performance_event },
    Entry { name: "trap", types: &[], lower: trap },
];

/// `bra label;`, in the lanes whose guard holds.
pub(crate) fn branch(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    guard: Option<(Reg, bool)>,
) -> Lowered<()> {
    m.flag("uni");
    m.end()?;
    let [to] = operands(i)?;
    let target = l.label(to)?;
    l.emit(match guard {
        Some((cond, when)) => Inst::Branch { cond, when, target },
        None => Inst::Jump { target },
    });
    Ok(())
}

/// `exit;`
fn exit(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    m.end()?;
    let [] = operands(i)?;
    l.emit(Inst::Exit);
    Ok(())
}

/// `pmevent 7;`: an event of the performance monitor, which has no effect here.
fn performance_event(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    m.end()?;
    let [event] = operands(i)?;
    match l.immediate(event)? {
        0..16 => Ok(()),
        _ => error(event.span, "an event has a number from 0 to 15"),
    }
}

/// `trap;`
fn trap(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    m.end()?;
    let [] = operands(i)?;
    let trap = l.target.trap("`trap` was executed");
    l.emit(Inst::Trap { trap });
    l.emit(Inst::Exit);
    Ok(())
}
