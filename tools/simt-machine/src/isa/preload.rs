//! What a register holds when a warp starts.

use super::MemTy;

/// What a register holds when a warp starts.
///
/// Nothing else writes these registers, so the machine fills those that are the same for the whole
/// launch once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preload {
    /// A constant: the low 32 bits, or all 64 where the register is a pair.
    Const {
        /// Its bits.
        bits: u64,
        /// Whether it takes two registers.
        wide: bool,
    },
    /// Bytes of the launch's arguments, at this offset.
    Param {
        /// Where in [`Kernel::param_bytes`](super::Kernel::param_bytes).
        offset: u32,
        /// How to read it.
        ty: MemTy,
    },
    /// `threadIdx`, by axis 0, 1, 2.
    ThreadIdx(u8),
    /// `blockIdx`.
    BlockIdx(u8),
    /// `blockDim`.
    BlockDim(u8),
    /// `gridDim`.
    GridDim(u8),
    /// The blocks of a cluster.
    ClusterDim(u8),
    /// 1 if the launch is cooperative, else 0.
    Cooperative,
    /// The lane's number, 0 to 31.
    LaneId,
    /// A pointer to [`Kernel::shared`](super::Kernel::shared) by index.
    Shared(u16),
    /// A pointer to [`Kernel::locals`](super::Kernel::locals) by index.
    Local(u16),
    /// A pointer to [`Module::globals`](super::Module::globals) by index.
    Global(u16),
}
