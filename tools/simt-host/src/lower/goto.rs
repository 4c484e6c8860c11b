//! `goto`: out of blocks, forwards or backwards within a list of statements, and into blocks.
//!
//! A label belongs to its list of statements, and a jump comes from that list or from inside one of
//! its statements. So a jump leaves a run of open scopes, as `break` does. A jump backwards also
//! destroys the objects declared after the label: each label saves the depth of the cleanup stack.
//! C++, but not C, forbids a jump forwards over an initialised variable.
//!
//! A jump into a block skips what its scopes do as they begin. So the scopes that it leaves and enters
//! must have nothing to clean up; those around both stay open.

use super::{Label, Lower, Lowered, Scope};
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

/// A label that a jump from outside of its list means, or may mean later.
#[derive(Clone)]
pub(super) struct Inner {
    label: Label,
    /// Where the scopes around it begin: none yet, before the label is met.
    scopes: Option<Vec<usize>>,
    /// An initialised variable before it in its list.
    over: Option<VarId>,
    /// The jumps before it: their spans, and the scopes around them with whether these have something
    /// to clean up.
    jumps: Vec<(Span, Vec<(usize, bool)>)>,
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
                    let inner = self.met(*name, &made)?;
                    let label = (*name, at, inner, self.temp()?);
                    made.labels.push(label);
                }
                Stmt::Declare { var, init, .. } => {
                    let variable = &self.function.vars[*var as usize];
                    if (init.is_some() || variable.destroy.is_some())
                        && !self.is_of_c(variable.span)
                    {
                        made.begun.push((at, *var));
                    }
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
            return self.jump_to_block(*name, span);
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

    /// The scopes that are open, and whether each has something to clean up.
    fn open_scopes(&self) -> Vec<(usize, bool)> {
        let number = |(i, scope): (usize, &Scope)| match scope {
            Scope::Block { at, guarded, .. } => (*at, *guarded),
            // Such a scope is left by an instruction, and entered by one.
            Scope::Building { .. } | Scope::Try | Scope::Catch => (usize::MAX - i, true),
        };
        self.scopes.iter().enumerate().map(number).collect()
    }

    /// A label as its list begins: jumps into the list may have been met before.
    fn met(&mut self, name: Name, made: &Labelled) -> Lowered<Label> {
        let scopes: Vec<usize> = self.open_scopes().iter().map(|(at, _)| *at).collect();
        let known = self.inner.get(&name).cloned();
        let (label, jumps) = match known {
            Some(known) => (known.label, known.jumps),
            None => (self.label(), Vec::new()),
        };
        let over = made.begun.first().map(|(_, variable)| *variable);
        for (span, around) in &jumps {
            self.jump_enters(name, *span, around, (&scopes, over))?;
        }
        self.inner.insert(name, Inner { label, scopes: Some(scopes), over, jumps: Vec::new() });
        Ok(label)
    }

    /// Checks that a jump leaves and enters no scope that has something to clean up.
    fn jump_enters(
        &mut self,
        name: Name,
        span: Span,
        around: &[(usize, bool)],
        (target, over): (&[usize], Option<VarId>),
    ) -> Lowered<()> {
        if let Some(over) = over {
            let variable = &self.function.vars[over as usize].name;
            let message = format!("this jumps over the first value of `{variable}`");
            return self.wrong(span, message);
        }

        let both = around.iter().zip(target).take_while(|((at, _), to)| at == *to).count();
        if around[both..].iter().any(|(_, guarded)| *guarded) {
            return self.entered_with_objects(name, span);
        }
        self.entered.extend(target[both..].iter().map(|at| (*at, name, span)));
        Ok(())
    }

    fn entered_with_objects(&mut self, name: Name, span: Span) -> Lowered<()> {
        let what = format!("`goto {name}` into a block, where objects have destructors");
        self.unsupported(span, what)
    }

    /// A jump to a label that is in no list around.
    fn jump_to_block(&mut self, name: Name, span: Span) -> Lowered<()> {
        let around = self.open_scopes();
        let label = match self.inner.get(&name).cloned() {
            Some(Inner { label, scopes: Some(target), over, .. }) => {
                self.jump_enters(name, span, &around, (&target, over))?;
                label
            }
            known => {
                let label = known.map_or_else(|| self.label(), |known| known.label);
                let entry = self.inner.entry(name);
                let inner =
                    entry.or_insert(Inner { label, scopes: None, over: None, jumps: Vec::new() });
                inner.jumps.push((span, around));
                label
            }
        };
        self.emit(Inst::Jump { to: label });
        Ok(())
    }

    /// Reports jumps to labels that the function does not have, or into scopes that clean up.
    pub(super) fn check_labels(&mut self) -> Lowered<()> {
        let cleans = |at: &usize| !matches!(self.out.code.get(*at), Some(Inst::Nop));
        if let Some((_, name, span)) = self.entered.iter().find(|(at, ..)| cleans(at)).copied() {
            return self.entered_with_objects(name, span);
        }
        let lost = self.inner.iter().find(|(_, inner)| inner.scopes.is_none());
        let Some((name, inner)) = lost else { return Ok(()) };
        let (message, span) = (format!("there is no label `{name}`"), inner.jumps[0].0);
        self.wrong(span, message)
    }

    /// Whether a file of C has this.
    fn is_of_c(&self, span: Span) -> bool {
        let file = self.unit.sources.files().get(span.file as usize);
        file.is_some_and(|(name, _)| name.ends_with(".c"))
    }

    fn wrong<T>(&mut self, span: Span, message: String) -> Lowered<T> {
        self.unit.diagnostics.push(Diagnostic::error("syntax", span, message));
        Err(super::Reported)
    }
}
