//! Matrix multiplication by tensor cores: shapes, formats of elements, and which lane holds which.
//!
//! A product `d = a b + c` of an instruction is `m x n x k`: `a` has `m` rows of `k` elements, `b` has
//! `k` rows of `n`, `c` and `d` have `m` rows of `n`. Each operand is spread over the registers of
//! a warp's lanes as the PTX ISA says ("Matrix Fragments for mma"): lane `l` belongs to group `l / 4`,
//! and is number `l % 4` in it.

use super::operands::Width;
use super::types::lower_case;

/// The format of the elements of `a` or `b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Factor {
    /// IEEE binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// The upper 19 bits of a binary32.
    Tf32,
    /// IEEE binary64.
    F64,
    /// Eight bits, 4 of them exponent: no infinity, one NaN per sign.
    E4m3,
    /// Eight bits, 5 of them exponent.
    E5m2,
    /// Signed, 8 bits.
    S8,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 4 bits.
    S4,
    /// Unsigned, 4 bits.
    U4,
}

impl Factor {
    /// Bits that an element takes in a register.
    pub fn bits(self) -> u32 {
        match self {
            Factor::F64 => 64,
            Factor::Tf32 => 32,
            Factor::F16 | Factor::Bf16 => 16,
            Factor::E4m3 | Factor::E5m2 | Factor::S8 | Factor::U8 => 8,
            Factor::S4 | Factor::U4 => 4,
        }
    }

    /// The format of this name in PTX.
    pub fn named(name: &str) -> Option<Factor> {
        use Factor::{Bf16, E4m3, E5m2, F16, F64, S4, S8, Tf32, U4, U8};
        [F16, Bf16, Tf32, F64, E4m3, E5m2, S8, U8, S4, U4]
            .into_iter()
            .find(|f| f.to_string() == name)
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self, Factor::S8 | Factor::U8 | Factor::S4 | Factor::U4)
    }
}

/// The format of the elements of `c` and `d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accumulator {
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Signed, 32 bits; wraps.
    S32,
    /// Signed, 32 bits; a sum beyond them becomes the nearest number (`.satfinite`).
    S32Sat,
}

/// The product of one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MatrixShape {
    /// Rows of `a`: 8 or 16.
    pub m: u8,
    /// Columns of `b`: 8.
    pub n: u8,
    /// Columns of `a`.
    pub k: u8,
    /// The elements of `a`.
    pub a: Factor,
    /// The elements of `b`; as wide as those of `a`.
    pub b: Factor,
    /// The elements of `c` and `d`.
    pub sum: Accumulator,
}

impl Accumulator {
    /// The format of this name in PTX; `s32sat` is `s32` with `.satfinite`.
    pub fn named(name: &str) -> Option<Accumulator> {
        use Accumulator::{F16, F32, F64, S32, S32Sat};
        [F16, F32, F64, S32, S32Sat].into_iter().find(|a| a.to_string() == name)
    }
}

/// Which operand of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fragment {
    /// The left factor.
    A,
    /// The right factor.
    B,
    /// What is added, and the result.
    Sum,
}

impl MatrixShape {
    /// The shape of a name such as `m16n8k16`, with the formats of the sums, of `a` and of `b`, if
    /// there is such an instruction.
    pub fn named(shape: &str, sum: &str, a: &str, b: &str) -> Option<MatrixShape> {
        let (m, rest) = shape.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        let shape = MatrixShape {
            m: m.parse().ok()?,
            n: n.parse().ok()?,
            k: k.parse().ok()?,
            a: Factor::named(a)?,
            b: Factor::named(b)?,
            sum: Accumulator::named(sum)?,
        };
        shape.exists().then_some(shape)
    }

    /// Whether there is such an instruction (PTX ISA, "mma", for compute capability 9.0).
    pub fn exists(self) -> bool {
        use Factor::{Bf16, E4m3, E5m2, F16, F64, S4, S8, Tf32, U4, U8};
        let fits = match self.a {
            F16 | Bf16 | Tf32 | F64 => self.b == self.a,
            E4m3 | E5m2 => matches!(self.b, E4m3 | E5m2),
            S8 | U8 => matches!(self.b, S8 | U8),
            S4 | U4 => matches!(self.b, S4 | U4),
        };
        let shape = matches!(
            (self.a, self.m, self.k),
            (F16 | Bf16, 16, 8 | 16)
                | (Tf32, 16, 4 | 8)
                | (F64, 8, 4)
                | (F64, 16, 4 | 8 | 16)
                | (E4m3 | E5m2, 16, 16 | 32)
                | (S8 | U8, 8, 16)
                | (S8 | U8, 16, 16 | 32)
                | (S4 | U4, 8, 32)
                | (S4 | U4, 16, 32 | 64)
        );
        let sum = match self.a {
            F16 | E4m3 | E5m2 => matches!(self.sum, Accumulator::F16 | Accumulator::F32),
            Bf16 | Tf32 => self.sum == Accumulator::F32,
            F64 => self.sum == Accumulator::F64,
            _ => matches!(self.sum, Accumulator::S32 | Accumulator::S32Sat),
        };
        fits && shape && sum && self.n == 8
    }

    /// The registers of an operand per lane.
    pub fn width(self, fragment: Fragment) -> Width {
        let (m, n, k) = (u32::from(self.m), u32::from(self.n), u32::from(self.k));
        let elements = match fragment {
            Fragment::A => m * k,
            Fragment::B => n * k,
            Fragment::Sum => m * n,
        };
        let per_lane = elements / 32 * self.element_bits(fragment);
        if self.a == Factor::F64 {
            Width::PAIR.times((per_lane / 64) as u8)
        } else {
            Width::WORD.times((per_lane / 32) as u8)
        }
    }

    /// Bits of an element of an operand.
    pub fn element_bits(self, fragment: Fragment) -> u32 {
        match (fragment, self.sum) {
            (Fragment::A | Fragment::B, _) => self.a.bits(),
            (Fragment::Sum, Accumulator::F16) => 16,
            (Fragment::Sum, Accumulator::F64) => 64,
            (Fragment::Sum, _) => 32,
        }
    }

    /// Row and column of an element: number `part` in register (or pair) `register` of a lane.
    pub fn place(self, fragment: Fragment, lane: u32, register: u32, part: u32) -> (u32, u32) {
        let (group, number) = (lane / 4, lane % 4);
        // Registers of `a` and of the sums alternate between the upper eight rows and the lower.
        let halves = u32::from(self.m) / 8;
        let per_register = match self.element_bits(fragment) {
            64 => 1,
            bits => 32 / bits,
        };
        match fragment {
            Fragment::A => {
                let along = number * per_register + part;
                let column = along + register / halves * 4 * per_register;
                (group + register % halves * 8, column)
            }
            Fragment::B => {
                let along = number * per_register + part;
                (along + register * 4 * per_register, group)
            }
            Fragment::Sum => {
                // Two neighbours of a row, then two of the row eight further down.
                let at = register * per_register + part;
                (group + at / 2 * 8, number * 2 + at % 2)
            }
        }
    }
}

impl std::fmt::Display for MatrixShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "m{}n{}k{}.{}.{}.{}", self.m, self.n, self.k, self.sum, self.a, self.b)
    }
}

lower_case!(Factor, Accumulator);
