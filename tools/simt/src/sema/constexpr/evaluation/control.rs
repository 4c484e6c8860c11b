//! Statements of a function that is evaluated.

use super::Evaluation;
use super::objects::Slot;
use crate::sema::tree::{Expr, Stmt};

/// How a statement ends.
pub(super) enum Completion {
    Next,
    Break,
    Continue,
    Return(Option<Expr>),
}

impl Evaluation<'_> {
    pub(super) fn statements(&mut self, list: &[Stmt]) -> Option<Completion> {
        if self.depth >= super::MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        for stmt in list {
            match self.statement(stmt)? {
                Completion::Next => {}
                other => {
                    self.depth -= 1;
                    return Some(other);
                }
            }
        }
        self.depth -= 1;
        Some(Completion::Next)
    }

    fn statement(&mut self, stmt: &Stmt) -> Option<Completion> {
        self.step(1)?;
        match stmt {
            Stmt::Expr(e) => {
                let temporaries = self.objects.len();
                self.value(e)?;
                self.objects.truncate(temporaries);
            }
            Stmt::Declare { var, init, .. } => self.declare(*var as usize, init.as_ref())?,
            Stmt::If { cond, then, other, .. } => {
                let holds = self.truth(cond)?;
                return self.statements(if holds { then } else { other });
            }
            Stmt::Loop { .. } => return self.repeat(stmt),
            Stmt::Switch { value, cases, body, .. } => {
                let value = self.value(value)?.as_int()?;
                let case = cases.iter().find(|(case, _)| *case == Some(value));
                let default = || cases.iter().find(|(case, _)| case.is_none());
                let Some((_, from)) = case.or_else(default) else { return Some(Completion::Next) };
                return Some(match self.statements(&body[*from..])? {
                    Completion::Break => Completion::Next,
                    other => other,
                });
            }
            Stmt::Block(list) | Stmt::Try { body: list, .. } => return self.statements(list),
            Stmt::Break(_) => return Some(Completion::Break),
            Stmt::Continue(_) => return Some(Completion::Continue),
            Stmt::Return(value, _) => {
                let value = match value {
                    Some(e) if self.frame.of_reference => {
                        let place = self.lvalue(e)?;
                        Some(self.address_of(place, &e.ty, e.span))
                    }
                    Some(e) => Some(self.value(e)?),
                    None => None,
                };
                return Some(Completion::Return(value));
            }
            Stmt::Label(..) => {}
            Stmt::Static(..) | Stmt::Asm(_) | Stmt::Goto(..) => return None,
        }
        Some(Completion::Next)
    }

    #[inline(never)]
    fn declare(&mut self, var: usize, init: Option<&Expr>) -> Option<()> {
        if let Slot::Reference(_) = self.frame.slots.get(var)? {
            let place = self.lvalue(init?)?;
            self.frame.slots[var] = Slot::Reference(Some(place));
            return Some(());
        }
        // The constructor of the new object finds none there.
        let Slot::Object(object) = self.frame.slots[var] else { return None };
        self.objects[object] = None;
        let value = match init {
            Some(e) => Some(self.value(e)?),
            None => None,
        };
        self.objects[object] = value;
        Some(())
    }

    #[inline(never)]
    fn repeat(&mut self, stmt: &Stmt) -> Option<Completion> {
        let Stmt::Loop { cond, body, step, test_first, .. } = stmt else { return None };
        let mut test = *test_first;
        // What a round has made is gone at its end.
        let objects = self.objects.len();
        loop {
            self.step(1)?;
            if let Some(cond) = cond.as_ref().filter(|_| test)
                && !self.truth(cond)?
            {
                break;
            }
            test = true;
            match self.statements(body)? {
                Completion::Break => break,
                done @ Completion::Return(_) => return Some(done),
                Completion::Next | Completion::Continue => {}
            }
            if let Some(step) = step {
                self.value(step)?;
            }
            self.objects.truncate(objects);
        }
        Some(Completion::Next)
    }
}
