//! The member templates of a class are known in all its functions, also in those before them.

use super::super::name::Name;
use super::super::token::Kind;
use super::Parser;

impl Parser<'_> {
    /// Notes the names of the function templates that the class declares whose `{` was just read;
    /// its own name, of constructors, is none of them.
    pub(super) fn note_member_templates(&mut self, class: Name) {
        let (mut at, mut depth) = (0, 0usize);
        while self.ahead(at).kind != Kind::End {
            let token = self.ahead(at);
            if token.is("}") && depth == 0 {
                return;
            }
            depth += usize::from(token.is("{"));
            depth -= usize::from(token.is("}"));
            let template = depth == 0 && token.is_word("template") && self.ahead(at + 1).is("<");
            at = if template { self.skip_arguments(at + 1).max(at + 2) } else { at + 1 };
            if !template {
                continue;
            }
            while ![";", "{", "}"].iter().any(|end| self.ahead(at).is(end))
                && self.ahead(at).kind != Kind::End
            {
                if self.ahead(at).is("(") {
                    // `requires (n > 4) && (n < 8)` stands before the name.
                    let before = self.ahead(at - 1);
                    if !before.is_word("requires") && before.kind == Kind::Ident
                        || at > 1 && self.ahead(at - 2).is_word("operator")
                    {
                        break;
                    }
                    at = self.behind_brackets(at);
                    continue;
                }
                at += 1;
            }
            let name = self.ahead(at - 1);
            let plain = name.kind == Kind::Ident && name.text != class;
            let operator = at > 1 && self.ahead(at - 2).is_word("operator");
            if self.ahead(at).is("(") && plain && !operator && !super::is_keyword(&name.text) {
                let name = name.text;
                self.method_templates.insert(name);
            }
        }
    }

    /// The index after the bracket that closes the one there.
    fn behind_brackets(&self, mut at: usize) -> usize {
        let mut depth = 0usize;
        while self.ahead(at).kind != Kind::End {
            depth += usize::from(self.ahead(at).is("("));
            depth = depth.saturating_sub(usize::from(self.ahead(at).is(")")));
            at += 1;
            if depth == 0 {
                break;
            }
        }
        at
    }
}
