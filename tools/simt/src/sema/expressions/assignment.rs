//! Assignment, plain and compound, and what may be assigned to.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::expressions::id_expression::stored;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::Kind;
use crate::sema::{Checked, Entity};
use crate::syntax::ast::{self, BinaryOp, Prim};
use crate::syntax::name::Path;

impl Body<'_, '_> {
    pub(in crate::sema) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        place: &ast::Expr,
        value: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let left = self.expr(place);
        let right = match (&value.kind, &left) {
            (ast::ExprKind::List(_) | ast::ExprKind::Designated(_), Ok(left)) if op.is_none() => {
                let ty = left.ty.unqualified();
                self.list_value(&ty, value, value.span)
            }
            (_, Ok(left)) if op.is_none() => {
                let ty = left.ty.clone();
                self.value_for(value, &ty)
            }
            _ => self.rvalue(value),
        };
        if let Some(bits) = left.as_ref().ok().and_then(|left| self.bits_of(left)) {
            return self.assign_bits(bits, op, right?, false, span);
        }
        if let Ok(left) = &left {
            self.not_constant(place, left)?;
        }
        let (left, right) = (self.as_place(left?), right?);
        if let (Some(op), Kind::Struct(_) | Kind::Enum(_)) = (op, &left.ty.kind) {
            let name = format!("operator{}=", op.text());
            let values = vec![left.clone(), right.clone()];
            if let Some(made) = self.enum_operator(&name, &values, span) {
                return made;
            }
            if let Kind::Struct(_) = left.ty.kind {
                return self.operator_call(name, values, span);
            }
        }
        if let (None, Kind::Struct(index)) = (op, &left.ty.kind) {
            // `tie(a, b) = t`: an operator of its own may mean more than the value that it is
            // called on.
            let own = !left.place && self.sema.find_methods(*index, "operator=").is_some();
            if !own {
                self.writable(&left, place.span)?;
            }
            return self.assign_class(left, right, span);
        }
        let right = if left.ty.is_arithmetic() { self.as_number(right)? } else { right };
        if let Some(half) = self.half_of_variable(&left) {
            return self.assign_half(half, op, right, span);
        }
        self.writable(&left, place.span)?;
        let ty = left.ty.unqualified();
        // `h += 1.0f`: the right side becomes what the left one is.
        let right = if ty.prim().is_some_and(Prim::is_half) && op.is_some() {
            self.convert(right, &ty)?
        } else {
            right
        };
        let Some(op) = op else {
            self.lint_conversion(&right, &ty);
            let right = self.convert(right, &ty)?;
            return Ok(Expr::place(ExprKind::Assign(Box::new(left), Box::new(right)), ty, span));
        };
        let current = Expr::new(ExprKind::Current, ty.clone(), place.span);
        let value = self.combine(op, current, right, span)?;
        self.sema.types.scalar(&ty).ok_or(Reported)?;
        let value = self.cast(value, &ty);
        let (place, value) = (Box::new(left), Box::new(value));
        let kind = ExprKind::Update { place, value, post: false, partial: false };
        Ok(Expr::place(kind, ty, span))
    }

    /// An error for a constant that is assigned to by its name: it is known as its value.
    pub(in crate::sema) fn not_constant(
        &mut self,
        written: &ast::Expr,
        value: &Expr,
    ) -> Checked<()> {
        let ast::ExprKind::Name(name, None) = &written.kind else { return Ok(()) };
        if value.place || !matches!(self.lookup(name), Some(Entity::Constant(_))) {
            return Ok(());
        }
        let what = match value.ty.kind {
            Kind::Enum(_) => "an enumerator",
            _ => "`const`",
        };
        let message = format!("`{name}` is {what}: it cannot be changed");
        let mut diagnostic = Diagnostic::error("type", written.span, message);
        if let Some(Entity::Var(id)) = self.lookup(stored(name)) {
            diagnostic = diagnostic.with_label(self.vars[id as usize].span, "declared here");
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// An error if the place is not assignable; notes that its variable is modified.
    pub(in crate::sema) fn writable(&mut self, place: &Expr, span: Span) -> Checked<()> {
        let text = self.sema.types.spell(&place.ty);
        if !place.place {
            return self.sema.error(
                "type",
                span,
                "this is a value, not a variable: nothing can be assigned to it",
            );
        }
        if matches!(place.ty.kind, Kind::Array(..)) {
            let diagnostic =
                Diagnostic::error("type", span, format!("a whole `{text}` cannot be assigned"))
                    .with_help("copy its elements in a loop");
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        if let Some(name) = self.constant_memory(place) {
            let message = format!("`{name}` is in constant memory: it cannot be changed here");
            let diagnostic = Diagnostic::error("type", span, message)
                .with_help("the host writes it, with `cudaMemcpyToSymbol`");
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        if place.ty.constant {
            let mut diagnostic =
                Diagnostic::error("type", span, format!("this is `{text}`: it cannot be changed"));
            if let Some(var) = root(place) {
                let declared = &self.vars[var as usize];
                diagnostic = diagnostic.with_label(declared.span, "declared here");
            }
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        self.mark_written(place);
        Ok(())
    }
}

impl Body<'_, '_> {
    /// The variable in constant memory that a place is a part of.
    fn constant_memory(&self, place: &Expr) -> Option<Path> {
        match &place.kind {
            ExprKind::Global(index) => {
                let global = &self.sema.storage.globals[index.index()];
                (global.constant && !global.ty.constant).then_some(global.name)
            }
            ExprKind::Member(inner, _) | ExprKind::Decay(inner) | ExprKind::Index(inner, _) => {
                self.constant_memory(inner)
            }
            _ => None,
        }
    }
}

/// The variable that a place is a part of.
fn root(place: &Expr) -> Option<u32> {
    match &place.kind {
        ExprKind::Var(id) => Some(*id),
        ExprKind::Member(inner, _)
        | ExprKind::Decay(inner)
        | ExprKind::Index(inner, _)
        | ExprKind::Deref(inner) => root(inner),
        _ => None,
    }
}
