//! Compiles the text of an `asm` statement into counts: for the tests, and for the fuzzer of `tools/simt/fuzz`.

use simt_machine::diagnostic::Span;
use simt_machine::isa::{Inst, Pc, Preload, Reg};
use simt_ptx::{Argument, Constraint, Target, Text, Value};

/// A builder that keeps nothing but counts.
#[derive(Default)]
pub(crate) struct Counter {
    pub(crate) instructions: usize,
    registers: Reg,
    labels: Pc,
    pub(crate) bound: Vec<Pc>,
    pub(crate) named: Vec<Pc>,
}

impl Target for Counter {
    fn emit(&mut self, _: Span, inst: Inst, _: bool) {
        self.instructions += 1;
        self.named.extend(inst.label());
    }

    fn registers(&mut self, count: u16) -> Reg {
        self.registers = self.registers.next_multiple_of(2).wrapping_add(count);
        self.registers - count
    }

    fn preload(&mut self, _: Preload, wide: bool) -> Reg {
        self.registers(if wide { 2 } else { 1 })
    }

    fn label(&mut self) -> Pc {
        self.labels += 1;
        self.labels - 1
    }

    fn bind(&mut self, label: Pc) {
        self.bound.push(label);
    }

    fn barrier(&mut self) -> u16 {
        0
    }

    fn trap(&mut self, _: &str) -> u16 {
        0
    }

    fn carry(&mut self) -> Reg {
        0
    }
}

/// Compiles a text whose operands are an `r`, an `l`, an `f`, an `h`, and an `n`.
pub(crate) fn compile(text: &str) -> Result<Counter, Box<simt_machine::Diagnostic>> {
    let place = Span { file: 0, start: 100, end: 100 + text.len() as u32 };
    let text = Text::verbatim(text, place);
    let constraints = [
        Constraint::Word,
        Constraint::Long,
        Constraint::Float,
        Constraint::Half,
        Constraint::Immediate,
    ];
    let arguments: Vec<Argument> = (0..)
        .zip(constraints)
        .map(|(number, constraint)| Argument {
            constraint,
            value: match constraint {
                Constraint::Immediate => Value::Constant(8),
                _ => Value::Register(1000 + 2 * number),
            },
            output: number != 1,
        })
        .collect();
    let names = vec![None, Some("wide".to_owned()), None, None, None];
    let mut code = Counter::default();
    let lowered = simt_ptx::parse(&text, &names).and_then(|p| p.lower(&arguments, &mut code));
    match lowered {
        Ok(()) => Ok(code),
        Err(refused) => {
            let span = refused.span;
            assert!(place.start <= span.start && span.end <= place.end, "{span:?}: {refused:?}");
            Err(refused)
        }
    }
}
