//! Reads of variables that were not assigned. The compiler marks such variables, and the machine
//! keeps one bit per lane and variable.

use crate::event::LanesAt;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site};

/// Some lanes read a variable that has no value.
pub(crate) fn undefined_read(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    variable: u16,
) {
    let first = Site::at(prepared, at, "read");
    let (name, span) = &prepared.kernel.variables[usize::from(variable)];
    let second = Site { span: *span, what: "declaration", ..first.clone() };
    let case = Case::new(Code::UnassignedVariable, first).with_second(Some(second));
    findings.add(case.with_object(variable.into()).with_count(at.lanes.count_ones()), || {
        Text::error(format!("the variable `{name}` is read, but nothing was assigned to it"))
            .with_help(format!("give `{name}` a value where it is declared"))
    });
}
