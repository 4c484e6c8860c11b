//! Identifiers in expressions (id-expressions), and suggestions for misspelt ones.

use crate::diagnostic::{Diagnostic, Span};
use crate::isa::Preload;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::symbols::external::Variable;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, Entity, Side};
use crate::syntax::ast::{self, Prim};
use crate::syntax::foreign::foreign;
use crate::syntax::name::{Name, Path};

/// The name of the variable behind a constant, which no source text can spell.
pub(in crate::sema) fn stored(name: &Path) -> Path {
    let last = format!("&{}", name.last()).into();
    name.parent().map_or(Path::from(last), |parent| parent.join(last))
}

/// Whether it is such a name.
pub(in crate::sema) fn is_stored(name: &Path) -> bool {
    name.last().starts_with('&')
}

impl Body<'_, '_> {
    pub(in crate::sema) fn name(&mut self, name: &Path, span: Span) -> Checked<Expr> {
        // A member hides names outside its class.
        if !self.scopes.iter().any(|s| s.contains_key(name))
            && let Some(member) = self.own_member(name, span)
        {
            return Ok(member);
        }
        if let Some(member) = self.member_of_no_object(name, span)? {
            return Ok(member);
        }
        if let Some(entity) = self.lookup(name) {
            if let Some(class) = name.parent()
                && let Some(Entity::Type(Type { kind: Kind::Struct(class), .. })) =
                    self.lookup(class)
            {
                self.check_static_member(class, name.last(), span);
            }
            return self.meant(&entity, name, span);
        }
        if ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"].iter().any(|n| name.is(n))
            && let Some((function, _)) = self.frame.function
        {
            let text = ast::ExprKind::Str(function.to_string().as_bytes().into());
            return self.expr(&ast::Expr { kind: text, span });
        }
        if let Some(value) = self.builtin_variable(name, span) {
            return Ok(value);
        }
        self.unknown_name(name, span)
    }

    /// `S::x` in `sizeof(S::x)`, or `x` in `decltype(x)` inside S: where nothing is evaluated, a
    /// member needs no object.
    pub(in crate::sema) fn member_of_no_object(
        &mut self,
        name: &Path,
        span: Span,
    ) -> Checked<Option<Expr>> {
        let local = || self.scopes.iter().rev().any(|s| s.contains_key(name));
        if !self.sema.instances.unevaluated || local() {
            return Ok(None);
        }
        let class = match name.parent() {
            Some(class) => match self.lookup(class) {
                Some(Entity::Type(Type { kind: Kind::Struct(index), .. })) => Some(index),
                _ => None,
            },
            None => self.frame.owner,
        };
        let Some(class) = class else { return Ok(None) };
        if let Some(path) = self.sema.types.find(class, Path::from(name.last())) {
            let object = Expr::place(ExprKind::Zero, Kind::Struct(class).into(), span);
            return Ok(Some(self.along(object, &path, span)));
        }
        self.member_so_far(class, name, span)
    }

    /// A data member of a class that is being read, which is declared before this place.
    fn member_so_far(&mut self, class: ClassId, name: &Path, span: Span) -> Checked<Option<Expr>> {
        let Some(ast) = self.sema.definitions.struct_asts.get(&class).cloned() else {
            return Ok(None);
        };
        let known = |field: &&ast::VarDecl| {
            field.name == *name && field.span.file == span.file && field.span.start < span.start
        };
        let Some(field) = ast.fields.iter().find(known) else { return Ok(None) };
        self.sema.take_steps(1, span)?;
        let ty = self.resolve(&field.ty)?;
        Ok(Some(Expr::place(ExprKind::Zero, ty, span)))
    }

    /// What a name means, as an expression.
    pub(in crate::sema) fn meant(
        &mut self,
        entity: &Entity,
        name: &Path,
        span: Span,
    ) -> Checked<Expr> {
        match entity.clone() {
            Entity::Var(id) => {
                let ty = self.vars[id as usize].ty.clone();
                Ok(Expr::place(ExprKind::Var(id), ty, span))
            }
            Entity::Constant(value) => Ok(Expr { span, ty: value.ty.unqualified(), ..value }),
            Entity::Global(index) => {
                self.sema.use_variable(Variable::Device(index), span);
                let global = &self.sema.storage.globals[index.index()];
                Ok(Expr::place(ExprKind::Global(index), global.ty.clone(), span))
            }
            Entity::Shared(index) => self.shared_place(index, span),
            Entity::StructuredBinding(id, i) => {
                let ty = self.vars[id as usize].ty.clone();
                let whole = Expr::place(ExprKind::Var(id), ty, span);
                Ok(self.part(whole, i, span))
            }
            Entity::Function(real) => match self.function_value(&real, None, span) {
                Some(value) => value,
                None => self.name(&real, span),
            },
            // What is wrong with it was reported.
            Entity::Wrong => Err(Reported),
            Entity::NotCaptured => {
                let message = format!("this lambda does not capture `{name}`");
                let help = format!("capture it: `[{name}]`, or `[&{name}]` to change it");
                self.sema.report(Diagnostic::error("name", span, message).with_help(help));
                Err(Reported)
            }
            Entity::Template(_) => {
                self.sema.error("name", span, format!("`{name}` is a template, not a value"))
            }
            Entity::Pack(_) | Entity::Vars(_) => self.sema.error(
                "template",
                span,
                format!("`{name}` is a pack: expand it with `...`"),
            ),
            Entity::HostGlobal(index) => self.host_global(index, name, span),
            Entity::Type(_) => {
                self.sema.error("name", span, format!("`{name}` is a type, not a value"))
            }
        }
    }

    /// `E::a`, whichever name of the enumeration is written.
    pub(in crate::sema) fn enumerator(&self, ty: &Type, name: Name, span: Span) -> Option<Expr> {
        let Kind::Enum(id) = ty.kind else { return None };
        let values = &self.sema.types.enums[id.index()].values;
        let (_, value) = values.iter().find(|(known, _)| *known == name)?;
        Some(Expr::new(ExprKind::Int(*value), ty.unqualified(), span))
    }

    /// A member of the method's object.
    pub(in crate::sema) fn own_member(&mut self, name: &Path, span: Span) -> Option<Expr> {
        let this = self.frame.this.clone()?;
        let own = Expr::place(ExprKind::This, this, span);
        if let Some(class) = name.parent() {
            return self.member_of_base(own, class, name.last(), span);
        }
        let (object, path) =
            [Some(own), self.object_here(span)].into_iter().flatten().find_map(|object| {
                let Kind::Struct(index) = object.ty.kind else { return None };
                let path = self.sema.types.find(index, name)?;
                Some((object, path))
            })?;
        Some(self.along(object, &path, span))
    }

    /// `Base::x`, where the base may have another name, `typedef Base base_t`.
    fn member_of_base(&mut self, own: Expr, class: Path, name: Name, span: Span) -> Option<Expr> {
        let Entity::Type(Type { kind: Kind::Struct(base), .. }) = self.lookup(class)? else {
            return None;
        };
        let object = [Some(own), self.object_here(span)].into_iter().flatten().find_map(|object| {
            let Kind::Struct(index) = object.ty.kind else { return None };
            let path = match index == base {
                true => Vec::new(),
                false => self.sema.types.base_path(index, base)?,
            };
            Some((object, path))
        });
        let (object, to_base) = object?;
        let path = self.sema.types.find(base, name)?;
        let object = self.along(object, &to_base, span);
        Some(self.along(object, &path, span))
    }

    /// `threadIdx` and its like.
    fn builtin_variable(&mut self, name: &Path, span: Span) -> Option<Expr> {
        let (axis, ty): (fn(u8) -> Preload, &str) = match &*name.unqualified()? {
            "threadIdx" => (Preload::ThreadIdx, "uint3"),
            "blockIdx" => (Preload::BlockIdx, "uint3"),
            "blockDim" => (Preload::BlockDim, "dim3"),
            "gridDim" => (Preload::GridDim, "dim3"),
            "__builtin_laneid" => {
                return Some(Expr::new(
                    ExprKind::Builtin(Preload::LaneId),
                    Prim::UInt.into(),
                    span,
                ));
            }
            "__builtin_cooperative" => {
                let kind = ExprKind::Builtin(Preload::Cooperative);
                return Some(Expr::new(kind, Prim::UInt.into(), span));
            }
            // What a function of both sides asks: the other side's branch is not checked.
            "__builtin_on_host" => {
                let value = ExprKind::Int(i128::from(self.side == Side::Host));
                return Some(Expr::new(value, Prim::Bool.into(), span));
            }
            "warpSize" => {
                self.sema.warp_sizes += 1;
                return Some(Expr::new(ExprKind::Int(32), Prim::Int.into(), span));
            }
            _ => return None,
        };
        let ty = self.sema.types.builtin(ty)?;
        let parts = (0..3)
            .map(|i| Expr::new(ExprKind::Builtin(axis(i)), Prim::UInt.into(), span))
            .collect();
        Some(Expr::new(ExprKind::Make(parts), ty, span))
    }

    fn unknown_name<T>(&mut self, name: &Path, span: Span) -> Checked<T> {
        if self.side == Side::Host && name.is("threadIdx") {
            return self.sema.error("name", span, "the host has no `threadIdx`");
        }
        if self.sema.definitions.functions.contains_key(&name.unrooted()) {
            return self
                .sema
                .unsupported(span, format!("`{name}` as a value (pointers to functions)"));
        }
        if let Some(found) = foreign(*name) {
            self.sema.report(found.refused(*name, span));
            return Err(Reported);
        }
        let message = format!("`{name}` is not known here");
        // Once in each function: one declaration mends all.
        let begins = self.frame.function.map_or(span.start, |(_, at)| at.start);
        let is_known = |said: &Diagnostic| {
            said.message == message && said.span.file == span.file && said.span.start >= begins
        };
        if self.sema.diagnostics.list.iter().any(is_known) {
            return Err(Reported);
        }
        let mut diagnostic = Diagnostic::error("name", span, message);
        let known = || {
            let scopes = self.scopes.iter().flat_map(|scope| scope.keys());
            scopes.chain(self.sema.definitions.scope.keys())
        };
        let own = name.unqualified();
        let of_std = known().find(|known| own.is_some() && known.in_std() == own);
        let builtin = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];
        let near = || {
            let names = known().map(Path::to_string).chain(builtin.into_iter().map(String::from));
            closest(&name.to_string(), names)
        };
        if let Some(close) = of_std.map(Path::to_string).or_else(near) {
            diagnostic = diagnostic.with_help(format!("is `{close}` meant?"));
        }
        self.sema.report(diagnostic);
        Err(Reported)
    }
}

/// The known name with the smallest edit distance, if it is at most a third of the length.
pub(in crate::sema) fn closest<S: AsRef<str>>(
    wanted: &str,
    known: impl Iterator<Item = S>,
) -> Option<String> {
    // Of two names with a single letter, neither is a misspelling of the other.
    let letters = wanted.chars().count();
    let limit = if letters > 1 { (letters / 3).max(1) } else { 0 };
    let wanted = wanted.to_ascii_lowercase();
    known
        .map(|n| {
            let distance = strsim::osa_distance(&wanted, &n.as_ref().to_ascii_lowercase());
            (distance, n.as_ref().to_string())
        })
        .filter(|(d, n)| *d <= limit && !n.starts_with("__"))
        .min()
        .map(|(_, n)| n)
}
