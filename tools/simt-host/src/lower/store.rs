//! Objects in memory: loads, stores, initialisation of arrays and structs, assignment.

use super::assigned::part;
use super::place::Place;
use super::value::{MAX_DEPTH, ends_in_one, is_plain, names_place};
use super::{Lower, Lowered};
use crate::bytecode::{Inst, Reg};
use simt::sema::tree::{Expr, ExprKind, Host};
use simt::sema::types::Prim;
use simt::sema::types::{Kind, Type};

impl Lower<'_, '_> {
    /// Loads the value of a place.
    pub(super) fn load(&mut self, place: Place, ty: &Type, into: Option<Reg>) -> Lowered<Reg> {
        if let (Place::Reg(reg), None) = (place, into) {
            return Ok(reg);
        }
        let d = self.target(into)?;
        self.load_to(place, ty, d)?;
        Ok(d)
    }

    pub(super) fn load_to(&mut self, place: Place, ty: &Type, d: Reg) -> Lowered<()> {
        let Some(prim) = self.unit.types.scalar(ty) else {
            let what = format!("a `{}` as one value", self.unit.types.spell(ty));
            return self.unsupported(self.span, what);
        };
        let ty = prim.memory();
        match place {
            Place::Reg(a) if a == d => {}
            Place::Reg(a) => self.emit(Inst::Move { d, a }),
            Place::Frame(at) => self.emit(Inst::LoadFrame { ty, d, at }),
            Place::At(p, offset) => self.emit(Inst::Load { ty, d, p, offset }),
            Place::Element(at) => self.emit(Inst::LoadIndex { ty, d, at }),
        }
        Ok(())
    }

    pub(super) fn store(&mut self, place: Place, ty: &Type, a: Reg) -> Lowered<()> {
        let Some(prim) = self.unit.types.scalar(ty) else {
            let what = format!("a `{}` as one value", self.unit.types.spell(ty));
            return self.unsupported(self.span, what);
        };
        let ty = prim.memory();
        match place {
            Place::Reg(d) if a == d => {}
            Place::Reg(d) => self.emit(Inst::Move { d, a }),
            Place::Frame(at) => self.emit(Inst::StoreFrame { ty, a, at }),
            Place::At(p, offset) => self.emit(Inst::Store { ty, a, p, offset }),
            Place::Element(at) => self.emit(Inst::StoreIndex { ty, a, at }),
        }
        Ok(())
    }

    /// Initialises a place with a value.
    pub(super) fn put(&mut self, e: &Expr, place: Place) -> Lowered<()> {
        if self.is_scalar(&e.ty) {
            if let Place::Reg(d) = place {
                return self.value_to(e, d);
            }
            let a = self.value(e)?;
            self.span = e.span;
            return self.store(place, &e.ty, a);
        }
        if e.ty.is(Prim::Void) {
            return self.effect(e);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.unsupported(e.span, super::value::too_deep());
        }
        let done = self.aggregate(e, place);
        self.depth -= 1;
        done
    }

    /// An array or a struct.
    fn aggregate(&mut self, e: &Expr, place: Place) -> Lowered<()> {
        self.span = e.span;
        match &e.kind {
            ExprKind::Make(parts) => {
                let offsets = self.offsets(&e.ty, parts.len());
                self.parts(parts, &offsets, place)
            }
            ExprKind::Zero => {
                let bytes = self.size(&e.ty) as u32;
                let to = self.pointer_to(place)?;
                self.emit(Inst::Clear { to, bytes });
                Ok(())
            }
            ExprKind::Comma(a, b) if !e.place => {
                // The constructor initialises the place directly (copy elision).
                if let (ExprKind::Var(id), ExprKind::Call(_, Some(object), _)) = (&b.kind, &a.kind)
                    && matches!(object.kind, ExprKind::Var(of) if of == *id)
                    && self.homes[*id as usize].is_none()
                {
                    let at = match place {
                        Place::At(p, offset) => {
                            let d = self.temp()?;
                            self.pointer_into(Place::At(p, offset), d);
                            Place::At(d, 0)
                        }
                        other => other,
                    };
                    self.homes[*id as usize] = Some(at);
                    let done = self.effect(a);
                    self.homes[*id as usize] = None;
                    return done;
                }
                self.effect(a)?;
                self.put(b, place)
            }
            ExprKind::Cond(cond, a, b) if !e.place => {
                let (other, end) = (self.label(), self.label());
                self.branch(cond, false, other)?;
                self.put(a, place)?;
                self.emit(Inst::Jump { to: end });
                self.bind(other);
                self.put(b, place)?;
                self.bind(end);
                Ok(())
            }
            ExprKind::Call(..) | ExprKind::RecursiveCall(..) if !e.place => {
                self.call_expr(e, Some(place)).map(|_| ())
            }
            ExprKind::Host(host) if !e.place => match &**host {
                Host::IndirectCall(..) | Host::Library(..) => {
                    self.host(host, e, Some(place)).map(|_| ())
                }
                _ => self.copy_from(e, place),
            },
            ExprKind::Bits(inner) | ExprKind::Cast(inner)
                if !e.place && self.size(&inner.ty) == self.size(&e.ty) =>
            {
                self.put(inner, place)
            }
            ExprKind::Text(text) => {
                // An array of `char`, initialised with a string literal.
                let bytes = self.size(&e.ty);
                let to = self.pointer_to(place)?;
                let known = (text.len() as u64 + 1).min(bytes);
                let text = self.unit.text(text);
                let from = self.temp()?;
                self.emit(Inst::Clear { to, bytes: bytes as u32 });
                self.emit(Inst::Literal { d: from, text });
                self.emit(Inst::Copy { to, from, bytes: known as u32 });
                Ok(())
            }
            _ => self.copy_from(e, place),
        }
    }

    fn copy_from(&mut self, e: &Expr, place: Place) -> Lowered<()> {
        if !names_place(e) {
            let what = format!("a `{}` as one value", self.unit.types.spell(&e.ty));
            return self.unsupported(e.span, what);
        }
        let from = self.place(e)?;
        self.copy(place, from, &e.ty)
    }

    /// Copies an array or struct.
    pub(super) fn copy(&mut self, to: Place, from: Place, ty: &Type) -> Lowered<()> {
        if to == from {
            return Ok(());
        }
        let bytes = self.size(ty) as u32;
        let from = self.pointer_to(from)?;
        let to = self.pointer_to(to)?;
        self.emit(Inst::Copy { to, from, bytes });
        Ok(())
    }

    /// The offsets of the elements of an initialiser list.
    fn offsets(&self, ty: &Type, count: usize) -> Vec<u64> {
        match &ty.kind {
            Kind::Array(element, _) => {
                let size = self.size(element);
                (0..count as u64).map(|i| i * size).collect()
            }
            Kind::Struct(index) => {
                self.unit.types.get(*index).fields.iter().map(|f| f.offset).collect()
            }
            _ => vec![0],
        }
    }

    pub(super) fn assign(&mut self, to: &Expr, value: &Expr) -> Lowered<Place> {
        if self.is_scalar(&to.ty) {
            if let ExprKind::Var(id) = &to.kind
                && let Place::Reg(d) = self.home(*id)?
            {
                self.value_to(value, d)?;
                self.mark_assigned((*id, None));
                return Ok(Place::Reg(d));
            }
            // The right operand is evaluated first.
            let a = self.value_kept(value, to)?;
            let place = self.place(to)?;
            self.span = to.span;
            self.store(place, &to.ty, a)?;
            // A use of the result reads the place again.
            return Ok(place);
        }
        if self.makes(to) {
            let place = self.place(to)?;
            self.put(value, place)?;
            return Ok(place);
        }
        if value.place {
            let from = self.place(value)?;
            let from = self.settle(from)?;
            let place = self.place(to)?;
            self.copy(place, from, &to.ty)?;
            return Ok(place);
        }
        // The value may depend on the old contents of the place.
        let at = self.frame_slot(self.size(&to.ty), self.unit.types.align_of(&to.ty))?;
        self.put(value, Place::Frame(at))?;
        let place = self.place(to)?;
        self.copy(place, Place::Frame(at), &to.ty)?;
        Ok(place)
    }

    /// Whether an assignment to the place makes an object: what `new` makes, or the variable of
    /// an initialiser. Its constructor may keep pointers into it, so it is made where it stays.
    fn makes(&self, to: &Expr) -> bool {
        match &to.kind {
            ExprKind::Current => true,
            ExprKind::Host(host) => {
                matches!(**host, Host::Global(index)
                    if self.begins == Some(index) || self.unit.initialises(index, &self.function))
            }
            _ => false,
        }
    }

    /// `place op= ..`. Returns the place.
    pub(super) fn update(&mut self, place: &Expr, value: &Expr) -> Lowered<Place> {
        let mut at = self.updated(place)?;
        if !is_plain(value) {
            at = self.settle(at)?;
        }
        self.update_at(at, place, value)?;
        Ok(at)
    }

    /// The place of an update, before the value there is read.
    pub(super) fn updated(&mut self, place: &Expr) -> Lowered<Place> {
        match &place.kind {
            ExprKind::Var(id) => self.home(*id),
            ExprKind::Member(of, member) => match of.kind {
                ExprKind::Var(id) => self.member_of(id, *member, of),
                _ => self.place(place),
            },
            _ => self.place(place),
        }
    }

    pub(super) fn update_at(&mut self, at: Place, place: &Expr, value: &Expr) -> Lowered<()> {
        let part = part(place);
        self.current.push((at, place.ty.clone(), part));
        let done = if self.is_scalar(&place.ty) {
            self.put_after(value, at)
        } else {
            let room =
                self.frame_slot(self.size(&place.ty), self.unit.types.align_of(&place.ty))?;
            match self.put(value, Place::Frame(room)) {
                Ok(()) => self.copy(at, Place::Frame(room), &place.ty),
                Err(stop) => Err(stop),
            }
        };
        self.current.pop();
        part.into_iter().for_each(|part| self.mark_assigned(part));
        done
    }

    fn put_after(&mut self, value: &Expr, at: Place) -> Lowered<()> {
        match at {
            Place::Reg(d) if ends_in_one(value) => self.value_to(value, d),
            _ => {
                let a = self.value(value)?;
                self.store(at, &value.ty, a)
            }
        }
    }
}
