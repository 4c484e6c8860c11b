//! `goto`: out of blocks, and forwards or backwards within a list of statements.
//!
//! A label belongs to its list of statements, and a jump comes from that list or from inside one of
//! its statements. So a jump leaves a run of open scopes, as `break` does. A jump backwards also
//! destroys the objects declared after the label: each label saves the depth of the cleanup stack.
//! C++ forbids a jump forwards over an initialised variable. Not done: a jump into a block.

use super::{Label, Lower, Lowered};
use crate::bytecode::{Inst, Reg};
use simt::diagnostic::{Diagnostic, Span};
use simt::sema::tree::Name;
use simt::sema::tree::{Stmt, VarId};

/// A list of statements that is being lowered.
pub(super) struct Labelled {
    /// For each label: its name, its index in the list, its code, and the register with the depth of
    /// the cleanup stack.
    labels: Vec<(Name, usize, Label, Reg)>,
    /// The initialised variables, and the index of each declaration.
    begun: Vec<(usize, VarId)>,
    /// The index of the statement that is being lowered.
    at: usize,
    /// How many scopes are open.
    scopes: usize,
}

impl Lower<'_, '_> {
    /// Statements with labels among them.
    pub(super) fn labelled(&mut self, list: &[Stmt]) -> Lowered<()> {
        let mut made =
            Labelled { labels: Vec::new(), begun: Vec::new(), at: 0, scopes: self.scopes.len() };
        for (at, stmt) in list.iter().enumerate() {
            match stmt {
                Stmt::Label(name, span) => {
                    if made.labels.iter().any(|known| known.0 == *name) {
                        return self.wrong(*span, format!("the label `{name}` stands here twice"));
                    }
                    let label = (*name, at, self.label(), self.temp()?);
                    made.labels.push(label);
                }
                Stmt::Declare { var, init, .. }
                    if init.is_some() || self.function.vars[*var as usize].destroy.is_some() =>
                {
                    made.begun.push((at, *var));
                }
                _ => {}
            }
        }
        let depth = self.labelled.len();
        self.labelled.push(made);
        for (at, stmt) in list.iter().enumerate() {
            self.labelled[depth].at = at;
            match stmt {
                Stmt::Label(name, _) => {
                    let known = self.labelled[depth].labels.iter().find(|known| known.0 == *name);
                    let Some((_, _, label, mark)) = known.cloned() else { continue };
                    self.bind(label);
                    self.emit(Inst::CleanupDepth { d: mark });
                }
                _ => self.statement(stmt)?,
            }
        }
        self.labelled.truncate(depth);
        Ok(())
    }

    pub(super) fn goto(&mut self, name: &Name, span: Span) -> Lowered<()> {
        let found = self.labelled.iter().rev().find_map(|list| {
            let (_, at, label, mark) = *list.labels.iter().find(|known| known.0 == *name)?;
            let over = list.begun.iter().find(|(begun, _)| (list.at..at).contains(begun));
            Some((label, mark, at <= list.at, list.scopes, over.map(|o| o.1)))
        });
        let Some((label, mark, back, scopes, over)) = found else {
            return self
                .unsupported(span, format!("`goto {name}`: its label is in no block around"));
        };
        if let Some(over) = over {
            let variable = &self.function.vars[over as usize].name;
            let message = format!("this jumps over the first value of `{variable}`");
            return self.wrong(span, message);
        }
        self.unwind(scopes);
        if back {
            self.emit(Inst::RunCleanups { mark });
        }
        self.emit(Inst::Jump { to: label });
        Ok(())
    }

    fn wrong<T>(&mut self, span: Span, message: String) -> Lowered<T> {
        self.unit.diagnostics.push(Diagnostic::error("syntax", span, message));
        Err(super::Reported)
    }
}
