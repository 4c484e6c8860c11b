//! One warp or one block of a kernel, traced on the simulator: what diagrams are drawn from.

use verify::Point;
use verify::trace::{Phases, Touched, Trace};

/// A warp, and one of its accesses, as a page asks for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WarpRequest {
    /// The kernel file, as the page writes it.
    pub(crate) path: String,
    /// `block=1 stride=4`: values of the file's variables, and options of the directive. Which name
    /// is which shows when the file is read.
    pub(crate) numbers: Vec<(String, u64)>,
    /// `array=tile`: the array of the access.
    pub(crate) array: Option<String>,
}

/// The same for one file: an option that the page leaves out has its default.
#[derive(Debug, Clone)]
pub(crate) struct WarpAddress {
    pub(crate) point: Point,
    /// The launch's number, from 1.
    pub(crate) launch: u64,
    pub(crate) block: u64,
    pub(crate) warp: u64,
    /// The line of the access; the first access where it is `None`.
    pub(crate) line: Option<u64>,
    pub(crate) array: Option<String>,
    /// The size of the run; the page's by default.
    pub(crate) n: u64,
}

/// A block whose warps were all traced. The address is that of its first warp.
#[derive(Debug, Clone)]
pub(crate) struct BlockTrace {
    pub(crate) address: WarpAddress,
    /// Its accesses to arrays, in the order of execution.
    pub(crate) accesses: Vec<BlockAccess>,
    /// The phases of its mbarriers.
    pub(crate) phases: Phases,
    /// How many steps it took.
    pub(crate) steps: usize,
}

/// What one warp of a block accesses.
#[derive(Debug, Clone)]
pub(crate) struct BlockAccess {
    pub(crate) warp: u32,
    /// The steps that the block had taken before.
    pub(crate) time: usize,
    /// How many barriers the warp has passed before.
    pub(crate) interval: u32,
    pub(crate) touched: Touched,
}

/// A warp that was traced.
#[derive(Debug, Clone)]
pub(crate) struct WarpTrace {
    pub(crate) address: WarpAddress,
    pub(crate) trace: Trace,
}
