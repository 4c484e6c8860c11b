//! The parser, by recursive descent: tokens to statements.

use crate::error::{Lowered, error, error_help, unsupported};
use crate::lexer::{Kind, Token, lex};
use crate::syntax::{Declared, Instruction, Operand, OperandKind, Statement, Word};
use crate::text::Text;
use simt_machine::diagnostic::Span;

/// Blocks within blocks, and operands within operands, at most.
const MAX_DEPTH: usize = 64;

/// Registers of one `.reg` directive at most.
const MAX_REGISTERS: u32 = 4096;

/// Parses the text of an `asm` statement whose operands have these names.
pub(crate) fn parse(text: &Text, names: &[Option<String>]) -> Lowered<Vec<Statement>> {
    let tokens = lex(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, names, depth: 0 };
    let mut out = Vec::new();
    while parser.peek().kind != Kind::End {
        if parser.is("}") {
            return parser.error("`}` without `{`");
        }
        parser.statement(&mut out)?;
    }
    Ok(out)
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    /// The operands of the statement, with their symbolic names.
    names: &'t [Option<String>],
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, n: usize) -> &Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn is(&self, punct: &str) -> bool {
        matches!(self.peek().kind, Kind::Punct(found) if found == punct)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        self.at += usize::from(found);
        found
    }

    fn error<T>(&self, message: impl Into<String>) -> Lowered<T> {
        error(self.peek().span, message)
    }

    fn expect(&mut self, punct: &str, after: &str) -> Lowered<Span> {
        if self.is(punct) {
            return Ok(self.next().span);
        }
        let found = describe(&self.peek().kind);
        self.error(format!("expected `{punct}` {after}, found {found}"))
    }

    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    fn word(&mut self, what: &str) -> Lowered<Word> {
        match self.peek().kind.clone() {
            Kind::Word(text) => Ok(Word { text, span: self.next().span }),
            found => self.error(format!("expected {what}, found {}", describe(&found))),
        }
    }

    /// Runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        if self.depth >= MAX_DEPTH {
            return self.error(format!("more than {MAX_DEPTH} levels of nesting"));
        }
        self.depth += 1;
        let out = f(self);
        self.depth -= 1;
        out
    }

    fn statement(&mut self, out: &mut Vec<Statement>) -> Lowered<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.is("{") {
            let open = self.next().span;
            let mut body = Vec::new();
            self.nested(|p| {
                while !p.is("}") {
                    if p.peek().kind == Kind::End {
                        return error(open, "this `{` is never closed in the `asm`");
                    }
                    p.statement(&mut body)?;
                }
                Ok(())
            })?;
            self.next();
            out.push(Statement::Block(body));
            return Ok(());
        }
        if self.is(".") {
            out.push(self.directive()?);
            return Ok(());
        }
        if let (Kind::Word(_), Kind::Punct(":")) = (&self.peek().kind, &self.ahead(1).kind) {
            let name = self.word("a label")?;
            self.next();
            out.push(Statement::Label(name));
            return Ok(());
        }
        let instruction = self.instruction()?;
        out.push(Statement::Instruction(instruction));
        Ok(())
    }

    /// `.reg .b32 a, b<4>;`
    fn directive(&mut self) -> Lowered<Statement> {
        let dot = self.next().span;
        let name = self.word("a directive")?;
        let span = dot.to(name.span);
        match name.text.as_str() {
            "reg" => {}
            "pragma" | "loc" | "file" | "local" | "shared" | "global" | "const" | "param"
            | "branchtargets" | "calltargets" | "callprototype" | "version" | "target" | "func"
            | "entry" | "extern" | "visible" => {
                return unsupported(span, format!("the directive `.{}` in an `asm`", name.text));
            }
            other => return error(span, format!("`.{other}` is no directive of PTX")),
        }
        self.expect(".", "and a type after `.reg`")?;
        let ty = self.word("a type")?;
        if matches!(ty.text.as_str(), "v2" | "v4") {
            return unsupported(ty.span, "`.reg` of a vector type");
        }
        let mut names = Vec::new();
        loop {
            let name = self.word("the name of a register")?;
            let count = if self.eat("<") { Some(self.count()?) } else { None };
            names.push(Declared { name, count });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";", "after the registers")?;
        Ok(Statement::Registers { ty, names })
    }

    fn count(&mut self) -> Lowered<u32> {
        let Kind::Int(count) = self.peek().kind else {
            return self.error("expected the number of registers");
        };
        let Some(count) = u32::try_from(count).ok().filter(|n| *n <= MAX_REGISTERS) else {
            return self.error(format!("more than {MAX_REGISTERS} registers in one `.reg`"));
        };
        self.next();
        self.expect(">", "after the number of registers")?;
        Ok(count)
    }

    /// `@!p add.s32 a, b, c;`
    fn instruction(&mut self) -> Lowered<Instruction> {
        let start = self.peek().span;
        let mut guard = None;
        if self.eat("@") {
            let negated = self.eat("!");
            guard = Some((self.operand()?, negated));
        }
        let opcode = self.word("an instruction")?;
        let mut modifiers: Vec<Word> = Vec::new();
        while self.is(".") {
            let dot = self.next().span;
            modifiers.push(self.modifier(dot)?);
        }
        if opcode.text == "call" {
            return unsupported(opcode.span, "`call` in an `asm`");
        }
        let mut operands = Vec::new();
        if !self.is(";") && self.peek().kind != Kind::End {
            loop {
                operands.push(self.operand()?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        if self.peek().kind == Kind::End {
            let after = if operands.is_empty() { "" } else { "the operands of " };
            let message = format!("expected `;` after {after}`{}`", opcode.text);
            let help = "each instruction of an `asm` ends with `;`";
            return error_help(self.last_span(), message, help);
        }
        self.expect(";", &format!("after the operands of `{}`", opcode.text))?;
        let span = start.to(self.last_span());
        Ok(Instruction { guard, opcode, modifiers, operands, span })
    }

    /// `s32`, `shared::cta`, `L2::128B`, after its dot.
    fn modifier(&mut self, dot: Span) -> Lowered<Word> {
        let (mut text, mut span) = match self.peek().kind.clone() {
            Kind::Word(text) => (text, dot.to(self.next().span)),
            found => return self.error(format!("expected a modifier, found {}", describe(&found))),
        };
        while self.is("::") {
            self.next();
            let start = self.peek().span;
            // `128B` is no number.
            let part = match self.peek().kind.clone() {
                Kind::Word(text) => text,
                Kind::Int(value) => value.to_string(),
                found => {
                    return self.error(format!("expected a modifier, found {}", describe(&found)));
                }
            };
            self.next();
            span = span.to(start);
            text = format!("{text}::{part}");
        }
        Ok(Word { text, span })
    }

    fn operand(&mut self) -> Lowered<Operand> {
        let first = self.nested(Self::single)?;
        if !self.eat("|") {
            return Ok(first);
        }
        let second = self.nested(Self::single)?;
        let span = first.span.to(second.span);
        Ok(Operand { kind: OperandKind::Pair(Box::new(first), Box::new(second)), span })
    }

    fn single(&mut self) -> Lowered<Operand> {
        let token = self.next();
        let start = token.span;
        let kind = match token.kind {
            Kind::Int(value) => OperandKind::Int(value),
            Kind::Float(value) => OperandKind::Float(value),
            Kind::Argument(number) => self.argument(number, start)?,
            Kind::Named(name) => {
                let known = self.names.iter().position(|n| n.as_deref() == Some(&*name));
                match known {
                    Some(number) => OperandKind::Argument(number),
                    None => return error(start, format!("no operand is named `[{name}]`")),
                }
            }
            Kind::Word(name) if name == "_" => OperandKind::Sink,
            Kind::Word(name) if name == "WARP_SZ" => OperandKind::Int(32),
            Kind::Word(name) => {
                if self.is(".") {
                    self.next();
                    OperandKind::Component(name, self.word("a component")?.text)
                } else {
                    OperandKind::Name(name)
                }
            }
            Kind::Punct("-") => OperandKind::Negated(Box::new(self.nested(Self::single)?)),
            Kind::Punct("!") => OperandKind::Not(Box::new(self.nested(Self::single)?)),
            Kind::Punct("{") => {
                let mut parts = Vec::new();
                loop {
                    parts.push(self.nested(Self::single)?);
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("}", "after the elements of a vector")?;
                OperandKind::Vector(parts)
            }
            Kind::Punct("[") => self.address()?,
            Kind::Punct("(") => {
                return unsupported(start, "constant expressions in PTX");
            }
            found => {
                return error(start, format!("expected an operand, found {}", describe(&found)));
            }
        };
        Ok(Operand { kind, span: start.to(self.last_span()) })
    }

    fn argument(&self, number: usize, span: Span) -> Lowered<OperandKind> {
        if number < self.names.len() {
            return Ok(OperandKind::Argument(number));
        }
        let message = match self.names.len() {
            0 => format!("`%{number}` refers to an operand, and the `asm` has none"),
            1 => format!("`%{number}` refers to an operand, and the `asm` has one, `%0`"),
            n => format!("`%{number}` refers to an operand; the `asm` has `%0` to `%{}`", n - 1),
        };
        error(span, message)
    }

    /// `[a + 4, {b, c}]`, after the bracket.
    fn address(&mut self) -> Lowered<OperandKind> {
        let base = Box::new(self.nested(Self::single)?);
        let mut offset = 0i64;
        while self.is("+") || self.is("-") {
            let minus = self.next().kind == Kind::Punct("-");
            let negative = minus != self.eat("-");
            let Kind::Int(value) = self.peek().kind else {
                return self.error("expected a number of bytes: the offset in an address");
            };
            self.next();
            let value = value as i64;
            offset = offset.wrapping_add(if negative { value.wrapping_neg() } else { value });
        }
        let mut more = Vec::new();
        while self.eat(",") {
            more.push(self.nested(Self::single)?);
        }
        self.expect("]", "after an address")?;
        Ok(OperandKind::Address { base, offset, more })
    }
}

/// A token in a message.
fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Word(text) => format!("`{text}`"),
        Kind::Int(value) => format!("`{value}`"),
        Kind::Float(_) => "a float".to_string(),
        Kind::Argument(number) => format!("`%{number}`"),
        Kind::Named(name) => format!("`%[{name}]`"),
        Kind::Punct(punct) => format!("`{punct}`"),
        Kind::End => "the end of the `asm`".to_string(),
    }
}
