//! `kernel<<<grid, block>>>(arguments)` in device code: dynamic parallelism.
//!
//! The machine records each launch. When the parent grid has ended, its child grids run one after
//! the other, each followed by its own children. CUDA 12 allows this order, since device code
//! cannot wait for a child grid.
//!
//! A kernel may launch itself, so a child kernel is checked after its parent. Arguments are passed
//! as the scalars in them.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind, Function, Intrinsic};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Sema, Side};
use crate::syntax::ast::{self, Prim};
use std::rc::Rc;

/// Numbers in one argument at most.
const MOST_PARTS: usize = 64;

impl Body<'_, '_> {
    pub(in crate::sema) fn ask(
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
            let Kind::Struct(index) = ty.kind else { return Err(Reported) };
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
        for (i, (value, param)) in values.into_iter().chain(defaults).zip(&params).enumerate() {
            let mut value = self.convert(value, param)?;
            if self.sema.types.scalar(&value.ty).is_none() {
                let ty = value.ty.unqualified();
                let at = value.span;
                let var = self.fresh(&ty, at);
                let place = Expr::place(ExprKind::Var(var), ty.clone(), at);
                let kind = ExprKind::Assign(Box::new(place.clone()), Box::new(value));
                before.push(Expr::place(kind, ty, at));
                value = place;
            }
            let parts = all.len();
            self.parts_asked(value, (i as u64) << 32, &mut all)?;
            if all.len() - parts > 2 * MOST_PARTS {
                let what = format!(
                    "arguments of more than {MOST_PARTS} numbers in a launch by device code"
                );
                return self.sema.unsupported(span, what);
            }
        }
        let known = &mut self.sema.host.device_launched;
        let number = known.iter().position(|(k, b, _)| *k == id && *b == bound);
        let number = number.unwrap_or_else(|| {
            known.push((id, bound, span));
            known.len() - 1
        });
        let void: Type = Prim::Void.into();
        let kind = ExprKind::Intrinsic(Intrinsic::DeviceLaunch(number as u32), all);
        let mut made = Expr::new(kind, void.clone(), span);
        for step in before.into_iter().rev() {
            let kind = ExprKind::Comma(Box::new(step), Box::new(made));
            made = Expr::new(kind, void.clone(), span);
        }
        Ok(made)
    }

    /// Each number in a value, with its place before it: which argument, and its first byte.
    fn parts_asked(&mut self, value: Expr, at: u64, out: &mut Vec<Expr>) -> Checked<()> {
        let span = value.span;
        if let Some(prim) = self.sema.types.scalar(&value.ty) {
            let place = i128::from(at | (prim.size() << 56));
            out.push(Self::int(place, Prim::ULong, span));
            out.push(value);
            return Ok(());
        }
        let (count, step) = match &value.ty.kind {
            Kind::Array(element, n) => (*n as usize, self.sema.types.size_of(element)),
            Kind::Struct(i)
                if !self.sema.types.get(*i).union && self.sema.types.get(*i).bits.is_empty() =>
            {
                (self.sema.types.get(*i).fields.len(), 0)
            }
            _ => {
                let what = "unions and bit-fields as arguments of a launch in device code";
                return self.sema.unsupported(span, what);
            }
        };
        for i in 0..count.min(MOST_PARTS + 1) {
            let offset = match value.ty.kind {
                Kind::Struct(index) => self.sema.types.get(index).fields[i].offset,
                _ => step * i as u64,
            };
            let part = self.part(value.clone(), i as u32, span);
            self.parts_asked(part, at + offset, out)?;
            if out.len() > 8 + 4 * MOST_PARTS {
                break;
            }
        }
        Ok(())
    }
}

impl Sema<'_> {
    /// The kernels that device code launches, by their numbers.
    pub(in crate::sema) fn check_device_launched(&mut self) -> Vec<Rc<Function>> {
        let mut kernels = Vec::new();
        while let Some((id, bound, span)) = self.host.device_launched.get(kernels.len()).cloned() {
            let Ok(kernel) = self.instantiate(id, bound, Side::Device, span) else { break };
            if !self.host.kernels.iter().any(|k| Rc::ptr_eq(k, &kernel)) {
                self.host.kernels.push(kernel.clone());
            }
            kernels.push(kernel);
        }
        kernels
    }
}
