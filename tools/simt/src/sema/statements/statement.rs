//! Statements and local declarations.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::expressions::id_expression::stored;
use crate::sema::host::variable_length_array::InRoom;
use crate::sema::ids::EnumId;
use crate::sema::tree::{Expr, ExprKind, Home, Stmt, VarId};
use crate::sema::types::{EnumInfo, Kind, Type};
use crate::sema::{Checked, Entity, FunctionId, Side};
use crate::syntax::ast::{self, Init, Prim, StmtKind, VarDecl};
use std::collections::HashMap;
use std::rc::Rc;

impl Body<'_, '_> {
    pub(in crate::sema) fn statements(&mut self, list: &[ast::Stmt], out: &mut Vec<Stmt>) {
        for stmt in list {
            if self.sema.diagnostics.errors >= crate::sema::MAX_ERRORS {
                return;
            }
            self.frame.incomplete |= self.statement(stmt, out).is_err();
        }
    }

    /// A statement with a scope of its own.
    pub(in crate::sema) fn scoped(&mut self, stmt: &ast::Stmt) -> Vec<Stmt> {
        let mut out = Vec::new();
        self.scopes.push(HashMap::new());
        match &stmt.kind {
            StmtKind::Block(list) => self.statements(list, &mut out),
            _ => self.frame.incomplete |= self.statement(stmt, &mut out).is_err(),
        }
        self.scopes.pop();
        out
    }

    fn jump(&mut self, kind: &StmtKind, span: Span) -> Checked<Stmt> {
        match kind {
            StmtKind::Break if self.nesting.breakable == 0 => {
                self.sema.error("syntax", span, "`break` outside a loop or `switch`")
            }
            StmtKind::Break => Ok(Stmt::Break(span)),
            StmtKind::Continue if self.nesting.loops == 0 => {
                self.sema.error("syntax", span, "`continue` outside a loop")
            }
            StmtKind::Continue => Ok(Stmt::Continue(span)),
            StmtKind::Label(name) => Ok(Stmt::Label(*name, span)),
            StmtKind::Goto(name) => Ok(Stmt::Goto(*name, span)),
            _ => Err(Reported),
        }
    }

    /// A mistake in one variable does not hide those in the next, and is reported where it is declared,
    /// not where it is used.
    fn declare_all(&mut self, all: &[VarDecl], out: &mut Vec<Stmt>) {
        for variable in all {
            if self.declare(variable, out).is_err() && self.declared_here(&variable.name).is_none()
            {
                self.define(variable.name, Entity::Wrong);
            }
        }
    }

    fn local_class(&mut self, ast: &Rc<ast::Struct>, span: Span) -> Checked<()> {
        // The type and each of its functions has a copy of the names that it sees.
        let seen: usize = self.scopes.iter().map(HashMap::len).sum();
        let copies = 1 + ast.methods.len() + ast.constructors.len() + ast.friends.len();
        self.sema.take_steps(seen * copies, span)?;
        let names = self.local_names();
        let ty = self.sema.define_struct(ast, names, Some(ast.name))?;
        self.define(ast.name, Entity::Type(ty));
        Ok(())
    }

    pub(in crate::sema) fn statement(
        &mut self,
        stmt: &ast::Stmt,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => {
                let e = self.expr(e)?;
                self.lint_unused(&e);
                let e = self.discarded(e);
                out.push(Stmt::Expr(crate::sema::classes::bit_fields::bare(e)));
            }
            StmtKind::Declare(all) => self.declare_all(all, out),
            StmtKind::Several(all) => self.statements(all, out),
            StmtKind::StructuredBinding(ty, names, value) => {
                self.bind_names(ty, names, value, span, out)?
            }
            StmtKind::Range { variable, range, body } => {
                self.scopes.push(HashMap::new());
                let made = self.range_for(variable, range, body, span);
                self.scopes.pop();
                out.push(made?);
            }
            StmtKind::Try(body, handlers) => {
                let made = self.try_statement(body, handlers, span)?;
                out.push(made);
            }
            StmtKind::Alias(alias) => {
                let ty = self.aliased_type(alias)?;
                if let Some(Entity::Type(known)) = self.declared_here(&alias.name)
                    && known != ty
                {
                    self.sema.two_types(alias.name, [&known, &ty], alias.ty.span, span);
                }
                self.define(alias.name, Entity::Type(ty));
            }
            StmtKind::Struct(ast) => self.local_class(ast, span)?,
            StmtKind::Enum(ast) => self.enumeration(ast),
            StmtKind::StaticAssert(cond, message) => self.static_assert(cond, message.as_deref()),
            StmtKind::Block(_) => {
                let inner = self.scoped(stmt);
                out.push(Stmt::Block(inner));
            }
            StmtKind::If { constant, init, cond, then, other } => {
                self.scopes.push(HashMap::new());
                let mut made = Vec::new();
                let result = self.if_statement(
                    *constant,
                    init.as_deref(),
                    cond,
                    then,
                    other.as_deref(),
                    span,
                    &mut made,
                );
                self.scopes.pop();
                out.push(Stmt::Block(made));
                return result;
            }
            StmtKind::While(cond, body) => {
                self.scopes.push(HashMap::new());
                let made = self.loop_statement(None, Some(cond), None, body, span);
                self.scopes.pop();
                out.push(made?);
            }
            StmtKind::For { init, cond, step, body } => {
                self.scopes.push(HashMap::new());
                let made =
                    self.loop_statement(Some(init), cond.as_deref(), step.as_ref(), body, span);
                self.scopes.pop();
                out.push(made?);
            }
            StmtKind::Do(body, cond) => {
                let body = self.loop_body(body);
                let cond = self.condition_value(cond)?;
                out.push(Stmt::Loop {
                    cond: Some(cond),
                    body,
                    step: None,
                    test_first: false,
                    span,
                });
            }
            StmtKind::Switch(value, body) => out.push(self.switch(value, body, span)?),
            StmtKind::Case(_) | StmtKind::Default => {
                return self
                    .sema
                    .unsupported(span, "a `case` that is not directly in its `switch`");
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Label(_) | StmtKind::Goto(_) => {
                out.push(self.jump(&stmt.kind, span)?);
            }
            StmtKind::Asm(ast) => out.push(self.assembly(ast, span)?),
            StmtKind::Return(value) => {
                let value = self.return_value(value.as_ref(), span)?;
                out.push(Stmt::Return(value, span));
            }
        }
        Ok(())
    }

    fn return_value(&mut self, value: Option<&ast::Expr>, span: Span) -> Checked<Option<Expr>> {
        let Some(value) = value else {
            let returns = self.frame.returns.get_or_insert_with(|| Prim::Void.into()).clone();
            if !returns.is(Prim::Void) {
                let message =
                    format!("this `return` needs a `{}`", self.sema.types.spell(&returns));
                return self.sema.error("return", span, message);
            }
            return Ok(None);
        };
        // `auto&`, `auto*`: what it refers to is told by the first `return`.
        if let (None, Some(written)) = (&self.frame.returns, self.frame.open_returns.clone())
            && !matches!(written.kind, ast::TypeKind::Auto)
        {
            let target = self.speculate(|b| b.expr(value));
            let target = match target {
                Ok(target) => target,
                Err(Reported) => self.expr(value)?,
            };
            self.frame.returns = Some(match written.kind {
                ast::TypeKind::AsReturned => self.declared_type(value, &target),
                _ => self.filled(&written, &target)?,
            });
        }
        if let Some(returns) = self.frame.returns.clone().filter(Type::is_reference) {
            let target = self.expr(value)?;
            let target = self.as_place(target);
            self.lint_returned_local(&target, "a reference to", value.span);
            let target = self.refer(target, &returns)?;
            if !target.place {
                let message = "this returns a reference to a value that is gone by then";
                return self.sema.error("return", value.span, message);
            }
            return Ok(Some(target));
        }
        if let ast::ExprKind::List(_) | ast::ExprKind::Designated(_) = &value.kind
            && let Some(returns) = self.frame.returns.clone()
        {
            let made = self.list_value(&returns, value, value.span)?;
            self.check_implicit(&returns, &made, value.span);
            return Ok(Some(made));
        }
        let value = self.rvalue(value)?;
        let returns = self.frame.returns.get_or_insert_with(|| value.ty.unqualified()).clone();
        if let ExprKind::Address(place) | ExprKind::Decay(place) = &value.kind
            && returns.pointee().is_some()
        {
            self.lint_returned_local(place, "the address of", value.span);
        }
        if returns.is(Prim::Void) {
            if value.ty.is(Prim::Void) {
                return Ok(Some(value));
            }
            return self.sema.error(
                "return",
                value.span,
                "a function that returns nothing cannot return a value",
            );
        }
        // A local variable is moved into the result.
        let own = matches!(&value.kind, ExprKind::Var(id) if !self.vars[*id as usize].reference);
        let elided = match &value.kind {
            ExprKind::Var(id) => *id as usize >= self.frame.params && self.frame.one_result,
            _ => false,
        };
        let plain = !self.sema.needs_copy(&value.ty) || elided;
        if own && plain && value.ty.kind == returns.kind {
            return Ok(Some(value));
        }
        let value =
            if own { crate::sema::classes::special_members::as_xvalue(value) } else { value };
        Ok(Some(self.convert(value, &returns)?))
    }

    /// The rules of CUDA for a local variable, access to its type, and that its class is not abstract.
    fn check_local(&mut self, ast: &VarDecl, ty: &Type) -> Checked<()> {
        let storage = ast.storage;
        if storage.shared && storage.external && self.frame.owner.is_none() {
            let around = self.frame.function.and_then(|(function, _)| function.parent());
            self.sema.dynamic_shared(around, ast.name, ty, ast.span);
        }
        if storage.thread_local && self.side == Side::Device {
            let message = format!("`{}` is `thread_local`, which device code has not", ast.name);
            let diagnostic = Diagnostic::error("type", ast.span, message)
                .with_help("leave the word out: a local variable is its thread's own");
            self.sema.report(diagnostic);
        }
        self.not_of_host(ast, ty)?;
        self.check_types(&ast.ty);
        self.check_constructors(ty, &ast.init, ast.span);
        self.not_abstract(ty, ast.span)
    }

    /// The lengths of an array in shared memory are constants.
    fn check_shared_lengths(&mut self, ast: &VarDecl) -> Checked<()> {
        let mut ty = &ast.ty;
        while let (true, ast::TypeKind::Array(inner, length)) = (ast.storage.shared, &ty.kind) {
            ty = inner;
            let Some(length) = length else { continue };
            let before = self.sema.warp_sizes;
            let runs = self.speculate(|body| {
                body.constant_int(length).is_err() && body.rvalue(length).is_ok()
            });
            // `warpSize` has an error of its own.
            let runs = runs && self.sema.warp_sizes == before;
            if runs && !self.sema.storage.constants.is_exhausted() {
                let name = ast.name;
                let message = format!("the length of the shared array `{name}` must be a constant");
                let help = format!(
                    "make it `constexpr` or a template parameter; or write `extern __shared__` \
                     and `{name}[]`, and give the launch the bytes: `<<<grid, block, bytes>>>`"
                );
                let diagnostic = Diagnostic::error("constant", length.span, message);
                self.sema.report(diagnostic.with_help(help));
                return Err(Reported);
            }
        }
        Ok(())
    }

    /// A kernel makes no object of a library's class whose constructors are all of the host.
    fn not_of_host(&mut self, ast: &VarDecl, ty: &Type) -> Checked<()> {
        let Kind::Struct(class) = ty.kind else { return Ok(()) };
        let built_in = (self.sema.definitions.struct_asts.get(&class))
            .is_some_and(|written| written.span.is_built_in());
        let all = self.sema.definitions.constructors.get(&class).cloned().unwrap_or_default();
        let callable = |id: &FunctionId| {
            crate::sema::host::callable(&self.sema.definitions[*id].ast, Side::Device)
        };
        let on_device = self.side == Side::Device && self.sema.host.is_program();
        if !on_device || !built_in || all.is_empty() || all.iter().any(callable) {
            return Ok(());
        }
        let name = self.sema.types.get(class).declared;
        let message = format!("`{name}` is a class of the host: kernels cannot use it");
        let help = match &*name.last() {
            "vector" => {
                "use an array of a constant length, `extern __shared__` memory, or a pointer to \
                 memory that the host allocates"
            }
            "string" | "basic_string" => "use an array of `char`, or a `const char*`",
            "function" => "pass the lambda itself, to a template's parameter",
            _ => "kernels use arrays, pointers and their own classes",
        };
        let mut diagnostic = Diagnostic::error("type", ast.ty.span, message).with_help(help);
        if let Some((caller, at)) = self.frame.function {
            diagnostic = diagnostic.with_label(at, format!("`{caller}` runs on the device"));
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// Whether it is a class without data members.
    fn is_empty_class(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(class) if self.sema.types.get(class).fields.is_empty())
    }

    /// Reports a `__device__` or `__constant__` variable in a function, which CUDA does not have.
    fn check_memory_of_local(&mut self, span: Span, storage: ast::Storage) -> Checked<()> {
        if !storage.device && !storage.constant_memory {
            return Ok(());
        }
        let word = if storage.device { "__device__" } else { "__constant__" };
        let message = format!("CUDA has no `{word}` variables in a function");
        let diagnostic = Diagnostic::error("type", span, message)
            .with_help("write it outside of all functions, or leave the word out");
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// A local variable. Its name is declared even if its initialiser is wrong, so that one mistake
    /// gives one error.
    pub(in crate::sema) fn declare(
        &mut self,
        ast: &VarDecl,
        out: &mut Vec<Stmt>,
    ) -> Checked<Option<VarId>> {
        if let Some(InRoom { room, pointer, values }) = self.in_room(ast)? {
            self.declare(&room, out)?;
            let id = self.declare(&pointer, out)?.ok_or(Reported)?;
            self.array_lengths.insert(id, room.name);
            for value in &values {
                out.push(Stmt::Expr(self.expr(value)?));
            }
            return Ok(Some(id));
        }
        if ast.storage.external && !ast.storage.shared {
            self.external_variable(ast)?;
            return Ok(None);
        }
        self.check_shared_lengths(ast)?;
        let ty = self.variable_type(ast)?;
        let storage = ast.storage;
        let home = match (storage.shared, storage.external) {
            (true, true) => Home::DynamicShared,
            (true, false) => Home::Shared,
            (false, _) => Home::Own,
        };
        self.check_local(ast, &ty)?;
        self.check_memory_of_local(ast.span, storage)?;
        if self.side == Side::Host {
            if home != Home::Own {
                return self.sema.error("type", ast.span, "the host has no `__shared__` memory");
            }
            if storage.is_static {
                self.static_variable(ast, ty, out)?;
                return Ok(None);
            }
        }
        if storage.is_static && home == Home::Own && !ty.constant {
            // A static local variable: one per device, in global memory.
            let storage = ast::Storage { device: true, is_static: false, ..storage };
            if let Some(entity) = self.global(&VarDecl { storage, ..ast.clone() })? {
                self.define(ast.name, entity);
            }
            return Ok(None);
        }
        // The variable is there even if that is wrong.
        let align = self.alignment(ast.align.as_ref()).unwrap_or(1);
        let id = self.add_var(&ast.name, &ty, ast.span, home);
        self.vars[id as usize].align = align;
        if home != Home::Own {
            self.no_initial_value(ast);
            self.define(ast.name, Entity::Var(id));
            out.push(Stmt::Declare { var: id, init: None, span: ast.span });
            return Ok(Some(id));
        }
        if ty.is_reference() {
            // The place is looked up before the name exists.
            let bound = self.bind_reference(&ty, &ast.init, ast.span);
            self.define(ast.name, Entity::Var(id));
            let bound = self.kept(id, bound?, ast.span);
            out.push(Stmt::Declare { var: id, init: Some(bound), span: ast.span });
            return Ok(Some(id));
        }
        if !matches!(ast.init, Init::None) || self.has_constructor(&ty) {
            // `int x = x;` means the new one.
            self.define(ast.name, Entity::Var(id));
        }
        let init = self.initial_value(&ty, &ast.init, ast.span);
        let init = init.map(|value| match ty.constant {
            true => value.map(|value| self.folded(value)),
            false => value,
        });
        let constant =
            ty.constant && init.as_ref().is_ok_and(|i| i.as_ref().is_some_and(Expr::is_constant));
        self.define(ast.name, Entity::Var(id));
        let init = init?;
        if storage.constexpr && !constant && self.sema.types.is_number(&ty) {
            if self.sema.storage.constants.is_exhausted() {
                return self.too_many_steps(ast.span);
            }
            return self.sema.error(
                "constant",
                ast.span,
                format!("the value of `{}` is not a constant", ast.name),
            );
        }
        if ty.constant && init.is_none() && !self.is_empty_class(&ty) {
            return self.sema.error(
                "type",
                ast.span,
                format!("`{}` is `const` and has no value", ast.name),
            );
        }
        self.ends(id, ast.span)?;
        if constant && let Some(value) = init {
            self.define(stored(&ast.name), Entity::Var(id));
            self.define(ast.name, Entity::Constant(value.clone()));
            self.vars[id as usize].folded = true;
            self.constants.insert(id, value.clone().into());
            out.push(Stmt::Declare { var: id, init: Some(value), span: ast.span });
            return Ok(Some(id));
        }
        if let Some(value) = init.as_ref().and_then(|v| self.known_value(storage, v)) {
            self.constants.insert(id, value);
        }
        self.push_declaration(id, &ty, init, ast.span, out);
        Ok(Some(id))
    }

    pub(in crate::sema) fn enumeration(&mut self, ast: &ast::Enum) {
        let base = match &ast.base {
            Some(ty) => self.resolve(ty).ok().and_then(|t| t.prim()),
            None if ast.scoped => Some(Prim::Int),
            None => None,
        };
        let declared = match self.lookup(ast.name) {
            Some(Entity::Type(Type { kind: Kind::Enum(id), .. })) => Some(id),
            _ => None,
        };
        let opaque = |id: &EnumId| self.sema.types.enums[id.index()].opaque;
        let info = EnumInfo {
            name: ast.name,
            base: base.unwrap_or(Prim::UInt),
            scoped: ast.scoped,
            fixed: base.is_some(),
            opaque: ast.values.is_empty(),
            values: Vec::new(),
        };
        let id = match declared.filter(opaque) {
            Some(id) => id,
            None => EnumId::new(self.sema.types.enums.len()),
        };
        match self.sema.types.enums.get_mut(id.index()) {
            Some(known) => *known = info,
            None => self.sema.types.enums.push(info),
        }
        let ty: Type = Kind::Enum(id).into();
        let mut next = 0i128;
        let (mut least, mut most) = (0, 0);
        for (name, span, value) in &ast.values {
            if let Some(value) = value {
                match self.constant_int(value) {
                    Ok(v) => next = v,
                    Err(Reported) => continue,
                }
            }
            (least, most) = (least.min(next), most.max(next));
            self.sema.types.enums[id.index()].values.push((name.last(), next));
            let entity = Entity::Constant(Expr::new(ExprKind::Int(next), ty.clone(), *span));
            if ast.scoped || !ast.name.is_empty() {
                self.define(ast.name.join(name.last()), entity.clone());
            }
            if !ast.scoped {
                self.define(name, entity);
            }
            next += 1;
        }
        if base.is_none() {
            let int = i128::from(i32::MIN)..=i128::from(i32::MAX);
            self.sema.types.enums[id.index()].base = match least < 0 {
                true if int.contains(&least) && int.contains(&most) => Prim::Int,
                true => Prim::Long,
                false if most <= i128::from(u32::MAX) => Prim::UInt,
                false => Prim::ULong,
            };
        }
        if !ast.name.is_empty() {
            self.define(ast.name, Entity::Type(ty));
        }
    }

    /// Warns of an expression statement without effect, as `a == b;`.
    fn lint_unused(&mut self, e: &Expr) {
        let what = match &e.kind {
            ExprKind::Compare(..) => "a comparison",
            ExprKind::Binary(..) => "a calculation",
            _ => return,
        };
        let message = format!("the result of {what} is not used");
        self.sema.report(Diagnostic {
            severity: crate::Severity::Warning,
            ..Diagnostic::error("lint-unused", e.span, message)
        });
    }
}
