//! Traps and failed assertions.

use crate::event::LanesAt;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site};

/// Lanes trap.
pub(crate) fn trapped(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    trap: u16,
) {
    let case = Case::new(Code::Trap, Site::at(prepared, at, "trap"));
    findings.add(case.with_count(at.lanes.count_ones()), || {
        let message = &prepared.kernel.traps[usize::from(trap)];
        match message.split_once('\n') {
            Some((message, help)) => Text::error(message).with_help(help),
            None => Text::error(message.clone()),
        }
    });
}
