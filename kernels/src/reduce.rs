//! Sums.
//!
//! ```no_run
//! use cudarc::driver::CudaContext;
//! use kernels::reduce::Reducer;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let context = CudaContext::new(0)?;
//!     let reducer = Reducer::new(&context)?;
//!     let numbers = context.default_stream().clone_htod(&vec![1i32; 1 << 20])?;
//!     assert_eq!(reducer.sum_i32(&numbers)?, 1 << 20);
//!     Ok(())
//! }
//! ```

use crate::{Error, compile};
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, LaunchConfig, PushKernelArg,
};
use std::sync::{Arc, Mutex, PoisonError};

const SOURCE: &str = include_str!("../include/reduce.cuh");
const KERNEL: &str = "kernels_sum_i32";
const THREADS: u32 = 512;
/// Ints in a tile: threads, vectors in flight, ints a vector.
const TILE: u64 = THREADS as u64 * 8 * 4;
/// Tiles a block: enough to pay for its last steps, few enough to leave no multiprocessor idle.
const TILES: u64 = 4;

/// Sums arrays on one device. It keeps a few bytes there, and can be shared between threads: sums
/// of the same reducer run one after the other.
pub struct Reducer {
    function: CudaFunction,
    stream: Arc<CudaStream>,
    multiprocessors: u32,
    kept: Mutex<Kept>,
}

/// Where the blocks meet, and where the sum is left.
struct Kept {
    progress: CudaSlice<u64>,
    out: CudaSlice<i32>,
}

impl Reducer {
    /// Compiles the kernel for the context's device; takes some tens of milliseconds. Work is
    /// queued on the context's default stream.
    ///
    /// # Errors
    /// Where NVRTC is missing or refuses, or the device has no room for a few bytes.
    pub fn new(context: &Arc<CudaContext>) -> Result<Reducer, Error> {
        let function = compile::load(context, SOURCE)?.load_function(KERNEL)?;
        let stream = context.default_stream();
        let kept = Kept { progress: stream.alloc_zeros(1)?, out: stream.alloc_zeros(1)? };
        let multiprocessors =
            context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        Ok(Reducer {
            function,
            stream,
            multiprocessors: u32::try_from(multiprocessors).unwrap_or(1).max(1),
            kept: Mutex::new(kept),
        })
    }

    /// The sum of all elements, wrapping at 32 bits as `i32::wrapping_add` does; 0 of none. Waits
    /// for the result. The array is read once and left as it is.
    ///
    /// # Errors
    /// Where the array lies in another context, or the device fails.
    pub fn sum_i32(&self, data: &CudaSlice<i32>) -> Result<i32, Error> {
        if data.is_empty() {
            return Ok(0); // a grid of no blocks is not a launch
        }
        if data.context() != self.stream.context() {
            return Err(Error::Argument("the array lies in another context than the reducer"));
        }
        let n = data.len() as u64;
        let config = LaunchConfig {
            grid_dim: (blocks(n, self.multiprocessors), 1, 1),
            block_dim: (THREADS, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { progress, out } = &mut *kept;
        let mut launch = self.stream.launch_builder(&self.function);
        launch.arg(data).arg(&n).arg(&mut *out).arg(progress);
        // SAFETY: the kernel takes (const int*, unsigned long long, int*, unsigned long long*). It
        // reads `n` elements of the first, which has them; the others have the one element that
        // it writes, and nobody else uses them while the lock is held. Allocations are aligned to
        // 256 bytes.
        unsafe { launch.launch(config) }?;
        Ok(self.stream.clone_dtoh(out)?.first().copied().unwrap_or(0))
    }
}

/// A few tiles a block; for little data one tile a block, so that it is spread over the device.
fn blocks(n: u64, multiprocessors: u32) -> u32 {
    let tiles = n.div_ceil(TILE).max(1);
    let spread = u64::from(multiprocessors) * 2;
    let blocks = if tiles <= spread * TILES { tiles.min(spread) } else { tiles.div_ceil(TILES) };
    u32::try_from(blocks).unwrap_or(u32::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_data_is_spread_and_much_is_given_out_in_tiles() {
        assert_eq!(blocks(1, 132), 1);
        assert_eq!(blocks(TILE + 1, 132), 2);
        assert_eq!(blocks(1 << 24, 132), 264);
        assert_eq!(blocks(1 << 28, 132), 4096);
        assert_eq!(blocks(u64::MAX, 132), u32::MAX / 2);
    }
}
