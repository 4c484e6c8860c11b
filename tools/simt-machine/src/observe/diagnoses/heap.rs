//! `free` of what cannot be freed.

use crate::event::LanesAt;
use crate::machine::memory::heap::{FreeError, Freed};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site};

/// A lane frees a pointer that no live allocation has.
pub(crate) fn free_failed(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    pointer: u64,
) {
    let error = match prepared.heap.map(|heap| heap.check_free(pointer)) {
        Some(Err(error)) => error,
        Some(Ok(())) | None => FreeError::Foreign,
    };
    let second = match &error {
        FreeError::Freed(freed) => Some(freed_at(freed)),
        FreeError::Foreign | FreeError::Interior(_) => None,
    };
    let case = Case::new(Code::FreedMemory, Site::at(prepared, at, "free")).with_second(second);
    findings.add(case, || {
        let message = match error {
            FreeError::Foreign => {
                "a pointer that `malloc` in a kernel did not return is freed".to_owned()
            }
            FreeError::Interior(byte) => {
                format!("a pointer to byte {byte} of an allocation is freed")
            }
            FreeError::Freed(_) => "memory is freed twice".to_owned(),
        };
        Text::error(message).with_help(match error {
            FreeError::Foreign => {
                "`free` in a kernel is for what `malloc` or `new` in a kernel returned; memory of `cudaMalloc` is for `cudaFree`"
            }
            _ => "free what `malloc` or `new` returned, once",
        })
    });
}

/// Where an allocation was freed, as the other side of a finding.
pub(super) fn freed_at(freed: &Freed) -> Site {
    let Freed { span, block, thread } = *freed;
    Site { span, what: "free", block, thread, value: None }
}
