//! A prepared kernel: decoded instructions, access plans and memory for one launch. It is immutable
//! while the kernel runs.

use super::alu::Op;
use super::memory::{Foreign, GLOBALS, Global, LOCAL, Memory, SHARED, SHARED_WINDOW, pointer};
use super::{Arg, Dim3, Execution, Interrupt, Launch, LaunchError, Limits, Model};
use crate::diagnostic::with_articles;
use crate::isa::{AtomicOp, Inst, Kernel, MemTy, Module, Object, Ty};
use crate::machine::access::plan::{Plan, plan};
use crate::machine::memory::heap::{HEAP, Heap};
use crate::machine::parallel::points_to;
use crate::machine::schedule::cluster::Cluster;
use std::sync::atomic::Ordering::Relaxed;

/// A kernel and its launch.
#[derive(Debug)]
pub(crate) struct PreparedKernel<'a> {
    pub(crate) module: &'a Module,
    pub(crate) kernel: &'a Kernel,
    pub(crate) grid: Dim3,
    pub(crate) cluster: Cluster,
    pub(crate) cooperative: bool,
    /// Whether the kernel uses the cluster's barrier. (Every block is in a cluster, if alone in it.)
    pub(crate) cluster_barriers: bool,
    pub(crate) block: Dim3,
    /// Threads per block.
    pub(crate) threads: u32,
    /// Warps per block.
    pub(crate) warps: u32,
    /// The bytes of the arguments.
    params: Vec<u8>,
    /// Words of shared memory, static and dynamic.
    pub(crate) shared_words: usize,
    /// Bytes of shared memory, static and dynamic.
    pub(crate) shared_bytes: u32,
    dynamic_shared: u32,
    /// Words of local memory per thread.
    pub(crate) local_words: usize,
    /// Every global object: arrays, then variables, then the heap.
    pub(crate) objects: Vec<&'a Global>,
    /// Host objects by number and name, which no kernel may access.
    pub(crate) foreign: &'a [(u64, Foreign)],
    buffers: usize,
    /// The device heap, which is the last object then.
    pub(crate) heap: Option<&'a Heap>,
    pub(crate) model: Model,
    pub(crate) interrupt: Interrupt,
    /// Blocks that may be resident at once.
    pub(super) resident: usize,
    /// The pre-decoded instructions.
    pub(super) ops: Vec<Op>,
    /// The accesses to known objects.
    pub(super) plans: Vec<Plan>,
    /// For each object, whether the kernel may write it.
    pub(crate) written: Vec<bool>,
}

/// What an object's number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Index into [`PreparedKernel::objects`], and its bytes.
    Global(u32, u32),
    /// Of the heap: its index there, its start, and its bytes.
    Heap(u32, u32, u32),
    /// Its start in shared memory, and its bytes.
    Shared(u32, u32),
    /// Its start in a thread's local memory, and its bytes.
    Local(u32, u32),
}

impl<'a> PreparedKernel<'a> {
    /// Checks a launch as CUDA does, and prepares it.
    pub(crate) fn new(
        module: &'a Module,
        launch: &Launch<'a>,
        memory: &'a Memory,
        execution: &Execution,
    ) -> Result<PreparedKernel<'a>, LaunchError> {
        let (kernel, limits) = (launch.kernel, &execution.limits);
        super::validate::check(module, kernel).map_err(|what| {
            refuse(format!("`{}` is not a kernel that can run: {what}", kernel.name))
        })?;
        launch.check_shape(limits)?;
        let dynamic_at =
            kernel.shared.iter().find(|o| o.dynamic).map_or(kernel.shared_bytes, |o| o.offset);
        let shared_bytes =
            kernel.shared_bytes.max(dynamic_at).saturating_add(launch.dynamic_shared);
        if kernel.shared_bytes > limits.shared_per_block
            || shared_bytes > limits.shared_per_block_optin
        {
            return Err(refuse(format!(
                "`{}` needs {} bytes of static and {} bytes of dynamic shared memory; a block has at most {} static and {} together",
                kernel.name,
                kernel.shared_bytes,
                launch.dynamic_shared,
                limits.shared_per_block,
                limits.shared_per_block_optin
            )));
        }
        if let Some(array) = memory.objects().find(|o| o.bytes > super::memory::MAX_BYTES) {
            return Err(refuse(format!(
                "`{}` has {} bytes; the simulator's arrays are smaller than 4 GiB",
                array.name, array.bytes
            )));
        }
        let dim = execution.cluster.or(kernel.cluster.map(|[x, y, z]| Dim3 { x, y, z }));
        let cluster = Cluster::new(dim, launch.grid)
            .map_err(|why| refuse(format!("`{}` is launched with clusters: {why}", kernel.name)))?;
        let mut prepared = PreparedKernel {
            module,
            kernel,
            grid: launch.grid,
            cluster,
            cooperative: execution.cooperative,
            cluster_barriers: kernel
                .code
                .iter()
                .any(|inst| matches!(inst, Inst::ClusterBarrier { .. })),
            block: launch.block,
            threads: launch.block.count() as u32,
            warps: launch.block.count().div_ceil(32) as u32,
            params: argument_block(kernel, launch.args, memory)?,
            shared_words: shared_bytes.div_ceil(4) as usize,
            shared_bytes,
            dynamic_shared: launch.dynamic_shared,
            local_words: kernel.local_bytes.div_ceil(4) as usize,
            objects: memory.objects().collect(),
            foreign: &memory.foreign,
            buffers: memory.buffers.len(),
            heap: memory.heap.as_ref(),
            model: execution.model,
            interrupt: execution.interrupt.clone(),
            resident: 1,
            ops: Vec::new(),
            plans: Vec::new(),
            written: Vec::new(),
        };
        prepared.resident = prepared.room(limits)?;
        let alone = execution.single_step || matches!(execution.model, Model::Adversarial(_));
        (prepared.ops, prepared.plans) = plan(&prepared, alone, execution.checks);
        prepared.written = points_to::written(&prepared);
        Ok(prepared)
    }

    /// Blocks that may be resident at once, by the limits of the device and of host memory.
    fn room(&self, limits: &Limits) -> Result<usize, LaunchError> {
        let variables: u64 = self.module.globals.iter().map(|o| u64::from(o.size)).sum();
        // Definedness takes half a byte per byte; local memory has 32 lanes.
        let registers = (u64::from(self.kernel.registers) + 2) * 128;
        let warp = registers + self.local_words as u64 * 32 * 5;
        let block = u64::from(self.warps) * warp + self.shared_words as u64 * 5;
        let left = limits.memory.saturating_sub(variables);
        if variables > limits.memory || block > left {
            return Err(refuse(format!(
                "`{}` needs {variables} bytes of this computer's memory for variables and {block} for a block's registers, local and shared memory; the limit is {}",
                self.kernel.name, limits.memory
            )));
        }
        let fit = left.checked_div(block).unwrap_or(u64::MAX);
        let fit = fit.min(limits.resident_blocks.max(1).into()) as usize;
        // Whole clusters.
        let size = self.cluster.blocks as usize;
        if fit < size {
            return Err(refuse(format!(
                "`{}` has clusters of {size} blocks; this computer's memory or the device holds {fit} at once",
                self.kernel.name
            )));
        }
        Ok(fit / size * size)
    }

    /// An argument, widened as `ty` says.
    pub(super) fn param(&self, offset: u32, ty: MemTy) -> u64 {
        let mut bytes = [0u8; 8];
        let size = ty.bytes() as usize;
        if let Some(from) = self.params.get(offset as usize..offset as usize + size) {
            bytes[..size].copy_from_slice(from);
        }
        widen(u64::from_le_bytes(bytes), ty)
    }

    /// `threadIdx` of a thread by its number in the block.
    pub(crate) fn thread_index(&self, thread: u32) -> [u32; 3] {
        let b = self.block;
        [thread % b.x, thread / b.x % b.y, thread / b.x / b.y]
    }

    /// The lanes that a warp of a block has, whether they have exited or not.
    pub(crate) fn lanes_of_warp(&self, warp: u32) -> u32 {
        let lanes = self.threads - warp * 32;
        if lanes >= 32 { u32::MAX } else { (1 << lanes) - 1 }
    }

    /// `blockIdx` of a block by its number in the grid.
    pub(crate) fn block_index(&self, block: u32) -> [u32; 3] {
        let g = self.grid;
        let rest = u64::from(block / g.x);
        [block % g.x, (rest % u64::from(g.y)) as u32, (rest / u64::from(g.y)) as u32]
    }

    /// What an object number stands for, if it is an object.
    #[inline]
    pub(crate) fn target(&self, object: u64) -> Option<Target> {
        let at = (object & (GLOBALS - 1)) as usize;
        match object & !(GLOBALS - 1) {
            0 if at as u64 >= HEAP => {
                let (start, bytes) = self.heap?.place(at as u64)?;
                Some(Target::Heap(self.objects.len() as u32 - 1, start, bytes))
            }
            0 => {
                let index = at.checked_sub(1).filter(|&i| i < self.buffers)?;
                Some(Target::Global(index as u32, self.objects[index].bytes as u32))
            }
            GLOBALS => {
                let index = self.buffers + at;
                let last = self.objects.len() - usize::from(self.heap.is_some());
                let object = self.objects[..last].get(index)?;
                Some(Target::Global(index as u32, object.bytes as u32))
            }
            SHARED if object == SHARED_WINDOW => Some(Target::Shared(0, self.shared_bytes)),
            SHARED => {
                let object = self.kernel.shared.get(at)?;
                Some(Target::Shared(object.offset, self.size(object)))
            }
            LOCAL => {
                let object = self.kernel.locals.get(at)?;
                Some(Target::Local(object.offset, object.size))
            }
            _ => None,
        }
    }

    /// Ends the launch: notes that the objects which the kernel may have written have changed, and
    /// returns the numbers of those that it may have accessed.
    pub(crate) fn end(&self) -> Vec<u32> {
        for (object, _) in self.objects.iter().zip(&self.written).filter(|(_, written)| **written) {
            object.changes.fetch_add(1, Relaxed);
        }
        let reached = (0..).zip(points_to::reached(self));
        reached.filter_map(|(number, reached)| reached.then_some(number)).collect()
    }

    /// How many of the objects are the host's arrays.
    pub(crate) fn buffers(&self) -> usize {
        self.buffers
    }

    /// Bytes of a shared object in this launch.
    pub(crate) fn size(&self, object: &Object) -> u32 {
        if object.dynamic { self.dynamic_shared } else { object.size }
    }

    /// Whether blocks may run in any order: no block waits for another, and no result depends on the
    /// order of atomics.
    pub(super) fn order_free(&self) -> bool {
        let mut reductions = None;
        self.model == Model::Volta
            && self.cluster.blocks == 1
            && self.kernel.code.iter().all(|inst| match *inst {
                Inst::Fence { .. } | Inst::Malloc { .. } | Inst::Free { .. } => false,
                Inst::Load { volatile, .. } | Inst::Store { volatile, .. } => !volatile,
                Inst::Atomic { op, ty: ty @ (Ty::I32 | Ty::U32), d: None, .. } => {
                    // Sums and differences commute; minima of different types do not.
                    let kind = match op {
                        AtomicOp::Add | AtomicOp::Sub => (AtomicOp::Add, Ty::I32),
                        AtomicOp::Min | AtomicOp::Max => (op, ty),
                        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => (op, Ty::I32),
                        _ => return false,
                    };
                    *reductions.get_or_insert(kind) == kind
                }
                Inst::Atomic { .. } => false,
                _ => true,
            })
    }
}

/// Extends the low bytes of `bits` as a load of `ty` does.
#[inline(always)]
pub(super) fn widen(bits: u64, ty: MemTy) -> u64 {
    match ty {
        MemTy::I8 => u64::from(bits as i8 as i32 as u32),
        MemTy::U8 => u64::from(bits as u8),
        MemTy::I16 => u64::from(bits as i16 as i32 as u32),
        MemTy::U16 => u64::from(bits as u16),
        MemTy::B32 => u64::from(bits as u32),
        MemTy::B64 => bits,
    }
}

fn refuse(message: String) -> LaunchError {
    LaunchError { message: with_articles(&message) }
}

impl Launch<'_> {
    /// Whether a grid and a block of these sizes can start on such a chip.
    ///
    /// # Errors
    /// If they cannot: why.
    pub fn check_shape(&self, limits: &Limits) -> Result<(), LaunchError> {
        let (grid, block, name) = (self.grid, self.block, &self.kernel.name);
        for (what, d, max) in
            [("grid", grid, [i32::MAX as u32, 65_535, 65_535]), ("block", block, [1024, 1024, 64])]
        {
            for (axis, (extent, max)) in
                ["x", "y", "z"].iter().zip([d.x, d.y, d.z].into_iter().zip(max))
            {
                if extent == 0 || extent > max {
                    return Err(refuse(format!(
                        "`{name}` is launched with a {what} of {d}: {axis} must lie between 1 and {max}"
                    )));
                }
            }
        }
        if block.count() > u64::from(limits.threads_per_block) {
            return Err(refuse(format!(
                "`{name}` is launched with {} threads per block; the limit is {}",
                block.count(),
                limits.threads_per_block
            )));
        }
        if let Some(max) = self.kernel.max_threads.filter(|&max| block.count() > u64::from(max)) {
            return Err(refuse(format!(
                "`{name}` is launched with {} threads per block; its __launch_bounds__ allow {max}",
                block.count()
            )));
        }
        if grid.count() > u64::from(u32::MAX) {
            return Err(refuse(format!(
                "`{name}` is launched with {} blocks; the simulator runs 2^32 - 1 at most",
                grid.count()
            )));
        }
        Ok(())
    }
}

fn argument_block(kernel: &Kernel, args: &[Arg], memory: &Memory) -> Result<Vec<u8>, LaunchError> {
    let name = &kernel.name;
    if args.len() != kernel.params.len() {
        return Err(refuse(format!(
            "`{name}` takes {} arguments, but {} are given",
            kernel.params.len(),
            args.len()
        )));
    }
    let mut out = vec![0; kernel.param_bytes as usize];
    for (param, arg) in kernel.params.iter().zip(args) {
        let bytes = match arg {
            Arg::Buffer(buffer) if param.size != 8 => {
                return Err(refuse(format!(
                    "parameter `{}` of `{name}` is a `{}`, but array {} is given",
                    param.name, param.ty, buffer.0
                )));
            }
            Arg::Buffer(buffer) if buffer.0 as usize >= memory.buffers.len() => {
                return Err(refuse(format!(
                    "parameter `{}` of `{name}`: that array belongs to another memory",
                    param.name
                )));
            }
            Arg::Buffer(buffer) => {
                pointer(u64::from(buffer.0) + super::memory::BUFFERS).to_le_bytes().to_vec()
            }
            Arg::Value(bytes) => bytes.clone(),
        };
        let at = param.offset as usize..param.offset as usize + param.size as usize;
        match out.get_mut(at) {
            Some(to) if to.len() == bytes.len() => to.copy_from_slice(&bytes),
            _ => {
                return Err(refuse(format!(
                    "parameter `{}` of `{name}` is a `{}` of {} bytes, but {} are given",
                    param.name,
                    param.ty,
                    param.size,
                    bytes.len()
                )));
            }
        }
    }
    Ok(out)
}
