//! Variables at namespace scope, and static members.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::constexpr::evaluation;
use crate::sema::ids::{FileSharedId, GlobalId};
use crate::sema::symbols::external::Variable;
use crate::sema::tree::{Expr, ExprKind, Global, Home, Var, VarId};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Entity, FunctionId, Side};
use crate::syntax::ast::{self, Init, StmtKind, VarDecl};
use crate::syntax::name::Path;
use std::rc::Rc;

/// Bytes of one variable at most: an offset has 32 bits.
const MAX_BYTES: u64 = (1 << 32) - 64;

/// Variables in device memory at most: an instruction has 16 bits for the number of one.
const MAX_GLOBALS: usize = 1 << 16;

impl Body<'_, '_> {
    /// What the variable's name means from here on; `None` for an `extern` declaration.
    pub(in crate::sema) fn global(&mut self, ast: &VarDecl) -> Checked<Option<Entity>> {
        let ty = self.variable_type(ast)?;
        let storage = ast.storage;
        let in_memory = storage.device || storage.constant_memory || storage.managed;
        if storage.managed && !self.sema.host.is_program() {
            return self.sema.unsupported(ast.span, "`__managed__` variables");
        }
        if storage.shared {
            return self.shared_variable(ast, &ty).map(Some);
        }
        let constant = ty.constant || storage.constexpr || element_of(&ty).constant;
        if !in_memory && !constant {
            if storage.external {
                return Ok(None);
            }
            let message = format!("`{}` is a variable of the host", ast.name);
            let diagnostic = Diagnostic::error("name", ast.span, message)
                .with_help("for the device, write `__device__` or `__constant__` before it");
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        let only_declared = storage.external && matches!(ast.init, Init::None);
        let before = match self.sema.definitions.scope.get(&ast.name) {
            Some(Entity::Global(index)) => Some(*index),
            _ => None,
        };
        if only_declared && before.is_some() {
            return Ok(None);
        }
        if self.sema.types.size_of(&ty) > MAX_BYTES {
            let message = format!("`{}` is larger than 4 GiB less 64 bytes", ast.name);
            return self.sema.error("type", ast.span, message);
        }
        if storage.constant_memory && !only_declared {
            let bytes = self.sema.types.size_of(&ty);
            self.sema.takes_constant_memory(ast, bytes);
        }
        if in_memory && let Some((name, called)) = self.host_function_called(&ast.init) {
            let message = format!(
                "the first value of `{}` must be a constant: `{name}` is not `constexpr`",
                ast.name
            );
            let diagnostic = Diagnostic::error("constant", called, message).with_help(
                "write `constexpr` before the function, or copy the value with `cudaMemcpyToSymbol`",
            );
            self.sema.report(diagnostic);
        }
        // The addresses of functions in it, and the tables of virtual functions, are the device's.
        let outer = self.side;
        let element = element_of(&ty);
        let dynamic = matches!(element.kind, Kind::Struct(class) if self.sema.is_dynamic(class));
        if in_memory && (dynamic || element.signature().is_some()) {
            self.side = Side::Device;
        }
        let empty = in_memory && matches!(ast.init, Init::None) && self.constructs_nothing(&ty);
        let init = match empty {
            true => Ok(None),
            false => self.initial_value(&ty, &ast.init, ast.span),
        };
        self.side = outer;
        let init = init?.map(|value| self.folded(value));
        if !in_memory && let Some(value) = init.as_ref().filter(|e| e.is_constant()) {
            return Ok(Some(Entity::Constant(value.clone())));
        }
        let fixed = ty.constant && !ty.volatile && ty.is_arithmetic();
        let known = init.as_ref().and_then(|value| match fixed && value.is_constant() {
            true => Some(Rc::new(value.clone())),
            false => self.known_value(storage, value),
        });
        let init = init.map(|value| self.made_at_compile_time(value));
        let init = known.as_deref().cloned().or(init);
        let index = match before.filter(|i| self.sema.external.define(Variable::Device(*i))) {
            Some(declared) => self.define_device_global(declared, ast, ty, init.as_ref())?,
            None => self.device_global(ast, ty, init.as_ref())?,
        };
        if only_declared {
            self.sema.external.declare(Variable::Device(index));
        }
        if let Some(value) = known {
            self.sema.storage.constants.globals.insert(index, value);
        }
        Ok(Some(Entity::Global(index)))
    }

    /// A function of the program that the value of a variable calls though it is not `constexpr`.
    fn host_function_called(&self, init: &Init) -> Option<(Path, Span)> {
        let Init::Expr(value) = init else { return None };
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match &value.kind {
                ast::ExprKind::Unary(_, inner) | ast::ExprKind::Cast(_, _, inner) => {
                    open.push(inner);
                }
                ast::ExprKind::Binary(_, left, right) => open.extend([&**left, right]),
                ast::ExprKind::Call(called, _) => {
                    let ast::ExprKind::Name(name, None) = &called.kind else { continue };
                    let all = self.sema.definitions.functions.get(&name.unrooted())?;
                    let ordinary = |id: &FunctionId| {
                        let ast = &self.sema.definitions[*id].ast;
                        !ast.storage.constexpr && ast.template.is_empty() && !ast.span.is_built_in()
                    };
                    if !all.is_empty() && all.iter().all(ordinary) {
                        return Some((*name, value.span));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether the constructors that make a value of this type do nothing: a variable in device memory
    /// may have such a type.
    fn constructs_nothing(&self, ty: &Type) -> bool {
        let index = match &ty.kind {
            Kind::Array(element, _) => return self.constructs_nothing(element),
            Kind::Struct(index) => *index,
            _ => return true,
        };
        let definitions = &self.sema.definitions;
        if definitions.member_values.contains_key(&index) || self.sema.is_dynamic(index) {
            return false;
        }
        let empty = |id: &FunctionId| {
            let declared = &definitions[*id];
            let outside = self.sema.out_of_class_definition(declared);
            let ast = outside.map_or_else(|| declared.ast.clone(), |outside| outside.ast);
            let body = ast.body.as_ref().map(|body| &body.kind);
            ast.params.is_empty()
                && ast.member_inits.is_empty()
                && matches!(body, Some(StmtKind::Block(list)) if list.is_empty())
        };
        let plain = definitions.classes.get(&index).is_none_or(|class| class.plain);
        let made = definitions.constructors.get(&index);
        made.is_none_or(|all| plain || all.iter().any(empty))
            && self
                .sema
                .types
                .get(index)
                .fields
                .iter()
                .all(|field| self.constructs_nothing(&field.ty))
    }

    /// The value, computed if `constexpr` constructors make it.
    fn made_at_compile_time(&self, value: Expr) -> Expr {
        if !self.has_constant_constructor(&value.ty) {
            return value;
        }
        let (types, known) = (&self.sema.types, &self.sema.storage.constants);
        evaluation::value(types, known, &self.constants, &value).unwrap_or(value)
    }

    /// Whether a class has a `constexpr` constructor, or has none and members that have one.
    fn has_constant_constructor(&self, ty: &Type) -> bool {
        let Kind::Struct(index) = element_of(ty).kind else { return false };
        let definitions = &self.sema.definitions;
        match definitions.constructors.get(&index) {
            Some(all) => all.iter().any(|id| definitions[*id].ast.storage.constexpr),
            None => {
                let mut fields = self.sema.types.get(index).fields.iter();
                fields.any(|field| self.has_constant_constructor(&field.ty))
            }
        }
    }

    /// A variable in device memory that begins as this.
    pub(in crate::sema) fn device_global(
        &mut self,
        ast: &VarDecl,
        ty: Type,
        value: Option<&Expr>,
    ) -> Checked<GlobalId> {
        if self.sema.storage.globals.len() >= MAX_GLOBALS {
            let what = format!("more than {MAX_GLOBALS} variables in device memory");
            return self.sema.unsupported(ast.span, what);
        }
        let index = GlobalId::new(self.sema.storage.globals.len());
        let global = self.as_global(ast, ty, value)?;
        self.sema.storage.globals.push(global);
        Ok(index)
    }

    /// The definition of a variable that was only declared: what was said of it so far holds.
    fn define_device_global(
        &mut self,
        index: GlobalId,
        ast: &VarDecl,
        ty: Type,
        value: Option<&Expr>,
    ) -> Checked<GlobalId> {
        self.sema.storage.globals[index.index()] = self.as_global(ast, ty, value)?;
        Ok(index)
    }

    fn as_global(&mut self, ast: &VarDecl, ty: Type, value: Option<&Expr>) -> Checked<Global> {
        let storage = ast.storage;
        let initial = self.initial_bytes(value, self.sema.types.size_of(&ty))?;
        let in_memory = storage.constant_memory || storage.device || storage.managed;
        Ok(Global {
            name: ast.name,
            // Where a variable of constant memory is declared without `const`, its type has none.
            ty: ty.qualified(!in_memory, false),
            span: ast.span,
            constant: storage.constant_memory || !in_memory,
            managed: storage.managed,
            initial,
        })
    }

    /// A `__shared__` variable outside functions: each block of each kernel that names it has one.
    fn shared_variable(&mut self, ast: &VarDecl, ty: &Type) -> Checked<Entity> {
        self.no_initial_value(ast);
        let home = if ast.storage.external { Home::DynamicShared } else { Home::Shared };
        if ast.storage.external {
            self.sema.dynamic_shared(ast.name.parent(), ast.name.last().into(), ty, ast.span);
        }
        let align = self.alignment(ast.align.as_ref()).unwrap_or(1);
        let id = self.add_var(&ast.name, ty, ast.span, home);
        let shared = FileSharedId::new(self.sema.storage.shared.len());
        let var = self.vars[id as usize].clone();
        self.sema.storage.shared.push(Var { align, file_scope: Some(shared), ..var });
        Ok(Entity::Shared(shared))
    }

    /// The variable as a place of the function that is being checked.
    pub(in crate::sema) fn shared_place(
        &mut self,
        shared: FileSharedId,
        span: Span,
    ) -> Checked<Expr> {
        if self.side == Side::Host {
            return self.sema.error("type", span, "the host has no `__shared__` memory");
        }
        let known = self.vars.iter().position(|v| v.file_scope == Some(shared));
        let id = known.unwrap_or_else(|| {
            self.vars.push(self.sema.storage.shared[shared.index()].clone());
            self.vars.len() - 1
        });
        let ty = self.vars[id].ty.clone();
        Ok(Expr::place(ExprKind::Var(id as VarId), ty, span))
    }

    /// An error for an initialiser of a `__shared__` variable.
    pub(in crate::sema) fn no_initial_value(&mut self, ast: &VarDecl) {
        if matches!(ast.init, Init::None) {
            return;
        }
        let message = "a `__shared__` variable has no initial value";
        let diagnostic = Diagnostic::error("type", ast.span, message)
            .with_help("let one thread write it, then `__syncthreads()`");
        self.sema.report(diagnostic);
    }

    fn initial_bytes(&mut self, value: Option<&Expr>, size: u64) -> Checked<Vec<u8>> {
        let Some(value) = value else { return Ok(Vec::new()) };
        let mut bytes = vec![0; size as usize];
        self.sema.store_constant(value, &mut bytes, 0)?;
        Ok(bytes)
    }
}

/// The type of an array's elements, however many dimensions it has.
pub(in crate::sema) fn element_of(ty: &Type) -> &Type {
    match &ty.kind {
        Kind::Array(element, _) => element_of(element),
        _ => ty,
    }
}
