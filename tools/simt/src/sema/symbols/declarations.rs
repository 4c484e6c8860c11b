//! Declarations at namespace scope enter the symbol table.

use crate::diagnostic::Diagnostic;
use crate::sema::body::Body;
use crate::sema::classes::outside::class_written;
use crate::sema::symbols::symbol_table::{Declared, Entity, FunctionId};
use crate::sema::templates::concepts::same_constraints;
use crate::sema::types::{Kind, Type};
use crate::sema::types::{as_written, resolve};
use crate::sema::{Checked, MAX_ERRORS, Sema};
use crate::syntax::ast::{self, Init, Item};
use crate::syntax::name::Path;
use std::rc::Rc;

/// The most functions of one name: each declaration is compared with those before it.
const MAX_OVERLOADS: usize = 1000;

impl Sema<'_> {
    /// A program's own `operator new` or `operator delete` of the whole program, which the library would
    /// have to call, too.
    fn refuse_replacement(&mut self, ast: &ast::Function) {
        let name = ast.name.to_string();
        let plain = match name.as_str() {
            "operator new" | "operator new[]" => ast.params.len() == 1,
            "operator delete" | "operator delete[]" => ast.params.len() == 1,
            _ => false,
        };
        if plain && self.host.is_program() && !ast.span.is_built_in() {
            let what = format!("a replacement of the global `{name}`");
            let _: Checked<()> = self.unsupported(ast.span, what);
        }
    }

    pub(in crate::sema) fn item(&mut self, item: &Item, order: &mut Vec<FunctionId>) {
        match item {
            Item::Function(ast) => {
                self.refuse_replacement(ast);
                // A function of the headers is checked where it is called.
                if let Some(id) = self.declare_function(ast)
                    && !ast.span.is_built_in()
                {
                    order.push(id);
                }
            }
            Item::Variables(all) => {
                for variable in all {
                    if self.diagnostics.errors >= MAX_ERRORS {
                        return;
                    }
                    if self.redefines(variable) || announces_array(variable) {
                        continue;
                    }
                    if self.host_variable(variable) {
                        continue;
                    }
                    if let Ok(Some(entity)) = Body::outside(self).global(variable) {
                        self.definitions.scope.insert(variable.name, entity);
                    }
                }
            }
            Item::Specialisation(arguments, ast) if !ast.template.is_empty() => {
                self.specialise_variable(arguments, ast);
            }
            Item::Specialisation(arguments, ast) => {
                Body::outside(self).specialise_function(arguments, ast);
            }
            Item::Struct(ast) if ast.special && !ast.template.is_empty() => {
                self.templates
                    .partial_specialisations
                    .entry(ast.name)
                    .or_default()
                    .push(ast.clone());
            }
            Item::Struct(ast) if ast.special => {
                Body::outside(self).specialise_struct(ast, ast);
            }
            Item::Struct(ast) if ast.template.is_empty() => {
                // What is reported in one struct does not hide the mistakes in the next.
                let _: Checked<Type> = self.define_struct(ast, Vec::new(), None);
            }
            Item::Struct(ast) if !ast.defined && self.templates.structs.contains_key(&ast.name) => {
            }
            Item::Struct(ast) => self.struct_template(ast.name, ast),
            Item::Inner(owner, ast) => self.define_inner(owner, ast),
            Item::Enum(ast) => {
                self.redefined_enumerators(ast);
                let mut body = Body::outside(self);
                body.enumeration(ast);
                let made = std::mem::take(&mut body.scopes);
                self.definitions.scope.extend(made.into_iter().flatten());
            }
            Item::Method(owner, template, ast) => self.define_member(owner, template, ast),
            Item::Static(owner, template, ast) => {
                let Some((name, arguments)) = class_written(owner) else { return };
                let definition = Rc::new(ast.clone());
                let by_name = !template.is_empty() || arguments.is_empty();
                if by_name {
                    self.definitions.static_members.insert((name, ast.name), definition.clone());
                }
                // The class may be named by an alias.
                if template.is_empty()
                    && let Ok(ty) = Body::outside(self).resolve(owner)
                    && let Kind::Struct(class) = ty.kind
                {
                    if let Some(Entity::HostGlobal(index)) =
                        self.definitions.statics.get(class, ast.name)
                    {
                        self.host.order.define(*index);
                    }
                    let all = &mut self.definitions.specialised_static_members;
                    all.insert((class, ast.name), definition);
                }
            }
            Item::Alias(ast) if !ast.template.is_empty() => {
                self.templates.aliases.insert(ast.name, Rc::new(ast.clone()));
            }
            Item::Alias(ast) => {
                if let Ok(ty) = Body::outside(self).aliased_type(ast) {
                    self.redefined_alias(ast.name, &ty, ast.ty.span);
                    self.definitions.scope.insert(ast.name, Entity::Type(ty));
                }
            }
            Item::Guide(ast) => {
                let id = self.definitions.declare(Declared::free(ast.clone(), Vec::new()));
                self.templates.guides.entry(ast.name).or_default().push(id);
            }
            Item::StaticAssert(cond, message) => {
                Body::outside(self).static_assert(cond, message.as_deref());
            }
        }
    }

    /// A class template; a forward declaration may have given the default arguments.
    pub(in crate::sema) fn struct_template(&mut self, name: Path, ast: &Rc<ast::Struct>) {
        let mut made = (**ast).clone();
        if let Some(before) = self.templates.structs.get(&name) {
            for (own, known) in made.template.iter_mut().zip(&before.template) {
                own.default = own.default.take().or_else(|| known.default.clone());
            }
        }
        let made = Rc::new(made);
        self.templates.structs.insert(name, made.clone());
        if made.defined {
            self.complete_instances(name, &made);
        }
    }

    /// Declares a function; a definition replaces its declaration.
    pub(in crate::sema) fn declare_function(
        &mut self,
        ast: &Rc<ast::Function>,
    ) -> Option<FunctionId> {
        if self.has_name_of_variable(ast.name, ast.span) {
            return None;
        }
        self.check_kernel_specifiers(ast);
        let side = self.side_of(ast);
        // `int f();` and `__host__ __device__ int f() {..}` are one function, of both sides.
        let joins = |known: &ast::Function| {
            self.side_of(known).is_none() != side.is_none()
                && (known.body.is_none() || ast.body.is_none())
                && !known.span.is_built_in()
        };
        // `__device__ int f();` and `int f() {..}` are one function, of the device.
        let inherits = |known: &ast::Function| {
            let words = ast.storage;
            known.storage.device
                && known.body.is_none()
                && ast.body.is_some()
                && !(words.device || words.host || words.global || words.constexpr)
                && !known.span.is_built_in()
        };
        let same_kind = |d: &Declared| {
            (self.side_of(&d.ast) == side || joins(&d.ast) || inherits(&d.ast))
                && as_written::same_parameters(&d.ast, ast)
                && as_written::same_template(&d.ast, ast)
                && same_constraints(&d.ast, ast)
        };
        let known = self.definitions.functions.get(&ast.name).map_or(&[][..], Vec::as_slice);
        let count = known.len();
        let found = known.iter().copied().find(|id| same_kind(&self.definitions[*id]));
        let otherwise_written: Vec<FunctionId> = match found {
            Some(_) => Vec::new(),
            None => known
                .iter()
                .copied()
                .filter(|id| {
                    let of = &self.definitions[*id].ast;
                    (self.side_of(of) == side || joins(of) || inherits(of))
                        && may_be_written_otherwise(of, ast)
                        && same_constraints(of, ast)
                })
                .collect(),
        };
        let found = found.or_else(|| self.of_the_same_types(&otherwise_written, ast));
        if let Some(id) = found {
            let before = self.definitions[id].ast.clone();
            if before.span.is_built_in() {
                // The unit defines its own.
                self.definitions[id].ast = ast.clone();
                return Some(id);
            }
            if before.body.is_some() && ast.body.is_some() {
                let help = match before.span.file == ast.span.file {
                    _ if ast.name.is("main") => "a program has one `main`: link one of these files",
                    true => "remove one of them, or rename it",
                    false => "make it `static` in each file, or `inline` if they are one function",
                };
                self.report(
                    Diagnostic::error("name", ast.span, format!("`{}` is defined twice", ast.name))
                        .with_label(before.span, "first defined here")
                        .with_help(help),
                );
            } else {
                self.check_redeclaration(&before, ast);
                let (own, other) = if ast.body.is_some() { (ast, &before) } else { (&before, ast) };
                let mut made = with_defaults(own, other);
                let words = other.storage;
                if !made.storage.inline && (words.inline || words.is_static) {
                    Rc::make_mut(&mut made).storage.inline = true;
                }
                if side != self.side_of(&before) {
                    let inherited = inherits(&before).then_some(before.storage);
                    let words = &mut Rc::make_mut(&mut made).storage;
                    (words.host, words.device) =
                        inherited.map_or((true, true), |of| (of.host, of.device));
                }
                self.check_default_arguments(&made);
                self.definitions[id].ast = made;
            }
            return None;
        }
        if count >= MAX_OVERLOADS {
            let what = format!("more than {MAX_OVERLOADS} functions of the name `{}`", ast.name);
            self.report(Diagnostic::unsupported(ast.span, what));
            return None;
        }
        self.check_default_arguments(ast);
        self.check_body_for_other_side(ast);
        if ast.name.is("main") && self.has_main_beside(ast) {
            return None;
        }
        let id = self.definitions.declare(Declared::free(ast.clone(), Vec::new()));
        self.definitions.functions.entry(ast.name).or_default().push(id);
        Some(id)
    }

    /// The function whose parameters have the types of this one's, by whatever names: `unsigned` and its
    /// `typedef` are one type.
    fn of_the_same_types(
        &mut self,
        known: &[FunctionId],
        ast: &ast::Function,
    ) -> Option<FunctionId> {
        if known.is_empty() {
            return None;
        }
        let types = self.adjusted_parameters(ast)?;
        known.iter().copied().find(|id| {
            let other = self.definitions[*id].ast.clone();
            self.adjusted_parameters(&other).is_some_and(|other| other == types)
        })
    }

    /// The types of the parameters, as the function's type has them.
    fn adjusted_parameters(&mut self, ast: &ast::Function) -> Option<Vec<Type>> {
        let adjusted = |ty: Type| match &ty.kind {
            Kind::Array(element, _) => (**element).clone().pointer_to(),
            Kind::Function(_) => ty.pointer_to(),
            _ => ty.unqualified(),
        };
        // A class is named here, and need not be complete.
        let resolve = |body: &mut Body<'_, '_>| {
            let types = ast.params.iter().map(|param| Ok(adjusted(body.resolve(&param.ty)?)));
            types.collect::<Checked<Vec<Type>>>()
        };
        Body::outside(self).speculate(|body| body.only_named(resolve)).ok()
    }

    /// Reports a parameter without a default argument behind one with it.
    pub(in crate::sema) fn check_default_arguments(&mut self, ast: &ast::Function) {
        let is_pack = |param: &ast::VarDecl| matches!(param.ty.kind, ast::TypeKind::Expand(..));
        let mut given = None;
        for param in ast.params.iter().filter(|param| !param.span.is_built_in()) {
            match (&param.init, given) {
                (Init::None, Some(first)) if !is_pack(param) => {
                    let name = param.name;
                    let message = format!("the parameter `{name}` needs a default argument");
                    self.report(
                        Diagnostic::error("syntax", param.span, message)
                            .with_label(first, "this parameter before it has one")
                            .with_help("parameters with default arguments come last"),
                    );
                    return;
                }
                (Init::None, _) => {}
                _ => given = given.or(Some(param.span)),
            }
        }
    }

    /// Reports a function of one side beside one of the other: to `nvcc` the execution space tells no
    /// two functions apart.
    fn check_body_for_other_side(&mut self, ast: &ast::Function) {
        if self.several_units || ast.body.is_none() || ast.span.is_built_in() {
            return;
        }
        let known = self.definitions.functions.get(&ast.name).into_iter().flatten();
        let same = |other: &&Declared| {
            other.ast.body.is_some()
                && !other.ast.span.is_built_in()
                && self.side_of(&other.ast) != self.side_of(ast)
                && as_written::same_parameters(&other.ast, ast)
                && as_written::same_template(&other.ast, ast)
                && same_constraints(&other.ast, ast)
        };
        let first = known.map(|id| &self.definitions[*id]).find(same).map(|other| other.ast.span);
        let Some(first) = first else { return };
        let message = format!("`{}` is defined twice, for the host and for the device", ast.name);
        self.report(
            Diagnostic::error("name", ast.span, message)
                .with_label(first, "first defined here")
                .with_help("rename one of them; or write one that is `__host__ __device__`, in which `#ifdef __CUDA_ARCH__` tells the sides apart"),
        );
    }

    /// Reports a second `main`, which is no overload of the first.
    fn has_main_beside(&mut self, ast: &ast::Function) -> bool {
        let known = self.definitions.functions.get(&ast.name).into_iter().flatten();
        let first = known
            .map(|id| &self.definitions[*id].ast)
            .find(|main| main.body.is_some() && !main.span.is_built_in() && ast.body.is_some());
        let Some(first) = first.map(|main| main.span) else { return false };
        self.report(
            Diagnostic::error("name", ast.span, "`main` is defined twice")
                .with_label(first, "first defined here")
                .with_help("a program has one `main`: remove one of them"),
        );
        true
    }

    /// Reports what two declarations of one function may not say: each a default argument of a
    /// parameter, or two results.
    fn check_redeclaration(&mut self, before: &ast::Function, ast: &ast::Function) {
        // In the headers of two units, each is the first.
        if self.several_units || before.span == ast.span {
            return;
        }
        for (first, again) in before.params.iter().zip(&ast.params) {
            if matches!(first.init, Init::None) || matches!(again.init, Init::None) {
                continue;
            }
            let message = format!("the parameter `{}` has a second default argument", again.name);
            self.report(
                Diagnostic::error("name", again.span, message)
                    .with_label(first.span, "the first is here")
                    .with_help("leave it at the first declaration alone"),
            );
        }
        if !ast.template.is_empty() || !before.template.is_empty() {
            return;
        }
        let [Some(first), Some(again)] = [before, ast].map(|ast| self.result_of(ast)) else {
            return;
        };
        if first != again {
            let [a, b] = [&first, &again].map(|ty| self.types.spell(ty));
            let message = format!("`{}` returns `{b}` here, and `{a}` before", ast.name);
            self.report(
                Diagnostic::error("type", ast.span, message)
                    .with_label(before.span, "declared here before")
                    .with_help("overloads differ in their parameters: rename one of them"),
            );
        }
    }

    /// The type that a function returns, if it is written.
    fn result_of(&mut self, ast: &ast::Function) -> Option<Type> {
        if resolve::contains_auto(&ast.returns) {
            return None;
        }
        let mut body = Body::outside(self);
        body.speculate(|body| body.resolve(&ast.returns)).ok()
    }
}

/// Whether two functions may have parameters of the same types, although they are written in other words.
fn may_be_written_otherwise(a: &ast::Function, b: &ast::Function) -> bool {
    let own = |of: &ast::Function| of.template.is_empty() && !of.span.is_built_in();
    let may_be_same = |(a, b): (&ast::VarDecl, &ast::VarDecl)| match (&a.ty.kind, &b.ty.kind) {
        (ast::TypeKind::Prim(_), ast::TypeKind::Prim(_)) => {
            as_written::same_parameter(&a.ty, &b.ty)
        }
        _ => ![&a.ty, &b.ty].into_iter().any(resolve::contains_auto),
    };
    own(a)
        && own(b)
        && a.params.len() == b.params.len()
        && a.params.iter().zip(&b.params).all(may_be_same)
}

/// A function with the default arguments that another declaration of it gives.
pub(in crate::sema) fn with_defaults(
    ast: &Rc<ast::Function>,
    other: &ast::Function,
) -> Rc<ast::Function> {
    let lacks = |own: &ast::VarDecl, other: &ast::VarDecl| {
        matches!(own.init, Init::None) && !matches!(other.init, Init::None)
    };
    let template = ast.template.iter().zip(&other.template);
    let of_template =
        template.clone().any(|(own, other)| own.default.is_none() && other.default.is_some());
    if !of_template && !ast.params.iter().zip(&other.params).any(|(own, other)| lacks(own, other)) {
        return ast.clone();
    }
    let mut made = (**ast).clone();
    for (own, other) in made.params.iter_mut().zip(&other.params) {
        if lacks(own, other) {
            own.init = other.init.clone();
        }
    }
    for (own, other) in made.template.iter_mut().zip(&other.template) {
        own.default = own.default.take().or_else(|| other.default.clone());
    }
    Rc::new(made)
}

/// Whether it is `extern T a[];`, whose length is that of its definition.
fn announces_array(variable: &ast::VarDecl) -> bool {
    variable.storage.external
        && !variable.storage.shared
        && matches!(variable.init, ast::Init::None)
        && matches!(variable.ty.kind, ast::TypeKind::Array(_, None))
}
