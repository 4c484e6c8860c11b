//! Occupancy: how many blocks of a kernel a multiprocessor holds at once, and what stops the next.
//!
//! Four resources can run out: warp slots, block slots, registers and shared memory. Each allows a
//! number of blocks, and the smallest is what fits. Registers are allocated per warp, in units of
//! the allocation granularity, from the partition of the multiprocessor that the warp runs on;
//! shared memory per block, likewise, plus what the system reserves.
//!
//! The results are those of NVIDIA's `cuda_occupancy.h` for a kernel that opted in to the shared
//! memory that it uses and has no preference between shared memory and cache. Not modelled:
//! clusters, named barriers other than barrier 0, partitioned caching.

mod architecture;

pub use architecture::{ARCHITECTURES, Architecture};

/// The resources that one block of a kernel uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Threads.
    pub block: u32,
    /// Registers per thread, as the compiler reports them.
    pub registers: u32,
    /// Bytes of shared memory, static and dynamic.
    pub shared: u32,
}

/// A resource that limits occupancy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Warp slots.
    Warps,
    /// Block slots.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

impl Limit {
    /// In the order of the calculators.
    pub const ALL: [Limit; 4] = [Limit::Warps, Limit::Blocks, Limit::Registers, Limit::Shared];

    /// Its name in text.
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
    /// Resident blocks; 0 if not even one can be launched.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
    /// Warps of one block.
    pub warps_per_block: u32,
    /// Registers that are allocated for one block.
    pub registers_per_block: u32,
    /// Bytes of shared memory that are allocated for one block, the reserved ones included.
    pub shared_per_block: u32,
    /// Blocks that each resource would allow, in the order of [`Limit::ALL`]; `None`: unlimited.
    pub limits: [Option<u32>; 4],
    /// Warp slots of the multiprocessor.
    pub max_warps: u32,
}

impl Occupancy {
    /// Resident warps divided by warp slots: 1 is full occupancy.
    pub fn share(&self) -> f64 {
        f64::from(self.warps) / f64::from(self.max_warps)
    }

    /// The resources that allow no further block: one or several.
    pub fn limited_by(&self) -> impl Iterator<Item = Limit> + '_ {
        Limit::ALL.into_iter().zip(self.limits).filter(|l| l.1 == Some(self.blocks)).map(|l| l.0)
    }
}

/// How many blocks fit. A block without threads, or with more than the maximum, does not fit.
pub fn occupancy(arch: &Architecture, usage: Usage) -> Occupancy {
    let warps_per_block = usage.block.div_ceil(32);
    let launchable = (1..=arch.max_threads_per_block).contains(&usage.block);

    let warps = if launchable { arch.max_warps_per_sm / warps_per_block } else { 0 };

    // The hardware refuses a block by the registers that it would take if it had as many warps in
    // every partition of the multiprocessor.
    let round_up = |amount: u64, unit: u32| amount.div_ceil(u64::from(unit)) * u64::from(unit);
    let per_warp = round_up(u64::from(usage.registers) * 32, arch.register_granularity);
    let in_all_partitions =
        per_warp.saturating_mul(round_up(u64::from(warps_per_block), arch.partitions));
    let registers = if usage.registers > arch.max_registers_per_thread
        || in_all_partitions > u64::from(arch.registers_per_block)
    {
        Some(0)
    } else {
        let per_partition = u64::from(arch.registers_per_sm / arch.partitions);
        let warps = per_partition.checked_div(per_warp).map(|w| w as u32 * arch.partitions);
        warps.and_then(|w| w.checked_div(warps_per_block))
    };

    let asked = u64::from(usage.shared) + u64::from(arch.shared_reserved_per_block);
    let per_block = round_up(asked, arch.shared_granularity);
    let maximum = u64::from(arch.shared_per_block_optin + arch.shared_reserved_per_block);
    let shared = if per_block > maximum {
        Some(0)
    } else {
        u64::from(arch.shared_per_sm).checked_div(per_block).map(|blocks| blocks as u32)
    };

    let limits = [Some(warps), Some(arch.max_blocks_per_sm), registers, shared];
    let blocks = limits.into_iter().flatten().min().unwrap_or(0);
    Occupancy {
        blocks,
        warps: blocks * warps_per_block,
        warps_per_block,
        registers_per_block: clamp(per_warp.saturating_mul(u64::from(warps_per_block))),
        shared_per_block: clamp(per_block),
        limits,
        max_warps: arch.max_warps_per_sm,
    }
}

fn clamp(amount: u64) -> u32 {
    u32::try_from(amount).unwrap_or(u32::MAX)
}

/// The block size with which most threads are resident, and how many such blocks fit, as
/// `cudaOccupancyMaxPotentialBlockSize` suggests: of equally good sizes the largest. `(0, 0)` if none
/// fits. `max_block` is the maximum of `__launch_bounds__`; `shared` gives the shared memory of a
/// block of a given size.
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
