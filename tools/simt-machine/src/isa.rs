//! The instruction set: the bytecode that the front end writes and the machine runs.
//!
//! One instruction is executed by a whole warp: a register is 32 lanes of 32 bits.
//! A 64-bit value (`long long`, `double`, every pointer) takes two adjacent registers, the first
//! of them even, laid out as 32 lanes of 64 bits.
//! 8- and 16-bit integers are widened to 32 bits, as C's integer promotions require;
//! [`Inst::Convert`] and [`Inst::Narrow`] narrow them. A 16-bit float takes the low half of a
//! register; a pair of them takes one register.
//!
//! Control flow is structured. The front end marks where diverged lanes reconverge with
//! [`Inst::Bssy`] and [`Inst::Bsync`], the hardware's convergence barriers since Volta.
//! Before this point every function was inlined, but deep recursion (a loop with a stack in local
//! memory), and every template instantiated.
//! The code holds no addresses: it names objects by index, and the machine makes the pointers
//! ([`Preload`]).
//!
//! | module | what it holds |
//! |---|---|
//! | `instruction` | the table of instructions: one row each, and everything that is generated from it |
//! | `asynchronous` | the variants of asynchronous copies and mbarriers |
//! | `opcode` | the operations within a row: `Add`, `Min`, `Shl`, ... |
//! | `matrix` | products of tensor cores: shapes, formats, which lane holds which element |
//! | `warp_group` | products of `wgmma`, and how their factors lie in shared memory |
//! | `types` | types of values and of memory accesses |
//! | [`operands`] | registers that an instruction uses and defines; addresses |
//! | `preload` | what a register holds when a warp starts |
//! | `module` | kernels and translation units |
//! | `debug_info` | where the source's variables are while a kernel runs |
//! | `disassembly` | bytecode as text |
//! | [`half`](mod@half), `math` | values of 16-bit floats and of `<math.h>`, for constant folding and for the machine |

mod asynchronous;
mod debug_info;
mod disassembly;
pub mod half;
mod instruction;
mod math;
mod matrix;
mod module;
mod opcode;
pub mod operands;
mod preload;
mod types;
mod warp_group;

pub use asynchronous::{BulkDirection, FencedMemory, GroupKind, MbarrierOp};
pub use debug_info::{Debug, Home, Layout, Life, Scalar, Variable};
pub use disassembly::disassemble;
pub(crate) use instruction::Table;
pub use instruction::{Category, Inst, Successor};
pub use math::Math;
pub use matrix::{Accumulator, Factor, Fragment, MatrixShape};
pub use module::{CopiedPart, Element, Kernel, Module, Object, Param, Print, PrintArg, Signature};
pub use opcode::{AtomicOp, BarrierKind, BinOp, CmpOp, Scope, ShuffleKind, UnOp, VoteKind};
pub use operands::{Addr, Index};
pub use preload::Preload;
pub use types::{MemTy, Ty};
pub use warp_group::{Descriptor, WarpGroupFactors, WarpGroupShape};

/// A register: 32 lanes of 32 bits.
pub type Reg = u16;

/// Index of an instruction.
pub type Pc = u32;
