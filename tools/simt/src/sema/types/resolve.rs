//! Type expressions to types: name lookup, array lengths, class template instances, `auto`.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::templates::instances::MAX_INSTANCES;
use crate::sema::types::{Kind, Signature, Type};
use crate::sema::{Arg, Checked, Entity};
use crate::syntax::ast::{
    Expr, ExprKind, Init, Prim, Struct, TemplateArg, TypeExpr, TypeKind, UnaryOp, VarDecl,
};
use crate::syntax::name::Path;
use std::rc::Rc;

/// The most elements, and the most bytes, of one array.
const MAX_ARRAY: u64 = 1 << 32;

/// The most characters of the arguments in the name of an instance.
const MAX_SPELLED: usize = 400;

/// The most parts of a type: pointers, arrays, parameters and results, counted as often as C++ would
/// spell them.
const MAX_PARTS: usize = 1000;

impl Body<'_, '_> {
    /// The type of a type expression. `auto` is unsupported here: callers that allow it check
    /// first.
    pub(in crate::sema) fn resolve(&mut self, ty: &TypeExpr) -> Checked<Type> {
        let plain: Type = match &ty.kind {
            TypeKind::Prim(p) => (*p).into(),
            TypeKind::Pointer(inner) => {
                let inner = self.only_named(|b| b.resolve(inner))?;
                if inner.is_reference() {
                    return self.sema.error("type", ty.span, "there are no pointers to references");
                }
                inner.pointer_to()
            }
            TypeKind::Reference(inner) => {
                let inner = self.only_named(|b| b.resolve(inner))?;
                Kind::Reference(Rc::new(inner.unreferenced().clone())).into()
            }
            TypeKind::Rvalue(inner) => {
                let inner = self.resolve(inner)?;
                if inner.is_reference() { inner } else { Kind::Rvalue(Rc::new(inner)).into() }
            }
            TypeKind::Function(returns, params) => {
                let returns = self.resolve(returns)?;
                let mut made = Vec::new();
                for param in params {
                    match &param.kind {
                        TypeKind::Expand(..) => made.extend(self.expand_types(param)?),
                        _ => made.push(self.resolve(param)?),
                    }
                }
                // A parameter's own `const` is not part of the function's type.
                let params = made.iter().map(Type::unqualified).collect();
                Kind::Function(Rc::new(Signature { returns, params })).into()
            }
            TypeKind::Member(inner, name, arguments) => {
                let outer = self.resolve(inner)?;
                self.member_type(&outer, &name.into(), arguments, ty.span)?
            }
            TypeKind::Expand(..) => {
                return self.sema.error("template", ty.span, "a pack cannot be expanded here");
            }
            TypeKind::Array(inner, length) => {
                let inner = self.resolve(inner)?;
                if inner.is(Prim::Void) || inner.is_reference() {
                    let message =
                        format!("there are no arrays of `{}`", self.sema.types.spell(&inner));
                    return self.sema.error("type", ty.span, message);
                }
                let n = match length {
                    Some(e) => self.array_length(e, self.sema.types.size_of(&inner))?,
                    None => 0,
                };
                Kind::Array(Rc::new(inner), n).into()
            }
            TypeKind::Auto | TypeKind::AsReturned => {
                return self
                    .sema
                    .unsupported(ty.span, "`auto` as the type of what has no initial value");
            }
            TypeKind::Typeof(e) => self.unevaluated(|b| b.expr(e))?.ty.unqualified(),
            TypeKind::Decltype(e) => {
                let value = self.unevaluated(|b| b.expr(e))?;
                self.declared_type(e, &value)
            }
            TypeKind::Underlying(of) => {
                let of = self.resolve(of)?;
                let Kind::Enum(index) = of.kind else {
                    let message = format!("`{}` is no enumeration", self.sema.types.spell(&of));
                    return self.sema.error("type", ty.span, message);
                };
                self.sema.types.enums[index.index()].base.into()
            }
            TypeKind::Called(of) => self.call_signature(of)?,
            TypeKind::Named(name, arguments) if arguments.is_empty() => {
                self.named_type(name, ty)?
            }
            TypeKind::Named(name, arguments) => self.struct_instance(name, arguments, ty.span)?,
            // Inside the template, the injected class name is the instance; this is not.
            TypeKind::Defaults(name) => self.struct_instance(name, &[], ty.span)?,
        };
        self.complete(&plain)?;
        if plain.parts(MAX_PARTS) == MAX_PARTS {
            let what = format!("a type of more than {MAX_PARTS} parts");
            return self.sema.unsupported(ty.span, what);
        }
        Ok(plain.qualified(ty.constant, ty.volatile))
    }

    /// The number of elements, of `size` bytes each.
    fn array_length(&mut self, e: &Expr, size: u64) -> Checked<u64> {
        let value = self.constant_int(e)?;
        if value <= 0 {
            return self.sema.error(
                "type",
                e.span,
                format!("an array cannot have {value} elements"),
            );
        }
        let bytes = u64::try_from(value).unwrap_or(u64::MAX).saturating_mul(size.max(1));
        if bytes > MAX_ARRAY {
            return self.sema.error(
                "type",
                e.span,
                "this array is larger than any memory of a block",
            );
        }
        Ok(value as u64)
    }

    fn named_type(&mut self, name: &Path, ty: &TypeExpr) -> Checked<Type> {
        if let Some(Entity::Type(known)) = self.lookup(name) {
            return Ok(known);
        }
        let name = &name.unrooted();
        let plain = name.unqualified().or(name.in_std()).unwrap_or_default();
        let prim = match &*plain {
            "size_t" | "uintptr_t" | "uint64_t" | "uintmax_t" | "uint_least64_t"
            | "uint_fast16_t" | "uint_fast32_t" | "uint_fast64_t" => Some(Prim::ULong),
            "nullptr_t" => return Ok(Kind::Null.into()),
            "ptrdiff_t" | "intptr_t" | "int64_t" | "intmax_t" | "int_least64_t"
            | "int_fast16_t" | "int_fast32_t" | "int_fast64_t" => Some(Prim::Long),
            "int8_t" | "int_least8_t" | "int_fast8_t" => Some(Prim::SChar),
            "uint8_t" | "uint_least8_t" | "uint_fast8_t" => Some(Prim::UChar),
            "int16_t" | "int_least16_t" => Some(Prim::Short),
            "uint16_t" | "uint_least16_t" => Some(Prim::UShort),
            "int32_t" | "int_least32_t" => Some(Prim::Int),
            "uint32_t" | "uint_least32_t" => Some(Prim::UInt),
            _ => None,
        };
        if let Some(prim) = prim {
            return Ok(prim.into());
        }
        if let Some(known) = self.sema.types.builtin(&plain) {
            return Ok(known);
        }
        let message = match self.sema.templates.structs.contains_key(name) {
            true => format!("the template arguments of `{name}` are missing: write `{name}<..>`"),
            false => format!("`{name}` is not a type that is known here"),
        };
        self.sema.error("name", ty.span, message)
    }

    pub(in crate::sema) fn struct_instance(
        &mut self,
        name: &Path,
        arguments: &[TemplateArg],
        span: Span,
    ) -> Checked<Type> {
        let name = &match self.lookup(name) {
            Some(Entity::Template(real)) => real,
            _ => name.unrooted(),
        };
        if let Some(alias) = self.sema.templates.aliases.get(name).cloned() {
            return self.alias_instance(name, &alias, arguments, span);
        }
        let Some(ast) = self.sema.templates.structs.get(name).cloned() else {
            return self.sema.error("name", span, format!("`{name}` is no template"));
        };
        let bindings = self.bind_arguments(name, &ast.template, arguments, span)?;
        let args: Vec<Arg> = bindings.iter().map(|(_, a)| a.clone()).collect();
        let key = (*name, args);
        // `template <> struct S<> {}` is read as the definition of `S`.
        let empty = key.1.iter().all(|arg| matches!(arg, Arg::Pack(all) if all.is_empty()));
        if let Some(known) = self.sema.instances.structs.get(&key) {
            return Ok(known.clone());
        }
        if self.sema.instances.structs.len() > MAX_INSTANCES {
            let what = format!("more than {MAX_INSTANCES} instances of class templates");
            return self.sema.unsupported(span, what);
        }
        let depth = self.sema.instances.instantiation_depth;
        if self.sema.is_too_deep() {
            let what =
                format!("class templates that instantiate one another more than {depth} deep");
            return self.sema.unsupported(span, what);
        }
        let segment = format!("{}<{}>", name.last(), self.spell_args(&key.1)).into();
        let path = name.parent().map_or(Path::from(segment), |outer| outer.join(segment));
        let (ast, bindings) = match self.sema.templates.struct_specialisations.get(&key).cloned() {
            Some(special) => (special, Vec::new()),
            None => self.partial(name, &key.1).unwrap_or((ast, bindings)),
        };
        let mut seen = self.enclosing(name);
        seen.extend(bindings);
        let outer = self.sema.diagnostics.site;
        if outer.is_none() && ast.span.is_built_in() && !span.is_built_in() {
            self.sema.diagnostics.site = Some(span);
        }
        // A template inside a class is in that class' namespace.
        let namespace = match self.sema.templates.enclosing.get(name) {
            Some((_, outer)) => self.sema.types.get(*outer).namespace,
            None => name.parent(),
        };
        // It may mention itself.
        let index = self.sema.new_struct(path, *name, namespace, ast.union);
        let around = self.sema.templates.enclosing.get(name).map(|(_, outer)| *outer);
        self.sema.types.get_mut(index).outer = around;
        let made: Type = Kind::Struct(index).into();
        let given = key.1.clone();
        self.sema.instances.structs.insert(key, made.clone());
        if !ast.defined && !empty {
            // Its definition completes it.
            self.sema.diagnostics.site = outer;
            return Ok(made);
        }
        self.sema.instances.instantiation_depth += 1;
        let filled = self.fill_instance(index, (name, &ast), seen, &given);
        self.sema.instances.instantiation_depth -= 1;
        self.sema.diagnostics.site = outer;
        filled?;
        Ok(made)
    }

    /// What the parameters of a struct's template stand for.
    pub(in crate::sema) fn struct_arguments(
        &mut self,
        ast: &Struct,
        arguments: &[TemplateArg],
        span: Span,
    ) -> Checked<Vec<(Path, Arg)>> {
        self.bind_arguments(&ast.name, &ast.template, arguments, span)
    }

    pub(in crate::sema) fn bind_arguments(
        &mut self,
        name: &Path,
        template: &[crate::syntax::ast::TemplateParam],
        arguments: &[TemplateArg],
        span: Span,
    ) -> Checked<Vec<(Path, Arg)>> {
        let given = self.template_arguments(arguments)?;
        let pack = template.last().is_some_and(|t| t.pack);
        if given.len() > template.len() && !pack {
            let message = format!("`{name}` takes {} template arguments", template.len());
            return self.sema.error("template", span, message);
        }
        let mut given = given.into_iter();
        let mut bindings: Vec<(Path, Arg)> = Vec::new();
        for param in template {
            let written = match (given.next(), &param.default) {
                (first, _) if param.pack => {
                    Arg::Pack(first.into_iter().chain(given.by_ref()).collect())
                }
                (Some(arg), _) => arg,
                (None, Some(default)) => {
                    // It may mention those before.
                    self.scopes.push(std::collections::HashMap::new());
                    let around = self.enclosing(name);
                    self.bind(&around);
                    self.bind(&bindings);
                    let arg = self.template_argument(default);
                    self.scopes.pop();
                    arg?
                }
                (None, None) => {
                    let message =
                        format!("the template argument `{}` of `{name}` is missing", param.name);
                    return self.sema.error("template", span, message);
                }
            };
            let arg = match (written, &param.value) {
                (arg @ (Arg::Value(..) | Arg::Pack(_)), Some(ty)) => {
                    self.scopes.push(std::collections::HashMap::new());
                    self.bind(&bindings);
                    let arg = self.typed_argument(arg, ty);
                    self.scopes.pop();
                    arg?
                }
                (arg, _) => arg,
            };
            bindings.push((param.name.into(), arg));
        }
        let around = match template.iter().any(|param| param.constraint.is_some()) {
            true => self.enclosing(name),
            false => Vec::new(),
        };
        if let Err(at) = self.admits(template, &[&around, &bindings]) {
            let args: Vec<Arg> = bindings.into_iter().map(|(_, arg)| arg).collect();
            let text = self.spell_args(&args);
            let message = format!("`{name}<{text}>` does not satisfy the constraint of `{name}`");
            let diagnostic = Diagnostic::error("template", span, message);
            self.sema.report(diagnostic.with_label(at, "this is not satisfied"));
            return Err(Reported);
        }
        Ok(bindings)
    }

    /// Those of a list, packs expanded.
    pub(in crate::sema) fn template_arguments(
        &mut self,
        written: &[TemplateArg],
    ) -> Checked<Vec<Arg>> {
        let mut out = Vec::new();
        for one in written {
            match one {
                TemplateArg::Type(ty) if matches!(ty.kind, TypeKind::Expand(..)) => {
                    out.extend(self.expand_types(ty)?.into_iter().map(Arg::Type));
                }
                TemplateArg::Value(e) => out.extend(self.expand_values(e)?),
                _ => out.push(self.template_argument(one)?),
            }
        }
        Ok(out)
    }

    pub(in crate::sema) fn spell_arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Type(t) => self.sema.types.spell(t),
            Arg::Value(v, _) => v.to_string(),
            Arg::Template(name) | Arg::Function(name) => name.to_string(),
            Arg::Pack(all) => self.spell_args(all),
        }
    }

    /// The arguments in the name of an instance. Long ones are cut short, with a number that makes
    /// the name unique: types can double their names at each level.
    pub(in crate::sema) fn spell_args(&self, args: &[Arg]) -> String {
        let mut words = String::new();
        for arg in args {
            let separator = if words.is_empty() { "" } else { ", " };
            words = format!("{words}{separator}{}", self.spell_arg(arg));
            if words.len() > MAX_SPELLED {
                let number = self.sema.types.structs.len() + self.sema.instances.functions.len();
                let begin: String = words.chars().take(MAX_SPELLED / 2).collect();
                return format!("{begin}...#{number}");
            }
        }
        words
    }

    pub(in crate::sema) fn template_argument(&mut self, written: &TemplateArg) -> Checked<Arg> {
        match written {
            TemplateArg::Type(ty) => {
                if let TypeKind::Named(name, arguments) = &ty.kind
                    && arguments.is_empty()
                {
                    match self.lookup(name) {
                        Some(Entity::Template(real)) => return Ok(Arg::Template(real)),
                        None if self.sema.templates.structs.contains_key(name)
                            || self.sema.templates.aliases.contains_key(name) =>
                        {
                            return Ok(Arg::Template(*name));
                        }
                        _ => {}
                    }
                }
                Ok(Arg::Type(self.resolve(ty)?))
            }
            TemplateArg::Value(e) => self.template_value(e),
        }
    }

    pub(in crate::sema) fn template_value(&mut self, e: &Expr) -> Checked<Arg> {
        if let Some(function) = self.function_argument(e) {
            return Ok(Arg::Function(function));
        }
        let outer = self.side;
        if self.is_of_the_device(e) {
            self.side = crate::sema::Side::Device;
        }
        let before = self.sema.warp_sizes;
        let value = self.rvalue(e);
        self.side = outer;
        let value = value?;
        self.names_no_warp_size(before, e.span)?;
        let value = self.folded(value);
        match value.as_int() {
            Some(v) => Ok(Arg::Value(v, value.ty)),
            None if matches!(value.ty.kind, Kind::Struct(_)) => {
                self.sema.unsupported(e.span, "template arguments of class type")
            }
            None => self.sema.error("template", e.span, "a template's argument must be a constant"),
        }
    }

    /// The function that an argument names, `f` or `&f`.
    fn function_argument(&self, e: &Expr) -> Option<Path> {
        let named = match &e.kind {
            ExprKind::Unary(UnaryOp::AddressOf, inner) => inner,
            _ => e,
        };
        let ExprKind::Name(name, None) = &named.kind else { return None };
        match self.lookup(name) {
            Some(Entity::Function(real)) => Some(real),
            None if self.sema.definitions.functions.contains_key(&name.unrooted()) => Some(*name),
            _ => None,
        }
    }

    /// The type of a declared variable; `auto` and `int a[] = {..}` take it from the value.
    pub(in crate::sema) fn variable_type(&mut self, ast: &VarDecl) -> Checked<Type> {
        let ty = match contains_auto(&ast.ty) {
            true => self.deduced(ast)?,
            false => self.resolve_for(&ast.ty, &ast.init)?,
        };
        let ty = if ast.storage.constexpr { ty.qualified(true, false) } else { ty };
        if ty.is(Prim::Void) {
            return self.sema.error("type", ast.ty.span, "a variable cannot be `void`");
        }
        if let Kind::Struct(i) = ty.kind
            && self.sema.types.get(i).incomplete
        {
            let message =
                format!("the members of `{}` are not known here", self.sema.types.spell(&ty));
            return self.sema.error("type", ast.ty.span, message);
        }
        if let Kind::Array(element, 0) = &ty.kind {
            let n = match &ast.init {
                Init::Expr(Expr { kind: ExprKind::List(items), .. }) => match items.as_slice() {
                    [Expr { kind: ExprKind::Str(text), .. }] if element.prim().is_some() => {
                        text.len() as u64 + 1
                    }
                    _ => self.unpacked(items)?.len() as u64,
                },
                Init::Expr(Expr { kind: ExprKind::Str(text), .. }) => text.len() as u64 + 1,
                Init::None if ast.storage.external && ast.storage.shared => 0,
                _ => {
                    let diagnostic =
                        Diagnostic::error("type", ast.span, format!("how long is `{}`?", ast.name))
                            .with_help(
                                "write the length between the brackets, or a list of values after",
                            );
                    self.sema.report(diagnostic);
                    return Err(Reported);
                }
            };
            return Ok(Kind::Array(element.clone(), n).into());
        }
        Ok(ty)
    }

    /// The type of a member; as the C compilers have it, `T a[0]`, and `T a[]` at the end of a class,
    /// take no room: what is behind the object are its elements.
    pub(in crate::sema) fn field_type(&mut self, ast: &VarDecl, last: bool) -> Checked<Type> {
        if let TypeKind::Array(inner, length) = &ast.ty.kind
            && matches!(ast.init, Init::None)
        {
            let open = match length {
                Some(length) => self.constant_int(length)? == 0,
                None => last,
            };
            if open {
                let inner = self.resolve(inner)?;
                return Ok(Kind::Array(Rc::new(inner), 0).into());
            }
        }
        self.variable_type(ast)
    }

    fn deduced(&mut self, ast: &VarDecl) -> Checked<Type> {
        let Init::Expr(value) = &ast.init else {
            let message = format!("`auto {}` needs a value to take its type from", ast.name);
            return self.sema.error("type", ast.span, message);
        };
        let place = match &ast.ty.kind {
            TypeKind::Rvalue(_) => self.expr_to_bind(value)?,
            _ => self.expr(value)?,
        };
        fn fill(pattern: &TypeExpr, from: &Type) -> Option<Type> {
            Some(match &pattern.kind {
                TypeKind::Auto => from.clone().qualified(pattern.constant, pattern.volatile),
                TypeKind::Pointer(inner) => fill(inner, from.pointee()?)?
                    .pointer_to()
                    .qualified(pattern.constant, pattern.volatile),
                _ => return None,
            })
        }
        let made = match &ast.ty.kind {
            TypeKind::AsReturned => Some(self.filled(&ast.ty, &place)?),
            TypeKind::Rvalue(inner) => {
                let lvalue =
                    place.place && !crate::sema::classes::special_members::is_moved(&place);
                fill(inner, &place.ty).map(|t| match lvalue {
                    true => Kind::Reference(Rc::new(t)).into(),
                    false => Kind::Rvalue(Rc::new(t)).into(),
                })
            }
            TypeKind::Reference(inner) => {
                fill(inner, &place.ty).map(|t| Kind::Reference(Rc::new(t)).into())
            }
            _ => {
                let value = self.decay(place);
                fill(&ast.ty, &value.ty.unqualified())
            }
        };
        match made {
            Some(ty) => Ok(ty),
            None => self.sema.error("type", ast.ty.span, "this `auto` does not fit the value"),
        }
    }
}

pub(in crate::sema) fn contains_auto(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Auto | TypeKind::AsReturned => true,
        TypeKind::Pointer(t)
        | TypeKind::Reference(t)
        | TypeKind::Rvalue(t)
        | TypeKind::Array(t, _) => contains_auto(t),
        _ => false,
    }
}
