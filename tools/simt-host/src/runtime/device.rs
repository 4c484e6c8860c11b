//! The attributes of the simulated device: an H200, but with less memory ([`crate::DEVICE_MEMORY`]).

use super::error::SUCCESS;
use super::stream_races::Wait;
use crate::interpreter::Interpreter;
use simt::machine::MULTIPROCESSORS;
use simt::occupancy::Architecture;

impl Interpreter<'_> {
    /// The limits of a multiprocessor.
    pub(super) fn architecture(&self) -> &'static Architecture {
        Architecture::of((9, 0)).unwrap_or(&simt::occupancy::ARCHITECTURES[0])
    }

    /// `cudaDeviceGetAttribute`; -1 if there is no such attribute.
    pub(super) fn cuda_attribute(&self, attribute: i32) -> u64 {
        let arch = self.architecture();
        let value: i64 = match attribute {
            1 => i64::from(arch.max_threads_per_block),
            2 | 3 => 1024,
            4 => 64,
            5 => i64::from(i32::MAX),
            6 | 7 => 65_535,
            8 => i64::from(arch.shared_per_block),
            9 => 65_536,
            10 => 32,
            11 => i64::from(i32::MAX),
            12 => i64::from(arch.registers_per_block),
            13 => 1_980_000,
            14 => 512,
            16 => i64::from(MULTIPROCESSORS),
            15 | 19 | 31 | 32 | 41 | 78 | 79 | 80 => 1,
            17 | 18 | 20 | 33 | 34 | 35 | 50 => 0,
            // Textures and surfaces.
            21 | 22 | 56 | 70 => 131_072,
            23 | 57 => 65_536,
            24..=26 | 58..=60 => 16_384,
            27 | 28 | 42 | 45 | 46 | 52 | 53 | 55 | 61 | 63 | 64 | 66 | 67 | 73 | 74 | 77 => 32_768,
            29 | 43 | 62 | 65 => 2048,
            54 | 68 => 2046,
            47 | 48 => 8192,
            49 => 32_768,
            69 => 1 << 28,
            71 => 65_000,
            72 => 2_097_120,
            30 => 512,
            36 => 3_201_000,
            37 => 6016,
            38 => 62_914_560,
            39 => i64::from(arch.max_threads_per_sm),
            40 => 3,
            51 => 32,
            75 => i64::from(arch.capability.0),
            76 => i64::from(arch.capability.1),
            81 => i64::from(arch.shared_per_sm),
            82 => i64::from(arch.registers_per_sm),
            83 | 89 | 90 | 91 | 95 | 99 | 113 | 115 | 120 => 1,
            84 | 85 | 86 | 88 | 98 | 100 | 101 => 0,
            // Other processes, devices and libraries: there are none.
            112
            | 114
            | 116..=119
            | 121
            | 125
            | 130
            | 131
            | 133..=135
            | 138..=140
            | 142..=144
            | 147 => 0,
            126 => 4,
            87 => 2,
            97 => i64::from(arch.shared_per_block_optin),
            106 => i64::from(arch.max_blocks_per_sm),
            108 => 39_321_600,
            109 => 134_217_728,
            111 => i64::from(arch.shared_reserved_per_block),
            _ => -1,
        };
        u64::from(value as u32)
    }

    /// `cudaDeviceReset`: frees all device memory and clears all errors.
    pub(super) fn cuda_reset(&mut self) -> u64 {
        self.synchronise();
        self.host_waits(Wait::Everything);
        let span = self.span();
        self.memory.release_all(span);
        let runtime = &mut self.runtime;
        runtime.device_bytes = 0;
        runtime.registered.clear();
        runtime.ordered_by_stream.clear();
        runtime.after_error = super::error::AfterError::default();
        (runtime.sticky, runtime.pending, runtime.last) = (SUCCESS, SUCCESS, SUCCESS);
        SUCCESS as u64
    }

    /// How many blocks of a kernel the device holds at once.
    pub(super) fn resident(&self, blocks: u32) -> u64 {
        u64::from(blocks) * u64::from(MULTIPROCESSORS)
    }
}
