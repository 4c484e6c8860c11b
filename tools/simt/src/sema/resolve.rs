//! Types as written to types: names looked up, lengths computed, templates of structs filled in.

use super::body::Body;
use super::types::{Kind, Type};
use super::{Arg, Checked, Entity};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Expr, Init, Prim, Struct, TemplateArg, TypeExpr, TypeKind, VarDecl};
use crate::syntax::token::Name;
use std::rc::Rc;

/// Elements and bytes of one array at most: beyond, addresses in a block run out.
const MAX_ARRAY: u64 = 1 << 32;

impl Body<'_, '_> {
    /// What a written type means. `auto` is refused: who allows it asks before.
    pub(super) fn resolve(&mut self, ty: &TypeExpr) -> Checked<Type> {
        let plain: Type = match &ty.kind {
            TypeKind::Prim(p) => (*p).into(),
            TypeKind::Pointer(inner) => {
                let inner = self.resolve(inner)?;
                if inner.is_reference() {
                    return self.sema.error("type", ty.span, "there are no pointers to references");
                }
                inner.pointer_to()
            }
            TypeKind::Reference(inner) => {
                let inner = self.resolve(inner)?;
                if inner.is_reference() { inner } else { Kind::Reference(Rc::new(inner)).into() }
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
            TypeKind::Auto => return self.sema.unsupported(ty.span, "`auto` here"),
            TypeKind::Decltype(e) => {
                let value = self.expr(e)?;
                value.ty.unqualified()
            }
            TypeKind::Named(name, arguments) if arguments.is_empty() => {
                self.named_type(name, ty)?
            }
            TypeKind::Named(name, arguments) => self.struct_instance(name, arguments, ty)?,
        };
        Some(plain.qualified(ty.constant, ty.volatile))
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
        Some(value as u64)
    }

    fn named_type(&mut self, name: &Name, ty: &TypeExpr) -> Checked<Type> {
        if let Some(Entity::Type(known)) = self.lookup(name) {
            return Some(known);
        }
        let plain = name.strip_prefix("std::").unwrap_or(name);
        let prim = match plain {
            "size_t" | "uintptr_t" | "uint64_t" => Some(Prim::ULong),
            "ptrdiff_t" | "intptr_t" | "int64_t" => Some(Prim::Long),
            "int8_t" => Some(Prim::SChar),
            "uint8_t" => Some(Prim::UChar),
            "int16_t" => Some(Prim::Short),
            "uint16_t" => Some(Prim::UShort),
            "int32_t" => Some(Prim::Int),
            "uint32_t" => Some(Prim::UInt),
            _ => None,
        };
        if let Some(prim) = prim {
            return Some(prim.into());
        }
        if let Some(known) = self.sema.types.builtin(plain) {
            return Some(known);
        }
        self.sema.error("name", ty.span, format!("`{name}` is not a type that is known here"))
    }

    fn struct_instance(
        &mut self,
        name: &Name,
        arguments: &[TemplateArg],
        ty: &TypeExpr,
    ) -> Checked<Type> {
        let Some(ast) = self.sema.struct_templates.get(name).cloned() else {
            return self.sema.error("name", ty.span, format!("`{name}` is no template"));
        };
        let bindings = self.struct_arguments(&ast, arguments, ty.span)?;
        let args: Vec<Arg> = bindings.iter().map(|(_, a)| a.clone()).collect();
        let key = (name.clone(), args);
        if let Some(known) = self.sema.struct_instances.get(&key) {
            return Some(known.clone());
        }
        let words: Vec<String> = key.1.iter().map(|a| self.spell_arg(a)).collect();
        let spelled = format!("{name}<{}>", words.join(", "));
        let special = self.sema.special_structs.get(&key).cloned();
        let (ast, bindings) = special.map_or((ast, bindings), |special| (special, Vec::new()));
        let made = self.sema.define_struct(&ast, bindings, Some(spelled))?;
        self.sema.struct_instances.insert(key, made.clone());
        Some(made)
    }

    /// What the parameters of a struct's template stand for.
    pub(super) fn struct_arguments(
        &mut self,
        ast: &Struct,
        arguments: &[TemplateArg],
        span: Span,
    ) -> Checked<Vec<(Name, Arg)>> {
        let name = &ast.name;
        if arguments.len() > ast.template.len() {
            let message = format!("`{name}` takes {} template arguments", ast.template.len());
            return self.sema.error("template", span, message);
        }
        let mut bindings: Vec<(Name, Arg)> = Vec::new();
        for (i, param) in ast.template.iter().enumerate() {
            let Some(written) = arguments.get(i).or(param.default.as_ref()) else {
                let message =
                    format!("the template argument `{}` of `{name}` is missing", param.name);
                return self.sema.error("template", span, message);
            };
            let arg = match (self.template_argument(written)?, &param.value) {
                // A value takes its parameter's type.
                (Arg::Value(v, _), Some(ty)) => {
                    self.scopes.push(std::collections::HashMap::new());
                    self.bind(&bindings);
                    let ty = self.resolve(ty);
                    self.scopes.pop();
                    let ty = ty?;
                    let v = self.sema.types.scalar(&ty).map_or(v, |p| super::fold::wrap(v, p));
                    Arg::Value(v, ty)
                }
                (arg, _) => arg,
            };
            bindings.push((param.name.clone(), arg));
        }
        Some(bindings)
    }

    pub(super) fn spell_arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Type(t) => self.sema.types.spell(t),
            Arg::Value(v, _) => v.to_string(),
        }
    }

    pub(super) fn template_argument(&mut self, written: &TemplateArg) -> Checked<Arg> {
        match written {
            TemplateArg::Type(ty) => Some(Arg::Type(self.resolve(ty)?)),
            TemplateArg::Value(e) => {
                let value = self.rvalue(e)?;
                match value.as_int() {
                    Some(v) => Some(Arg::Value(v, value.ty)),
                    None => self.sema.error(
                        "template",
                        e.span,
                        "a template's argument must be a constant",
                    ),
                }
            }
        }
    }

    /// The type of a declared variable; `auto` and `int a[] = {..}` take it from the value.
    pub(super) fn variable_type(&mut self, ast: &VarDecl) -> Checked<Type> {
        let ty = match contains_auto(&ast.ty) {
            true => self.deduced(ast)?,
            false => self.resolve(&ast.ty)?,
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
                Init::Expr(Expr { kind: crate::syntax::ast::ExprKind::List(items), .. }) => {
                    items.len() as u64
                }
                Init::Expr(Expr { kind: crate::syntax::ast::ExprKind::Str(text), .. }) => {
                    text.len() as u64 + 1
                }
                Init::None if ast.storage.external && ast.storage.shared => 0,
                _ => {
                    let diagnostic =
                        Diagnostic::error("type", ast.span, format!("how long is `{}`?", ast.name))
                            .with_help(
                                "write the length between the brackets, or a list of values behind",
                            );
                    self.sema.report(diagnostic);
                    return None;
                }
            };
            return Some(Kind::Array(element.clone(), n).into());
        }
        Some(ty)
    }

    fn deduced(&mut self, ast: &VarDecl) -> Checked<Type> {
        let Init::Expr(value) = &ast.init else {
            let message = format!("`auto {}` needs a value to take its type from", ast.name);
            return self.sema.error("type", ast.span, message);
        };
        let place = self.expr(value)?;
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
            TypeKind::Reference(inner) => {
                fill(inner, &place.ty).map(|t| Kind::Reference(Rc::new(t)).into())
            }
            _ => {
                let value = self.decay(place);
                fill(&ast.ty, &value.ty.unqualified())
            }
        };
        match made {
            Some(ty) => Some(ty),
            None => self.sema.error("type", ast.ty.span, "this `auto` does not fit the value"),
        }
    }
}

fn contains_auto(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Auto => true,
        TypeKind::Pointer(t) | TypeKind::Reference(t) | TypeKind::Array(t, _) => contains_auto(t),
        _ => false,
    }
}

/// A type as it is written, for telling declarations apart.
pub(super) fn spell_written(ty: &TypeExpr) -> String {
    let constant = if ty.constant { "const " } else { "" };
    match &ty.kind {
        TypeKind::Prim(p) => format!("{constant}{}", p.spelling()),
        TypeKind::Auto => format!("{constant}auto"),
        TypeKind::Named(n, _) => format!("{constant}{n}"),
        TypeKind::Pointer(t) => format!("{}*", spell_written(t)),
        TypeKind::Reference(t) => format!("{}&", spell_written(t)),
        TypeKind::Array(t, _) => format!("{}[]", spell_written(t)),
        TypeKind::Decltype(_) => "decltype".to_string(),
    }
}
