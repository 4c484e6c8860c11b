//! The machine: runs a kernel's bytecode in the nouns of the execution model (grid, block, warp, lane).
//!
//! It emits events ([`crate::event`]) and judges nothing: what is a defect, and what a profiler would
//! count, is decided by observers ([`crate::observe`]), which [`crate::launch`] chooses.
//!
//! | part | |
//! |---|---|
//! | [`prepared`], `validate` | a kernel made ready for one launch |
//! | [`schedule`] | which block and which warp runs next; livelock |
//! | [`interpreter`], `alu`, [`simd`] | the instructions of a warp |
//! | [`access`], [`memory`] | loads, stores, atomics; address spaces, heap, definedness |
//! | [`asynchronous`] | copy engines, mbarriers, `wgmma` |
//! | [`tensor_core`], [`matrix_product`] | products of matrices: arithmetic alone |
//! | [`parallel`] | blocks on several host threads |

mod access;
mod alu;
pub(crate) mod asynchronous;
pub(crate) mod interpreter;
pub(crate) mod interrupt;
pub mod matrix_product;
pub mod memory;
pub(crate) mod parallel;
pub(crate) mod prepared_kernel;
pub mod printf;
pub(crate) mod schedule;
pub(crate) mod simd;
mod strings;
pub mod tensor_core;
pub mod tensor_map;
#[cfg(test)]
mod test_kernel;
mod validate;

pub use interrupt::Interrupt;
pub use memory::{Buffer, Memory};
pub use tensor_map::{TensorElement, TensorMap, TensorMapError};

use crate::isa::Kernel;
use std::fmt;

/// The extent of a grid or a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// Fastest.
    pub x: u32,
    /// Second.
    pub y: u32,
    /// Slowest.
    pub z: u32,
}

impl Dim3 {
    /// `x * y * z`.
    pub fn count(self) -> u64 {
        u64::from(self.x) * u64::from(self.y) * u64::from(self.z)
    }
}

impl From<u32> for Dim3 {
    fn from(x: u32) -> Dim3 {
        Dim3 { x, y: 1, z: 1 }
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

/// A kernel's argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// A pointer to the start of an array.
    Buffer(Buffer),
    /// The bytes of a scalar or struct, little-endian, of the parameter's size.
    Value(Vec<u8>),
}

/// What to launch.
#[derive(Debug, Clone)]
pub struct Launch<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Blocks.
    pub grid: Dim3,
    /// Threads per block.
    pub block: Dim3,
    /// Bytes of `extern __shared__` memory.
    pub dynamic_shared: u32,
    /// One per parameter.
    pub args: &'a [Arg],
}

/// How lanes and warps are scheduled where the program leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// Since Volta: independent thread scheduling. Every lane has its own program counter, lanes that
    /// diverge converge again at the compiler's convergence barrier, and all make progress.
    Volta,
    /// Before Volta: one stack of masks per warp. Lanes that wait for each other deadlock.
    Pascal,
    /// Lanes converge only where the program says so, and the schedule is drawn from this seed.
    Adversarial(u64),
}

/// How to execute a launch: what the machine needs of a caller's configuration.
#[derive(Debug, Clone)]
pub(crate) struct Execution {
    pub(crate) model: Model,
    /// Warp-instructions after which the launch is stopped.
    pub(crate) budget: u64,
    pub(crate) interrupt: Interrupt,
    /// Host threads at most.
    pub(crate) threads: usize,
    pub(crate) limits: Limits,
    /// Each instruction is observed by itself, so instructions are not fused.
    pub(crate) single_step: bool,
    /// The observer needs what [`Interests::checks`](crate::event::Interests) says.
    pub(crate) checks: bool,
    /// Distinct reports that the observer keeps. If there can be more, which ones are kept depends
    /// on the order of the blocks.
    pub(crate) max_reports: usize,
    /// The blocks of a cluster, if the launch says so.
    pub(crate) cluster: Option<Dim3>,
    /// Whether the launch is cooperative.
    pub(crate) cooperative: bool,
}

impl Default for Execution {
    fn default() -> Execution {
        Execution {
            model: Model::Volta,
            budget: u64::MAX,
            interrupt: Interrupt::default(),
            threads: 1,
            limits: Limits::default(),
            single_step: false,
            checks: true,
            max_reports: usize::MAX,
            cluster: None,
            cooperative: true,
        }
    }
}

/// The limits of a launch: by default, compute capability 9.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Threads per block.
    pub threads_per_block: u32,
    /// Bytes of shared memory per block, without opting in to more.
    pub shared_per_block: u32,
    /// Bytes with opting in, for dynamic shared memory.
    pub shared_per_block_optin: u32,
    /// Blocks of one launch that may be resident at once.
    pub resident_blocks: u32,
    /// Bytes of host memory for the module's variables and the resident blocks (their registers, shared
    /// and local memory), without arrays and shadow memory. A launch that needs more is refused; if
    /// blocks need more, fewer are resident at once.
    pub memory: u64,
}

/// Multiprocessors of the simulated device: an H200's.
pub const MULTIPROCESSORS: u32 = 132;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            threads_per_block: 1024,
            shared_per_block: 48 * 1024,
            shared_per_block_optin: 227 * 1024,
            resident_blocks: MULTIPROCESSORS * 32,
            memory: 1 << 30,
        }
    }
}

/// Every way in which a launch that started can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All threads returned (something may be wrong nevertheless).
    Completed,
    /// A trap, a failed assertion or an access that hardware refuses.
    Faulted,
    /// No thread can go on.
    Deadlock,
    /// The budget of instructions is spent.
    BudgetSpent,
    /// It was asked to stop ([`Interrupt`]).
    Interrupted,
}

/// A launch by device code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildLaunch {
    /// Which kernel of the module.
    pub kernel: u32,
    /// Grid and block, three numbers each, shared memory, stream, arguments.
    pub values: Vec<u64>,
}

/// Why a launch did not start: CUDA would have refused it too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchError {
    /// What is wrong and what the limit is.
    pub message: String,
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LaunchError {}
