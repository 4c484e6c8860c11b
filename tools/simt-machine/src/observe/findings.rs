//! What was found, once for each pair of lines.

pub(crate) mod class;
mod render;

use super::{Class, Finding};
use crate::diagnostic::Span;
use std::collections::HashMap;

/// Different findings that are kept; later ones are only counted.
pub(crate) const MAX: usize = 200;

/// Findings, deduplicated by class, places and object.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    /// For each of them its rank: a case of higher rank is shown instead.
    ranks: Vec<u8>,
    index: HashMap<Key, usize>,
    /// Whether some were dropped.
    pub(crate) full: bool,
}

type Key = (Class, Span, Option<Span>, u32);

impl Findings {
    /// Adds `count` cases. `finding` is made for the first only.
    pub(crate) fn add(
        &mut self,
        count: u64,
        object: u32,
        finding: impl FnOnce() -> Finding,
        class: Class,
        first: Span,
        second: Option<Span>,
    ) {
        self.add_ranked(0, count, object, finding, class, first, second);
    }

    /// The same; of several cases the first of the highest rank is the one that is kept.
    #[expect(clippy::too_many_arguments, reason = "a key's parts, and what is under it")]
    pub(crate) fn add_ranked(
        &mut self,
        rank: u8,
        count: u64,
        object: u32,
        finding: impl FnOnce() -> Finding,
        class: Class,
        first: Span,
        second: Option<Span>,
    ) {
        let key = (class, first, second, object);
        if let Some(&at) = self.index.get(&key) {
            let count = self.list[at].count + count;
            if rank > self.ranks[at] {
                self.ranks[at] = rank;
                self.list[at] = finding();
            }
            self.list[at].count = count;
            return;
        }
        if self.list.len() >= MAX {
            self.full = true;
            return;
        }
        self.index.insert(key, self.list.len());
        let mut finding = finding();
        finding.count = count;
        self.list.push(finding);
        self.ranks.push(rank);
    }

    /// Takes in what another worker found in later blocks.
    pub(crate) fn merge(&mut self, other: Findings) {
        let mut keys: Vec<(Key, usize)> = other.index.into_iter().collect();
        keys.sort_unstable_by_key(|k| k.1);
        self.full |= other.full;
        for (((key, _), finding), rank) in keys.into_iter().zip(other.list).zip(other.ranks) {
            let count = finding.count;
            self.add_ranked(rank, count, key.3, || finding, key.0, key.1, key.2);
        }
    }

    /// Most severe first, then by place.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|f| {
            (
                std::cmp::Reverse(f.severity),
                f.first.span,
                f.class(),
                f.second.as_ref().map(|s| s.span),
            )
        });
        self.list
    }
}
