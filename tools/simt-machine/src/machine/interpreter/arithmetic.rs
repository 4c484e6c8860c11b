//! Arithmetic that C++ leaves undefined: a division by zero, a shift past the width.
//!
//! The machine goes on with what [`crate::isa`] says, which is what the hardware gives. A program
//! that counts on it is still wrong: the compiler may assume that it never happens.

use crate::diagnostic::Severity;
use crate::isa::{BinOp, Inst};
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{Mask, lanes_of};
use crate::observe::{Class, Code, Finding};

impl Interpreter<'_> {
    /// Looks at an instruction that is about to run.
    pub(crate) fn check_arithmetic(
        &mut self,
        block: &Block,
        warp: &Warp,
        pc: u32,
        m: &Mask,
        inst: &Inst,
    ) {
        let Inst::Binary { op, ty, b, .. } = *inst else { return };
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let divides = matches!(op, BinOp::Div | BinOp::Rem) && !ty.is_float();
        if !shift && !divides {
            return;
        }
        let width = u64::from(ty.slots()) * 32;
        // A shift's count is 32 bits, whatever is shifted.
        let wide = divides && ty.slots() == 2;
        let operand = |l: usize| warp.registers.lane(b, wide, l);
        let wrong = |l: &usize| if shift { operand(*l) >= width } else { operand(*l) == 0 };
        let bad = lanes_of(m.bits).filter(wrong).fold(0, |s, l| s | 1u32 << l);
        if bad == 0 {
            return;
        }
        let lane = bad.trailing_zeros() as usize;
        let what = match op {
            BinOp::Div => "division",
            BinOp::Rem => "remainder",
            _ => "shift",
        };
        let first = self.site(block.linear, warp.number, lane, pc, what);
        let span = first.span;
        let by = operand(lane) as u32 as i32;
        let finding = || Finding {
            code: if shift { Code::WideShift } else { Code::DivisionByZero },
            severity: if shift { Severity::Warning } else { Severity::Error },
            message: if shift {
                format!("a value of {width} bits is shifted by {by}")
            } else {
                "an integer is divided by zero".to_owned()
            },
            first,
            second: None,
            count: 0,
            help: Some(if shift {
                format!(
                    "C++ leaves a shift by less than 0 or by {width} and more undefined: test the count first, or shift a wider type"
                )
            } else {
                "C++ leaves the result undefined; the hardware traps nothing and gives all ones"
                    .to_owned()
            }),
        };
        self.findings.add(u64::from(bad.count_ones()), 0, finding, Class::Arithmetic, span, None);
    }
}
