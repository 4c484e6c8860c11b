//! Function bodies: one instance of a function, its parameters, scopes and result.

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::reported::Reported;
use crate::sema::calls::call_site::CallSite;
use crate::sema::initialization::braced_arguments::BracedArgument;
use crate::sema::statements::returns::{always_returns, returned};
use crate::sema::tree::{Expr, ExprKind, Function, Home, Intrinsic, Stmt, Var, VarId};
use crate::sema::types::{ClassId, Kind, Signature, Type};
use crate::sema::{Arg, Checked, Declared, Entity, Sema, Side};
use crate::syntax::ast::{self, Prim, VarDecl};
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// What is being checked: one function, or a constant expression outside.
pub(in crate::sema) struct Body<'s, 'a> {
    pub(in crate::sema) sema: &'s mut Sema<'a>,
    /// The block scopes, the innermost last.
    pub(in crate::sema) scopes: Vec<HashMap<Path, Entity>>,
    pub(in crate::sema) vars: Vec<Var>,
    pub(in crate::sema) side: Side,
    pub(in crate::sema) frame: Frame,
    pub(in crate::sema) nesting: Nesting,
    /// Braced lists among the arguments of the calls so far.
    pub(in crate::sema) braced_arguments: Vec<BracedArgument>,
    /// The struct of each lambda that was met.
    pub(in crate::sema) lambdas: Lambdas,
    /// The pointer that an overloaded function's address is taken for.
    pub(in crate::sema) pointed: Option<Pointed>,
    /// The variable that holds the length of each variable-length array.
    pub(in crate::sema) array_lengths: HashMap<VarId, Path>,
    /// A method is called by its qualified name: the call is not virtual.
    pub(in crate::sema) non_virtual: bool,
    /// The call whose default arguments are being checked.
    pub(in crate::sema) call_site: Option<CallSite>,
    /// The values of its own `constexpr` arrays and structs.
    pub(in crate::sema) constants: HashMap<VarId, Rc<Expr>>,
}

/// The most variables of a device function: the analysis of which are assigned is quadratic in them.
const MAX_VARIABLES: usize = 8192;

/// Lambdas by their place and the address of their tree, which is kept: those of a macro's expansion
/// have one place.
pub(in crate::sema) type Lambdas =
    HashMap<(Span, *const ast::Function), (Rc<ast::Function>, ClassId)>;

/// What a pointer to a function, or to a method, points to.
#[derive(Clone)]
pub(in crate::sema) struct Pointed {
    pub(in crate::sema) signature: Rc<Signature>,
    /// The class whose method it is, `const` or not.
    pub(in crate::sema) class: Option<Type>,
}

/// The function that is being checked.
pub(in crate::sema) struct Frame {
    /// Its name and where it stands; `None` outside functions.
    pub(in crate::sema) function: Option<(Path, Span)>,
    /// The struct whose method this is, `const` or not.
    pub(in crate::sema) this: Option<Type>,
    /// The struct whose member this is, `static` or not.
    pub(in crate::sema) owner: Option<ClassId>,
    /// The result type; `None` until a `return` has told what `auto` is.
    pub(in crate::sema) returns: Option<Type>,
    /// How `auto` is written there.
    pub(in crate::sema) open_returns: Option<ast::TypeExpr>,
    /// The number of variables that are parameters: the first ones.
    pub(in crate::sema) params: usize,
    /// Named return value optimisation: each `return` names the same variable, which is the result
    /// from the start.
    pub(in crate::sema) one_result: bool,
    /// The object's address is taken.
    pub(in crate::sema) this_addressed: bool,
    /// A statement is left out: what is wrong with it, or with what it calls, was reported.
    pub(in crate::sema) incomplete: bool,
}

/// Statements around the one that is being checked.
#[derive(Default)]
pub(in crate::sema) struct Nesting {
    /// Loops: where `continue` may stand.
    pub(in crate::sema) loops: usize,
    /// Loops and switches: where `break` may stand.
    pub(in crate::sema) breakable: usize,
    /// How many variables stand before the innermost block of a `try`.
    pub(in crate::sema) variables_before_try: usize,
}

/// Checks one instance of a function.
pub(in crate::sema) fn function(
    sema: &mut Sema<'_>,
    declared: &Declared,
    args: &[Arg],
    side: Side,
) -> Checked<Function> {
    let elsewhere = match declared.ast.body {
        Some(_) => None,
        None => sema.out_of_class_definition(declared),
    };
    let declared = elsewhere.as_ref().unwrap_or(declared);
    let ast = match &declared.ast.on_host {
        Some(on_host) if side == Side::Host => on_host.clone(),
        _ => declared.ast.clone(),
    };
    let Some(code) = &ast.body else {
        if ast.body_kind == ast::BodyKind::Default {
            return crate::sema::classes::defaulted::function(sema, declared, args, side);
        }
        return undefined(sema, declared, &ast, args, side);
    };
    sema.redeclared_in_function(&ast);
    let mut body = Body::of(sema, declared, &ast, args, side);
    if let (Some(at), Side::Device) = (ast.variadic, side) {
        return body.sema.unsupported(at, "functions with any number of arguments");
    }
    let mut fine = true;
    for param in &ast.params {
        fine &= body.param(param, ast.storage.global).is_ok();
    }
    let params = body.vars.len();
    body.frame.params = params;
    let mut results = Vec::new();
    returned(code, &mut results);
    body.frame.one_result = results
        .first()
        .is_some_and(|first| first.is_some() && results.iter().all(|name| name == first));
    // A trailing return type may name the parameters.
    body.frame.returns = match crate::sema::types::resolve::contains_auto(&ast.returns) {
        true => {
            body.frame.open_returns = Some(ast.returns.clone());
            None
        }
        false => Some(body.resolve(&ast.returns)?),
    };
    let (max_threads, cluster) = body.launch_bounds(&ast.bounds)?;
    // The device has no exceptions, so that nothing depends on it there.
    let noexcept = side == Side::Host && body.is_noexcept(&ast)?;
    let mut out = Vec::new();
    for param in ast.params.iter().filter(|_| ast.storage.global) {
        fine &= body.kernel_reference(param, &mut out).is_ok();
    }
    if let Some(owner) = declared.owner
        && body.sema.definitions.struct_asts.get(&owner).is_some_and(|w| w.name == ast.name)
    {
        fine &= body.begin_members(owner, &ast, &mut out).is_ok();
    }
    body.scopes.push(HashMap::new());
    let errors = body.sema.diagnostics.errors;
    match &code.kind {
        ast::StmtKind::Block(statements) => body.body_after(statements, &mut out),
        ast::StmtKind::Try(block, handlers) => {
            let built = std::mem::take(&mut out);
            out.push(body.try_in_constructor(built, block, handlers, code.span)?);
        }
        _ => return Err(Reported),
    }
    if !fine || body.sema.diagnostics.errors != errors {
        return Err(Reported);
    }
    let returns = body.frame.returns.clone().unwrap_or_else(|| Prim::Void.into());
    body.end_of_function(&ast, &returns, &mut out);
    if side == Side::Device {
        body.mark_referents(&out);
    }
    let mut function = Function {
        name: body.instance_name(&ast, args),
        span: ast.span,
        reference: returns.is_reference(),
        returns: returns.unreferenced().clone(),
        moved: matches!(returns.kind, Kind::Rvalue(_)),
        params,
        vars: body.vars,
        body: out,
        max_threads,
        cluster,
        this_addressed: body.frame.this_addressed,
        c_linkage: ast.storage.c_linkage,
        noexcept,
        needs_defined: Vec::new(),
    };
    if side == Side::Device {
        if function.vars.len() > MAX_VARIABLES {
            let what = format!("a device function of more than {MAX_VARIABLES} variables");
            return sema.unsupported(function.span, what);
        }
        crate::sema::statements::definite_assignment::watch(&mut function, &sema.types);
    } else {
        crate::sema::statements::definite_assignment::watch_host(&mut function, &sema.types);
    }
    Ok(function)
}

/// A function that no file defines. Its callers are checked as if one did, so that a unit of several
/// can be checked alone: `auto x = f();` needs no more than the type of the result. If it is called
/// though that was reported, it traps.
fn undefined(
    sema: &mut Sema<'_>,
    declared: &Declared,
    ast: &ast::Function,
    args: &[Arg],
    side: Side,
) -> Checked<Function> {
    if ast.body_kind == ast::BodyKind::Delete {
        let message = format!("`{}` is deleted, and is needed here", ast.name);
        let help = "leave out `= delete`, or what needs it: a copy, or an object that ends";
        sema.report(Diagnostic::error("type", ast.span, message).with_help(help));
        return Err(Reported);
    }
    sema.report_undefined(ast);
    if ast.storage.global || crate::sema::types::resolve::contains_auto(&ast.returns) {
        return Err(Reported);
    }
    let mut body = Body::of(sema, declared, ast, args, side);
    for param in &ast.params {
        body.param(param, false)?;
    }
    let returns = body.resolve(&ast.returns)?;
    let what = Intrinsic::Trap(format!("`{}` is defined nowhere, and was called", ast.name));
    let trap = Expr::new(ExprKind::Intrinsic(what, Vec::new()), Prim::Void.into(), ast.span);
    Ok(Function {
        name: body.instance_name(ast, args),
        span: ast.span,
        reference: returns.is_reference(),
        returns: returns.unreferenced().clone(),
        moved: matches!(returns.kind, Kind::Rvalue(_)),
        params: body.vars.len(),
        vars: body.vars,
        body: vec![Stmt::Expr(trap)],
        max_threads: None,
        cluster: None,
        this_addressed: false,
        c_linkage: false,
        noexcept: false,
        needs_defined: Vec::new(),
    })
}

/// Collects what the references among the variables refer to, in the order of their declarations.
fn references<'t>(list: &'t [Stmt], vars: &[Var], out: &mut Vec<(VarId, &'t Expr)>) {
    for stmt in list {
        match stmt {
            Stmt::Declare { var, init: Some(place), .. } if vars[*var as usize].reference => {
                out.push((*var, place));
            }
            Stmt::Block(list) | Stmt::Loop { body: list, .. } | Stmt::Switch { body: list, .. } => {
                references(list, vars, out);
            }
            Stmt::If { then, other, .. } => {
                references(then, vars, out);
                references(other, vars, out);
            }
            _ => {}
        }
    }
}

impl<'s, 'a> Body<'s, 'a> {
    /// The most threads per block, and the blocks of a cluster, that a kernel declares.
    fn launch_bounds(
        &mut self,
        bounds: &ast::LaunchBounds,
    ) -> Checked<(Option<u32>, Option<[u32; 3]>)> {
        let mut extent = |e| Ok(self.constant_int(e)?.clamp(0, i128::from(u32::MAX)) as u32);
        let threads = bounds.threads.as_ref().map(&mut extent).transpose()?;
        let extents: Vec<u32> = bounds.cluster.iter().map(extent).collect::<Checked<_>>()?;
        let axis = |axis: usize| extents.get(axis).copied().unwrap_or(1);
        Ok((threads, (!extents.is_empty()).then(|| [0, 1, 2].map(axis))))
    }

    /// What a reference refers to is in memory, if the reference's address is taken anywhere.
    fn mark_referents(&mut self, body: &[Stmt]) {
        let mut all = Vec::new();
        references(body, &self.vars, &mut all);
        // A reference may refer to an earlier one.
        for (var, place) in all.into_iter().rev() {
            if self.vars[var as usize].addressed {
                self.mark_addressed(place);
            }
        }
    }

    /// For an instance of a function: what its names mean, before its parameters.
    pub(in crate::sema) fn of(
        sema: &'s mut Sema<'a>,
        declared: &Declared,
        ast: &ast::Function,
        args: &[Arg],
        side: Side,
    ) -> Body<'s, 'a> {
        let copied = declared.bindings.len() + declared.scope.as_ref().map_or(0, |s| s.len());
        // Where the steps end, nothing more is checked: the body is dropped.
        let _: Checked<()> = sema.take_steps_for_names(copied, ast.span);
        let mut body = Body::outside(sema);
        body.side = side;
        body.frame.function = Some((ast.name, ast.span));
        if let Some(scope) = &declared.scope {
            body.scopes.push((**scope).clone());
        }
        body.bind(&declared.bindings);
        let bindings: Vec<(Path, Arg)> =
            ast.template.iter().map(|t| t.name.into()).zip(args.iter().cloned()).collect();
        body.bind(&bindings);
        body.in_class_of(declared.owner, ast);
        body
    }

    /// What follows is seen from inside this class, if any: from one of its functions.
    pub(in crate::sema) fn in_class_of(&mut self, owner: Option<ClassId>, ast: &ast::Function) {
        self.frame.owner = owner;
        let object = owner.filter(|_| !ast.storage.is_static);
        self.frame.this =
            object.map(|class| Type::from(Kind::Struct(class)).qualified(ast.constant, false));
    }

    /// For an expression outside functions.
    pub(in crate::sema) fn outside(sema: &'s mut Sema<'a>) -> Body<'s, 'a> {
        Body {
            scopes: vec![HashMap::new()],
            vars: Vec::new(),
            side: if sema.host.is_program() { Side::Host } else { Side::Device },
            sema,
            frame: Frame {
                function: None,
                this: None,
                owner: None,
                returns: Some(Prim::Void.into()),
                open_returns: None,
                params: 0,
                one_result: false,
                this_addressed: false,
                incomplete: false,
            },
            nesting: Nesting::default(),
            braced_arguments: Vec::new(),
            lambdas: HashMap::new(),
            pointed: None,
            array_lengths: HashMap::new(),
            non_virtual: false,
            call_site: None,
            constants: HashMap::new(),
        }
    }

    /// The end of a function without a `return` there.
    fn end_of_function(&mut self, ast: &ast::Function, returns: &Type, out: &mut Vec<Stmt>) {
        if returns.is(Prim::Void) || always_returns(out) {
            return;
        }
        if ast.name.is("main") {
            out.push(Stmt::Return(Some(Self::int(0, Prim::Int, ast.span)), ast.span));
            return;
        }
        let words = format!("`{}` ends without returning a value", ast.name);
        let kind = ExprKind::Intrinsic(Intrinsic::Trap(words), Vec::new());
        out.push(Stmt::Expr(Expr::new(kind, Prim::Void.into(), ast.span)));
        // That a kernel returns something was reported.
        if ast.storage.global || self.frame.incomplete {
            return;
        }
        let message = format!("`{}` does not return a value on every path", ast.name);
        let help = format!("end it with `return` and a `{}`", self.sema.types.spell(returns));
        let warning = Diagnostic::error("return", ast.span, message).with_help(help);
        self.sema.report(Diagnostic { severity: Severity::Warning, ..warning });
    }

    /// Names of a template's parameters.
    pub(in crate::sema) fn bind(&mut self, bindings: &[(Path, Arg)]) {
        for (name, arg) in bindings {
            let entity = match arg {
                Arg::Type(ty) => Entity::Type(ty.clone()),
                Arg::Pack(all) => Entity::Pack(all.clone()),
                Arg::Template(name) => Entity::Template(*name),
                Arg::Function(name) => Entity::Function(*name),
                Arg::Value(v, ty) => {
                    Entity::Constant(Expr::new(ExprKind::Int(*v), ty.clone(), Span::default()))
                }
            };
            self.define(name, entity);
        }
    }

    pub(in crate::sema) fn define(&mut self, name: impl Into<Path>, entity: Entity) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.into(), entity);
        }
    }

    /// What the innermost scope declares under the name.
    pub(in crate::sema) fn declared_here(&self, name: &Path) -> Option<Entity> {
        self.scopes.last()?.get(name).cloned()
    }

    /// Unqualified and qualified name lookup.
    pub(in crate::sema) fn lookup(&self, name: impl Into<Path>) -> Option<Entity> {
        self.lookup_path(name.into())
    }

    fn lookup_path(&self, name: Path) -> Option<Entity> {
        let local = self.scopes.iter().rev().find_map(|s| s.get(&name));
        if let Some(found) = local {
            return Some(found.clone());
        }
        let of_class = |class| self.sema.definitions.statics.get(class, name);
        if let Some(found) = self.classes_here().find_map(of_class) {
            return Some(found.clone());
        }
        if let Some(found) = self.sema.definitions.scope.get(&name.unrooted()) {
            return Some(found.clone());
        }
        // `S::value`, where `S` may be a template's parameter.
        match self.lookup_path(name.parent()?)? {
            Entity::Type(Type { kind: Kind::Struct(index), .. }) => {
                self.sema.definitions.statics.get(index, name.last()).cloned()
            }
            Entity::Type(ty) => {
                let value = self.enumerator(&ty, name.last(), Span::BUILT_IN)?;
                Some(Entity::Constant(value))
            }
            _ => None,
        }
    }

    /// The class whose function this is, and those around it, from the inside out. A closure is in the
    /// class of the function around it.
    pub(in crate::sema) fn classes_here(&self) -> impl Iterator<Item = ClassId> {
        std::iter::successors(self.frame.owner, |class| self.sema.types.get(*class).outer)
    }

    pub(in crate::sema) fn add_var(
        &mut self,
        name: &Path,
        ty: &Type,
        span: Span,
        home: Home,
    ) -> VarId {
        let reference = ty.is_reference();
        self.vars.push(Var {
            name: name.into(),
            ty: ty.unreferenced().clone(),
            reference,
            rvalue: matches!(ty.kind, Kind::Rvalue(_)),
            span,
            home,
            file_scope: None,
            align: 1,
            addressed: false,
            folded: false,
            written: false,
            partially_written: false,
            tracked: false,
            tracked_members: Vec::new(),
            destroy: None,
        });
        self.vars.len() as VarId - 1
    }

    pub(in crate::sema) fn param(&mut self, ast: &VarDecl, kernel: bool) -> Checked<()> {
        if let ast::TypeKind::Expand(..) = &ast.ty.kind {
            let types = self.expand_types(&ast.ty)?;
            let mut ids = Vec::new();
            for ty in types {
                ids.push(self.one_param(ast, &ty, kernel)?);
            }
            self.define(ast.name, Entity::Vars(ids));
            return Ok(());
        }
        let mut ty = self.variable_type(ast)?;
        if kernel && matches!(ty.kind, Kind::Rvalue(_)) {
            let message = "a kernel has no parameter of the type `T&&`";
            let diagnostic = Diagnostic::error("type", ast.ty.span, message)
                .with_help("pass a value, or a pointer to memory of the device");
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        if kernel && ty.is_reference() {
            ty = ty.unreferenced().clone().pointer_to();
        }
        let id = self.one_param(ast, &ty, kernel)?;
        self.define(ast.name, Entity::Var(id));
        Ok(())
    }

    fn one_param(&mut self, ast: &VarDecl, ty: &Type, kernel: bool) -> Checked<VarId> {
        if kernel && ty.is_reference() {
            let diagnostic = Diagnostic::error(
                "type",
                ast.ty.span,
                "a kernel's pack of parameters cannot hold a reference",
            )
            .with_help("the host's memory is not the device's: pass pointers or values");
            self.sema.report(diagnostic);
            return Err(Reported);
        }
        let id = self.add_var(&ast.name, ty, ast.span, Home::Own);
        // A kernel's parameters are bytes: the host destroys the arguments.
        if !kernel {
            self.ends(id, ast.span)?;
        }
        Ok(id)
    }

    /// A kernel's reference parameter is passed as an address; the name means what the address
    /// points to.
    fn kernel_reference(&mut self, ast: &VarDecl, out: &mut Vec<Stmt>) -> Checked<()> {
        if let ast::TypeKind::Expand(..) = &ast.ty.kind {
            return Ok(());
        }
        let ty = self.variable_type(ast)?;
        let Some(Entity::Var(given)) = self.lookup(ast.name).filter(|_| ty.is_reference()) else {
            return Ok(());
        };
        let target = ty.unreferenced().clone();
        let span = ast.span;
        let pointer = Expr::place(ExprKind::Var(given), target.clone().pointer_to(), span);
        let place = self.dereference(pointer, target, span);
        let id = self.add_var(&ast.name, &ty, span, Home::Own);
        self.define(ast.name, Entity::Var(id));
        out.push(Stmt::Declare { var: id, init: Some(place), span });
        Ok(())
    }

    /// Notes what destroys a variable.
    pub(in crate::sema) fn ends(&mut self, id: VarId, span: Span) -> Checked<()> {
        let var = &self.vars[id as usize];
        if var.reference || var.home != Home::Own || !self.sema.needs_destroy(&var.ty) {
            return Ok(());
        }
        let ty = var.ty.clone();
        self.check_destructor(&ty, span);
        let destroy = self.sema.destroyer(&ty, self.side, span);
        let var = &mut self.vars[id as usize];
        var.addressed |= self.side == Side::Device;
        var.destroy = destroy;
        Ok(())
    }
}
