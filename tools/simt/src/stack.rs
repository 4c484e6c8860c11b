//! How much of the thread's stack is in use.
//!
//! Checking and lowering are recursive: a function's body, the functions that it calls, and the
//! templates that it names. How much a level takes depends on its source, so what is counted is bytes.

/// Bytes from the first function on that may be in use where another function or template begins. A
/// thread has 2 MiB, and one function with 128 blocks inside one another takes up to 600 KiB of the rest.
const MOST: usize = 1200 << 10;

/// Where the work began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stack(usize);

impl Stack {
    pub(crate) fn here() -> Stack {
        Stack(address())
    }

    /// Whether too little is left for another level.
    pub(crate) fn is_low(self) -> bool {
        self.0.abs_diff(address()) > MOST
    }
}

/// The address of something on the stack.
#[inline(never)]
fn address() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}
