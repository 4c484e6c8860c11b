//! Zeroed arrays of atomics, as fresh pages of the operating system.
//!
//! The system gives a page when it is touched. So an array costs what a program touches of it, and a
//! large array of which little is used costs little. That takes `alloc_zeroed`: a `Vec` that is filled
//! with atomics is touched as a whole.

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::{AtomicU8, AtomicU32};

/// A type of which zero bytes are a value.
///
/// # Safety
/// Any object of it whose bytes are all zero must be valid, and its size must not be zero.
pub(super) unsafe trait Zeroed {}

// SAFETY: its bytes are those of a `u8`.
unsafe impl Zeroed for AtomicU8 {}
// SAFETY: its bytes are those of a `u32`.
unsafe impl Zeroed for AtomicU32 {}

/// So many zeros; `None` if there is not enough memory.
pub(super) fn zeroed<T: Zeroed>(count: usize) -> Option<Vec<T>> {
    if count == 0 {
        return Some(Vec::new());
    }
    let layout = Layout::array::<T>(count).ok()?;
    // SAFETY: the layout is not empty, since neither `count` nor the size of `T` is zero.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        return None;
    }
    // SAFETY: the global allocator gave it with the layout of `count` times `T`, and all its bytes are
    // zero, which `Zeroed` promises to be values.
    Some(unsafe { Vec::from_raw_parts(start.cast::<T>(), count, count) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn they_are_zeros_that_can_be_written_and_freed() {
        let mut words: Vec<AtomicU32> = zeroed(1000).expect("4 kB");
        assert!(words.iter().all(|word| word.load(Relaxed) == 0));
        words[999].store(7, Relaxed);
        words.push(AtomicU32::new(1));
        assert_eq!(words[999].load(Relaxed), 7);
        assert!(zeroed::<AtomicU8>(0).is_some_and(|none| none.is_empty()));
        assert!(zeroed::<AtomicU32>(usize::MAX / 2).is_none());
    }
}
