//! Reads of memory that nothing was written to: new shared memory, local arrays, and arrays that
//! the host never filled. This is what Valgrind's Memcheck calls definedness of memory.
//!
//! The machine keeps one bit per byte ([`crate::machine::memory`]). A copy of an undefined
//! value is already a finding here; Memcheck waits until a decision depends on it. A struct or a union that
//! was written in part may be copied.
//!
//! One read is none: that of an accumulator which only `wgmma` uses. Its first product has `scale-d` 0
//! and takes no sum, and kernels leave the registers as they are. A first product with `scale-d` 1 is
//! therefore missed where the accumulators are in memory.

use crate::event::{Access, LanesAt, WarpContext};
use crate::isa::operands::Role;
use crate::isa::{Inst, Kernel, Reg};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Case, Findings, Text};
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
    let lanes = access.unwritten;
    let offset = access.offsets[lanes.trailing_zeros() as usize];
    let place = value::object(prepared, access, offset);
    let at = LanesAt { block: context.block, warp: context.warp, pc: access.pc, lanes };
    let case = Case::new(Code::UnwrittenMemory, Site::at(prepared, at, access.kind.word()));
    findings.add(case.with_object(place.number).with_count(lanes.count_ones()), || {
        let message = format!("{} is read, but nothing was written there", place.at(offset));
        Text::error(message).with_help(
            "nothing is promised about what memory starts with: write every element before it is read",
        )
    });
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
