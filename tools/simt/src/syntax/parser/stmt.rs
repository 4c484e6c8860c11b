//! Statements, by recursive descent: the first tokens select the production.

use super::super::ast::{Expr, ExprKind, Handler, Stmt, StmtKind};
use super::super::foreign::foreign;
use super::super::token::Kind;
use super::type_words::is_type_word;
use super::{Meaning, Parsed, Parser, is_keyword};
use crate::diagnostic::{Diagnostic, Span};
use std::collections::HashMap;

fn make(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

impl Parser<'_> {
    /// `{ .. }`. After an error the parser continues at the next statement.
    pub(super) fn block(&mut self) -> Parsed<Stmt> {
        let open = self.expect("{")?;
        self.scopes.push(HashMap::new());
        let using = self.using.len();
        let mut body = Vec::new();
        while !self.is("}") && !self.at_end() {
            let before = self.at;
            match self.statement() {
                Ok(stmt) => body.push(stmt),
                Err(_) => {
                    self.recover();
                    if self.at == before {
                        self.next();
                    }
                }
            }
        }
        self.scopes.pop();
        self.using.truncate(using);
        let end =
            if self.errors > 0 && self.at_end() { self.span() } else { self.close("}", open)? };
        Ok(make(StmtKind::Block(body), open.to(end)))
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(Self::statement_inner)
    }

    /// The body of an `if` or loop. It is a scope, with or without braces.
    fn body(&mut self) -> Parsed<Box<Stmt>> {
        self.scopes.push(HashMap::new());
        let body = self.labelled_body();
        self.scopes.pop();
        Ok(Box::new(body?))
    }

    /// A statement with the labels of a `switch` before it.
    fn labelled_body(&mut self) -> Parsed<Stmt> {
        let mut all = vec![self.statement()?];
        while all
            .last()
            .is_some_and(|last| matches!(last.kind, StmtKind::Case(_) | StmtKind::Default))
            && !self.is("}")
        {
            all.push(self.statement()?);
        }
        let span = all[0].span.to(self.last_span());
        Ok(if all.len() == 1 { all.swap_remove(0) } else { make(StmtKind::Several(all), span) })
    }

    fn statement_inner(&mut self) -> Parsed<Stmt> {
        let token = self.peek().clone();
        let start = token.span;
        if token.is("{") {
            return self.block();
        }
        if self.eat(";") {
            return Ok(make(StmtKind::Empty, start));
        }
        if token.is("[") && self.ahead(1).is("[") {
            self.attribute()?;
            return self.statement();
        }
        if token.kind == Kind::Ident
            && self.ahead(1).is(":")
            && !self.ahead(1).is("::")
            && !["default", "enum", "struct", "class", "union"]
                .iter()
                .any(|word| token.is_word(word))
        {
            return self.labelled_statement();
        }
        if token.kind != Kind::Ident {
            return self.expression_statement();
        }
        if let Some(bracket) = self.defines_function() {
            return Err(self.function_inside(bracket));
        }
        match &*token.text {
            "if" => self.if_statement(),
            "while" => self.while_statement(),
            "do" => self.do_statement(),
            "for" => self.for_statement(),
            "switch" => self.switch_statement(),
            "case" | "default" => self.case_label(),
            "break" | "continue" | "return" | "goto" => self.jump_statement(),
            "try" => self.try_statement(),
            "asm" | "__asm__" | "__asm" => self.assembly(),
            "using" | "typedef" | "struct" | "class" | "union" | "enum" | "static_assert"
            | "_Static_assert" => self.local_declaration(),
            "namespace" => {
                let mut none = Vec::new();
                self.namespace(&mut none)?;
                Ok(make(StmtKind::Empty, start))
            }
            "extern" if self.declares_function() => {
                // A local function declaration is dropped: the function is declared at file level,
                // too, or is never called.
                let mut none = Vec::new();
                self.declaration(Vec::new(), &mut none)?;
                Ok(make(StmtKind::Empty, start.to(self.last_span())))
            }
            "__shared__" | "static" | "const" | "volatile" if self.stored_class_ahead() => {
                self.local_declaration()
            }
            // `int f();` in a function, likewise.
            _ if self.declares_empty_function() && self.at_declaration() => {
                let mut name = self.peek().text;
                while !self.eat(";") {
                    let token = self.next();
                    name = if token.kind == Kind::Ident { token.text } else { name };
                }
                if let Some(space) = self.namespaces.last() {
                    let whole = space.join(name);
                    self.scopes[0].entry(whole).or_insert(Meaning::Other);
                }
                Ok(make(StmtKind::Empty, start.to(self.last_span())))
            }
            _ if self.binding_ahead() => {
                let bind = self.binding()?;
                self.expect(";")?;
                Ok(make(bind, start.to(self.last_span())))
            }
            _ if self.at_declaration() => {
                let variables = self.variables()?;
                Ok(make(StmtKind::Declare(variables), start.to(self.last_span())))
            }
            _ => self.expression_statement(),
        }
    }

    /// `name: statement`
    fn labelled_statement(&mut self) -> Parsed<Stmt> {
        let token = self.next();
        self.next();
        let label = make(StmtKind::Label(token.text), token.span);
        if self.is("}") {
            return Ok(label);
        }
        let stmt = self.statement()?;
        let span = token.span.to(stmt.span);
        Ok(make(StmtKind::Several(vec![label, stmt]), span))
    }

    fn while_statement(&mut self) -> Parsed<Stmt> {
        let start = self.next().span;
        let open = self.expect("(")?;
        self.scopes.push(HashMap::new());
        let cond = self.condition()?;
        self.close(")", open)?;
        let body = self.body()?;
        self.scopes.pop();
        let span = start.to(body.span);
        Ok(make(StmtKind::While(Box::new(cond), body), span))
    }

    fn do_statement(&mut self) -> Parsed<Stmt> {
        let start = self.next().span;
        let body = self.body()?;
        if !self.eat_word("while") {
            return Err(self.expected("`while` after the body of `do`"));
        }
        let open = self.expect("(")?;
        let cond = self.expression()?;
        let end = self.close(")", open)?;
        self.expect(";")?;
        Ok(make(StmtKind::Do(body, cond), start.to(end)))
    }

    fn switch_statement(&mut self) -> Parsed<Stmt> {
        let start = self.next().span;
        let open = self.expect("(")?;
        self.scopes.push(HashMap::new());
        // `switch (int n = f(); n)`, `switch (int n = f())`
        let mut before = Vec::new();
        let mut last = self.condition()?;
        if self.eat(";") {
            before.push(last);
            last = self.condition()?;
        }
        let value = match last.kind {
            StmtKind::Declare(variables) => {
                let name = variables.first().map_or_else(|| "".into(), |v| v.name);
                let span = last.span;
                before.push(make(StmtKind::Declare(variables), span));
                Expr { kind: ExprKind::Name(name, None), span }
            }
            StmtKind::Expr(value) => value,
            _ => return Err(self.expected("a value")),
        };
        self.close(")", open)?;
        let body = self.body()?;
        self.scopes.pop();
        let span = start.to(body.span);
        let whole = make(StmtKind::Switch(value, body), span);
        if before.is_empty() {
            return Ok(whole);
        }
        before.push(whole);
        Ok(make(StmtKind::Block(before), span))
    }

    /// `case value:` or `default:`
    fn case_label(&mut self) -> Parsed<Stmt> {
        let word = self.next();
        let kind = match word.is_word("case") {
            true => StmtKind::Case(self.conditional()?),
            false => StmtKind::Default,
        };
        let end = self.expect(":")?;
        Ok(make(kind, word.span.to(end)))
    }

    /// `break`, `continue`, `return` and `goto`.
    fn jump_statement(&mut self) -> Parsed<Stmt> {
        let word = self.next();
        let (kind, end) = match &*word.text {
            "break" => (StmtKind::Break, word.span),
            "continue" => (StmtKind::Continue, word.span),
            "return" => {
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                (StmtKind::Return(value), self.last_span())
            }
            _ => {
                let (name, span) = self.name("a label")?;
                (StmtKind::Goto(name), span)
            }
        };
        self.expect(";")?;
        Ok(make(kind, word.span.to(end)))
    }

    /// Whether a function is defined here: `int main() {`. The distance to its name.
    fn defines_function(&self) -> Option<usize> {
        const OTHER: [&str; 10] =
            ["if", "while", "for", "switch", "catch", "return", "case", "else", "new", "throw"];
        let is_word = |at: usize| {
            let token = self.ahead(at);
            token.kind == Kind::Ident && !OTHER.contains(&&*token.text) || token.is("*")
        };
        let words = (0..8).take_while(|at| is_word(*at)).count();
        let name = words.checked_sub(1).filter(|at| *at > 0)?;
        let token = self.ahead(name);
        if token.kind != Kind::Ident || super::is_keyword(&token.text) || !self.ahead(words).is("(")
        {
            return None;
        }
        let mut nesting = 0;
        for at in words..words + 256 {
            match &*self.ahead(at).text {
                "(" => nesting += 1,
                ")" if nesting == 1 => return self.ahead(at + 1).is("{").then_some(name),
                ")" => nesting -= 1,
                ";" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }

    /// Reports a function in a function, which is most often a `}` that is missing before it.
    fn function_inside(&mut self, name: usize) -> super::Reported {
        let token = self.ahead(name).clone();
        let message = format!("the function `{}` begins inside of another", token.text);
        let mut diagnostic = Diagnostic::error("syntax", token.span, message)
            .with_help("is a `}` missing before it?");
        if let Some((outer, open)) = self.body_of {
            diagnostic = diagnostic.with_label(open, format!("the body of `{outer}` begins here"));
        }
        self.report(diagnostic)
    }

    /// Whether a type, a name and `();` come.
    fn declares_empty_function(&self) -> bool {
        let mut at = 0;
        while self.ahead(at).kind == Kind::Ident
            || ["::", "*", "&"].iter().any(|sign| self.ahead(at).is(sign))
        {
            at += 1;
        }
        let end = ["(", ")", ";"];
        if at < 2 || !end.iter().enumerate().all(|(i, sign)| self.ahead(at + i).is(sign)) {
            return false;
        }
        let (name, before) = (self.ahead(at - 1), self.ahead(at - 2));
        name.kind == Kind::Ident
            && !is_keyword(&name.text)
            && !before.is("::")
            && (before.kind != Kind::Ident
                || !is_keyword(&before.text)
                || is_type_word(&before.text))
    }

    /// Whether a declaration after `extern` is a function's: a `(` comes before any `;`, `=` or
    /// `[`. Those of alignments and attributes do not count.
    fn declares_function(&self) -> bool {
        let (mut nesting, mut own) = (0, false);
        for at in 1..32 {
            match &*self.ahead(at).text {
                "__align__" | "alignas" | "__attribute__" => own = true,
                "(" if own || nesting > 0 => (nesting, own) = (nesting + 1, false),
                ")" if nesting > 0 => nesting -= 1,
                _ if nesting > 0 => {}
                "(" => return true,
                ";" | "=" | "[" => return false,
                _ => own = false,
            }
        }
        false
    }

    fn expression_statement(&mut self) -> Parsed<Stmt> {
        // `Foo x;` with an unknown `Foo`: report the type, and not a missing `;` after it.
        let token = self.peek().clone();
        let (name, used) =
            if token.kind == Kind::Ident { self.qualified_ahead() } else { (token.text.into(), 0) };
        let pointer = usize::from(self.ahead(used).is("*") || self.ahead(used).is("&"));
        let declares = used > 0
            && !super::is_keyword(&token.text)
            && matches!(self.meaning(name), Meaning::Variable | Meaning::Other)
            && self.ahead(used + pointer).kind == Kind::Ident
            && (self.ahead(used + pointer + 1).is(";") || self.ahead(used + pointer + 1).is("="))
            && (pointer == 0 || self.ahead(used + pointer + 1).is("="));
        // `std::thread t(f);` without the header.
        let made = used > 0
            && self.ahead(used).kind == Kind::Ident
            && !is_keyword(&self.ahead(used).text)
            && (self.ahead(used + 1).is("(") || self.ahead(used + 1).is("{"))
            && !self.scopes.iter().any(|scope| scope.contains_key(&name))
            && (foreign(name).is_some() || self.lacks_std(name, token.span).is_some());
        if declares || made {
            let ty = self.type_specifier();
            ty?;
        }
        let value = self.expression()?;
        let span = value.span;
        self.expect(";")?;
        Ok(make(StmtKind::Expr(value), span))
    }

    /// The condition of `if`, `while`, `for`: an expression, or a declaration with a value.
    fn condition(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        if self.binding_ahead() {
            let bind = self.binding()?;
            return Ok(make(bind, start.to(self.last_span())));
        }
        if self.at_declaration() {
            let storage = self.storage()?;
            let base = self.type_specifier()?;
            let variable = self.declarator(base, storage)?;
            return Ok(make(StmtKind::Declare(vec![variable]), start.to(self.last_span())));
        }
        let value = self.expression()?;
        let span = value.span;
        Ok(make(StmtKind::Expr(value), span))
    }

    fn if_statement(&mut self) -> Parsed<Stmt> {
        let start = self.next().span;
        let constant = self.eat_word("constexpr");
        let open = self.expect("(")?;
        self.scopes.push(HashMap::new());
        let mut cond = self.condition()?;
        let mut init = None;
        if matches!(cond.kind, StmtKind::StructuredBinding(..)) && !self.is(";") {
            self.expect(";")?;
        }
        if self.eat(";") {
            init = Some(Box::new(cond));
            cond = self.condition()?;
        }
        self.close(")", open)?;
        let then = self.body()?;
        let other = if self.eat_word("else") { Some(self.body()?) } else { None };
        self.scopes.pop();
        let end = other.as_ref().map_or(then.span, |o| o.span);
        Ok(make(StmtKind::If { constant, init, cond: Box::new(cond), then, other }, start.to(end)))
    }

    fn for_statement(&mut self) -> Parsed<Stmt> {
        let start = self.next().span;
        let open = self.expect("(")?;
        self.scopes.push(HashMap::new());
        let init = if self.is(";") {
            make(StmtKind::Empty, self.next().span)
        } else if self.binding_ahead() {
            let at = self.span();
            let bind = self.binding()?;
            if !self.is(":") {
                self.expect(";")?;
            }
            make(bind, at.to(self.last_span()))
        } else if self.at_declaration() {
            let at = self.span();
            let variables = self.variables_or_range()?;
            make(StmtKind::Declare(variables), at.to(self.last_span()))
        } else {
            self.expression_statement()?
        };
        if self.eat(":") {
            let range = self.expression_or_list()?;
            self.close(")", open)?;
            let body = self.body()?;
            self.scopes.pop();
            let span = start.to(body.span);
            return Ok(make(StmtKind::Range { variable: Box::new(init), range, body }, span));
        }
        if self.range_ahead() {
            // `for (int i = 0; T x : range)`
            let at = self.span();
            let kind = match self.binding_ahead() {
                true => self.binding()?,
                false => StmtKind::Declare(self.variables_or_range()?),
            };
            let variable = Box::new(make(kind, at.to(self.last_span())));
            self.expect(":")?;
            let range = self.expression_or_list()?;
            self.close(")", open)?;
            let body = self.body()?;
            self.scopes.pop();
            let span = start.to(body.span);
            let made = make(StmtKind::Range { variable, range, body }, span);
            return Ok(make(StmtKind::Block(vec![init, made]), span));
        }
        let cond = if self.is(";") { None } else { Some(Box::new(self.condition()?)) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.close(")", open)?;
        let body = self.body()?;
        self.scopes.pop();
        let span = start.to(body.span);
        Ok(make(StmtKind::For { init: Box::new(init), cond, step, body }, span))
    }

    fn expression_or_list(&mut self) -> Parsed<super::super::ast::Expr> {
        if self.is("{") { self.braced_list() } else { self.expression() }
    }

    /// Whether `T x : range)` of a `for` begins here.
    fn range_ahead(&self) -> bool {
        if !self.binding_ahead() && !self.at_declaration() {
            return false;
        }
        let ends = [":", ";", "(", ")", "{", "?", "="];
        let stop = (0..64).find(|at| ends.iter().any(|end| self.ahead(*at).is(end)));
        stop.is_some_and(|at| self.ahead(at).is(":"))
    }

    /// Whether a structured binding, `auto [a, b]`, begins here.
    fn binding_ahead(&self) -> bool {
        let mut at = 0;
        while matches!(&*self.ahead(at).text, "const" | "static" | "constexpr") {
            at += 1;
        }
        if !self.ahead(at).is_word("auto") {
            return false;
        }
        at += 1;
        while self.ahead(at).is_word("const") {
            at += 1;
        }
        if self.ahead(at).is("&") || self.ahead(at).is("&&") {
            at += 1;
        }
        self.ahead(at).is("[")
    }

    /// A structured binding, `auto& [a, b] = e`; in a range-based `for` it has no value.
    fn binding(&mut self) -> Parsed<StmtKind> {
        self.storage()?;
        let base = self.type_specifier()?;
        let ty = self.pointers(base)?;
        let open = self.expect("[")?;
        let mut names = Vec::new();
        while !self.is("]") {
            let (name, span) = self.name("a name")?;
            self.declare(name, Meaning::Other);
            names.push((name, span));
            if !self.eat(",") {
                break;
            }
        }
        let end = self.close("]", open)?;
        let value = match self.initializer()? {
            super::super::ast::Init::Expr(value) => value,
            super::super::ast::Init::Paren(mut all) if all.len() == 1 => all.swap_remove(0),
            _ if self.is(":") => {
                super::super::ast::Expr { kind: super::super::ast::ExprKind::Null, span: end }
            }
            _ => return Err(self.expected("a value to bind the names to")),
        };
        Ok(StmtKind::StructuredBinding(ty, names, value))
    }

    /// `try { .. } catch (const E& e) { .. } catch (...) { .. }`
    fn try_statement(&mut self) -> Parsed<Stmt> {
        let start = self.next().span;
        let made = self.handlers_of_block()?;
        Ok(Stmt { span: start.to(made.span), ..made })
    }

    /// The block of a `try`, and its handlers.
    pub(super) fn handlers_of_block(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let body = self.block()?;
        let mut handlers = Vec::new();
        while self.eat_word("catch") {
            let open = self.expect("(")?;
            self.scopes.push(HashMap::new());
            let variable = if self.eat("...") {
                None
            } else {
                let storage = self.storage()?;
                let base = self.type_specifier()?;
                Some(self.parameter(base, storage, self.at)?)
            };
            self.close(")", open)?;
            let body = self.block()?;
            self.scopes.pop();
            handlers.push(Handler { variable, body });
        }
        if handlers.is_empty() {
            return Err(self.expected("`catch` after the block of `try`"));
        }
        let span = start.to(self.last_span());
        Ok(make(StmtKind::Try(Box::new(body), handlers), span))
    }

    /// Skips an attribute, such as `[[maybe_unused]]`: they change no result.
    pub(super) fn attribute(&mut self) -> Parsed<()> {
        let open = self.expect("[")?;
        self.expect("[")?;
        while !self.is("]") && !self.at_end() {
            self.next();
        }
        self.expect("]")?;
        self.close("]", open)?;
        Ok(())
    }
}
