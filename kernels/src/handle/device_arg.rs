//! Checks of device arguments before a launch: context, length, overlap.
//!
//! Rust's borrows already keep an output from aliasing an input. Views made from raw pointers can
//! still alias, so addresses are compared too. An error names the argument and the limit.

use crate::{Error, Kernels};
use cudarc::driver::sys::CUresult;
use cudarc::driver::{
    CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DeviceRepr, DeviceSlice, SyncOnDrop, result,
};
use std::sync::Arc;

/// The address range of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// The argument's name, for messages.
    pub(crate) name: &'static str,
    /// Its address on the device.
    pub(crate) pointer: u64,
    /// Bytes that are read or written, from there.
    pub(crate) bytes: u64,
}

/// An argument in use by the stream; dropped after the launch.
pub(crate) struct DeviceArg<'a> {
    pub(crate) span: Span,
    _until: SyncOnDrop<'a>,
}

impl Span {
    fn end(self) -> u64 {
        self.pointer.saturating_add(self.bytes)
    }

    /// Whether it starts at a multiple of 16 bytes, as vector accesses need.
    pub(crate) fn is_aligned(self) -> bool {
        self.pointer.is_multiple_of(16)
    }
}

impl Kernels {
    /// An argument of which `needs` elements are read.
    ///
    /// # Errors
    /// Where it is shorter, or belongs to another context.
    pub(crate) fn reads<'a, T>(
        &'a self,
        name: &'static str,
        data: &'a impl DevicePtr<T>,
        needs: Option<usize>,
    ) -> Result<DeviceArg<'a>, Error> {
        let bytes = self.check::<T>(name, data, needs)?;
        let (pointer, until) = data.device_ptr(&self.stream);
        Ok(DeviceArg { span: Span { name, pointer, bytes }, _until: until })
    }

    /// An argument of which `needs` elements are written.
    ///
    /// # Errors
    /// As [`Kernels::reads`].
    pub(crate) fn writes<'a, T>(
        &'a self,
        name: &'static str,
        data: &'a mut impl DevicePtrMut<T>,
        needs: Option<usize>,
    ) -> Result<DeviceArg<'a>, Error> {
        let bytes = self.check::<T>(name, data, needs)?;
        let (pointer, until) = data.device_ptr_mut(&self.stream);
        Ok(DeviceArg { span: Span { name, pointer, bytes }, _until: until })
    }

    fn check<T>(
        &self,
        name: &'static str,
        data: &impl DeviceSlice<T>,
        needs: Option<usize>,
    ) -> Result<u64, Error> {
        if data.stream().context() != self.stream.context() {
            let why = "belongs to another context than the handle".to_owned();
            return Err(Error::Argument { name, why });
        }
        holds(name, data.len(), needs)?;
        Ok((needs.unwrap_or(0) * size_of::<T>()) as u64)
    }
}

/// Allocates `count` uninitialised elements that the argument `name` needs.
///
/// # Errors
/// [`Error::Argument`] where the size exceeds any address space, [`Error::Memory`] where the device
/// has too little.
///
/// # Safety
/// They must be written before they are read.
pub(crate) unsafe fn alloc_for<T: DeviceRepr>(
    stream: &Arc<CudaStream>,
    name: &'static str,
    count: usize,
) -> Result<CudaSlice<T>, Error> {
    let needs = bytes::<T>(name, count)?;
    // SAFETY: the caller's.
    unsafe { stream.alloc::<T>(count) }.map_err(|error| match error.0 {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
            let free = result::mem_get_info().map_or(0, |(free, _)| free);
            Error::Memory { name, needs, free }
        }
        _ => Error::Driver(error),
    })
}

/// # Errors
/// Where the size in bytes exceeds `isize::MAX`.
fn bytes<T>(name: &'static str, count: usize) -> Result<usize, Error> {
    let most = isize::MAX as usize;
    count.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= most).ok_or_else(|| {
        let why = format!("needs {count} elements; the limit is {most} bytes");
        Error::Argument { name, why }
    })
}

/// # Errors
/// Where two arguments share a byte.
pub(crate) fn check_disjoint(a: Span, b: Span) -> Result<(), Error> {
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
fn holds(name: &'static str, has: usize, needs: Option<usize>) -> Result<(), Error> {
    match needs {
        Some(needs) if has >= needs => Ok(()),
        Some(needs) => Err(Error::Argument {
            name,
            why: format!("has {has} elements, and its shape needs {needs}"),
        }),
        None => Err(Error::Argument { name, why: "has a shape whose size overflows".to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_share_a_byte_overlap() {
        let span = |name, pointer, bytes| Span { name, pointer, bytes };
        let a = span("a", 100, 50);
        assert_eq!(check_disjoint(a, span("b", 150, 10)), Ok(()));
        assert_eq!(check_disjoint(a, span("b", 90, 10)), Ok(()));
        assert_eq!(check_disjoint(a, span("b", 120, 0)), Ok(()));
        let error = check_disjoint(a, span("b", 149, 1)).unwrap_err();
        assert_eq!(error.to_string(), "`b` overlaps `a`; they must not share memory");
        assert!(check_disjoint(a, span("b", 0, u64::MAX)).is_err());
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        assert_eq!(bytes::<u32>("piece", 1 << 40), Ok(1 << 42));
        let error = bytes::<u32>("piece", usize::MAX / 2).unwrap_err().to_string();
        let said =
            format!("`piece` needs {} elements; the limit is {} bytes", usize::MAX / 2, isize::MAX);
        assert_eq!(error, said);
    }

    #[test]
    fn out_of_memory_names_the_limit() {
        let error = Error::Memory { name: "a", needs: 300, free: 141 };
        assert_eq!(error.to_string(), "`a` needs 300 bytes on the device, and 141 are free");
    }

    #[test]
    fn short_arguments_are_named() {
        assert_eq!(holds("y", 10, Some(10)), Ok(()));
        let error = holds("y", 9, Some(10)).unwrap_err();
        assert_eq!(error.to_string(), "`y` has 9 elements, and its shape needs 10");
        assert!(holds("y", 9, None).is_err());
    }
}
