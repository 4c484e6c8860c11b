//! Arithmetic that C++ leaves undefined: a division by zero, a shift past the width.
//!
//! The machine goes on with what [`crate::isa`] specifies, which is what the hardware gives. A program
//! that relies on it is still wrong: the compiler may assume that it never happens.

use crate::event::{LanesAt, Operand};
use crate::isa::{BinOp, Inst};
use crate::lanes::lanes_where;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site};

/// Lanes shift or divide, with these right operands.
pub(crate) fn divide_or_shift(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    inst: &Inst,
    right: Operand<'_>,
) {
    let Inst::Binary { op, ty, .. } = *inst else { return };
    let width = u64::from(ty.slots()) * 32;
    let (what, shift) = match op {
        BinOp::Div => ("division", false),
        BinOp::Rem => ("remainder", false),
        _ => ("shift", true),
    };
    let undefined = |right: u64| if shift { right >= width } else { right == 0 };
    // Mostly all lanes are well, the inactive ones, too.
    let any = match right {
        Operand::Words(row) => row.iter().fold(false, |any, x| any | undefined((*x).into())),
        Operand::Pairs(row) => row.iter().fold(false, |any, x| any | undefined(*x)),
    };
    if !any {
        return;
    }
    let lanes = lanes_where(at.lanes, |lane| undefined(right.lane(lane)));
    if lanes == 0 {
        return;
    }
    let code = if shift { Code::WideShift } else { Code::DivisionByZero };
    let at = LanesAt { lanes, ..at };
    let case = Case::new(code, Site::at(prepared, at, what)).with_count(lanes.count_ones());
    findings.add(case, || {
        if shift {
            let by = right.lane(lanes.trailing_zeros() as usize) as u32 as i32;
            let help = format!(
                "C++ leaves a shift by less than 0 or by {width} and more undefined: test the count first, or shift a wider type"
            );
            Text::warning(format!("a value of {width} bits is shifted by {by}")).with_help(help)
        } else {
            Text::error("an integer is divided by zero").with_help(
                "C++ leaves the result undefined; the hardware traps nothing and gives all ones",
            )
        }
    });
}
