//! Reads of memory that nothing was written to: new shared memory, local arrays, and arrays that
//! the host never filled. This is what Valgrind's Memcheck calls definedness of memory.
//!
//! The machine keeps one bit per byte ([`crate::machine::memory`]). A copy of undefined bytes is
//! already a finding here; Memcheck waits until a decision depends on them.

use crate::event::{Access, LanesAt, WarpContext};
use crate::machine::program::Program;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site, value};

/// Some lanes read what nothing was written to.
pub(crate) fn unwritten_read(
    program: &Program<'_>,
    findings: &mut Findings,
    context: &WarpContext<'_>,
    access: &Access<'_>,
) {
    let lanes = access.unwritten;
    let offset = access.offsets[lanes.trailing_zeros() as usize];
    let (name, element, start, object) = value::object(program, access, offset);
    let at = LanesAt { block: context.block, warp: context.warp, pc: access.pc, lanes };
    let case = Case::new(Code::UnwrittenMemory, Site::at(program, at, access.kind.word()));
    findings.add(case.with_object(object).with_count(lanes.count_ones()), || {
        let index = (offset - start) / element.size.max(1);
        Text::error(format!("`{name}[{index}]` is read, but nothing was written there")).with_help(
            "nothing is promised about what memory starts with: write every element before it is read",
        )
    });
}
