//! What a multiprocessor has, for each compute capability: data, and nothing else.
//!
//! The figures are those of NVIDIA's programming guide ("Technical specifications per compute
//! capability") and of `cuda_occupancy.h`; a test holds this table against the latter. Hardware
//! limits of a whole device (multiprocessors, clocks, bytes of memory) are not here: two products
//! of one compute capability differ in them.

/// What a multiprocessor of one compute capability has, and what a block may take of it.
///
/// All memory is in bytes, all registers are of 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Architecture {
    /// Compute capability: major and minor.
    pub capability: (u32, u32),
    /// NVIDIA's name of the generation.
    pub name: &'static str,
    /// Resident threads.
    pub max_threads_per_sm: u32,
    /// Resident warps.
    pub max_warps_per_sm: u32,
    /// Resident blocks.
    pub max_blocks_per_sm: u32,
    /// Threads that one block may have.
    pub max_threads_per_block: u32,
    /// Registers.
    pub registers_per_sm: u32,
    /// Registers that one block may take.
    pub registers_per_block: u32,
    /// Registers that the compiler may give to one thread.
    pub max_registers_per_thread: u32,
    /// A warp's registers come in multiples of this.
    pub register_granularity: u32,
    /// Parts of a multiprocessor, each with its own scheduler and share of the registers.
    pub partitions: u32,
    /// Shared memory.
    pub shared_per_sm: u32,
    /// Shared memory that a block may take without asking.
    pub shared_per_block: u32,
    /// Shared memory that a block may take after `cudaFuncSetAttribute`.
    pub shared_per_block_optin: u32,
    /// Shared memory that the system takes for itself, for each block.
    pub shared_reserved_per_block: u32,
    /// A block's shared memory comes in multiples of this.
    pub shared_granularity: u32,
    /// Single-precision additions, multiplications or both in one that it begins in a clock.
    pub fp32_per_clock: u32,
}

/// What they differ in: capability, name, resident threads, resident blocks, KiB of shared memory.
/// From 8.0 on the system keeps one KiB for each block, and memory comes in pieces of 128 bytes.
const fn of(
    capability: (u32, u32),
    name: &'static str,
    max_threads_per_sm: u32,
    max_blocks_per_sm: u32,
    shared_kib: u32,
) -> Architecture {
    let before_ampere = capability.0 < 8;
    let reserved = if before_ampere { 0 } else { 1024 };
    Architecture {
        capability,
        name,
        max_threads_per_sm,
        max_warps_per_sm: max_threads_per_sm / 32,
        max_blocks_per_sm,
        max_threads_per_block: 1024,
        registers_per_sm: 65_536,
        registers_per_block: 65_536,
        max_registers_per_thread: 255,
        register_granularity: 256,
        partitions: 4,
        shared_per_sm: shared_kib * 1024,
        shared_per_block: 48 * 1024,
        shared_per_block_optin: shared_kib * 1024 - reserved,
        shared_reserved_per_block: reserved,
        shared_granularity: if before_ampere { 256 } else { 128 },
        fp32_per_clock: if before_ampere || matches!(capability, (8, 0)) { 64 } else { 128 },
    }
}

/// Every compute capability from 7.0 on, in ascending order.
pub const ARCHITECTURES: [Architecture; 13] = [
    of((7, 0), "Volta", 2048, 32, 96),
    of((7, 2), "Volta", 2048, 32, 96),
    of((7, 5), "Turing", 1024, 16, 64),
    of((8, 0), "Ampere", 2048, 32, 164),
    of((8, 6), "Ampere", 1536, 16, 100),
    of((8, 7), "Ampere", 1536, 16, 164),
    of((8, 9), "Ada Lovelace", 1536, 24, 100),
    of((9, 0), "Hopper", 2048, 32, 228),
    of((10, 0), "Blackwell", 2048, 32, 228),
    of((10, 3), "Blackwell", 2048, 32, 228),
    of((11, 0), "Blackwell", 1536, 24, 228),
    of((12, 0), "Blackwell", 1536, 24, 100),
    of((12, 1), "Blackwell", 1536, 24, 100),
];

impl Architecture {
    /// The one of this compute capability; `None` where the table has none.
    pub fn of(capability: (u32, u32)) -> Option<&'static Architecture> {
        ARCHITECTURES.iter().find(|a| a.capability == capability)
    }

    /// The one that is written so: `9.0`, `12.1`.
    pub fn parse(text: &str) -> Option<&'static Architecture> {
        ARCHITECTURES.iter().find(|a| a.label() == text)
    }

    /// `9.0`.
    pub fn label(&self) -> String {
        format!("{}.{}", self.capability.0, self.capability.1)
    }

    /// Every figure with the name that claims and pages use, which is the field's.
    pub fn fields(&self) -> [(&'static str, u32); 15] {
        [
            ("max_threads_per_sm", self.max_threads_per_sm),
            ("max_warps_per_sm", self.max_warps_per_sm),
            ("max_blocks_per_sm", self.max_blocks_per_sm),
            ("max_threads_per_block", self.max_threads_per_block),
            ("registers_per_sm", self.registers_per_sm),
            ("registers_per_block", self.registers_per_block),
            ("max_registers_per_thread", self.max_registers_per_thread),
            ("register_granularity", self.register_granularity),
            ("partitions", self.partitions),
            ("shared_per_sm", self.shared_per_sm),
            ("shared_per_block", self.shared_per_block),
            ("shared_per_block_optin", self.shared_per_block_optin),
            ("shared_reserved_per_block", self.shared_reserved_per_block),
            ("shared_granularity", self.shared_granularity),
            ("fp32_per_clock", self.fp32_per_clock),
        ]
    }
}
