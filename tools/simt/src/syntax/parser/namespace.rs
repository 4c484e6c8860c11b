//! Name lookup in namespaces: qualified and unqualified names, `using` declarations and
//! directives, namespace aliases, inline namespaces.
//!
//! The parser looks names up, because C++ cannot be parsed without knowing which names are types
//! and templates. So the tree has the whole [`Path`] of each name at namespace scope. Operators
//! keep their short names: overload resolution finds them by their operands.

use super::super::ast::Item;
use super::super::name::{Name, Path};
use super::super::token::Kind;
use super::global_names::without_root;
use super::{Meaning, Parsed, Parser};
use crate::diagnostic::{Diagnostic, Severity, Span};
use std::rc::Rc;

/// A declaration that makes more names visible, from its place to the end of its block.
#[derive(Debug, Clone, Copy)]
pub(super) enum Using {
    /// `using namespace X;`
    Directive(Path),
    /// `using X::f;` or `namespace x = X;`: the name refers to the path. With the number of the scope
    /// that it stands in: it hides what is declared further out.
    Alias(Name, Path, usize),
}

impl Using {
    /// `written` with its first segment replaced, if that is this alias.
    fn replaced(self, written: Path) -> Option<Path> {
        match self {
            Using::Alias(name, target, _) if name == written.first() => {
                Some(written.without_first().map_or(target, |rest| target.concat(rest)))
            }
            _ => None,
        }
    }
}

/// The most names that `using` makes visible, combinations of namespaces counted.
const MAX_USING: usize = 2048;

impl Parser<'_> {
    /// `namespace X { .. }`, `namespace X::Y { .. }`, `namespace { .. }`, `namespace x = X;`
    pub(super) fn namespace(&mut self, out: &mut Vec<Item>) -> Parsed<()> {
        let inline = self.eat_word("inline");
        let keyword = self.next();
        let mut names = Vec::new();
        while self.peek().kind == Kind::Ident {
            let inner = self.eat_word("inline");
            let name = self.name("the namespace's name")?.0;
            if inline || inner {
                self.inline_spaces.insert(name);
            }
            // Members of an inline namespace are members of the enclosing one.
            if !inner {
                names.push(name);
            }
            if !self.eat("::") {
                break;
            }
        }
        if self.eat("=") {
            let (target, used) = self.qualified_ahead();
            self.at += used;
            self.expect(";")?;
            if let Some(name) = names.pop() {
                self.using.push(Using::Alias(name, target.unrooted(), self.scopes.len() - 1));
            }
            return Ok(());
        }
        if !self.is("{") {
            return Err(self.error(keyword.span, "a namespace needs a name and `{`"));
        }
        let open = self.next().span;
        let unnamed = names.is_empty() && !inline;
        let (depth, using) = (self.namespaces.len(), self.using.len());
        // Members of an inline namespace are members of the enclosing one.
        if inline {
            names.pop();
        }
        for name in names {
            let path = self.namespaces.last().map_or(name.into(), |outer| outer.join(name));
            self.opened.insert(path);
            self.namespaces.push(path);
        }
        let from = out.len();
        let inner = self.nested(|p| {
            p.items(out, true);
            Ok(())
        });
        // No other file sees what is in a namespace without a name.
        for item in out[from..].iter_mut().filter(|_| unnamed) {
            if let Item::Function(function) = item {
                Rc::make_mut(function).storage.inline = true;
            }
        }
        // `using` inside the namespace ends here, but what is in one that is unnamed or inline is in the
        // one around it, too.
        if self.namespaces.len() > depth {
            self.using.truncate(using);
        }
        self.namespaces.truncate(depth);
        inner?;
        self.close("}", open)?;
        Ok(())
    }

    /// `using namespace X;` or `using X::f;`; `false` if it is an alias of a type.
    pub(super) fn using(&mut self) -> Parsed<bool> {
        if self.ahead(1).is_word("namespace") {
            self.next();
            self.next();
            let name_span = self.span();
            let (name, used) = self.qualified_ahead();
            let name = name.unrooted();
            self.at += used;
            self.expect(";")?;
            if self.using.len() > MAX_USING {
                let what = format!("`using` of more than {MAX_USING} combinations of namespaces");
                return Err(self.unsupported(name_span, &what));
            }
            let known = self.directive(name);
            // A header that is not found may be what declares it.
            if !known && !self.diagnostics.iter().any(|d| d.severity == Severity::Error) {
                let message = format!("there is no namespace `{name}` here");
                let help = "is it misspelt, or is its `#include` missing?";
                let error = Diagnostic::error("name", name_span, message).with_help(help);
                return Err(self.report(error));
            }
            return Ok(true);
        }
        if self.ahead(1).is_word("enum") {
            self.using_enum()?;
            return Ok(true);
        }
        if !(self.ahead(2).is("::") || without_root(self.ahead(1).text).is_some()) {
            return Ok(false);
        }
        self.next();
        loop {
            let name_span = self.span();
            let (mut name, used) = self.qualified_ahead();
            self.at += used;
            if self.tokens[self.at - 1].is_word("operator") {
                // Every operator is seen from everywhere: see `whole`.
                self.at -= 1;
                self.function_name()?;
            } else {
                if self.eat("::") {
                    // An enumerator.
                    name = name.join(self.name("an enumerator")?.0);
                }
                self.bring(name.last(), name, name_span)?;
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(true)
    }

    /// `last` means `name` from here on.
    pub(super) fn bring(&mut self, last: Name, name: Path, at: Span) -> Parsed<()> {
        if self.functions == 0 && !self.namespaces.is_empty() {
            // The name becomes a member of this namespace, for qualified lookup.
            let whole = self.whole(last);
            self.members_elsewhere.insert(whole, name);
        }
        let scope = self.scopes.len() - 1;
        let of_name = |using: &&Using| matches!(using, Using::Alias(known, ..) if *known == last);
        let before = self.using.iter().rev().find(of_name);
        if matches!(before, Some(Using::Alias(_, target, at)) if *target == name && *at == scope) {
            return Ok(());
        }
        if self.using.len() > MAX_USING {
            let what = format!("`using` of more than {MAX_USING} names");
            return Err(self.unsupported(at, &what));
        }
        self.using.push(Using::Alias(last, name, scope));
        Ok(())
    }

    /// `using namespace X;`. X may be in an open namespace or in one that is visible here, and may
    /// be an alias. All candidates are kept, because namespaces are not declared: lookup tries
    /// each. Returns whether any of them is known.
    fn directive(&mut self, name: Path) -> bool {
        let mut spaces = vec![name];
        spaces.extend(self.namespaces.iter().map(|outer| outer.concat(name)));
        spaces.extend(self.using.iter().filter_map(|using| match using {
            Using::Directive(outer) => Some(outer.concat(name)),
            alias => alias.replaced(name),
        }));
        // The library's namespaces are always there, and an inline one is in the one around it.
        let library =
            ["std", "cuda", "thrust", "cub", "nvcuda", "cooperative_groups", "nvtx3", "__gnu_cxx"];
        let known = self.inline_spaces.contains(&name.last())
            || spaces.iter().any(|space| library.contains(&&*space.first()))
            || spaces.iter().any(|space| self.opened.contains(space))
            || self.scopes[0]
                .keys()
                .any(|known| known.parent().is_some_and(|p| spaces.contains(&p)));
        let new: Vec<_> = (spaces.into_iter())
            .filter(|space| {
                !self.using.iter().any(|u| matches!(u, Using::Directive(s) if s == space))
            })
            .map(Using::Directive)
            .collect();
        self.using.extend(new);
        known
    }

    /// The `N::` before the name that is declared `from` tokens on, if N is a namespace: its whole
    /// path, and the number of its tokens.
    pub(super) fn namespace_ahead(&self, from: usize) -> Option<(Path, usize)> {
        let mut written: Option<Path> = None;
        let mut used = 0;
        while self.ahead(from + used).kind == Kind::Ident && self.ahead(from + used + 1).is("::") {
            let name = self.ahead(from + used).text;
            let name = without_root(name).unwrap_or(name);
            written = Some(written.map_or(name.into(), |outer: Path| outer.join(name)));
            used += 2;
        }
        let written = written?;
        let around = self.namespaces.iter().rev().map(|space| space.concat(written));
        let aliases = self.using.iter().rev().filter_map(|using| using.replaced(written));
        let found = around.chain([written]).chain(aliases).find(|path| self.opened.contains(path));
        Some((found?, used))
    }

    /// The whole path of a name that is declared here.
    pub(super) fn whole(&self, name: Name) -> Path {
        match self.namespaces.last() {
            Some(space) if self.functions == 0 && !name.starts_with("operator") => space.join(name),
            _ => name.into(),
        }
    }

    /// Looks up a name as written: its whole path, or the name itself if it is unknown. Inner
    /// scopes come first, then the open namespaces from the inside out, then `using`.
    pub(super) fn meant(&self, written: Path) -> Path {
        if self.namespaces.is_empty() && self.using.is_empty() && self.members_elsewhere.is_empty()
        {
            return written;
        }
        if let Some(inner) = self.scopes[1..].iter().rposition(|s| s.contains_key(&written)) {
            // `using std::swap;` in a member function `swap`.
            let nearer = self.using.iter().rev().find_map(|using| match *using {
                Using::Alias(.., scope) if scope > inner + 1 => using.replaced(written),
                _ => None,
            });
            return nearer.unwrap_or(written);
        }
        let known = |name: &Path| self.scopes.iter().any(|s| s.contains_key(name));
        let around = self.namespaces.iter().rev().map(|space| space.concat(written));
        let found = around.chain([written]).find_map(|name| match known(&name) {
            true => Some(name),
            false => self.members_elsewhere.get(&name).copied(),
        });
        found.or_else(|| self.used(written)).unwrap_or(written)
    }

    /// What `::` and then a name means: namespaces and scopes that are open here are passed over.
    pub(super) fn meant_at_file_level(&self, written: Path) -> Path {
        let found = match self.scopes[0].contains_key(&written) {
            true => Some(written),
            false => self.members_elsewhere.get(&written).copied(),
        };
        let name = found.or_else(|| self.used(written)).unwrap_or(written);
        // A class may have a member of the name, and so may its bases, which are not known yet.
        let is_value =
            !matches!(self.scopes[0].get(&name), Some(Meaning::Type | Meaning::TemplateType));
        let hidden = self.scopes[1..].iter().any(|s| s.contains_key(&name.first().into()));
        let unsure = self.functions > 0 && is_value && !name.is_qualified();
        if hidden || unsure { name.rooted() } else { name }
    }

    /// What the name means by the declarations and directives of `using`.
    fn used(&self, written: Path) -> Option<Path> {
        let known = |name: &Path| self.scopes.iter().any(|s| s.contains_key(name));
        self.using.iter().rev().find_map(|using| match using {
            Using::Directive(space) => Some(space.concat(written)).filter(known),
            alias => alias.replaced(written),
        })
    }
}
