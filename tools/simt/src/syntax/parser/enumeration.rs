//! Enumerations, by recursive descent.

use super::super::ast::Enum;
use super::super::name::Path;
use super::super::token::Kind;
use super::{Meaning, Parsed, Parser};

impl Parser<'_> {
    /// Whether `enum` here is followed by its values, or by nothing.
    pub(super) fn defines_enum(&self) -> bool {
        let mut at = self.behind_attributes(1);
        at = self.behind_attributes(at + usize::from(self.ahead(at).is_word("class")));
        let name = at;
        while at < 24 && (self.ahead(at).kind == Kind::Ident || self.ahead(at).is("::")) {
            at += 1;
        }
        // `enum class E;` and `enum E : T;` declare it. `T` is any type: `id<short>::type`.
        // `enum E x : 3;` is a bit-field.
        let field = at > name + 1 && self.ahead(at - 2).kind == Kind::Ident
            || self.ahead(at + 1).kind == Kind::Number;
        let based = self.ahead(at).is(":") && !field;
        let whole = based || (1..at).any(|i| self.ahead(i).is_word("class"));
        while based && at < 64 && !["{", ";", "}"].iter().any(|end| self.ahead(at).is(end)) {
            at += 1;
        }
        self.ahead(at).is("{") || whole && self.ahead(at).is(";")
    }

    /// `enum Color : int { red, green = 4 };`
    pub(super) fn enumeration(&mut self) -> Parsed<Enum> {
        let keyword = self.next();
        let scoped = self.eat_word("class") || self.eat_word("struct");
        self.attributes()?;
        let name = if self.peek().kind == Kind::Ident {
            let plain = self.name("a name")?.0;
            self.whole(plain)
        } else {
            let behind = if self.is("{") { self.name_behind() } else { "struct#".into() };
            if behind.starts_with("struct#") { "".into() } else { self.whole(behind) }
        };
        if scoped && name.is_empty() {
            return Err(self.error(keyword.span, "an `enum class` needs a name"));
        }
        self.declare(name, Meaning::Type);
        let base = if self.eat(":") { Some(self.type_specifier()?) } else { None };
        let mut values = Vec::new();
        if self.is(";") {
            return Ok(Enum { name, scoped, base, values });
        }
        let open = self.expect("{")?;
        while !self.is("}") {
            let (value, span) = self.name("an enumerator")?;
            self.attributes()?;
            let number = if self.eat("=") { Some(self.assignment()?) } else { None };
            let value = if scoped { value.into() } else { self.whole(value) };
            if !scoped {
                self.declare(value, Meaning::Other);
            }
            values.push((value, span, number));
            if !self.eat(",") {
                break;
            }
        }
        self.close("}", open)?;
        let names = values.iter().map(|(value, ..): &(Path, _, _)| value.last()).collect();
        self.enumerators.insert(name, names);
        Ok(Enum { name, scoped, base, values })
    }

    /// `using enum E;`: each of its names means the enumerator from here on.
    pub(super) fn using_enum(&mut self) -> Parsed<()> {
        self.at += 2;
        let span = self.span();
        let (name, used) = self.qualified_ahead();
        self.at += used;
        self.expect(";")?;
        let Some(values) = self.enumerators.get(&name).cloned() else {
            return Err(self.error(span, format!("`{name}` is no enumeration that is known here")));
        };
        for value in values {
            self.bring(value, name.join(value), span)?;
        }
        Ok(())
    }

    /// The index after the attributes `[[..]]` there.
    pub(super) fn behind_attributes(&self, mut at: usize) -> usize {
        while self.ahead(at).is("[") && self.ahead(at + 1).is("[") {
            while !self.ahead(at).is("]") && self.ahead(at).kind != Kind::End {
                at += 1;
            }
            at += 2;
        }
        at
    }

    /// Skips any number of attributes.
    pub(super) fn attributes(&mut self) -> Parsed<()> {
        while self.is("[") && self.ahead(1).is("[") {
            self.attribute()?;
        }
        Ok(())
    }
}
