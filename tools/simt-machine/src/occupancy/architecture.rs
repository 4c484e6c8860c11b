//! Technical specifications of a multiprocessor, per compute capability.
//!
//! The figures are those of NVIDIA's programming guide ("Technical specifications per compute
//! capability") and of `cuda_occupancy.h`; a test compares this table with the latter. Properties
//! of a whole device (multiprocessors, clock rate, bytes of memory) are not here: they differ
//! between products of one compute capability.

/// The resources of a multiprocessor of one compute capability, and what a block may use of them.
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
    /// Registers are allocated per warp in multiples of this.
    pub register_granularity: u32,
    /// Parts of a multiprocessor, each with its own scheduler and share of the registers.
    pub partitions: u32,
    /// Shared memory.
    pub shared_per_sm: u32,
    /// Shared memory that a block may use by default.
    pub shared_per_block: u32,
    /// Shared memory that a block may use after an opt-in by `cudaFuncSetAttribute`.
    pub shared_per_block_optin: u32,
    /// Shared memory that the system reserves per block.
    pub shared_reserved_per_block: u32,
    /// Shared memory is allocated per block in multiples of this.
    pub shared_granularity: u32,
    /// Single-precision additions, multiplications or fused multiply-adds issued per clock.
    pub fp32_per_clock: u32,
}

/// A row, from what the rows differ in; `shared_kib` is the shared memory in KiB. From 8.0 on the
/// system reserves 1 KiB per block, and the allocation granularity of shared memory is 128 bytes.
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
    /// The row of a compute capability, if there is one.
    pub fn of(capability: (u32, u32)) -> Option<&'static Architecture> {
        ARCHITECTURES.iter().find(|a| a.capability == capability)
    }

    /// The row of a compute capability that is written as `9.0` or `12.1`.
    pub fn parse(text: &str) -> Option<&'static Architecture> {
        ARCHITECTURES.iter().find(|a| a.label() == text)
    }

    /// The compute capability as text: `9.0`.
    pub fn label(&self) -> String {
        format!("{}.{}", self.capability.0, self.capability.1)
    }

    /// Every figure with its name, which claims and pages use.
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
