//! Reads of memory that nobody wrote: fresh shared memory, local arrays, and arrays of the host
//! that were never filled.
//!
//! A bit a byte, a nibble a word, says what holds something. Copying such bytes about is already
//! a finding: the message names the load.

use crate::diagnostic::Severity;
use crate::observe::event::{Access, WarpContext};
use crate::observe::value;
use crate::observe::{Class, Code, Finding, Findings, Site};

/// Reports that some lanes read what nobody wrote.
pub(crate) fn report(
    here: &WarpContext<'_>,
    access: &Access<'_>,
    findings: &mut Findings,
    lanes: u32,
) {
    let program = here.program;
    let lane = lanes.trailing_zeros() as usize;
    let offset = access.offsets[lane];
    let (name, element, start, object) = value::object(program, access, offset);
    let span = program.kernel.spans[access.pc as usize];
    findings.add(
        u64::from(lanes.count_ones()),
        object,
        || Finding {
            code: Code::UnwrittenMemory,
            severity: Severity::Error,
            message: format!(
                "`{name}[{}]` is read, but nothing was written there",
                (offset - start) / element.size.max(1)
            ),
            first: Site {
                span,
                what: access.kind.word(),
                block: program.block_index(here.block),
                thread: program.thread_index(here.warp * 32 + lane as u32),
                value: None,
            },
            second: None,
            count: 0,
            help: Some(
                "nothing is promised about what memory starts with: write every element before it is read"
                    .to_owned(),
            ),
        },
        Class::Uninitialised,
        span,
        None,
    );
}
