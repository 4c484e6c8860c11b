//! What a right result does not show: the gates, and ways around them.

use super::check::{Failure, GateRow};
use super::gate::{Facts, Gate, names};
use crate::expression::Scope;
use simt::Counters;

/// An attempt may have this many times the solution's traffic in a space that no gate is about.
const TRAFFIC: u64 = 4;

/// Traffic that is never too much.
const SLACK: u64 = 64;

/// An attempt must keep this share of the solution's active lanes.
const LANES: f64 = 0.25;

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
            relation: gate.relation.symbol(),
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
        row.yours, row.name, row.relation, row.target
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

/// Work that was moved where no gate looks, or that one thread does alone.
pub(super) fn evasion(gates: &[Gate], solution: Facts, facts: Facts, n: u64) -> Option<Failure> {
    let fail = |code, message| Some(Failure { n: Some(n), ..Failure::new(code, message) });
    if facts.lanes() < LANES * solution.lanes() {
        let message = format!(
            "right, but an instruction works for {:.1} lanes on average, and {:.1} are possible: a few \
             threads do the work of all",
            facts.lanes(),
            solution.lanes()
        );
        return fail("serial", message);
    }
    let gated = |start: &str| gates.iter().any(|gate| gate.word.starts_with(start));
    let spaces = [
        (
            "global_",
            "sectors of global memory",
            global(&facts.counters),
            global(&solution.counters),
        ),
        (
            "local_",
            "accesses of local memory",
            facts.counters.local_requests,
            solution.counters.local_requests,
        ),
    ];
    for (start, what, yours, theirs) in spaces {
        // Small arrays are local in the simulator, and mostly registers on a GPU: they matter only
        // where they may take the place of shared memory.
        let matters = if start == "local_" { gated("shared_") } else { !gates.is_empty() };
        if matters && !gated(start) && yours > TRAFFIC * theirs + SLACK {
            let message = format!(
                "right, but at n = {n} there are {yours} {what}, and {theirs} are enough: the traffic \
                 has only moved"
            );
            return fail("traffic", message);
        }
    }
    None
}
