//! Arithmetic on 32 lanes.
//!
//! The operations that kernels use most have a *fast path* ([`Op`]): their instruction is decoded
//! once per launch, and their loop over the lanes is inlined into the interpreter's, so that it is
//! compiled for the same vector instructions. Every other arithmetic instruction takes the *slow
//! path* ([`slow_path()`]): ordinary functions, decoded at each execution.
//!
//! Both give the same bits on every processor and in WebAssembly: integers wrap, shifts beyond the
//! width give what [`BinOp`](crate::isa::BinOp) says, floats are rounded once, and a NaN result is
//! always the canonical NaN that the hardware produces.
//!
//! To add an arithmetic instruction, add a row to the table in `isa/instruction.rs` (or an opcode
//! to `isa/opcode.rs`) and its meaning to `slow_path`. Only if it is frequent, add a row to
//! `fast_path` and its loop body to `scalar` and `wasm_simd`.

mod convert;
mod fast_path;
mod float;
mod fma32;
mod fma64;
mod half;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;
mod slow_path;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm_simd;

pub(crate) use fast_path::Op;
pub(super) use fast_path::{run, shift};
pub(super) use float::{b32, b64, max32, max64, min32, min64, mul_add64};
pub(super) use half::binary as binary16;
pub(super) use slow_path::slow_path;

#[cfg(test)]
mod tests;
