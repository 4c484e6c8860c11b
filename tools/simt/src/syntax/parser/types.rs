//! Types: type specifiers, abstract declarators (`*`, `&`, `[n]`) and template arguments.
//!
//! The functions that end in `_ahead` look ahead any number of tokens and consume none.

use super::super::ast::{TemplateArg, TypeExpr, TypeKind};
use super::super::foreign::{Foreign, foreign};
use super::super::name::{Name, Path};
use super::super::token::{Kind, Token};
use super::global_names::without_root;
use super::type_words::{Words, is_type_of, is_type_word};
use super::typo_correction::near;
use super::{Meaning, Parsed, Parser, is_keyword};
use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;

impl Parser<'_> {
    /// Whether a type begins here, by the symbol table.
    pub(super) fn at_type(&self) -> bool {
        let token = self.peek();
        if token.kind != Kind::Ident {
            return false;
        }
        if is_type_word(&token.text)
            || matches!(&*token.text, "const" | "volatile" | "typename" | "auto")
            || is_type_of(&token.text)
        {
            return true;
        }
        if matches!(&*token.text, "struct" | "enum" | "union" | "class") {
            return true;
        }
        let (name, used) = self.qualified_ahead();
        match self.meaning(name) {
            // A type's name followed by `::` is a scope, of an enumerator perhaps.
            Meaning::Type => !self.ahead(used).is("::") || self.member_type_ahead(name, used),
            Meaning::TemplateType => !self.ahead(used).is("::"),
            // `Concept auto x`
            Meaning::Concept => self.ahead(self.constraint_ahead()).is_word("auto"),
            _ => false,
        }
    }

    /// Whether a member of a class stands here that is no type: `S<int>::count`.
    pub(super) fn names_value_inside(&self) -> bool {
        let (name, used) = self.qualified_ahead();
        let behind = self.skip_arguments(used);
        if !self.ahead(used).is("<") || !self.ahead(behind).is("::") {
            return false;
        }
        let member = self.ahead(behind + 1).text;
        let known = self.members_of.get(&name.unrooted());
        known.is_some_and(|all| all.contains(&member)) && !self.member_type_ahead(name, behind)
    }

    /// The number of tokens of the type here, without its `*` and `&`, and whether they are all of
    /// it: `false` if a `::` follows that leads to something other than a type.
    pub(super) fn type_ahead(&self) -> (usize, bool) {
        if self.peek().is_word("typename") {
            return (1, true);
        }
        if is_type_word(&self.peek().text) {
            return (1, true);
        }
        if is_type_of(&self.peek().text) {
            let (mut at, mut nesting) = (1, 0usize);
            loop {
                let token = self.ahead(at);
                nesting += usize::from(token.is("("));
                nesting = nesting.saturating_sub(usize::from(token.is(")")));
                at += 1;
                if nesting == 0 || token.kind == Kind::End {
                    return (at, true);
                }
            }
        }
        let (mut name, mut used) = self.qualified_ahead();
        loop {
            if self.ahead(used).is("<") {
                used = self.skip_arguments(used);
            }
            if !self.ahead(used).is("::") {
                return (used, true);
            }
            if !self.member_type_ahead(name, used) {
                return (used, false);
            }
            name = self.ahead(used + 1).text.into();
            used += 2;
        }
    }

    /// The index after `<..>`, found by counting brackets; `from` if it does not end.
    pub(super) fn skip_arguments(&self, from: usize) -> usize {
        let (mut at, mut angles, mut brackets) = (from, 0usize, 0usize);
        loop {
            let token = self.ahead(at);
            if token.kind == Kind::End || token.is(";") || token.is("{") {
                return from;
            }
            if token.is("(") || token.is("[") {
                brackets += 1;
            } else if token.is(")") || token.is("]") {
                if brackets == 0 {
                    return from;
                }
                brackets -= 1;
            } else if brackets == 0 && token.is("<") && (at == from || self.opens_arguments(at)) {
                angles += 1;
            } else if brackets == 0 && matches!(&*token.text, ">" | ">>" | ">>>") {
                if token.text.len() > angles {
                    // The rest of `>>` closes an enclosing list.
                    return at;
                }
                angles -= token.text.len();
            }
            at += 1;
            if angles == 0 && brackets == 0 {
                return at;
            }
        }
    }

    /// Whether the `<` at `at` can open a list of arguments. Behind a number, a parenthesis or a
    /// variable it compares.
    fn opens_arguments(&self, at: usize) -> bool {
        let before = self.ahead(at - 1);
        let member = at > 1 && ["::", ".", "->"].iter().any(|sign| self.ahead(at - 2).is(sign));
        before.kind == Kind::Ident
            && (member || self.meaning(before.text.into()) != Meaning::Variable)
    }

    /// Whether the `::` at `used` leads to a type inside the type `name`.
    fn member_type_ahead(&self, name: Path, used: usize) -> bool {
        let member = self.ahead(used + 1);
        if member.kind != Kind::Ident {
            return false;
        }
        if member.is_word("template") {
            return self.templates_inside.contains(&self.ahead(used + 2).text.into());
        }
        if self.types_inside.get(&name.unrooted()).is_some_and(|n| n.contains(&member.text)) {
            return true;
        }
        // `T::Policy::threads`: inside a type only a type has members.
        if self.ahead(used + 2).is("::") && self.ahead(used + 3).kind == Kind::Ident {
            return true;
        }
        // `A::B b`, `A::B* b =`: only a type is followed by a name.
        let after = self.ahead(used + 2);
        let sign = usize::from(after.is("*") || after.is("&"));
        let behind = self.ahead(used + 3 + sign);
        self.ahead(used + 2 + sign).kind == Kind::Ident
            && (sign == 0 || behind.is("=") || behind.is(":"))
    }

    /// The qualified name here up to the first known type in it, else all of it; and its number of
    /// tokens.
    pub(super) fn qualified_ahead(&self) -> (Path, usize) {
        let first = self.peek().text;
        let global = without_root(first);
        let mut name = Path::from(global.unwrap_or(first));
        let mut used = 1;
        let meant = |name: Path| match global {
            Some(_) => self.meant_at_file_level(name),
            None => self.meant(name),
        };
        let is_type =
            |name: Path| matches!(self.meaning(name), Meaning::Type | Meaning::TemplateType);
        while self.ahead(used).is("::")
            && self.ahead(used + 1).kind == Kind::Ident
            && !is_type(meant(name))
        {
            // Members of an inline namespace are members of the enclosing one.
            let inner = name.join(self.ahead(used + 1).text);
            let inline =
                self.inline_spaces.contains(&inner.last()) && !self.opened.contains(&inner);
            if !inline || !self.ahead(used + 2).is("::") {
                name = inner;
            }
            used += 2;
        }
        (meant(name), used)
    }

    /// A whole type, as in a cast: `const float*`.
    pub(super) fn type_name(&mut self) -> Parsed<TypeExpr> {
        let base = self.type_specifier()?;
        let ty = self.pointers(base)?;
        if self.is("(") && !self.inner_ahead() {
            // `int(float)`
            self.at += 1;
            let parameters = self.is(")") || self.at_type();
            self.at -= 1;
            if parameters {
                return self.function_suffix(ty);
            }
        }
        self.abstract_arrays(ty)
    }

    /// `const unsigned long`, `const T`, `Pair<int, 3>`: a type before its `*` and `&`.
    pub(super) fn type_specifier(&mut self) -> Parsed<TypeExpr> {
        let start = self.span();
        let (mut constant, mut volatile) = (false, false);
        let (mut dependent, mut elaborated) = (false, false);
        let mut kind: Option<TypeKind> = None;
        let mut constraint = None;
        let mut words = Words::default();
        loop {
            let token = self.peek().clone();
            match &*token.text {
                _ if token.kind != Kind::Ident && !token.is("::") => break,
                "__grid_constant__" => {}
                "const" => constant = true,
                "volatile" => volatile = true,
                "typename" if kind.is_none() && !words.any => dependent = true,
                "struct" | "class" | "union" | "enum" if kind.is_none() && !words.any => {
                    elaborated = !token.is_word("enum");
                }
                "auto" if kind.is_none() && !words.any => kind = Some(TypeKind::Auto),
                word if is_type_of(word) && kind.is_none() && !words.any => {
                    let asked = self.type_of()?;
                    (constant, volatile) = (constant | asked.constant, volatile | asked.volatile);
                    // `decltype(v)::size_type`; what a trait calls `value` is none.
                    let of_type = dependent || self.is("::") && !self.ahead(1).is_word("value");
                    kind = Some(match of_type {
                        true => {
                            self.member_types(asked.kind, Path::from("decltype"), true, start)?
                        }
                        false => asked.kind,
                    });
                    continue;
                }
                "__int128" if kind.is_none() && cfg!(target_arch = "wasm32") => {
                    return Err(self.unsupported(token.span, "`__int128`"));
                }
                "__int128" if kind.is_none() => {
                    let name = if words.unsigned { "__uint128_t" } else { "__int128_t" };
                    words = Words::default();
                    kind = Some(TypeKind::Named(name.into(), Vec::new()));
                }
                word if is_type_word(word) && kind.is_none() => {
                    if !words.take(word) {
                        return Err(self.misfit(&token));
                    }
                }
                _ if kind.is_none() && !words.any && !is_keyword(&token.text) => {
                    let (name, used) = self.qualified_ahead();
                    let found = match self.meaning(name) {
                        Meaning::Type => {
                            self.at += used;
                            // Inside a template its plain name denotes the instance (the injected
                            // class name).
                            if self.is("<") && self.names_template(name) {
                                self.template_instance(name)?
                            } else {
                                TypeKind::Named(name, Vec::new())
                            }
                        }
                        Meaning::TemplateType => {
                            self.at += used;
                            match self.is("<") {
                                true => self.template_instance(name)?,
                                // The arguments are deduced from a value.
                                false => TypeKind::Named(name, Vec::new()),
                            }
                        }
                        Meaning::Concept => {
                            constraint = Some(self.type_constraint()?);
                            continue;
                        }
                        _ if elaborated && used == 1 => {
                            self.at += used;
                            TypeKind::Named(self.announce(name.last()), Vec::new())
                        }
                        _ => break,
                    };
                    kind = Some(self.member_types(found, name, dependent, start)?);
                    continue;
                }
                _ => break,
            }
            self.next();
        }
        let kind = match (kind, words.prim()) {
            (Some(kind), _) => kind,
            (None, Some(prim)) => TypeKind::Prim(prim),
            (None, None) => return Err(self.unknown_type()),
        };
        let span = start.to(self.last_span());
        if let Some(asked) = constraint {
            self.constrained.push((span, asked));
        }
        Ok(TypeExpr { kind, constant, volatile, span })
    }

    /// `decltype(..)` and its like.
    pub(super) fn type_of(&mut self) -> Parsed<TypeExpr> {
        let token = self.next();
        let open = self.expect("(")?;
        let (mut constant, mut volatile) = (false, false);
        let kind = if token.is_word("__underlying_type") {
            TypeKind::Underlying(Box::new(self.type_name()?))
        } else if token.is_word("__call_signature") {
            TypeKind::Called(Box::new(self.type_name()?))
        } else if self.eat_word("auto") {
            TypeKind::AsReturned
        } else if token.is_word("decltype") {
            TypeKind::Decltype(Box::new(self.expression()?))
        } else if self.at_type() {
            // `typeof(int)`, as GCC has it.
            let named = self.type_name()?;
            (constant, volatile) = (named.constant, named.volatile);
            named.kind
        } else {
            TypeKind::Typeof(Box::new(self.expression()?))
        };
        let end = self.close(")", open)?;
        Ok(TypeExpr { kind, constant, volatile, span: token.span.to(end) })
    }

    fn misfit(&mut self, word: &Token) -> Reported {
        let message = format!("`{}` does not fit the words of the type before it", word.text);
        self.error(word.span, message)
    }

    /// `<int, 3>` or `<>` after a template's name.
    fn template_instance(&mut self, name: Path) -> Parsed<TypeKind> {
        let arguments = self.template_arguments()?;
        Ok(match arguments.is_empty() {
            true => TypeKind::Defaults(name),
            false => TypeKind::Named(name, arguments),
        })
    }

    /// Whether a scope declares this name as a class template, even if an inner scope hides it.
    fn names_template(&self, name: Path) -> bool {
        self.scopes.iter().any(|s| s.get(&name.unrooted()) == Some(&Meaning::TemplateType))
    }

    /// Any number of `::type` after a type.
    fn member_types(
        &mut self,
        mut kind: TypeKind,
        mut name: Path,
        dependent: bool,
        start: Span,
    ) -> Parsed<TypeKind> {
        let mut depth = 0;
        while self.is("::") && (dependent || self.member_type_ahead(name, 0)) {
            self.next();
            depth += 1;
            if depth > 16 {
                let span = self.span();
                return Err(self.error(span, "types inside types, more than 16 deep"));
            }
            let template = self.eat_word("template");
            let member = self.name("a type's name")?.0;
            name = member.into();
            let known = template || dependent || self.templates_inside.contains(&name);
            let arguments =
                if self.is("<") && known { self.template_arguments()? } else { Vec::new() };
            let span = start.to(self.last_span());
            let inner = TypeExpr { kind, constant: false, volatile: false, span };
            kind = TypeKind::Member(Box::new(inner), member, arguments);
        }
        Ok(kind)
    }

    fn unknown_type(&mut self) -> super::Reported {
        let token = self.peek().clone();
        if token.kind == Kind::Ident && !is_keyword(&token.text) {
            let (name, used) = self.qualified_ahead();
            if name.is_qualified() && self.wrong_aliases.contains(&name.first()) {
                self.errors += 1;
                return super::Reported;
            }
            let span = token.span.to(self.ahead(used.saturating_sub(1)).span);
            if let Some(found) = foreign(name) {
                return self.foreign(name, found, span);
            }
            if let Some(error) = self.lacks_std(name, span) {
                return self.report(error);
            }
            if self.is_behind_specifier() && self.ahead(used).is("(") {
                let message = format!("the type of what `{name}` returns is missing");
                let diagnostic = Diagnostic::error("syntax", span, message);
                return self
                    .report(diagnostic.with_help("a kernel is `void`: write that before it"));
            }
            let message = format!("`{name}` is not a type that is known here");
            let mut diagnostic = Diagnostic::error("syntax", span, message);
            if let Some(meant) = near(&name.to_string()) {
                diagnostic = diagnostic.with_help(format!("is `{meant}` meant?"));
            }
            return self.report(diagnostic);
        }
        self.expected("a type")
    }

    /// Refuses a name of an interface that is not supported.
    pub(super) fn foreign(&mut self, name: Path, found: Foreign, span: Span) -> super::Reported {
        self.report(found.refused(name, span))
    }

    /// `* const __restrict__ &` after a type.
    pub(super) fn pointers(&mut self, base: TypeExpr) -> Parsed<TypeExpr> {
        let mut ty = base;
        let mut count = 0;
        loop {
            let token = self.peek().clone();
            if self.member_pointer_ahead(0) {
                ty = self.member_pointer(ty)?;
                count += 1;
            } else if token.is("*") || token.is("&") {
                self.next();
                count += 1;
                if count > 16 {
                    return Err(self.error(token.span, "a pointer to a pointer, more than 16 deep"));
                }
                let span = ty.span.to(token.span);
                let inner = Box::new(ty);
                let kind = if token.is("*") {
                    TypeKind::Pointer(inner)
                } else {
                    TypeKind::Reference(inner)
                };
                ty = TypeExpr { kind, constant: false, volatile: false, span };
            } else if token.is("&&") {
                self.next();
                let span = ty.span.to(token.span);
                let kind = TypeKind::Rvalue(Box::new(ty));
                ty = TypeExpr { kind, constant: false, volatile: false, span };
            } else if token.is_word("const") {
                self.next();
                ty.constant = true;
            } else if token.is_word("volatile") {
                self.next();
                ty.volatile = true;
            } else if ["__restrict__", "__restrict"].iter().any(|w| token.is_word(w)) {
                self.next();
            } else if token.is_word("restrict") && self.ahead(1).kind == Kind::Ident {
                let diagnostic =
                    Diagnostic::error("syntax", token.span, "`restrict` is C, not C++")
                        .with_help("write `__restrict__`");
                return Err(self.report(diagnostic));
            } else {
                return Ok(ty);
            }
        }
    }

    fn abstract_arrays(&mut self, base: TypeExpr) -> Parsed<TypeExpr> {
        if self.inner_ahead() {
            return Ok(self.inner_declarator(base)?.1);
        }
        self.array_suffix(base)
    }

    /// `[2][3]` after a declared name or a type.
    pub(super) fn array_suffix(&mut self, base: TypeExpr) -> Parsed<TypeExpr> {
        let mut lengths = Vec::new();
        while self.is("[") {
            let open = self.next().span;
            if lengths.len() == 16 {
                return Err(self.error(open, "more than 16 dimensions"));
            }
            let length = if self.is("]") { None } else { Some(Box::new(self.expression()?)) };
            let end = self.close("]", open)?;
            lengths.push((length, end));
        }
        let mut ty = base;
        for (length, end) in lengths.into_iter().rev() {
            let span = ty.span.to(end);
            ty = TypeExpr {
                kind: TypeKind::Array(Box::new(ty), length),
                constant: false,
                volatile: false,
                span,
            };
        }
        Ok(ty)
    }

    /// `<int, 3>`.
    pub(super) fn template_arguments(&mut self) -> Parsed<Vec<TemplateArg>> {
        let open = self.expect("<")?;
        let mut arguments = Vec::new();
        while !self.at_template_end() {
            let argument = self.nested(|p| {
                if let Some(ty) = p.template_itself() {
                    return Ok(TemplateArg::Type(ty));
                }
                let from = p.at;
                if p.at_type() && !p.type_is_value() {
                    let ty = p.type_name()?;
                    if p.is("...") {
                        let names = p.expanded(from);
                        let span = ty.span.to(p.next().span);
                        let kind = TypeKind::Expand(Box::new(ty), names);
                        let ty = TypeExpr { kind, constant: false, volatile: false, span };
                        return Ok(TemplateArg::Type(ty));
                    }
                    Ok(TemplateArg::Type(ty))
                } else {
                    let value = p.template_value()?;
                    Ok(TemplateArg::Value(p.perhaps_expanded(value, from)))
                }
            })?;
            arguments.push(argument);
            if !self.eat(",") {
                break;
            }
        }
        self.template_end(open)?;
        Ok(arguments)
    }

    /// A template template argument: a template's name without arguments.
    pub(super) fn template_itself(&mut self) -> Option<TypeExpr> {
        if self.peek().kind != Kind::Ident {
            return None;
        }
        let (name, used) = self.qualified_ahead();
        let after = self.ahead(used);
        let ends = after.is(",") || after.is(">") || after.is(">>");
        if !ends || self.meaning(name) != Meaning::TemplateType {
            return None;
        }
        let span = self.span();
        self.at += used;
        Some(super::class::named(name, span))
    }

    /// Whether a template's argument that begins with a type is a value: `int(3)`, `S<int>::value`.
    fn type_is_value(&mut self) -> bool {
        if is_type_word(&self.peek().text) {
            // `int(float)`, `void(std::string&)` is the type of a function.
            let cast = self.ahead(1).is("(") && !self.parameters_ahead(1);
            return cast || self.ahead(1).is("{");
        }
        // `is_same<T, U>::value`
        !self.type_ahead().1 || {
            let after = self.ahead(self.type_ahead().0);
            after.is("{") || after.is("(") && !self.parameters_ahead(self.type_ahead().0)
        }
    }

    /// Whether the parenthesis at `from` is that of a function's type, `R(int)` or `R (*)(int)`, and not
    /// that of a cast.
    fn parameters_ahead(&mut self, from: usize) -> bool {
        let before = self.at;
        self.at += from;
        let declarator = self.inner_ahead();
        self.at += 1;
        let parameters = declarator || self.is(")") || self.is("...") || self.at_type();
        self.at = before;
        parameters
    }

    fn at_template_end(&self) -> bool {
        self.is(">") || self.is(">>") || self.is(">>>")
    }

    /// Consumes the `>` that closes a template's list. Of `>>` and `>>>` it consumes the first
    /// character only.
    pub(super) fn template_end(&mut self, open: Span) -> Parsed<()> {
        let token = self.peek().clone();
        if token.is(">>") || token.is(">>>") {
            let rest: Name = token.text[1..].into();
            let at = self.at;
            let span = Span { start: token.span.start + 1, ..token.span };
            if let Some(t) = self.tokens.get_mut(at) {
                t.text = rest;
                t.span = span;
            }
            return Ok(());
        }
        self.close(">", open)?;
        Ok(())
    }
}
