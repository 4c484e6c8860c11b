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
            return;
        }
        self.index.insert(key, self.list.len());
        let mut finding = finding();
        finding.count = count;
        self.list.push(finding);
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
