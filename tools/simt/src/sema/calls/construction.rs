//! Calls of constructors.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind, Host, Stmt, VarId};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, FunctionId, Side};
use crate::syntax::ast::{self, Prim};

impl Body<'_, '_> {
    /// Direct initialisation by a constructor, a conversion, or a copy.
    pub(in crate::sema) fn construct_values(
        &mut self,
        ty: &Type,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return Err(Reported) };
        if let [one] = values.as_slice()
            && one.ty.kind == ty.kind
        {
            let one = values.into_iter().next().ok_or(Reported)?;
            return self.copied(one);
        }
        let ids = self.sema.definitions.constructors.get(&index).cloned().unwrap_or_default();
        if let [one] = values.as_slice()
            && !ids.iter().any(|id| self.could_take(*id, &values))
        {
            // A copy of what the class converts to, or of an object with this base.
            let one = one.clone();
            if crate::sema::conversions::standard_conversion::fit(
                &self.sema.types,
                &one.ty,
                ty,
                false,
            )
            .is_some()
            {
                return self.convert(one, ty);
            }
            if let Some(value) = self.convert_by_class(&one, ty, true) {
                return value;
            }
        }
        self.construct_with(ty, &ids, values, span)
    }

    /// Overload resolution among these constructors, and the call.
    pub(in crate::sema) fn construct_with(
        &mut self,
        ty: &Type,
        ids: &[FunctionId],
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return Err(Reported) };
        let plain =
            values.is_empty() && self.sema.definitions.classes.get(&index).is_some_and(|c| c.plain);
        if plain {
            let empty = |id: &&FunctionId| self.sema.definitions[**id].ast.params.is_empty();
            if let Some(id) = ids.iter().find(empty) {
                self.check_function(index, *id, span);
            }
            return self.aggregate(ty, index, &[], None, span);
        }
        self.constructed(ty, ids, values, span)
    }

    /// The call of one of these constructors.
    pub(in crate::sema) fn constructed(
        &mut self,
        ty: &Type,
        ids: &[FunctionId],
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return Err(Reported) };
        let name = self.sema.types.get(index).path;
        let (id, bound, params) = self.choose(name, ids, &[], &values, span)?;
        self.check_function(index, id, span);
        // The object is a fresh variable, which the constructor fills in.
        let var = self.fresh(ty, span);
        let object = Expr::place(ExprKind::Var(var), ty.unqualified(), span);
        let call = self.finish(id, bound, &params, Some(object.clone()), values, span)?;
        let kind = ExprKind::Comma(Box::new(call), Box::new(object));
        Ok(Expr::new(kind, ty.unqualified(), span))
    }

    /// The first value of a place that holds no object yet. A constructor that keeps a pointer into
    /// its object makes it there, and not elsewhere for a copy.
    pub(in crate::sema) fn begun(&mut self, place: Expr, value: Expr, span: Span) -> Expr {
        let ty = place.ty.clone();
        if self.side == Side::Host && matches!(ty.kind, Kind::Struct(_) | Kind::Array(..)) {
            let kind = ExprKind::Host(Box::new(Host::Begin(place, value)));
            return Expr::new(kind, Prim::Void.into(), span);
        }
        if let Some(parts) = self.new_parts(&place, &value, span) {
            let none = Expr::new(ExprKind::Zero, Prim::Void.into(), span);
            return parts.into_iter().fold(none, |before, (place, value)| {
                let begun = self.begun(place, value, span);
                let kind = ExprKind::Comma(Box::new(before), Box::new(begun));
                Expr::new(kind, Prim::Void.into(), span)
            });
        }
        if let ExprKind::Comma(call, _) = &value.kind
            && let ExprKind::Call(function, Some(_), args) = &call.kind
            && (self.is_kept(&value) || self.is_new(&value) && self.has_array(&ty))
        {
            self.mark_addressed(&place);
            let kind = ExprKind::Call(function.clone(), Some(Box::new(place)), args.clone());
            return Expr { kind, ..(**call).clone() };
        }
        Expr::place(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span)
    }

    /// What a constructor of the host does once a part of its object is complete: nothing for one
    /// whose destructor is trivial.
    pub(in crate::sema) fn built(&mut self, part: Expr, span: Span) -> Option<Stmt> {
        if self.side == Side::Device {
            return None;
        }
        let destroy = self.sema.destroyer(&part.ty, self.side, span)?;
        let kind = ExprKind::Host(Box::new(Host::Built(part, destroy)));
        Some(Stmt::Expr(Expr::new(kind, Prim::Void.into(), span)))
    }

    /// The statements of a body. Those of a constructor that has built parts of its object are in a
    /// block of their own, whose variables are destroyed before the parts are.
    pub(in crate::sema) fn body_after(&mut self, statements: &[ast::Stmt], built: &mut Vec<Stmt>) {
        let is_built = |stmt: &Stmt| {
            matches!(stmt, Stmt::Expr(Expr { kind: ExprKind::Host(host), .. })
                if matches!(**host, Host::Built(..)))
        };
        if statements.is_empty() && built.last().is_some_and(is_built) {
            // Nothing is left that could throw.
            built.pop();
        }
        if !built.iter().any(is_built) {
            return self.statements(statements, built);
        }
        let mut inner = Vec::new();
        self.statements(statements, &mut inner);
        built.push(Stmt::Block(inner));
    }

    /// The declaration of a variable with this value. In a kernel, a constructor that keeps a
    /// pointer into it is called for the variable, which then lives in memory.
    pub(in crate::sema) fn push_declaration(
        &mut self,
        id: VarId,
        ty: &Type,
        init: Option<Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let place = Expr::place(ExprKind::Var(id), ty.unqualified(), span);
        let (init, made) = match init {
            Some(value) if self.side == Side::Device && self.is_kept(&value) => {
                (None, Some(self.begun(place, value, span)))
            }
            init => (init, None),
        };
        out.push(Stmt::Declare { var: id, init, span });
        out.extend(made.map(Stmt::Expr));
    }

    /// The places and values of the parts of an array or aggregate, some of which are new objects
    /// with arrays: a copy of them would read what their constructors leave without a value.
    fn new_parts(&mut self, place: &Expr, value: &Expr, span: Span) -> Option<Vec<(Expr, Expr)>> {
        let ExprKind::Make(parts) = &value.kind else { return None };
        if !self.has_array(&value.ty) || !parts.iter().any(|part| self.holds_new(part)) {
            return None;
        }
        let parts = parts.iter().enumerate().map(|(i, part)| {
            let place = match &value.ty.kind {
                Kind::Array(element, _) => self.array_element(place, element, i as u64, span),
                _ => {
                    let kind = ExprKind::Member(Box::new(place.clone()), i as u32);
                    Expr::place(kind, part.ty.unqualified(), span)
                }
            };
            (place, part.clone())
        });
        Some(parts.collect())
    }

    /// Whether the value is a new object with an array, or has one among its parts.
    fn holds_new(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Make(parts) => parts.iter().any(|part| self.holds_new(part)),
            _ => self.is_new(value) && self.has_array(&value.ty),
        }
    }

    /// Whether objects of the type hold an array, and so are in memory.
    fn has_array(&self, ty: &Type) -> bool {
        match &ty.kind {
            Kind::Array(..) => true,
            Kind::Struct(i) => {
                self.sema.types.get(*i).fields.iter().any(|field| self.has_array(&field.ty))
            }
            _ => false,
        }
    }

    /// Whether the value is a new object, made by a constructor.
    fn is_new(&self, value: &Expr) -> bool {
        let ExprKind::Comma(call, made) = &value.kind else { return false };
        let ExprKind::Call(_, Some(object), _) = &call.kind else { return false };
        matches!((&made.kind, &object.kind),
            (ExprKind::Var(made), ExprKind::Var(of)) if made == of)
    }

    /// Whether the value is a new object whose constructor may keep a pointer into it.
    pub(in crate::sema) fn is_kept(&self, value: &Expr) -> bool {
        let ExprKind::Comma(call, _) = &value.kind else { return false };
        let ExprKind::Call(function, ..) = &call.kind else { return false };
        self.is_new(value) && (function.this_addressed || self.side == Side::Host)
    }
}
