//! Variables of the host that live as long as the program.
//!
//! A constant number is its value, for both sides. A constant array or struct is a variable of the
//! host, and the device gets a copy when it asks for one. A reference is a variable that holds an
//! address; what it makes to refer to is a variable without a name.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::constexpr::folding;
use crate::sema::expressions::id_expression::stored;
use crate::sema::host::library;
use crate::sema::ids::HostGlobalId;
use crate::sema::symbols::external::Variable;
use crate::sema::symbols::namespace_variables::element_of;
use crate::sema::tree::{Expr, ExprKind, Function, Host, HostGlobal, Stmt};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, Entity, Sema, Side};
use crate::syntax::ast::{Init, Prim, VarDecl};
use crate::syntax::name::Path;
use std::rc::Rc;

impl Sema<'_> {
    /// Declares a variable at namespace scope if it is the host's; `false` if it is not.
    pub(in crate::sema) fn host_variable(&mut self, ast: &VarDecl) -> bool {
        let words = ast.storage;
        if !self.host.is_program()
            || words.device
            || words.constant_memory
            || words.shared
            || words.managed
        {
            return false;
        }
        let mut body = Body::outside(self);
        let ty = body.variable_type(ast);
        let ty = ty.and_then(|ty| match words.external {
            true => Ok(ty),
            false => body.not_abstract(&ty, ast.span).map(|()| ty),
        });
        let Ok(ty) = ty else {
            self.definitions.scope.insert(ast.name, Entity::Wrong);
            return true;
        };
        let lambdas = std::mem::take(&mut body.lambdas);
        self.host.lambdas.extend(lambdas);
        let only_declared = words.external && matches!(ast.init, Init::None);
        let before = self.definitions.scope.get(&ast.name);
        if only_declared && matches!(before, Some(Entity::Constant(_))) {
            return true;
        }
        if (ty.constant || words.constexpr) && self.types.scalar(&ty).is_some() {
            let mut body = Body::outside(self);
            let value = body.initial_value(&ty, &ast.init, ast.span);
            match value.map(|value| value.map(|value| body.folded(value))) {
                Ok(Some(value)) if value.is_constant() => {
                    let index = self.add_host_global(ast, ty, false);
                    self.host.pending.push(index);
                    self.host.order.define(index);
                    self.definitions.scope.insert(stored(&ast.name), Entity::HostGlobal(index));
                    self.definitions.scope.insert(ast.name, Entity::Constant(value));
                    return true;
                }
                Ok(_) if words.constexpr && self.storage.constants.is_exhausted() => {
                    let _: Checked<()> = Body::outside(self).too_many_steps(ast.span);
                    return true;
                }
                Ok(_) => {}
                Err(Reported) => return true,
            }
        }
        let index = match self.definitions.scope.get(&ast.name) {
            // Announced before.
            Some(Entity::HostGlobal(index))
                if self.host.globals[index.index()].ty.kind == held(&ty).kind =>
            {
                *index
            }
            _ => {
                let index = self.add_host_global(ast, ty.clone(), false);
                if only_declared && !ast.span.is_built_in() {
                    self.external.declare(Variable::Host(index));
                }
                index
            }
        };
        Body::outside(self).know(ast, &ty, index);
        self.definitions.scope.insert(ast.name, Entity::HostGlobal(index));
        if !only_declared {
            self.external.define(Variable::Host(index));
            self.host.written[index.index()] = Rc::new(ast.clone());
            self.host.pending.push(index);
            self.host.order.define(index);
        }
        true
    }

    /// A `static` member; its value may stand outside the struct.
    pub(in crate::sema) fn host_static(
        &mut self,
        ast: &VarDecl,
        ty: Type,
        owner: ClassId,
    ) -> HostGlobalId {
        let index = self.add_host_global(ast, ty, false);
        self.host.members.push((index, owner));
        let of_template = self.written_class(owner).is_some_and(|(_, params)| !params.is_empty());
        if of_template {
            self.host.order.instance(index);
        } else if ast.storage.inline || ast.storage.constexpr || !matches!(ast.init, Init::None) {
            self.host.order.define(index);
        }
        let words = ast.storage;
        if !(words.inline || words.constexpr || ast.span.is_built_in()) {
            self.external.declare_member(Variable::Host(index), owner);
        }
        index
    }

    pub(in crate::sema) fn add_host_global(
        &mut self,
        ast: &VarDecl,
        ty: Type,
        lazy: bool,
    ) -> HostGlobalId {
        let index = HostGlobalId::new(self.host.globals.len());
        if ty.is_reference() {
            self.host.references.insert(index, ty.clone());
        }
        let ty = held(&ty);
        let global = HostGlobal {
            name: ast.name,
            ty,
            span: ast.span,
            init: None,
            lazy,
            at_use: false,
            thread_local: ast.storage.thread_local,
            destroy: None,
        };
        self.host.globals.push(global);
        self.host.written.push(Rc::new(ast.clone()));
        index
    }

    /// Initialisation of variables at namespace scope.
    pub(in crate::sema) fn begin_globals(&mut self) {
        self.begin_statics();
        for index in std::mem::take(&mut self.host.pending) {
            let ast = self.host.written[index.index()].clone();
            let lambdas = std::mem::take(&mut self.host.lambdas);
            let mut body = Body::outside(self);
            body.lambdas = lambdas;
            let init = body.begin(&ast, index);
            self.host.lambdas = std::mem::take(&mut body.lambdas);
            self.host.globals[index.index()].init = init.ok().flatten();
        }
    }
}

impl Sema<'_> {
    /// Initialisation of static members, also of instances made since.
    pub(in crate::sema) fn begin_statics(&mut self) {
        while let Some((index, owner)) = self.host.members.pop() {
            let mut ast = self.host.written[index.index()].clone();
            let definitions = &self.definitions;
            let of_class = || {
                let (class, _) = self.written_class(owner)?;
                definitions.static_members.get(&(class, ast.name))
            };
            let specialised = definitions.specialised_static_members.get(&(owner, ast.name));
            if let Some(definition) = specialised.or_else(of_class) {
                self.external.define(Variable::Host(index));
                ast = Rc::new(VarDecl { init: definition.init.clone(), ..(*ast).clone() });
            }
            // Lent to one member after the other: a copy for each would be of quadratic size.
            let seen = self.host.member_scopes.remove(&owner).unwrap_or_default();
            let mut body = Body::outside(self);
            body.scopes = vec![seen];
            body.frame.owner = Some(owner);
            let init = body.begin(&ast, index);
            let seen = std::mem::take(&mut body.scopes).into_iter().next().unwrap_or_default();
            self.host.member_scopes.insert(owner, seen);
            self.host.globals[index.index()].init = init.ok().flatten();
        }
    }
}

/// The type of what a variable of that type holds: for a reference, an address.
fn held(ty: &Type) -> Type {
    if ty.is_reference() { ty.unreferenced().clone().pointer_to() } else { ty.clone() }
}

/// The statement with which a variable begins.
fn first_value(index: HostGlobalId, ty: &Type, value: Expr, span: Span) -> Stmt {
    let plain = ty.unqualified();
    let kind = ExprKind::Host(Box::new(Host::Global(index)));
    let place = Expr::place(kind, plain.clone(), span);
    let kind = ExprKind::Assign(Box::new(place), Box::new(value));
    Stmt::Expr(Expr::place(kind, plain, span))
}

impl Body<'_, '_> {
    /// A function that gives a variable its first value; `None` inside where it has none.
    pub(in crate::sema) fn begin(
        &mut self,
        ast: &VarDecl,
        index: HostGlobalId,
    ) -> Checked<Option<Rc<Function>>> {
        let outer = self.sema.host.order.check(Some(index));
        let body = self.first_values(ast, index);
        self.sema.host.order.check(outer);
        let body = body?;
        if body.is_empty() {
            return Ok(None);
        }
        let function = Function {
            name: ast.name,
            span: ast.span,
            returns: Prim::Void.into(),
            reference: false,
            moved: false,
            params: 0,
            vars: std::mem::take(&mut self.vars),
            body,
            max_threads: None,
            cluster: None,
            this_addressed: false,
            c_linkage: false,
            noexcept: false,
            needs_defined: Vec::new(),
        };
        Ok(Some(Rc::new(function)))
    }

    /// What gives a variable its first value; nothing where it has none.
    fn first_values(&mut self, ast: &VarDecl, index: HostGlobalId) -> Checked<Vec<Stmt>> {
        let ty = self.sema.host.globals[index.index()].ty.clone();
        let mut out = Vec::new();
        let value = if let Some(reference) = self.sema.host.references.get(&index).cloned() {
            Some(self.referred_to(&reference, ast, index, &mut out)?)
        } else {
            let destroy = self.sema.destroyer(&ty, Side::Host, ast.span);
            self.sema.host.globals[index.index()].destroy = destroy;
            let value = self.initial_value(&ty, &ast.init, ast.span)?;
            value.map(|value| self.folded(value))
        };
        self.sema.host.order.value(index, value.as_ref());
        out.extend(value.map(|value| first_value(index, &ty, value, ast.span)));
        Ok(out)
    }

    /// The address that a reference holds. A value that it refers to lives as long: it becomes a
    /// variable of its own, which `out` gives its value.
    fn referred_to(
        &mut self,
        reference: &Type,
        ast: &VarDecl,
        index: HostGlobalId,
        out: &mut Vec<Stmt>,
    ) -> Checked<Expr> {
        let place = self.bind_reference(reference, &ast.init, ast.span)?;
        self.mark_addressed(&place);
        let ty = place.ty.clone();
        let (place, span) = match place.kind {
            ExprKind::Host(host) if matches!(*host, Host::Temporary(..)) => {
                let Host::Temporary(value, destroy) = *host else { return Err(Reported) };
                let lazy = self.sema.host.globals[index.index()].lazy;
                let kept = self.sema.add_host_global(ast, ty.unqualified(), lazy);
                self.sema.host.globals[kept.index()].destroy = destroy;
                self.sema.host.order.keep(index, kept);
                let begins = first_value(kept, &ty, value, ast.span);
                out.push(if lazy { Stmt::Static(kept, vec![begins]) } else { begins });
                let kind = ExprKind::Host(Box::new(Host::Global(kept)));
                (Expr::place(kind, ty.clone(), ast.span), ast.span)
            }
            kind => (Expr { kind, ..place }, place.span),
        };
        Ok(Expr::new(ExprKind::Address(Box::new(place)), ty.pointer_to(), span))
    }

    /// `static` in a function of the host: its value is computed there, and may name what is local.
    pub(in crate::sema) fn static_variable(
        &mut self,
        ast: &VarDecl,
        ty: Type,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let mut constant = None;
        if (ty.constant || ast.storage.constexpr) && self.sema.types.scalar(&ty).is_some() {
            let value = self.initial_value(&ty, &ast.init, ast.span)?;
            constant = value.map(|v| self.folded(v)).filter(Expr::is_constant);
        }
        if self.sema.needs_destroy(&ty) {
            self.check_destructor(&ty, ast.span);
        }
        let index = self.sema.add_host_global(ast, ty.clone(), true);
        self.know(ast, &ty, index);
        let first = self.first_values(ast, index);
        match constant {
            Some(value) => {
                self.define(stored(&ast.name), Entity::HostGlobal(index));
                self.define(ast.name, Entity::Constant(value));
            }
            None => self.define(ast.name, Entity::HostGlobal(index)),
        }
        out.push(Stmt::Static(index, first?));
        Ok(())
    }

    /// Notes the value of a `constexpr` array, struct or pointer.
    pub(in crate::sema) fn know(&mut self, ast: &VarDecl, ty: &Type, index: HostGlobalId) {
        let number = self.sema.types.is_number(ty);
        if !ast.storage.constexpr || number || ty.is_reference() {
            return;
        }
        let value = self.speculate(|body| body.initial_value(ty, &ast.init, ast.span));
        let value = value.ok().flatten();
        if let Some(value) = value.and_then(|value| self.known_value(ast.storage, &value)) {
            self.sema.storage.constants.hosts.insert(index, value);
        }
    }

    /// The device's copy of a variable whose value is known.
    fn known_copy(&mut self, ast: &VarDecl, ty: Type, value: Rc<Expr>) -> Checked<Entity> {
        let copy = self.device_global(ast, ty, Some(&value))?;
        self.sema.storage.constants.globals.insert(copy, value);
        Ok(Entity::Global(copy))
    }

    /// A `const` number of device memory as the host reads it: nvcc gives it a variable there, with the
    /// same first value. Other variables have none.
    pub(in crate::sema) fn of_shadow(&self, e: Expr) -> Expr {
        let ExprKind::Global(index) = e.kind else { return e };
        let Kind::Prim(prim) = e.ty.kind else { return e };
        let global = &self.sema.storage.globals[index.index()];
        let size = prim.size() as usize;
        if self.side == Side::Device || !e.ty.constant || global.initial.len() != size {
            return e;
        }
        let mut bytes = [0; 8];
        let Some(begin) = bytes.get_mut(..size) else { return e };
        begin.copy_from_slice(&global.initial);
        let bits = i64::from_le_bytes(bytes);
        let kind = match prim {
            Prim::Float => ExprKind::Float(f32::from_bits(bits as u32).into()),
            Prim::Double => ExprKind::Float(f64::from_bits(bits as u64)),
            _ if prim.is_integer() => ExprKind::Int(folding::wrap(bits.into(), prim)),
            _ => return e,
        };
        Expr::new(kind, e.ty.unqualified(), e.span)
    }

    /// The variable as a place; on the device, its copy there.
    pub(in crate::sema) fn host_global(
        &mut self,
        index: HostGlobalId,
        name: &Path,
        span: Span,
    ) -> Checked<Expr> {
        let ty = self.sema.host.globals[index.index()].ty.clone();
        self.sema.use_variable(Variable::Host(index), span);
        self.sema.host.order.used(index);
        if self.side == Side::Host {
            let held = ExprKind::Host(Box::new(Host::Global(index)));
            let variable = Expr::place(held, ty.clone(), span);
            return Ok(match self.sema.host.references.contains_key(&index) {
                true => self.dereference(variable, ty.pointee().cloned().ok_or(Reported)?, span),
                false => variable,
            });
        }
        let constant = ty.constant || element_of(&ty).constant;
        let copy = match self.sema.host.copies.get(&index) {
            Some(known) => known.clone(),
            None if constant => {
                let ast = self.sema.host.written[index.index()].clone();
                let made = match self.sema.storage.constants.hosts.get(&index).cloned() {
                    Some(value) => self.known_copy(&ast, ty, value).ok(),
                    None => Body::outside(self.sema).global(&ast).ok().flatten(),
                };
                self.sema.host.copies.insert(index, made.clone());
                made
            }
            None => None,
        };
        if let Some(Entity::Global(copy)) = copy {
            let global = &self.sema.storage.globals[copy.index()];
            let ty = global.ty.clone().qualified(global.constant, false);
            return Ok(Expr::place(ExprKind::Global(copy), ty, span));
        }
        let declared = self.sema.host.globals[index.index()].span;
        let (name, help) = match declared.is_built_in() {
            true => (
                library::spelled(name),
                "it is of the library of the host: kernels print with `printf`",
            ),
            false => {
                (name.to_string(), "for the device, write `__device__` or `__constant__` before it")
            }
        };
        let message = format!("`{name}` is a variable of the host");
        let diagnostic = Diagnostic::error("name", span, message)
            .with_label(declared, "declared here")
            .with_help(help);
        self.sema.report(diagnostic);
        Err(Reported)
    }
}
