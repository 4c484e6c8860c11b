//! Members of classes, and nested classes, that are defined outside.

use crate::diagnostic::Diagnostic;
use crate::sema::body::Body;
use crate::sema::classes::class::as_argument;
use crate::sema::symbols::declarations::with_defaults;
use crate::sema::types::as_written;
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Bindings, Checked, Declared, Entity, Sema};
use crate::syntax::ast::{self, BodyKind, TemplateArg, TypeKind};
use crate::syntax::name::Path;
use std::rc::Rc;

/// A method that is defined outside its class.
pub(in crate::sema) struct MemberDefinition {
    /// The parameters of the class template, under the names that the definition gives them.
    template: Vec<ast::TemplateParam>,
    function: Rc<ast::Function>,
    /// The arguments of the partial specialisation that it is a member of; none: of the template.
    specialises: Vec<TemplateArg>,
}

/// The path of the class `N::S<T>::Inner<U>`, and all template arguments in it.
pub(in crate::sema) fn class_written(ty: &ast::TypeExpr) -> Option<(Path, Vec<TemplateArg>)> {
    match &ty.kind {
        TypeKind::Named(name, arguments) => Some((*name, arguments.clone())),
        TypeKind::Member(outer, name, own) => {
            let (path, mut arguments) = class_written(outer)?;
            arguments.extend(own.iter().cloned());
            Some((path.join(*name), arguments))
        }
        _ => None,
    }
}

impl Sema<'_> {
    /// A member defined outside its class: noted until it is used; of an explicit instance, put in
    /// place at once.
    pub(in crate::sema) fn define_member(
        &mut self,
        owner: &ast::TypeExpr,
        template: &[ast::TemplateParam],
        ast: &Rc<ast::Function>,
    ) {
        let Some((name, arguments)) = class_written(owner) else { return };
        if self.lacks_member(name, ast) {
            return;
        }
        if arguments.is_empty() && !template.is_empty() && ast.template.is_empty() {
            // The class is no template, so the method is one.
            return self.define_member(owner, &[], &with_template(ast, template));
        }
        if template.is_empty() && !arguments.is_empty() {
            Body::outside(self).specialise_member(owner, ast);
            return;
        }
        self.take_default_arguments(name, ast);
        let primary = arguments.len() == template.len()
            && arguments.iter().zip(template).all(|(a, t)| as_written::names_parameter(a, t));
        let definition = MemberDefinition {
            template: template.to_vec(),
            function: ast.clone(),
            specialises: if primary { Vec::new() } else { arguments },
        };
        self.definitions.member_definitions.entry((name, ast.name)).or_default().push(definition);
    }

    /// Default arguments may stand at the definition, of a class that is no template.
    fn take_default_arguments(&mut self, class: Path, ast: &ast::Function) {
        if ast.params.iter().all(|param| matches!(param.init, ast::Init::None)) {
            return;
        }
        let found = self.definitions.scope.get(&class);
        let Some(Entity::Type(Type { kind: Kind::Struct(index), .. })) = found else { return };
        let methods = self.definitions.methods.get(&(*index, ast.name));
        let constructors = self.definitions.constructors.get(index);
        let all = methods.into_iter().chain(constructors).flatten().copied().collect::<Vec<_>>();
        for id in all {
            let declared = &self.definitions[id].ast;
            if declared.name == ast.name
                && declared.constant == ast.constant
                && declared.object == ast.object
                && as_written::same_parameters(declared, ast)
            {
                let made = with_defaults(declared, ast);
                self.definitions[id].ast = made;
            }
        }
    }

    /// Whether a class declares no member of the name that is defined for it, which is reported. It is
    /// known of classes that are no templates.
    fn lacks_member(&mut self, class: Path, ast: &ast::Function) -> bool {
        let found = self.definitions.scope.get(&class);
        let Some(Entity::Type(Type { kind: Kind::Struct(index), .. })) = found else {
            return false;
        };
        let index = *index;
        let Some(written) = self.definitions.struct_asts.get(&index).cloned() else { return false };
        let name = ast.name;
        let special = name == written.name || name.last().starts_with(['~', '#']);
        let known = special
            || self.types.get(index).incomplete
            || written.span.is_built_in()
            || !written.template.is_empty()
            || written.methods.iter().any(|method| method.name.last() == name.last());
        if known {
            return false;
        }
        let message =
            format!("`{}` has no function `{}` that could be defined", class, name.last());
        self.report(
            Diagnostic::error("name", ast.span, message)
                .with_label(written.span, "the class is here")
                .with_help("declare it in the class first"),
        );
        true
    }

    /// A class that is defined outside the one that declares it.
    pub(in crate::sema) fn define_inner(&mut self, owner: &ast::TypeExpr, ast: &Rc<ast::Struct>) {
        let mut body = Body::outside(self);
        let Ok(Type { kind: Kind::Struct(outer), .. }) = body.resolve(owner) else { return };
        let found = body.sema.definitions.statics.get(outer, ast.name).cloned();
        let Some(Entity::Type(Type { kind: Kind::Struct(index), .. })) = found else {
            let message = format!("`{}` is not declared in its class", ast.name);
            let _: Checked<()> = body.sema.error("name", ast.span, message);
            return;
        };
        if !body.sema.types.get(index).incomplete {
            let message = format!("`{}` is defined twice", ast.name);
            let _: Checked<()> = body.sema.error("name", ast.span, message);
            return;
        }
        let around = body.sema.definitions.statics.of(outer);
        let seen = around.filter_map(|(name, entity)| Some((*name, as_argument(entity)?)));
        let seen: Bindings = seen.collect();
        // What is wrong with it is reported.
        let _: Checked<()> = self.fill_struct(index, ast, seen);
    }

    /// The path of a class as definitions outside it write it, and the parameters of its template and
    /// of those around it.
    pub(in crate::sema) fn written_class(
        &self,
        index: ClassId,
    ) -> Option<(Path, Vec<ast::TemplateParam>)> {
        let written = self.definitions.struct_asts.get(&index)?;
        let Some(outer) = self.types.get(index).outer else {
            return Some((written.name, written.template.clone()));
        };
        let (path, mut template) = self.written_class(outer)?;
        template.extend(written.template.iter().cloned());
        Some((path.join(written.name.last()), template))
    }

    /// The body of a method that is defined outside its struct, with the names of its parameters.
    pub(in crate::sema) fn out_of_class_definition(&self, declared: &Declared) -> Option<Declared> {
        let owner = declared.owner?;
        let written = self.definitions.struct_asts.get(&owner)?;
        let (path, template) = self.written_class(owner)?;
        let all = self.definitions.member_definitions.get(&(path, declared.ast.name))?;
        let fits = |of: &&MemberDefinition| {
            as_written::same_arguments(&of.specialises, &written.specialises)
                && of.function.params.len() == declared.ast.params.len()
                && of.function.template.len() == declared.ast.template.len()
                && of.function.constant == declared.ast.constant
                && of.function.object == declared.ast.object
        };
        let fitting: Vec<_> = all.iter().filter(fits).collect();
        let exact =
            fitting.iter().find(|of| as_written::same_parameters(&of.function, &declared.ast));
        let definition = exact.copied().or(match fitting.as_slice() {
            [one] => Some(*one),
            _ => None,
        })?;
        let mut bindings = (*declared.bindings).clone();
        // It may name the template parameters differently.
        for (own, theirs) in template.iter().zip(&definition.template) {
            if own.name != theirs.name
                && let Some((_, arg)) = declared.bindings.iter().find(|(n, _)| *n == own.name)
            {
                bindings.push((theirs.name.into(), arg.clone()));
            }
        }
        let before = &declared.ast;
        let ast = ast::Function {
            storage: before.storage,
            body_kind: match definition.function.body {
                Some(_) => BodyKind::Ordinary,
                None => definition.function.body_kind,
            },
            ..(*definition.function).clone()
        };
        Some(Declared { ast: Rc::new(ast), bindings: Rc::new(bindings), ..declared.clone() })
    }
}

fn with_template(ast: &Rc<ast::Function>, template: &[ast::TemplateParam]) -> Rc<ast::Function> {
    let on_host = ast.on_host.as_ref().map(|on_host| with_template(on_host, template));
    Rc::new(ast::Function { template: template.to_vec(), on_host, ..(**ast).clone() })
}
