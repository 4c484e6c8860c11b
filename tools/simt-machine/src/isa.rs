//! The bytecode: what the front end writes and the machine runs.
//!
//! One instruction is executed by a whole warp: a register is 32 lanes of 32 bits.
//! A 64-bit value (`long long`, `double`, every pointer) takes two adjacent registers, the first
//! of them even, laid out as 32 lanes of 64 bits.
//! 8- and 16-bit integers live widened in 32 bits, as C's promotions want; [`Inst::Convert`]
//! narrows them. 16-bit floats stand in the low half of a register, two of them in one.
//!
//! Control flow is structured by its source, so the front end marks where lanes that part meet
//! again: [`Inst::Bssy`] and [`Inst::Bsync`], the hardware's convergence barriers since Volta.
//! Every function is inlined and every template instantiated before this point.
//! There are no addresses in the code: objects are named by index, and the machine makes the
//! pointers ([`Preload`]).

mod debug;
pub mod half;
mod math;
mod module;
pub mod operands;
mod print;

pub use debug::{Debug, Home, Layout, Life, Scalar, Variable};
pub use math::Math;
pub use module::{Element, Kernel, Module, Object, Param, Print, PrintArg, Signature};
pub use print::disassemble;

/// A register: 32 lanes of 32 bits.
pub type Reg = u16;

/// Index of an instruction.
pub type Pc = u32;

/// What arithmetic is done in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ty {
    /// 32-bit signed; wraps.
    I32,
    /// 32-bit unsigned.
    U32,
    /// 64-bit signed; wraps.
    I64,
    /// 64-bit unsigned, and pointers.
    U64,
    /// IEEE binary32; subnormals kept.
    F32,
    /// IEEE binary64.
    F64,
    /// IEEE binary16 in the low half of a register; subnormals kept.
    F16,
    /// bfloat16, the upper half of a binary32.
    Bf16,
    /// Two binary16, the first in the low half: one instruction for both.
    F16x2,
    /// Two bfloat16.
    Bf16x2,
}

impl Ty {
    /// Registers that a value takes.
    pub fn slots(self) -> u16 {
        match self {
            Ty::I64 | Ty::U64 | Ty::F64 => 2,
            _ => 1,
        }
    }

    /// Whether it is a float, or a pair of them.
    pub fn is_float(self) -> bool {
        !matches!(self, Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64)
    }

    /// Whether it has 16 bits, or is a pair that has.
    pub fn is_half(self) -> bool {
        matches!(self, Ty::F16 | Ty::Bf16 | Ty::F16x2 | Ty::Bf16x2)
    }
}

/// What a memory access moves for each lane and component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemTy {
    /// One byte, sign-extended.
    I8,
    /// One byte, zero-extended.
    U8,
    /// Two bytes, sign-extended.
    I16,
    /// Two bytes, zero-extended.
    U16,
    /// Four bytes.
    B32,
    /// Eight bytes: two registers.
    B64,
}

impl MemTy {
    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        match self {
            MemTy::I8 | MemTy::U8 => 1,
            MemTy::I16 | MemTy::U16 => 2,
            MemTy::B32 => 4,
            MemTy::B64 => 8,
        }
    }

    /// Registers that a value takes.
    pub fn slots(self) -> u16 {
        if self == MemTy::B64 { 2 } else { 1 }
    }
}

/// One operand in.
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
    /// Whether the result is a count: 32 bits, be the operand 64.
    pub(crate) fn counts(self) -> bool {
        matches!(self, UnOp::Popc | UnOp::Clz | UnOp::Ffs)
    }
}

/// Two operands in, both of the instruction's type; a shift's count is always 32-bit unsigned.
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
    /// Left shift; a count past the width gives 0.
    Shl,
    /// Right shift, arithmetic for signed types; a count past the width fills.
    Shr,
    /// The lesser; for floats the one that is a number, and -0 < +0.
    Min,
    /// The greater, likewise.
    Max,
}

/// A comparison; the result is 0 or 1. Every comparison with a NaN is false but `Ne`.
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

/// What an atomic does with the old value `x` and its operand(s).
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

/// How far an atomic or a fence reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The threads of a block.
    Block,
    /// The device (and, for one device, the system).
    Device,
}

/// How a shuffle finds the lane that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShuffleKind {
    /// The lane named.
    Idx,
    /// Lower lane by a distance.
    Up,
    /// Higher lane by a distance.
    Down,
    /// Lane exclusive-or a mask.
    Xor,
}

/// What a vote asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VoteKind {
    /// Every lane?
    All,
    /// Some lane?
    Any,
    /// Which lanes?
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

/// A lane's address: `base + index * scale + offset`, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addr {
    /// A pointer (two registers).
    pub base: Reg,
    /// What is added, before scaling.
    pub index: Index,
    /// Bytes a step of the index.
    pub scale: u32,
    /// A constant number of bytes.
    pub offset: i32,
}

/// The index of an [`Addr`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// No index.
    None,
    /// Sign-extended to 64 bits.
    I32(Reg),
    /// Zero-extended to 64 bits.
    U32(Reg),
    /// 64 bits as they are.
    I64(Reg),
}

/// What a warp does in one step, in its active lanes. `d` is where the result goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "operands are named alike throughout: d result, a b c operands")]
pub enum Inst {
    /// Copies one (`wide` false) or two registers.
    Mov {
        wide: bool,
        d: Reg,
        a: Reg,
    },
    Unary {
        op: UnOp,
        ty: Ty,
        d: Reg,
        a: Reg,
    },
    Binary {
        op: BinOp,
        ty: Ty,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `a * b + c`, rounded once (`F32`, `F64`), or wrapped (`I32`, `U32`).
    Fma {
        ty: Ty,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    /// A function of the mathematics library, in `F32` or `F64`. Operands that it does not take are
    /// the first again.
    Math {
        function: Math,
        ty: Ty,
        d: Reg,
        operands: [Reg; 4],
    },
    Compare {
        op: CmpOp,
        ty: Ty,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `cond != 0 ? a : b`.
    Select {
        wide: bool,
        d: Reg,
        cond: Reg,
        a: Reg,
        b: Reg,
    },
    /// Between types. Float to integer truncates and saturates; NaN gives 0, or the uppermost bit
    /// alone from `F64` or to 64 bits. Integer to float rounds to nearest even; `F64` to `F32`
    /// likewise.
    Convert {
        from: Ty,
        to: Ty,
        d: Reg,
        a: Reg,
    },
    /// Keeps the low 8 or 16 bits of a 32-bit value, extended as `to` says.
    Narrow {
        to: MemTy,
        d: Reg,
        a: Reg,
    },

    /// `n` components (1, 2 or 4) of type `ty` into registers from `d` on: one request.
    Load {
        ty: MemTy,
        n: u8,
        volatile: bool,
        d: Reg,
        addr: Addr,
    },
    Store {
        ty: MemTy,
        n: u8,
        volatile: bool,
        a: Reg,
        addr: Addr,
    },
    /// The address itself, as a pointer.
    Lea {
        d: Reg,
        addr: Addr,
    },
    /// `b` is read by `Cas` alone. `d` is `None` where the program drops the old value.
    Atomic {
        op: AtomicOp,
        ty: Ty,
        scope: Scope,
        d: Option<Reg>,
        a: Reg,
        b: Reg,
        addr: Addr,
    },
    Fence {
        scope: Scope,
    },
    /// `clock64()`: the instructions that this warp has issued so far, in 64 bits. A model of time
    /// and not time: it goes on by one an instruction, whatever the instruction waits for, and is
    /// the same in every run.
    Clock {
        d: Reg,
    },
    /// `malloc`: the pointer, or null; `a` is the number of bytes, 64 bits.
    Malloc {
        d: Reg,
        a: Reg,
    },
    /// `free` of a pointer.
    Free {
        a: Reg,
    },

    Jump {
        target: Pc,
    },
    /// Lanes whose `cond != 0` equals `when` go to `target`, the others to the next instruction.
    Branch {
        cond: Reg,
        when: bool,
        target: Pc,
    },
    /// The active lanes will meet again at the `Bsync` of the same barrier, which stands at `at`.
    Bssy {
        barrier: u16,
        at: Pc,
    },
    /// Waits for the lanes that the `Bssy` noted and that have not exited.
    Bsync {
        barrier: u16,
    },
    /// The active lanes will not come to this barrier's `Bsync`: nobody waits for them there.
    /// Stands before each jump out of a region (`break`, `continue`, an inlined `return`), once for
    /// every barrier that the jump leaves behind; the hardware's `BREAK`. [`Inst::Exit`] needs none.
    Leave {
        barrier: u16,
    },
    Exit,

    /// `__syncthreads` and its kin. `pred` and `d` unless `Plain`.
    Barrier {
        kind: BarrierKind,
        d: Reg,
        pred: Reg,
    },
    SyncWarp {
        mask: Reg,
    },
    /// The mask of the active lanes.
    ActiveMask {
        d: Reg,
    },
    /// `width` is a register too; `wide` moves 64 bits.
    Shuffle {
        kind: ShuffleKind,
        wide: bool,
        d: Reg,
        a: Reg,
        lane: Reg,
        width: Reg,
        mask: Reg,
    },
    Vote {
        kind: VoteKind,
        d: Reg,
        pred: Reg,
        mask: Reg,
    },
    /// `__reduce_*_sync`: `Add`, `Min`, `Max`, `And`, `Or`, `Xor` over `I32` or `U32`.
    WarpReduce {
        op: AtomicOp,
        ty: Ty,
        d: Reg,
        a: Reg,
        mask: Reg,
    },
    /// `__match_any_sync` (`all` false) or `__match_all_sync`, whose predicate goes to `pred`.
    Match {
        all: bool,
        wide: bool,
        d: Reg,
        pred: Reg,
        a: Reg,
        mask: Reg,
    },

    /// The variable holds nothing yet in the active lanes (index into [`Kernel::variables`]).
    Undefine {
        variable: u16,
    },
    /// It holds a value now.
    Define {
        variable: u16,
    },
    /// It is read here: a finding in each lane where it holds nothing.
    CheckDefined {
        variable: u16,
    },

    /// `printf`: index into [`Kernel::prints`].
    Print {
        print: u16,
    },
    /// A failed `assert` or `__trap()`, in the active lanes: index into [`Kernel::traps`].
    Trap {
        trap: u16,
    },
}

/// What a register holds when a warp starts.
///
/// Nothing else writes these registers, so the machine fills those that are the same for the whole
/// launch once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preload {
    /// A constant: the low 32 bits, or all 64 where the register is a pair.
    Const {
        /// Its bits.
        bits: u64,
        /// Whether it takes two registers.
        wide: bool,
    },
    /// Bytes of the launch's arguments, at this offset.
    Param {
        /// Where in [`Kernel::param_bytes`].
        offset: u32,
        /// How to read it.
        ty: MemTy,
    },
    /// `threadIdx`, by axis 0, 1, 2.
    ThreadIdx(u8),
    /// `blockIdx`.
    BlockIdx(u8),
    /// `blockDim`.
    BlockDim(u8),
    /// `gridDim`.
    GridDim(u8),
    /// The lane's number, 0 to 31.
    LaneId,
    /// A pointer to [`Kernel::shared`] by index.
    Shared(u16),
    /// A pointer to [`Kernel::locals`] by index.
    Local(u16),
    /// A pointer to [`Module::globals`] by index.
    Global(u16),
}
