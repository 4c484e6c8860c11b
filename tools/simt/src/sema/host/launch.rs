//! `kernel<<<grid, block, shared, stream>>>(arguments)`.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::expressions::id_expression::closest;
use crate::sema::tree::{Expr, ExprKind, Function, Host};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Entity, FunctionId, Side};
use crate::syntax::ast::{self, Prim};
use crate::syntax::name::Path;
use std::rc::Rc;

/// A kernel, what fills its template in, its parameters' types, and what is not given.
pub(in crate::sema) type Meant = (FunctionId, Vec<crate::sema::Arg>, Vec<Type>, Vec<Expr>);

impl Body<'_, '_> {
    pub(in crate::sema) fn launch(
        &mut self,
        kernel: &ast::Expr,
        at: Span,
        shape: &[ast::Expr],
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        // A template's parameter that is a kernel.
        let by_name = match &kernel.kind {
            ast::ExprKind::Name(name, None) => match self.lookup(name) {
                Some(Entity::Function(real)) => {
                    let kind = ast::ExprKind::Name(real, None);
                    Some(ast::Expr { kind, span: kernel.span })
                }
                _ => None,
            },
            _ => None,
        };
        let kernel = by_name.as_ref().unwrap_or(kernel);
        if self.side == Side::Device && !self.sema.host.is_program() {
            return self.sema.unsupported(at, "kernel launches in device code");
        }
        if !(1..=4).contains(&shape.len()) {
            let message = "a launch is `<<<grid, block>>>`, and takes the bytes of shared memory \
                           and a stream behind them";
            return self.sema.error("syntax", at, message);
        }
        let mut shape = shape.iter();
        let dim3 = self.sema.types.builtin("dim3").ok_or(Reported)?;
        let grid = self.shape(shape.next(), &dim3, span)?;
        // Without a second one, a block has one thread.
        let block = match shape.next() {
            Some(block) => self.shape(Some(block), &dim3, span)?,
            None => self.convert(Self::int(1, Prim::Int, span), &dim3)?,
        };
        if let Some(third) = shape.as_slice().first() {
            self.not_a_stream(third, shape.len())?;
        }
        let shared = self.shape(shape.next(), &Prim::ULong.into(), span)?;
        let stream = self.shape(shape.next(), &Type::from(Prim::Void).pointer_to(), span)?;
        let values = self.values(args)?;
        if self.side == Side::Device {
            return self.ask(kernel, [grid, block], [shared, stream], values, span);
        }
        if let Some(pointer) = self.pointer_launched(kernel) {
            return self.launch_through(pointer?, [grid, block], shared, stream, values, span);
        }
        let (kernel, params, defaults) = self.kernel(kernel, &values)?;
        let mut args = Vec::new();
        for (value, param) in values.into_iter().chain(defaults).zip(&params) {
            let arg = self.launch_argument(value, param)?;
            // The host destroys its copy when the launch returns.
            self.sema.destroyer(&arg.ty, Side::Host, arg.span);
            args.push(arg);
        }
        let launch = Host::Launch { kernel, grid, block, shared, stream, args };
        Ok(Expr::new(ExprKind::Host(Box::new(launch)), Prim::Void.into(), span))
    }

    /// A value, or the address of what a parameter `T&` refers to.
    fn launch_argument(&mut self, value: Expr, param: &Type) -> Checked<Expr> {
        if !param.is_reference() {
            return self.convert(value, param);
        }
        let span = value.span;
        let target = self.refer(value, param)?;
        let target = self.materialize(target, span);
        self.mark_addressed(&target);
        let ty = param.unreferenced().clone().pointer_to();
        Ok(Expr::new(ExprKind::Address(Box::new(target)), ty, span))
    }

    /// What is launched, if it is no kernel's name.
    fn pointer_launched(&mut self, kernel: &ast::Expr) -> Option<Checked<Expr>> {
        // A lambda's capture is a member.
        if let ast::ExprKind::Name(name, _) = &kernel.kind
            && self.lookup(name).is_none()
            && self.own_member(name, kernel.span).is_none()
        {
            return None;
        }
        let made = self.expr(kernel);
        match &made {
            Ok(pointer) if pointer.ty.signature().is_none() => {
                let text = self.sema.types.spell(&pointer.ty);
                let message = format!("a `{text}` is no kernel: it cannot be launched");
                Some(self.sema.error("type", kernel.span, message))
            }
            _ => Some(made),
        }
    }

    /// A launch by a pointer to a kernel: as `cudaLaunchKernel` does it.
    fn launch_through(
        &mut self,
        pointer: Expr,
        shape: [Expr; 2],
        shared: Expr,
        stream: Expr,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let signature = pointer.ty.signature().cloned().ok_or(Reported)?;
        if signature.params.len() != values.len() {
            let (wanted, given) = (signature.params.len(), values.len());
            let message = format!("this kernel takes {wanted} arguments, not {given}");
            return self.sema.error("overload", span, message);
        }
        let void = Type::from(Prim::Void).pointer_to();
        let mut before = Vec::new();
        let [grid, block] = shape;
        let grid = self.at_hand(grid, &mut before);
        let block = self.at_hand(block, &mut before);
        let mut addresses = Vec::new();
        for (value, param) in values.into_iter().zip(&signature.params) {
            let value = self.convert(value, param)?;
            if !self.sema.needs_destroy(&value.ty) {
                addresses.push(self.at_hand(value, &mut before));
                continue;
            }
            let copy = self.copied(value)?;
            let copy = self.materialize(copy, span);
            let ty = copy.ty.clone().pointer_to();
            let address = Expr::new(ExprKind::Address(Box::new(copy)), ty, span);
            addresses.push(self.cast(address, &void));
        }
        let all = if addresses.is_empty() {
            self.cast(Self::int(0, Prim::Int, span), &void)
        } else {
            let ty: Type = Kind::Array(Rc::new(void.clone()), addresses.len() as u64).into();
            let list = Expr::new(ExprKind::Make(addresses), ty, span);
            let list = self.materialize(list, span);
            let list = self.decay(list);
            self.cast(list, &void)
        };
        let pointer = self.cast(pointer, &void);
        let launch = Host::LaunchPointer { pointer, grid, block, args: all, shared, stream };
        let mut made = Expr::new(ExprKind::Host(Box::new(launch)), Prim::Int.into(), span);
        for step in before.into_iter().rev() {
            let ty = made.ty.clone();
            made = Expr::new(ExprKind::Comma(Box::new(step), Box::new(made)), ty, span);
        }
        Ok(Expr::new(ExprKind::Cast(Box::new(made)), Prim::Void.into(), span))
    }

    /// A value in a variable: its address, as a `void*`.
    fn at_hand(&mut self, value: Expr, before: &mut Vec<Expr>) -> Expr {
        let (ty, span) = (value.ty.unqualified(), value.span);
        let var = self.fresh(&ty, span);
        let place = || Expr::place(ExprKind::Var(var), ty.clone(), span);
        self.mark_addressed(&place());
        let kind = ExprKind::Assign(Box::new(place()), Box::new(value));
        before.push(Expr::place(kind, ty.clone(), span));
        let address = ExprKind::Address(Box::new(place()));
        let address = Expr::new(address, ty.clone().pointer_to(), span);
        self.cast(address, &Type::from(Prim::Void).pointer_to())
    }

    /// An error for a stream in the place of the bytes of shared memory.
    fn not_a_stream(&mut self, written: &ast::Expr, values: usize) -> Checked<()> {
        let given = self.speculate(|body| body.rvalue(written));
        if values != 1 || !given.is_ok_and(|given| matches!(given.ty.kind, Kind::Pointer(_))) {
            return Ok(());
        }
        let message =
            "the third value of `<<<..>>>` is the bytes of shared memory, and this is a pointer";
        let diagnostic = Diagnostic::error("type", written.span, message)
            .with_help("a stream is the fourth: `<<<grid, block, 0, stream>>>`");
        self.sema.report(diagnostic);
        Err(Reported)
    }

    fn shape(&mut self, written: Option<&ast::Expr>, ty: &Type, span: Span) -> Checked<Expr> {
        let Some(written) = written else {
            let zero = Self::int(0, Prim::Int, span);
            return Ok(self.cast(zero, ty));
        };
        if let ast::ExprKind::List(items) = &written.kind {
            return self.construct(ty, items, written.span);
        }
        let mut value = self.expr(written)?;
        if matches!(self.sema.types.arithmetic(&value.ty), Some(Prim::Float | Prim::Double)) {
            // `ceil(n / 256.0)`: a `dim3` is made of numbers without a fraction.
            value = self.convert(value, &Prim::UInt.into())?;
        }
        self.convert(value, ty)
    }

    /// The kernel that is meant, its parameters' types, and the values of those that are not given.
    fn kernel(
        &mut self,
        written: &ast::Expr,
        values: &[Expr],
    ) -> Checked<(Rc<Function>, Vec<Type>, Vec<Expr>)> {
        let (id, bound, params, defaults) = self.kernel_meant(written, values)?;
        let kernel = self.launched(id, bound, written.span)?;
        Ok((kernel, params, defaults))
    }

    pub(in crate::sema) fn kernel_meant(
        &mut self,
        written: &ast::Expr,
        values: &[Expr],
    ) -> Checked<Meant> {
        let span = written.span;
        let ast::ExprKind::Name(name, explicit) = &written.kind else {
            return self.sema.unsupported(span, "a launch of anything but a kernel's name");
        };
        let all = self.functions(*name).unwrap_or_default();
        let kernels: Vec<FunctionId> = all
            .iter()
            .copied()
            .filter(|id| self.sema.definitions[*id].ast.storage.global)
            .collect();
        if kernels.is_empty() {
            let message = match all.first() {
                Some(_) => format!("`{name}` is no kernel: only one can be launched"),
                None => format!("no kernel `{name}` is known"),
            };
            let mut diagnostic = Diagnostic::error("name", span, message);
            if let Some(id) = all.first() {
                diagnostic = diagnostic
                    .with_label(self.sema.definitions[*id].ast.span, "declared here")
                    .with_help("write `__global__` before it");
            } else if let Some(close) = self.nearest_kernel(name) {
                diagnostic = diagnostic.with_help(format!("is `{close}` meant?"));
            }
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        let explicit = explicit.as_deref().unwrap_or(&[]);
        let (id, bound, params) = self.choose(name, &kernels, explicit, values, span)?;
        let declared = self.sema.definitions[id].clone();
        let mut defaults = Vec::new();
        for i in values.len()..params.len() {
            defaults.push(self.default_argument(&declared, &bound, i)?);
        }
        Ok((id, bound, params, defaults))
    }

    fn nearest_kernel(&self, name: &Path) -> Option<String> {
        let definitions = &self.sema.definitions;
        let is_kernel = |id: &FunctionId| definitions[*id].ast.storage.global;
        let kernels = definitions.functions.iter().filter(|(_, all)| all.iter().any(is_kernel));
        closest(&name.to_string(), kernels.map(|(name, _)| name.to_string()))
    }

    /// A kernel, filled in.
    pub(in crate::sema) fn launched(
        &mut self,
        id: FunctionId,
        bound: Vec<crate::sema::Arg>,
        span: Span,
    ) -> Checked<Rc<Function>> {
        let kernel = self.sema.instantiate(id, bound, Side::Device, span)?;
        let known = &mut self.sema.host.kernels;
        if !known.iter().any(|k| Rc::ptr_eq(k, &kernel)) {
            known.push(kernel.clone());
        }
        Ok(kernel)
    }

    /// `kernel(..)`, without a shape.
    pub(in crate::sema) fn kernel_called<T>(
        &mut self,
        ast: &ast::Function,
        span: Span,
    ) -> Checked<T> {
        if self.side == Side::Device {
            return self.sema.unsupported(span, "calls of a kernel from device code");
        }
        let message = format!("`{}` is a kernel: it is launched, not called", ast.name);
        let diagnostic = Diagnostic::error("type", span, message)
            .with_label(ast.span, "declared here")
            .with_help(format!("write `{}<<<grid, block>>>(..)`", ast.name));
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// A number, or a `uint3`, as a `dim3`.
    pub(in crate::sema) fn dim3_of(&mut self, e: Expr, to: &Type) -> Checked<Expr> {
        let span = e.span;
        let prim: Type = Prim::UInt.into();
        if self.sema.types.arithmetic(&e.ty).is_some() {
            let one = Self::int(1, Prim::UInt, span);
            let parts = vec![self.cast(e, &prim), one.clone(), one];
            return Ok(Expr::new(ExprKind::Make(parts), to.unqualified(), span));
        }
        if matches!(e.kind, ExprKind::Make(_)) || e.place {
            let part = |i: u32| {
                let kind = ExprKind::Member(Box::new(e.clone()), i);
                Expr { kind, ty: prim.clone(), span, place: e.place }
            };
            let parts = (0..3).map(part).collect();
            return Ok(Expr::new(ExprKind::Make(parts), to.unqualified(), span));
        }
        self.sema.unsupported(span, "a `uint3` that a function returns as a `dim3`")
    }
}

impl crate::sema::types::Types {
    /// Whether a value of type `from` makes a `dim3`.
    pub(in crate::sema) fn makes_dim3(&self, from: &Type, to: &Type) -> bool {
        let is = |ty: &Type, name| matches!(ty.kind, Kind::Struct(i) if self.get(i).path.is(name));
        is(to, "dim3") && (is(from, "uint3") || self.arithmetic(from).is_some_and(Prim::is_integer))
    }
}
