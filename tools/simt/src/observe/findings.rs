//! What was found, once for each pair of lines.

use super::{Class, Finding};
use crate::diagnostic::Span;
use std::collections::HashMap;

/// Different findings that are kept; later ones are only counted.
const MAX: usize = 200;

/// Findings, deduplicated by class, places and object.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
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
        let key = (class, first, second, object);
        if let Some(&at) = self.index.get(&key) {
            self.list[at].count += count;
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
    }

    /// Takes in what another worker found in later blocks.
    pub(crate) fn merge(&mut self, other: Findings) {
        let mut keys: Vec<(Key, usize)> = other.index.into_iter().collect();
        keys.sort_unstable_by_key(|k| k.1);
        self.full |= other.full;
        for ((key, _), finding) in keys.into_iter().zip(other.list) {
            let count = finding.count;
            self.add(count, key.3, || finding, key.0, key.1, key.2);
        }
    }

    /// Most severe first, then by place.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|f| {
            (
                std::cmp::Reverse(f.severity),
                f.first.span,
                f.class,
                f.second.as_ref().map(|s| s.span),
            )
        });
        self.list
    }
}
