//! Access control: whether private and protected members may be named where they are.
//!
//! Checked is what the text of a function names: data members and functions behind `.`, `->` and `::`;
//! operators and conversions that it calls; the constructors and destructors of its variables and
//! temporaries, with those of their members and bases; nested types of variables and of `T(..)`. Accepted
//! is everything else, and what is hard to tell: names in local classes, in lambdas of functions that may
//! be friends, in what is not evaluated, and in candidates of overload resolution; members that `using`
//! names anew; every function whose name stands in a friend declaration.

use crate::diagnostic::{Diagnostic, Span};
use crate::sema::FunctionId;
use crate::sema::body::Body;
use crate::sema::classes::lambda::CLOSURE;
use crate::sema::symbols::namespace_variables::element_of;
use crate::sema::symbols::symbol_table::Entity;
use crate::sema::types::{ClassId, Kind, Type};
use crate::syntax::ast::{Access, Init, Item, Struct, TemplateArg, TypeExpr, TypeKind, VarDecl};
use crate::syntax::name::{Name, Path};
use std::collections::HashSet;

fn word(access: Access) -> &'static str {
    match access {
        Access::Private => "private",
        Access::Protected => "protected",
    }
}

impl Body<'_, '_> {
    /// A data member behind `.` or `->`, found in an object of this class by this way.
    pub(in crate::sema) fn check_data_member(
        &mut self,
        object: ClassId,
        way: &[usize],
        name: Name,
        at: Span,
    ) {
        let mut class = object;
        for step in &way[..way.len().saturating_sub(1)] {
            match self.sema.types.get(class).fields.get(*step).map(|field| &field.ty.kind) {
                Some(Kind::Struct(inner)) => class = *inner,
                _ => return,
            }
        }
        let Some(written) = self.sema.definitions.struct_asts.get(&class) else { return };
        let declared = written.fields.iter().find(|field| field.name.last() == name);
        if let Some(declared) = declared.map(|field| field.span) {
            self.check_access(object, class, (declared, name), at);
        }
    }

    /// A static member behind `::`.
    pub(in crate::sema) fn check_static_member(&mut self, class: ClassId, name: Name, at: Span) {
        let Some(written) = self.sema.definitions.struct_asts.get(&class) else { return };
        let variables = written.members.iter().filter_map(|item| match item {
            Item::Variables(all) => Some(all),
            _ => None,
        });
        // The type of a member, which its callers resolve, may name a constant.
        let named = |variable: &&VarDecl| {
            let constant = variable.storage.constexpr || variable.ty.constant;
            variable.name.last() == name && !constant
        };
        let declared = variables.flatten().find(named);
        if let Some(declared) = declared.map(|variable| variable.span) {
            self.check_access(class, class, (declared, name), at);
        }
    }

    /// A function that is called by its name for a class or an object of it.
    pub(in crate::sema) fn check_function(&mut self, object: ClassId, id: FunctionId, at: Span) {
        let declared = &self.sema.definitions[id];
        let (Some(owner), span, name) = (declared.owner, declared.ast.span, declared.ast.name)
        else {
            return;
        };
        self.check_access(object, owner, (span, name.last()), at);
    }

    /// The constructors of a variable without a value: one that may be called is enough.
    pub(in crate::sema) fn check_constructors(&mut self, ty: &Type, init: &Init, at: Span) {
        let Kind::Struct(class) = ty.kind else { return };
        let Some(written) = self.sema.definitions.struct_asts.get(&class) else { return };
        let hidden = |at: Span, name: Name| written.access.hidden.contains_key(&(at, name));
        let mut all = written.constructors.iter().filter(|one| one.name == written.name);
        if !matches!(init, Init::None)
            || !written.constructs.is_empty()
            || !all.clone().all(|one| hidden(one.span, one.name.last()))
        {
            return;
        }
        if let Some(first) = all.next() {
            let declared = (first.span, first.name.last());
            self.check_access(class, class, declared, at);
        }
    }

    /// The destructor of a variable or a temporary, and what that calls.
    pub(in crate::sema) fn check_destructor(&mut self, ty: &Type, at: Span) {
        let Kind::Struct(class) = element_of(ty).kind else { return };
        let Some(written) = self.sema.definitions.struct_asts.get(&class) else { return };
        if let Some(destructor) = &written.destructor {
            let declared = (destructor.span, destructor.name.last());
            self.check_access(class, class, declared, at);
        }
        if !at.is_built_in() && self.frame.function.is_some() {
            self.check_parts(class, at, &mut HashSet::new());
        }
    }

    /// The destructors of members and bases, which that of their class calls.
    fn check_parts(&mut self, class: ClassId, at: Span, seen: &mut HashSet<ClassId>) {
        let Some(written) = self.sema.definitions.struct_asts.get(&class).cloned() else { return };
        if written.span.is_built_in() || !seen.insert(class) {
            return;
        }
        let info = self.sema.types.get(class).clone();
        for (i, field) in info.fields.iter().enumerate() {
            let Kind::Struct(part) = element_of(&field.ty).kind else { continue };
            self.check_parts(part, at, seen);
            let Some(other) = self.sema.definitions.struct_asts.get(&part) else { continue };
            let Some(destructor) = &other.destructor else { continue };
            let declared = (destructor.span, destructor.name.last());
            let Some(access) = other.access.hidden.get(&declared).copied() else { continue };
            if declared.0.is_built_in() || self.class_may_access(class, class, part, access) {
                continue;
            }
            let (what, span) = match i < info.bases {
                true => ("its base".to_owned(), written.span),
                false => {
                    let named = written.fields.iter().find(|own| own.name == field.name);
                    let span = named.map_or(written.span, |own| own.span);
                    (format!("its member `{}`", field.name), span)
                }
            };
            let name = self.sema.types.get(part).path.join(declared.1);
            let word = word(access);
            let message =
                format!("`{name}` is {word}: `{}` cannot destroy {what} by it", info.path);
            let diagnostic = Diagnostic::error("access", span, message)
                .with_label(declared.0, "declared here")
                .with_label(at, "destroyed here")
                .with_help("declare it under `public:`, or the class around it a `friend`");
            self.sema.report(diagnostic);
        }
    }

    /// The nested types that a type expression names, `S::Inner`.
    pub(in crate::sema) fn check_types(&mut self, written: &TypeExpr) {
        match &written.kind {
            TypeKind::Pointer(inner)
            | TypeKind::Reference(inner)
            | TypeKind::Rvalue(inner)
            | TypeKind::Array(inner, _) => self.check_types(inner),
            TypeKind::Named(name, arguments) => {
                self.check_arguments(arguments);
                if let Some(class) = name.parent()
                    && let Some(Entity::Type(Type { kind: Kind::Struct(class), .. })) =
                        self.lookup(class)
                {
                    self.check_nested_type(class, name.last(), written.span);
                }
            }
            TypeKind::Member(outer, name, arguments) => {
                self.check_arguments(arguments);
                if let Ok(Type { kind: Kind::Struct(class), .. }) =
                    self.speculate(|body| body.resolve(outer))
                {
                    self.check_nested_type(class, *name, written.span);
                }
            }
            _ => {}
        }
    }

    fn check_arguments(&mut self, arguments: &[TemplateArg]) {
        for argument in arguments {
            if let TemplateArg::Type(ty) = argument {
                self.check_types(ty);
            }
        }
    }

    fn check_nested_type(&mut self, class: ClassId, name: Name, at: Span) {
        let Some(written) = self.sema.definitions.struct_asts.get(&class) else { return };
        let mut types = written.members.iter().filter_map(Item::declared_type);
        if let Some(declared) = types.find(|declared| declared.1 == name) {
            self.check_access(class, class, declared, at);
        }
    }

    fn check_access(&mut self, object: ClassId, class: ClassId, declared: (Span, Name), at: Span) {
        let written = self.sema.definitions.struct_asts.get(&class);
        let access = written.and_then(|written| written.access.hidden.get(&declared).copied());
        let Some(access) = access else { return };
        if at.is_built_in()
            || declared.0.is_built_in()
            || self.sema.instances.unevaluated
            || self.sema.instances.overload_depth > 0
            || self.may_access(object, class, access)
            || self.names_anew(object, declared.1)
        {
            return;
        }
        let name = self.sema.types.get(class).path.join(declared.1);
        let word = word(access);
        let message = format!("`{name}` is {word}: it cannot be named here");
        let diagnostic = Diagnostic::error("access", at, message)
            .with_label(declared.0, "declared here")
            .with_help("declare it under `public:`, or this function or class a `friend`");
        self.sema.report(diagnostic);
    }

    /// Whether the function that is being checked may name what is private or protected in a class, for
    /// an object of that class or one derived from it.
    fn may_access(&self, object: ClassId, class: ClassId, access: Access) -> bool {
        let Some((function, place)) = self.frame.function else { return true };
        let definitions = &self.sema.definitions;
        let Some(written) = definitions.struct_asts.get(&class) else { return true };
        // A friend of a derived class may name what is protected.
        let is_friend = |name: Name| {
            written.access.friends.contains(&name)
                || self.any_base(object, &|class| class.access.friends.contains(&name))
        };
        let of_operator =
            || function.last().starts_with("operator") && is_friend("operator".into());
        // `friend T;`
        let of_parameter = || written.template.iter().any(|parameter| is_friend(parameter.name));
        if place.is_built_in() || is_friend(function.last()) || of_operator() || of_parameter() {
            return true;
        }
        self.frame.owner.is_some_and(|own| self.class_may_access(own, object, class, access))
    }

    /// Whether this class, or one around it, may.
    fn class_may_access(
        &self,
        own: ClassId,
        object: ClassId,
        class: ClassId,
        access: Access,
    ) -> bool {
        let definitions = &self.sema.definitions;
        let Some(written) = definitions.struct_asts.get(&class) else { return true };
        let is_friend = |name: Name| {
            written.access.friends.contains(&name)
                || self.any_base(object, &|class| class.access.friends.contains(&name))
        };
        let mut around = Some(own);
        while let Some(own) = around {
            let info = self.sema.types.get(own);
            // A closure sees what the function around it does, which may be a friend.
            if info.path.is(CLOSURE) {
                if !written.access.friends.is_empty() {
                    return true;
                }
                around = info.outer;
                continue;
            }
            let Some(own_text) = definitions.struct_asts.get(&own) else { return true };
            if own == class
                || own_text.span == written.span
                || info.declared == self.sema.types.get(class).declared
                || is_friend(own_text.name.last())
                || access == Access::Protected && self.sema.types.base_path(own, class).is_some()
                || info.outer.is_none() && self.is_local_class(own, own_text.name)
            {
                return true;
            }
            around = info.outer;
        }
        false
    }

    fn is_local_class(&self, class: ClassId, name: Path) -> bool {
        let known = match self.sema.definitions.scope.get(&name) {
            Some(Entity::Type(Type { kind: Kind::Struct(known), .. })) => *known == class,
            _ => false,
        };
        !known && !self.sema.templates.structs.contains_key(&name)
    }

    /// Whether a class or one of its bases has `using Base::name;`.
    fn names_anew(&self, class: ClassId, name: Name) -> bool {
        self.any_base(class, &|class| class.used.contains(&name))
    }

    /// Whether it is so of a class or one of its bases.
    fn any_base(&self, class: ClassId, is: &dyn Fn(&Struct) -> bool) -> bool {
        let info = self.sema.types.get(class);
        self.sema.definitions.struct_asts.get(&class).is_some_and(|written| is(written))
            || info.fields.iter().take(info.bases).any(|base| match base.ty.kind {
                Kind::Struct(base) => self.any_base(base, is),
                _ => false,
            })
    }
}
