//! `kernel<<<grid, block>>>(arguments)` in device code: dynamic parallelism.
//!
//! The machine only writes down what is asked for; whoever started the asking grid starts these
//! when it has ended, one after the other, each with those that it asks for itself. That is one of
//! the orders that CUDA 12 allows, since no device code can wait there for a grid that it launched.
//!
//! A kernel may launch itself, so it is checked when the one that asks for it has been. Arguments
//! are numbers and pointers.

use super::super::body::Body;
use super::super::tree::{Expr, ExprKind, Function, Intrinsic};
use super::super::types::{Kind, Type};
use super::super::{Checked, Sema, Side};
use crate::diagnostic::Span;
use crate::syntax::ast::{self, Prim};
use std::rc::Rc;

impl Body<'_, '_> {
    pub(super) fn ask(
        &mut self,
        kernel: &ast::Expr,
        shape: [Expr; 2],
        [shared, stream]: [Expr; 2],
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let (id, bound, params, defaults) = self.kernel_meant(kernel, &values)?;
        let mut before = Vec::new();
        let mut all = Vec::new();
        for dim3 in shape {
            let ty = dim3.ty.unqualified();
            let Kind::Struct(index) = ty.kind else { return None };
            let var = self.fresh(&ty, span);
            let place = || Expr::place(ExprKind::Var(var), ty.clone(), span);
            let kind = ExprKind::Assign(Box::new(place()), Box::new(dim3));
            before.push(Expr::place(kind, ty.clone(), span));
            for i in 0..3 {
                let number = self.field(place(), index, i, span);
                all.push(self.cast(number, &Prim::UInt.into()));
            }
        }
        all.push(shared);
        all.push(stream);
        for (value, param) in values.into_iter().chain(defaults).zip(&params) {
            let value = self.convert(value, param)?;
            if self.sema.types.scalar(&value.ty).is_none() {
                let what = "arguments of a launch in device code that are no number or pointer";
                return self.sema.unsupported(value.span, what);
            }
            all.push(value);
        }
        let known = &mut self.sema.host.asked;
        let number = known.iter().position(|(k, b, _)| *k == id && *b == bound);
        let number = number.unwrap_or_else(|| {
            known.push((id, bound, span));
            known.len() - 1
        });
        let void: Type = Prim::Void.into();
        let kind = ExprKind::Intrinsic(Intrinsic::Ask(number as u32), all);
        let mut made = Expr::new(kind, void.clone(), span);
        for step in before.into_iter().rev() {
            let kind = ExprKind::Comma(Box::new(step), Box::new(made));
            made = Expr::new(kind, void.clone(), span);
        }
        Some(made)
    }
}

impl Sema<'_> {
    /// The kernels that device code launches, by their numbers.
    pub(in crate::sema) fn asked_for(&mut self) -> Vec<Rc<Function>> {
        let mut kernels = Vec::new();
        while let Some((id, bound, span)) = self.host.asked.get(kernels.len()).cloned() {
            let Some(kernel) = self.instantiate(id, bound, Side::Device, span) else { break };
            if !self.host.kernels.iter().any(|k| Rc::ptr_eq(k, &kernel)) {
                self.host.kernels.push(kernel.clone());
            }
            kernels.push(kernel);
        }
        kernels
    }
}
