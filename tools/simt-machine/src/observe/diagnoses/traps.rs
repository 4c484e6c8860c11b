//! Traps and failed assertions.

use crate::event::LanesAt;
use crate::machine::program::Program;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site};

/// Lanes trap.
pub(crate) fn trapped(program: &Program<'_>, findings: &mut Findings, at: LanesAt, trap: u16) {
    let case = Case::new(Code::Trap, Site::at(program, at, "trap"));
    findings.add(case.with_count(at.lanes.count_ones()), || {
        Text::error(program.kernel.traps[usize::from(trap)].clone())
    });
}
