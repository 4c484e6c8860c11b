//! CUDA graphs: captured or built work, which each launch of the graph executes.
//!
//! During a capture, work that is issued to any stream is appended to the graph: its order is one of
//! those that the graph's edges allow. A call that synchronises is an error during a capture, as on a
//! device. An executable graph is a copy of the graph.

use super::cuda_memory::WAITS;
use super::error::{Error, INVALID_VALUE, SUCCESS};
use super::launch::Shape;
use super::stream_races::Pending;
use crate::Library;
use crate::interpreter::{Executed, Interpreter};
use crate::timeline::Issued;
use simt::Span;
use simt::isa::MemTy;
use simt::observe::Noted;
use std::collections::{HashMap, HashSet};

/// `cudaErrorStreamCaptureUnsupported`.
const CAPTURED: Error = 900;

/// `cudaErrorStreamCaptureInvalidated`.
const INVALIDATED: Error = 901;

/// For [`Interpreter::graph_new`] in the place of a node: the graph becomes a node of the other.
const CHILD: usize = usize::MAX;

/// Nodes of a graph with graphs in it: each of those is a copy.
const MOST_NODES: usize = 1 << 16;

/// The nodes of a graph with those of the graphs in it, in order. Graphs in graphs have no graphs in
/// them: they are flattened already.
fn flattened(nodes: &[Node]) -> Vec<Node> {
    let mut flat: Vec<Node> = Vec::new();
    // For each node those that it stands for; for an empty graph those that it depends on.
    let mut places: Vec<Vec<usize>> = Vec::new();
    for Node { work, after, span } in nodes {
        let known = after.iter().filter_map(|before| places.get(*before));
        let after: Vec<usize> = known.flatten().copied().collect();
        let start = flat.len();
        let Work::Child(inner) = work else {
            flat.push(Node { work: work.clone(), after, span: *span });
            places.push(vec![start]);
            continue;
        };
        for node in inner {
            let own: Vec<usize> = node.after.iter().map(|before| before + start).collect();
            let after = if own.is_empty() { after.clone() } else { own };
            flat.push(Node { work: node.work.clone(), after, span: node.span });
        }
        places.push(if inner.is_empty() { after } else { (start..flat.len()).collect() });
    }
    flat
}

/// A node.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) work: Work,
    /// The numbers of those that it depends on.
    pub(super) after: Vec<usize>,
    /// Where it was captured or added.
    pub(super) span: Span,
}

/// What a node does.
#[derive(Debug, Clone)]
pub(super) enum Work {
    /// A kernel by its number, and the bytes of its arguments.
    Kernel { kernel: usize, shape: Shape, shared: u64, values: Vec<Vec<u8>> },
    /// A copy or a `memset`.
    Call(Library, [u64; 8]),
    /// A host function, and its argument.
    Host(u64, u64),
    /// A graph in the graph.
    Child(Vec<Node>),
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
    graphs: HashMap<u64, Vec<Node>>,
    capture: Option<Capture>,
    /// The executable graphs that free what their previous launch allocated.
    freeing: HashSet<u64>,
}

/// A capture.
#[derive(Debug, Default)]
struct Capture {
    graph: u64,
    /// A call was not allowed.
    invalid: bool,
    /// Not `cudaStreamCaptureModeRelaxed`: `cudaMalloc` is not allowed.
    strict: bool,
    /// The nodes that the next node of each stream depends on; the same for events.
    streams: HashMap<u64, Vec<usize>>,
    events: HashMap<u64, Vec<usize>>,
    /// Those of the next node, if it names them itself.
    next: Option<Vec<usize>>,
}

impl Graphs {
    pub(super) fn capturing(&self) -> bool {
        self.capture.is_some()
    }

    fn add(&mut self, work: Work, stream: u64, span: Span) {
        if let Some(capture) = &mut self.capture
            && let Some(nodes) = self.graphs.get_mut(&capture.graph)
        {
            let before = capture.streams.entry(stream).or_default();
            let after = capture.next.take().unwrap_or_else(|| before.clone());
            *before = vec![nodes.len()];
            nodes.push(Node { work, after, span });
        }
    }
}

impl Interpreter<'_> {
    /// Appends work that is issued to a stream to the graph that is captured.
    pub(super) fn capture_work(&mut self, work: Work, stream: u64) {
        let span = self.span();
        self.runtime.graphs.add(work, stream, span);
    }

    /// A library call during a capture; `None` if the capture makes no difference to it.
    pub(super) fn captured(&mut self, function: Library, args: &[u64; 8]) -> Option<Executed<u64>> {
        if let Some(answer) = self.captured_memory(function, args) {
            return Some(answer);
        }
        let capture = self.runtime.graphs.capture.as_mut()?;
        let stream = match function {
            Library::CudaMemcpy if args[4] != WAITS => args[4],
            Library::CudaMemcpy2D if args[7] != WAITS => args[7],
            Library::CudaMemset2D if args[5] == WAITS => 0,
            Library::CudaMemset2D => args[5],
            Library::CudaEventRecord => {
                let [event, stream, ..] = *args;
                let last = capture.streams.get(&stream).cloned().unwrap_or_default();
                capture.events.insert(event, last);
                return Some(Ok(SUCCESS as u64));
            }
            Library::CudaWaitEvent => {
                let [stream, event, ..] = *args;
                let last = capture.events.get(&event).cloned().unwrap_or_default();
                capture.streams.entry(stream).or_default().extend(last);
                return Some(Ok(SUCCESS as u64));
            }
            Library::CudaMalloc if args[2] == 0 && capture.strict => {
                capture.invalid = true;
                let stored = self.store(args[0], MemTy::B64, 0);
                return Some(stored.map(|()| self.answer(CAPTURED)));
            }
            Library::CudaMemcpy
            | Library::CudaMemcpy2D
            | Library::CudaStreamWait
            | Library::CudaEventWait
            | Library::CudaSynchronise => {
                capture.invalid = true;
                return Some(Ok(self.answer(CAPTURED)));
            }
            _ => return None,
        };
        self.capture_work(Work::Call(function, *args), stream);
        Some(Ok(SUCCESS as u64))
    }

    /// Creates a graph, or a copy of another, with flags; or updates a graph or one of its nodes: 0 if
    /// the new work is of another kind; or adds a graph to another as a node ([`CHILD`]).
    pub(super) fn graph_new(&mut self, from: u64, into: u64, node: usize) -> u64 {
        let span = self.span();
        self.runtime.pending_work.note(Noted::All);
        let graphs = &mut self.runtime.graphs;
        if into != 0 && node == CHILD {
            let child = flattened(graphs.graphs.get(&from).map_or(&[][..], |nodes| &nodes[..]));
            let Some(nodes) = graphs.graphs.get(&into) else { return 0 };
            if child.len() + flattened(nodes).len() > MOST_NODES {
                return 0;
            }
            graphs.add(Work::Child(child), 0, span);
            return into;
        }
        if into != 0 {
            let new = graphs.graphs.get(&from).cloned().unwrap_or_default();
            let old = graphs.graphs.get_mut(&into).map_or(&mut [][..], |nodes| &mut nodes[..]);
            let old = match node {
                0 => old,
                n => old.get_mut(n - 1..n).unwrap_or_default(),
            };
            let kinds =
                |nodes: &[Node]| nodes.iter().map(|node| node.work.kind()).collect::<Vec<_>>();
            if kinds(old) != kinds(&new) {
                return 0;
            }
            for (old, new) in old.iter_mut().zip(new) {
                old.work = new.work;
                // A node alone stays where it is.
                if node == 0 {
                    old.after = new.after;
                }
            }
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
        let Pending { launched, order, .. } = &mut self.runtime.pending_work;
        launched.forget(graph, order);
        self.answer(if known { SUCCESS } else { INVALID_VALUE })
    }

    /// Begins a capture into a graph; null ends the capture.
    pub(super) fn graph_capture(&mut self, graph: u64, strict: bool) -> u64 {
        let capture = &mut self.runtime.graphs.capture;
        let error = match (graph, &*capture) {
            (0, Some(Capture { invalid: true, .. })) => INVALIDATED,
            (0, None) => INVALID_VALUE,
            (0, _) => SUCCESS,
            (_, Some(_)) => CAPTURED,
            _ => SUCCESS,
        };
        if error != CAPTURED {
            *capture = (graph != 0).then(|| Capture { graph, strict, ..Capture::default() });
        }
        self.answer(error)
    }

    /// A call of a host function during a capture: 1 if it was captured.
    pub(super) fn graph_host(&mut self, function: u64, data: u64, stream: u64) -> u64 {
        let capturing = self.runtime.graphs.capturing();
        self.capture_work(Work::Host(function, data), stream);
        u64::from(capturing)
    }

    /// The nodes that the next node depends on: the address of their handles, how many.
    pub(super) fn graph_after(&mut self, handles: u64, count: u64) -> Executed<u64> {
        let mut after = Vec::new();
        for at in 0..count {
            let handle = self.load(handles.wrapping_add(8 * at), MemTy::B64)?;
            after.extend((handle as usize).checked_sub(1));
        }
        if let Some(capture) = &mut self.runtime.graphs.capture {
            capture.next = Some(after);
        }
        Ok(0)
    }

    /// Makes one node of a graph depend on another: 0, 1 if there are no such nodes, or 2 if the other
    /// was added later: nodes run in the order in which they were added.
    pub(super) fn graph_link(&mut self, graph: u64, before: u64, node: u64) -> u64 {
        let Some(nodes) = self.runtime.graphs.graphs.get_mut(&graph) else { return 1 };
        let number = |handle: u64| (handle as usize).checked_sub(1).filter(|at| *at < nodes.len());
        let (Some(before), Some(node)) = (number(before), number(node)) else { return 1 };
        if before >= node {
            return 2;
        }
        nodes[node].after.push(before);
        0
    }

    /// About a graph: how many nodes (-1), whether one is being written (-2), which (-3); the function (2 n) of
    /// the host's node n, and its data (2 n + 1).
    pub(super) fn graph_ask(&self, graph: u64, what: i64) -> u64 {
        let graphs = &self.runtime.graphs;
        if what < -1 {
            let open = graphs.capture.as_ref().map_or(0, |capture| capture.graph);
            return if what == -2 { u64::from(open != 0) } else { open };
        }
        let Some(nodes) = graphs.graphs.get(&graph) else { return 0 };
        let flat = flattened(nodes);
        match usize::try_from(what).map(|n| (flat.get(n / 2), n % 2)) {
            Ok((Some(Node { work: Work::Host(function, _), .. }), 0)) => *function,
            Ok((Some(Node { work: Work::Host(_, data), .. }), 1)) => *data,
            Ok(_) => 0,
            Err(_) => nodes.len() as u64,
        }
    }

    /// What the timeline says of a node; `None` if the node cannot be deferred.
    fn issued(&self, work: &Work) -> Option<Issued> {
        match work {
            Work::Kernel { kernel, shape, shared, .. } => {
                let kernel = self.kernel(*kernel)?;
                Some(self.issued_kernel(kernel, *shape, *shared))
            }
            Work::Call(Library::CudaFree, _) => None,
            Work::Call(function, args) => Some(self.issued_call(*function, args)),
            Work::Host(..) | Work::Child(_) | Work::Allocate(..) => None,
        }
    }

    /// Runs a graph from a node on in a stream. Returns the number of the next host node, -1 at the end,
    /// or less than -1 for an error.
    pub(super) fn graph_run(&mut self, graph: u64, from: u64, stream: u64) -> Executed<u64> {
        let done = self.run_nodes(graph, from, stream);
        let paused = done.as_ref().is_ok_and(|node| *node as i64 >= 0);
        if !paused && let Some(run) = self.runtime.pending_work.graph.take() {
            let Pending { launched, order, .. } = &mut self.runtime.pending_work;
            launched.end(run, order);
        }
        done
    }

    fn run_nodes(&mut self, graph: u64, from: u64, stream: u64) -> Executed<u64> {
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
            let queue = self.queue(stream);
            let Pending { graph: run, launched, order, .. } = &mut self.runtime.pending_work;
            *run = Some(launched.begin(graph, &nodes, queue, order));
        }
        let records = self.records() && !self.runtime.graphs.capturing();
        let defers =
            records && self.defers() && nodes.iter().all(|node| self.issued(&node.work).is_some());
        if records && from == 0 {
            self.count(|timeline| timeline.graph_launches += 1);
            if !defers {
                self.complete_stream(stream)?;
            }
        }
        for (at, Node { work, .. }) in nodes.into_iter().enumerate().skip(from as usize) {
            if let Some(run) = &mut self.runtime.pending_work.graph {
                run.node(at);
            }
            if records && let Some(issued) = self.issued(&work) {
                self.note(issued, defers.then(|| work.clone()), stream)?;
                if defers {
                    continue;
                }
            }
            if let Work::Host(..) = work {
                return Ok(at as u64);
            }
            let error = self.unrecorded(|this| this.run_node(work))?;
            if error != SUCCESS {
                self.answer(error);
                return Ok(failed(error));
            }
        }
        Ok(failed(SUCCESS))
    }

    fn run_node(&mut self, work: Work) -> Executed<Error> {
        match work {
            // The caller's affair; and the nodes of a graph in the graph stand in its place.
            Work::Host(..) | Work::Child(_) => Ok(SUCCESS),
            Work::Allocate(pointer, bytes) => Ok(self.graph_allocate(pointer, bytes)),
            Work::Call(function, args) => Ok(self.library(function, &args, &[])? as Error),
            Work::Kernel { kernel, shape, shared, values } => {
                self.start_again(kernel, shape, shared, values)
            }
        }
    }
}
