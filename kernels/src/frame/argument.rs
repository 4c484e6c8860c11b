//! What the kernels rely on, asked before anything is launched.
//!
//! Rust's borrows already keep an output from being an input; but views can be made of raw pointers,
//! and then only their addresses tell. An error names the argument and the limit.

use crate::Error;
use cudarc::driver::CudaContext;
use std::sync::Arc;

/// Where an argument lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The argument's name, for messages.
    pub(crate) name: &'static str,
    /// Its address on the device.
    pub(crate) pointer: u64,
    /// Bytes that are read or written, from there.
    pub(crate) bytes: u64,
}

impl Span {
    fn end(self) -> u64 {
        self.pointer.saturating_add(self.bytes)
    }

    /// Whether 16 bytes can be moved at a time, from its beginning.
    pub(crate) fn is_aligned(self) -> bool {
        self.pointer.is_multiple_of(16)
    }
}

/// # Errors
/// Where two arguments share a byte.
pub(crate) fn apart(a: Span, b: Span) -> Result<(), Error> {
    if a.bytes == 0 || b.bytes == 0 || a.end() <= b.pointer || b.end() <= a.pointer {
        return Ok(());
    }
    Err(Error::Argument {
        name: b.name,
        why: format!("overlaps `{}`; they must not share memory", a.name),
    })
}

/// # Errors
/// Where the array is shorter than is needed.
pub(crate) fn holds(name: &'static str, has: usize, needs: Option<usize>) -> Result<(), Error> {
    match needs {
        Some(needs) if has >= needs => Ok(()),
        Some(needs) => Err(Error::Argument {
            name,
            why: format!("has {has} elements, and its shape needs {needs}"),
        }),
        None => Err(Error::Argument { name, why: "has a shape beyond all memory".to_owned() }),
    }
}

/// # Errors
/// Where the array belongs to another context than the handle.
pub(crate) fn at_home(
    name: &'static str,
    its: &Arc<CudaContext>,
    ours: &Arc<CudaContext>,
) -> Result<(), Error> {
    if its == ours {
        return Ok(());
    }
    Err(Error::Argument { name, why: "lies in another context than the handle".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_a_byte_is_not_apart() {
        let span = |name, pointer, bytes| Span { name, pointer, bytes };
        let a = span("a", 100, 50);
        assert_eq!(apart(a, span("b", 150, 10)), Ok(()));
        assert_eq!(apart(a, span("b", 90, 10)), Ok(()));
        assert_eq!(apart(a, span("b", 120, 0)), Ok(()));
        let error = apart(a, span("b", 149, 1)).unwrap_err();
        assert_eq!(error.to_string(), "`b` overlaps `a`; they must not share memory");
        assert!(apart(a, span("b", 0, u64::MAX)).is_err());
    }

    #[test]
    fn what_is_short_is_named() {
        assert_eq!(holds("y", 10, Some(10)), Ok(()));
        let error = holds("y", 9, Some(10)).unwrap_err();
        assert_eq!(error.to_string(), "`y` has 9 elements, and its shape needs 10");
        assert!(holds("y", 9, None).is_err());
    }
}
