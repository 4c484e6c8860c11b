//! Trees to typed trees: names, types, overloads, templates, C++'s conversions.
//!
//! Every kernel is checked with all that it calls; a template is checked for each set of
//! arguments that it is used with. A function that nothing calls is checked too, unless it is a
//! template: a mistake is a mistake before somebody steps on it.
//!
//! A check that fails has reported why, and returns [`Reported`]; its callers give up as well.

mod body;
mod calls;
mod classes;
mod constexpr;
mod conversions;
mod expressions;
mod host;
mod initialization;
mod statements;
mod symbols;
mod templates;
pub mod tree;
pub mod types;

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::environment::HostEnvironment;
use crate::isa::Signature;
use crate::reported::Reported;
use crate::syntax::ast::{self, Item, Unit};
use crate::syntax::name::Path;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use tree::{Expr, Function, Global, Program, VarId};
use types::{Type, Types};

/// Errors after which the rest is not worth reading.
const MAX_ERRORS: usize = 20;

/// Instances of templates in one unit at most.
const MAX_INSTANCES: usize = 2000;

/// What a check gives.
type Checked<T> = Result<T, Reported>;

/// What a name means.
#[derive(Debug, Clone)]
enum Entity {
    Var(VarId),
    /// A named constant.
    Constant(Expr),
    Global(u16),
    /// A `__shared__` variable of the file: index into [`Sema::shared`].
    Shared(u32),
    /// A variable of the host that lives as long as the program.
    HostGlobal(u32),
    Type(Type),
    /// What a template's pack stands for.
    Pack(Vec<Arg>),
    /// The variables of a parameter that is a pack.
    Vars(Vec<VarId>),
    /// A struct's template by another name.
    Template(Path),
    /// A function by another name.
    Function(Path),
    /// A name of `auto [a, b] = ..`: a member of the variable, or an element.
    StructuredBinding(VarId, u32),
}

impl Entity {
    /// Whether it lives in the function that is being checked.
    fn is_local(&self) -> bool {
        matches!(self, Entity::Var(_) | Entity::Vars(_) | Entity::StructuredBinding(..))
    }
}

/// Who runs the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Device,
    Host,
}

/// A function, what its template's parameters stand for, and who runs it.
type Instance = (FunctionId, Vec<Arg>, Side);

/// An argument of a template.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Arg {
    Type(Type),
    Value(i128, Type),
    Pack(Vec<Arg>),
    /// The name of a struct's template.
    Template(Path),
    /// The name of a function: it is called by that name, wherever the parameter is.
    Function(Path),
}

/// What a template's parameters stand for.
type Bindings = Vec<(Path, Arg)>;

/// Index into [`Sema::declared`].
type FunctionId = usize;

/// A function as declared.
#[derive(Clone)]
struct Declared {
    ast: Rc<ast::Function>,
    /// The struct whose method it is.
    owner: Option<u32>,
    /// What the struct's template was instantiated with.
    bindings: Vec<(Path, Arg)>,
    /// What else it may see: for a lambda, the names around it.
    scope: Option<Rc<HashMap<Path, Entity>>>,
}

struct Sema<'a> {
    diagnostics: &'a mut Vec<Diagnostic>,
    types: Types,
    scope: HashMap<Path, Entity>,
    globals: Vec<Global>,
    /// The `__shared__` variables of the file, as a function that names one has it among its own.
    shared: Vec<tree::Var>,
    declared: Vec<Declared>,
    functions: HashMap<Path, Vec<FunctionId>>,
    /// Methods and constructors of each struct, by name.
    methods: HashMap<(u32, Path), Vec<FunctionId>>,
    constructors: HashMap<u32, Vec<FunctionId>>,
    /// Initial values that a struct gives its members.
    member_values: HashMap<u32, (Vec<ast::Init>, Bindings)>,
    /// Members that refer to a variable: a lambda's captures.
    references: HashSet<(u32, usize)>,
    /// `static constexpr` members, by struct and name.
    statics: HashMap<(u32, Path), Entity>,
    struct_templates: HashMap<Path, Rc<ast::Struct>>,
    /// `template <typename T> struct S<T*>`, by the template's name.
    partial_specialisations: HashMap<Path, Vec<Rc<ast::Struct>>>,
    alias_templates: HashMap<Path, Rc<ast::Alias>>,
    /// What templates inside a struct see of it: its own parameters, and its members.
    enclosing: HashMap<Path, (Bindings, u32)>,
    /// What each struct was declared as.
    written: HashMap<u32, Rc<ast::Struct>>,
    classes: HashMap<u32, classes::class::Class>,
    /// Members defined outside their struct, by the struct and their name.
    member_definitions: HashMap<(Path, Path), Vec<classes::class::MemberDefinition>>,
    static_values: HashMap<(Path, Path), (Vec<ast::TemplateParam>, Rc<ast::VarDecl>)>,
    /// The values of `constexpr` arrays and structs.
    known: constexpr::evaluation::Known,
    /// What copies, moves, assigns and destroys values of each type.
    lifetimes: classes::special_members::Lifetimes,
    /// Templates of structs that are being filled in, one inside the other.
    instantiation_depth: usize,
    dispatches: Vec<classes::virtual_dispatch::Dispatch>,
    /// Functions whose address device code takes: the pointers are their numbers, from 1.
    pointed: Vec<Rc<Function>>,
    /// Candidates that are looked at, one on account of the other.
    overload_depth: usize,
    /// A conversion of a class is looked for: it does not go by way of another.
    in_user_conversion: bool,
    /// Explicit specialisations: of functions, by template and arguments; of structs.
    function_specialisations: HashMap<(FunctionId, Vec<Arg>), FunctionId>,
    struct_specialisations: HashMap<(Path, Vec<Arg>), Rc<ast::Struct>>,
    struct_instances: HashMap<(Path, Vec<Arg>), Type>,
    instances: HashMap<Instance, Checked<Rc<Function>>>,
    /// Functions being checked: one that calls itself is among them.
    active: Vec<Instance>,
    /// Those that turned out to call themselves.
    recursive: HashMap<Instance, Rc<tree::Recursion>>,
    /// Who uses the built-in text that is being checked.
    site: Option<Span>,
    /// Who made the built-in text's structs.
    sites: HashMap<u32, Span>,
    errors: usize,
    host: host::Host,
}

/// Checks a unit; with an environment it is a program with host code. The result is complete if no error
/// was added to `diagnostics`.
pub(crate) fn check(
    unit: &Unit,
    environment: Option<&'static HostEnvironment>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Program, Types) {
    let mut sema = Sema {
        diagnostics,
        types: Types::default(),
        scope: HashMap::new(),
        globals: Vec::new(),
        shared: Vec::new(),
        declared: Vec::new(),
        functions: HashMap::new(),
        methods: HashMap::new(),
        constructors: HashMap::new(),
        member_values: HashMap::new(),
        references: HashSet::new(),
        statics: HashMap::new(),
        struct_templates: HashMap::new(),
        partial_specialisations: HashMap::new(),
        alias_templates: HashMap::new(),
        enclosing: HashMap::new(),
        written: HashMap::new(),
        classes: HashMap::new(),
        member_definitions: HashMap::new(),
        static_values: HashMap::new(),
        known: constexpr::evaluation::Known::default(),
        lifetimes: classes::special_members::Lifetimes::default(),
        instantiation_depth: 0,
        dispatches: Vec::new(),
        pointed: Vec::new(),
        overload_depth: 0,
        in_user_conversion: false,
        function_specialisations: HashMap::new(),
        struct_specialisations: HashMap::new(),
        struct_instances: HashMap::new(),
        instances: HashMap::new(),
        active: Vec::new(),
        recursive: HashMap::new(),
        site: None,
        sites: HashMap::new(),
        errors: 0,
        host: host::Host::new(environment),
    };
    let program = sema.unit(unit);
    (program, sema.types)
}

impl Sema<'_> {
    fn report(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.span.is_built_in() {
            let mut labels = diagnostic.labels.iter().map(|(span, _)| *span);
            let named = labels.find(|span| !span.is_built_in());
            diagnostic.span = self.site.or(named).unwrap_or(diagnostic.span);
        }
        let repeated = self
            .diagnostics
            .iter()
            .any(|d| d.span == diagnostic.span && d.message == diagnostic.message);
        if !repeated {
            self.errors += usize::from(diagnostic.severity == Severity::Error);
            self.diagnostics.push(diagnostic);
        }
    }

    fn error<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Checked<T> {
        self.report(Diagnostic::error(code, span, message));
        Err(Reported)
    }

    fn unsupported<T>(&mut self, span: Span, construct: impl std::fmt::Display) -> Checked<T> {
        self.report(Diagnostic::unsupported(span, construct));
        Err(Reported)
    }

    fn unit(&mut self, unit: &Unit) -> Program {
        let mut order = Vec::new();
        for item in &unit.items {
            self.item(item, &mut order);
        }
        let mut program = Program::default();
        self.begin_globals();
        // What serves both sides is checked for those that use it.
        let mut shared = Vec::new();
        for id in order {
            if self.errors >= MAX_ERRORS {
                break;
            }
            let declared = self.declared[id].clone();
            let ast = &declared.ast;
            if !ast.template.is_empty() {
                if ast.storage.global {
                    continue;
                }
                program.functions.push(self.template_signature(ast));
                continue;
            }
            if ast.body.is_none() {
                continue;
            }
            let side = self.side_of(ast);
            if side.is_none() {
                shared.push(id);
            }
            let Some(side) = side else { continue };
            let Ok(function) = self.instantiate(id, Vec::new(), side, ast.span) else { continue };
            if ast.storage.global {
                self.check_kernel(ast);
                program.kernels.push(function);
            } else if side == Side::Host && ast.name.is("main") {
                self.check_main(&function);
                program.main = Some(function);
            } else if declared.owner.is_none() {
                program.functions.push(self.signature(&function));
            }
        }
        self.check_shared(shared, &mut program);
        let asked = self.check_device_launched();
        self.finish_dispatches();
        self.begin_statics();
        if self.host.is_program() && program.main.is_none() && self.errors == 0 {
            self.no_main(unit);
        }
        for kernel in std::mem::take(&mut self.host.kernels) {
            if !program.kernels.iter().any(|k| Rc::ptr_eq(k, &kernel)) {
                program.kernels.push(kernel);
            }
        }
        let place = |kernel: &Rc<Function>| {
            program.kernels.iter().position(|k| Rc::ptr_eq(k, kernel)).unwrap_or(0)
        };
        program.device_launched = asked.iter().map(place).collect();
        program.globals = std::mem::take(&mut self.globals);
        program.host_globals = std::mem::take(&mut self.host.globals);
        program
    }

    fn check_kernel(&mut self, ast: &ast::Function) {
        let void = matches!(ast.returns.kind, ast::TypeKind::Prim(ast::Prim::Void));
        if !void {
            self.report(
                Diagnostic::error("type", ast.returns.span, "a kernel returns nothing")
                    .with_help("make it `void`, and pass a pointer for the result"),
            );
        }
    }

    fn signature(&self, function: &Function) -> Signature {
        let params = function.vars[..function.params]
            .iter()
            .map(|v| {
                let sign = if v.reference { "&" } else { "" };
                (format!("{}{sign}", self.types.spell(&v.ty)), v.name.to_string())
            })
            .collect();
        Signature {
            name: function.name.to_string(),
            returns: self.types.spell(&function.returns),
            params,
            span: function.span,
        }
    }

    /// A template has no types yet: they are spelled with the names of its parameters.
    fn template_signature(&self, ast: &ast::Function) -> Signature {
        let params = ast
            .params
            .iter()
            .map(|p| (types::resolve::spell_written(&p.ty), p.name.to_string()))
            .collect();
        let returns = types::resolve::spell_written(&ast.returns);
        Signature { name: ast.name.to_string(), returns, params, span: ast.span }
    }

    fn item(&mut self, item: &Item, order: &mut Vec<FunctionId>) {
        match item {
            Item::Function(ast) => {
                // What is built in is checked where it is used.
                if let Some(id) = self.declare_function(ast)
                    && !ast.span.is_built_in()
                {
                    order.push(id);
                }
            }
            Item::Variables(all) => {
                for variable in all {
                    if variable.announces_array() {
                        continue;
                    }
                    if self.host_variable(variable) {
                        continue;
                    }
                    if let Ok(Some(entity)) = body::Body::outside(self).global(variable) {
                        self.scope.insert(variable.name, entity);
                    }
                }
            }
            Item::Specialisation(arguments, ast) => {
                body::Body::outside(self).specialise_function(arguments, ast);
            }
            Item::Struct(ast) if !ast.specialises.is_empty() && !ast.template.is_empty() => {
                self.partial_specialisations.entry(ast.name).or_default().push(ast.clone());
            }
            Item::Struct(ast) if !ast.specialises.is_empty() => {
                body::Body::outside(self).specialise_struct(ast, ast);
            }
            Item::Struct(ast) if ast.template.is_empty() => {
                // What is reported in one struct does not hide the mistakes in the next.
                let _: Checked<Type> = self.define_struct(ast, Vec::new(), None);
            }
            Item::Struct(ast) if !ast.defined && self.struct_templates.contains_key(&ast.name) => {}
            Item::Struct(ast) => self.struct_template(ast.name, ast),
            Item::Enum(ast) => {
                let mut body = body::Body::outside(self);
                body.enumeration(ast);
                let made = std::mem::take(&mut body.scopes);
                self.scope.extend(made.into_iter().flatten());
            }
            Item::Method(owner, template, ast) => self.define_member(owner, template, ast),
            Item::Static(owner, template, ast) => {
                let ast::TypeKind::Named(name, arguments) = &owner.kind else { return };
                let mut name = *name;
                if template.is_empty() && !arguments.is_empty() {
                    let Ok(ty) = body::Body::outside(self).resolve(owner) else { return };
                    name = self.types.spell(&ty).into();
                }
                let made = (template.clone(), Rc::new(ast.clone()));
                self.static_values.insert((name, ast.name), made);
            }
            Item::Alias(ast) if !ast.template.is_empty() => {
                self.alias_templates.insert(ast.name, Rc::new(ast.clone()));
            }
            Item::Alias(ast) => {
                if let Ok(ty) = body::Body::outside(self).resolve(&ast.ty) {
                    self.scope.insert(ast.name, Entity::Type(ty));
                }
            }
            Item::StaticAssert(cond, message) => {
                body::Body::outside(self).static_assert(cond, message.as_deref());
            }
        }
    }

    /// A struct's template; its announcement may have given the parameters their defaults.
    fn struct_template(&mut self, name: Path, ast: &Rc<ast::Struct>) {
        let mut made = (**ast).clone();
        if let Some(before) = self.struct_templates.get(&name) {
            for (own, known) in made.template.iter_mut().zip(&before.template) {
                own.default = own.default.take().or_else(|| known.default.clone());
            }
        }
        self.struct_templates.insert(name, Rc::new(made));
    }

    /// A definition takes the place of its declaration.
    fn declare_function(&mut self, ast: &Rc<ast::Function>) -> Option<FunctionId> {
        let same_kind = |d: &Declared| {
            self.side_of(&d.ast) == self.side_of(ast)
                && d.ast.params.len() == ast.params.len()
                && d.ast.template.len() == ast.template.len()
                && d.ast.params.iter().zip(&ast.params).all(|(a, b)| {
                    types::resolve::spell_parameter(&a.ty) == types::resolve::spell_parameter(&b.ty)
                })
        };
        let known = self.functions.get(&ast.name).cloned().unwrap_or_default();
        if let Some(id) = known.into_iter().find(|id| same_kind(&self.declared[*id])) {
            let before = self.declared[id].ast.clone();
            if before.span.is_built_in() {
                // The unit has its own.
                self.declared[id].ast = ast.clone();
                return Some(id);
            }
            if before.body.is_some() && ast.body.is_some() {
                self.report(
                    Diagnostic::error("name", ast.span, format!("`{}` is defined twice", ast.name))
                        .with_label(before.span, "first defined here"),
                );
            } else if ast.body.is_some() {
                self.declared[id].ast = ast.clone();
            }
            return None;
        }
        self.declared.push(Declared {
            ast: ast.clone(),
            owner: None,
            bindings: Vec::new(),
            scope: None,
        });
        let id = self.declared.len() - 1;
        self.functions.entry(ast.name).or_default().push(id);
        Some(id)
    }

    /// The function with its templates' arguments filled in, checked once.
    fn instantiate(
        &mut self,
        id: FunctionId,
        args: Vec<Arg>,
        side: Side,
        site: Span,
    ) -> Checked<Rc<Function>> {
        if let Some(special) = self.function_specialisations.get(&(id, args.clone())).copied() {
            return self.instantiate(special, Vec::new(), side, site);
        }
        let key = (id, args.clone(), side);
        if let Some(known) = self.instances.get(&key) {
            return known.clone();
        }
        let declared = self.declared[id].clone();
        if self.active.contains(&key) {
            let name = &declared.ast.name;
            return self.unsupported(site, format!("recursion (`{name}` calls itself)"));
        }
        if self.active.len() > 40 || self.instances.len() > MAX_INSTANCES {
            return self.unsupported(site, "calls nested this deep");
        }
        self.active.push(key.clone());
        let outer = self.site;
        if outer.is_none() && declared.ast.span.is_built_in() {
            self.site = Some(site);
        }
        let made = body::function(self, &declared, &args, side).map(Rc::new);
        self.site = outer;
        self.active.pop();
        if let (Some(recursion), Ok(function)) = (self.recursive.get(&key), &made) {
            // It was empty until now.
            let _ = recursion.function.set(function.clone());
        }
        self.instances.insert(key, made.clone());
        made
    }
}
