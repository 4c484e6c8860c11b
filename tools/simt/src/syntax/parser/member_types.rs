//! The types inside a class are known in all its functions, also in those before them: the body of
//! a member function sees the whole class.

use super::super::name::Name;
use super::super::token::Kind;
use super::{Meaning, Parser};

impl Parser<'_> {
    /// Declares the types inside the class whose `{` was just read. A name that is a type already
    /// keeps its meaning up to its declaration in the class.
    pub(super) fn declare_member_types(&mut self) {
        for (name, meaning) in self.types_declared_inside() {
            let known = self.meaning(self.meant(name.into()));
            if !matches!(known, Meaning::Type | Meaning::TemplateType) {
                self.declare(name, meaning);
            }
        }
    }

    fn types_declared_inside(&self) -> Vec<(Name, Meaning)> {
        let mut found = Vec::new();
        let (mut meaning, mut behind) = (Meaning::Type, 0);
        for before in self.outside_brackets() {
            if before < behind {
                continue;
            }
            let mut at = before + 1;
            match &*self.ahead(before).text {
                // What follows is a template's, up to the end of the declaration.
                "template" if self.ahead(at).is("<") => {
                    behind = self.skip_arguments(at);
                    meaning = Meaning::TemplateType;
                    continue;
                }
                "struct" | "class" | "union" | "enum" => {
                    let friend = before > 0 && self.ahead(before - 1).is_word("friend");
                    at += usize::from(self.ahead(at).is_word("class"));
                    at = self.behind_attributes(at);
                    let name = self.ahead(at);
                    let after = self.ahead(at + 1);
                    let defines = ["{", ":", ";"].iter().any(|p| after.is(p));
                    if !friend && name.kind == Kind::Ident && (defines || after.is_word("final")) {
                        found.push((name.text, meaning));
                    }
                }
                "using" if self.ahead(at + 1).is("=") => found.push((self.ahead(at).text, meaning)),
                "typedef" => found.extend(self.names_of_typedef(at).map(|name| (name, meaning))),
                ";" | "}" => {}
                _ => continue,
            }
            meaning = Meaning::Type;
        }
        found
    }

    /// The names that the `typedef` before `at` declares, if its type is not defined in it.
    fn names_of_typedef(&self, mut at: usize) -> impl Iterator<Item = Name> {
        let mut names = Vec::new();
        while !self.ahead(at).is(";") && !self.ahead(at).is("{") && self.ahead(at).kind != Kind::End
        {
            let (token, after) = (self.ahead(at), self.ahead(at + 1));
            if after.is("<") {
                at = self.skip_arguments(at + 1).max(at + 1);
                continue;
            }
            let plain = [";", ",", "["].iter().any(|p| after.is(p));
            let function = after.is(")") && at > 0 && self.ahead(at - 1).is("*");
            if token.kind == Kind::Ident && (plain || function) && !super::is_keyword(&token.text) {
                names.push(token.text);
            }
            at += 1;
        }
        names.into_iter()
    }
}
