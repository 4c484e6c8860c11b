//! What a right result does not show: the gates, and ways around them.

use super::check::{Failure, GateRow};
use super::gate::{Facts, Gate, names};
use crate::expression::Scope;
use simt::Counters;

/// An attempt may have this many times the solution's traffic in a space.
const TRAFFIC: u64 = 4;

/// Traffic that is never too much.
const SLACK: u64 = 64;

/// An attempt must keep this share of the solution's active lanes.
const LANES: f64 = 0.28;

/// A warp may execute this many times the instructions of the solution's busiest warp. One warp for
/// all has a multiple of the number of warps; a longer way to the result has a few times as many.
const ALONE: u64 = 16;

/// ... and then it has this many times the instructions of an average warp. If all warps have as many, the
/// answer is slow, but shared out.
const UNEQUAL: u64 = 4;

/// Bytes of a thread's array that a compiler keeps in registers, if its indices are constants once the
/// loops are unrolled. The simulator has it in local memory, as the source says.
const REGISTERS: u32 = 64;

/// The gates as a table. `naive` are the starter's facts, if it runs.
pub(super) fn rows(
    gates: &[Gate],
    scope: &Scope,
    naive: Option<Facts>,
    facts: Facts,
) -> Result<Vec<GateRow>, String> {
    let row = |gate: &Gate| {
        let target = gate.bound(scope)?;
        let yours = facts.value(gate.word);
        let (name, metric) = names(gate.word);
        Ok(GateRow {
            word: gate.word,
            name,
            metric,
            naive: naive.map(|facts| facts.value(gate.word)),
            relation: gate.relation,
            target,
            yours,
            holds: gate.relation.holds(yours, target),
        })
    };
    gates.iter().map(row).collect()
}

/// The failure of the first gate that does not hold.
pub(super) fn gate_failure(rows: &[GateRow], n: u64) -> Option<Failure> {
    let row = rows.iter().find(|row| !row.holds)?;
    let message = format!(
        "right, but at n = {n} there are {} {}, and the goal is {} {}",
        row.yours,
        row.name,
        row.relation.words(),
        row.target
    );
    Some(Failure { n: Some(n), ..Failure::new(&format!("gate {}", row.word), message) })
}

/// Sectors of global memory, of all kinds of accesses.
fn global(counters: &Counters) -> u64 {
    counters.global_load_sectors
        + counters.global_store_sectors
        + counters.global_reduction_sectors
        + counters.global_atomic_sectors
}

/// Work that a few threads do alone. `fewest`: the active lanes that are no evasion yet.
pub(super) fn serial(fewest: f64, solution: Facts, facts: Facts, n: u64) -> Option<Failure> {
    let (lanes, longest) = (facts.lanes(), facts.longest_warp);
    let message = if lanes < LANES * fewest {
        format!(
            "right, but an instruction works for {lanes:.1} lanes on average, and {:.1} are possible: a \
             few threads do the work of all",
            solution.lanes()
        )
    } else if longest > ALONE * solution.longest_warp + SLACK
        && longest * facts.warps > UNEQUAL * facts.counters.instructions
    {
        format!(
            "right, but at n = {n} one warp executes {longest} instructions, and {} are enough if all \
             warps work: a few threads do the work of all",
            solution.longest_warp
        )
    } else {
        return None;
    };
    Some(Failure { n: Some(n), ..Failure::new("serial", message) })
}

/// Traffic of global memory that a gate would have stopped, in accesses of another kind. It is named
/// before a gate that fails as well.
pub(super) fn moved(gates: &[GateRow], solution: Facts, facts: Facts, n: u64) -> Option<Failure> {
    if gates.is_empty() {
        return None;
    }
    let theirs = global(&solution.counters);
    let Counters { global_atomic_sectors, global_reduction_sectors, .. } = facts.counters;
    for (kind, what, yours) in [
        ("global_atomic", "atomics with a result", global_atomic_sectors),
        ("global_reduction", "atomics", global_reduction_sectors),
    ] {
        let is_asked = gates.iter().any(|gate| !gate.holds && gate.word.starts_with(kind));
        if yours > TRAFFIC * theirs + SLACK && !is_asked {
            let message = format!(
                "right, but at n = {n} {what} touch {yours} sectors of global memory, and {theirs} are \
                 enough for all accesses together: the traffic has only moved"
            );
            return Some(Failure { n: Some(n), ..Failure::new("traffic", message) });
        }
    }
    None
}

/// Work that was moved where no gate looks. `local` is the largest object in local memory, its name and
/// its bytes.
pub(super) fn evasion(
    gates: &[Gate],
    solution: Facts,
    facts: Facts,
    local: Option<(String, u32)>,
    n: u64,
) -> Option<Failure> {
    let fail = |message| Some(Failure { n: Some(n), ..Failure::new("traffic", message) });
    if gates.is_empty() {
        return None;
    }
    let gated = |start: &str| gates.iter().any(|gate| gate.word.starts_with(start));
    let much = |yours, theirs| yours > TRAFFIC * theirs + SLACK;
    // A gate on loads does not see atomics, so all traffic counts, whatever the gates are about.
    let (yours, theirs) = (global(&facts.counters), global(&solution.counters));
    if much(yours, theirs) {
        return fail(format!(
            "right, but at n = {n} there are {yours} sectors of global memory, and {theirs} are enough: \
             the traffic has only moved"
        ));
    }
    // Arrays of a thread matter only where they may take the place of shared memory.
    let (yours, theirs) = (facts.counters.local_requests, solution.counters.local_requests);
    let (name, bytes) = local.filter(|(_, bytes)| *bytes > REGISTERS)?;
    if gated("shared_") && !gated("local_") && much(yours, theirs) {
        return fail(format!(
            "right, but at n = {n} there are {yours} accesses of local memory, and {theirs} are enough: \
             each thread keeps {bytes} bytes in `{name}`, which are too many for registers, so the \
             traffic has only moved"
        ));
    }
    None
}
