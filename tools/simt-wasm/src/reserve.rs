//! The module's memory is made larger in few steps.
//!
//! An engine takes long to make a memory larger, and may look for garbage each time, however little
//! is asked for; an allocator asks for as little as it needs. So what a request is likely to need is
//! asked for at once, and given back to the allocator, which keeps it. What nobody touches costs
//! nothing. Elsewhere than in WebAssembly there is nothing to gain.

use kernel_file::Plan;

/// For reading and compiling any text.
const ANY: u64 = 32 << 20;

/// What an array takes, in its own bytes: itself, what it is made from, what watches it, what is
/// compared.
const SHARE: u64 = 5;

/// For any request.
pub(crate) fn for_any() {
    reserve(ANY);
}

/// For running on these arrays, if they may be had at all.
pub(crate) fn for_arrays(plan: &Plan, most: u64) {
    let bytes: u64 = plan.arrays.iter().map(|array| array.bytes() as u64).sum();
    if bytes <= most {
        reserve(ANY + SHARE * bytes);
    }
}

fn reserve(bytes: u64) {
    if cfg!(target_arch = "wasm32") {
        let mut room: Vec<u8> = Vec::new();
        // Where there is not so much, less may still do.
        let _ = usize::try_from(bytes).map(|bytes| room.try_reserve_exact(bytes));
        std::hint::black_box(&room);
    }
}
