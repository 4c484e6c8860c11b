//! Reads of memory that nothing was written to: new shared memory, local arrays, and arrays that
//! the host never filled. This is what Valgrind's Memcheck calls definedness of memory.
//!
//! The machine keeps one bit per byte ([`crate::machine::memory`]). A copy of an undefined
//! value is already a finding here; Memcheck waits until a decision depends on it. A struct or a union that
//! was written in part may be copied.
//!
//! A read gives way to a race on its word: a barrier is missing, and another thread writes there.
//!
//! One read is none: that of an accumulator which only `wgmma` uses. Its first product has `scale-d` 0
//! and takes no sum, and kernels leave the registers as they are. A first product with `scale-d` 1 is
//! therefore missed where the accumulators are in memory.

use crate::event::{Access, LanesAt, Space, WarpContext};
use crate::isa::operands::Role;
use crate::isa::{Inst, Kernel, Reg};
use crate::lanes::lanes_of;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Case, Findings, Text, Word};
use crate::observe::{Code, Site, value};

/// Some lanes read what nothing was written to.
pub(crate) fn unwritten_read(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    context: &WarpContext<'_>,
    access: &Access<'_>,
) {
    if is_accumulator(prepared.kernel, access.pc as usize) {
        return;
    }
    let mut left = access.unwritten;
    while left != 0 {
        let offset = access.offsets[left.trailing_zeros() as usize];
        let word = word(context, access, offset);
        // On a thread's own memory there are no races, and its words need not be told apart.
        let together = lanes_of(left)
            .filter(|lane| access.space == Space::Local || access.offsets[*lane] / 4 == offset / 4);
        let lanes = together.fold(0, |lanes, lane| lanes | 1 << lane);
        left &= !lanes;
        let place = value::object(prepared, access, offset);
        let at = LanesAt { block: context.block, warp: context.warp, pc: access.pc, lanes };
        let case = Case::new(Code::UnwrittenMemory, Site::at(prepared, at, access.kind.word()))
            .with_object(place.number)
            .with_count(lanes.count_ones());
        let text = || {
            let message = format!("{} is read, but nothing was written there", place.at(offset));
            Text::error(message).with_help(
                "nothing is promised about what memory starts with: write every element before it is read",
            )
        };
        match access.space {
            Space::Local => findings.add(case, text),
            _ => findings.add_unless_raced(word, case, text),
        }
    }
}

/// The word at an offset, as the block has it until its next barrier.
pub(crate) fn word(context: &WarpContext<'_>, access: &Access<'_>, offset: u32) -> Word {
    Word {
        block: context.block,
        phase: context.phase,
        shared: access.space == Space::Shared,
        object: access.object,
        at: offset / 4,
    }
}

/// Whether what the instruction loads is only copied, until a `wgmma` takes it as a sum.
fn is_accumulator(kernel: &Kernel, load: usize) -> bool {
    let Some(Inst::Load { d, n: 1, .. }) = kernel.code.get(load) else { return false };
    let mut copies: Vec<Reg> = vec![*d];
    for inst in &kernel.code[load + 1..] {
        match inst {
            Inst::Mov { d, a, .. } if copies.contains(a) => copies.push(*d),
            Inst::WarpGroupMultiply { shape, a, b, c, keep, .. } => {
                let sums = *c..*c + shape.sums().slots();
                return copies.iter().any(|reg| sums.contains(reg))
                    && ![a, b, keep].iter().any(|reg| copies.contains(reg));
            }
            Inst::Jump { .. } | Inst::Branch { .. } => return false,
            _ => {
                let mut read = false;
                let mut written = Vec::new();
                inst.for_each_operand(&mut |reg, n, role| match role {
                    Role::Read => read |= copies.iter().any(|copy| (reg..reg + n).contains(copy)),
                    Role::Write => written.extend(reg..reg + n),
                });
                if read {
                    return false;
                }
                copies.retain(|copy| !written.contains(copy));
            }
        }
    }
    false
}
