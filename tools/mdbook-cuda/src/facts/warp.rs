//! One warp of a kernel at the page's size, traced on the simulator: what diagrams are drawn from.

use verify::Point;
use verify::trace::Trace;

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
}

/// A warp that was traced.
#[derive(Debug, Clone)]
pub(crate) struct WarpTrace {
    /// The size of the run.
    pub(crate) n: u64,
    pub(crate) address: WarpAddress,
    pub(crate) trace: Trace,
}
