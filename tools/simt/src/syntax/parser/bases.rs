//! The bases of a class, and what `using` brings from them.

use super::super::ast::{Struct, TypeExpr, TypeKind};
use super::super::name::Name;
use super::super::token::Kind;
use super::global_names::without_root;
use super::namespace::Using;
use super::{Meaning, Parsed, Parser};

/// The most names that classes have from their bases, counted for each class.
const MAX_INHERITED: usize = 1_000_000;

impl Parser<'_> {
    /// Declares the members of a base. Those of a base that depends on a template's parameters are
    /// not visible without a qualification, by C++'s rule of dependent names.
    pub(super) fn inherit_members(&mut self, base: &TypeExpr, in_template: bool) -> Parsed<()> {
        let name = match &base.kind {
            TypeKind::Named(name, arguments) if arguments.is_empty() || !in_template => *name,
            TypeKind::Defaults(name) => *name,
            _ => return Ok(()),
        };
        let members = self.members_of.get(&name).cloned().unwrap_or_default();
        self.count_inherited(members.len())?;
        for member in members {
            self.declare(member, Meaning::Other);
        }
        Ok(())
    }

    /// The injected class names of the bases: in a class with the base `n::Base<int>`, `Base` is that
    /// of the namespace.
    pub(super) fn inject_base_names(&mut self, class: &Struct) {
        for base in &class.bases {
            if let TypeKind::Named(name, _) | TypeKind::Defaults(name) = &base.kind
                && name.is_qualified()
                && name.last() != class.name.last()
            {
                self.using.push(Using::Alias(name.last(), *name, self.scopes.len() - 1));
            }
        }
    }

    /// Counts the names that a class has from a base.
    pub(super) fn count_inherited(&mut self, names: usize) -> Parsed<()> {
        self.inherited += names;
        if self.inherited <= MAX_INHERITED {
            return Ok(());
        }
        let at = self.last_span();
        let what = format!("classes that have more than {MAX_INHERITED} names from their bases");
        Err(self.unsupported(at, &what))
    }

    /// The bases, `: public Base<T>, private Other`, after the `:`.
    pub(super) fn bases(&mut self, out: &mut Struct) -> Parsed<()> {
        loop {
            while self.is_word("public") || self.is_word("private") || self.is_word("protected") {
                self.next();
            }
            if self.is_word("virtual") {
                let at = self.span();
                return Err(self.unsupported(at, "virtual inheritance"));
            }
            let from = self.at;
            let mut base = self.type_specifier()?;
            if self.is("...") {
                let kind = TypeKind::Expand(Box::new(base.clone()), self.expanded(from));
                base = TypeExpr { kind, ..base };
                self.next();
            }
            out.bases.push(base);
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    /// `using Base::f, Others::g...;`: all members of bases are visible, and a function of that name
    /// in the class does not hide these.
    pub(super) fn used_members(&mut self, out: &mut Struct) -> Parsed<()> {
        self.next();
        loop {
            self.eat_word("typename");
            let mut inside = None;
            while !self.is_word("operator") && !self.at_end() {
                let after = self.ahead(1);
                let more = match () {
                    () if self.is("::") => 1,
                    () if after.is("::") => 2,
                    () if after.is("<") => self.skip_arguments(1),
                    () => break,
                };
                if self.ahead(0).kind == Kind::Ident {
                    let name = self.ahead(0).text;
                    inside = Some(without_root(name).unwrap_or(name));
                }
                self.at += more;
            }
            let converts = self.is_word("operator") && self.converts();
            if converts {
                self.next();
                self.type_name()?;
                out.used.push("operator ".into());
            } else {
                let (name, _) = self.function_name()?;
                let own = out.bases.iter().any(|base| names(base, name));
                let list =
                    if inside == Some(name) || own { &mut out.constructs } else { &mut out.used };
                list.push(name);
            }
            self.eat("...");
            if !self.eat(",") {
                return Ok(());
            }
        }
    }
}

/// Whether a base is written with this name.
fn names(base: &TypeExpr, name: Name) -> bool {
    matches!(&base.kind, TypeKind::Named(written, _) | TypeKind::Defaults(written) if written.last() == name)
}
