//! Class and enumeration definitions, by recursive descent.
//!
//! "Struct" means `struct`, `class` and `union`.

use super::super::ast::{
    Access, Function, Init, Item, Prim, Storage, Struct, TemplateParam, TypeExpr, TypeKind, VarDecl,
};
use super::super::name::{Name, Path};
use super::super::token::{Kind, Token};
use super::type_words::is_type_word;
use super::{Meaning, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

impl Parser<'_> {
    /// Whether `struct` here begins a definition or a declaration of the class, by lookahead. If
    /// not, it is part of a type (`struct S x;`).
    pub(super) fn defines_struct(&self) -> bool {
        let mut at = self.behind_attributes(1);
        while self.ahead(at).kind == Kind::Ident
            && matches!(&*self.ahead(at).text, "__align__" | "alignas" | "__attribute__")
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
        let at = self.behind_attributes(at);
        let at = at + self.namespace_ahead(at).map_or(0, |(_, used)| used);
        let after = self.ahead(at + 1);
        if after.is("<") {
            // `struct S<int> {`: only a list of template arguments is between.
            let behind = self.ahead(self.skip_arguments(at + 1));
            return behind.is("{") || behind.is(":") || behind.is(";");
        }
        after.is("{")
            || after.is(":")
            || after.is(";")
            || after.is_word("final")
            // `class : Base {`, without a name
            || matches!(&*self.ahead(at).text, "{" | ":")
    }

    /// A class definition up to its `}`, or a forward declaration up to its `;`.
    pub(super) fn structure(&mut self, template: Vec<TemplateParam>) -> Parsed<Rc<Struct>> {
        let depth = self.namespaces.len();
        let made = self.class_from_keyword(template);
        self.namespaces.truncate(depth);
        made
    }

    /// What is inside a base is visible without its name, and hides names outside of the class.
    fn open_bases(&mut self, class: &Struct) -> Parsed<()> {
        self.inject_base_names(class);
        for base in &class.bases {
            self.inherit_members(base, !class.template.is_empty())?;
            if let TypeKind::Named(base, _) | TypeKind::Defaults(base) = &base.kind
                && let Some(inherited) = self.types_inside.get(base).cloned()
            {
                self.count_inherited(inherited.len())?;
                for name in &*inherited {
                    let template = self.templates_inside.contains(&base.join(*name));
                    self.note_template(class.name, *name, template);
                }
                match self.types_inside.entry(class.name) {
                    Entry::Vacant(none) => drop(none.insert(inherited)),
                    Entry::Occupied(own) => Rc::make_mut(own.into_mut()).extend(&*inherited),
                }
            }
        }
        Ok(())
    }

    fn class_from_keyword(&mut self, template: Vec<TemplateParam>) -> Parsed<Rc<Struct>> {
        let keyword = self.next();
        let (mut align, mut pack) = (None, None);
        loop {
            self.attributes()?;
            if self.is_word("__align__") || self.is_word("alignas") {
                self.next();
                align = Some(self.alignment()?);
            } else if self.is_word("__attribute__") {
                self.next();
                let words = self.attribute_words()?;
                (align, pack) = (words.align.or(align), words.pack.or(pack));
            } else {
                break;
            }
        }
        // `struct std::hash<A> {`: from its name on as inside the namespace.
        if let Some((space, used)) = self.namespace_ahead(0) {
            self.at += used;
            self.namespaces.push(space);
        }
        let (plain, span) = if self.is("{") || self.is(":") {
            (self.name_behind(), keyword.span)
        } else {
            self.name("the struct's name")?
        };
        let name = self.whole(plain);
        let special = self.is("<");
        let specialises = if special { self.template_arguments()? } else { Vec::new() };
        if !special {
            let meaning = if template.is_empty() { Meaning::Type } else { Meaning::TemplateType };
            // A class template is declared in the scope outside its parameters' scope.
            let outer = self.scopes.len() - 1 - usize::from(!template.is_empty());
            self.scopes[outer].insert(name, meaning);
        }
        let mut out = Struct {
            template,
            specialises,
            special,
            align,
            pack,
            union: keyword.is_word("union"),
            ..Struct::declared(name, span)
        };
        out.is_final = self.eat_word("final");
        if self.eat(":") {
            self.bases(&mut out)?;
        }
        out.defined = self.is("{");
        if self.is(";") {
            return Ok(Rc::new(out));
        }
        let open = self.expect("{")?;
        self.scopes.push(HashMap::new());
        let using = self.using.len();
        self.open_bases(&out)?;
        self.declare_member_types();
        self.declare_members(plain);
        self.note_member_templates(plain);
        self.declare(out.name, Meaning::Type);
        self.functions += 1;
        let mut made = Ok(());
        let mut access = keyword.is_word("class").then_some(Access::Private);
        while made.is_ok() && !self.is("}") && !self.at_end() {
            if let Some(changed) = self.access_ahead() {
                access = changed;
            }
            self.note_friends(&mut out);
            let before = super::member_access::counts(&out);
            made = self.nested(|p| p.member(&mut out, plain));
            if let Some(access) = access {
                super::member_access::hide(&mut out, before, access);
            }
        }
        self.functions -= 1;
        self.using.truncate(using);
        made?;
        let scope = self.scopes.pop().unwrap_or_default();
        let members =
            scope.into_iter().filter(|(_, m)| matches!(m, Meaning::Variable | Meaning::Other));
        let members = members.filter_map(|(name, _)| name.unqualified()).collect();
        self.members_of.insert(out.name, members);
        self.scopes_of_members.remove(&out.name);
        self.close("}", open)?;
        while self.is_word("__attribute__") {
            self.next();
            let words = self.attribute_words()?;
            (out.align, out.pack) = (words.align.or(out.align), words.pack.or(out.pack));
        }
        Ok(Rc::new(out))
    }

    /// The distances of the tokens that are in no brackets, up to the `}` of the class whose `{` was just
    /// read.
    pub(super) fn outside_brackets(&self) -> impl Iterator<Item = usize> {
        let mut nesting = 0usize;
        let inside = (0..).map_while(move |at| {
            let token = self.ahead(at);
            if token.is("{") || token.is("(") {
                nesting += 1;
            } else if token.is("}") || token.is(")") {
                nesting = nesting.checked_sub(1)?;
            }
            (token.kind != Kind::End).then_some((at, nesting))
        });
        inside.filter(|(_, nesting)| *nesting == 0).map(|(at, _)| at)
    }

    /// Declares the names of all members before the body is parsed, because a method may use a
    /// member that is declared after it. An identifier counts as a member's name if the next token
    /// may follow a declared name, such as `(`, `;` or `=`.
    fn declare_members(&mut self, plain: Name) {
        let mut found: Vec<Name> = Vec::new();
        let mut behind = 0;
        let mut in_typedef = false;
        for at in self.outside_brackets() {
            let token = self.ahead(at);
            // `typedef Base<T> Base;`
            in_typedef = (in_typedef || token.is_word("typedef")) && !token.is(";");
            if at < behind || in_typedef || token.kind != Kind::Ident {
                continue;
            }
            if self.ahead(at + 1).is("<") {
                // Identifiers in template arguments are not members.
                behind = self.skip_arguments(at + 1);
            } else if token.text != plain {
                let after = self.ahead(at + 1);
                // What is behind `=` or `)` is a value.
                let before = |word: &dyn Fn(&Token) -> bool| at > 0 && word(self.ahead(at - 1));
                let value = before(&|token| ["=", ")"].iter().any(|p| token.is(p)));
                // `using Base = Base<T>;`, `operator T()`
                let types = ["using", "operator"];
                let value = value || before(&|token| types.iter().any(|w| token.is_word(w)));
                // `using Base::Base;`
                let value = value
                    || before(&|token| token.is("::"))
                        && at > 1
                        && self.ahead(at - 2).text == token.text;
                let declared = ["(", ";", "=", ",", "[", "{"].iter().any(|p| after.is(p));
                let declared = declared && !value;
                // A class template's name without `<` may be a member: `set(3)` beside `std::set`.
                let known = self.meaning(self.meant(token.text.into())) == Meaning::Type;
                // A template template parameter is not a member: it is used as an argument here.
                let inner = self.scopes.iter().skip(1);
                let parameter = inner.rev().find_map(|s| s.get(&token.text.into()));
                let known = known || parameter == Some(&Meaning::TemplateType);
                if declared
                    && !known
                    && !super::is_keyword(&token.text)
                    && !token.is_word("requires")
                {
                    found.push(token.text);
                }
            }
        }
        for name in &found {
            self.declare(name, Meaning::Other);
        }
    }

    /// The name of an unnamed struct: that of the `typedef` around it, else a made-up one.
    pub(super) fn name_behind(&self) -> Name {
        let (mut at, mut nesting) = (0, 0usize);
        loop {
            let token = self.ahead(at);
            nesting += usize::from(token.is("{"));
            if token.is("}") {
                nesting = nesting.saturating_sub(1);
            }
            at += 1;
            if (token.is("}") && nesting == 0) || token.kind == Kind::End {
                break;
            }
        }
        let typedef = self.at >= 2 && self.tokens[self.at - 2].is_word("typedef");
        if typedef && self.ahead(at).kind == Kind::Ident {
            return self.ahead(at).text;
        }
        format!("struct#{}", self.at).into()
    }

    /// Declares a struct that is first named in a type, `struct S x;` without a declaration of `S`, and
    /// gives its whole name.
    pub(super) fn announce(&mut self, name: Name) -> Path {
        let name = self.whole(name);
        if let Some(scope) = self.scopes.first_mut() {
            scope.insert(name, Meaning::Type);
        }
        let span = self.last_span();
        self.announced.push(Item::Struct(Rc::new(Struct::declared(name, span))));
        name
    }

    /// One member declaration.
    fn member(&mut self, out: &mut Struct, plain: Name) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let token = self.peek().clone();
        if matches!(&*token.text, "public" | "private" | "protected") {
            self.next();
            self.expect(":")?;
            return Ok(());
        }
        match &*token.text {
            "template" if self.ahead(1).is("<") && self.ahead(2).is(">") => {
                self.at += 3;
                let made = self.structure(Vec::new())?;
                self.expect(";")?;
                out.members.push(Item::Struct(made));
                Ok(())
            }
            "template" => {
                let params = self.template_parameters()?;
                let before = out.members.len();
                let made = match ["struct", "class", "union"].iter().any(|w| self.is_word(w)) {
                    true => self.structure(params).and_then(|made| {
                        out.members.push(Item::Struct(made));
                        self.expect(";")
                    }),
                    false if self.is_word("using") => {
                        self.member_alias(out, params).map(|()| token.span)
                    }
                    false => self.member_function(out, plain, params).map(|()| token.span),
                };
                self.scopes.pop();
                for item in &out.members[before..] {
                    let name = match item {
                        Item::Struct(made) => made.name.last(),
                        Item::Alias(made) => made.name.last(),
                        _ => continue,
                    };
                    Rc::make_mut(self.types_inside.entry(out.name).or_default()).insert(name);
                    self.note_template(out.name, name, true);
                }
                made.map(|_| ())
            }
            "static_assert" => {
                out.asserts.push(self.static_assert()?);
                Ok(())
            }
            "friend" if matches!(&*self.ahead(1).text, "class" | "struct" | "union") => {
                while !self.is(";") && !self.at_end() {
                    self.next();
                }
                Ok(())
            }
            "using" | "typedef" => self.member_alias(out, Vec::new()),
            "enum" if self.defines_enum() => {
                let made = self.enumeration()?;
                let ty = made.name;
                self.inside(out, ty.last());
                out.members.push(Item::Enum(made));
                self.fields_of(out, ty)
            }
            "struct" | "class" | "union" if self.defines_struct() => {
                let made = self.structure(Vec::new())?;
                let name = made.name;
                self.inside(out, name.last());
                out.members.push(Item::Struct(made));
                if self.is(";") && name.last().starts_with("struct#") {
                    // An anonymous struct: its members are visible as the outer one's.
                    let ty = named(name, token.span);
                    let storage = Storage::default();
                    let init = Init::None;
                    let name = "".into();
                    out.fields.push(VarDecl {
                        name,
                        span: token.span,
                        ty,
                        storage,
                        align: None,
                        init,
                    });
                }
                self.fields_of(out, name)
            }
            _ => self.member_function(out, plain, Vec::new()),
        }
    }

    /// An error where another declaration begins behind the `}` of a class.
    pub(super) fn ends_class(&mut self, class: Path, end: crate::diagnostic::Span) -> Parsed<()> {
        const BEGINNINGS: [&str; 8] =
            ["struct", "class", "union", "enum", "template", "typedef", "using", "namespace"];
        let next = self.peek();
        let begins = is_type_word(&next.text) || BEGINNINGS.contains(&&*next.text);
        if !begins {
            return Ok(());
        }
        let made_up = class.is_empty() || class.last().contains('#');
        let what = if made_up { "the type".into() } else { format!("`{class}`") };
        let message = format!("a `;` is missing after the `}}` of {what}");
        let error = Diagnostic::error("syntax", end, message);
        Err(self.report(error.with_help("write `};`")))
    }

    /// Declares a type inside a class; `template` if it is a template.
    fn note_template(&mut self, class: Path, name: Name, template: bool) {
        self.declare(name, if template { Meaning::TemplateType } else { Meaning::Type });
        if template {
            self.templates_inside.insert(name.into());
            self.templates_inside.insert(class.join(name));
        }
    }

    /// Declares a type's name inside the class from here on.
    fn inside(&mut self, out: &Struct, name: Name) {
        if !name.is_empty() {
            self.declare(name, Meaning::Type);
            Rc::make_mut(self.types_inside.entry(out.name).or_default()).insert(name);
        }
    }

    /// Fields after the `}` of their type, up to the `;`.
    fn fields_of(&mut self, out: &mut Struct, ty: Path) -> Parsed<()> {
        let base = named(ty, self.last_span());
        while !self.is(";") {
            let field = self.declarator(base.clone(), Storage::default())?;
            out.fields.push(field);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    /// `using T = ..;` or `typedef .. T;` inside a class.
    fn member_alias(&mut self, out: &mut Struct, template: Vec<TemplateParam>) -> Parsed<()> {
        if self.is_word("using") && self.ahead(1).is_word("enum") {
            return self.using_enum();
        }
        if self.is_word("using") && !self.ahead(2).is("=") {
            return self.used_members(out);
        }
        let mut items = Vec::new();
        self.alias(template, &mut items)?;
        for item in items {
            let name = match &item {
                Item::Alias(a) => a.name.last(),
                Item::Struct(s) => s.name.last(),
                Item::Enum(e) => e.name.last(),
                _ => continue,
            };
            self.inside(out, name);
            out.members.push(item);
        }
        Ok(())
    }

    /// A method, a constructor, or a field.
    fn member_function(
        &mut self,
        out: &mut Struct,
        plain: Name,
        template: Vec<TemplateParam>,
    ) -> Parsed<()> {
        self.align = None;
        let (storage, _) = self.function_words()?;
        let owner = out.name;
        let start = self.span();
        let void = TypeExpr {
            kind: TypeKind::Prim(Prim::Void),
            constant: false,
            volatile: false,
            span: start,
        };
        if self.is_word(&plain) && self.ahead(1).is("(") {
            let (_, span) = self.name("the constructor's name")?;
            let made = self.function(owner, span, template, void, storage, None, Some(owner))?;
            out.constructors.push(Rc::new(made));
            return Ok(());
        }
        if self.eat("~") {
            let (name, at) = self.name("the struct's name")?;
            let name = format!("~{name}").into();
            let span = start.to(at);
            let made = self.function(name, span, template, void, storage, None, Some(owner))?;
            out.destructor = Some(Rc::new(made));
            return Ok(());
        }
        if self.is_word("operator") && self.converts() {
            let made = self.conversion(template, storage, owner)?;
            out.methods.push(Rc::new(made));
            return Ok(());
        }
        let base = self.type_specifier()?;
        let (later, _) = self.function_words()?;
        let ty = self.pointers(base.clone())?;
        // `int& __device__ f()`
        let (last, _) = self.function_words()?;
        let storage = [later, last].into_iter().fold(storage, |storage, more| Storage {
            is_static: storage.is_static || more.is_static,
            inline: storage.inline || more.inline,
            constexpr: storage.constexpr || more.constexpr,
            is_virtual: storage.is_virtual || more.is_virtual,
            device: storage.device || more.device,
            host: storage.host || more.host,
            ..storage
        });
        self.bare_name();
        // `friend int ::space::f(int);`: friends are known by their last name.
        while storage.friend && (self.is("::") || self.ahead(1).is("::")) {
            self.next();
        }
        if self.is_word("operator") || self.ahead(1).is("(") {
            let (name, span) = self.function_name()?;
            let is_template = !template.is_empty();
            let owner = (!storage.friend).then_some(owner);
            let made: Function =
                self.function(name.into(), span, template, ty, storage, None, owner)?;
            if storage.friend {
                out.friends.push(Rc::new(made));
                return Ok(());
            }
            if is_template {
                self.method_templates.insert(name);
            }
            out.methods.push(Rc::new(made));
            return Ok(());
        }
        if storage.friend {
            // `friend Other;`
            self.expect(";")?;
            return Ok(());
        }
        let first = if self.is("(") || self.peek().kind == Kind::Ident {
            // The `*` of the first field is parsed already.
            self.declarator(ty, storage)?
        } else if self.is(":") {
            nameless(&ty, storage)
        } else {
            return Err(self.expected("a member's name"));
        };
        if self.is(":") {
            return self.bit_fields(out, base, storage, first);
        }
        let fields = self.more_variables(base, storage, first)?;
        if storage.is_static {
            out.members.push(Item::Variables(fields));
        } else {
            out.fields.extend(fields);
        }
        Ok(())
    }

    /// `unsigned a : 3, b : 5, : 0;` from the first `:` on.
    fn bit_fields(
        &mut self,
        out: &mut Struct,
        base: TypeExpr,
        storage: Storage,
        first: VarDecl,
    ) -> Parsed<()> {
        let mut field = first;
        loop {
            if self.eat(":") {
                let width = self.assignment()?;
                out.bits.push((out.fields.len(), width));
            }
            out.fields.push(field);
            if !self.eat(",") {
                break;
            }
            field = match self.is(":") {
                true => nameless(&base, storage),
                false => self.declarator(base.clone(), storage)?,
            };
        }
        self.expect(";")?;
        Ok(())
    }

    /// Whether `operator` is followed by a type: a conversion.
    pub(super) fn converts(&self) -> bool {
        let after = self.ahead(1);
        after.kind == Kind::Ident && !matches!(&*after.text, "new" | "delete" | "co_await")
    }

    /// A conversion, `operator float() const`: a method called `operator ` with that return type.
    pub(super) fn conversion(
        &mut self,
        template: Vec<TemplateParam>,
        storage: Storage,
        owner: Path,
    ) -> Parsed<Function> {
        let start = self.next().span;
        let base = self.type_specifier()?;
        let ty = self.pointers(base)?;
        let span = start.to(self.last_span());
        self.function("operator ".into(), span, template, ty, storage, None, Some(owner))
    }
}

/// A bit-field without a name, which is padding.
fn nameless(ty: &TypeExpr, storage: Storage) -> VarDecl {
    let (name, span) = ("#bits".into(), ty.span);
    VarDecl { name, span, ty: ty.clone(), storage, align: None, init: Init::None }
}

/// The type of this name.
pub(super) fn named(name: Path, span: crate::diagnostic::Span) -> TypeExpr {
    let kind = TypeKind::Named(name, Vec::new());
    TypeExpr { kind, constant: false, volatile: false, span }
}
