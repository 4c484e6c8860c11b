//! Occupancy: how many blocks of a kernel a multiprocessor holds at once, and what stops the next.
//!
//! Four things can run out: places for warps, places for blocks, registers, shared memory. Each
//! gives a number of blocks, and the smallest is what fits. Registers are given to warps, in whole
//! pieces, from the quarter of the multiprocessor that the warp lives in; shared memory to blocks,
//! in whole pieces, plus what the system keeps for itself.
//!
//! The answers are those of NVIDIA's `cuda_occupancy.h` for a kernel that asked for the shared
//! memory that it uses and has no preference between shared memory and cache. Clusters, named
//! barriers beyond the usual one and partitioned caching are not modelled.

mod architecture;

pub use architecture::{ARCHITECTURES, Architecture};

/// What one block of a kernel takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Threads.
    pub block: u32,
    /// Registers a thread, as the compiler reports them.
    pub registers: u32,
    /// Bytes of shared memory, static and dynamic.
    pub shared: u32,
}

/// What can run out first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Places for warps.
    Warps,
    /// Places for blocks.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

impl Limit {
    /// In the order of the calculators.
    pub const ALL: [Limit; 4] = [Limit::Warps, Limit::Blocks, Limit::Registers, Limit::Shared];

    /// In plain words.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Warps => "warps",
            Limit::Blocks => "blocks",
            Limit::Registers => "registers",
            Limit::Shared => "shared memory",
        }
    }
}

/// What fits on one multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks; 0 where not even one can be launched.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
    /// Warps of one block.
    pub warps_per_block: u32,
    /// Registers that one block really takes.
    pub registers_per_block: u32,
    /// Bytes of shared memory that one block really takes, with the system's.
    pub shared_per_block: u32,
    /// Blocks that each would allow, in the order of [`Limit::ALL`]; `None`: as many as you like.
    pub limits: [Option<u32>; 4],
    /// Warps that the multiprocessor has places for.
    pub max_warps: u32,
}

impl Occupancy {
    /// Warps by places for warps: 1 is full.
    pub fn share(&self) -> f64 {
        f64::from(self.warps) / f64::from(self.max_warps)
    }

    /// What allows no more than the blocks that there are: one limit or several.
    pub fn limited_by(&self) -> impl Iterator<Item = Limit> + '_ {
        Limit::ALL.into_iter().zip(self.limits).filter(|l| l.1 == Some(self.blocks)).map(|l| l.0)
    }
}

/// How many blocks fit. A block of no threads, or of more than a block may have, does not fit.
pub fn occupancy(arch: &Architecture, usage: Usage) -> Occupancy {
    let warps_per_block = usage.block.div_ceil(32);
    let launchable = (1..=arch.max_threads_per_block).contains(&usage.block);

    let warps = if launchable { arch.max_warps_per_sm / warps_per_block } else { 0 };

    // A warp's registers, in whole pieces. The hardware refuses a block by what it would take if
    // it had as many warps in every part of the multiprocessor.
    let pieces = |amount: u64, piece: u32| amount.div_ceil(u64::from(piece)) * u64::from(piece);
    let of_warp = pieces(u64::from(usage.registers) * 32, arch.register_granularity);
    let in_all_parts = of_warp.saturating_mul(pieces(u64::from(warps_per_block), arch.partitions));
    let registers = if usage.registers > arch.max_registers_per_thread
        || in_all_parts > u64::from(arch.registers_per_block)
    {
        Some(0)
    } else {
        let of_part = u64::from(arch.registers_per_sm / arch.partitions);
        let warps = of_part.checked_div(of_warp).map(|w| w as u32 * arch.partitions);
        warps.and_then(|w| w.checked_div(warps_per_block))
    };

    let asked = u64::from(usage.shared) + u64::from(arch.shared_reserved_per_block);
    let of_block = pieces(asked, arch.shared_granularity);
    let most = u64::from(arch.shared_per_block_optin + arch.shared_reserved_per_block);
    let shared = if of_block > most {
        Some(0)
    } else {
        u64::from(arch.shared_per_sm).checked_div(of_block).map(|blocks| blocks as u32)
    };

    let limits = [Some(warps), Some(arch.max_blocks_per_sm), registers, shared];
    let blocks = limits.into_iter().flatten().min().unwrap_or(0);
    Occupancy {
        blocks,
        warps: blocks * warps_per_block,
        warps_per_block,
        registers_per_block: clamp(of_warp.saturating_mul(u64::from(warps_per_block))),
        shared_per_block: clamp(of_block),
        limits,
        max_warps: arch.max_warps_per_sm,
    }
}

fn clamp(amount: u64) -> u32 {
    u32::try_from(amount).unwrap_or(u32::MAX)
}

/// The block with which most threads are resident, and how many such blocks fit, as
/// `cudaOccupancyMaxPotentialBlockSize` suggests: the largest where several are equally good.
/// `(0, 0)` where none fits. `max_block` is what `__launch_bounds__` allow; `shared` says how much
/// shared memory a block of so many threads takes.
pub fn best_block(
    arch: &Architecture,
    registers: u32,
    max_block: u32,
    shared: impl Fn(u32) -> u32,
) -> (u32, u32) {
    let largest = max_block.min(arch.max_threads_per_block);
    let mut best = (0, 0);
    for step in (1..=largest.div_ceil(32)).rev() {
        let block = largest.min(step * 32);
        let found = occupancy(arch, Usage { block, registers, shared: shared(block) }).blocks;
        if found * block > best.0 * best.1 {
            best = (block, found);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(label: &str, block: u32, registers: u32, shared: u32) -> Occupancy {
        occupancy(Architecture::parse(label).unwrap(), Usage { block, registers, shared })
    }

    #[test]
    fn each_resource_can_be_the_one_that_runs_out() {
        let full = on("9.0", 256, 32, 0);
        assert_eq!((full.blocks, full.warps, full.share()), (8, 64, 1.0));
        let names = |o: &Occupancy| o.limited_by().map(Limit::name).collect::<Vec<_>>();
        assert_eq!(names(&full), ["warps", "registers"]);
        let few = on("9.0", 32, 16, 0);
        assert_eq!((few.blocks, few.warps, names(&few)), (32, 32, vec!["blocks"]));
        let fat = on("9.0", 256, 33, 0);
        assert_eq!((fat.blocks, names(&fat)), (6, vec!["registers"]), "33 are paid as 40");
        let tiles = on("8.6", 128, 32, 50_000);
        assert_eq!((tiles.blocks, names(&tiles)), (2, vec!["shared memory"]));
    }

    #[test]
    fn what_cannot_be_launched_does_not_fit() {
        for (block, registers, shared) in
            [(0, 32, 0), (1025, 1, 0), (1024, 65, 0), (32, 256, 0), (32, 16, 232_449)]
        {
            assert_eq!(on("9.0", block, registers, shared).blocks, 0, "{block} {registers}");
        }
        assert_eq!(on("9.0", u32::MAX, u32::MAX, u32::MAX).warps, 0, "and nothing overflows");
        assert_eq!(on("9.0", 32, 16, 232_448).blocks, 1);
    }

    #[test]
    fn the_best_block_is_the_largest_that_fills_most() {
        let ampere = Architecture::of((8, 6)).unwrap();
        assert_eq!(best_block(ampere, 32, 1024, |_| 0), (768, 2), "1024 leaves 512 places empty");
        let hopper = Architecture::of((9, 0)).unwrap();
        assert_eq!(best_block(hopper, 32, 1024, |_| 0), (1024, 2));
        assert_eq!(best_block(hopper, 32, 200, |_| 0), (128, 16));
        assert_eq!(best_block(hopper, 32, 1024, |block| block * 100), (1024, 2));
        assert_eq!(best_block(hopper, 300, 1024, |_| 0), (0, 0));
    }

    #[test]
    fn the_table_is_in_order_and_names_itself() {
        assert!(ARCHITECTURES.is_sorted_by_key(|a| a.capability));
        for arch in &ARCHITECTURES {
            assert_eq!(Architecture::parse(&arch.label()), Some(arch));
            assert_eq!(arch.max_warps_per_sm * 32, arch.max_threads_per_sm);
            assert!(arch.fields().iter().all(|(_, v)| *v > 0) || arch.capability.0 < 8);
        }
        assert_eq!(Architecture::parse("6.1"), None);
    }
}
