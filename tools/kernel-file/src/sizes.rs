//! The sizes at which a kernel file is run.

use crate::{KernelFile, Point};

/// The sizes of a kernel file to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// `//@ page`.
    Page,
    /// `//@ test`.
    Tests,
    /// This size.
    One(u64),
}

impl Sizes {
    /// The sizes themselves.
    pub fn of(self, file: &KernelFile) -> Vec<u64> {
        let page = file.directives.page;
        match self {
            Sizes::Page => page.into_iter().collect(),
            Sizes::Tests if file.directives.test.is_empty() => page.into_iter().collect(),
            Sizes::Tests => file.directives.test.clone(),
            Sizes::One(n) => vec![n],
        }
    }

    /// The points of a file to run, each with its sizes: the page's size at every point, the other
    /// sizes at the first point. A file that is bound to a point has only that point.
    pub fn by_point(self, file: &KernelFile) -> Vec<(Point, Vec<u64>)> {
        let sizes = self.of(file);
        if !file.point.is_empty() || file.directives.varies.is_empty() {
            return vec![(file.point.clone(), sizes)];
        }
        let points = file.points();
        let first = points.first().cloned().unwrap_or_default();
        let page = || Sizes::Page.of(file);
        let everywhere = points.iter().map(|point| (point.clone(), page()));
        match self {
            Sizes::Page => everywhere.collect(),
            Sizes::One(_) => vec![(first, sizes)],
            Sizes::Tests => std::iter::once((first, sizes)).chain(everywhere).collect(),
        }
    }
}
