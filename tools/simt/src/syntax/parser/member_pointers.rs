//! The types of pointers to members, `T S::*` and `R (S::*)(A...)`: instances of class templates that
//! every unit has.

use super::super::ast::{TemplateArg, TypeExpr, TypeKind};
use super::super::token::Kind;
use super::{Meaning, Parsed, Parser};

impl Parser<'_> {
    /// Whether `S::*` begins there.
    pub(super) fn member_pointer_ahead(&self, from: usize) -> bool {
        let first = self.ahead(from);
        if first.kind != Kind::Ident || super::is_keyword(&first.text) {
            return false;
        }
        // Most names in front of a declared one are no classes.
        let mut at = from + 1;
        if self.ahead(at).is("<") {
            at = self.skip_arguments(at);
        }
        while self.ahead(at).is("::") && self.ahead(at + 1).kind == Kind::Ident {
            at += 2;
            if self.ahead(at).is("<") {
                at = self.skip_arguments(at);
            }
        }
        self.ahead(at).is("::") && self.ahead(at + 1).is("*")
    }

    /// A pointer to a member of this type, at its `S::*`.
    pub(super) fn member_pointer(&mut self, member: TypeExpr) -> Parsed<TypeExpr> {
        let start = self.span();
        let (name, used) = self.qualified_ahead();
        if !matches!(self.meaning(name), Meaning::Type | Meaning::TemplateType) {
            return Err(self.error(start, format!("`{name}` is not a class that is known here")));
        }
        self.at += used;
        let arguments = if self.is("<") { self.template_arguments()? } else { Vec::new() };
        let span = start.to(self.last_span());
        self.expect("::")?;
        let end = self.expect("*")?;
        let method = matches!(member.kind, TypeKind::Function(..));
        let kind = TypeKind::Named(name, arguments);
        // What is behind the parameters of a method is said of its object.
        let class = TypeExpr { kind, constant: method && member.constant, volatile: false, span };
        let member = TypeExpr { constant: member.constant && !method, ..member };
        let template = if method { "__method_pointer" } else { "__member_pointer" };
        let span = member.span.to(end);
        let arguments = vec![TemplateArg::Type(class), TemplateArg::Type(member)];
        let kind = TypeKind::Named(template.into(), arguments);
        Ok(TypeExpr { kind, constant: false, volatile: false, span })
    }
}
