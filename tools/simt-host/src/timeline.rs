//! What a program issued to its streams, and the order that its streams and events leave open.
//!
//! [`Timeline::steps`] schedules the operations greedily on a simple device: it has one engine for copies
//! to it, one for copies from it, and one for kernels, and each operation takes one step. So it says
//! how much may overlap, and nothing of time: not done are sizes, kernels side by side, and the cost of
//! a call.

use simt::Dim3;
use simt::diagnostic::Span;

/// An operation that a program issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What it does.
    pub work: Issued,
    /// The operations, by number, that are complete before it begins.
    pub after: Vec<usize>,
    /// Where it was issued.
    pub span: Span,
    /// Whether a launch of a graph issued it.
    pub in_graph: bool,
}

/// What an operation does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Issued {
    /// A launch.
    Kernel {
        /// The kernel's name.
        name: String,
        /// Its blocks.
        grid: Dim3,
        /// The threads of each.
        block: Dim3,
        /// How many such blocks the device holds at once.
        places: u64,
    },
    /// A copy between host and device: whether to the device, its bytes, and whether the host's memory
    /// is pageable.
    Copy {
        /// To the device, or from it.
        to_device: bool,
        /// How much.
        bytes: u64,
        /// Then the host waits, whatever the call is called.
        pageable: bool,
    },
    /// A copy within the device, or a `memset`.
    OnDevice,
}

/// The operations of a run, and its calls that wait or allocate. Between `cudaProfilerStart` and
/// `cudaProfilerStop`, if a program calls them, else from its first call to its last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// All of them, in the order in which they were issued.
    pub operations: Vec<Operation>,
    /// The first one that counts.
    pub first: usize,
    /// The first one that no longer counts.
    pub end: Option<usize>,
    /// Calls in which the host waited: `cudaDeviceSynchronize` and the like, and copies that return when
    /// they are complete.
    pub waits: u64,
    /// Launches of graphs.
    pub graph_launches: u64,
    /// Allocations of device memory and of pinned memory.
    pub allocations: u64,
    /// Those that were not freed.
    pub unfreed: u64,
    /// Streams, events and graphs, executable ones too, that were not destroyed.
    pub undestroyed: u64,
}

impl Timeline {
    /// The operations that count.
    pub fn counted(&self) -> &[Operation] {
        let end = self.end.unwrap_or(self.operations.len());
        self.operations.get(self.first..end).unwrap_or_default()
    }

    /// The steps from the first operation to the end of the last, if each begins as soon as it may.
    pub fn steps(&self) -> u64 {
        let all = self.counted();
        let mut ends: Vec<Option<u64>> = vec![None; all.len()];
        let mut free = [0u64; 3];
        for _ in 0..all.len() {
            let ready = all.iter().enumerate().filter(|(at, _)| ends[*at].is_none());
            let earliest = ready.filter_map(|(at, operation)| {
                let after = operation
                    .after
                    .iter()
                    .filter_map(|before| before.checked_sub(self.first).map(|before| ends[before]));
                let begin = after.collect::<Option<Vec<u64>>>()?.into_iter().max().unwrap_or(0);
                let engine = operation.engine();
                Some((begin.max(free[engine]), at, engine))
            });
            let Some((begin, at, engine)) = earliest.min() else { break };
            ends[at] = Some(begin + 1);
            free[engine] = begin + 1;
        }
        ends.into_iter().flatten().max().unwrap_or(0)
    }
}

impl Operation {
    fn engine(&self) -> usize {
        match self.work {
            Issued::Copy { to_device: true, .. } => 0,
            Issued::Copy { to_device: false, .. } => 1,
            Issued::Kernel { .. } | Issued::OnDevice => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of an array, each copied to the device, worked on and copied back.
    fn pieces(count: usize, streams: usize) -> Timeline {
        let mut timeline = Timeline::default();
        for piece in 0..count {
            for (part, work) in [
                Issued::Copy { to_device: true, bytes: 4, pageable: false },
                Issued::OnDevice,
                Issued::Copy { to_device: false, bytes: 4, pageable: false },
            ]
            .into_iter()
            .enumerate()
            {
                let at = timeline.operations.len();
                let after = match part {
                    0 if piece >= streams => vec![at - 3 * streams + 2],
                    0 => Vec::new(),
                    _ => vec![at - 1],
                };
                let span = Span::default();
                timeline.operations.push(Operation { work, after, span, in_graph: false });
            }
        }
        timeline
    }

    #[test]
    fn what_was_before_the_profiler_started_does_not_count() {
        let all = pieces(8, 3);
        let late = Timeline { first: 3, end: Some(9), ..all };
        assert_eq!((late.counted().len(), late.steps()), (6, 4));
    }

    #[test]
    fn copies_overlap_with_kernels_of_other_streams() {
        for (count, streams, steps) in [(0, 1, 0), (1, 1, 3), (8, 1, 24), (8, 3, 10), (8, 8, 10)] {
            assert_eq!(pieces(count, streams).steps(), steps, "{count} in {streams}");
        }
    }
}
