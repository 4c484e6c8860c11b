//! The order of a sum's operands: LLVM's Reassociate pass puts the one of lower rank first.
//!
//! [`super::fma_contraction`] contracts the first product of a sum, so the order decides which one
//! keeps its rounding. A value's rank is one more than the highest of its operands: constants have
//! none, then come arguments, then loads and other instructions with side effects, by their position.

use super::fma_contraction::operands;
use super::instruction_builder::Builder;
use crate::isa::operands::Role;
use crate::isa::{BinOp, Category, Inst, Preload, Reg, Ty, UnOp};
use std::collections::HashMap;

/// Ranks of one basic block are below those of the next.
const PER_BLOCK: u64 = 1 << 32;

/// The rank of the first argument.
const ARGUMENTS: u64 = 3;

/// For each instruction, whether it is a sum of floats whose right operand comes first.
pub(super) fn right_comes_first(code: &Builder, boundary: &[bool]) -> Vec<bool> {
    let mut ranks: HashMap<Reg, u64> = HashMap::new();
    for (reg, preload) in &code.preloads {
        let rank = match preload {
            Preload::Const { .. } => 0,
            Preload::Param { offset, .. } => ARGUMENTS + u64::from(*offset),
            _ => 1,
        };
        ranks.insert(*reg, rank);
    }
    let mut first = PER_BLOCK;
    let mut unmovable = first;
    let mut out = Vec::with_capacity(code.insts.len());
    for (at, inst) in code.insts.iter().enumerate() {
        if boundary[at] {
            first += PER_BLOCK;
            unmovable = first;
        }
        let rank_of = |reg: Reg| ranks.get(&reg).copied().unwrap_or(0);
        out.push(match *inst {
            Inst::Binary { op: BinOp::Add, ty: Ty::F32 | Ty::F64, a, b, .. } => {
                rank_of(b) < rank_of(a)
            }
            _ => false,
        });
        let (mut highest, mut written) = (0, Vec::new());
        operands(code, at, &mut |reg, slots, role| match role {
            Role::Read => highest = (reg..reg + slots).map(rank_of).fold(highest, u64::max),
            Role::Write => written.extend(reg..reg + slots),
        });
        let rank = match inst {
            Inst::Mov { .. } | Inst::Unary { op: UnOp::Neg | UnOp::Not, .. } => highest,
            _ if matches!(inst.category(), Category::Arithmetic | Category::Address) => highest + 1,
            _ => {
                unmovable += 1;
                unmovable
            }
        };
        ranks.extend(written.into_iter().map(|reg| (reg, rank)));
    }
    out
}
