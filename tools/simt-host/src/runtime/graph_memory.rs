//! Memory nodes of graphs. An allocation has its address since its node exists; its memory exists from
//! the node's turn in a launch until it is freed.

use super::error::{Error, INVALID_VALUE, MEMORY_ALLOCATION, SUCCESS};
use super::graph::{Node, Work};
use crate::Library;
use crate::host_memory::parts;
use crate::interpreter::{Executed, Interpreter};
use simt::isa::MemTy;
use simt::machine::memory::{GLOBALS, MAX_BYTES, Side};
use std::collections::HashMap;

/// The values of `cudaDeviceGetGraphMemAttribute`, in the order of its attributes.
#[derive(Debug, Default)]
pub(super) struct GraphMemory {
    /// Bytes in use now, in use at most, reserved now, reserved at most.
    told: [u64; 4],
    /// The bytes of each live allocation.
    live: HashMap<u64, u64>,
}

impl GraphMemory {
    fn take(&mut self, pointer: u64, bytes: u64) {
        self.live.insert(pointer, bytes);
        self.told[0] += bytes;
        // Reserved memory is used first.
        self.told[2] = self.told[2].max(self.told[0]);
        for [now, most] in [[0, 1], [2, 3]] {
            self.told[most] = self.told[most].max(self.told[now]);
        }
    }

    /// Notes that memory was freed. Returns whether it was a graph's.
    pub(super) fn freed(&mut self, pointer: u64) -> bool {
        let bytes = self.live.remove(&pointer);
        self.told[0] -= bytes.unwrap_or(0);
        bytes.is_some()
    }
}

impl Interpreter<'_> {
    /// `cudaMallocAsync` during a capture, or an allocation node: the address is decided now.
    pub(super) fn graph_reserve(&mut self, to: u64, bytes: u64, stream: u64) -> Executed<u64> {
        if bytes == 0 || bytes > MAX_BYTES as u64 {
            return Ok(self.answer(INVALID_VALUE));
        }
        let span = self.span();
        let name = super::cuda_memory::name_of(self.sources.text(span));
        let pointer = self.memory.allocate(&name, "byte", 1, 0, Side::Device, span).unwrap_or(0);
        self.memory.release(pointer, span);
        self.store(to, MemTy::B64, pointer)?;
        self.capture_work(Work::Allocate(pointer, bytes), stream);
        Ok(SUCCESS as u64)
    }

    /// Before a launch: what the graph allocated in its previous launch must have been freed, unless the
    /// graph frees it itself.
    pub(super) fn graph_ready(&mut self, nodes: &[Node], frees: bool) -> Executed<Error> {
        for node in nodes {
            let Work::Allocate(pointer, _) = &node.work else { continue };
            let (object, _) = parts(*pointer);
            let array = self.memory.global(object).filter(|_| object < GLOBALS);
            if array.is_none_or(|array| array.owner.freed.is_some()) {
                continue;
            }
            if !frees {
                return Ok(INVALID_VALUE);
            }
            self.cuda_free(*pointer, super::cuda_memory::ASYNC, 0)?;
        }
        Ok(SUCCESS)
    }

    /// Executes an allocation node.
    pub(super) fn graph_allocate(&mut self, pointer: u64, bytes: u64) -> Error {
        let left = crate::DEVICE_MEMORY.saturating_sub(self.runtime.device_bytes);
        if bytes > left {
            return MEMORY_ALLOCATION;
        }
        let span = self.span();
        if !self.memory.revive(pointer, bytes as usize, span) {
            return MEMORY_ALLOCATION;
        }
        self.runtime.device_bytes += bytes;
        self.runtime.graph_memory.take(pointer, bytes);
        SUCCESS
    }

    /// An attribute (0 to 3) of graphs' memory; 4: what is kept and not used goes back; 5 and 6: the
    /// most that was used, or kept, is what it is now. Past the end: all bits set.
    pub(super) fn graph_memory(&mut self, what: u64) -> u64 {
        let told = &mut self.runtime.graph_memory.told;
        match what {
            4 => told[2] = told[0],
            5 => told[1] = told[0],
            6 => told[3] = told[2],
            _ => return told.get(what as usize).copied().unwrap_or(u64::MAX),
        }
        0
    }

    /// A memory call during a capture; `None` if it does not become a node.
    pub(super) fn captured_memory(
        &mut self,
        function: Library,
        args: &[u64; 8],
    ) -> Option<Executed<u64>> {
        match function {
            Library::CudaMalloc if args[2] == super::cuda_memory::ASYNC => {
                Some(self.graph_reserve(args[0], args[1], args[3]))
            }
            Library::CudaFree if args[1] == super::cuda_memory::ASYNC => {
                let call = [args[0], super::cuda_memory::ASYNC, 0, 0, 0, 0, 0, 0];
                self.capture_work(Work::Call(function, call), args[2]);
                Some(Ok(SUCCESS as u64))
            }
            _ => None,
        }
    }
}
