//! Lambdas: a closure type with the captures as members and an `operator()`.
//!
//! A capture by copy is a member. A capture by reference is a member that points to the variable,
//! which therefore lives in local memory, though nvcc may keep it in a register. `__shared__`
//! variables are not captured, as in CUDA.

use crate::diagnostic::Span;
use crate::sema::body::Body;
use crate::sema::classes::class::MAX_MEMBERS;
use crate::sema::expressions::id_expression::is_stored;
use crate::sema::tree::{Expr, ExprKind, Home, VarId};
use crate::sema::types::{ClassId, Kind, StructInfo, Type};
use crate::sema::{Arg, Checked, Declared, Entity};
use crate::syntax::ast;
use crate::syntax::name::{Name, Path};
use std::collections::HashMap;
use std::rc::Rc;

/// The name of a closure type.
pub(in crate::sema) const CLOSURE: &str = "lambda";

/// A capture.
struct Captured {
    name: Path,
    /// The variable, or its address.
    part: Expr,
    /// Whether the member stands for what it points to.
    reference: bool,
}

/// What the member for an element of a captured pack is called.
fn element(name: &Path, i: usize) -> Path {
    format!("{name}#{i}").into()
}

fn address(place: Expr) -> Expr {
    let (ty, span) = (place.ty.clone().pointer_to(), place.span);
    Expr::new(ExprKind::Address(Box::new(place)), ty, span)
}

impl Body<'_, '_> {
    pub(in crate::sema) fn lambda(&mut self, ast: &ast::Lambda, span: Span) -> Checked<Expr> {
        let captured = self.captured(ast, span)?;
        let mut parts = Vec::new();
        for one in &captured {
            parts.push(self.owned(one.part.clone())?);
        }
        let index = match self.lambdas.get(&(span, Rc::as_ptr(&ast.function))) {
            Some((_, index)) => *index,
            None => {
                let names = self.scopes.iter().map(HashMap::len).sum();
                self.sema.take_steps_for_names(names, span)?;
                self.closure(ast, &captured, span)
            }
        };
        if self.sema.types.get(index).parts > MAX_MEMBERS {
            let what = format!("a lambda of more than {MAX_MEMBERS} captures, with their members");
            return self.sema.unsupported(span, what);
        }
        Ok(Expr::new(ExprKind::Make(parts), Kind::Struct(index).into(), span))
    }

    /// The captures of the lambda.
    fn captured(&mut self, ast: &ast::Lambda, span: Span) -> Checked<Vec<Captured>> {
        let mut out: Vec<Captured> = Vec::new();
        for (name, reference) in &ast.captures {
            if &**name == "this" {
                let Some(object) = self.object_here(span) else {
                    return self.sema.error("name", span, "there is no `this` to capture here");
                };
                out.push(self.captured_object(object, *reference));
                continue;
            }
            match self.lookup(name) {
                Some(Entity::Var(id)) => {
                    out.push(self.captured_variable(&name.into(), id, *reference, span))
                }
                Some(Entity::Vars(ids)) => {
                    self.captured_pack(&name.into(), &ids, *reference, span, &mut out)
                }
                // A constant is not captured.
                Some(Entity::Constant(_) | Entity::Pack(_)) => {}
                _ => {
                    if let Some(place) = self.captured_around(*name, span) {
                        out.push(self.captured_place(&name.into(), place, *reference));
                        continue;
                    }
                    let message = format!("there is no variable `{name}` to capture");
                    return self.sema.error("name", span, message);
                }
            }
        }
        for (name, reference, value) in &ast.values {
            out.push(self.captured_value(&name.into(), *reference, value)?);
        }
        for name in &ast.names {
            if let Some(Entity::StructuredBinding(id, i)) = self.lookup(name)
                && let Some(reference) = ast.default
                && !out.iter().any(|c| *name == c.name)
            {
                let whole = Expr::place(ExprKind::Var(id), self.vars[id as usize].ty.clone(), span);
                let place = self.part(whole, i, span);
                out.push(self.captured_place(&name.into(), place, reference));
                continue;
            }
            let local = self.scopes.iter().rev().find_map(|s| s.get(&name.into())).cloned();
            if let (Some(Entity::Vars(ids)), Some(reference)) = (&local, ast.default)
                && !ast.captures.iter().any(|(n, _)| n == name)
            {
                self.captured_pack(&name.into(), ids, reference, span, &mut out);
            }
            if out.iter().any(|c| *name == c.name) {
                continue;
            }
            if let (None, Some(reference)) = (&local, ast.default)
                && let Some(place) = self.captured_around(*name, span)
            {
                out.push(self.captured_place(&name.into(), place, reference));
            }
            let Some(Entity::Var(id)) = local else { continue };
            if self.vars[id as usize].home != Home::Own {
                out.push(self.captured_variable(&name.into(), id, true, span));
            } else if let Some(reference) = ast.default {
                out.push(self.captured_variable(&name.into(), id, reference, span));
            }
        }
        // A default capture captures `this`, if the lambda names a member.
        if ast.default.is_some()
            && !out.iter().any(|c| c.name.is("this"))
            && let Some(object) = self.object_here(span)
            && let Kind::Struct(index) = object.ty.kind
        {
            let known = |n: &&Name| {
                &***n == "this"
                    || self.sema.types.find(index, *n).is_some()
                    || self.sema.find_methods(index, *n).is_some()
            };
            if ast.names.iter().find(known).is_some() {
                out.push(self.captured_object(object, true));
            }
        }
        Ok(out)
    }

    /// The variables that the lambda around this one captured.
    fn captured_by_lambda_around(&self) -> Vec<Path> {
        let Some(Kind::Struct(index)) = self.frame.this.as_ref().map(|this| &this.kind) else {
            return Vec::new();
        };
        let info = self.sema.types.get(*index);
        let is_variable = |name: &Path| info.path.is(CLOSURE) && !name.is("this");
        info.fields.iter().map(|field| field.name).filter(is_variable).collect()
    }

    /// What the lambda around this one captured under that name.
    fn captured_around(&mut self, name: Name, span: Span) -> Option<Expr> {
        let this = self.frame.this.clone()?;
        let Kind::Struct(index) = this.kind else { return None };
        if !self.sema.types.get(index).path.is(CLOSURE) || &*name == "this" {
            return None;
        }
        let path = self.sema.types.find(index, name)?;
        let own = Expr::place(ExprKind::This, this, span);
        Some(self.along(own, &path, span))
    }

    /// `[n = value]`, `[&n = place]`
    fn captured_value(
        &mut self,
        name: &Path,
        reference: bool,
        value: &ast::Expr,
    ) -> Checked<Captured> {
        if reference {
            let place = self.expr(value)?;
            if !place.place {
                return self.sema.error("type", value.span, "a reference needs a variable");
            }
            return Ok(self.captured_place(name, place, true));
        }
        let value = self.rvalue(value)?;
        let value = self.owned(value)?;
        Ok(Captured { name: *name, part: value, reference: false })
    }

    fn captured_place(&mut self, name: &Path, place: Expr, reference: bool) -> Captured {
        if reference {
            self.mark_addressed(&place);
        }
        let part = if reference { address(place) } else { place };
        Captured { name: *name, part, reference }
    }

    /// A lambda that captures nothing, as the function that a pointer wants.
    pub(in crate::sema) fn closure_function(
        &mut self,
        value: &Expr,
        to: &Type,
    ) -> Option<crate::sema::FunctionId> {
        let wanted = to.signature()?.params.len();
        let id = self.captureless(value)?;
        (self.sema.definitions[id].ast.params.len() == wanted).then_some(id)
    }

    /// The function of a lambda that captures nothing and is no template.
    pub(in crate::sema) fn captureless(&self, value: &Expr) -> Option<crate::sema::FunctionId> {
        let Kind::Struct(index) = value.ty.kind else { return None };
        let info = self.sema.types.get(index);
        if !info.path.is(CLOSURE) || !info.fields.is_empty() {
            return None;
        }
        let (ids, _) = self.sema.find_methods(index, "operator()")?;
        let [id] = ids.as_slice() else { return None };
        self.sema.definitions[*id].ast.template.is_empty().then_some(*id)
    }

    fn captured_variable(
        &mut self,
        name: &Path,
        id: VarId,
        reference: bool,
        span: Span,
    ) -> Captured {
        let var = &self.vars[id as usize];
        let (home, place) = (var.home, Expr::place(ExprKind::Var(id), var.ty.clone(), span));
        if reference && home == Home::Own {
            self.mark_addressed(&place);
        }
        let part = if reference { address(place) } else { place };
        Captured { name: *name, part, reference }
    }

    /// Each variable of a pack, under a name of its own.
    fn captured_pack(
        &mut self,
        name: &Path,
        ids: &[VarId],
        reference: bool,
        span: Span,
        out: &mut Vec<Captured>,
    ) {
        for (i, id) in ids.iter().enumerate() {
            let made = self.captured_variable(&element(name, i), *id, reference, span);
            out.push(made);
        }
    }

    /// The object is reached through a pointer that is written `this`, or through its copy.
    fn captured_object(&mut self, object: Expr, reference: bool) -> Captured {
        if reference {
            self.mark_addressed(&object);
        }
        let part = if reference { address(object) } else { object };
        Captured { name: "this".into(), part, reference: false }
    }

    /// The object whose method this is, or whose method contains the lambda.
    pub(in crate::sema) fn object_here(&mut self, span: Span) -> Option<Expr> {
        let own = self.frame.this.clone()?;
        let Kind::Struct(index) = own.kind else { return None };
        let place = Expr::place(ExprKind::This, own, span);
        let info = self.sema.types.get(index);
        if !info.path.is(CLOSURE) {
            return Some(place);
        }
        let at = info.fields.iter().position(|f| f.name.is("this"))?;
        let member = self.field(place, index, at, span);
        match member.ty.pointee().cloned() {
            Some(ty) => Some(self.dereference(member, ty, span)),
            None => Some(member),
        }
    }

    /// The closure type, and the names that its `operator()` sees.
    fn closure(&mut self, ast: &ast::Lambda, captured: &[Captured], span: Span) -> ClassId {
        let members: Vec<(Path, Type)> =
            captured.iter().map(|c| (c.name, c.part.ty.unqualified())).collect();
        let parts = members.iter().map(|(_, member)| self.sema.types.members_of(member)).sum();
        let (fields, size, align) = self.sema.types.lay_out(members, &[], 1, None);
        let index = self.sema.types.add(StructInfo {
            bits: Vec::new(),
            path: CLOSURE.into(),
            declared: CLOSURE.into(),
            outer: self.frame.owner,
            namespace: None,
            fields,
            size,
            align,
            vector: false,
            union: false,
            packed: false,
            incomplete: false,
            bases: 0,
            parts,
            ancestors: 0,
        });
        for (i, _) in captured.iter().enumerate().filter(|(_, c)| c.reference) {
            self.sema.definitions.references.insert((index, i));
        }
        let mut scope = HashMap::new();
        if let Some(owner) = self.frame.owner {
            let statics = self.sema.definitions.statics.of(owner);
            scope.extend(statics.map(|(name, entity)| (*name, entity.clone())));
        }
        for outer in &self.scopes {
            for (name, entity) in outer {
                // A captured pack means the members for its elements.
                if let Entity::Vars(ids) = entity {
                    let all = (0..ids.len()).map(|i| Arg::Function(element(name, i))).collect();
                    scope.insert(*name, Entity::Pack(all));
                } else if !entity.is_local() {
                    scope.insert(*name, entity.clone());
                } else if !captured.iter().any(|c| c.name == *name) && !is_stored(name) {
                    scope.insert(*name, Entity::NotCaptured);
                }
            }
        }
        for name in self.captured_by_lambda_around() {
            if !captured.iter().any(|c| c.name == name) {
                scope.entry(name).or_insert(Entity::NotCaptured);
            }
        }
        let id = self.sema.definitions.declare(Declared {
            ast: ast.function.clone(),
            owner: Some(index),
            bindings: Rc::default(),
            scope: Some(Rc::new(scope)),
        });
        self.sema.definitions.methods.insert((index, "operator()".into()), vec![id]);
        let key = (span, Rc::as_ptr(&ast.function));
        self.lambdas.insert(key, (ast.function.clone(), index));
        index
    }
}
