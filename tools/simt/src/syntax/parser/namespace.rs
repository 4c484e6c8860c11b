//! Namespaces: every name at file level becomes whole, `X::f`, before anybody else sees it.
//!
//! The parser knows which names are declared and where it stands, so it can tell what `f` means;
//! behind it there are no namespaces any more, only longer names. Operators keep their short names:
//! C++ finds them by their operands, wherever they are.

use super::super::ast::Item;
use super::super::token::{Kind, Name};
use super::{Parsed, Parser};

/// What makes more names visible, from its place to the end of its block.
#[derive(Debug, Clone)]
pub(super) enum Using {
    /// `using namespace X;`
    Directive(Name),
    /// `using X::f;` or `namespace x = X;`: the first is the second.
    Alias(Name, Name),
}

impl Parser<'_> {
    /// `namespace X { .. }`, `namespace X::Y { .. }`, `namespace { .. }`, `namespace x = X;`
    pub(super) fn namespace(&mut self, out: &mut Vec<Item>) -> Parsed<()> {
        let inline = self.eat_word("inline");
        let keyword = self.next();
        let mut names = Vec::new();
        while self.peek().kind == Kind::Ident {
            names.push(self.name("the namespace's name")?.0);
            if !self.eat("::") {
                break;
            }
        }
        if self.eat("=") {
            let (target, used) = self.qualified_ahead();
            self.at += used;
            self.expect(";")?;
            if let Some(name) = names.pop() {
                self.using.push(Using::Alias(name, target));
            }
            return Ok(());
        }
        if !self.is("{") {
            return Err(self.error(keyword.span, "a namespace needs a name and `{`"));
        }
        let open = self.next().span;
        let (depth, using) = (self.namespaces.len(), self.using.len());
        // What an inline one declares is the outer one's.
        if inline {
            names.pop();
        }
        self.namespaces.extend(names);
        let inner = self.nested(|p| {
            p.items(out, true);
            Ok(())
        });
        self.namespaces.truncate(depth);
        // What was said inside holds inside; aliases of the whole file stay.
        self.using.truncate(using);
        inner?;
        self.close("}", open)?;
        Ok(())
    }

    /// `using namespace X;` or `using X::f;`; `false` if it is an alias of a type.
    pub(super) fn using(&mut self) -> Parsed<bool> {
        if self.ahead(1).is_word("namespace") {
            self.next();
            self.next();
            let (name, used) = self.qualified_ahead();
            self.at += used;
            self.expect(";")?;
            self.directive(&name);
            return Ok(true);
        }
        if !(self.ahead(2).is("::") || self.ahead(1).is("::")) {
            return Ok(false);
        }
        self.next();
        let (name, used) = self.qualified_ahead();
        self.at += used;
        self.expect(";")?;
        let last: Name = name.rsplit("::").next().unwrap_or(&name).into();
        if self.functions == 0 && !self.namespaces.is_empty() {
            // Others see it in this namespace.
            let whole = self.whole(&last);
            self.members_elsewhere.insert(whole, name.clone());
        }
        self.using.push(Using::Alias(last, name));
        Ok(true)
    }

    /// `using namespace X;`: X may stand in a namespace that is open or made visible here, and may
    /// be an alias. Which of them it is shows when a name is found in it.
    fn directive(&mut self, name: &Name) {
        let (first, rest) = name.split_once("::").unwrap_or((name, ""));
        let mut spaces = vec![name.clone()];
        for depth in 1..=self.namespaces.len() {
            spaces.push(format!("{}::{name}", self.namespaces[..depth].join("::")).into());
        }
        for using in &self.using {
            match using {
                Using::Directive(outer) => spaces.push(format!("{outer}::{name}").into()),
                Using::Alias(alias, target) if **alias == *first && rest.is_empty() => {
                    spaces.push(target.clone());
                }
                Using::Alias(alias, target) if **alias == *first => {
                    spaces.push(format!("{target}::{rest}").into());
                }
                Using::Alias(..) => {}
            }
        }
        let new: Vec<_> = (spaces.into_iter())
            .filter(|space| {
                !self.using.iter().any(|u| matches!(u, Using::Directive(s) if s == space))
            })
            .map(Using::Directive)
            .collect();
        self.using.extend(new);
    }

    /// The whole name of something declared here.
    pub(super) fn whole(&self, name: &Name) -> Name {
        if self.functions > 0 || self.namespaces.is_empty() || name.starts_with("operator") {
            return name.clone();
        }
        format!("{}::{name}", self.namespaces.join("::")).into()
    }

    /// The whole name of what is meant by a name here; itself where nothing of that name is known.
    pub(super) fn meant(&self, written: &str) -> Name {
        if self.namespaces.is_empty() && self.using.is_empty() && self.members_elsewhere.is_empty()
        {
            return written.into();
        }
        if self.scopes[1..].iter().any(|s| s.contains_key(written)) {
            return written.into();
        }
        let known = |name: &str| self.scopes.iter().any(|s| s.contains_key(name));
        for depth in (1..=self.namespaces.len()).rev() {
            let name = format!("{}::{written}", self.namespaces[..depth].join("::"));
            if known(&name) {
                return name.into();
            }
        }
        if known(written) {
            return written.into();
        }
        if let Some(target) = self.members_elsewhere.get(written) {
            return target.clone();
        }
        let (first, rest) = written.split_once("::").unwrap_or((written, ""));
        for using in self.using.iter().rev() {
            match using {
                Using::Directive(space) => {
                    let name = format!("{space}::{written}");
                    if known(&name) {
                        return name.into();
                    }
                }
                Using::Alias(name, target) if **name == *first && rest.is_empty() => {
                    return target.clone();
                }
                Using::Alias(name, target) if **name == *first => {
                    return format!("{target}::{rest}").into();
                }
                Using::Alias(..) => {}
            }
        }
        written.into()
    }
}
