//! Template argument deduction: explicit arguments, deduction from the call, default arguments.

use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::calls::overload_resolution::Refusal;
use crate::sema::tree::Expr;
use crate::sema::types::as_written::{self, value_name};
use crate::sema::types::{Kind, Type};
use crate::sema::{Arg, Entity};
use crate::syntax::ast::{self, TemplateArg, TemplateParam, TypeExpr, TypeKind};
use crate::syntax::name::Path;
use std::collections::HashMap;

impl Body<'_, '_> {
    /// Whether a parameter is `T**`, and a pointer is passed to it that is none to a pointer:
    /// `cudaMalloc(x, n)`.
    fn wants_address(&self, ast: &ast::Function, values: &[Expr], of: &TemplateParam) -> bool {
        ast.params.iter().zip(values).any(|(param, value)| {
            let TypeKind::Pointer(outer) = &param.ty.kind else { return false };
            let TypeKind::Pointer(inner) = &outer.kind else { return false };
            let open =
                matches!(&inner.kind, TypeKind::Named(name, _) if *name == Path::from(of.name));
            let Kind::Pointer(to) = &value.ty.kind else { return false };
            open && !matches!(to.kind, Kind::Pointer(_))
        })
    }

    pub(in crate::sema) fn template_args(
        &mut self,
        declared: &crate::sema::Declared,
        explicit: &[TemplateArg],
        values: &[Expr],
    ) -> Result<Vec<Arg>, Refusal> {
        let ast = &declared.ast;
        let pack = ast.template.iter().any(|t| t.pack);
        let mut found: HashMap<Path, Arg> = HashMap::new();
        if !explicit.is_empty() {
            // A pack among them may be empty.
            let given = self.template_arguments(explicit).map_err(|Reported| Refusal::Silent)?;
            if given.len() > ast.template.len() && !pack {
                let count = ast.template.len();
                let plural = if count == 1 { "" } else { "s" };
                let message = format!("it has only {count} template parameter{plural}");
                return Err(Refusal::Template(message));
            }
            let mut given = given.into_iter();
            for param in &ast.template {
                if param.pack {
                    let rest: Vec<Arg> = given.by_ref().collect();
                    if !rest.is_empty() {
                        found.insert(param.name.into(), Arg::Pack(rest));
                    }
                } else if let Some(arg) = given.next() {
                    found.insert(param.name.into(), arg);
                }
            }
        }
        // An explicit argument is not deduced: the call's values convert to it.
        let is_open = |t: &&TemplateParam| t.pack || !found.contains_key(&t.name.into());
        let open: Vec<TemplateParam> = ast.template.iter().filter(is_open).cloned().collect();
        let mut rest = values.iter();
        for param in &ast.params {
            if let TypeKind::Expand(inner, _) = &param.ty.kind {
                self.deduce_pack(inner, rest.by_ref(), &open, &mut found)?;
                continue;
            }
            let Some(value) = rest.next() else { break };
            self.deduce_param(&param.ty, value, &open, &mut found)?;
        }
        self.completed_args(declared, found, values)
    }

    /// The arguments with which a template of conversion functions gives this type.
    pub(in crate::sema) fn conversion_args(
        &mut self,
        declared: &crate::sema::Declared,
        wanted: &Type,
    ) -> Option<Vec<Arg>> {
        let (ast, mut found) = (&declared.ast, HashMap::new());
        let _ = self.deduce(&ast.returns, &wanted.unqualified(), &ast.template, &mut found);
        self.speculate(|b| b.completed_args(declared, found, &[]).map_err(|_| Reported)).ok()
    }

    /// What was deduced or given, and the defaults of the other parameters.
    fn completed_args(
        &mut self,
        declared: &crate::sema::Declared,
        mut found: HashMap<Path, Arg>,
        values: &[Expr],
    ) -> Result<Vec<Arg>, Refusal> {
        let ast = &declared.ast;
        let mut args = Vec::new();
        for param in &ast.template {
            let arg = match (found.remove(&param.name.into()), &param.default) {
                (Some(arg), _) => arg,
                (None, _) if param.pack => Arg::Pack(Vec::new()),
                (None, Some(default)) => {
                    let pairs: Vec<(Path, Arg)> = ast
                        .template
                        .iter()
                        .map(|t| Path::from(t.name))
                        .zip(args.iter().cloned())
                        .collect();
                    self.scopes.push(HashMap::new());
                    self.bind(&declared.bindings);
                    self.bind(&pairs);
                    let arg = self.template_argument(default);
                    self.scopes.pop();
                    arg.map_err(|Reported| Refusal::Silent)?
                }
                (None, None) if self.wants_address(ast, values, param) => {
                    return Err(Refusal::Template(
                        "the address of a pointer is wanted here, not the pointer: write `&` before it"
                            .to_owned(),
                    ));
                }
                (None, None)
                    if ast.span.is_built_in() && as_written::is_deduced_from(ast, param) =>
                {
                    let text = as_written::signature(ast);
                    return Err(Refusal::Template(format!(
                        "the arguments do not fit: it is `{text}`"
                    )));
                }
                (None, None) => {
                    return Err(Refusal::Template(format!(
                        "the template argument `{}` cannot be told from the call: write `{}<..>(..)`",
                        param.name, ast.name
                    )));
                }
            };
            let arg = match (arg, &param.value) {
                (arg @ (Arg::Value(..) | Arg::Pack(_)), Some(ty)) => {
                    let pairs: Vec<(Path, Arg)> = ast
                        .template
                        .iter()
                        .map(|t| Path::from(t.name))
                        .zip(args.iter().cloned())
                        .collect();
                    self.scopes.push(HashMap::new());
                    self.bind(&declared.bindings);
                    self.bind(&pairs);
                    let arg = self.typed_argument(arg, ty);
                    self.scopes.pop();
                    arg.map_err(|Reported| Refusal::Silent)?
                }
                (arg @ Arg::Function(_), Some(_)) => arg,
                (arg @ (Arg::Type(_) | Arg::Pack(_) | Arg::Template(_)), None) => arg,
                (_, Some(_)) => {
                    return Err(Refusal::Template(format!(
                        "`{}` is a value, not a type",
                        param.name
                    )));
                }
                (_, None) => {
                    return Err(Refusal::Template(format!(
                        "`{}` is a type, not a value",
                        param.name
                    )));
                }
            };
            args.push(arg);
        }
        Ok(args)
    }

    /// Deduces template arguments from an argument of the call.
    fn deduce_param(
        &mut self,
        pattern: &TypeExpr,
        value: &Expr,
        template: &[TemplateParam],
        found: &mut HashMap<Path, Arg>,
    ) -> Result<(), Refusal> {
        let ty = match (&pattern.kind, &value.ty.kind) {
            (_, Kind::List(list)) => {
                // `std::min({a, b})`
                let bare = match &pattern.kind {
                    TypeKind::Reference(inner) => inner,
                    _ => pattern,
                };
                if let TypeKind::Named(name, arguments) = &bare.kind
                    && name.in_std().as_deref() == Some("initializer_list")
                    && let [TemplateArg::Type(inner)] = arguments.as_slice()
                    && let Some(ty) = self.braced_element(*list)
                {
                    let _ = self.deduce(inner, &ty, template, found);
                }
                return Ok(());
            }
            (TypeKind::Rvalue(inner), _) => match &inner.kind {
                // A forwarding reference binds to lvalues, too.
                TypeKind::Named(name, arguments)
                    if arguments.is_empty()
                        && !inner.constant
                        && template.iter().any(|t| t.name == *name)
                        && !crate::sema::classes::special_members::is_rvalue(value) =>
                {
                    Kind::Reference(std::rc::Rc::new(value.ty.clone())).into()
                }
                _ => value.ty.clone(),
            },
            (TypeKind::Reference(_), _) => value.ty.clone(),
            (_, Kind::Array(element, _)) => (**element).clone().pointer_to(),
            _ => value.ty.unqualified(),
        };
        let inner = match &pattern.kind {
            TypeKind::Rvalue(inner) => inner,
            _ => pattern,
        };
        if let Some(name) = self.other_class(inner, &ty, template) {
            return Err(Refusal::Template(format!("the argument is no `{name}<..>`")));
        }
        if let Some((name, first, second)) = self.deduce(inner, &ty, template, found) {
            let (a, b) = (self.spell_arg(&first), self.spell_arg(&second));
            return Err(Refusal::Template(format!("`{name}` would be both `{a}` and `{b}`")));
        }
        Ok(())
    }

    /// The class template that a parameter `C<T>` names, where the type is no instance of it: nothing
    /// can be deduced from it, and no conversion is considered.
    fn other_class(
        &self,
        pattern: &TypeExpr,
        ty: &Type,
        template: &[TemplateParam],
    ) -> Option<Path> {
        let bare = match &pattern.kind {
            TypeKind::Reference(inner) | TypeKind::Rvalue(inner) => inner,
            _ => pattern,
        };
        let TypeKind::Named(name, arguments) = &bare.kind else { return None };
        let deduced = |argument: &TemplateArg| {
            let TemplateArg::Type(TypeExpr { kind: TypeKind::Named(name, none), .. }) = argument
            else {
                return false;
            };
            none.is_empty() && template.iter().any(|t| t.name == *name && !t.pack)
        };
        let ty = ty.unreferenced();
        let other = self.sema.templates.structs.contains_key(name)
            && arguments.iter().any(deduced)
            && self.instance_of(name, ty).is_none();
        other.then_some(*name)
    }

    /// The same for each remaining argument, for a parameter pack.
    fn deduce_pack<'v>(
        &mut self,
        pattern: &TypeExpr,
        values: impl Iterator<Item = &'v Expr>,
        template: &[TemplateParam],
        found: &mut HashMap<Path, Arg>,
    ) -> Result<(), Refusal> {
        let mut packs: Vec<(Path, Vec<Arg>)> =
            template.iter().filter(|t| t.pack).map(|t| (t.name.into(), Vec::new())).collect();
        for value in values {
            let mut one = HashMap::new();
            self.deduce_param(pattern, value, template, &mut one)?;
            for (name, all) in &mut packs {
                all.extend(one.remove(name));
            }
        }
        for (name, all) in packs {
            found.entry(name).or_insert(Arg::Pack(all));
        }
        Ok(())
    }

    /// The arguments of a partial specialisation, if it matches.
    pub(in crate::sema) fn fits_partial(
        &mut self,
        special: &ast::Struct,
        args: &[Arg],
    ) -> Option<Vec<(Path, Arg)>> {
        let mut found = HashMap::new();
        let template = &special.template;
        let flat = flattened(args);
        for (i, written) in special.specialises.iter().enumerate() {
            if let Some(name) = rest_of(written) {
                if deduce_rest(name, flat.get(i..)?, template, &mut found).is_some() {
                    return None;
                }
                continue;
            }
            let conflict = match (written, flat.get(i)) {
                (TemplateArg::Type(pattern), Some(Arg::Type(ty))) => {
                    self.deduce(pattern, ty, template, &mut found)
                }
                (TemplateArg::Type(pattern), Some(arg @ Arg::Template(_))) => {
                    let TypeKind::Named(name, _) = &pattern.kind else { return None };
                    match template.iter().find(|t| t.name == *name) {
                        Some(param) => note(&param.name.into(), arg.clone(), &mut found),
                        None => None,
                    }
                }
                (TemplateArg::Value(e), Some(arg)) => deduce_value(e, arg, template, &mut found),
                _ => return None,
            };
            if conflict.is_some() {
                return None;
            }
        }
        let bindings: Vec<(Path, Arg)> = template
            .iter()
            .map(|t| {
                let empty = t.pack.then_some(Arg::Pack(Vec::new()));
                Some((Path::from(t.name), found.remove(&t.name.into()).or(empty)?))
            })
            .collect::<Option<_>>()?;
        // The substituted pattern must equal the arguments.
        self.scopes.push(HashMap::new());
        self.bind(&bindings);
        let made = self.speculate(|b| b.template_arguments(&special.specialises));
        self.scopes.pop();
        let made = made.ok()?;
        let same = made.len() == flat.len()
            && made.iter().zip(&flat).all(|(a, b)| match (a, b) {
                (Arg::Value(a, _), Arg::Value(b, _)) => a == b,
                (a, b) => a == b,
            });
        (same && self.admits(template, &[&bindings]).is_ok()).then_some(bindings)
    }

    /// The template arguments of the type, or of a base of it, that is an instance of the template.
    pub(in crate::sema) fn instance_of(&self, name: &Path, ty: &Type) -> Option<Vec<Arg>> {
        let name = &match self.lookup(name) {
            Some(Entity::Template(whole)) => whole,
            _ => *name,
        };
        let found =
            self.sema.instances.structs.iter().find(|((n, _), t)| n == name && t.kind == ty.kind);
        if let Some(((_, args), _)) = found {
            return Some(args.clone());
        }
        let Kind::Struct(index) = ty.kind else { return None };
        let info = self.sema.types.get(index);
        let bases = info.fields.iter().take(info.bases);
        bases.into_iter().find_map(|base| self.instance_of(name, &base.ty))
    }

    /// The arguments with which an alias is this type.
    fn aliased(&self, alias: &ast::Alias, ty: &Type) -> Option<Vec<Arg>> {
        let mut found = HashMap::new();
        if self.deduce(&alias.ty, ty, &alias.template, &mut found).is_some() {
            return None;
        }
        alias.template.iter().map(|t| found.remove(&t.name.into())).collect()
    }

    /// Deduces template arguments from an argument's type; returns a contradiction.
    fn deduce(
        &self,
        pattern: &TypeExpr,
        ty: &Type,
        ast: &[TemplateParam],
        found: &mut HashMap<Path, Arg>,
    ) -> Option<(Path, Arg, Arg)> {
        match &pattern.kind {
            TypeKind::Named(name, arguments) if arguments.is_empty() => {
                if !ast.iter().any(|t| t.name == *name && t.value.is_none()) {
                    return None;
                }
                let mut ty = ty.clone();
                ty.constant &= !pattern.constant;
                ty.volatile &= !pattern.volatile;
                note(name, Arg::Type(ty), found)
            }
            TypeKind::Named(name, arguments) => {
                let args = match self.sema.templates.aliases.get(name) {
                    // A template that is itself a parameter.
                    _ if ast.iter().any(|t| t.name == *name && t.value.is_none()) => {
                        let mut all = self.sema.instances.structs.iter();
                        let ((of, args), _) = all.find(|(_, made)| made.kind == ty.kind)?;
                        if let Some(conflict) = note(name, Arg::Template(*of), found) {
                            return Some(conflict);
                        }
                        args.clone()
                    }
                    Some(alias) => self.aliased(alias, ty)?,
                    None => self.instance_of(name, ty)?,
                };
                let flat = flattened(&args);
                for (i, written) in arguments.iter().enumerate() {
                    if let Some(name) = rest_of(written) {
                        return deduce_rest(name, flat.get(i..)?, ast, found);
                    }
                    let arg = flat.get(i)?;
                    let conflict = match (written, arg) {
                        (TemplateArg::Type(inner), Arg::Type(t)) => {
                            self.deduce(inner, t, ast, found)
                        }
                        (TemplateArg::Value(e), arg) => deduce_value(e, arg, ast, found),
                        _ => None,
                    };
                    if conflict.is_some() {
                        return conflict;
                    }
                }
                None
            }
            TypeKind::Reference(inner) | TypeKind::Rvalue(inner) => {
                self.deduce(inner, ty.unreferenced(), ast, found)
            }
            TypeKind::Function(returns, params) => {
                let Kind::Function(signature) = &ty.kind else { return None };
                if let Some(conflict) = self.deduce(returns, &signature.returns, ast, found) {
                    return Some(conflict);
                }
                for (i, param) in params.iter().enumerate() {
                    if let TypeKind::Expand(inner, _) = &param.kind {
                        let TypeKind::Named(name, _) = &inner.kind else { return None };
                        let rest: Vec<Arg> = signature.params[i.min(signature.params.len())..]
                            .iter()
                            .cloned()
                            .map(Arg::Type)
                            .collect();
                        return deduce_rest(name, &rest, ast, found);
                    }
                    let ty = signature.params.get(i)?;
                    if let Some(conflict) = self.deduce(param, ty, ast, found) {
                        return Some(conflict);
                    }
                }
                None
            }
            TypeKind::Pointer(inner) => self.deduce(inner, ty.pointee()?, ast, found),
            TypeKind::Array(inner, length) => {
                let Kind::Array(element, n) = &ty.kind else { return None };
                if let Some(length) = length {
                    let arg = Arg::Value(i128::from(*n), ast::Prim::ULong.into());
                    if let Some(conflict) = deduce_value(length, &arg, ast, found) {
                        return Some(conflict);
                    }
                }
                self.deduce(inner, element, ast, found)
            }
            _ => None,
        }
    }
}

/// Arguments of a template one by one, those of a pack too.
fn flattened(args: &[Arg]) -> Vec<Arg> {
    args.iter()
        .flat_map(|a| match a {
            Arg::Pack(all) => all.clone(),
            other => vec![other.clone()],
        })
        .collect()
}

/// The pack of an expansion of a plain name: `A...`, `I...`.
fn rest_of(written: &TemplateArg) -> Option<&Path> {
    match written {
        TemplateArg::Type(ty) => match &ty.kind {
            TypeKind::Expand(inner, _) => match &inner.kind {
                TypeKind::Named(name, _) => Some(name),
                _ => None,
            },
            _ => None,
        },
        TemplateArg::Value(ast::Expr { kind: ast::ExprKind::Expand(inner, _), .. }) => {
            value_name(inner)
        }
        TemplateArg::Value(_) => None,
    }
}

/// A pack that stands whole, against what is there.
fn deduce_rest(
    name: &Path,
    all: &[Arg],
    template: &[TemplateParam],
    found: &mut HashMap<Path, Arg>,
) -> Option<(Path, Arg, Arg)> {
    let pack = template.iter().find(|t| t.name == *name && t.pack)?;
    note(&pack.name.into(), Arg::Pack(all.to_vec()), found)
}

fn deduce_value(
    e: &ast::Expr,
    arg: &Arg,
    ast: &[TemplateParam],
    found: &mut HashMap<Path, Arg>,
) -> Option<(Path, Arg, Arg)> {
    let ast::ExprKind::Name(name, None) = &e.kind else { return None };
    if !ast.iter().any(|t| t.name == *name && t.value.is_some()) {
        return None;
    }
    note(name, arg.clone(), found)
}

fn note(name: &Path, arg: Arg, found: &mut HashMap<Path, Arg>) -> Option<(Path, Arg, Arg)> {
    match found.get(name) {
        Some(Arg::Value(a, _)) if matches!(&arg, Arg::Value(b, _) if a == b) => None,
        Some(known) if *known != arg => Some((*name, known.clone(), arg)),
        Some(_) => None,
        None => {
            found.insert(*name, arg);
            None
        }
    }
}
