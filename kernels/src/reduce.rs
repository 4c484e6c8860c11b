//! Sum, product, smallest and largest, in one pass over memory and one launch.
//!
//! What bounds them is reading: an array of 2^28 ints is read as fast as anything reads. See
//! `include/reduce.cuh` for how.
//!
//! - Integers wrap, as `wrapping_add` and `wrapping_mul` do.
//! - Floats are added in an order that depends on the length and on the device's number of
//!   multiprocessors and on nothing else, so a run gives the bits of the run before
//!   ([`Order::Fixed`]); [`Order::Any`] lets the blocks come as they are done, which saves a
//!   microsecond or two. Neither is the order of a loop on the host.
//! - The smallest and largest of floats pass over NaN, as `f32::min` does; of nothing but NaN they
//!   are NaN.
//! - An array may begin anywhere and have any length, beyond 2^32 too. Nothing is added to 0,
//!   multiplied to 1, and has no smallest.

use crate::Error;
use crate::frame::argument::apart;
use crate::frame::program::{Program, Source, Value};
use crate::frame::{Kernels, SCRATCH};
use cudarc::driver::{DevicePtr, DevicePtrMut, DeviceRepr, LaunchConfig, PushKernelArg};

pub(crate) const SOURCE: Source =
    Source { name: "reduce.cuh", text: include_str!("../include/reduce.cuh") };

/// What the elements are folded with.
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
    /// As the blocks are done: other last bits in each run.
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
    /// What a fold begins with, in CUDA, in the order of [`Fold`].
    #[doc(hidden)]
    const IDENTITIES: [&'static str; 4];
    /// A sum or product of nothing.
    #[doc(hidden)]
    const NOTHING: [Self; 2];
}

macro_rules! number {
    ($($type:ty, $name:literal, $most:literal, $least:literal, $zero:expr, $one:expr;)*) => {$(
        impl sealed::Sealed for $type {}
        impl Number for $type {
            const NAME: &'static str = $name;
            const IDENTITIES: [&'static str; 4] = ["0", "1", $most, $least];
            const NOTHING: [Self; 2] = [$zero, $one];
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

/// Threads of a block, and for little data blocks of a multiprocessor: where blocks meet in one word many
/// small ones are spread best; where each leaves a result in a place of its own, few are.
const PACKED: (u32, u32) = (256, 8);
const APART: (u32, u32) = (512, 2);
const UNROLL: u32 = 8;
/// Tiles a block: enough to pay for its last steps, few enough to leave no multiprocessor idle.
const TILES: u64 = 4;

/// How the blocks of a fold come together.
fn meet<T: Number>(fold: Fold, order: Order) -> &'static str {
    let integer = !T::NAME.contains("float") && !T::NAME.contains("double");
    match (fold, order) {
        (Fold::Sum, _) if integer && size_of::<T>() == 4 => "PACKED",
        (Fold::Sum, Order::Any) if !integer => "ATOMIC",
        _ => "PLACES",
    }
}

/// Threads of a block, and blocks of a multiprocessor for little data.
fn shape(meet: &str) -> (u32, u32) {
    if meet == "PACKED" { PACKED } else { APART }
}

/// The program for one type, fold and order.
pub(crate) fn program<T: Number>(fold: Fold, order: Order) -> Program {
    let meet = meet::<T>(fold, order);
    let (word, identity) = match fold {
        Fold::Sum => ("ADD", T::IDENTITIES[0]),
        Fold::Product => ("MUL", T::IDENTITIES[1]),
        Fold::Min => ("MIN", T::IDENTITIES[2]),
        Fold::Max => ("MAX", T::IDENTITIES[3]),
    };
    let constants = vec![
        ("T", Value::Word(T::NAME)),
        ("OP", Value::Word(word)),
        ("IDENTITY", Value::Word(identity)),
        ("MEET", Value::Word(meet)),
        ("THREADS", Value::Number(shape(meet).0)),
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
                Fold::Sum => Ok(T::NOTHING[0]),
                Fold::Product => Ok(T::NOTHING[1]),
                Fold::Min | Fold::Max => Err(Error::Argument {
                    name: "data",
                    why: "is empty, and nothing has no smallest and no largest".to_owned(),
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
    /// As [`Kernels::reduce`], and [`Error::Argument`] where `out` has no element. Of nothing, any
    /// fold is refused here.
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
        let shape = shape(meet::<T>(fold, order));
        let blocks = blocks(n * size_of::<T>() as u64, self.device.multiprocessors, shape);
        let config = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (shape.0, 1, 1),
            shared_mem_bytes: 0,
        };
        let data = self.reads("data", data, Some(data.len()))?;
        let out = self.writes("out", out, Some(1))?;
        apart(data.span, out.span)?;
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

/// A few tiles a block; for little data one tile a block, so that it is spread over the device.
/// Never more than have places to meet.
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
        assert_eq!(blocks(4, 132, APART), 1);
        assert_eq!(blocks(1 << 26, 132, APART), 264);
        assert_eq!(blocks(1 << 26, 132, PACKED), 1056);
        assert_eq!(blocks(1 << 30, 132, APART), 4096);
        assert_eq!(blocks(u64::MAX, 132, APART) as usize, SCRATCH / 8 - 2);
    }

    #[test]
    fn integers_of_32_bits_meet_in_a_word() {
        let meets = |p: Program| p.constants.iter().find(|c| c.0 == "MEET").unwrap().1;
        assert_eq!(meets(program::<i32>(Fold::Sum, Order::Fixed)), Value::Word("PACKED"));
        assert_eq!(meets(program::<f32>(Fold::Sum, Order::Any)), Value::Word("ATOMIC"));
        assert_eq!(meets(program::<f32>(Fold::Sum, Order::Fixed)), Value::Word("PLACES"));
        assert_eq!(meets(program::<i32>(Fold::Product, Order::Any)), Value::Word("PLACES"));
    }
}
