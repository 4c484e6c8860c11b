//! Mbarriers: wrong uses, and phases that never end.

use crate::event::{BarrierMisuse, BarrierState, LanesAt, Space};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site, value};

/// The name of the mbarrier at an offset of shared memory, and the number of its object.
fn name(prepared: &PreparedKernel<'_>, offset: u32) -> (String, u32) {
    let place = value::place(prepared, Space::Shared, 0, offset);
    (place.at(offset), place.number)
}

/// An mbarrier is used wrongly.
pub(crate) fn misused(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    offset: u32,
    misuse: BarrierMisuse,
) {
    let (barrier, number) = name(prepared, offset);
    let (code, text) = match misuse {
        BarrierMisuse::NotThere => (
            Code::NoMbarrier,
            Text::error(format!("there is no mbarrier at {barrier}"))
                .with_help("mbarrier.init makes one; a barrier must order it before every use"),
        ),
        BarrierMisuse::OtherBlock => (
            Code::NoMbarrier,
            Text::error(format!("{barrier} is in the shared memory of another block of the cluster"))
                .with_help("only its own block makes an mbarrier and waits for it; a copy completes at one in the block to which it leads"),
        ),
        BarrierMisuse::NoCluster => (
            Code::NoMbarrier,
            Text::error(format!("the asynchronous store that counts at {barrier} needs a cluster of two blocks or more"))
                .with_help("launch the kernel in clusters, or store with `st.shared` and arrive"),
        ),
        BarrierMisuse::OwnBlock => (
            Code::NoMbarrier,
            Text::error(format!("the asynchronous reduction that counts at {barrier} stays in its own block"))
                .with_help("red.async needs the shared memory of another block of the cluster; use an atomic here"),
        ),
        BarrierMisuse::InUse { pending, expected } => (
            Code::MbarrierInUse,
            Text::error(format!(
                "{barrier} is made again, but a phase of it has begun: {pending} of {expected} arrivals are missing"
            ))
            .with_help("wait for the end of the phase, and use mbarrier.inval first"),
        ),
        BarrierMisuse::Count(count) => (
            Code::MbarrierCount,
            Text::error(format!("{count} arrivals at {barrier}: between 1 and 1048575 are possible")),
        ),
        BarrierMisuse::TooManyArrivals { arriving, pending } => (
            Code::MbarrierCount,
            Text::error(format!(
                "{arriving} more arrive at {barrier}, but its phase waits for {pending} only"
            ))
            .with_help("the number in mbarrier.init is that of all arrivals of one phase"),
        ),
        BarrierMisuse::Bytes(bytes) => (
            Code::MbarrierCount,
            Text::error(format!(
                "{barrier} counts up to 1048575 bytes that are announced and have not come; here it would count {bytes}"
            )),
        ),
    };
    let site = Site::at(prepared, at, "mbarrier");
    findings.add(Case::new(code, site).with_object(number), || text);
}

/// Threads wait for a phase that never ends.
pub(crate) fn never_ends(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    parity: u32,
    barrier: BarrierState,
) {
    let (element, number) = name(prepared, barrier.id.offset);
    let BarrierState { phase, pending, expected, bytes, .. } = barrier;
    let missing = match (pending, bytes) {
        (0, bytes) if bytes > 0 => {
            format!("all have arrived, but {bytes} of the bytes that were announced never come")
        }
        (0, bytes) => {
            format!("all have arrived, but {} bytes have come that were not announced", -bytes)
        }
        (pending, 0) => format!("{pending} of {expected} arrivals never come"),
        (pending, bytes) => {
            format!("{pending} of {expected} arrivals and {bytes} bytes never come")
        }
    };
    let case = Case::new(Code::PhaseNeverEnds, Site::at(prepared, at, "waits"));
    findings.add(case.with_object(number).with_count(at.lanes.count_ones()), || {
        let help = match (pending, bytes) {
            (0, _) => "the bytes that expect_tx announces must be those that the copies bring",
            _ => "count who arrives: as many as mbarrier.init says in each phase; and check the parity of this wait",
        };
        Text::error(format!(
            "this wait never ends: phase {phase} (parity {parity}) of {element} is not complete: {missing}"
        ))
        .with_help(help)
    });
}
