//! Expressions: precedence climbing for binary operators, recursive descent for the rest.

use super::super::ast::{BinaryOp, CastStyle, Expr, ExprKind, UnaryOp};
use super::super::name::Path;
use super::super::token::Kind;
use super::primary::refused_operator;
use super::{Parsed, Parser};
use crate::diagnostic::Span;

/// The limit of operators in a chain without brackets: the tree is as deep as the chain is long.
const MAX_CHAIN: usize = 160;

/// A binary operator and its precedence: a higher one binds more tightly.
pub(super) fn binary_operator(text: &str) -> Option<(BinaryOp, u8)> {
    Some(match text {
        "||" => (BinaryOp::LogicalOr, 1),
        "&&" => (BinaryOp::LogicalAnd, 2),
        "|" => (BinaryOp::Or, 3),
        "^" => (BinaryOp::Xor, 4),
        "&" => (BinaryOp::And, 5),
        "==" => (BinaryOp::Eq, 6),
        "!=" => (BinaryOp::Ne, 6),
        "<" => (BinaryOp::Lt, 7),
        ">" => (BinaryOp::Gt, 7),
        "<=" => (BinaryOp::Le, 7),
        ">=" => (BinaryOp::Ge, 7),
        "<=>" => (BinaryOp::ThreeWay, 8),
        "<<" => (BinaryOp::Shl, 9),
        ">>" => (BinaryOp::Shr, 9),
        "+" => (BinaryOp::Add, 10),
        "-" => (BinaryOp::Sub, 10),
        "*" => (BinaryOp::Mul, 11),
        "/" => (BinaryOp::Div, 11),
        "%" => (BinaryOp::Rem, 11),
        _ => return None,
    })
}

/// `=` (with `None`), or a compound assignment's operator.
fn assignment_operator(text: &str) -> Option<Option<BinaryOp>> {
    if text == "=" {
        return Some(None);
    }
    let op = text.strip_suffix('=')?;
    let (op, level) = binary_operator(op)?;
    let compound = level >= 3 && !matches!(level, 6 | 7);
    compound.then_some(Some(op))
}

pub(super) fn make(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

impl Parser<'_> {
    /// An expression with comma operators.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let from = self.at;
        let mut left = self.assignment()?;
        let mut chain = 0;
        while self.is(",") {
            self.next();
            chain += 1;
            self.bound(chain)?;
            if self.is("...") {
                left = self.fold(None, left, from)?;
                continue;
            }
            let right = self.assignment()?;
            let span = left.span.to(right.span);
            left = make(ExprKind::Comma(Box::new(left), Box::new(right)), span);
        }
        Ok(left)
    }

    /// Reports a chain of operators that is too long.
    fn bound(&mut self, chain: usize) -> Parsed<()> {
        if chain > MAX_CHAIN {
            let span = self.span();
            return Err(self.error(span, format!("more than {MAX_CHAIN} operators in a row")));
        }
        Ok(())
    }

    /// An expression without comma operators: an argument, an initialiser.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            if p.is("{") {
                return p.braced_list();
            }
            let left = p.conditional()?;
            let token = p.peek().clone();
            if token.kind == Kind::Punct
                && let Some(op) = assignment_operator(&token.text)
            {
                p.next();
                let right = p.assignment()?;
                let span = left.span.to(right.span);
                return Ok(make(ExprKind::Assign(op, Box::new(left), Box::new(right)), span));
            }
            Ok(left)
        })
    }

    /// A template's argument that is a value: a conditional expression up to the first `>` outside
    /// brackets.
    pub(super) fn template_value(&mut self) -> Parsed<Expr> {
        let outer = self.template_argument.replace(self.at);
        let value = self.conditional();
        self.template_argument = outer;
        value
    }

    /// Whether the `>` here ends a template argument.
    fn ends_template_argument(&self) -> bool {
        let Some(from) = self.template_argument else { return false };
        if ![">", ">>", ">>>"].iter().any(|text| self.is(text)) {
            return false;
        }
        let mut depth = 0;
        for token in self.tokens[from..self.at].iter().filter(|token| token.kind == Kind::Punct) {
            match &*token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
        }
        depth == 0
    }

    /// An expression without assignments: `a ? b : c` and operators that bind more tightly.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let cond = self.binary(0)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        if self.eat(":") {
            let other = self.assignment()?;
            let span = cond.span.to(other.span);
            return Ok(make(ExprKind::OrElse(Box::new(cond), Box::new(other)), span));
        }
        let then = self.nested(Self::expression)?;
        self.expect(":")?;
        let other = self.assignment()?;
        let span = cond.span.to(other.span);
        Ok(make(ExprKind::Cond(Box::new(cond), Box::new(then), Box::new(other)), span))
    }

    /// Precedence climbing: binary operators of precedence `least` and above.
    pub(super) fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let from = self.at;
        let mut left = self.unary()?;
        left = self.through(left)?;
        let mut chain = 0;
        loop {
            if self.ends_template_argument() {
                return Ok(left);
            }
            self.join(">>", ">");
            let token = self.peek().clone();
            let Some((op, level)) = binary_operator(&token.text).filter(|(_, l)| *l >= least)
            else {
                return Ok(left);
            };
            if token.kind != Kind::Punct {
                return Ok(left);
            }
            self.next();
            chain += 1;
            self.bound(chain)?;
            if self.is("...") {
                left = self.fold(Some(op), left, from)?;
                continue;
            }
            let right = self.nested(|p| p.binary(level + 1))?;
            let span = left.span.to(right.span);
            left = make(ExprKind::Binary(op, Box::new(left), Box::new(right)), span);
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        self.nested(Self::unary_inner)
    }

    fn unary_inner(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        let op = match &*token.text {
            _ if token.kind != Kind::Punct => None,
            "+" => Some(UnaryOp::Plus),
            "-" => Some(UnaryOp::Minus),
            "!" => Some(UnaryOp::Not),
            "~" => Some(UnaryOp::BitNot),
            "*" => Some(UnaryOp::Deref),
            "&" => Some(UnaryOp::AddressOf),
            "++" => Some(UnaryOp::PreInc),
            "--" => Some(UnaryOp::PreDec),
            _ => None,
        };
        if let Some(op) = op {
            self.next();
            let inner = self.unary()?;
            let span = token.span.to(inner.span);
            return Ok(make(ExprKind::Unary(op, Box::new(inner)), span));
        }
        if token.is("(") && self.cast_ahead() {
            self.next();
            let ty = self.type_name()?;
            self.close(")", token.span)?;
            if self.is("{") {
                let list = self.braced_list()?;
                let span = token.span.to(list.span);
                return Ok(match list.kind {
                    ExprKind::List(items) => make(ExprKind::Construct(ty, items, true), span),
                    _ => make(ExprKind::Construct(ty, vec![list], true), span),
                });
            }
            let inner = self.unary()?;
            let span = token.span.to(inner.span);
            return Ok(make(ExprKind::Cast(CastStyle::C, ty, Box::new(inner)), span));
        }
        if matches!(&*token.text, "alignof" | "__alignof" | "__alignof__") {
            self.next();
            let inner = self.alignment()?;
            return Ok(Expr { span: token.span.to(self.last_span()), ..inner });
        }
        if token.is_word("offsetof") && self.ahead(1).is("(") {
            return self.offset_of();
        }
        if token.is_word("sizeof") {
            return self.sizeof();
        }
        match &*token.text {
            _ if token.kind != Kind::Ident => {}
            "noexcept" => {
                self.next();
                let open = self.expect("(")?;
                let inner = self.nested(Self::expression)?;
                let span = token.span.to(self.close(")", open)?);
                return Ok(make(ExprKind::Noexcept(Box::new(inner)), span));
            }
            "new" => return self.new_object(),
            "delete" => {
                self.next();
                let array = self.is("[") && self.ahead(1).is("]");
                self.at += if array { 2 } else { 0 };
                let inner = self.unary()?;
                let span = token.span.to(inner.span);
                return Ok(make(ExprKind::Delete(Box::new(inner), array), span));
            }
            "throw" => {
                self.next();
                let none = self.is(";") || self.is(")") || self.is(":") || self.is(",");
                let value = if none { None } else { Some(Box::new(self.assignment()?)) };
                let span = token.span.to(self.last_span());
                return Ok(make(ExprKind::Throw(value), span));
            }
            _ => {}
        }
        if let Some(what) = refused_operator(&token.text).filter(|_| token.kind == Kind::Ident) {
            return Err(self.unsupported(token.span, what));
        }
        self.postfix()
    }

    /// Whether the `(` here opens a cast, by lookahead.
    pub(super) fn cast_ahead(&mut self) -> bool {
        self.at += 1;
        let ty = self.at_type();
        let constructs = if ty && self.peek().kind == Kind::Ident {
            // `(int(x))`, `(float4{..})`: a construction in parentheses.
            let (used, whole) = self.type_ahead();
            let after = self.ahead(used);
            !whole || (after.is("(") && !self.abstract_pointer(used + 1)) || after.is("{")
        } else {
            false
        };
        self.at -= 1;
        ty && !constructs
    }

    /// Whether the tokens from there on are `*)`, `&)`: of a type such as `int (*)[4]`.
    fn abstract_pointer(&self, mut at: usize) -> bool {
        let first = at;
        while self.ahead(at).is("*") || self.ahead(at).is("&") || self.ahead(at).is("&&") {
            at += 1;
        }
        at > first && self.ahead(at).is(")")
    }

    /// `offsetof(S, a.b)`
    fn offset_of(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let open = self.expect("(")?;
        let ty = self.type_name()?;
        self.expect(",")?;
        let mut members = vec![self.name("a member")?.0];
        while self.eat(".") {
            members.push(self.name("a member")?.0);
        }
        if self.is("[") {
            let at = self.span();
            return Err(self.unsupported(at, "`offsetof` of an element of an array"));
        }
        self.close(")", open)?;
        Ok(make(ExprKind::Offsetof(ty, members), start.to(self.last_span())))
    }

    fn sizeof(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        if self.eat("...") {
            let open = self.expect("(")?;
            let from = self.at;
            let (name, _) = self.name("a pack's name")?;
            self.close_names(from);
            let end = self.close(")", open)?;
            return Ok(make(ExprKind::SizeofPack(name), start.to(end)));
        }
        if self.is("(") && self.cast_ahead() {
            let open = self.next().span;
            let ty = self.type_name()?;
            let end = self.close(")", open)?;
            return Ok(make(ExprKind::SizeofType(ty), start.to(end)));
        }
        let inner = self.unary()?;
        let span = start.to(inner.span);
        Ok(make(ExprKind::SizeofExpr(Box::new(inner)), span))
    }

    /// `object.*p`, `pointer->*p`: what the pointer to a member means for the object.
    fn through(&mut self, mut object: Expr) -> Parsed<Expr> {
        while self.is(".*") || self.is("->*") {
            let arrow = self.next().is("->*");
            let pointer = self.unary()?;
            let span = object.span.to(pointer.span);
            if arrow {
                let at = object.span;
                object = make(ExprKind::Unary(UnaryOp::Deref, Box::new(object)), at);
            }
            let function = Box::new(make(ExprKind::Name("__through".into(), None), span));
            object = make(ExprKind::Call(function, vec![object, pointer]), span);
        }
        Ok(object)
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut left = self.primary()?;
        let mut chain = 0;
        loop {
            self.join("<<", "<");
            let token = self.peek().clone();
            if token.kind != Kind::Punct {
                return Ok(left);
            }
            chain += 1;
            self.bound(chain)?;
            match &*token.text {
                "(" => {
                    self.next();
                    let (arguments, end) = self.arguments(token.span, ")")?;
                    let span = left.span.to(end);
                    left = make(ExprKind::Call(Box::new(left), arguments), span);
                }
                "<<<" => {
                    self.next();
                    let (shape, _) = self.nested(|p| p.arguments(token.span, ">>>"))?;
                    let open = self.expect("(")?;
                    let (arguments, end) = self.nested(|p| p.arguments(open, ")"))?;
                    let span = left.span.to(end);
                    let kernel = Box::new(left);
                    left = make(ExprKind::Launch(kernel, token.span, shape, arguments), span);
                }
                "[" => {
                    self.next();
                    let index = self.expression()?;
                    let end = self.close("]", token.span)?;
                    let span = left.span.to(end);
                    left = make(ExprKind::Index(Box::new(left), Box::new(index)), span);
                }
                "." | "->" => {
                    self.next();
                    left = self.member_of(left, token.is("->"))?;
                }
                "++" | "--" => {
                    self.next();
                    let op = if token.is("++") { UnaryOp::PostInc } else { UnaryOp::PostDec };
                    let span = left.span.to(token.span);
                    left = make(ExprKind::Unary(op, Box::new(left)), span);
                }
                _ => return Ok(left),
            }
        }
    }

    /// Joins `<< <` and `>> >` after an operand into the brackets of a launch. They have no other
    /// meaning there, nvcc accepts them, and some formatters write them.
    fn join(&mut self, first: &str, second: &str) {
        if !self.is(first) || !self.ahead(1).is(second) {
            return;
        }
        let end = self.ahead(1).span;
        let at = self.at;
        if let Some(token) = self.tokens.get_mut(at) {
            token.text = format!("{first}{second}").into();
            token.span = token.span.to(end);
            self.tokens.remove(at + 1);
        }
    }

    /// A member, after `.` or `->`.
    fn member_of(&mut self, object: Expr, arrow: bool) -> Parsed<Expr> {
        let start = object.span;
        if self.eat("~") {
            let ty = self.type_specifier()?;
            let open = self.expect("(")?;
            let end = self.close(")", open)?;
            return Ok(make(ExprKind::Destroy(Box::new(object), arrow), start.to(ty.span).to(end)));
        }
        if self.is_word("operator") && self.converts() {
            return self.conversion_called(object, arrow);
        }
        let template = self.eat_word("template");
        let (mut last, mut at) = self.function_name()?;
        let mut name = Path::from(last);
        while self.is("::") {
            // `p->Base::f()`
            self.next();
            let end;
            (last, end) = self.function_name()?;
            name = name.join(last);
            at = at.to(end);
        }
        let span = start.to(at);
        let known = template
            || (!name.is_qualified()
                && self.method_templates.contains(&last)
                && self.is_called_with_arguments());
        let member = make(ExprKind::Member(Box::new(object), name, at, arrow), span);
        if known && self.is("<") {
            let arguments = self.template_arguments()?;
            let span = start.to(self.last_span());
            return Ok(make(ExprKind::MemberTemplate(Box::new(member), arguments), span));
        }
        Ok(member)
    }

    /// `operator int()` after `.` or `->`: the conversion of the object.
    fn conversion_called(&mut self, object: Expr, arrow: bool) -> Parsed<Expr> {
        let start = object.span;
        self.next();
        let ty = self.type_specifier()?;
        let ty = self.pointers(ty)?;
        let open = self.expect("(")?;
        let span = start.to(self.close(")", open)?);
        let object = match arrow {
            true => make(ExprKind::Unary(UnaryOp::Deref, Box::new(object)), start),
            false => object,
        };
        Ok(make(ExprKind::Cast(CastStyle::Static, ty, Box::new(object)), span))
    }

    /// Arguments up to `close`, which is consumed; returns its span, too.
    pub(super) fn arguments(&mut self, open: Span, close: &str) -> Parsed<(Vec<Expr>, Span)> {
        let mut arguments = Vec::new();
        while !self.is(close) {
            let from = self.at;
            let argument = self.assignment()?;
            arguments.push(self.perhaps_expanded(argument, from));
            if !self.eat(",") {
                break;
            }
        }
        let end = self.close(close, open)?;
        Ok((arguments, end))
    }
}
