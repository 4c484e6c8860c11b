//! Scopes: the registers and labels that a block declares.

use crate::error::{Lowered, error};
use crate::syntax::{Statement, Word};
use crate::target::Target;
use crate::types::{Class, Type};
use simt_machine::isa::{Pc, Reg};
use std::collections::HashMap;

/// A register, with the type that it was declared with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Register {
    pub(crate) reg: Reg,
    pub(crate) ty: Type,
}

/// The names of the open blocks, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Scopes(Vec<Scope>);

#[derive(Debug, Default)]
struct Scope {
    registers: HashMap<String, Register>,
    labels: HashMap<String, Pc>,
}

impl Scopes {
    /// Opens the scope of a block. Its labels are known from its start.
    pub(crate) fn open(&mut self, body: &[Statement], target: &mut dyn Target) -> Lowered<()> {
        let mut scope = Scope::default();
        for statement in body {
            if let Statement::Label(name) = statement
                && scope.labels.insert(name.text.clone(), target.label()).is_some()
            {
                return error(name.span, format!("the label `{}` stands twice here", name.text));
            }
        }
        self.0.push(scope);
        Ok(())
    }

    /// Closes the innermost scope.
    pub(crate) fn close(&mut self) {
        self.0.pop();
    }

    /// Declares a register in the innermost scope.
    pub(crate) fn declare(
        &mut self,
        name: &Word,
        suffix: &str,
        ty: Type,
        target: &mut dyn Target,
    ) -> Lowered<()> {
        let reg = target.registers(ty.slots());
        let Some(scope) = self.0.last_mut() else { return Ok(()) };
        let full = format!("{}{suffix}", name.text);
        if scope.registers.insert(full.clone(), Register { reg, ty }).is_some() {
            return error(name.span, format!("the register `{full}` is declared twice"));
        }
        Ok(())
    }

    pub(crate) fn register(&self, name: &str) -> Option<Register> {
        self.0.iter().rev().find_map(|scope| scope.registers.get(name)).copied()
    }

    pub(crate) fn label(&self, name: &str) -> Option<Pc> {
        self.0.iter().rev().find_map(|scope| scope.labels.get(name)).copied()
    }
}

/// The type of a `.reg` directive.
pub(crate) fn register_type(word: &Word) -> Lowered<Type> {
    let refuse = || error(word.span, format!("`.{}` is no type of a register", word.text));
    let Some(ty) = Type::named(&word.text) else { return refuse() };
    if ty.bits == 128 {
        return crate::error::unsupported(word.span, "registers of 128 bits");
    }
    let scalar = ty.class != Class::Float || matches!(ty, Type::F16 | Type::F32 | Type::F64);
    let packed = matches!(ty, Type::F16X2);
    let pair = matches!(ty, Type::U16X2 | Type::S16X2);
    if pair || !scalar && !packed { refuse() } else { Ok(ty) }
}
