//! Calls, launches, `new` and `delete`.

use super::assigned::part;
use super::place::Place;
use super::{KERNELS, Lower, Lowered};
use crate::Library;
use crate::bytecode::{Inst, LaunchSite, Reg, cleanup};
use simt::isa::BinOp;
use simt::isa::Ty;
use simt::sema::tree::{Expr, ExprKind, Function, Host, OwnRoom, VarId};
use simt::sema::types::Prim;
use simt::sema::types::{Kind, Type, align_up};
use std::rc::Rc;

impl Lower<'_, '_> {
    /// A call. Returns the register with its result; an array or struct is written to `into`.
    pub(super) fn call_expr(&mut self, e: &Expr, into: Option<Place>) -> Lowered<Reg> {
        match &e.kind {
            ExprKind::Call(function, object, args) => {
                self.call(&function.clone(), object.as_deref(), args, into, e)
            }
            ExprKind::RecursiveCall(recursion, object, args) => {
                match recursion.function.get().cloned() {
                    Some(function) => self.call(&function, object.as_deref(), args, into, e),
                    None => self.unsupported(
                        e.span,
                        "a recursive call of a function whose check has failed",
                    ),
                }
            }
            ExprKind::Host(host) => self.host(host, e, into),
            _ => self.unsupported(e.span, "a call of what is no function"),
        }
    }

    /// An expression that is a statement. Of a call of the CUDA runtime the error is discarded.
    pub(super) fn alone(&mut self, e: &Expr) -> Lowered<()> {
        let ExprKind::Call(function, None, _) = &e.kind else { return self.effect(e) };
        let name = function.name.last();
        let looks = [
            "cudaGetLastError",
            "cudaPeekAtLastError",
            "cudaStreamQuery",
            "cudaEventQuery",
            "cuStreamQuery",
            "cuEventQuery",
        ];
        let answers = crate::library::is_of_cuda(&name)
            && function.span.is_built_in()
            && matches!(e.ty.kind, Kind::Enum(_))
            && !e.span.is_built_in();
        if !answers || looks.contains(&&*name) {
            return self.effect(e);
        }
        self.span = e.span;
        let window = self.call_expr(e, None)?;
        self.emit(Inst::Library { function: Library::CudaDiscarded, window, count: 1, extra: 0 });
        Ok(())
    }

    fn call(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        into: Option<Place>,
        e: &Expr,
    ) -> Lowered<Reg> {
        let number = self.unit.function(function, object.is_some());
        let aggregate = !e.place && self.is_aggregate(&e.ty);
        let hidden = u32::from(aggregate) + u32::from(object.is_some());
        let window = self.registers((hidden + args.len() as u32).max(1))?;
        if aggregate {
            self.result(window, &e.ty, into)?;
        }
        // The object is evaluated before the arguments, except in an assignment. Of the arguments,
        // host compilers evaluate the last one first, except where an operator defines the order.
        let operator = function.name.last();
        let operator = operator.strip_prefix("operator").unwrap_or(&operator);
        let first = object.filter(|_| !operator.ends_with('='));
        if let Some(object) = first {
            self.address_to(object, window + Reg::from(aggregate))?;
        }
        let in_order = matches!(operator, "<<" | ">>");
        for i in 0..args.len() {
            let i = if in_order { i } else { args.len() - 1 - i };
            let param = function.vars.get(i);
            let d = window + (hidden + i as u32) as Reg;
            if function.needs_defined.contains(&(i as VarId, None))
                && let Some(part) = part(&args[i])
            {
                self.check_assigned(part, args[i].span);
            }
            self.argument(&args[i], param.is_some_and(|v| v.reference), d)?;
            if let Some(destroy) = param.and_then(|v| v.destroy.as_ref()) {
                let destroy = self.unit.function(destroy, true);
                self.guard(Place::At(d, 0), destroy)?;
            }
        }
        if let Some(object) = object.filter(|_| first.is_none()) {
            self.address_to(object, window + Reg::from(aggregate))?;
        }
        self.span = e.span;
        self.emit(Inst::Call { function: number, window });
        self.next = u32::from(window) + 1;
        Ok(window)
    }

    fn is_aggregate(&self, ty: &Type) -> bool {
        !self.is_scalar(ty) && !ty.is(Prim::Void)
    }

    /// Where a function writes the array or struct that it returns.
    fn result(&mut self, d: Reg, ty: &Type, into: Option<Place>) -> Lowered<()> {
        let place = match into {
            Some(place) => place,
            None => Place::Frame(self.frame_slot(self.size(ty), self.unit.types.align_of(ty))?),
        };
        self.pointer_into(place, d);
        Ok(())
    }

    /// An argument: the value of a scalar, the address of anything else. The callee owns a struct.
    fn argument(&mut self, arg: &Expr, reference: bool, d: Reg) -> Lowered<()> {
        if reference {
            return self.address_to(arg, d);
        }
        if self.is_scalar(&arg.ty) {
            return self.value_to(arg, d);
        }
        let at = self.frame_slot(self.size(&arg.ty), self.unit.types.align_of(&arg.ty))?;
        self.put(arg, Place::Frame(at))?;
        self.emit(Inst::FrameAddress { d, at });
        Ok(())
    }

    /// Expressions that exist in host code only.
    pub(super) fn host(&mut self, host: &Host, e: &Expr, into: Option<Place>) -> Lowered<Reg> {
        match host {
            Host::Launch { kernel, grid, block, shared, stream, args } => {
                self.launch(kernel, [grid, block], [shared, stream], args, e)
            }
            Host::Function(function) => {
                let number = match self.unit.kernel(function) {
                    Some(kernel) => KERNELS + kernel,
                    None => self.unit.function(function, false),
                };
                self.constant(crate::host_memory::function_pointer(number), None)
            }
            Host::IndirectCall(callee, args, destroy) => {
                let aggregate = !e.place && self.is_aggregate(&e.ty);
                let hidden = u32::from(aggregate);
                let pointer = self.temp()?;
                self.value_to(callee, pointer)?;
                let window = self.registers((hidden + args.len() as u32).max(1))?;
                if aggregate {
                    self.result(window, &e.ty, into)?;
                }
                let signature = callee.ty.signature().cloned();
                let params = signature.as_ref().map_or(&[][..], |s| &s.params);
                for (i, arg) in args.iter().enumerate().rev() {
                    let reference = params.get(i).is_some_and(Type::is_reference);
                    let d = window + (hidden + i as u32) as Reg;
                    self.argument(arg, reference, d)?;
                    if let Some(destroy) = destroy.get(i).and_then(Option::as_ref) {
                        let destroy = self.unit.function(destroy, true);
                        self.guard(Place::At(d, 0), destroy)?;
                    }
                }
                self.span = e.span;
                self.emit(Inst::CallIndirect { pointer, window });
                self.next = u32::from(window) + 1;
                Ok(window)
            }
            Host::Library(index, args) => {
                let args: Vec<&Expr> = args.iter().collect();
                self.library(Library::at(*index), &args, e)
            }
            Host::LaunchPointer { pointer, grid, block, args, shared, stream } => {
                let cooperative = Expr::new(ExprKind::Int(0), Prim::Int.into(), e.span);
                let args = [pointer, grid, block, args, shared, stream, &cooperative];
                self.library(Library::CudaLaunch, &args, e)
            }
            Host::New { element, count, own, make } => {
                self.new_object(element, count.as_ref(), own.as_ref(), make.as_ref(), e)
            }
            Host::Delete { pointer, array, destroy } => {
                self.delete(pointer, *array, destroy.as_ref(), e)
            }
            Host::Throw(Some(value)) => {
                let element = self.unit.exception(&value.ty);
                let p = self.temp()?;
                self.span = e.span;
                self.emit(Inst::ExceptionRoom { element, d: p });
                self.put(value, Place::At(p, 0))?;
                self.span = e.span;
                self.emit(Inst::Throw { element, p });
                Ok(p)
            }
            Host::Built(place, destroy) => {
                self.built(place, destroy)?;
                self.temp()
            }
            Host::Begin(place, value) => {
                let at = self.place(place)?;
                let at = self.settle(at)?;
                self.put(value, at)?;
                self.temp()
            }
            Host::Throw(None) => {
                self.emit(Inst::Rethrow);
                self.temp()
            }
            Host::Global(_) | Host::Temporary(..) => {
                self.unsupported(e.span, format!("{} as a call", host.construct()))
            }
        }
    }

    fn library(&mut self, function: Library, args: &[&Expr], e: &Expr) -> Lowered<Reg> {
        let window = self.registers((args.len() as u32).max(1))?;
        for (i, arg) in args.iter().enumerate().rev() {
            self.argument(arg, false, window + i as Reg)?;
        }
        let fixed = function.fixed();
        let mut extra = 0;
        if args.len() > fixed {
            let prims: Vec<Prim> = args[fixed..]
                .iter()
                .map(|a| self.unit.types.scalar(&a.ty).unwrap_or(Prim::ULong))
                .collect();
            self.out.extra.push(prims);
            extra = self.out.extra.len() as u16;
        }
        self.span = e.span;
        self.emit(Inst::Library { function, window, count: args.len() as u16, extra });
        self.next = u32::from(window) + 1;
        Ok(window)
    }

    /// `printf` in a `__host__ __device__` function, called on the host.
    pub(super) fn print(&mut self, format: &[u8], args: &[Expr], e: &Expr) -> Lowered<Reg> {
        let window = self.registers(1 + args.len() as u32)?;
        for (i, arg) in args.iter().enumerate().rev() {
            self.argument(arg, false, window + 1 + i as Reg)?;
        }
        let text = self.unit.text(format);
        self.emit(Inst::Literal { d: window, text });
        let prims: Vec<Prim> =
            args.iter().map(|a| self.unit.types.scalar(&a.ty).unwrap_or(Prim::ULong)).collect();
        self.out.extra.push(prims);
        let extra = self.out.extra.len() as u16;
        self.span = e.span;
        let count = args.len() as u16 + 1;
        self.emit(Inst::Library { function: Library::Printf, window, count, extra });
        self.next = u32::from(window) + 1;
        Ok(window)
    }

    fn launch(
        &mut self,
        kernel: &Rc<Function>,
        shape: [&Expr; 2],
        numbers: [&Expr; 2],
        args: &[Expr],
        e: &Expr,
    ) -> Lowered<Reg> {
        let Some(kernel) = self.unit.kernel(kernel) else {
            let what = "a launch of a kernel that is not among the program's";
            return self.unsupported(e.span, what);
        };
        let window = self.registers(5)?;
        for (i, shape) in shape.into_iter().enumerate() {
            self.argument(shape, false, window + i as Reg)?;
        }
        for (i, number) in numbers.into_iter().enumerate() {
            self.value_to(number, window + 2 + i as Reg)?;
        }
        let mut bytes = 0;
        let offsets: Vec<u64> = args
            .iter()
            .map(|arg| {
                let at = align_up(bytes, self.unit.types.align_of(&arg.ty));
                bytes = at + self.size(&arg.ty);
                at
            })
            .collect();
        let at = self.frame_slot(bytes, 16)?;
        for (arg, offset) in args.iter().zip(offsets) {
            let place = Place::Frame(at + offset as u32);
            self.put(arg, place)?;
            // The kernel has a copy of the bytes. Of these the caller disposes, as after any call.
            if let Some(destroy) = self.unit.destroyer(&arg.ty) {
                self.guard(place, destroy)?;
            }
        }
        self.emit(Inst::FrameAddress { d: window + 4, at });
        self.span = e.span;
        let site = self.unit.code.launches.len() as u32;
        self.unit.code.launches.push(LaunchSite { kernel });
        self.emit(Inst::Launch { site, window });
        self.next = u32::from(window) + 1;
        Ok(window)
    }

    fn new_object(
        &mut self,
        element: &Type,
        count: Option<&Expr>,
        own: Option<&OwnRoom>,
        make: Option<&Expr>,
        e: &Expr,
    ) -> Lowered<Reg> {
        let d = self.temp()?;
        let number = self.unit.element(element);
        let n = self.temp()?;
        match count {
            Some(count) => {
                let prim = self.unit.types.scalar(&count.ty).unwrap_or(Prim::ULong);
                let a = self.value(count)?;
                self.emit(Inst::Convert { from: prim, to: Prim::LongLong, d: n, a });
            }
            None => self.emit(Inst::Const { d: n, bits: 1 }),
        }
        self.span = e.span;
        match own {
            Some(own) => self.value_to(&own.room, d)?,
            None => self.emit(Inst::New { element: number, array: count.is_some(), d, count: n }),
        }
        let Some(make) = make else { return Ok(d) };
        let ty = element.unqualified();
        let free = match own {
            Some(own) => own.free.as_ref().map(|free| self.unit.function(free, false)),
            None if count.is_some() => Some(cleanup::FREE_ARRAY),
            None => Some(cleanup::FREE),
        };
        let mark = self.free_if_not_built(d, free, make)?;
        if count.is_none() {
            self.current.push((Place::At(d, 0), ty, None));
            self.effect(make)?;
            self.current.pop();
            if mark.is_some() {
                self.emit(Inst::DropCleanup { p: d });
            }
            return Ok(d);
        }
        let destroy = self.unit.destroyer(element).filter(|_| mark.is_some());
        let (at, left, size) = (self.temp()?, self.temp()?, self.size(element));
        let (one, top, end) = (self.temp()?, self.label(), self.label());
        self.emit(Inst::Move { d: at, a: d });
        self.emit(Inst::Move { d: left, a: n });
        self.emit(Inst::Const { d: one, bits: 1 });
        self.bind(top);
        self.emit(Inst::Branch { cond: left, when: false, to: end });
        self.current.push((Place::At(at, 0), ty, None));
        self.full(|l| l.effect(make))?;
        self.current.pop();
        if let Some(function) = destroy {
            self.emit(Inst::PushCleanup { p: at, function });
        }
        self.emit(Inst::Offset { d: at, a: at, offset: size as i32 });
        self.emit(Inst::Binary { op: BinOp::Sub, ty: Ty::U64, d: left, a: left, b: one });
        self.emit(Inst::Jump { to: top });
        self.bind(end);
        if let Some(mark) = mark {
            self.emit(Inst::ForgetCleanups { mark });
        }
        Ok(d)
    }

    fn delete(
        &mut self,
        pointer: &Expr,
        array: bool,
        destroy: Option<&Rc<Function>>,
        e: &Expr,
    ) -> Lowered<Reg> {
        let p = self.temp()?;
        self.value_to(pointer, p)?;
        let end = self.label();
        self.emit(Inst::Branch { cond: p, when: false, to: end });
        if let Some(destroy) = destroy {
            let number = self.unit.function(destroy, true);
            if array {
                let size = pointer.ty.pointee().map_or(1, |t| self.size(t));
                let (at, left, one) = (self.temp()?, self.temp()?, self.temp()?);
                let (top, done) = (self.label(), self.label());
                self.emit(Inst::Length { d: left, p });
                self.emit(Inst::Step { d: at, a: p, b: left, scale: size as i32 });
                self.emit(Inst::Const { d: one, bits: 1 });
                self.bind(top);
                self.emit(Inst::Branch { cond: left, when: false, to: done });
                self.emit(Inst::Offset { d: at, a: at, offset: -(size as i32) });
                let window = self.temp()?;
                self.emit(Inst::Move { d: window, a: at });
                self.emit(Inst::Call { function: number, window });
                self.emit(Inst::Binary { op: BinOp::Sub, ty: Ty::U64, d: left, a: left, b: one });
                self.emit(Inst::Jump { to: top });
                self.bind(done);
            } else {
                let window = self.temp()?;
                self.emit(Inst::Move { d: window, a: p });
                self.emit(Inst::Call { function: number, window });
            }
        }
        self.span = e.span;
        self.emit(Inst::Delete { p, array });
        self.bind(end);
        Ok(p)
    }
}
