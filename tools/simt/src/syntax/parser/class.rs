//! Structs and enumerations.

use super::super::ast::{Enum, Function, Init, Prim, Struct, TemplateParam, TypeExpr, TypeKind};
use super::super::token::{Kind, Name};
use super::{Meaning, Parsed, Parser};
use std::collections::HashMap;
use std::rc::Rc;

impl Parser<'_> {
    /// Whether `struct` here is followed by a body, or by a mere name.
    pub(super) fn defines_struct(&self) -> bool {
        let mut at = 1;
        while self.ahead(at).kind == Kind::Ident
            && matches!(&*self.ahead(at).text, "__align__" | "alignas")
        {
            at += 1;
            let mut nesting = 0;
            loop {
                let token = self.ahead(at);
                nesting += usize::from(token.is("("));
                if token.is(")") {
                    nesting -= usize::from(nesting > 0);
                }
                at += 1;
                if nesting == 0 || token.kind == Kind::End {
                    break;
                }
            }
        }
        let after = self.ahead(at + 1);
        if after.is("<") {
            // `struct S<int> {`, with nothing but a list of arguments between.
            let end = (at + 2..at + 40).find(|i| self.ahead(*i).is("{") || self.ahead(*i).is(";"));
            return end.is_some_and(|i| {
                self.ahead(i).is("{") && (self.ahead(i - 1).is(">") || self.ahead(i - 1).is(">>"))
            });
        }
        after.is("{")
            || after.is(":")
            || after.is(";")
            || after.is_word("final")
            || self.ahead(at).is("{")
    }

    pub(super) fn structure(&mut self, template: Vec<TemplateParam>) -> Parsed<Rc<Struct>> {
        let keyword = self.next();
        let mut align = None;
        while self.is_word("__align__") || self.is_word("alignas") {
            self.next();
            align = Some(self.alignment()?);
        }
        if self.is("{") {
            return Err(self.unsupported(keyword.span, "types without a name"));
        }
        let (plain, _) = self.name("the struct's name")?;
        let name = self.whole(&plain);
        let mut special = Vec::new();
        if self.is("<") && template.is_empty() {
            special = self.template_arguments()?;
        } else if self.is("<") {
            let at = self.span();
            return Err(self.unsupported(at, "partial specialisations"));
        } else {
            let meaning = if template.is_empty() { Meaning::Type } else { Meaning::TemplateType };
            // A template's name belongs to the scope outside its parameters.
            let outer = self.scopes.len() - 1 - usize::from(!template.is_empty());
            self.scopes[outer].insert(name.clone(), meaning);
        }
        if self.is(":") || self.is_word("final") {
            let at = self.span();
            return Err(self.unsupported(at, "inheritance"));
        }
        let mut out = Struct {
            name,
            template,
            special,
            align,
            union: keyword.is_word("union"),
            defined: self.is("{"),
            fields: Vec::new(),
            asserts: Vec::new(),
            statics: Vec::new(),
            methods: Vec::new(),
            constructors: Vec::new(),
        };
        if self.eat(";") {
            return Ok(Rc::new(out));
        }
        let open = self.expect("{")?;
        self.scopes.push(HashMap::new());
        self.declare(&out.name.clone(), Meaning::Type);
        self.functions += 1;
        let mut made = Ok(());
        while made.is_ok() && !self.is("}") && !self.at_end() {
            made = self.member(&mut out, &plain);
        }
        self.functions -= 1;
        made?;
        self.scopes.pop();
        self.close("}", open)?;
        self.expect(";")?;
        Ok(Rc::new(out))
    }

    fn member(&mut self, out: &mut Struct, plain: &Name) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let token = self.peek().clone();
        if matches!(&*token.text, "public" | "private" | "protected") {
            self.next();
            self.expect(":")?;
            return Ok(());
        }
        if token.is_word("template") {
            let params = self.template_parameters()?;
            let made = self.member_function(out, plain, params);
            self.scopes.pop();
            return made;
        }
        if token.is_word("static_assert") {
            out.asserts.push(self.static_assert()?);
            return Ok(());
        }
        if matches!(&*token.text, "using" | "typedef" | "struct" | "enum" | "union") {
            let what = format!("`{}` inside a struct", token.text);
            return Err(self.unsupported(token.span, &what));
        }
        if self.is("~") {
            return Err(self.unsupported(token.span, "destructors"));
        }
        self.member_function(out, plain, Vec::new())
    }

    /// A method, a constructor, or a field.
    fn member_function(
        &mut self,
        out: &mut Struct,
        plain: &Name,
        template: Vec<TemplateParam>,
    ) -> Parsed<()> {
        self.align = None;
        let (storage, _) = self.function_words()?;
        let owner = out.name.clone();
        if self.is_word(plain) && self.ahead(1).is("(") {
            let (_, span) = self.name("the constructor's name")?;
            let void = TypeExpr {
                kind: TypeKind::Prim(Prim::Void),
                constant: false,
                volatile: false,
                span,
            };
            let name = owner.clone();
            let made = self.function(name, span, template, void, storage, None, Some(&owner))?;
            if made.body.is_some() {
                out.constructors.push(Rc::new(made));
            }
            return Ok(());
        }
        if self.is("~") {
            let at = self.span();
            return Err(self.unsupported(at, "destructors"));
        }
        let base = self.type_specifier()?;
        let ty = self.pointers(base.clone())?;
        if self.is_word("operator") || self.ahead(1).is("(") {
            let (name, span) = self.function_name()?;
            let made: Function =
                self.function(name, span, template, ty, storage, None, Some(&owner))?;
            out.methods.push(Rc::new(made));
            return Ok(());
        }
        let first = self.declarator(ty, storage)?;
        if self.is(":") {
            let at = self.span();
            return Err(self.unsupported(at, "bit-fields"));
        }
        let fields = self.more_variables(base, storage, first)?;
        if !storage.fixed {
            out.fields.extend(fields);
            return Ok(());
        }
        for field in fields {
            if matches!(field.init, Init::None) {
                return Err(self.unsupported(field.span, "static members that are no constants"));
            }
            out.statics.push(field);
        }
        Ok(())
    }

    /// `enum Color : int { red, green = 4 };`
    pub(super) fn enumeration(&mut self) -> Parsed<Enum> {
        let keyword = self.next();
        let scoped = self.eat_word("class") || self.eat_word("struct");
        let name = if self.peek().kind == Kind::Ident {
            let plain = self.name("a name")?.0;
            self.whole(&plain)
        } else {
            "".into()
        };
        if scoped && name.is_empty() {
            return Err(self.error(keyword.span, "an `enum class` needs a name"));
        }
        self.declare(&name, Meaning::Type);
        let base = if self.eat(":") { Some(self.type_specifier()?) } else { None };
        let open = self.expect("{")?;
        let mut values = Vec::new();
        while !self.is("}") {
            let (value, span) = self.name("an enumerator")?;
            let number = if self.eat("=") { Some(self.assignment()?) } else { None };
            let value = if scoped { value } else { self.whole(&value) };
            if !scoped {
                self.declare(&value, Meaning::Other);
            }
            values.push((value, span, number));
            if !self.eat(",") {
                break;
            }
        }
        self.close("}", open)?;
        self.expect(";")?;
        Ok(Enum { name, scoped, base, values })
    }
}
