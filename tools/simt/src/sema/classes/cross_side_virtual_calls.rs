//! Virtual calls in kernels on objects that host code constructed, and the other way round: the object's
//! table of virtual functions (vtable) is the constructing side's, and the call is an error.

use crate::diagnostic::Span;
use crate::isa::CmpOp;
use crate::sema::Side;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind, Intrinsic, Stmt};
use crate::sema::types::ClassId;
use crate::syntax::ast::Prim;

/// In the number of an object that device code has made. A table of virtual functions is of one side:
/// an object may be made on the host and used in a kernel, but its virtual functions cannot be called
/// there.
const MADE_IN_A_KERNEL: i128 = 1 << 32;

/// What an object of the class holds that is made on this side.
pub(in crate::sema) fn type_number(class: ClassId, side: Side) -> i128 {
    match side {
        Side::Host => class.as_value(),
        Side::Device => class.as_value() | MADE_IN_A_KERNEL,
    }
}

/// The messages of such calls, each with its help.
const HOST_MADE: &str = "a virtual function is called on an object that host code has made\n\
    its table of virtual functions is the host's: make the object in a kernel, with `new` or `new (place) T(..)`";
const DEVICE_MADE: &str = "a virtual function is called on an object that a kernel has made\n\
    its table of virtual functions is the device's: make the object in host code";

impl Body<'_, '_> {
    /// Ends the program, or the kernel, if the object is one that the other side has made.
    pub(in crate::sema) fn made_elsewhere(&mut self, number: Expr, span: Span) -> Stmt {
        let ty = number.ty.unqualified();
        let first = Expr::new(ExprKind::Int(MADE_IN_A_KERNEL), ty, span);
        let (op, what) = match self.side {
            Side::Device => (CmpOp::Lt, HOST_MADE),
            Side::Host => (CmpOp::Ge, DEVICE_MADE),
        };
        let kind = ExprKind::Compare(op, Box::new(number), Box::new(first));
        let cond = Expr::new(kind, Prim::Bool.into(), span);
        let kind = ExprKind::Intrinsic(Intrinsic::Trap(what.to_string()), Vec::new());
        let trap = Stmt::Expr(Expr::new(kind, Prim::Void.into(), span));
        Stmt::If { cond, then: vec![trap], other: Vec::new(), span }
    }
}
