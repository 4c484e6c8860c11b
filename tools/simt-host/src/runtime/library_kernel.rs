//! Kernels of the host's libraries whose arithmetic is not in their text.
//!
//! A product of two matrices would take the simulator minutes. So the kernel of a library reads and
//! writes each element once, with all checks, and the arithmetic is done here when it has completed:
//! what it left is what the arguments say, and memory is known to be there.
//! A Fourier transform may be in place, so its results are computed before the kernel runs.

mod fourier;
mod product;

use crate::host_memory::parts;
use crate::interpreter::Interpreter;
use simt::Arg;
use simt::isa::Kernel;
use simt::machine::memory::Global;
use std::ops::Range;

/// The arguments of a kernel.
struct Arguments<'a>(&'a [Arg]);

impl Arguments<'_> {
    /// The bytes of an argument from an offset on.
    fn bytes<const N: usize>(&self, argument: usize, offset: usize) -> [u8; N] {
        let Some(Arg::Value(bytes)) = self.0.get(argument) else { return [0; N] };
        bytes.get(offset..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or([0; N])
    }

    fn pointer(&self, argument: usize) -> u64 {
        u64::from_le_bytes(self.bytes(argument, 0))
    }

    fn long(&self, argument: usize, offset: usize) -> i64 {
        i64::from_le_bytes(self.bytes(argument, offset))
    }

    fn size(&self, argument: usize, offset: usize) -> usize {
        u32::from_le_bytes(self.bytes(argument, offset)) as usize
    }

    fn double(&self, argument: usize, offset: usize) -> f64 {
        f64::from_le_bytes(self.bytes(argument, offset))
    }
}

/// What a kernel will have written.
pub(super) struct Prepared(Option<fourier::Results>);

impl Interpreter<'_> {
    /// A kernel is about to run: what it will have written if it is one of a library that overwrites
    /// its arguments.
    pub(super) fn prepare_library_kernel(&self, kernel: &Kernel, args: &[Arg]) -> Prepared {
        let is_transform = kernel.name.starts_with("__cufft_transform");
        Prepared(is_transform.then(|| self.transformed(&Arguments(args))).flatten())
    }

    /// A kernel has completed: does what is left to do if it is one of a library.
    pub(super) fn finish_library_kernel(&self, kernel: &Kernel, args: &[Arg], prepared: Prepared) {
        if kernel.name.starts_with("__cublas_product") {
            self.multiply(&Arguments(args));
        }
        for (at, bytes) in prepared.0.into_iter().flatten() {
            self.set_device_bytes(at, &bytes);
        }
    }

    /// Bytes of device memory; none if they are not there.
    fn device_bytes(&self, at: u64, count: u64) -> Option<Vec<u8>> {
        let (array, range) = self.device_range(at, count)?;
        let mut bytes = vec![0; count as usize];
        array.read(range.start, &mut bytes);
        Some(bytes)
    }

    /// Writes bytes of device memory, if they are there.
    fn set_device_bytes(&self, at: u64, bytes: &[u8]) {
        if let Some((array, range)) = self.device_range(at, bytes.len() as u64) {
            array.write(range.start, bytes);
        }
    }

    fn device_range(&self, at: u64, count: u64) -> Option<(&Global, Range<u64>)> {
        let (object, offset) = parts(at);
        let array = self.memory.global(object)?;
        let end = offset.checked_add(count).filter(|end| *end <= array.bytes as u64)?;
        Some((array, offset..end))
    }
}
