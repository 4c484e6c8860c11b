//! The initial contents of arrays.
//!
//! Every fill is a function of the index alone, so that the simulator, a device and a reader's
//! browser start from the same bytes, whatever the size. The formulas are the recorded launches':
//! see [`Fill`].

use crate::suggest::nearest;
use simt::isa::{Ty, half};
use simt::random;
use std::fmt;

/// The element type of a declared array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the types")]
pub enum ElementType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    BF16,
    F32,
    F64,
}

impl ElementType {
    /// All types with their names in C++.
    pub const ALL: [(ElementType, &'static str); 12] = [
        (ElementType::I8, "signed char"),
        (ElementType::U8, "unsigned char"),
        (ElementType::I16, "short"),
        (ElementType::U16, "unsigned short"),
        (ElementType::I32, "int"),
        (ElementType::U32, "unsigned int"),
        (ElementType::I64, "long long"),
        (ElementType::U64, "unsigned long long"),
        (ElementType::F16, "__half"),
        (ElementType::BF16, "__nv_bfloat16"),
        (ElementType::F32, "float"),
        (ElementType::F64, "double"),
    ];

    /// The type of this name in C++; `unsigned`, `char`, `half` and `bfloat16` are names too.
    pub fn parse(name: &str) -> Option<ElementType> {
        let name = match name {
            "unsigned" => "unsigned int",
            "char" => "signed char",
            "half" => "__half",
            "bfloat16" | "nv_bfloat16" => "__nv_bfloat16",
            name => name,
        };
        ElementType::ALL.iter().find(|(_, n)| *n == name).map(|(t, _)| *t)
    }

    /// What to write in place of a name that is none of these, to follow the name in a message.
    pub(crate) fn instead(name: &str) -> String {
        let plain = name.strip_prefix("const ").unwrap_or(name).trim_end_matches(['*', '&', ' ']);
        let written = match plain {
            "bool" | "uint8_t" => "unsigned char",
            "int8_t" => "char",
            "int16_t" => "short",
            "uint16_t" => "unsigned short",
            "int32_t" => "int",
            "uint" | "uint32_t" => "unsigned int",
            "long" | "int64_t" => "long long",
            "unsigned long" | "size_t" | "uint64_t" => "unsigned long long",
            plain => plain,
        };
        let scalar = plain.trim_end_matches(['1', '2', '3', '4']);
        let parts = &plain[scalar.len()..];
        if ElementType::parse(written).is_some() {
            format!("; write the type of one element: `{written}`")
        } else if parts.len() == 1 && ElementType::parse(scalar).is_some() {
            format!("; write `{scalar}[{parts} * n]`: a kernel may take it as `{plain}*`")
        } else if let Some(near) = nearest(name, ElementType::ALL.iter().map(|(_, name)| *name)) {
            format!("; did you mean `{near}`?")
        } else {
            "; expected `char`, `short`, `int` or `long long`, each also `unsigned`, or `half`, \
             `bfloat16`, `float`, `double`"
                .to_owned()
        }
    }

    /// The name in C++.
    pub fn name(self) -> &'static str {
        ElementType::ALL.iter().find(|(t, _)| *t == self).map_or("", |(_, n)| n)
    }

    /// Its size in bytes.
    pub fn bytes(self) -> usize {
        match self {
            ElementType::I8 | ElementType::U8 => 1,
            ElementType::I16 | ElementType::U16 | ElementType::F16 | ElementType::BF16 => 2,
            ElementType::I32 | ElementType::U32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::U64 | ElementType::F64 => 8,
        }
    }

    /// Whether values are compared with a tolerance.
    pub fn is_float(self) -> bool {
        self.half().is_some() || matches!(self, ElementType::F32 | ElementType::F64)
    }

    /// The format of a float of 16 bits.
    fn half(self) -> Option<Ty> {
        match self {
            ElementType::F16 => Some(Ty::F16),
            ElementType::BF16 => Some(Ty::Bf16),
            _ => None,
        }
    }

    /// An integer's low bits, or the nearest float, little-endian.
    pub fn from_integer(self, value: i64, out: &mut Vec<u8>) {
        match self {
            ElementType::F16 | ElementType::BF16 => self.from_float(value as f64, out),
            ElementType::F32 => out.extend((value as f32).to_le_bytes()),
            ElementType::F64 => out.extend((value as f64).to_le_bytes()),
            _ => out.extend(&value.to_le_bytes()[..self.bytes()]),
        }
    }

    /// A float, rounded to the type (an integer type takes it toward zero), little-endian.
    pub fn from_float(self, value: f64, out: &mut Vec<u8>) {
        if let Some(format) = self.half() {
            out.extend(half::encode(format, value).to_le_bytes());
            return;
        }
        match self {
            ElementType::F32 => out.extend((value as f32).to_le_bytes()),
            ElementType::F64 => out.extend(value.to_le_bytes()),
            _ => self.from_integer(value as i64, out),
        }
    }

    /// The value of one element's bytes.
    pub fn to_float(self, bytes: &[u8]) -> f64 {
        if let Some(format) = self.half() {
            return half::decode(format, u16::from_le_bytes(fixed(bytes)));
        }
        match self {
            ElementType::F32 => f64::from(f32::from_le_bytes(fixed(bytes))),
            ElementType::F64 => f64::from_le_bytes(fixed(bytes)),
            _ => self.to_integer(bytes) as f64,
        }
    }

    /// The value of one integer element's bytes; a float's bits.
    pub fn to_integer(self, bytes: &[u8]) -> i128 {
        let unsigned = u64::from_le_bytes(fixed(bytes));
        match self {
            ElementType::I8 => (unsigned as i8).into(),
            ElementType::I16 => (unsigned as i16).into(),
            ElementType::I32 => (unsigned as i32).into(),
            ElementType::I64 => (unsigned as i64).into(),
            _ => unsigned.into(),
        }
    }
}

/// The bytes, with zeros behind them where there are too few.
fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    for (slot, byte) in out.iter_mut().zip(bytes) {
        *slot = *byte;
    }
    out
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The ways to fill an array.
///
/// `h(i, s)` is the splitmix64 finaliser over 64 unsigned bits: `z = (i + s) * 0x9E3779B97F4A7C15`,
/// then `z ^= z >> 30`, `z *= 0xBF58476D1CE4E5B9`, `z ^= z >> 27`, `z *= 0x94D049BB133111EB`,
/// `z ^= z >> 31`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fill {
    /// 0.
    Zero,
    /// 1.
    One,
    /// `i`.
    Iota,
    /// `i mod 17`: small, so that sums of it are exact in any type.
    Ramp,
    /// `h(i, 12345) mod 256`.
    Lcg256,
    /// `(h(i, 12345) mod 2001 - 1000) / 1000` in binary64, then rounded to the type.
    Frac,
    /// The same with 777 for 12345: a second, independent array.
    Frac2,
    /// A value that no kernel should read and no result should have: every byte `0xA5` in integers,
    /// a NaN in floats. The simulator leaves the array uninitialised instead, and reports reads.
    Poison,
}

impl Fill {
    /// All fills with their names in directives.
    pub const ALL: [(Fill, &'static str); 8] = [
        (Fill::Zero, "zero"),
        (Fill::One, "one"),
        (Fill::Iota, "iota"),
        (Fill::Ramp, "ramp"),
        (Fill::Lcg256, "lcg256"),
        (Fill::Frac, "frac"),
        (Fill::Frac2, "frac2"),
        (Fill::Poison, "poison"),
    ];

    /// The fill of this name.
    pub fn parse(word: &str) -> Option<Fill> {
        Fill::ALL.iter().find(|(_, w)| *w == word).map(|(f, _)| *f)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Fill::ALL.iter().find(|(f, _)| *f == self).map_or("", |(_, w)| w)
    }

    /// `count` elements' bytes, little-endian.
    pub fn bytes(self, element: ElementType, count: usize) -> Vec<u8> {
        self.seeded(element, count, 0)
    }

    /// The bytes of a fill with other pseudo-random numbers for each seed, and the recorded ones for
    /// seed 0. A ramp becomes pseudo-random numbers below 17; `zero`, `one`, `iota` and `poison` are
    /// always the same.
    pub fn seeded(self, element: ElementType, count: usize, seed: u64) -> Vec<u8> {
        let size = element.bytes();
        match self {
            Fill::Zero => return vec![0; count * size],
            Fill::Poison => {
                let byte = if element.is_float() { 0xFF } else { 0xA5 };
                return vec![byte; count * size];
            }
            _ => {}
        }
        let mut out = vec![0; count * size];
        // A block at a time: what each fill computes, and then what each type makes of it, are two
        // loops without a branch.
        let mut values = [0; BLOCK];
        for (block, slots) in out.chunks_mut(BLOCK * size).enumerate() {
            let values = &mut values[..slots.len() / size];
            self.values((block * BLOCK) as u64, seed, values);
            match (element, self.thousandths()) {
                (ElementType::I32 | ElementType::U32, false) => {
                    words(slots, values, |v| (v as u32).to_le_bytes());
                }
                (ElementType::F32, false) => words(slots, values, |v| (v as f32).to_le_bytes()),
                // The same as in binary64 and then rounded: that has more than twice the digits.
                (ElementType::F32, true) => {
                    words(slots, values, |v| (v as f32 / 1000.0).to_le_bytes());
                }
                (_, thousandths) => {
                    let mut any = Vec::with_capacity(slots.len());
                    for value in values {
                        match thousandths {
                            true => element.from_float(*value as f64 / 1000.0, &mut any),
                            false => element.from_integer(*value, &mut any),
                        }
                    }
                    slots.copy_from_slice(&any);
                }
            }
        }
        out
    }

    /// Whether values are in thousandths.
    fn thousandths(self) -> bool {
        matches!(self, Fill::Frac | Fill::Frac2)
    }

    /// The values from element `first` on, as whole numbers.
    fn values(self, first: u64, seed: u64, values: &mut [i64]) {
        let slots = values.iter_mut().zip(first..);
        match self {
            Fill::Zero | Fill::Poison => values.fill(0),
            Fill::One => values.fill(1),
            Fill::Iota => slots.for_each(|(slot, i)| *slot = i as i64),
            // Moved by the seed, a ramp would give the same differences and nearly the same extremes.
            Fill::Ramp if seed == 0 => slots.for_each(|(slot, i)| *slot = (i % 17) as i64),
            Fill::Ramp => slots.for_each(|(slot, i)| *slot = (hash(i, seed) % 17) as i64),
            Fill::Lcg256 => {
                slots.for_each(|(slot, i)| *slot = (hash(i, seed.wrapping_add(12345)) % 256) as i64)
            }
            Fill::Frac => {
                slots.for_each(|(slot, i)| *slot = thousandths(hash(i, seed.wrapping_add(12345))))
            }
            Fill::Frac2 => {
                slots.for_each(|(slot, i)| *slot = thousandths(hash(i, seed.wrapping_add(777))))
            }
        }
    }
}

/// Elements that are computed together.
const BLOCK: usize = 256;

/// Words of the values.
fn words(slots: &mut [u8], values: &[i64], word: impl Fn(i64) -> [u8; 4]) {
    for (slot, value) in slots.as_chunks_mut::<4>().0.iter_mut().zip(values) {
        *slot = word(*value);
    }
}

/// `h(i, s)` of [`Fill`].
#[inline(always)]
pub fn hash(i: u64, seed: u64) -> u64 {
    random::mix(i.wrapping_add(seed).wrapping_mul(random::GOLDEN_GAMMA))
}

/// What [`Fill::Frac`] divides by a thousand.
fn thousandths(hash: u64) -> i64 {
    (hash % 2001) as i64 - 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_are_the_recorded_ones() {
        assert_eq!(Fill::Zero.bytes(ElementType::I32, 2), [0; 8]);
        assert_eq!(Fill::Iota.bytes(ElementType::U16, 3), [0, 0, 1, 0, 2, 0]);
        assert_eq!(Fill::Iota.bytes(ElementType::F32, 2)[4..], 1f32.to_le_bytes());
        assert_eq!(Fill::One.bytes(ElementType::F16, 1), [0x00, 0x3C]);
        assert_eq!(Fill::Ramp.bytes(ElementType::I8, 19)[15..], [15, 16, 0, 1]);
        // splitmix64 seeded with 0 draws these first: its state after k steps is k times the
        // golden constant.
        assert_eq!(hash(1, 0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(hash(0, 2), 0x6E78_9E6A_A1B9_65F4);
        let drawn = Fill::Frac.bytes(ElementType::F64, 64);
        let other = Fill::Frac2.bytes(ElementType::F64, 64);
        assert_ne!(drawn, other);
        for chunk in drawn.chunks_exact(8) {
            let value = f64::from_le_bytes(chunk.try_into().unwrap());
            assert!((-1.0..=1.0).contains(&value));
        }
    }

    #[test]
    fn what_most_kernels_take_is_what_any_type_gives() {
        for (fill, name) in Fill::ALL {
            for element in [ElementType::I32, ElementType::U32, ElementType::F32] {
                let expected = fill.bytes(ElementType::F64, 70);
                let mut wide = Vec::new();
                for value in expected.chunks_exact(8) {
                    let value = f64::from_le_bytes(value.try_into().unwrap());
                    element.from_float(value, &mut wide);
                }
                if fill != Fill::Poison
                    && !(name.starts_with("frac") && element != ElementType::F32)
                {
                    assert_eq!(fill.bytes(element, 70), wide, "{name} {element}");
                }
            }
        }
    }

    #[test]
    fn what_is_computed_in_blocks_is_what_the_formula_says() {
        // Every numerator that there is, as a float at once and by way of a double.
        for value in -1000..=1000i16 {
            let direct = f32::from(value) / 1000.0;
            assert_eq!(direct.to_bits(), ((f64::from(value) / 1000.0) as f32).to_bits());
        }
        // Across the edges of what is computed together.
        let all = Fill::Iota.bytes(ElementType::I32, 2 * BLOCK + 3);
        for (i, value) in all.chunks_exact(4).enumerate() {
            assert_eq!(value, (i as i32).to_le_bytes());
        }
    }

    #[test]
    fn a_seed_changes_what_is_random_and_seed_0_is_the_recorded_fill() {
        for (fill, name) in Fill::ALL {
            let of = |seed| fill.seeded(ElementType::F64, 600, seed);
            assert_eq!(of(0), fill.bytes(ElementType::F64, 600), "{name}");
            let fixed = ["zero", "one", "iota", "poison"].contains(&name);
            assert_eq!(of(1 << 40) == of(0), fixed, "{name}");
        }
    }

    #[test]
    fn poison_is_not_a_number() {
        let float = Fill::Poison.bytes(ElementType::F32, 1);
        assert!(f32::from_le_bytes(float.try_into().unwrap()).is_nan());
        let integer = Fill::Poison.bytes(ElementType::I32, 1);
        assert_eq!(integer, [0xA5; 4]);
    }
}
