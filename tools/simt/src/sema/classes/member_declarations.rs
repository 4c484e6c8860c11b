//! What a class declares besides its data members: bases, nested types, static members, member
//! templates.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Arg, Bindings, Checked, Entity};
use crate::syntax::ast::{self, Init, Item, TemplateArg};
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// The most subobjects of bases in a class, those of its bases counted.
const MAX_ANCESTORS: usize = 256;

impl Body<'_, '_> {
    /// The bases of a class as its first members, and what they declare as names of the class.
    pub(in crate::sema) fn bases(
        &mut self,
        index: ClassId,
        ast: &ast::Struct,
        members: &mut Vec<(Path, Type)>,
    ) -> Checked<()> {
        let mut all = Vec::new();
        for base in &ast.bases {
            all.extend(self.expand_types(base)?.into_iter().map(|ty| (base, ty)));
        }
        for (base, base_ty) in all {
            match base_ty.kind {
                Kind::Struct(i) if !self.sema.types.get(i).incomplete => {
                    let more = 1 + self.sema.types.get(i).ancestors;
                    let info = self.sema.types.get_mut(index);
                    info.ancestors += more;
                    if info.ancestors > MAX_ANCESTORS {
                        let what = format!("a class with more than {MAX_ANCESTORS} bases");
                        return self.sema.unsupported(base.span, what);
                    }
                    let own = base_ty.unqualified();
                    if members.iter().any(|(_, known)| *known == own) {
                        let text = self.sema.types.spell(&own);
                        let message = format!("`{text}` is a base of `{}` twice", ast.name);
                        return self.sema.error("type", base.span, message);
                    }
                    self.not_final(i, base.span)?;
                    members.push(("".into(), own));
                    // The names that a base declares are names of the class.
                    let seen: Vec<(Path, Entity)> = self
                        .sema
                        .definitions
                        .statics
                        .of(i)
                        .map(|(name, entity)| (*name, entity.clone()))
                        .collect();
                    self.sema.take_steps_for_names(seen.len(), base.span)?;
                    for (name, entity) in seen {
                        self.sema.definitions.statics.insert(index, name, entity.clone());
                        self.define(name, entity);
                    }
                }
                _ => {
                    let text = self.sema.types.spell(&base_ty);
                    let message = format!("`{text}` cannot be a base: its members are not known");
                    return self.sema.error("type", base.span, message);
                }
            }
        }
        Ok(())
    }

    /// A type or a `static` variable inside a struct.
    pub(in crate::sema) fn inside(
        &mut self,
        item: &Item,
        index: ClassId,
        bindings: &Bindings,
    ) -> Checked<()> {
        let outer = self.sema.types.get(index).path;
        match item {
            Item::Alias(alias) if !alias.template.is_empty() => {
                let whole = self.member_template(&alias.name, index, bindings);
                self.sema.templates.aliases.insert(whole, Rc::new(alias.clone()));
            }
            Item::Struct(ast) if ast.special => {
                let whole = outer.join(ast.name.last());
                let same = ast::Struct { name: whole, ..(**ast).clone() };
                if !ast.template.is_empty() {
                    self.sema
                        .templates
                        .partial_specialisations
                        .entry(same.name)
                        .or_default()
                        .push(ast.clone());
                } else {
                    self.specialise_struct(&Rc::new(same), ast);
                }
            }
            Item::Struct(ast) if !ast.template.is_empty() => {
                let whole = self.member_template(&ast.name, index, bindings);
                let known = self.sema.templates.structs.contains_key(&whole);
                if ast.defined || !known {
                    self.sema.struct_template(whole, ast);
                }
            }
            Item::Alias(alias) => {
                let ty = self.aliased_type(alias)?;
                self.define(alias.name, Entity::Type(ty.clone()));
                self.sema.definitions.statics.insert(index, alias.name, Entity::Type(ty));
            }
            Item::Struct(ast) => {
                let before = self.lookup(ast.name);
                let made = match before {
                    Some(Entity::Type(Type { kind: Kind::Struct(i), .. }))
                        if self.sema.types.get(i).incomplete
                            && self.sema.types.get(i).path == outer.join(ast.name.last()) =>
                    {
                        i
                    }
                    _ => {
                        let path = outer.join(ast.name.last());
                        let namespace = self.sema.types.get(index).namespace;
                        let made = self.sema.new_struct(path, path, namespace, ast.union);
                        self.sema.types.get_mut(made).outer = Some(index);
                        made
                    }
                };
                let entity = Entity::Type(Kind::Struct(made).into());
                self.define(ast.name, entity.clone());
                self.sema.definitions.statics.insert(index, ast.name, entity);
                if ast.defined {
                    let names = bindings.len() + self.scopes.last().map_or(0, HashMap::len);
                    self.sema.take_steps_for_names(names, ast.span)?;
                    let mut seen = bindings.clone();
                    for (name, entity) in self.scopes.last().cloned().unwrap_or_default() {
                        match entity {
                            Entity::Type(ty) => seen.push((name, Arg::Type(ty))),
                            Entity::Constant(Expr { kind: ExprKind::Int(v), ty, .. }) => {
                                seen.push((name, Arg::Value(v, ty)));
                            }
                            _ => {}
                        }
                    }
                    self.sema.fill_struct(made, ast, seen)?;
                }
            }
            Item::Enum(ast) => {
                self.scopes.push(HashMap::new());
                self.enumeration(ast);
                for (name, entity) in self.scopes.pop().unwrap_or_default() {
                    self.define(name, entity.clone());
                    self.sema.definitions.statics.insert(index, name, entity);
                }
            }
            Item::Variables(all) => {
                for member in all {
                    let entity = self.static_member(member, index)?;
                    self.define(member.name, entity.clone());
                    self.sema.definitions.statics.insert(index, member.name, entity);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Declares a member template by its whole path.
    fn member_template(&mut self, name: &Path, index: ClassId, bindings: &Bindings) -> Path {
        let whole = self.sema.types.get(index).path.join(name.last());
        let mut seen = bindings.clone();
        let own = Type::from(Kind::Struct(index));
        seen.extend(
            self.sema.definitions.struct_asts.get(&index).map(|w| (w.name, Arg::Type(own))),
        );
        self.sema.templates.enclosing.insert(whole, (seen, index));
        let entity = Entity::Template(whole);
        self.define(name, entity.clone());
        self.sema.definitions.statics.insert(index, *name, entity);
        whole
    }

    /// The names of the enclosing class that a member template sees.
    pub(in crate::sema) fn enclosing(&self, name: &Path) -> Bindings {
        let Some((mut seen, index)) = self.sema.templates.enclosing.get(name).cloned() else {
            return Vec::new();
        };
        for (name, entity) in self.sema.definitions.statics.of(index) {
            let arg = match entity {
                Entity::Type(ty) => Arg::Type(ty.clone()),
                Entity::Template(whole) => Arg::Template(*whole),
                Entity::Constant(Expr { kind: ExprKind::Int(v), ty, .. }) => {
                    Arg::Value(*v, ty.clone())
                }
                _ => continue,
            };
            seen.push((*name, arg));
        }
        seen
    }

    /// `static int n;`
    fn static_member(&mut self, member: &ast::VarDecl, index: ClassId) -> Checked<Entity> {
        let words = member.storage;
        let on_device = words.device || words.constant_memory;
        if !self.sema.host.is_program() || on_device {
            if matches!(member.init, Init::None) {
                return self.sema.unsupported(member.span, "static members that are no constants");
            }
            return self.global(member)?.ok_or(Reported);
        }
        let own = self.of_own_type(member, index);
        let ty = own.map_or_else(|| self.variable_type(member), Ok)?;
        let constant = ty.constant || words.constexpr;
        if constant && !matches!(member.init, Init::None) {
            let value = self.initial_value(&ty, &member.init, member.span)?;
            if let Some(value) = value.map(|v| self.folded(v)).filter(Expr::is_constant) {
                return Ok(Entity::Constant(value));
            }
        }
        let made = self.sema.host_static(member, ty.clone(), index);
        self.know(member, &ty, made);
        Ok(Entity::HostGlobal(made))
    }

    /// The type of `static const S zero;` in `S`, whose members are not known yet.
    fn of_own_type(&mut self, member: &ast::VarDecl, index: ClassId) -> Option<Type> {
        let ast::TypeKind::Named(..) = &member.ty.kind else { return None };
        let ty = self.speculate(|b| b.resolve(&member.ty)).ok()?;
        (ty.kind == Kind::Struct(index)).then(|| ty.qualified(member.storage.constexpr, false))
    }

    /// `T::type`
    pub(in crate::sema) fn member_type(
        &mut self,
        outer: &Type,
        name: &Path,
        arguments: &[TemplateArg],
        span: Span,
    ) -> Checked<Type> {
        if let Kind::Struct(index) = outer.unreferenced().kind {
            match self.sema.definitions.statics.get(index, *name).cloned() {
                Some(Entity::Type(ty)) if arguments.is_empty() => return Ok(ty),
                Some(Entity::Template(whole)) => {
                    return self.struct_instance(&whole, arguments, span);
                }
                _ => {}
            }
        }
        let text = self.sema.types.spell(outer);
        self.sema.error("name", span, format!("`{text}` has no type `{name}` inside"))
    }
}
