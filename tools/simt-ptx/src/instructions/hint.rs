//! Hints: prefetches, cache policies and what else changes no value. Their operands are checked, and
//! they have no effect.

use super::Entry;
use super::access::SPACES;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, Space, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, OperandKind};
use crate::types::Type;

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "prefetch", types: &[], lower: prefetch },
    Entry { name: "prefetchu.L1", types: &[], lower: prefetch_uniform },
    Entry { name: "createpolicy.fractional", types: &[], lower: create_policy },
    Entry { name: "createpolicy.range", types: &[], lower: create_policy },
    Entry { name: "createpolicy.cvt", types: &[], lower: create_policy },
    Entry { name: "applypriority", types: &[], lower: line },
    Entry { name: "discard", types: &[], lower: line },
    Entry { name: "nanosleep", types: &[Type::U32], lower: sleep },
    Entry { name: "setmaxnreg", types: &[Type::U32], lower: set_registers },
    Entry { name: "griddepcontrol", types: &[], lower: dependent_grid },
];

/// `prefetch.global.L2::evict_last [p];`
fn prefetch(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let space = m.choice(&SPACES[..1]).or(m.choice(&[("local", Space::Local)]));
    m.required(&[("L1", ()), ("L2", ()), ("L2::evict_last", ()), ("L2::evict_normal", ())])?;
    m.end()?;
    let [at] = operands(i)?;
    l.address(at, space.unwrap_or(Space::Generic)).map(|_| ())
}

/// `prefetchu.L1 [p];`
fn prefetch_uniform(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    m.end()?;
    let [at] = operands(i)?;
    l.address(at, Space::Generic).map(|_| ())
}

/// `createpolicy.fractional.L2::evict_last.b64 policy, 1.0;`: policies are all alike here.
fn create_policy(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.flag("global");
    let priorities = &[
        ("L2::evict_last", ()),
        ("L2::evict_normal", ()),
        ("L2::evict_first", ()),
        ("L2::evict_unchanged", ()),
    ];
    if !m.flag("L2") {
        m.required(priorities)?;
        m.choice(priorities);
    }
    m.ty_of(&[Type::B64])?;
    m.end()?;
    let Some((to, rest)) = i.operands.split_first() else {
        return error(i.span, "`createpolicy` has a result");
    };
    for operand in rest {
        match operand.kind {
            OperandKind::Float(_) => l.source(operand, Type::F32)?,
            OperandKind::Address { .. } => l.address(operand, Space::Generic)?.base,
            _ => l
                .readable(operand)
                .map(|register| register.reg)
                .or_else(|_| l.source(operand, Type::U32))?,
        };
    }
    let policy = l.constant(0, true);
    l.store(to, policy, Type::B64)
}

/// `discard.global.L2 [p], 128;`, `applypriority.global.L2::evict_normal [p], 128;`
fn line(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let space = m.choice(&SPACES[..1]).unwrap_or(Space::Generic);
    m.required(&[(if i.opcode.text == "discard" { "L2" } else { "L2::evict_normal" }, ())])?;
    m.end()?;
    let [at, size] = operands(i)?;
    if l.immediate(size)? != 128 {
        return error(size.span, "the size must be 128");
    }
    l.address(at, space).map(|_| ())
}

/// `nanosleep.u32 t;`
fn sleep(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.ty_of(&[Type::U32])?;
    m.end()?;
    let [time] = operands(i)?;
    l.source(time, Type::U32).map(|_| ())
}

/// `setmaxnreg.inc.sync.aligned.u32 232;`
fn set_registers(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("inc", ()), ("dec", ())])?;
    m.required(&[("sync", ())])?;
    m.required(&[("aligned", ())])?;
    m.ty_of(&[Type::U32])?;
    m.end()?;
    let [count] = operands(i)?;
    match l.immediate(count)? {
        24..=256 if l.immediate(count)? % 8 == 0 => Ok(()),
        _ => error(count.span, "the number of registers is a multiple of 8 from 24 to 256"),
    }
}

/// `griddepcontrol.wait;`: grids run one after another here.
fn dependent_grid(_: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("launch_dependents", ()), ("wait", ())])?;
    m.end()?;
    let [] = operands(i)?;
    Ok(())
}
