//! Where a call stands: `__builtin_LINE()` and its kin. As a default argument they speak of the call
//! that leaves the argument out.

use crate::diagnostic::Span;
use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::tree::Expr;
use crate::sema::types::ClassId;
use crate::syntax::ast::{self, Prim};
use crate::syntax::name::Path;

/// A call that leaves arguments out, and the function that it stands in.
#[derive(Debug, Clone, Copy)]
pub(in crate::sema) struct CallSite {
    span: Span,
    owner: Option<ClassId>,
    /// Whether that is a method of `const` objects.
    constant: bool,
}

impl Body<'_, '_> {
    /// Checks default arguments of a call here; those of a call that is one itself are its caller's.
    pub(in crate::sema) fn at_call_site<T>(
        &mut self,
        span: Span,
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.call_site;
        self.call_site = Some(self.site(span));
        let made = check(self);
        self.call_site = outer;
        made
    }

    fn site(&self, span: Span) -> CallSite {
        let constant = self.frame.this.as_ref().is_some_and(|this| this.constant);
        self.call_site.unwrap_or(CallSite { span, owner: self.frame.owner, constant })
    }

    /// What such a function returns; `None` for any other function.
    pub(in crate::sema) fn call_site_function(
        &mut self,
        name: Path,
        span: Span,
    ) -> Option<Checked<Expr>> {
        let from = self.site(span);
        let site = from.span;
        let sources = self.sema.sources;
        let number = |value: u32| Ok(Self::int(i128::from(value), Prim::Int, span));
        let text = if name.is("__builtin_LINE") {
            return Some(number(sources.position(site).line));
        } else if name.is("__builtin_COLUMN") {
            return Some(number(sources.position(site).column));
        } else if name.is("__builtin_FILE") {
            sources.presumed(site.file).to_owned()
        } else if name.is("__builtin_FUNCTION") {
            self.frame.function.map_or(String::new(), |(function, _)| function.last().to_string())
        } else if name.is("__builtin_PRETTY_FUNCTION") {
            self.signature_around(from)
        } else {
            return None;
        };
        let kind = ast::ExprKind::Str(text.as_bytes().into());
        Some(self.rvalue(&ast::Expr { kind, span }))
    }

    /// The function that is being checked, `int S::f(int) const`; empty outside functions.
    fn signature_around(&self, site: CallSite) -> String {
        let Some((name, _)) = self.frame.function else { return String::new() };
        let types = &self.sema.types;
        let returns = self.frame.returns.as_ref().map_or("auto".to_owned(), |ty| types.spell(ty));
        let name = match site.owner {
            Some(class) => types.get(class).path.join(name.last()),
            None => name,
        };
        let params: Vec<String> = self
            .vars
            .iter()
            .take(self.frame.params)
            .map(|var| types.spell(&var.ty) + if var.reference { "&" } else { "" })
            .collect();
        let constant = if site.constant { " const" } else { "" };
        format!("{returns} {name}({}){constant}", params.join(", "))
    }
}
