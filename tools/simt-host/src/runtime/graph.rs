//! CUDA graphs: captured or built work, which each launch of the graph executes.
//!
//! During a capture, work that is issued to any stream is appended to the graph: its order is one of
//! those that the graph's edges allow. A call that synchronises is an error during a capture, as on a
//! device. An executable graph is a copy of the graph.

use super::error::{Error, INVALID_VALUE, SUCCESS};
use crate::Library;
use crate::interpreter::{Executed, Interpreter};
use simt::machine::Dim3;
use std::collections::{HashMap, HashSet};

/// `cudaErrorStreamCaptureUnsupported`.
const CAPTURED: Error = 900;

/// `cudaErrorStreamCaptureInvalidated`.
const INVALIDATED: Error = 901;

/// For [`Interpreter::graph_new`] in the place of a node: the graph becomes a node of the other.
const CHILD: usize = usize::MAX;

/// Nodes of a graph with graphs in it: each of those is a copy.
const MOST_NODES: usize = 1 << 16;

/// The nodes of a graph with those of the graphs in it, in order.
fn flattened(nodes: &[Work]) -> Vec<Work> {
    let mut flat = Vec::new();
    let mut left: Vec<&Work> = nodes.iter().rev().collect();
    while let Some(work) = left.pop() {
        match work {
            Work::Child(nodes) => left.extend(nodes.iter().rev()),
            work => flat.push(work.clone()),
        }
    }
    flat
}

/// A node.
#[derive(Debug, Clone)]
pub(super) enum Work {
    /// A kernel by its number, and the bytes of its arguments.
    Kernel { kernel: usize, shape: [Dim3; 2], shared: u64, values: Vec<Vec<u8>> },
    /// A copy or a `memset`.
    Call(Library, [u64; 8]),
    /// A host function, and its argument.
    Host(u64, u64),
    /// A graph in the graph.
    Child(Vec<Work>),
    /// An allocation at an address that is known since the node exists, and its bytes.
    Allocate(u64, u64),
}

impl Work {
    /// Whether two nodes are of one kind: an update of an executable graph must not change it.
    fn kind(&self) -> (std::mem::Discriminant<Work>, Option<Library>) {
        let function = match self {
            Work::Call(function, _) => Some(*function),
            _ => None,
        };
        (std::mem::discriminant(self), function)
    }
}

/// The graphs that exist. A handle is the number of its graph.
#[derive(Debug, Default)]
pub(super) struct Graphs {
    made: u64,
    graphs: HashMap<u64, Vec<Work>>,
    /// The graph that is being captured, and whether the capture has become invalid.
    capture: Option<(u64, bool)>,
    /// The executable graphs that free what their previous launch allocated.
    freeing: HashSet<u64>,
}

impl Graphs {
    pub(super) fn capturing(&self) -> bool {
        self.capture.is_some()
    }

    pub(super) fn add(&mut self, work: Work) {
        if let Some((graph, _)) = self.capture
            && let Some(nodes) = self.graphs.get_mut(&graph)
        {
            nodes.push(work);
        }
    }
}

impl Interpreter<'_> {
    /// A library call during a capture; `None` if the capture makes no difference to it.
    pub(super) fn captured(&mut self, function: Library, args: &[u64; 8]) -> Option<Executed<u64>> {
        if let Some(answer) = self.captured_memory(function, args) {
            return Some(answer);
        }
        match function {
            Library::CudaMemcpy if args[4] == 0 => {}
            Library::CudaMemcpy2D if args[7] == 0 => {}
            Library::CudaMemset2D => {}
            Library::CudaEventRecord => return Some(Ok(SUCCESS as u64)),
            Library::CudaMemcpy
            | Library::CudaMemcpy2D
            | Library::CudaStreamWait
            | Library::CudaEventWait
            | Library::CudaSynchronise => {
                self.runtime.graphs.capture.as_mut()?.1 = true;
                return Some(Ok(self.answer(CAPTURED)));
            }
            _ => return None,
        }
        self.runtime.graphs.add(Work::Call(function, *args));
        Some(Ok(SUCCESS as u64))
    }

    /// Creates a graph, or a copy of another, with flags; or updates a graph or one of its nodes: 0 if
    /// the new work is of another kind; or adds a graph to another as a node ([`CHILD`]).
    pub(super) fn graph_new(&mut self, from: u64, into: u64, node: usize) -> u64 {
        let graphs = &mut self.runtime.graphs;
        if into != 0 && node == CHILD {
            let child = graphs.graphs.get(&from).cloned().unwrap_or_default();
            let Some(nodes) = graphs.graphs.get_mut(&into) else { return 0 };
            if flattened(&child).len() + flattened(nodes).len() > MOST_NODES {
                return 0;
            }
            nodes.push(Work::Child(child));
            return into;
        }
        if into != 0 {
            let new = graphs.graphs.get(&from).cloned().unwrap_or_default();
            let old = graphs.graphs.get_mut(&into).map_or(&mut [][..], |nodes| &mut nodes[..]);
            let old = match node {
                0 => old,
                n => old.get_mut(n - 1..n).unwrap_or_default(),
            };
            if !old.iter().map(Work::kind).eq(new.iter().map(Work::kind)) {
                return 0;
            }
            old.clone_from_slice(&new);
            return into;
        }
        graphs.made += 1;
        let handle = 0x2000_0000 + graphs.made * 16;
        let nodes = graphs.graphs.get(&from).cloned().unwrap_or_default();
        graphs.graphs.insert(handle, nodes);
        if node & 1 != 0 {
            graphs.freeing.insert(handle);
        }
        handle
    }

    pub(super) fn graph_destroy(&mut self, graph: u64) -> u64 {
        let known = self.runtime.graphs.graphs.remove(&graph).is_some();
        self.answer(if known { SUCCESS } else { INVALID_VALUE })
    }

    /// Begins a capture into a graph; null ends the capture.
    pub(super) fn graph_capture(&mut self, graph: u64) -> u64 {
        let capture = &mut self.runtime.graphs.capture;
        let error = match (graph, *capture) {
            (0, Some((_, true))) => INVALIDATED,
            (0, None) => INVALID_VALUE,
            (0, _) => SUCCESS,
            (_, Some(_)) => CAPTURED,
            _ => SUCCESS,
        };
        if error != CAPTURED {
            *capture = (graph != 0).then_some((graph, false));
        }
        self.answer(error)
    }

    /// A call of a host function during a capture: 1 if it was captured.
    pub(super) fn graph_host(&mut self, function: u64, data: u64) -> u64 {
        let capturing = self.runtime.graphs.capturing();
        self.runtime.graphs.add(Work::Host(function, data));
        u64::from(capturing)
    }

    /// About a graph: how many nodes (-1), whether one is being written (-2), which (-3); the function (2 n) of
    /// the host's node n, and its data (2 n + 1).
    pub(super) fn graph_ask(&self, graph: u64, what: i64) -> u64 {
        let graphs = &self.runtime.graphs;
        if what < -1 {
            let open = graphs.capture.map_or(0, |(graph, _)| graph);
            return if what == -2 { u64::from(open != 0) } else { open };
        }
        let Some(nodes) = graphs.graphs.get(&graph) else { return 0 };
        let flat = flattened(nodes);
        match usize::try_from(what).map(|n| (flat.get(n / 2), n % 2)) {
            Ok((Some(Work::Host(function, _)), 0)) => *function,
            Ok((Some(Work::Host(_, data)), 1)) => *data,
            Ok(_) => 0,
            Err(_) => nodes.len() as u64,
        }
    }

    /// Runs a graph from a node on. Returns the number of the next host node, -1 at the end, or less
    /// than -1 for an error.
    pub(super) fn graph_run(&mut self, graph: u64, from: u64) -> Executed<u64> {
        let failed = |error: Error| (-1 - i64::from(error)) as u64;
        let Some(nodes) = self.runtime.graphs.graphs.get(&graph) else {
            return Ok(failed(INVALID_VALUE));
        };
        let nodes = flattened(nodes);
        if from == 0 {
            let frees = self.runtime.graphs.freeing.contains(&graph);
            let error = self.graph_ready(&nodes, frees)?;
            if error != SUCCESS {
                self.answer(error);
                return Ok(failed(error));
            }
        }
        for (at, work) in nodes.into_iter().enumerate().skip(from as usize) {
            let error = match work {
                Work::Host(..) => return Ok(at as u64),
                // Its nodes stand in its place.
                Work::Child(_) => SUCCESS,
                Work::Allocate(pointer, bytes) => self.graph_allocate(pointer, bytes),
                Work::Call(function, args) => self.library(function, &args, &[])? as Error,
                Work::Kernel { kernel, shape, shared, values } => {
                    self.start_again(kernel, shape, shared, values)?
                }
            };
            if error != SUCCESS {
                self.answer(error);
                return Ok(failed(error));
            }
        }
        Ok(failed(SUCCESS))
    }
}
