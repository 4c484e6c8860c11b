//! Inline assembly: the operands of an `asm` statement and their constraints.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::constexpr::evaluation;
use crate::sema::tree::{Asm, AsmOperand, Expr, ExprKind, Stmt};
use crate::sema::{Checked, Side};
use crate::syntax::ast;
use simt_ptx::Constraint;

/// The letters of constraints, for messages.
const LETTERS: &str = "`h` (16 bits), `r` (32), `l` (64), `f` (float), `d` (double), `n` (constant), `C` (constant text)";

impl Body<'_, '_> {
    pub(in crate::sema) fn assembly(&mut self, ast: &ast::Asm, span: Span) -> Checked<Stmt> {
        let mut operands = Vec::new();
        let mut text = std::borrow::Cow::Borrowed(&*ast.text);
        for (output, all) in [(true, &ast.outputs), (false, &ast.inputs)] {
            for operand in all {
                if self.side == Side::Host {
                    // An `asm` without instructions keeps the host's optimiser from what it names;
                    // the constraints are those of its processor.
                    self.expr(&operand.value)?;
                } else if operand.constraint == "C" && !output {
                    let part = self.asm_text(&operand.value)?;
                    text = std::borrow::Cow::Owned(text.with_operand(operands.len(), &part));
                    operands.push(Self::no_operand(operand.value.span));
                } else {
                    operands.push(self.asm_operand(operand, output)?);
                }
            }
        }
        let written = ast.outputs.iter().chain(&ast.inputs);
        let names: Vec<_> = written.map(|o| o.name.map(|name| name.to_string())).collect();
        match simt_ptx::parse(&text, &names) {
            Ok(program) if self.side == Side::Host && !program.is_empty() => {
                self.sema.unsupported(span, "inline assembly in host code")
            }
            Ok(program) => {
                // The checks of `wgmma` find its registers in memory.
                for number in program.product_registers() {
                    if let Some(operand) = operands.get(number).filter(|one| one.value.place) {
                        self.mark_addressed(&operand.value);
                    }
                }
                Ok(Stmt::Asm(Box::new(Asm { program, operands, span })))
            }
            // On the host it may be an assembly of another language.
            Err(_) if self.side == Side::Host => {
                self.sema.unsupported(span, "inline assembly in host code")
            }
            Err(mistake) => {
                self.sema.report_if_emitted(*mistake);
                let program = simt_ptx::Program::empty(span);
                Ok(Stmt::Asm(Box::new(Asm { program, operands, span })))
            }
        }
    }

    /// The characters of a constant array, which become a part of the text.
    fn asm_text(&mut self, e: &ast::Expr) -> Checked<Vec<u8>> {
        let value = self.expr(e)?;
        let (types, known) = (&self.sema.types, &self.sema.storage.constants);
        let found = evaluation::value(types, known, &self.constants, &value);
        let characters = match found.map(|found| found.kind) {
            Some(ExprKind::Make(parts)) => parts.iter().map(Expr::as_int).collect::<Option<_>>(),
            _ => None,
        };
        let Some(characters) = characters else {
            let message = "the constraint `C` needs a constant array of characters";
            let diagnostic = Diagnostic::error("asm", e.span, message)
                .with_help("name it: `static constexpr char mode[] = \".rn\";`");
            self.sema.report(diagnostic);
            return Err(Reported);
        };
        let characters: Vec<i128> = characters;
        Ok(characters.into_iter().map(|c| c as u8).take_while(|byte| *byte != 0).collect())
    }

    /// What stands for an operand whose text was put in place of its number.
    fn no_operand(span: Span) -> AsmOperand {
        let value = Self::int(0, ast::Prim::LongLong, span);
        AsmOperand { constraint: Constraint::Immediate, output: false, input: true, value }
    }

    fn asm_operand(&mut self, ast: &ast::AsmOperand, output: bool) -> Checked<AsmOperand> {
        let text = &ast.constraint;
        let letters = text.trim_start_matches(['=', '+', '&']);
        let prefix = &text[..text.len() - letters.len()];
        let mut only = letters.chars();
        let known = only.next().and_then(Constraint::of).filter(|_| only.next().is_none());
        let Some(constraint) = known else {
            let message = format!("no constraint `{text}` of an `asm` in PTX");
            let diagnostic = Diagnostic::error("asm", ast.span, message)
                .with_help(format!("the constraints are {LETTERS}"));
            self.sema.report(diagnostic);
            return Err(Reported);
        };
        let right_prefix = match output {
            true => matches!(prefix, "=" | "+" | "=&" | "+&"),
            false => prefix.is_empty(),
        };
        if !right_prefix || output && constraint == Constraint::Immediate {
            let help = match output {
                true => "an output begins with `=` (written) or `+` (read and written)",
                false => "`=`, `+` and `&` are for outputs, which stand before the second colon",
            };
            let message = format!("`{text}` is no constraint of an {}", side(output));
            self.sema.report(Diagnostic::error("asm", ast.span, message).with_help(help));
            return Err(Reported);
        }
        let value = self.asm_value(ast, output, constraint)?;
        Ok(AsmOperand { constraint, output, input: !output || prefix.contains('+'), value })
    }

    fn asm_value(
        &mut self,
        ast: &ast::AsmOperand,
        output: bool,
        constraint: Constraint,
    ) -> Checked<Expr> {
        let span = ast.value.span;
        if constraint == Constraint::Immediate {
            let value = self.constant_int(&ast.value)?;
            return Ok(Self::int(value, ast::Prim::LongLong, span));
        }
        if !output {
            let value = self.rvalue(&ast.value)?;
            return self.fitting(value, ast, constraint);
        }
        let place = self.expr(&ast.value)?;
        if self.bits_of(&place).is_some() {
            return self.sema.unsupported(span, "a bit-field as an output of an `asm`");
        }
        let place = self.fitting(place, ast, constraint)?;
        self.writable(&place, span)?;
        Ok(place)
    }

    /// Checks that the type of an operand is that of its constraint, as NVCC does.
    fn fitting(
        &mut self,
        value: Expr,
        ast: &ast::AsmOperand,
        constraint: Constraint,
    ) -> Checked<Expr> {
        let scalar = self.sema.types.scalar(&value.ty);
        let fits = scalar.is_some_and(|prim| {
            prim.size() == u64::from(constraint.bytes())
                && (prim.is_integer() != constraint.is_float())
        });
        if fits {
            return Ok(value);
        }
        let spelled = self.sema.types.spell(&value.ty);
        let message = format!("a `{spelled}` does not fit the constraint `{}`", ast.constraint);
        let diagnostic = Diagnostic::error("asm", ast.value.span, message)
            .with_help(format!("the constraints are {LETTERS}; convert the operand, or its bits"))
            .with_label(ast.span, "the constraint");
        self.sema.report(diagnostic);
        Err(Reported)
    }
}

fn side(output: bool) -> &'static str {
    if output { "output" } else { "input" }
}
