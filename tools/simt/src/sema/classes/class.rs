//! Class definitions: layout, methods, constructors, and member lookup.
//!
//! A base is an unnamed member in front of the others; member lookup goes through it. Types and
//! constants that a class declares are in the scope of its methods, and elsewhere behind `S::`.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::templates::partial_ordering::order_classes;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::as_written;
use crate::sema::types::{ClassId, Field, Kind, Prim, StructInfo, Type};
use crate::sema::{Arg, Bindings, Checked, Declared, Entity, FunctionId, Sema};
use crate::syntax::ast::{self, BodyKind, Init, Item, TemplateArg, TypeKind};
use crate::syntax::name::Path;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The special member functions that a class declares.
#[derive(Debug, Clone, Default)]
pub(in crate::sema) struct Class {
    pub(in crate::sema) copy: Option<FunctionId>,
    pub(in crate::sema) moving: Option<FunctionId>,
    pub(in crate::sema) destructor: Option<FunctionId>,
    /// `S() = default;` beside other constructors.
    pub(in crate::sema) plain: bool,
    /// The default constructor of a class that declares none and has default member initialisers:
    /// those that name other members need an object.
    pub(in crate::sema) implicit: Option<FunctionId>,
}

/// Operators are looked up without their namespace.
fn is_operator(name: Path) -> bool {
    name.last().starts_with("operator")
}

/// `S() {}`
fn implicit_constructor(class: &ast::Struct) -> ast::Function {
    let span = class.span;
    let kind = TypeKind::Prim(Prim::Void);
    ast::Function {
        name: class.name,
        span,
        template: Vec::new(),
        returns: ast::TypeExpr { kind, constant: false, volatile: false, span },
        params: Vec::new(),
        body: Some(ast::Stmt { kind: ast::StmtKind::Block(Vec::new()), span }),
        body_kind: BodyKind::Ordinary,
        member_inits: Vec::new(),
        storage: ast::Storage { device: true, host: true, ..ast::Storage::default() },
        constant: false,
        object: ast::ObjectOf::Any,
        variadic: None,
        bounds: ast::LaunchBounds::default(),
        requires: None,
        noexcept: ast::Noexcept::Unsaid,
        on_host: None,
    }
}

/// `virtual const char** #type_name() const { static const char* name = "..."; return &name; }`
fn type_name(class: &ast::Struct, name: String) -> ast::Function {
    let span = class.span;
    let typed = |kind| ast::TypeExpr { kind, constant: false, volatile: false, span };
    let expr = |kind| ast::Expr { kind, span };
    let stmt = |kind| ast::Stmt { kind, span };
    let char = ast::TypeExpr { constant: true, ..typed(TypeKind::Prim(Prim::Char)) };
    let text = typed(TypeKind::Pointer(Box::new(char)));
    let kept = ast::VarDecl {
        name: "name".into(),
        span,
        ty: text.clone(),
        storage: ast::Storage { is_static: true, ..ast::Storage::default() },
        align: None,
        init: Init::Expr(expr(ast::ExprKind::Str(name.into_bytes().into()))),
    };
    let place = Box::new(expr(ast::ExprKind::Name(kept.name, None)));
    let value = expr(ast::ExprKind::Unary(ast::UnaryOp::AddressOf, place));
    let body =
        vec![stmt(ast::StmtKind::Declare(vec![kept])), stmt(ast::StmtKind::Return(Some(value)))];
    ast::Function {
        name: TYPE_NAME.into(),
        returns: typed(TypeKind::Pointer(Box::new(text))),
        body: Some(stmt(ast::StmtKind::Block(body))),
        storage: ast::Storage { is_virtual: true, host: true, ..ast::Storage::default() },
        constant: true,
        ..implicit_constructor(class)
    }
}

/// Whether a function's parameter is a struct itself, by reference; and whether by `&&`.
fn takes_itself(f: &ast::Function, name: &Path) -> Option<bool> {
    let first = f.params.first()?;
    if f.params[1..].iter().any(|p| matches!(p.init, Init::None)) || !f.template.is_empty() {
        return None;
    }
    let (inner, moving) = match &first.ty.kind {
        TypeKind::Reference(inner) => (inner, false),
        TypeKind::Rvalue(inner) => (inner, true),
        _ => return None,
    };
    matches!(&inner.kind, TypeKind::Named(n, _) if n == name).then_some(moving)
}

/// The function of each class with virtual functions that tells its name: for `typeid`.
pub(in crate::sema) const TYPE_NAME: &str = "#type_name";

/// The most members of a class, those of its members counted, an array's once.
pub(in crate::sema) const MAX_MEMBERS: usize = 4096;

/// What a name means, where it is known without the function around it.
pub(in crate::sema) fn as_argument(entity: &Entity) -> Option<Arg> {
    Some(match entity {
        Entity::Type(ty) => Arg::Type(ty.clone()),
        Entity::Constant(Expr { kind: ExprKind::Int(v), ty, .. }) => Arg::Value(*v, ty.clone()),
        Entity::Template(name) => Arg::Template(*name),
        _ => return None,
    })
}

impl Body<'_, '_> {
    /// The types and constants of the function, which a class inside it may name.
    pub(in crate::sema) fn local_names(&self) -> Bindings {
        let all = self.scopes.iter().flatten();
        all.filter_map(|(name, entity)| Some((*name, as_argument(entity)?))).collect()
    }
}

impl Sema<'_> {
    /// Lays out a class and declares its methods. `name` is the path of a local class.
    pub(in crate::sema) fn define_struct(
        &mut self,
        ast: &Rc<ast::Struct>,
        bindings: Bindings,
        name: Option<Path>,
    ) -> Checked<Type> {
        let known = match self.definitions.scope.get(&ast.name) {
            Some(Entity::Type(Type { kind: Kind::Struct(i), .. })) if name.is_none() => Some(*i),
            _ => None,
        };
        if let Some(class) = known
            && ast.defined
            && let Some(first) = self.definitions.struct_asts.get(&class).map(|known| known.span)
            && first.file == ast.span.file
            && first.start != ast.span.start
        {
            let message = format!("`{}` is defined twice", ast.name);
            self.report(
                Diagnostic::error("name", ast.span, message)
                    .with_label(first, "first defined here"),
            );
            return Err(Reported);
        }
        // `struct double2;` announces CUDA's own.
        if known.is_none()
            && name.is_none()
            && !ast.defined
            && let Some(vector) = ast.name.unqualified().and_then(|n| self.types.builtin(&n))
        {
            self.definitions.scope.insert(ast.name, Entity::Type(vector.clone()));
            return Ok(vector);
        }
        let known = known.filter(|i| self.types.get(*i).incomplete || !ast.defined);
        let outside = name.is_none();
        let index = known.unwrap_or_else(|| {
            let path = name.unwrap_or(ast.name);
            self.new_struct(path, ast.name, ast.name.parent(), ast.union)
        });
        let ty: Type = Kind::Struct(index).into();
        if outside {
            self.definitions.scope.insert(ast.name, Entity::Type(ty.clone()));
        }
        if ast.defined {
            self.fill_struct(index, ast, bindings)?;
        }
        Ok(ty)
    }

    pub(in crate::sema) fn new_struct(
        &mut self,
        path: Path,
        declared: Path,
        namespace: Option<Path>,
        union: bool,
    ) -> ClassId {
        let index = self.types.add(StructInfo {
            bits: Vec::new(),
            path,
            declared,
            outer: None,
            namespace,
            fields: Vec::new(),
            size: 1,
            align: 1,
            vector: false,
            union,
            packed: false,
            incomplete: true,
            bases: 0,
            parts: 1,
            ancestors: 0,
        });
        self.diagnostics.sites.extend(self.diagnostics.site.map(|site| (index, site)));
        index
    }

    pub(in crate::sema) fn fill_struct(
        &mut self,
        index: ClassId,
        ast: &Rc<ast::Struct>,
        bindings: Bindings,
    ) -> Checked<()> {
        let ty: Type = Kind::Struct(index).into();
        self.redeclared_in_class(ast);
        self.check_member_specifiers(ast);
        let mut members = Vec::new();
        let mut body = Body::outside(self);
        body.bind(&bindings);
        // The injected class name means this instance.
        body.define(ast.name, Entity::Type(ty.clone()));
        let align = body.alignment(ast.align.as_ref())?;
        body.sema.definitions.struct_asts.insert(index, ast.clone());
        body.bases(index, ast, &mut members)?;
        body.sema.types.get_mut(index).bases = members.len();
        let dynamic = ast.methods.iter().chain(&ast.destructor).any(|m| m.storage.is_virtual);
        let known = members.iter().any(|(_, base): &(Path, Type)| match base.kind {
            Kind::Struct(i) => body.sema.is_dynamic(i),
            _ => false,
        });
        let hidden = usize::from(dynamic && !known);
        if hidden > 0 {
            members.push((
                crate::sema::classes::virtual_dispatch::TYPE.into(),
                ast::Prim::Long.into(),
            ));
        }
        body.frame.owner = Some(index);
        for item in &ast.members {
            body.inside(item, index, &bindings)?;
        }
        for (cond, message) in &ast.asserts {
            body.static_assert(cond, message.as_deref());
        }
        let too_many = format!("a class of more than {MAX_MEMBERS} members, with theirs");
        if ast.fields.len() > MAX_MEMBERS {
            return body.sema.unsupported(ast.span, too_many);
        }
        let mut references = Vec::new();
        // `alignas` of the members.
        let mut aligned = Vec::new();
        let mut words = crate::sema::classes::bit_fields::Words::default();
        let mut values = vec![Init::None; members.len()];
        for (at, field) in ast.fields.iter().enumerate() {
            if let Some((_, width)) = ast.bits.iter().find(|(i, _)| *i == at) {
                if ast.pack.is_some() {
                    return body.sema.unsupported(field.span, "a bit-field of a packed class");
                }
                body.bit_field(field, width, ast.union, &mut words, &mut members, &mut aligned)?;
                values.resize(members.len(), Init::None);
                continue;
            }
            if field.align.is_some() {
                aligned.push((members.len(), body.alignment(field.align.as_ref())?));
            }
            let mut member = body.field_type(field, at > 0 && at + 1 == ast.fields.len())?;
            if field.storage.mutable {
                body.sema.definitions.mutables.insert((index, members.len()));
            }
            if member.is_reference() {
                references.push(members.len());
                member = member.unreferenced().clone().pointer_to();
            }
            if member.kind == ty.kind {
                let message = format!("`{}` cannot contain itself", ast.name);
                return body.sema.error("type", field.span, message);
            }
            body.behind_bits(&mut words, &member, field.span)?;
            members.push((field.name, member));
            values.push(field.init.clone());
        }
        let parts = members.iter().map(|(_, member)| body.sema.types.members_of(member)).sum();
        if parts > MAX_MEMBERS {
            return body.sema.unsupported(ast.span, too_many);
        }
        body.sema.types.get_mut(index).parts = parts;
        let inside = body.scopes.pop().unwrap_or_default();
        if self.host.is_program() && ast.members.iter().any(|m| matches!(m, Item::Variables(_))) {
            self.host.member_scopes.insert(index, inside.clone());
        }
        let (fields, size, align): (Vec<Field>, u64, u64) = if ast.union {
            let most = aligned.iter().map(|(_, n)| *n).fold(align, u64::max);
            self.types.overlay(members, most, ast.pack)
        } else {
            self.types.lay_out(members, &aligned, align, ast.pack)
        };
        let vector = ast.align.is_some();
        let packed = ast
            .pack
            .is_some_and(|pack| fields.iter().any(|field| self.types.align_of(&field.ty) > pack));
        let info = self.types.get_mut(index);
        info.packed = packed;
        (info.fields, info.size, info.align, info.incomplete, info.vector) =
            (fields, size, align, false, vector);
        info.bits = words.fields;
        self.definitions.references.extend(references.into_iter().map(|i| (index, i)));
        let mut inner = bindings;
        let known: HashSet<Path> = inner.iter().map(|(name, _)| *name).collect();
        let own = inside.into_iter().filter(|(name, _)| !known.contains(name));
        inner.extend(own.filter_map(|(name, entity)| Some((name, as_argument(&entity)?))));
        if ast.fields.iter().any(|f| !matches!(f.init, Init::None)) {
            self.definitions.member_values.insert(index, (values, inner.clone()));
        }
        self.declare_methods(index, ast, inner);
        Ok(())
    }

    fn declare_methods(&mut self, index: ClassId, ast: &Rc<ast::Struct>, bindings: Bindings) {
        let bindings = Rc::new(bindings);
        self.forget_early(index, ast);
        let mut class = Class::default();
        for method in &ast.methods {
            if method.body_kind == BodyKind::Default {
                continue;
            }
            // `operator new` and `operator delete` are static without the word.
            let name = method.name.last();
            let implied = name.starts_with("operator new") || name.starts_with("operator delete");
            let storage = ast::Storage { is_static: true, ..method.storage };
            let implied = implied.then(|| Rc::new(ast::Function { storage, ..(**method).clone() }));
            let method = implied.as_ref().unwrap_or(method);
            let id = self.declare_inside(method, Some(index), &bindings);
            self.definitions.methods.entry((index, method.name)).or_default().push(id);
        }
        for constructor in &ast.constructors {
            let itself = takes_itself(constructor, &ast.name);
            let default = constructor.body_kind == BodyKind::Default;
            match itself {
                Some(_) if default => {}
                Some(moving) => {
                    let id = self.declare_inside(constructor, Some(index), &bindings);
                    *(if moving { &mut class.moving } else { &mut class.copy }) = Some(id);
                }
                None if default => class.plain = true,
                None => {
                    let id = self.declare_inside(constructor, Some(index), &bindings);
                    self.definitions.constructors.entry(index).or_default().push(id);
                }
            }
        }
        if self.host.is_program() && self.is_dynamic(index) {
            let name = Body::outside(self).mangled(&Kind::Struct(index).into());
            if let Some(name) = name {
                let ast = Rc::new(type_name(ast, name));
                let id = self.declare_inside(&ast, Some(index), &bindings);
                self.definitions.methods.insert((index, ast.name), vec![id]);
            }
        }
        if !ast.constructs.is_empty() {
            let inherited = self.inherited_constructors(index, ast, &bindings);
            class.plain |= ast.constructors.is_empty();
            self.definitions.constructors.entry(index).or_default().extend(inherited);
        }
        let constructed = self.definitions.constructors.contains_key(&index);
        let given = ast.fields.iter().any(|f| !matches!(f.init, Init::None));
        if given && (class.plain || !constructed) {
            let function = Rc::new(implicit_constructor(ast));
            class.implicit = Some(self.declare_inside(&function, Some(index), &bindings));
        }
        if let Some(destructor) =
            ast.destructor.as_ref().filter(|d| d.body_kind != BodyKind::Default)
        {
            class.destructor = Some(self.declare_inside(destructor, Some(index), &bindings));
        }
        for (made, method) in self.defaulted_comparisons(ast) {
            let id = self.declare_inside(&made, method.then_some(index), &bindings);
            match method {
                true => self.definitions.methods.entry((index, made.name)).or_default().push(id),
                false => self.definitions.functions.entry(made.name).or_default().push(id),
            }
        }
        for friend in ast.friends.iter().filter(|f| f.body.is_some()) {
            let id = self.declare_inside(friend, None, &bindings);
            let space = self.types.get(index).namespace.filter(|_| !is_operator(friend.name));
            let name = space.map_or(friend.name, |space| space.concat(friend.name));
            let mut ids = self.definitions.functions.remove(&name).unwrap_or_default();
            // It defines what was declared before.
            ids.retain(|known| {
                let known = &self.definitions[*known].ast;
                known.body.is_some() || !as_written::same_parameters(known, friend)
            });
            ids.push(id);
            self.definitions.functions.insert(name, ids);
        }
        let of_template = !ast.template.is_empty() || ast.special;
        if !of_template && self.types.get(index).outer.is_none() {
            self.declare_friends(index, ast);
        }
        self.definitions.classes.insert(index, class);
        self.check_overrides(index, ast);
    }

    /// Functions that only a friend declaration declares: another file may define them.
    fn declare_friends(&mut self, index: ClassId, ast: &ast::Struct) {
        for friend in ast.friends.iter().filter(|f| f.body.is_none() && f.template.is_empty()) {
            let space = self.types.get(index).namespace.filter(|_| !is_operator(friend.name));
            let name = space.map_or(friend.name, |space| space.concat(friend.name));
            let known = self.definitions.functions.get(&name).into_iter().flatten();
            // `friend void f<>(S)` is an instance of the template.
            let template =
                known.map(|id| &self.definitions[*id].ast).any(|ast| !ast.template.is_empty());
            if !template {
                self.declare_function(&Rc::new(ast::Function { name, ..(**friend).clone() }));
            }
        }
    }

    fn declare_inside(
        &mut self,
        ast: &Rc<ast::Function>,
        owner: Option<ClassId>,
        bindings: &Rc<Bindings>,
    ) -> FunctionId {
        self.definitions.declare(Declared {
            ast: ast.clone(),
            owner,
            bindings: bindings.clone(),
            scope: None,
        })
    }

    /// Member lookup: the methods of that name, of the class or of the nearest base that has any,
    /// and the path to that base. With `using Base::f;` they are of both.
    pub(in crate::sema) fn find_methods(
        &self,
        index: ClassId,
        name: impl Into<Path>,
    ) -> Option<(Vec<FunctionId>, Vec<usize>)> {
        let name = name.into();
        let own = self.definitions.methods.get(&(index, name));
        let info = self.types.get(index);
        let used = self.definitions.struct_asts.get(&index).is_some_and(|ast| {
            !ast.used.is_empty() && name.unqualified().is_some_and(|name| ast.used.contains(&name))
        });
        if used {
            let mut ids = own.cloned().unwrap_or_default();
            for field in &info.fields[..info.bases.min(info.fields.len())] {
                let Kind::Struct(base) = field.ty.kind else { continue };
                let theirs = self.find_methods(base, name).unwrap_or_default().0;
                // A function with the same parameters is overridden or hidden.
                let shown = |id: &FunctionId| {
                    let ast = &self.definitions[*id].ast;
                    !own.into_iter().flatten().any(|own| {
                        let own = &self.definitions[*own].ast;
                        own.constant == ast.constant
                            && own.object == ast.object
                            && as_written::same_parameters(own, ast)
                    })
                };
                ids.extend(theirs.into_iter().filter(shown));
            }
            return (!ids.is_empty()).then_some((ids, Vec::new()));
        }
        if let Some(ids) = own {
            return Some((ids.clone(), Vec::new()));
        }
        for (i, field) in info.fields[..info.bases.min(info.fields.len())].iter().enumerate() {
            if let Kind::Struct(base) = field.ty.kind
                && let Some((ids, mut path)) = self.find_methods(base, name)
            {
                path.insert(0, i);
                return Some((ids, path));
            }
        }
        None
    }
}

impl Body<'_, '_> {
    /// An instance of an alias template.
    pub(in crate::sema) fn alias_instance(
        &mut self,
        name: &Path,
        alias: &ast::Alias,
        arguments: &[TemplateArg],
        span: Span,
    ) -> Checked<Type> {
        let bindings = self.bind_arguments(name, &alias.template, arguments, span)?;
        let depth = self.sema.instances.instantiation_depth;
        if self.sema.is_too_deep() {
            let what = format!("alias templates that name one another more than {depth} deep");
            return self.sema.unsupported(span, what);
        }
        self.sema.instances.instantiation_depth += 1;
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        let around = self.enclosing(name);
        self.bind(&around);
        self.bind(&bindings);
        let made = self.resolve(&alias.ty);
        self.scopes = outer;
        self.sema.instances.instantiation_depth -= 1;
        made
    }

    /// The most specialised partial specialisation that matches, and its template arguments.
    pub(in crate::sema) fn partial(
        &mut self,
        name: &Path,
        args: &[Arg],
    ) -> Option<(Rc<ast::Struct>, Bindings)> {
        let all = self.sema.templates.partial_specialisations.get(name).cloned()?;
        let mut best: Option<(Rc<ast::Struct>, Bindings)> = None;
        for candidate in all {
            let Some(bindings) = self.fits_partial(&candidate, args) else { continue };
            let better = |best: &Rc<ast::Struct>| match order_classes(&candidate, best) {
                Ordering::Equal => self.sema.more_constrained_class(&candidate, best),
                order => order == Ordering::Greater,
            };
            if best.as_ref().is_none_or(|(best, _)| better(best)) {
                best = Some((candidate, bindings));
            }
        }
        best
    }

    /// Follows a path of bases and unnamed members.
    pub(in crate::sema) fn along(&mut self, mut object: Expr, path: &[usize], span: Span) -> Expr {
        for i in path {
            let Kind::Struct(index) = object.ty.kind else { return object };
            object = self.field(object, index, *i, span);
        }
        object
    }

    /// The error for a call of a deleted function.
    pub(in crate::sema) fn deleted<T>(&mut self, ast: &ast::Function, span: Span) -> Checked<T> {
        let message = format!("`{}` is deleted, and is needed here", as_written::signature(ast));
        let is_copy = ast.params.first().is_some_and(|param| match &param.ty.kind {
            TypeKind::Reference(of) => match &of.kind {
                TypeKind::Named(class, _) if of.constant => {
                    ast.name.is("operator=") || class.last() == ast.name.last()
                }
                _ => false,
            },
            _ => false,
        });
        let error = Diagnostic::error("type", span, message).with_label(ast.span, "deleted here");
        self.sema.report(match is_copy {
            true => error.with_help("pass a reference, or write `std::move(..)` around it"),
            false => error.with_help("call another function, or leave out `= delete`"),
        });
        Err(Reported)
    }
}
