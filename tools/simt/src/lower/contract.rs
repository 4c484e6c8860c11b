//! Contraction to fused multiply-add: a product whose only use is a sum becomes one FMA.
//!
//! The device's compiler contracts by default (`-fmad=true`), across statements. An FMA rounds once,
//! so its bits differ from those of a product and a sum: equal bits need equal contraction. This
//! pass works within a basic block. If both operands of a sum are products, it takes the left one.

use super::builder::Builder;
use crate::isa::operands::{Role, visit, visit_print};
use crate::isa::{BinOp, Inst, Reg, UnOp};
use std::collections::HashMap;

/// Rewrites the code.
pub(super) fn contract(code: &mut Builder) {
    let uses = count(code, Role::Read);
    let defs = count(code, Role::Write);
    let boundary = boundaries(code);
    let mut keep = vec![true; code.insts.len()];
    let mut before = HashMap::new();
    for at in 0..code.insts.len() {
        let Inst::Binary { op: op @ (BinOp::Add | BinOp::Sub), ty, d, a, b } = code.insts[at]
        else {
            continue;
        };
        if code.no_contract[at] || !ty.is_float() {
            continue;
        }
        let product = |reg: Reg| -> Option<(usize, Reg, Reg)> {
            let once = uses[usize::from(reg)] == 1 && defs[usize::from(reg)] == 1;
            if !once {
                return None;
            }
            let from = producer(code, &boundary, at, reg)?;
            match code.insts[from] {
                Inst::Binary { op: BinOp::Mul, ty: t, a: x, b: y, .. }
                    if t == ty
                        && !code.no_contract[from]
                        && keep[from]
                        && unchanged(code, from, at, &[x, y]) =>
                {
                    Some((from, x, y))
                }
                _ => None,
            }
        };
        if let Some((from, x, y)) = product(a) {
            keep[from] = false;
            let mut c = b;
            if op == BinOp::Sub {
                // x * y - c = fma(x, y, -c), with -c in a new register.
                c = code.registers(ty.slots());
                before.insert(at, Inst::Unary { op: UnOp::Neg, ty, d: c, a: b });
            }
            code.insts[at] = Inst::Fma { ty, d, a: x, b: y, c };
        } else if let Some((from, x, y)) = product(b) {
            if op == BinOp::Sub {
                // c - x * y = fma(-x, y, c), with -x in a new register where the product was.
                let turned = code.registers(ty.slots());
                code.insts[from] = Inst::Unary { op: UnOp::Neg, ty, d: turned, a: x };
                code.insts[at] = Inst::Fma { ty, d, a: turned, b: y, c: a };
            } else {
                keep[from] = false;
                code.insts[at] = Inst::Fma { ty, d, a: x, b: y, c: a };
            }
        }
    }
    code.rebuild(&keep, &before);
}

fn count(code: &mut Builder, wanted: Role) -> Vec<u32> {
    let mut out = vec![0u32; code.tuple_of.len() + 2];
    let mut note = |reg: &mut Reg, slots: u16, role: Role| {
        for r in *reg..*reg + slots {
            if role == wanted
                && let Some(n) = out.get_mut(usize::from(r))
            {
                *n += 1;
            }
        }
    };
    for inst in &mut code.insts {
        visit(inst, &mut note);
    }
    for print in &mut code.prints {
        visit_print(print, &mut note);
    }
    out
}

/// Whether a basic block begins at each instruction.
fn boundaries(code: &Builder) -> Vec<bool> {
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

/// The last instruction before `at` in the same block that writes `reg`.
fn producer(code: &Builder, boundary: &[bool], at: usize, reg: Reg) -> Option<usize> {
    let mut i = at;
    while i > 0 && !boundary[i] {
        i -= 1;
        if writes(&code.insts[i], reg) {
            return Some(i);
        }
    }
    None
}

/// Whether no instruction between two positions writes any of `regs`.
fn unchanged(code: &Builder, from: usize, to: usize, regs: &[Reg]) -> bool {
    code.insts[from + 1..to].iter().all(|i| regs.iter().all(|r| !writes(i, *r)))
}

fn writes(inst: &Inst, wanted: Reg) -> bool {
    let mut hit = false;
    inst.for_each_operand(&mut |reg, slots, role| {
        hit |= role == Role::Write && (reg..reg + slots).contains(&wanted);
    });
    hit
}
