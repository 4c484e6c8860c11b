//! Lowers the built-in functions of `<mma.h>`: operands in memory become adjacent registers, as the
//! instructions for matrices want them.

use super::kernel::{Lower, Lowered};
use crate::diagnostic::Span;
use crate::isa::{Addr, Fragment, Inst, MatrixShape, MemTy, Reg};
use crate::sema::tree::{Expr, Intrinsic};

/// Accesses of so many adjacent registers, 16 bytes each at most: where each begins, its type, and its
/// components.
fn accesses(slots: u16, wide: bool) -> impl Iterator<Item = (u16, MemTy, u8)> {
    let (ty, each) = if wide { (MemTy::B64, 2) } else { (MemTy::B32, 1) };
    let most = if slots >= 4 { 4 } else { slots };
    (0..slots).step_by(most.max(1).into()).map(move |at| (at, ty, (most / each) as u8))
}

/// Every lane takes part.
const FULL: u64 = 0xFFFF_FFFF;

impl Lower<'_> {
    /// Emits a built-in function whose arguments are pointers.
    pub(super) fn matrix(&mut self, kind: &Intrinsic, args: &[Expr], span: Span) -> Lowered<()> {
        let mut addresses = Vec::new();
        for arg in args {
            addresses.push(self.pointer(arg)?);
        }
        let mask = self.constant(FULL, false);
        match (kind, &addresses[..]) {
            (Intrinsic::MatrixMultiply(shape), &[to, a, b, c]) => {
                let [a, b, c] = [(Fragment::A, a), (Fragment::B, b), (Fragment::Sum, c)]
                    .map(|(fragment, from)| self.fragment(*shape, fragment, from, span));
                let width = shape.width(Fragment::Sum);
                let d = self.code.registers(width.slots());
                let inst = Inst::MatrixMultiply { shape: *shape, d, a, b, c, mask };
                self.code.emit(span, inst);
                self.store_words(d, (width.slots(), width.is_wide()), to, span);
            }
            (Intrinsic::LoadMatrix(count, transpose), &[to, addr]) => {
                let (count, transpose) = (*count, *transpose);
                let d = self.code.registers(count.into());
                let rows = self.code.registers(4);
                self.code.emit(span, Inst::LoadMatrix { count, transpose, d, rows, addr, mask });
                self.store_words(d, (count.into(), false), to, span);
            }
            _ => {}
        }
        Ok(())
    }

    /// Loads an operand of a product.
    fn fragment(&mut self, shape: MatrixShape, which: Fragment, from: Addr, span: Span) -> Reg {
        let width = shape.width(which);
        let d = self.code.registers(width.slots());
        for (at, ty, n) in accesses(width.slots(), width.is_wide()) {
            let addr = Addr { offset: from.offset.wrapping_add(4 * i32::from(at)), ..from };
            self.code.emit(span, Inst::Load { ty, n, volatile: false, d: d + at, addr });
        }
        d
    }

    fn store_words(&mut self, a: Reg, (slots, wide): (u16, bool), to: Addr, span: Span) {
        for (at, ty, n) in accesses(slots, wide) {
            let addr = Addr { offset: to.offset.wrapping_add(4 * i32::from(at)), ..to };
            self.code.emit(span, Inst::Store { ty, n, volatile: false, a: a + at, addr });
        }
    }
}
