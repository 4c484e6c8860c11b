//! What a class says of the virtual functions of its bases: `override`, `final`, and those that it leaves
//! pure.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::symbols::namespace_variables::element_of;
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, FunctionId, Sema};
use crate::syntax::ast::{BodyKind, Function, Struct};

impl Sema<'_> {
    /// The bases of a class, and theirs.
    fn ancestors(&self, index: ClassId) -> Vec<ClassId> {
        let mut all = Vec::new();
        let mut open = vec![index];
        while let Some(class) = open.pop() {
            let info = self.types.get(class);
            for base in &info.fields[..info.bases.min(info.fields.len())] {
                if let Kind::Struct(base) = base.ty.kind {
                    all.push(base);
                    open.push(base);
                }
            }
        }
        all
    }

    /// The methods of this name that the bases declare.
    fn inherited(&self, index: ClassId, method: &Function) -> Vec<FunctionId> {
        let key = |class| self.definitions.methods.get(&(class, method.name));
        self.ancestors(index).into_iter().filter_map(key).flatten().copied().collect()
    }

    /// Reports methods of a class that override nothing, though they say so, or what is `final`.
    pub(in crate::sema) fn check_overrides(&mut self, index: ClassId, ast: &Struct) {
        let own = |class: &ClassId| {
            let written = self.definitions.struct_asts.get(class);
            written.is_some_and(|written| !written.span.is_built_in())
        };
        // A class of the library may lack a function here.
        if ast.span.is_built_in() || !self.ancestors(index).iter().all(own) {
            return;
        }
        if let Some(destructor) = ast.destructor.as_ref().filter(|d| d.storage.overrides) {
            let bases = self.ancestors(index);
            if !bases.into_iter().any(|base| self.destroyed_dynamically(base)) {
                let at = destructor.span;
                self.overrides_nothing(destructor, at, None, "no base has a virtual destructor");
            }
        }
        let ids = ast.methods.iter().flat_map(|method| {
            let all = self.definitions.methods.get(&(index, method.name));
            all.into_iter().flatten().copied()
        });
        let mut ids: Vec<FunctionId> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let method = self.definitions[id].ast.clone();
            if method.template.is_empty() && !method.name.is("operator ") {
                self.check_override(index, id, &method);
            }
        }
    }

    fn check_override(&mut self, index: ClassId, id: FunctionId, method: &Function) {
        let inherited = self.inherited(index, method);
        let alike = |sema: &Sema<'_>, base: &FunctionId| {
            let base = &sema.definitions[*base].ast;
            base.params.len() == method.params.len() && base.constant == method.constant
        };
        let virtual_ones: Vec<FunctionId> =
            inherited.iter().copied().filter(|id| self.is_virtual(*id)).collect();
        let near: Vec<FunctionId> =
            virtual_ones.iter().copied().filter(|base| alike(self, base)).collect();
        let mut found = None;
        for base in near {
            let types = [self.parameter_types(id), self.parameter_types(base)];
            if types[0].is_none() || types[1].is_none() || types[0] == types[1] {
                found = Some((base, types[0].is_some() && types[1].is_some()));
                break;
            }
        }
        match found {
            Some((base, true)) if self.definitions[base].ast.storage.is_final => {
                let first = self.definitions[base].ast.span;
                let message = format!("`{}` overrides a function that is `final`", method.name);
                self.report(
                    Diagnostic::error("type", method.span, message)
                        .with_label(first, "`final` is said here")
                        .with_help("give it another name, or take `final` away there"),
                );
            }
            None if method.storage.overrides => {
                let near = virtual_ones.first().or(inherited.first()).copied();
                let why = match near {
                    None => "no base has a function of this name: is it misspelt?",
                    Some(base) if !virtual_ones.contains(&base) => {
                        "the function of the base is not virtual: write `virtual` before it"
                    }
                    Some(base) if self.definitions[base].ast.constant != method.constant => {
                        "one of them is `const`, and the other is not"
                    }
                    Some(_) => "the function of the base has other parameters",
                };
                let first = near.map(|base| self.definitions[base].ast.span);
                self.overrides_nothing(method, method.span, first, why);
            }
            _ => {}
        }
    }

    fn overrides_nothing(&mut self, method: &Function, at: Span, near: Option<Span>, why: &str) {
        let message = format!("`{}` is `override`, and overrides nothing", method.name);
        let mut diagnostic = Diagnostic::error("type", at, message).with_help(why);
        if let Some(near) = near {
            diagnostic = diagnostic.with_label(near, "the base has this one");
        }
        self.report(diagnostic);
    }

    /// A pure virtual function that the class does not override.
    fn pure_function(&self, index: ClassId) -> Option<FunctionId> {
        let all: Vec<ClassId> = [index].into_iter().chain(self.ancestors(index)).collect();
        let methods = |class: ClassId| {
            let written = self.definitions.struct_asts.get(&class);
            let names = written.into_iter().flat_map(|written| &written.methods);
            names.filter_map(move |m| self.definitions.methods.get(&(class, m.name))).flatten()
        };
        let defined = |pure: &Function| {
            all.iter().copied().flat_map(methods).any(|id| {
                let ast = &self.definitions[*id].ast;
                ast.body_kind != BodyKind::Pure
                    && (ast.name, ast.constant) == (pure.name, pure.constant)
                    && ast.params.len() == pure.params.len()
            })
        };
        let pure = |id: &&FunctionId| {
            let ast = &self.definitions[**id].ast;
            ast.body_kind == BodyKind::Pure && !defined(ast)
        };
        all.iter().copied().flat_map(methods).find(pure).copied()
    }
}

impl Body<'_, '_> {
    /// An error for a base that is `final`.
    pub(in crate::sema) fn not_final(&mut self, base: ClassId, span: Span) -> Checked<()> {
        let written = self.sema.definitions.struct_asts.get(&base);
        let Some(written) = written.filter(|written| written.is_final).cloned() else {
            return Ok(());
        };
        let message = format!("`{}` is `final`: it cannot be a base", written.name);
        self.sema.report(
            Diagnostic::error("type", span, message)
                .with_label(written.span, "declared here")
                .with_help("make it a member, or take `final` away"),
        );
        Err(Reported)
    }

    /// An error for an object of a class that has a pure virtual function.
    pub(in crate::sema) fn not_abstract(&mut self, ty: &Type, span: Span) -> Checked<()> {
        let Kind::Struct(index) = element_of(ty).kind else { return Ok(()) };
        if !self.sema.is_dynamic(index) {
            return Ok(());
        }
        let Some(pure) = self.sema.pure_function(index) else { return Ok(()) };
        let pure = self.sema.definitions[pure].ast.clone();
        let text = self.sema.types.spell(element_of(ty));
        let message = format!("`{text}` is abstract: there is no object of it");
        let help = format!("write `{}` in a derived class, and make an object of that", pure.name);
        self.sema.report(
            Diagnostic::error("type", span, message)
                .with_label(pure.span, format!("`{}` is pure virtual", pure.name))
                .with_help(help),
        );
        Err(Reported)
    }
}
