//! The modifiers of an instruction.

use crate::error::{Lowered, error, unsupported};
use crate::syntax::{Instruction, Word};
use crate::types::Type;
use simt_machine::diagnostic::Span;

/// The modifiers that follow an entry's name and are not read yet. ptxas takes them in any order, so
/// a modifier is found wherever it stands; of several that fit, the first.
pub(crate) struct Modifiers<'i> {
    instruction: &'i Instruction,
    left: Vec<&'i Word>,
}

impl<'i> Modifiers<'i> {
    /// The modifiers that are not in the name of the entry.
    pub(crate) fn new(instruction: &'i Instruction, name: &str) -> Modifiers<'i> {
        let mut left: Vec<&Word> = instruction.modifiers.iter().collect();
        for part in name.split('.').skip(1) {
            if let Some(at) = left.iter().position(|word| word.text == part) {
                left.remove(at);
            }
        }
        Modifiers { instruction, left }
    }

    /// The first modifier that is not read yet.
    pub(crate) fn peek(&self) -> Option<&'i Word> {
        self.left.first().copied()
    }

    /// Reads the first modifier that is not read yet, whatever it is.
    pub(crate) fn word(&mut self) -> Option<&'i Word> {
        let word = self.peek();
        self.left.drain(..usize::from(word.is_some()));
        word
    }

    /// Where it stands, or where the instruction does.
    pub(crate) fn span(&self) -> Span {
        self.peek().map_or(self.instruction.mnemonic_span(), |word| word.span)
    }

    /// Reads the first modifier for which there is a value.
    fn take<T>(&mut self, value: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, value) =
            self.left.iter().enumerate().find_map(|(at, word)| Some((at, value(&word.text)?)))?;
        self.left.remove(at);
        Some(value)
    }

    /// Reads the modifier if it is there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        self.take(|text| (text == name).then_some(())).is_some()
    }

    /// Reads one of the modifiers if one of them is there, and returns what it stands for.
    pub(crate) fn choice<T: Copy>(&mut self, choices: &[(&str, T)]) -> Option<T> {
        self.take(|text| choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value))
    }

    /// Reads one of the modifiers, which must be there.
    pub(crate) fn required<T: Copy>(&mut self, choices: &[(&str, T)]) -> Lowered<T> {
        match self.choice(choices) {
            Some(value) => Ok(value),
            None => {
                let names = choices.iter().map(|(name, _)| format!("`.{name}`"));
                let names = names.collect::<Vec<_>>().join(", ");
                self.refuse(&format!("expected {names}"))
            }
        }
    }

    /// Reads the first type, which must be there.
    pub(crate) fn ty(&mut self) -> Lowered<Type> {
        match self.take(Type::named) {
            Some(ty) => Ok(ty),
            None => self.refuse("expected a type"),
        }
    }

    /// Reads a type, which must be one of these.
    pub(crate) fn ty_of(&mut self, types: &[Type]) -> Lowered<Type> {
        let found = self.left.iter().find(|word| Type::named(&word.text).is_some());
        let span = found.map_or(self.span(), |word| word.span);
        let ty = self.ty()?;
        if types.contains(&ty) {
            return Ok(ty);
        }
        error(span, format!("`{ty}` is no type of `{}`", self.instruction.opcode.text))
    }

    /// Checks that there are no more.
    pub(crate) fn end(&self) -> Lowered<()> {
        match self.peek() {
            None => Ok(()),
            Some(word) => {
                let opcode = &self.instruction.opcode.text;
                unsupported(word.span, format!("the modifier `.{}` of `{opcode}` here", word.text))
            }
        }
    }

    fn refuse<T>(&self, expected: &str) -> Lowered<T> {
        let opcode = &self.instruction.opcode.text;
        let found = match self.peek() {
            Some(word) => format!("found `.{}`", word.text),
            None => "found nothing more".to_string(),
        };
        error(self.span(), format!("`{opcode}`: {expected}, {found}"))
    }
}
