//! Inline assembly: `asm volatile ("text" : outputs : inputs : clobbers);`.

use super::super::ast::{Asm, AsmOperand, ExprKind, Stmt, StmtKind};
use super::super::literal;
use super::super::token::Kind;
use super::{Parsed, Parser};
use simt_ptx::Text;
use std::rc::Rc;

/// Operands of one statement at most, as GCC's 30 and NVCC's many more.
const MAX_OPERANDS: usize = 1000;

impl Parser<'_> {
    pub(super) fn assembly(&mut self) -> Parsed<Stmt> {
        let start = self.next().span;
        while matches!(&*self.peek().text, "volatile" | "__volatile__" | "__volatile" | "inline") {
            self.next();
        }
        let open = self.expect("(")?;
        let text = self.text()?;
        let mut parts = [Vec::new(), Vec::new()];
        // `::` is one token and two colons.
        let mut colons = 0usize;
        while colons < 3 {
            if self.eat("::") {
                colons += 2;
            } else if self.eat(":") {
                colons += 1;
            } else {
                break;
            }
            if let (1 | 2, Some(part)) = (colons, parts.get_mut(colons.wrapping_sub(1))) {
                *part = self.operands()?;
            }
        }
        if colons == 3 {
            while self.peek().kind == Kind::Str {
                self.next();
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.close(")", open)?;
        let end = self.expect(";")?;
        let [outputs, inputs] = parts;
        let span = start.to(end);
        Ok(Stmt {
            kind: StmtKind::Asm(Box::new(Asm { text: Rc::new(text), outputs, inputs })),
            span,
        })
    }

    /// Adjacent literals, joined. A token from a macro's body has the span of the macro's use, which
    /// is not as long as the literal; then every byte has that span.
    fn text(&mut self) -> Parsed<Text> {
        if self.peek().kind != Kind::Str {
            return Err(self.expected("a string: the text of the `asm`"));
        }
        let mut text = Text::new(self.span());
        while self.peek().kind == Kind::Str {
            let token = self.next();
            let Some((bytes, places)) = literal::unescape_with_places(&token.text) else {
                return Err(
                    self.error(token.span, "this string has an escape that C++ does not know")
                );
            };
            let verbatim = (token.span.end - token.span.start) as usize == token.text.len();
            for (i, (byte, at)) in bytes.iter().zip(&places).enumerate() {
                let next = places.get(i + 1).copied().unwrap_or(token.text.len() - 1);
                let mut span = token.span;
                if verbatim {
                    span.start = token.span.start + *at as u32;
                    span.end = token.span.start + next.max(at + 1) as u32;
                }
                text.push(*byte, span);
            }
        }
        Ok(text)
    }

    /// `[name] "=r" (x), "r" (y)`; there may be none.
    fn operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut out = Vec::new();
        while self.peek().kind == Kind::Str || self.is("[") {
            let mut name = None;
            if self.is("[") {
                let open = self.next().span;
                name = Some(self.name("the operand's name")?.0);
                self.close("]", open)?;
            }
            let token = self.peek().clone();
            let text = self.string()?;
            let ExprKind::Str(constraint) = &text.kind else {
                return Err(self.error(token.span, "expected the operand's constraint, a string"));
            };
            let constraint = String::from_utf8_lossy(constraint).into_owned();
            let open = self.expect("(")?;
            let value = self.expression()?;
            self.close(")", open)?;
            out.push(AsmOperand { name, constraint, span: token.span, value });
            if out.len() > MAX_OPERANDS {
                return Err(self.error(token.span, "an `asm` has too many operands"));
            }
            if !self.eat(",") {
                break;
            }
        }
        Ok(out)
    }
}
