//! Lvalues: where variables, elements and members are.

use super::{Lower, Lowered};
use crate::bytecode::{Global, Indexed, Inst, Reg, Width};
use simt::sema::tree::{Expr, ExprKind, Host, HostGlobalId, VarId};
use simt::sema::types::Prim;
use simt::sema::types::{Kind, Type};

/// A place: where a variable, an element or a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Reg(Reg),
    /// In the function's frame.
    Frame(u32),
    /// At a pointer.
    At(Reg, i32),
    /// An element. The register of its index must not change before the place is used.
    Element(Indexed),
}

impl Lower<'_, '_> {
    /// A variable's home; it gets one if it has none.
    pub(super) fn home(&mut self, id: VarId) -> Lowered<Place> {
        if let Some(place) = self.homes[id as usize] {
            return Ok(place);
        }
        if let Some(global) = self.arrays.get(&id).copied() {
            let d = self.temp()?;
            self.emit(Inst::GlobalAddress { d, global });
            return Ok(Place::At(d, 0));
        }
        // A temporary of an expression has no declaration. It lives in the frame, because a call in
        // between would overwrite a register.
        let var = &self.function.vars[id as usize];
        let (ty, align) = (var.ty.clone(), var.align);
        let at = self.frame_slot(self.size(&ty), align.max(self.unit.types.align_of(&ty)))?;
        self.homes[id as usize] = Some(Place::Frame(at));
        Ok(Place::Frame(at))
    }

    /// Gives a variable its home at its declaration.
    pub(super) fn make_home(&mut self, id: VarId) -> Lowered<Place> {
        let var = &self.function.vars[id as usize];
        let (ty, align) = (var.ty.clone(), var.align);
        let place = if self.is_scalar(&ty) && !self.memory.contains(&id) {
            Place::Reg(self.temp()?)
        } else {
            let name = var.name.to_string();
            let at = self.frame_slot(self.size(&ty), align.max(self.unit.types.align_of(&ty)))?;
            let vector = matches!(ty.kind, Kind::Struct(_))
                && self.unit.types.spell(&ty).starts_with("std::vector<");
            if let Some(local) = self.out.locals.last_mut() {
                (local.name, local.vector) = (name, vector);
            }
            Place::Frame(at)
        };
        self.homes[id as usize] = Some(place);
        self.declared.push(id);
        Ok(place)
    }

    /// Gives a local array an object of its own; it still counts as part of the frame.
    pub(super) fn make_array(&mut self, id: VarId) -> Lowered<()> {
        let function = self.function.clone();
        let var = &function.vars[id as usize];
        let bytes = self.size(&var.ty);
        self.frame_slot(bytes, 1)?;
        let global = self.unit.code.globals.len() as u32;
        let object = Global {
            name: var.name.to_string(),
            bytes,
            element: self.unit.element_of(self.array_in(&var.ty)),
            span: self.span,
            init: None,
            lazy: true,
            thread_local: false,
            destroy: None,
        };
        self.unit.code.globals.push(object);
        self.out.arrays.push(global);
        self.arrays.insert(id, global);
        Ok(())
    }

    /// The thread's variables begin, if this is the first use of one of them.
    fn begin_thread(&mut self, used: HostGlobalId) -> Lowered<()> {
        let at_use = self.unit.host_globals.get(used.index()).is_some_and(|global| global.at_use);
        let Some((guard, begin)) = self.unit.begin_thread.filter(|_| at_use) else {
            return Ok(());
        };
        let call = ExprKind::Call(begin.clone(), None, Vec::new());
        let call = Expr::new(call, Prim::Void.into(), self.span);
        let (next, frame) = (self.next, self.frame);
        self.once(*guard, |l| l.call_expr(&call, None).map(|_| ()))?;
        (self.next, self.frame) = (next, frame);
        Ok(())
    }

    /// The place that an expression names; a value is put into a temporary.
    pub(super) fn place(&mut self, e: &Expr) -> Lowered<Place> {
        self.depth += 1;
        if self.depth > super::value::MAX_DEPTH {
            return self.unsupported(e.span, super::value::too_deep());
        }
        let place = self.place_inner(e);
        self.depth -= 1;
        place
    }

    /// A member of a variable.
    pub(super) fn member_of(&mut self, id: VarId, member: u32, of: &Expr) -> Lowered<Place> {
        let Kind::Struct(class) = of.ty.kind else {
            return self.unsupported(of.span, "a member of what is no class");
        };
        let offset = self.unit.types.get(class).fields[member as usize].offset;
        let place = self.home(id)?;
        self.beside(place, offset)
    }

    fn place_inner(&mut self, e: &Expr) -> Lowered<Place> {
        self.span = e.span;
        Ok(match &e.kind {
            // Whoever has the place may write there.
            ExprKind::Var(id) => {
                self.mark_assigned((*id, None));
                self.home(*id)?
            }
            ExprKind::Global(index) => {
                let d = self.temp()?;
                self.emit(Inst::Symbol { d, global: index.index() as u16 });
                Place::At(d, 0)
            }
            ExprKind::This => match self.this {
                Some(this) => Place::At(this, 0),
                None => return self.unsupported(e.span, "`this` outside a member function"),
            },
            ExprKind::Deref(p) => match &p.kind {
                ExprKind::PointerAdd(base, index, minus) => {
                    let size = self.size(p.ty.pointee().unwrap_or(&p.ty)).max(1);
                    let base = self.value_kept(base, index)?;
                    self.step(base, index, size, *minus)?
                }
                _ => Place::At(self.value(p)?, 0),
            },
            ExprKind::Index(base, index) => self.element(base, index, &e.ty)?,
            ExprKind::Member(of, number) if matches!(of.kind, ExprKind::Var(_)) => {
                let ExprKind::Var(id) = of.kind else { unreachable!("it is a variable") };
                self.mark_assigned((id, Some(*number)));
                self.member_of(id, *number, of)?
            }
            ExprKind::Member(inner, number) => {
                let Kind::Struct(of) = inner.ty.kind else {
                    return self.unsupported(e.span, "a member of what is no class");
                };
                let offset = self.unit.types.get(of).fields[*number as usize].offset;
                let place = self.place(inner)?;
                self.beside(place, offset)?
            }
            ExprKind::Text(text) => {
                let text = self.unit.text(text);
                let d = self.temp()?;
                self.emit(Inst::Literal { d, text });
                Place::At(d, 0)
            }
            ExprKind::Current => match self.current.last() {
                Some((place, ..)) => *place,
                None => return self.unsupported(e.span, "the old value outside an update"),
            },
            ExprKind::Assign(place, value) => self.assign(place, value)?,
            ExprKind::Update { place, value, .. } if e.place => self.update(place, value)?,
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.place(b)?
            }
            ExprKind::Cond(cond, a, b) if e.place => {
                let (other, end) = (self.label(), self.label());
                let d = self.temp()?;
                self.branch(cond, false, other)?;
                self.address_to(a, d)?;
                self.emit(Inst::Jump { to: end });
                self.bind(other);
                self.address_to(b, d)?;
                self.bind(end);
                Place::At(d, 0)
            }
            ExprKind::Call(..) | ExprKind::RecursiveCall(..) if e.place => {
                let window = self.call_expr(e, None)?;
                Place::At(window, 0)
            }
            ExprKind::Bits(inner) if e.place => self.place(inner)?,
            ExprKind::Cast(inner) if e.place && inner.place => self.place(inner)?,
            ExprKind::Host(host) => match &**host {
                Host::Global(index) => {
                    self.begin_thread(*index)?;
                    let d = self.temp()?;
                    self.emit(Inst::GlobalAddress { d, global: index.index() as u32 });
                    Place::At(d, 0)
                }
                Host::Temporary(value, destroy) => {
                    let place = self.temporary(value)?;
                    if let Some(destroy) = destroy {
                        let function = self.unit.function(destroy, true);
                        self.guard(place, function)?;
                    }
                    place
                }
                Host::IndirectCall(..) if e.place => {
                    let window = self.call_expr(e, None)?;
                    Place::At(window, 0)
                }
                _ => self.temporary(e)?,
            },
            _ => self.temporary(e)?,
        })
    }

    /// A value in a temporary in the frame.
    fn temporary(&mut self, e: &Expr) -> Lowered<Place> {
        let at = self.frame_slot(self.size(&e.ty), self.unit.types.align_of(&e.ty))?;
        self.put(e, Place::Frame(at))?;
        Ok(Place::Frame(at))
    }

    fn element(&mut self, base: &Expr, index: &Expr, ty: &Type) -> Lowered<Place> {
        let size = self.size(ty);
        if let Kind::Array(..) = base.ty.kind {
            let place = self.place(base)?;
            if let Some(index) = index.as_int()
                && let Ok(step) = i32::try_from(index * i128::from(size))
            {
                match place {
                    Place::Frame(at) if step >= 0 => {
                        // An index out of bounds stays within the stack object, and is checked there.
                        let length = self.size(&base.ty) as i32;
                        if step < length {
                            return Ok(Place::Frame(at + step as u32));
                        }
                    }
                    Place::At(p, at) => {
                        if let Some(offset) = at.checked_add(step) {
                            return Ok(Place::At(p, offset));
                        }
                    }
                    _ => {}
                }
            }
            let start = self.pointer_to(place)?;
            return self.step(start, index, size, false);
        }
        if let Some(index) = index.as_int()
            && let Ok(step) = i32::try_from(index * i128::from(size))
        {
            let p = self.value(base)?;
            return Ok(Place::At(p, step));
        }
        let p = self.value_kept(base, index)?;
        self.step(p, index, size, false)
    }

    /// `start + index * size`, as a place.
    pub(super) fn step(
        &mut self,
        start: Reg,
        index: &Expr,
        size: u64,
        minus: bool,
    ) -> Lowered<Place> {
        let prim = self.unit.types.scalar(&index.ty).unwrap_or(Prim::Int);
        let scale = if minus { -i128::from(size) } else { i128::from(size) };
        if let Some(index) = index.as_int()
            && let Ok(offset) = i32::try_from(index * scale)
        {
            return Ok(Place::At(start, offset));
        }
        let b = self.value(index)?;
        if let Ok(scale) = i16::try_from(scale) {
            let width = match prim.size() {
                8 => Width::Full,
                _ if prim.is_signed() => Width::Signed32,
                _ => Width::Unsigned32,
            };
            let at = Indexed { p: start, index: b, scale, offset: 0, width };
            return Ok(Place::Element(at));
        }
        let b = if prim.size() == 8 {
            b
        } else {
            let d = self.temp()?;
            self.emit(Inst::Convert { from: prim, to: Prim::LongLong, d, a: b });
            d
        };
        let d = self.temp()?;
        let scale = i32::try_from(scale).unwrap_or(i32::MAX);
        self.emit(Inst::Step { d, a: start, b, scale });
        Ok(Place::At(d, 0))
    }

    /// The same place, independent of registers that may change before it is used.
    pub(super) fn settle(&mut self, place: Place) -> Lowered<Place> {
        match place {
            Place::Element(_) => Ok(Place::At(self.pointer_to(place)?, 0)),
            _ => Ok(place),
        }
    }

    /// The place some bytes further.
    pub(super) fn beside(&mut self, place: Place, offset: u64) -> Lowered<Place> {
        Ok(match place {
            Place::Frame(at) => Place::Frame(at + offset as u32),
            Place::At(p, at) => match i32::try_from(i64::from(at) + offset as i64) {
                Ok(at) => Place::At(p, at),
                Err(_) => return self.unsupported(self.span, "a value of more than 2 GiB"),
            },
            Place::Element(at) => match u16::try_from(u64::from(at.offset) + offset) {
                Ok(offset) => Place::Element(Indexed { offset, ..at }),
                Err(_) => {
                    let settled = self.settle(place)?;
                    self.beside(settled, offset)?
                }
            },
            Place::Reg(_) => {
                return self.unsupported(self.span, "a member of a value in a register");
            }
        })
    }

    /// A place's address, in a register. If the place is a register, its variable needs memory, and
    /// the function is lowered again.
    pub(super) fn pointer_to(&mut self, place: Place) -> Lowered<Reg> {
        if let Place::At(p, 0) = place {
            return Ok(p);
        }
        let d = self.temp()?;
        self.pointer_into(place, d);
        Ok(d)
    }

    /// The same in this register, if one is given.
    pub(super) fn address(&mut self, place: Place, into: Option<Reg>) -> Lowered<Reg> {
        let Some(d) = into else { return self.pointer_to(place) };
        self.pointer_into(place, d);
        Ok(d)
    }

    pub(super) fn pointer_into(&mut self, place: Place, d: Reg) {
        match place {
            Place::Frame(at) => self.emit(Inst::FrameAddress { d, at }),
            Place::At(p, 0) if p == d => {}
            Place::At(p, 0) => self.emit(Inst::Move { d, a: p }),
            Place::At(p, offset) => self.emit(Inst::Offset { d, a: p, offset }),
            Place::Element(at) => self.emit(Inst::IndexAddress { d, at }),
            Place::Reg(reg) => {
                let found = self.homes.iter().position(|home| *home == Some(Place::Reg(reg)));
                if let Some(id) = found {
                    self.memory.insert(id as VarId);
                }
                self.emit(Inst::Const { d, bits: 0 });
            }
        }
    }

    /// `&place`, or an array as a pointer to its first element.
    pub(super) fn address_of(&mut self, inner: &Expr, into: Option<Reg>) -> Lowered<Reg> {
        let place = self.place(inner)?;
        if !self.is_device_variable(inner) {
            return self.address(place, into);
        }
        let a = self.address(place, None)?;
        let d = self.target(into)?;
        self.emit(Inst::HostCopy { d, a });
        Ok(d)
    }

    /// Whether a place is a `__device__` variable or a part of one, which the host cannot access.
    fn is_device_variable(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Global(index) => !self.unit.device_globals[index.index()].managed,
            ExprKind::Member(inner, _) => self.is_device_variable(inner),
            _ => false,
        }
    }

    /// The address of what an expression names.
    pub(super) fn address_to(&mut self, e: &Expr, d: Reg) -> Lowered<()> {
        let place = self.place(e)?;
        self.pointer_into(place, d);
        Ok(())
    }
}
