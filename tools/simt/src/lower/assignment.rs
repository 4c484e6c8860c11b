//! Assignments: `=`, compound assignments, `++` and `--`, and the definedness of their targets.

use super::kernel::{Lower, Lowered};
use super::layout;
use super::location::Location;
use crate::isa::{Inst, Reg};
use crate::sema::tree::{Expr, ExprKind};

/// What an assignment leaves behind.
pub(super) struct Assigned {
    /// The target.
    pub(super) location: Location,
    /// The value, unless it is an aggregate in memory.
    pub(super) value: Option<Reg>,
}

impl Lower<'_> {
    /// The register of a location that is in registers.
    fn register_of(&mut self, place: &Expr) -> Lowered<Option<Reg>> {
        if matches!(place.kind, ExprKind::Var(_) | ExprKind::Member(..) | ExprKind::This)
            && let Location::Reg(reg) = self.location(place)?
        {
            return Ok(Some(reg));
        }
        Ok(None)
    }

    /// `place = value`.
    pub(super) fn assign(&mut self, place: &Expr, value: &Expr) -> Lowered<Assigned> {
        if layout::leaves(self.types, &place.ty).is_none() {
            let location = self.replace(place, value)?;
            return Ok(Assigned { location, value: None });
        }
        // The value of a variable in registers is computed into these registers.
        if let Some(d) = self.register_of(place)? {
            self.value_into(value, d)?;
            self.mark_defined(place);
            return Ok(Assigned { location: Location::Reg(d), value: Some(d) });
        }
        let from = self.value_before(value, &[place])?;
        let location = self.location(place)?;
        let volatile = Self::is_volatile(&place.ty);
        self.store_value(&location, &place.ty, from, place.span, volatile)?;
        self.mark_defined(place);
        Ok(Assigned { location, value: Some(from) })
    }

    /// `place op= value`, `++place`, `place++`: the target, and the value of the expression.
    pub(super) fn update(
        &mut self,
        place: &Expr,
        value: &Expr,
        post: bool,
        partial: bool,
        into: Option<Reg>,
    ) -> Lowered<(Location, Reg)> {
        let right = self.right_side_first(place, value)?;
        let target = self.location(place)?;
        let evaluated = self.evaluated.len();
        self.evaluated.extend(right.map(|(e, reg)| (std::ptr::from_ref(e), reg)));
        let made = self.update_at(target, place, value, post, partial, into);
        self.evaluated.truncate(evaluated);
        made
    }

    fn update_at(
        &mut self,
        target: Location,
        place: &Expr,
        value: &Expr,
        post: bool,
        partial: bool,
        into: Option<Reg>,
    ) -> Lowered<(Location, Reg)> {
        let wide = self.types.scalar(&place.ty).is_some_and(|p| p.size() == 8);
        if partial {
            self.mark_defined(place);
        } else {
            self.check_defined(place);
        }
        match target {
            Location::Reg(reg) => {
                let mut result = reg;
                if post {
                    result = self.target(into.filter(|d| *d != reg), wide);
                    self.code.emit(place.span, Inst::Mov { wide, d: result, a: reg });
                }
                self.current.push((target, place.ty.clone(), place.span));
                let made = self.value_into(value, reg);
                self.current.pop();
                made?;
                Ok((target, result))
            }
            Location::Mem(_) => {
                // The old value is loaded once, where the update needs it.
                self.current.push((target, place.ty.clone(), place.span));
                let mut old = None;
                if post {
                    let reg = self.load(&target, &place.ty, None, place.span)?;
                    old = Some(reg);
                    self.current.pop();
                    self.current.push((Location::Reg(reg), place.ty.clone(), place.span));
                }
                let made = self.value(value);
                self.current.pop();
                let new = made?;
                self.store_value(
                    &target,
                    &place.ty,
                    new,
                    place.span,
                    Self::is_volatile(&place.ty),
                )?;
                Ok((target, old.unwrap_or(new)))
            }
        }
    }

    /// Marks a variable, or a member of it, as defined.
    pub(super) fn mark_defined(&mut self, place: &Expr) {
        let path = place.path().or_else(|| place.whole().map(|id| (id, None)));
        let Some((id, member)) = path else { return };
        for (part, variable) in self.definedness_slots(id) {
            if member.is_none() || part.is_none() || part == member {
                self.code.emit(place.span, Inst::Define { variable });
            }
        }
    }

    /// Emits the check that a variable, or a member of it, is defined.
    pub(super) fn check_defined(&mut self, place: &Expr) {
        if let Some((id, member)) = place.path()
            && let Some(variable) =
                self.definedness_slot(id, member).or_else(|| self.definedness_slot(id, None))
        {
            self.code.emit(place.span, Inst::CheckDefined { variable });
        }
    }
}
