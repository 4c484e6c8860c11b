//! The operations and variants that an instruction's row leaves open.

use super::Ty;
use super::operands::Width;
use super::types::lower_case;

/// Operations with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// Minus.
    Neg,
    /// Bitwise not.
    Not,
    /// Absolute value.
    Abs,
    /// Correctly rounded square root (floats).
    Sqrt,
    /// Toward minus infinity (floats).
    Floor,
    /// Toward plus infinity (floats).
    Ceil,
    /// Toward zero (floats).
    Trunc,
    /// To nearest, ties to even (floats).
    RoundEven,
    /// Bits set (integers; 32-bit result).
    Popc,
    /// Leading zeros (integers; 32-bit result).
    Clz,
    /// Bits reversed (integers).
    Brev,
    /// 1 + index of the lowest set bit, 0 if none (integers; 32-bit result).
    Ffs,
}

impl UnOp {
    /// Whether the result is a count, which has 32 bits even if the operand has 64.
    pub fn is_count(self) -> bool {
        matches!(self, UnOp::Popc | UnOp::Clz | UnOp::Ffs)
    }

    /// The width of the result.
    pub(super) fn result_width(self, ty: Ty) -> Width {
        if self.is_count() { Width::WORD } else { ty.width() }
    }
}

/// Operations with two operands of the instruction's type; a shift count is always 32-bit unsigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product, low half.
    Mul,
    /// Product, high half (integers).
    MulHi,
    /// Quotient: toward zero for integers, correctly rounded for floats. By zero: a finding.
    Div,
    /// Remainder (integers; floats as `fmod`).
    Rem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift, as in C++: a count beyond the width is a finding, and gives 0.
    Shl,
    /// Right shift, arithmetic for signed types. A count beyond the width is a finding, and gives 0 or
    /// the sign.
    Shr,
    /// Left shift, as in PTX: a count beyond the width gives 0.
    ShlClamp,
    /// Right shift, as in PTX: a count beyond the width gives 0 or the sign.
    ShrClamp,
    /// Minimum; for floats IEEE 754's minimumNumber: a number rather than a NaN, and -0 < +0.
    Min,
    /// Maximum, likewise.
    Max,
}

impl BinOp {
    /// Whether it is a shift: the second operand is a count of 32 bits.
    pub fn is_shift(self) -> bool {
        matches!(self, BinOp::Shl | BinOp::Shr | BinOp::ShlClamp | BinOp::ShrClamp)
    }

    /// The width of the second operand.
    pub(super) fn second_width(self, ty: Ty) -> Width {
        if self.is_shift() { Width::WORD } else { ty.width() }
    }
}

/// A comparison; the result is 0 or 1. Every comparison with a NaN is false, except `Ne`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// The new value of an atomic, from the old value `x` and its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// x + a
    Add,
    /// x - a
    Sub,
    /// min(x, a)
    Min,
    /// max(x, a)
    Max,
    /// x & a
    And,
    /// x | a
    Or,
    /// x ^ a
    Xor,
    /// a
    Exch,
    /// x == a ? b : x
    Cas,
    /// x >= a ? 0 : x + 1
    Inc,
    /// x == 0 || x > a ? a : x - 1
    Dec,
}

/// The scope of an atomic or a fence: the threads that it orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The threads of a block.
    Block,
    /// The device (and, for one device, the system).
    Device,
}

/// How a shuffle selects the lane that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShuffleKind {
    /// The given lane.
    Idx,
    /// The lane lower by a distance.
    Up,
    /// The lane higher by a distance.
    Down,
    /// The own lane number, exclusive-or a mask.
    Xor,
}

/// What a vote computes from the predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VoteKind {
    /// Whether all are true.
    All,
    /// Whether any is true.
    Any,
    /// The mask of the lanes whose predicate is true.
    Ballot,
}

/// What a block-wide barrier returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BarrierKind {
    /// Nothing.
    Plain,
    /// How many threads have a true predicate.
    Count,
    /// Whether all have.
    And,
    /// Whether any has.
    Or,
}

impl BarrierKind {
    /// The width of the predicate and of the result.
    pub(super) fn width(self) -> Width {
        if self == BarrierKind::Plain { Width::NONE } else { Width::WORD }
    }
}

lower_case!(UnOp, BinOp, CmpOp, AtomicOp, ShuffleKind, VoteKind, BarrierKind);
