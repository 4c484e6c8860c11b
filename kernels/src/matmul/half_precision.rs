//! The 16-bit floats of tensor cores: [`half::bf16`] and [`half::f16`], as cudarc takes them.

use cudarc::driver::DeviceRepr;

pub use half::{bf16, f16};

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::bf16 {}
    impl Sealed for super::f16 {}
}

/// [`bf16`] or [`f16`].
pub trait Half: DeviceRepr + Copy + sealed::Sealed {
    /// Its name in PTX.
    #[doc(hidden)]
    const NAME: &'static str;
    /// Rounds to nearest, ties to even; beyond the largest finite value: infinity.
    fn from_f32(value: f32) -> Self;
    /// The same value; exact.
    fn to_f32(self) -> f32;
}

macro_rules! float16 {
    ($($type:ty, $name:literal;)*) => {$(
        impl Half for $type {
            const NAME: &'static str = $name;

            fn from_f32(value: f32) -> $type {
                <$type>::from_f32(value)
            }

            fn to_f32(self) -> f32 {
                <$type>::to_f32(self)
            }
        }
    )*};
}

float16! {
    bf16, "bf16";
    f16, "f16";
}
