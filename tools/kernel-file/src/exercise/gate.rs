//! Gates: bounds on counters that the hardware has too, or on facts of a launch.

use crate::cursor::Cursor;
use crate::expression::{Expression, Scope};
use crate::text_error::TextError;
use crate::verdict::Counter;
use simt::Counters;

/// Bytes of shared memory per block, static and dynamic.
const SHARED_BYTES: &str = "shared_bytes";

/// The number of launches.
const LAUNCHES: &str = "launches";

/// Facts of a host program's calls and of its timeline, and their names.
const HOST_WORDS: [(&str, &str); 10] = [
    ("steps", "steps of the timeline"),
    ("waits", "calls in which the host waits"),
    ("graph_launches", "launches of graphs"),
    ("pageable_copies", "copies of pageable memory"),
    ("copied_bytes", "bytes copied between host and device"),
    ("allocations", "allocations"),
    ("unfreed", "allocations that are not freed"),
    ("undestroyed", "streams, events and graphs that are not destroyed"),
    ("waves", "waves of blocks"),
    ("free_places", "places for blocks that stay free"),
];

/// Facts of a kernel's launches, and their names.
const KERNEL_FACTS: [(&str, &str); 2] =
    [(SHARED_BYTES, "bytes of shared memory per block"), (LAUNCHES, "launches")];

/// The words of a gate: counters of structure, never of time or of instructions, and facts.
pub(super) fn words() -> impl Iterator<Item = &'static str> + Clone {
    WORDS.into_iter().chain(HOST_WORDS.map(|(word, _)| word))
}

/// The words of a kernel's gates.
const WORDS: [&str; 21] = [
    "divergent_branches",
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "global_reductions",
    "global_reduction_sectors",
    "global_atomics",
    "global_atomic_sectors",
    "shared_loads",
    "shared_load_wavefronts",
    "shared_load_conflicts",
    "shared_stores",
    "shared_store_wavefronts",
    "shared_store_conflicts",
    "shared_atomics",
    "local_requests",
    "barriers",
    "shuffles",
    SHARED_BYTES,
    LAUNCHES,
];

/// What a gate demands.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// The counter or the fact.
    pub word: &'static str,
    /// How its value must stand to the bound.
    pub relation: Relation,
    /// The bound, over `n` and the names of `let`.
    pub bound: Expression,
    /// The directive's line.
    pub line: u32,
}

/// A relation of a value to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `=`
    Equal,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// As a directive spells it.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Equal => "=",
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
        }
    }

    /// In words, before a bound.
    pub fn words(self) -> &'static str {
        match self {
            Relation::Equal => "exactly",
            Relation::AtMost => "at most",
            Relation::AtLeast => "at least",
        }
    }

    /// Whether a value stands so to a bound.
    pub fn holds(self, value: i64, bound: i64) -> bool {
        match self {
            Relation::Equal => value == bound,
            Relation::AtMost => value <= bound,
            Relation::AtLeast => value >= bound,
        }
    }
}

impl Gate {
    /// Parses what follows `gate`; `names` may occur in the bound.
    pub(super) fn parse<'a>(
        mut rest: Cursor<'_>,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Gate, TextError> {
        let line = rest.line;
        rest.skip_blanks();
        let start = rest;
        let name = rest.word();
        let Some(word) = words().find(|word| *word == name) else {
            return Err(start.unknown("no gate has the name", name, words()));
        };
        rest.skip_blanks();
        let relations = [Relation::AtMost, Relation::AtLeast, Relation::Equal];
        let Some(relation) = relations.into_iter().find(|r| rest.text.starts_with(r.symbol()))
        else {
            return Err(rest.error(format!("expected `=`, `<=` or `>=` after `{word}`")));
        };
        rest.advance(relation.symbol().len());
        rest.skip_blanks();
        let bound = Expression::parse(rest.text.trim_end()).map_err(|e| rest.inside(e))?;
        bound.check_names(names).map_err(|e| rest.inside(e))?;
        Ok(Gate { word, relation, bound, line })
    }

    /// What it bounds, in plain words.
    pub fn name(&self) -> String {
        names(self.word).0
    }

    /// The bound at a size.
    pub(super) fn bound(&self, scope: &Scope) -> Result<i64, String> {
        self.bound.evaluate(scope).map_err(|e| e.to_string())
    }
}

/// What gates look at: the counters of a run, and the facts of its launches.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Facts {
    pub(super) counters: Counters,
    pub(super) shared_bytes: u32,
    pub(super) launches: usize,
    /// The warp-instructions of the busiest warp.
    pub(super) longest_warp: u64,
    /// The warps of all launches.
    pub(super) warps: u64,
    /// Of a host program.
    pub(super) host: HostFacts,
}

/// The facts of a host program: see [`HOST_WORDS`].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HostFacts {
    pub(super) steps: u64,
    pub(super) waits: u64,
    pub(super) graph_launches: u64,
    pub(super) pageable_copies: u64,
    pub(super) copied_bytes: u64,
    pub(super) allocations: u64,
    pub(super) unfreed: u64,
    pub(super) undestroyed: u64,
    pub(super) waves: u64,
    pub(super) free_places: u64,
}

impl HostFacts {
    fn value(&self, word: &str) -> Option<i64> {
        let value = match word {
            "steps" => self.steps,
            "waits" => self.waits,
            "graph_launches" => self.graph_launches,
            "pageable_copies" => self.pageable_copies,
            "copied_bytes" => self.copied_bytes,
            "allocations" => self.allocations,
            "unfreed" => self.unfreed,
            "undestroyed" => self.undestroyed,
            "waves" => self.waves,
            "free_places" => self.free_places,
            _ => return None,
        };
        Some(value as i64)
    }
}

/// Whether a gate asks for a fact of host code.
pub(super) fn is_of_host(word: &str) -> bool {
    HOST_WORDS.iter().any(|(host, _)| *host == word)
}

impl Facts {
    /// The value of a gate's word.
    pub(super) fn value(&self, word: &str) -> i64 {
        match word {
            SHARED_BYTES => i64::from(self.shared_bytes),
            LAUNCHES => self.launches as i64,
            _ => self.host.value(word).unwrap_or_else(|| {
                counter(&self.counters, word).and_then(|c| c.value).unwrap_or(0.0) as i64
            }),
        }
    }

    /// The lanes that an instruction works for, on average.
    pub(super) fn lanes(&self) -> f64 {
        let Counters { instructions, thread_instructions, .. } = self.counters;
        thread_instructions as f64 / instructions.max(1) as f64
    }
}

fn counter(counters: &Counters, word: &str) -> Option<Counter> {
    Counter::all(counters).into_iter().find(|counter| counter.word() == word)
}

/// How a page names a word: plainly, and by NVIDIA's metric if the hardware counts the same.
pub(super) fn names(word: &str) -> (String, String) {
    let facts = HOST_WORDS.iter().chain(&KERNEL_FACTS);
    if let Some((_, name)) = facts.into_iter().find(|(fact, _)| *fact == word) {
        return ((*name).to_owned(), String::new());
    }
    let counter = counter(&Counters::default(), word);
    let metric = counter.as_ref().map_or("", |c| &c.metric);
    // Counters of memory are equal to the profiler's; branches are counted as the source has them.
    let equal = metric.starts_with("l1tex__") || metric.contains("_op_shared_");
    let name = counter.as_ref().map_or_else(|| word.replace('_', " "), |c| c.name.clone());
    (name, if equal { metric.to_owned() } else { String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_a_counter_or_a_fact() {
        let known: Vec<String> =
            Counter::all(&Counters::default()).iter().map(Counter::word).collect();
        for word in WORDS {
            let fact = word == SHARED_BYTES || word == LAUNCHES;
            assert!(fact || known.iter().any(|k| k == word), "{word} is none of {known:?}");
        }
        for (word, _) in HOST_WORDS {
            assert!(HostFacts::default().value(word).is_some(), "{word} has no value");
        }
    }

    #[test]
    fn a_gate_is_a_word_a_relation_and_a_bound() {
        let parse = |text| {
            let rest = Cursor { line: 3, column: 9, text };
            Gate::parse(rest, ["n"].into_iter())
        };
        let gate = parse(" barriers <= 4 * n").unwrap();
        assert_eq!((gate.word, gate.relation), ("barriers", Relation::AtMost));
        assert_eq!(gate.bound(&Scope::from([("n".to_owned(), 8)])), Ok(32));
        let said = |text| {
            let gate = parse(text).unwrap();
            format!("{}: {}", gate.name(), gate.relation.words())
        };
        assert_eq!(said(" free_places = 0"), "places for blocks that stay free: exactly");
        assert_eq!(said(" shared_bytes <= 9"), "bytes of shared memory per block: at most");
        assert_eq!(said(" global_load_requests >= 9"), "global load requests: at least");
        for (text, message) in [
            (" bariers = 1", "10: no gate has the name `bariers`; did you mean `barriers`?"),
            (
                " warp_instructions = 1",
                "10: no gate has the name `warp_instructions`; expected one of",
            ),
            (" barriers < 1", "19: expected `=`, `<=` or `>=` after `barriers`"),
            (" barriers = m", "21: unknown name `m`; did you mean `n`?"),
        ] {
            let error = parse(text).unwrap_err();
            let said = format!("{}: {}", error.column, error.message);
            assert!(said.starts_with(message), "{said}");
        }
    }
}
