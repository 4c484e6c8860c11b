//! Host code of a program, and which side may call which function.
//!
//! A function is checked once for each side that calls it. A function without an execution space
//! specifier is a host function; a `constexpr` function may be called from both sides, and so may
//! built-in functions that need neither lanes nor device memory.

mod dynamic_parallelism;
mod initialisation_order;
mod launch;
mod library;
mod new_delete;
mod pointers;
pub(in crate::sema) mod variable_length_array;
mod variables;

use crate::diagnostic::{Diagnostic, Span};
use crate::environment::HostEnvironment;
use crate::reported::Reported;
use crate::sema::body::{Body, Lambdas};
use crate::sema::ids::HostGlobalId;
use crate::sema::tree::{Expr, ExprKind, Function, HostGlobal, Intrinsic, Program};
use crate::sema::types::ClassId;
use crate::sema::types::{Kind, Type};
use crate::sema::{Arg, Checked, Entity, FunctionId, Sema, Side};
use crate::syntax::ast::{self, Prim, Unit};
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// State of the host's part.
#[derive(Default)]
pub(in crate::sema) struct Host {
    /// What the host code of a program may use; `None` if all of the unit is for the device.
    pub(in crate::sema) environment: Option<&'static HostEnvironment>,
    pub(in crate::sema) globals: Vec<HostGlobal>,
    /// How each of them was declared.
    written: Vec<Rc<ast::VarDecl>>,
    /// Those that are references: variables that hold an address. The type as declared.
    references: HashMap<HostGlobalId, Type>,
    /// Those that begin before `main`, once everything is declared.
    pending: Vec<HostGlobalId>,
    pub(in crate::sema) order: initialisation_order::InitialisationOrder,
    /// The classes of the lambdas in their values.
    lambdas: Lambdas,
    /// `static` members that have not begun, with their struct.
    members: Vec<(HostGlobalId, ClassId)>,
    /// What is seen in a struct of such members.
    pub(in crate::sema) member_scopes: HashMap<ClassId, HashMap<Path, Entity>>,
    /// What a constant of the host is on the device.
    copies: HashMap<HostGlobalId, Option<Entity>>,
    /// Instances of templates that were launched.
    pub(in crate::sema) kernels: Vec<Rc<Function>>,
    /// Kernels that device code launches.
    pub(in crate::sema) device_launched: Vec<(FunctionId, Vec<Arg>, Span)>,
}

impl Host {
    pub(in crate::sema) fn new(environment: Option<&'static HostEnvironment>) -> Host {
        Host { environment, ..Host::default() }
    }

    /// Whether the unit is a program, with host code.
    pub(in crate::sema) fn is_program(&self) -> bool {
        self.environment.is_some()
    }
}

/// Whether the order of evaluation does not matter for it.
fn is_still(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Var(_) | ExprKind::This => true,
        ExprKind::Member(a, _)
        | ExprKind::Cast(a)
        | ExprKind::Bits(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Decay(a)
        | ExprKind::Deref(a) => is_still(a),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => is_still(a) && is_still(b),
        _ => false,
    }
}

/// Whether code of that side may call the function.
pub(in crate::sema) fn callable(ast: &ast::Function, side: Side) -> bool {
    let words = ast.storage;
    match side {
        Side::Device => words.device || (words.constexpr && !words.host),
        Side::Host => !words.device || words.host || words.constexpr || ast.span.is_built_in(),
    }
}

impl Sema<'_> {
    /// The side that runs the function; `None` if that depends on the caller.
    pub(in crate::sema) fn side_of(&self, ast: &ast::Function) -> Option<Side> {
        let words = ast.storage;
        if !self.host.is_program() || words.global {
            return Some(Side::Device);
        }
        match (words.device, words.host) {
            (true, true) => None,
            (true, false) => Some(Side::Device),
            (false, false) if words.constexpr => None,
            (false, _) => Some(Side::Host),
        }
    }

    /// Checks functions of both sides that are never called.
    pub(in crate::sema) fn check_shared(&mut self, ids: Vec<FunctionId>, program: &mut Program) {
        for id in ids {
            if self.diagnostics.errors >= crate::sema::MAX_ERRORS {
                return;
            }
            let ast = self.definitions[id].ast.clone();
            let made = self.checked_alone(&ast, |s| s.check_for_a_side(id, ast.span));
            if let Ok(function) = made {
                program.functions.push(self.signature(&function));
            }
        }
    }

    fn check_for_a_side(&mut self, id: FunctionId, span: Span) -> Checked<Rc<Function>> {
        let known = |side: &Side| self.instances.functions.contains_key(&(id, Vec::new(), *side));
        if let Some(side) = [Side::Device, Side::Host].into_iter().find(known) {
            return self.instantiate(id, Vec::new(), side, span);
        }
        // One that calls what only the host has may be called by the host.
        let on_device = Body::outside(self)
            .speculate(|b| b.sema.instantiate(id, Vec::new(), Side::Device, span));
        on_device.or_else(|_| self.instantiate(id, Vec::new(), Side::Host, span))
    }

    pub(in crate::sema) fn check_main(&mut self, main: &Function) {
        let params = &main.vars[..main.params];
        let text =
            |ty: &Type| ty.pointee().and_then(Type::pointee).is_some_and(|c| c.is(Prim::Char));
        let fits = match params {
            [] => true,
            [count, words] => count.ty.is(Prim::Int) && text(&words.ty),
            _ => false,
        };
        if !fits || !main.returns.is(Prim::Int) {
            let message = "`main` is `int main()` or `int main(int argc, char** argv)`";
            self.report(Diagnostic::error("type", main.span, message));
        }
    }

    pub(in crate::sema) fn no_main(&mut self, unit: &Unit) {
        let at = unit.items.iter().rev().find_map(|item| match item {
            ast::Item::Function(f) if !f.span.is_built_in() => Some(f.span),
            _ => None,
        });
        let diagnostic =
            Diagnostic::error("name", at.unwrap_or_default(), "this program has no `main`")
                .with_help("a program begins at `int main()`");
        self.report(diagnostic);
    }
}

impl Body<'_, '_> {
    /// The error for a call of a function of the other side.
    pub(in crate::sema) fn other_side<T>(&mut self, ast: &ast::Function, span: Span) -> Checked<T> {
        let name = &ast.name;
        let (message, add, runs) = match self.side {
            Side::Device => {
                let message =
                    format!("`{name}` is a host function: it cannot be called on the device");
                let add = if ast.storage.host { "__host__ __device__" } else { "__device__" };
                (message, add, "the device")
            }
            Side::Host => {
                let message =
                    format!("`{name}` is a device function: it cannot be called on the host");
                (message, "__host__ __device__", "the host")
            }
        };
        if self.side == Side::Device && name.is("cudaDeviceSynchronize") {
            // CUDA 12 has removed device-side synchronisation with child grids.
            let diagnostic = Diagnostic::unsupported(span, "`cudaDeviceSynchronize` in kernels")
                .with_help("end the kernel, and let the host, or a grid launched after, go on");
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        let help = match library::instead_in_kernels(name) {
            Some(help) if self.side == Side::Device && ast.span.is_built_in() => help.to_owned(),
            _ => format!("write `{add}` before it"),
        };
        let mut diagnostic = Diagnostic::error("type", span, message)
            .with_label(ast.span, "declared here")
            .with_help(help);
        if let (true, Some((caller, at))) = (self.sema.host.is_program(), self.frame.function) {
            diagnostic = diagnostic.with_label(at, format!("`{caller}` runs on {runs}"));
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// The functions of that name that this side may call; all of them if it may call none, and
    /// none if a built-in function steps in.
    pub(in crate::sema) fn functions_here(&self, name: Path) -> Option<Vec<FunctionId>> {
        let all = self.functions(name)?;
        if !self.sema.host.is_program() {
            return Some(all);
        }
        let ast = |id: &FunctionId| &self.sema.definitions[*id].ast;
        let own = |id: &FunctionId| ast(id).storage.global || callable(ast(id), self.side);
        let mut here: Vec<FunctionId> = all.iter().copied().filter(own).collect();
        if self.side == Side::Host {
            // Of two functions of the headers, the host's is preferred.
            let lent = |id: &FunctionId| {
                let words = ast(id).storage;
                words.device && !words.host && !words.constexpr && ast(id).span.is_built_in()
            };
            if here.iter().any(|id| !lent(id)) {
                here.retain(|id| !lent(id));
            }
        }
        match here.is_empty() {
            false => Some(here),
            true if crate::sema::calls::builtins::knows(name) => None,
            true => Some(all),
        }
    }

    /// The built-in call, or an error if this side does not have it.
    pub(in crate::sema) fn for_this_side(
        &mut self,
        made: Expr,
        name: &str,
        at: Span,
    ) -> Checked<Expr> {
        if self.side == Side::Host {
            let made = self.last_first(made);
            return self.checked_here(made, name, at);
        }
        self.checked_here(made, name, at)
    }

    /// `make_int2(f(), g())` is a call: host compilers evaluate its last argument first.
    fn last_first(&mut self, made: Expr) -> Expr {
        let Expr { kind: ExprKind::Make(parts), ty, span, place } = made else { return made };
        if parts.iter().filter(|p| !is_still(p)).count() < 2 {
            return Expr { kind: ExprKind::Make(parts), ty, span, place };
        }
        let mut steps = Vec::new();
        let mut kept = Vec::new();
        for part in parts.into_iter().rev() {
            let var = self.fresh(&part.ty, span);
            let ty = part.ty.unqualified();
            let it = || Expr::place(ExprKind::Var(var), ty.clone(), span);
            let kind = ExprKind::Assign(Box::new(it()), Box::new(part));
            steps.push(Expr::place(kind, ty.clone(), span));
            kept.insert(0, it());
        }
        let mut made = Expr::new(ExprKind::Make(kept), ty.clone(), span);
        for step in steps.into_iter().rev() {
            made = Expr::new(ExprKind::Comma(Box::new(step), Box::new(made)), ty.clone(), span);
        }
        made
    }

    fn checked_here(&mut self, made: Expr, name: &str, at: Span) -> Checked<Expr> {
        let ExprKind::Intrinsic(kind, _) = &made.kind else { return Ok(made) };
        let both = matches!(
            kind,
            Intrinsic::Unary(_)
                | Intrinsic::Binary(_)
                | Intrinsic::Fma
                | Intrinsic::Math(_)
                | Intrinsic::Assert
                | Intrinsic::ConstantEvaluated
                | Intrinsic::Trap(_)
                | Intrinsic::Nothing
        );
        if both || self.side == Side::Device {
            return Ok(made);
        }
        let message = format!("`{name}` is a function of the device: the host cannot call it");
        let mut diagnostic = Diagnostic::error("type", at, message);
        if let Some((caller, span)) = self.frame.function {
            diagnostic = diagnostic.with_label(span, format!("`{caller}` runs on the host"));
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }

    /// The array of a string literal.
    pub(in crate::sema) fn text(&self, text: &Rc<[u8]>, span: Span) -> Expr {
        let char = Type::from(Prim::Char).qualified(true, false);
        let ty = Kind::Array(Rc::new(char), text.len() as u64 + 1).into();
        Expr::place(ExprKind::Text(text.clone()), ty, span)
    }

    /// How an instance is called: a kernel's template says what it was filled in with.
    pub(in crate::sema) fn instance_name(&self, ast: &ast::Function, args: &[Arg]) -> Path {
        if args.is_empty() || !ast.storage.global {
            return ast.name;
        }
        let segment = format!("{}<{}>", ast.name.last(), self.spell_args(args)).into();
        ast.name.parent().map_or(Path::from(segment), |outer| outer.join(segment))
    }
}
