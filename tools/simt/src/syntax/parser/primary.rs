//! Primary expressions, by recursive descent: literals, names, braced lists, `new` and
//! constructions.

use super::super::ast::{CastStyle, Expr, ExprKind, Init, Prim, TemplateArg, TypeExpr, TypeKind};
use super::super::foreign::{foreign, standard};
use super::super::literal;
use super::super::name::{Name, Path};
use super::super::token::Kind;
use super::expr::make;
use super::function::literal_operator;
use super::type_words::is_type_of;
use super::{Meaning, Parsed, Parser, is_keyword};
use crate::diagnostic::{Diagnostic, Span};

impl Parser<'_> {
    /// `new (place) T[n](a, b)`
    pub(super) fn new_object(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let mut place = Vec::new();
        if self.is("(") && !self.cast_ahead() {
            let open = self.next().span;
            place = self.arguments(open, ")")?.0;
        }
        let bracketed = self.is("(");
        let open = self.span();
        if bracketed {
            self.next();
        }
        let base = self.type_specifier()?;
        let ty = self.pointers(base)?;
        if bracketed {
            self.close(")", open)?;
        }
        let mut count = None;
        let mut ty = ty;
        let mut open_length = false;
        if self.is("[") && self.ahead(1).is("]") {
            self.at += 2;
            ty = self.array_suffix(ty)?;
            open_length = true;
        } else if self.is("[") {
            let open = self.next().span;
            count = Some(Box::new(self.expression()?));
            self.close("]", open)?;
            ty = self.array_suffix(ty)?;
        }
        let init = if self.is("(") || self.is("{") { self.initializer()? } else { Init::None };
        let span = start.to(self.last_span());
        if open_length {
            // `new T[]{a, b}`
            let items = match &init {
                Init::Expr(Expr { kind: ExprKind::List(items), .. }) => items.as_slice(),
                _ => &[],
            };
            let expands = |e: &Expr| matches!(e.kind, ExprKind::Expand(..));
            if items.is_empty() || items.iter().any(expands) {
                return Err(self.unsupported(span, "`new T[]` without a list of its elements"));
            }
            let length = ExprKind::Int(items.len() as u64, Prim::ULong);
            count = Some(Box::new(make(length, span)));
        }
        Ok(make(ExprKind::New { place, ty, count, init: Box::new(init) }, span))
    }

    /// `typeid(T)`, which is a call of what <typeinfo> declares, or `typeid(e)`.
    fn type_info(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let is_type = self.cast_ahead();
        let open = self.expect("(")?;
        if !is_type {
            let value = Box::new(self.expression()?);
            let span = start.to(self.close(")", open)?);
            return Ok(make(ExprKind::Typeid(value), span));
        }
        let ty = self.type_name()?;
        let span = start.to(self.close(")", open)?);
        let name = Path::from("std").join(Name::from("__typeid"));
        let called = make(ExprKind::Name(name, Some(vec![TemplateArg::Type(ty)])), span);
        Ok(make(ExprKind::Call(Box::new(called), Vec::new()), span))
    }

    /// `{1, 2}` or `{.x = 1}`.
    pub(super) fn braced_list(&mut self) -> Parsed<Expr> {
        let open = self.expect("{")?;
        if self.is(".") && self.ahead(1).kind == Kind::Ident {
            return self.nested(|p| p.designated(open));
        }
        let (items, end) = self.nested(|p| p.arguments(open, "}"))?;
        Ok(make(ExprKind::List(items), open.to(end)))
    }

    /// Designated initialisers, `.x = 1, .y = {2}}`, after the `{`.
    fn designated(&mut self, open: Span) -> Parsed<Expr> {
        let mut members = Vec::new();
        while self.eat(".") {
            let (name, at) = self.name("a member's name")?;
            if self.is(".") || self.is("[") {
                let span = self.span();
                return Err(self.unsupported(span, "a designator of more than one name"));
            }
            let value = if self.is("{") {
                self.braced_list()?
            } else {
                self.expect("=")?;
                self.assignment()?
            };
            members.push((name, at, value));
            if !self.eat(",") {
                break;
            }
        }
        let end = self.close("}", open)?;
        Ok(make(ExprKind::Designated(members), open.to(end)))
    }

    /// A primary expression: an operand without operators.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        match token.kind {
            Kind::Number => self.number(),
            Kind::Str => self.string(),
            Kind::Char => {
                self.next();
                match literal::unescape(&token.text).as_deref() {
                    Some(&[byte]) => {
                        let value = make(ExprKind::Char(byte as i8), token.span);
                        match self.string_suffix() {
                            Some(suffix) => {
                                Ok(Self::literal_call(&suffix, vec![value], token.span))
                            }
                            None => Ok(value),
                        }
                    }
                    Some([first, ..]) if !first.is_ascii() => Err(self
                        .error(token.span, "a `char` holds one byte; this character needs more")),
                    _ => Err(self.error(token.span, "this is not one character")),
                }
            }
            Kind::Punct if token.is("(") => {
                self.next();
                if self.is("...") {
                    return self.fold_from_left(token.span);
                }
                let mut inner = self.nested(Self::expression)?;
                let end = self.close(")", token.span)?;
                inner.span = token.span.to(end);
                Ok(inner)
            }
            Kind::Punct if token.is("[") => self.nested(Self::lambda),
            Kind::Ident => self.word(),
            Kind::Unknown if token.text.starts_with('\'') => {
                Err(self.error(token.span, "this character literal is not closed on its line"))
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn number(&mut self) -> Parsed<Expr> {
        let token = self.next();
        if let Some((value, ty)) = literal::integer(&token.text) {
            return Ok(make(ExprKind::Int(value, ty), token.span));
        }
        if let Some((value, single)) = literal::floating(&token.text) {
            return Ok(make(ExprKind::Float(value, single), token.span));
        }
        if let Some((number, suffix)) = literal::user_suffix(&token.text) {
            let operator = Path::from(literal_operator(suffix));
            if self.scopes[0].get(&operator) == Some(&Meaning::TemplateFunction) {
                // `template <char...>`
                let digits = number
                    .bytes()
                    .map(|digit| TemplateArg::Value(make(ExprKind::Char(digit as i8), token.span)));
                let name = make(ExprKind::Name(operator, Some(digits.collect())), token.span);
                return Ok(make(ExprKind::Call(Box::new(name), Vec::new()), token.span));
            }
            let value = match (literal::integer(number), literal::floating(number)) {
                (Some((value, _)), _) => Some(ExprKind::Int(value, Prim::ULongLong)),
                (None, Some((value, false))) => Some(ExprKind::Float(value, false)),
                _ => None,
            };
            if self.raw_literals.contains(&operator) && !self.cooked_literals.contains(&operator) {
                let text = number.bytes().collect::<Vec<u8>>();
                let text = make(ExprKind::Str(text.into()), token.span);
                return Ok(Self::literal_call(suffix, vec![text], token.span));
            }
            if let (Some(value), true) = (value, self.has_literal(suffix)) {
                return Ok(Self::literal_call(suffix, vec![make(value, token.span)], token.span));
            }
        }
        if let Some(digit) = literal::not_octal(&token.text) {
            let message = format!("`{}` is octal, which has no digit `{digit}`", token.text);
            let decimal = token.text.trim_start_matches('0');
            let error = Diagnostic::error("syntax", token.span, message);
            return Err(self.report(error.with_help(format!(
                "a number that begins with `0` has the base 8: write `{decimal}`"
            ))));
        }
        Err(self.error(token.span, format!("`{}` is not a number that fits a type", token.text)))
    }

    /// A string literal; adjacent ones are concatenated.
    pub(super) fn string(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut text = Vec::new();
        while self.peek().kind == Kind::Str {
            let token = self.next();
            match literal::unescape(&token.text) {
                Some(part) => text.extend(part),
                None => {
                    return Err(
                        self.error(token.span, "this string has an escape that C++ does not know")
                    );
                }
            }
        }
        let span = start.to(self.last_span());
        let length = make(ExprKind::Int(text.len() as u64, Prim::ULong), span);
        let text = make(ExprKind::Str(text.into()), span);
        match self.string_suffix() {
            Some(suffix) => Ok(Self::literal_call(&suffix, vec![text, length], span)),
            None => Ok(text),
        }
    }

    /// Reads the suffix that follows a string or a character without white space, if it is that of a
    /// literal operator.
    fn string_suffix(&mut self) -> Option<Name> {
        let next = self.peek();
        let adjacent = next.kind == Kind::Ident && !next.spaced && !next.first;
        let suffix = next.text;
        (adjacent && self.has_literal(&suffix)).then(|| {
            self.next();
            suffix
        })
    }

    /// Whether a literal operator with this suffix is declared.
    fn has_literal(&self, suffix: &str) -> bool {
        self.scopes[0].contains_key(&Path::from(literal_operator(suffix)))
    }

    /// A user-defined literal: the call of its literal operator.
    fn literal_call(suffix: &str, arguments: Vec<Expr>, span: Span) -> Expr {
        let operator = make(ExprKind::Name(literal_operator(suffix).into(), None), span);
        make(ExprKind::Call(Box::new(operator), arguments), span)
    }

    /// An expression that begins with a keyword or a name.
    fn word(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        let kind = match &*token.text {
            "true" => Some(ExprKind::Bool(true)),
            "false" => Some(ExprKind::Bool(false)),
            "nullptr" => Some(ExprKind::Null),
            "this" => Some(ExprKind::This),
            _ => None,
        };
        if let Some(kind) = kind {
            self.next();
            return Ok(make(kind, token.span));
        }
        let style = match &*token.text {
            "static_cast" => Some(CastStyle::Static),
            "reinterpret_cast" => Some(CastStyle::Reinterpret),
            "const_cast" => Some(CastStyle::Const),
            "dynamic_cast" => Some(CastStyle::Dynamic),
            _ => None,
        };
        if let Some(style) = style {
            self.next();
            let open = self.expect("<")?;
            let ty = self.type_name()?;
            self.template_end(open)?;
            let open = self.expect("(")?;
            let inner = self.expression()?;
            let end = self.close(")", open)?;
            return Ok(make(ExprKind::Cast(style, ty, Box::new(inner)), token.span.to(end)));
        }
        if token.text.starts_with("__is_") && self.ahead(1).is("(") {
            self.next();
            let open = self.next().span;
            let mut types = Vec::new();
            while !self.is(")") {
                let from = self.at;
                let mut ty = self.type_name()?;
                if self.is("...") {
                    let kind = TypeKind::Expand(Box::new(ty.clone()), self.expanded(from));
                    ty = TypeExpr { kind, ..ty };
                    self.next();
                }
                types.push(ty);
                if !self.eat(",") {
                    break;
                }
            }
            let end = self.close(")", open)?;
            return Ok(make(ExprKind::Trait(token.text, types), token.span.to(end)));
        }
        if self.requires_ahead() && self.meaning(token.text.into()) == Meaning::Other {
            return self.requires_expression();
        }
        if token.is_word("typeid") {
            return self.type_info();
        }
        if self.constraint_ahead() == 0 && self.at_type() {
            return self.construct();
        }
        if token.is_word("operator") {
            // `operator+(a, b)`
            let (name, span) = self.function_name()?;
            return Ok(make(ExprKind::Name(name.into(), None), span));
        }
        if is_keyword(&token.text) {
            return Err(self.expected("an expression"));
        }
        let (name, used) = self.qualified_ahead();
        // `Color::red`: `qualified_ahead` stops at the type, so the member is added.
        let inside = self.ahead(used).is("::") && self.ahead(used + 1).kind == Kind::Ident;
        // `T::template f<int>(..)`
        let said = inside && self.ahead(used + 1).is_word("template");
        let (name, used) = if inside {
            let skipped = usize::from(said);
            (name.join(self.ahead(used + 1 + skipped).text), used + 2 + skipped)
        } else {
            (name, used)
        };
        self.at += used;
        let span = token.span.to(self.last_span());
        let template = said
            || matches!(self.meaning(name), Meaning::TemplateFunction | Meaning::Concept)
            || (self.method_templates.contains(&name.last())
                && self.meaning(name) == Meaning::Other
                && self.is_called_with_arguments());
        let is_local = || self.scopes.iter().any(|s| s.contains_key(&name));
        if self.is("<") && !template && !is_local() {
            if let Some(found) = foreign(name) {
                return Err(self.foreign(name, found, span));
            }
            if let Some(error) = self.lacks_std(name, span) {
                return Err(self.report(error));
            }
        }
        let arguments =
            if template && self.is("<") { Some(self.template_arguments()?) } else { None };
        let span = span.to(self.last_span());
        Ok(make(ExprKind::Name(name, arguments), span))
    }

    /// The error for an unqualified name of a template of `std`.
    pub(super) fn lacks_std(&self, name: Path, span: Span) -> Option<Diagnostic> {
        let own = name.unqualified()?;
        let header = standard(&own);
        let declared = self.scopes[0].keys().any(|known| known.in_std() == Some(own));
        if !declared && header.is_none() {
            return None;
        }
        let add = header.filter(|_| !declared).map(|h| format!(", and add `#include <{h}>`"));
        let help = format!("write `std::{own}`{}", add.unwrap_or_default());
        let message = format!("`{own}` is not declared here");
        Some(Diagnostic::error("name", span, message).with_help(help))
    }

    /// Whether `<..>` follows, and what can be behind it: a name may be a template's in one class, and
    /// a variable's in another.
    pub(super) fn is_called_with_arguments(&self) -> bool {
        let after = self.skip_arguments(0);
        after > 0 && ["(", ")", ",", ";", "}"].iter().any(|end| self.ahead(after).is(end))
    }

    /// Whether it is `decltype(x)::type{..}`.
    fn type_of_makes(&self) -> bool {
        let (used, _) = self.type_ahead();
        self.ahead(used).is("::") && self.ahead(used + 2).is("{")
    }

    /// An expression that begins with a type: `float4(..)`, `T{..}`, `int(x)`, `S<int>::value`.
    fn construct(&mut self) -> Parsed<Expr> {
        let ty = match is_type_of(&self.peek().text) && !self.type_of_makes() {
            // What is behind its `::` is a value.
            true => self.type_of()?,
            false => self.type_specifier()?,
        };
        if self.eat("::") {
            // `S<int>::value`
            let template = self.eat_word("template");
            let (name, at) = self.function_name()?;
            let span = ty.span.to(at);
            let known = template || self.method_templates.contains(&name);
            let member = make(ExprKind::Scoped(ty, name), span);
            if known && self.is("<") {
                let arguments = self.template_arguments()?;
                let span = span.to(self.last_span());
                return Ok(make(ExprKind::MemberTemplate(Box::new(member), arguments), span));
            }
            return Ok(member);
        }
        let open = self.span();
        let close = if self.is("(") {
            ")"
        } else if self.is("{") {
            "}"
        } else {
            return Err(self.expected("`(` or `{` after the type"));
        };
        if close == "}" && self.ahead(1).is(".") && self.ahead(2).kind == Kind::Ident {
            let list = self.braced_list()?;
            let span = ty.span.to(list.span);
            return Ok(make(ExprKind::Construct(ty, vec![list], true), span));
        }
        self.next();
        let (mut arguments, end) = self.nested(|p| p.arguments(open, close))?;
        let span = ty.span.to(end);
        let scalar = matches!(ty.kind, TypeKind::Prim(_));
        if scalar
            && arguments.len() == 1
            && let Some(only) = arguments.pop()
        {
            return Ok(make(ExprKind::Cast(CastStyle::C, ty, Box::new(only)), span));
        }
        Ok(make(ExprKind::Construct(ty, arguments, close == "}"), span))
    }
}

/// Operators that are not supported, and how an error names them.
pub(super) fn refused_operator(word: &str) -> Option<&'static str> {
    Some(match word {
        "asm" | "__asm__" | "__asm" => "inline assembly in an expression",
        _ => return None,
    })
}
