//! Reductions: sum, product, minimum and maximum, in one pass over memory and one launch.
//!
//! They are bound by memory reads. See `include/reduce.cuh` for the method.
//!
//! - Integers wrap, as `wrapping_add` and `wrapping_mul` do.
//! - The order of float additions depends only on the length and the device's number of
//!   multiprocessors, so every run gives the same bits ([`Order::Fixed`]). With [`Order::Any`] blocks
//!   add as they finish, which saves a microsecond or two. Neither is the order of a loop on the host.
//! - Minimum and maximum of floats ignore NaN, as `f32::min` does; if all elements are NaN, so is the
//!   result.
//! - An array may have any alignment and any length, also beyond 2^32. An empty sum is 0, an empty
//!   product 1; an empty minimum or maximum is an error.

use crate::Error;
use crate::handle::device_arg::check_disjoint;
use crate::handle::program::{Program, Source, Value};
use crate::handle::{Kernels, SCRATCH};
use cudarc::driver::{DevicePtr, DevicePtrMut, DeviceRepr, LaunchConfig, PushKernelArg};

pub(crate) const SOURCE: Source =
    Source { name: "reduce.cuh", text: include_str!("../include/reduce.cuh") };

/// The operation of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fold {
    /// Their sum.
    Sum,
    /// Their product.
    Product,
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

/// In which order floats are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// The same in each run: the same bits.
    #[default]
    Fixed,
    /// As blocks finish: the last bits may differ between runs.
    Any,
}

mod sealed {
    pub trait Sealed {}
}

/// A number that is reduced: `i32`, `u32`, `i64`, `f32` or `f64`.
pub trait Number: DeviceRepr + Copy + Default + sealed::Sealed {
    /// Its name in CUDA.
    #[doc(hidden)]
    const NAME: &'static str;
    /// The identity elements in CUDA C++, in the order of [`Fold`].
    #[doc(hidden)]
    const IDENTITIES: [&'static str; 4];
    /// The empty sum and the empty product.
    #[doc(hidden)]
    const EMPTY: [Self; 2];
}

macro_rules! number {
    ($($type:ty, $name:literal, $most:literal, $least:literal, $zero:expr, $one:expr;)*) => {$(
        impl sealed::Sealed for $type {}
        impl Number for $type {
            const NAME: &'static str = $name;
            const IDENTITIES: [&'static str; 4] = ["0", "1", $most, $least];
            const EMPTY: [Self; 2] = [$zero, $one];
        }
    )*};
}

number! {
    i32, "int", "0x7fffffff", "(-0x7fffffff - 1)", 0, 1;
    u32, "unsigned int", "0xffffffffu", "0u", 0, 1;
    i64, "long long", "0x7fffffffffffffffll", "(-0x7fffffffffffffffll - 1)", 0, 1;
    f32, "float", "NOT_A_NUMBER", "NOT_A_NUMBER", 0.0, 1.0;
    f64, "double", "NOT_A_NUMBER", "NOT_A_NUMBER", 0.0, 1.0;
}

/// Threads per block and, for little data, blocks per multiprocessor. Blocks that combine in one word
/// spread best when they are many and small; blocks that write partial results, when they are few.
const PACKED: (u32, u32) = (256, 8);
const SEPARATE: (u32, u32) = (512, 2);
const UNROLL: u32 = 8;
/// Tiles per block: enough to amortise its last steps, few enough to leave no multiprocessor idle.
const TILES: u64 = 4;

/// How blocks combine their partial results: the value of the source's macro `MEET`.
fn combine<T: Number>(fold: Fold, order: Order) -> &'static str {
    let integer = !T::NAME.contains("float") && !T::NAME.contains("double");
    match (fold, order) {
        (Fold::Sum, _) if integer && size_of::<T>() == 4 => "PACKED",
        (Fold::Sum, Order::Any) if !integer => "ATOMIC",
        _ => "PLACES",
    }
}

/// Threads per block, and blocks per multiprocessor for little data.
fn shape(combine: &str) -> (u32, u32) {
    if combine == "PACKED" { PACKED } else { SEPARATE }
}

/// The program for one type, fold and order.
pub(crate) fn program<T: Number>(fold: Fold, order: Order) -> Program {
    let combine = combine::<T>(fold, order);
    let (word, identity) = match fold {
        Fold::Sum => ("ADD", T::IDENTITIES[0]),
        Fold::Product => ("MUL", T::IDENTITIES[1]),
        Fold::Min => ("MIN", T::IDENTITIES[2]),
        Fold::Max => ("MAX", T::IDENTITIES[3]),
    };
    let constants = vec![
        ("T", Value::Token(T::NAME)),
        ("OP", Value::Token(word)),
        ("IDENTITY", Value::Token(identity)),
        ("MEET", Value::Token(combine)),
        ("THREADS", Value::Number(shape(combine).0)),
        ("UNROLL", Value::Number(UNROLL)),
    ];
    Program { file: SOURCE, entry: "kernels_reduce", constants }
}

impl Kernels {
    /// Folds `data` and waits for the result.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), kernels::Error> {
    /// use kernels::{Kernels, reduce::Fold};
    /// let context = kernels::open(0)?;
    /// let stream = context.default_stream();
    /// let kernels = Kernels::new(&stream)?;
    /// let numbers = stream.clone_htod(&vec![3i32; 1 << 20])?;
    /// assert_eq!(kernels.reduce(Fold::Sum, &numbers)?, 3 << 20);
    /// assert_eq!(kernels.reduce(Fold::Max, &numbers.slice(1..5))?, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] where `data` is empty and the fold is [`Fold::Min`] or [`Fold::Max`], or
    /// where it lies in another context; [`Error::Driver`] where the device fails.
    pub fn reduce<T: Number>(&self, fold: Fold, data: &impl DevicePtr<T>) -> Result<T, Error> {
        if data.len() == 0 {
            return match fold {
                Fold::Sum => Ok(T::EMPTY[0]),
                Fold::Product => Ok(T::EMPTY[1]),
                Fold::Min | Fold::Max => Err(Error::Argument {
                    name: "data",
                    why: "is empty: min and max are undefined".to_owned(),
                }),
            };
        }
        // SAFETY: the kernel writes it before it is read.
        let mut out = unsafe { self.stream.alloc::<T>(1) }?;
        self.reduce_into(fold, Order::Fixed, data, &mut out)?;
        Ok(self.stream.clone_dtoh(&out)?.first().copied().unwrap_or_default())
    }

    /// Folds `data` into the first element of `out`, and does not wait.
    ///
    /// # Errors
    /// As [`Kernels::reduce`], and [`Error::Argument`] where `out` or `data` is empty.
    pub fn reduce_into<T: Number>(
        &self,
        fold: Fold,
        order: Order,
        data: &impl DevicePtr<T>,
        out: &mut impl DevicePtrMut<T>,
    ) -> Result<(), Error> {
        if data.len() == 0 {
            return Err(Error::Argument { name: "data", why: "is empty".to_owned() });
        }
        let function = self.function(&program::<T>(fold, order), 0)?;
        let n = data.len() as u64;
        let shape = shape(combine::<T>(fold, order));
        let blocks = blocks(n * size_of::<T>() as u64, self.device.multiprocessors, shape);
        let config = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (shape.0, 1, 1),
            shared_mem_bytes: 0,
        };
        let data = self.reads("data", data, Some(data.len()))?;
        let out = self.writes("out", out, Some(1))?;
        check_disjoint(data.span, out.span)?;
        let (scratch, _keeps) = self.scratch.device_ptr(&self.stream);
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&data.span.pointer).arg(&n).arg(&out.span.pointer).arg(&scratch);
        // SAFETY: the kernel takes (const T*, u64, T*, u64*). It reads `n` elements of the first,
        // which has them, and writes one of the second. The scratch memory has room for a result of
        // each block, and only kernels of this stream use it, one after the other; a kernel leaves
        // it as it found it.
        unsafe { launch.launch(config) }?;
        Ok(())
    }
}

/// A few tiles per block; for little data one tile per block, to use the whole device.
/// Never more than have places to combine.
fn blocks(bytes: u64, multiprocessors: u32, (threads, each): (u32, u32)) -> u32 {
    let tiles = bytes.div_ceil(u64::from(threads * UNROLL) * 16).max(1);
    let spread = u64::from(multiprocessors) * u64::from(each);
    let blocks = if tiles <= spread * TILES { tiles.min(spread) } else { tiles.div_ceil(TILES) };
    blocks.min(SCRATCH as u64 / 8 - 2) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_data_is_spread_and_much_is_given_out_in_tiles() {
        assert_eq!(blocks(4, 132, SEPARATE), 1);
        assert_eq!(blocks(1 << 26, 132, SEPARATE), 264);
        assert_eq!(blocks(1 << 26, 132, PACKED), 1056);
        assert_eq!(blocks(1 << 30, 132, SEPARATE), 4096);
        assert_eq!(blocks(u64::MAX, 132, SEPARATE) as usize, SCRATCH / 8 - 2);
    }

    #[test]
    fn integers_of_32_bits_meet_in_a_word() {
        let meets = |p: Program| p.constants.iter().find(|c| c.0 == "MEET").unwrap().1;
        assert_eq!(meets(program::<i32>(Fold::Sum, Order::Fixed)), Value::Token("PACKED"));
        assert_eq!(meets(program::<f32>(Fold::Sum, Order::Any)), Value::Token("ATOMIC"));
        assert_eq!(meets(program::<f32>(Fold::Sum, Order::Fixed)), Value::Token("PLACES"));
        assert_eq!(meets(program::<i32>(Fold::Product, Order::Any)), Value::Token("PLACES"));
    }
}
