//! Grows the module's memory in few steps.
//!
//! An engine needs long to grow a memory, and may collect garbage each time; an allocator grows it by as
//! little as it needs. So what a request probably needs is allocated at once and freed again: the
//! allocator keeps it. Untouched memory costs nothing. Natively there is nothing to gain.

use kernel_file::Plan;

/// For reading and compiling any text.
const ANY: u64 = 32 << 20;

/// Bytes of memory per byte of an array: itself, its initial contents, its shadow memory, and the copy
/// that is compared.
const SHARE: u64 = 5;

/// Reserves memory for any request.
pub(crate) fn for_any() {
    reserve(ANY);
}

/// Reserves memory for a run on these arrays, if there is enough at all.
pub(crate) fn for_arrays(plan: &Plan, most: u64) {
    let bytes: u64 = plan.arrays.iter().map(|array| array.bytes() as u64).sum();
    if bytes <= most {
        reserve(ANY + SHARE * bytes);
    }
}

fn reserve(bytes: u64) {
    if cfg!(target_arch = "wasm32") {
        let mut room: Vec<u8> = Vec::new();
        // If there is not as much, less may suffice.
        let _ = usize::try_from(bytes).map(|bytes| room.try_reserve_exact(bytes));
        std::hint::black_box(&room);
    }
}
