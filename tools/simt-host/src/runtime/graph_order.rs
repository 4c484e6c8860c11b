//! The order of a graph's nodes, for [`super::stream_races`].
//!
//! Nodes run one after another, in the order in which they were added. On a device a node waits for
//! those that it depends on, and for nothing else. Nodes of which each depends on the one before are a
//! chain; the first chain is in the queue of the stream that the graph is launched in, and each other
//! one has a queue of its own. Launches of one executable graph follow each other.

use super::graph::Node;
use super::stream_races::BRANCH;
use super::vector_clock::{Clock, Order, Point};
use simt::Span;
use std::collections::HashMap;

/// What is kept of an executable graph from launch to launch.
#[derive(Debug, Default)]
struct Known {
    /// The queues of its chains, but for the first.
    queues: Vec<usize>,
    /// What is done after its last launch.
    done: Clock,
}

/// The executable graphs that were launched.
#[derive(Debug, Default)]
pub(super) struct Launched {
    known: HashMap<u64, Known>,
    /// How many runs began.
    runs: u64,
}

/// A graph that runs.
#[derive(Debug)]
pub(super) struct Run {
    /// Its number among all runs of graphs.
    number: u64,
    graph: u64,
    stream: usize,
    /// What is done before the graph begins.
    base: Clock,
    /// By node: those that it depends on, where it was made, its queue, and what is done after it.
    after: Vec<Vec<usize>>,
    spans: Vec<Span>,
    queues: Vec<usize>,
    clocks: Vec<Clock>,
}

/// The chain of each node, and how many there are.
fn chains(nodes: &[Node]) -> (Vec<usize>, usize) {
    let mut of_node = Vec::new();
    let mut last: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let follows = |before: &usize| last.get(of_node[*before]) == Some(before);
        let chain = match node.after.iter().find(|before| **before < at && follows(before)) {
            Some(before) => of_node[*before],
            None => last.len(),
        };
        match last.get_mut(chain) {
            Some(last) => *last = at,
            None => last.push(at),
        }
        of_node.push(chain);
    }
    (of_node, last.len())
}

impl Launched {
    /// A graph begins, in the queue of a stream.
    pub(super) fn begin(
        &mut self,
        graph: u64,
        nodes: &[Node],
        stream: usize,
        order: &mut Order,
    ) -> Run {
        let known = self.known.entry(graph).or_default();
        let (chain_of, count) = chains(nodes);
        let name = format!("{BRANCH}{}", order.name(stream));
        while known.queues.len() + 1 < count {
            known.queues.push(order.open(false, String::new()));
        }
        known.queues.iter().for_each(|queue| order.rename(*queue, name.clone()));
        let queue = |chain: usize| match chain {
            0 => stream,
            other => known.queues[other - 1],
        };
        let mut base = order.record(stream);
        base.join(&known.done);
        let after = nodes.iter().map(|node| node.after.clone()).collect();
        let queues = chain_of.into_iter().map(queue).collect();
        let spans = nodes.iter().map(|node| node.span).collect();
        self.runs += 1;
        Run { number: self.runs, graph, stream, base, after, spans, queues, clocks: Vec::new() }
    }

    /// It ends.
    pub(super) fn end(&mut self, run: Run, order: &mut Order) {
        let mut all = run.base;
        run.clocks.iter().for_each(|clock| all.join(clock));
        order.wait_in(run.stream, &all);
        if let Some(known) = self.known.get_mut(&run.graph) {
            known.done = all;
        }
    }

    /// The graph is destroyed.
    pub(super) fn forget(&mut self, graph: u64, order: &mut Order) {
        let known = self.known.remove(&graph).unwrap_or_default();
        known.queues.iter().for_each(|queue| order.close(*queue));
    }
}

impl Run {
    /// A node begins: all before it have.
    pub(super) fn node(&mut self, at: usize) {
        while self.clocks.len() <= at {
            let mut clock = self.base.clone();
            let after = &self.after[self.clocks.len()];
            let known = after.iter().filter_map(|before| self.clocks.get(*before));
            known.for_each(|before| clock.join(before));
            self.clocks.push(clock);
        }
    }

    /// The run, and where its running node was made.
    pub(super) fn place(&self) -> (u64, Span) {
        let at = self.clocks.len().saturating_sub(1);
        (self.number, self.spans.get(at).copied().unwrap_or_default())
    }

    /// An operation of the running node: what is done before it.
    pub(super) fn issue(&mut self, order: &mut Order) -> (Point, Clock) {
        let at = self.clocks.len().saturating_sub(1);
        let queue = self.queues.get(at).copied().unwrap_or(self.stream);
        let point = order.next(queue);
        let Some(clock) = self.clocks.get_mut(at) else { return (point, self.base.clone()) };
        let before = clock.clone();
        clock.add(point);
        (point, before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::graph::Work;

    #[test]
    fn a_chain_goes_on_in_one_queue() {
        let node = |after: &[usize]| Node {
            work: Work::Host(0, 0),
            after: after.to_vec(),
            span: Span::default(),
        };
        let nodes = [node(&[]), node(&[0]), node(&[0]), node(&[1, 2]), node(&[2])];
        assert_eq!(chains(&nodes), (vec![0, 0, 1, 0, 1], 2));
    }
}
