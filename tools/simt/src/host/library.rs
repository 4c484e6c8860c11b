//! The functions at the bottom: what the headers of the host cannot say in C++ themselves.
//!
//! Each is a row of one table: its name in the headers, and its types. The front end finds them by
//! name and converts arguments as the types say; [`super`] carries them out.

/// The type of a parameter or result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `void`; as the last parameter: any number of further arguments, promoted as for `...`.
    Void,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long long`.
    Long,
    /// `size_t`.
    Size,
    /// `double`.
    Double,
    /// `void*`; any pointer will do.
    Pointer,
}

macro_rules! library {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal ($($param:ident)*) $result:ident;)*) => {
        /// See the module.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Library {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Library {
            /// Every one: its name, its parameters and its result.
            pub(crate) const ALL: &'static [(Library, &'static str, &'static [Shape], Shape)] =
                &[$((Library::$variant, $name, &[$(Shape::$param),*], Shape::$result),)*];
        }
    };
}

library! {
    /// `malloc`.
    Malloc "__host_malloc" (Size) Pointer;
    /// `free`.
    Free "__host_free" (Pointer) Void;
    /// `printf`: the format, and what it asks for.
    Printf "__host_printf" (Pointer Void) Int;
    /// `exit`.
    Exit "__host_exit" (Int) Void;
    /// `cudaMalloc`: where the pointer goes, bytes.
    CudaMalloc "__host_cuda_malloc" (Pointer Size) Int;
    /// `cudaMemcpy`: to, from, bytes, kind.
    CudaMemcpy "__host_cuda_memcpy" (Pointer Pointer Size Int) Int;
    /// `cudaFree`.
    CudaFree "__host_cuda_free" (Pointer) Int;
}
