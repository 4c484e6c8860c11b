//! `goto`: out of blocks, and forwards or backwards within a list of statements.
//!
//! A label belongs to its list of statements, and a jump comes from that list or from inside one of its
//! statements. Not done: a jump into a block. C++ forbids a jump forwards over an initialised variable.
//!
//! Jumps give the list an order of nested *spans*. The jumps forwards to a label are one: a convergence
//! region from before the first of them to the label, where its lanes meet. The jumps backwards are another,
//! a loop from the label to behind the last of them, with the two regions of a loop: in one the lanes meet
//! that jump back, in the other those that are done. Where two spans cross, the one that ends later begins
//! earlier. A jump back into the middle of such a span opens the regions again that are open there.

use std::collections::HashMap;

use super::instruction_builder::Label;
use super::kernel::{Lower, Lowered};
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::Inst;
use crate::reported::Reported;
use crate::sema::tree::{Name, Stmt, VarId};

/// Spans of a list at most. Which of them cross is found by comparing each with each.
const MAX_SPANS: usize = 256;

/// A list of statements with labels that is being lowered.
pub(super) struct Labelled {
    /// How many functions are being inlined: a jump stays in its own.
    frames: usize,
    /// In the order in which they open.
    spans: Vec<JumpSpan>,
    /// For each label its index, and how many cleanups are pending there.
    labels: HashMap<Name, (usize, usize)>,
    /// The initialised variables, and the index of each declaration.
    begun: Vec<(usize, VarId)>,
    /// The index of the statement that is being lowered, and how many cleanups are pending before it.
    at: usize,
    pending: usize,
}

/// What the jumps to a label in one direction go over.
struct JumpSpan {
    label: Name,
    /// Where it stands.
    span: Span,
    /// Its index in the list.
    target: usize,
    /// From the first statement to behind the last one.
    from: usize,
    to: usize,
    /// Where the lanes meet that jump.
    meet: Label,
    /// Of jumps backwards.
    back: Option<Back>,
    /// While it is open: its convergence barriers, that of `meet` last, and how many regions are open.
    barriers: Vec<u16>,
    regions: usize,
}

/// The loop that jumps backwards make.
struct Back {
    /// Where the lanes meet that are done.
    done: Label,
    /// Where those go on that jump.
    top: Label,
    /// The spans inside that are open there.
    again: Vec<usize>,
}

impl JumpSpan {
    /// Where the lanes of each of its barriers meet.
    fn labels(&self) -> impl Iterator<Item = Label> {
        self.back.as_ref().map(|back| back.done).into_iter().chain([self.meet])
    }
}

impl Lower<'_> {
    /// Plans the jumps of a list. With `entered` the cases of a `switch` lead into it: all spans are then
    /// open from its start.
    pub(super) fn plan_jumps(&mut self, list: &[Stmt], entered: bool) -> Lowered<()> {
        let (mut labels, mut jumps) = (HashMap::new(), HashMap::new());
        for (at, stmt) in list.iter().enumerate() {
            jumps_of(stmt, at, &mut jumps);
        }
        let (mut begun, mut spans) = (Vec::new(), Vec::new());
        for (at, stmt) in list.iter().enumerate() {
            match stmt {
                Stmt::Label(label, span) => {
                    if labels.insert(*label, (at, 0)).is_some() {
                        return self.wrong(*span, format!("the label `{label}` stands here twice"));
                    }
                    let jumps = jumps.get(label);
                    let before = jumps.map(|(first, _)| *first).filter(|first| *first < at);
                    spans.extend(before.map(|from| self.jump_span(*label, *span, at, from, at)));
                    let after = jumps.map(|(_, last)| *last).filter(|last| *last >= at);
                    spans.extend(after.map(|last| {
                        let back = (self.code.label(), self.code.label());
                        let back = Back { done: back.0, top: back.1, again: Vec::new() };
                        let span = self.jump_span(*label, *span, at, at, last + 1);
                        JumpSpan { back: Some(back), ..span }
                    }));
                    if spans.len() > MAX_SPANS {
                        let what = format!("jumps to more than {MAX_SPANS} labels of a block");
                        return self.unsupported(*span, what);
                    }
                }
                Stmt::Declare { var, init, .. }
                    if init.is_some() || self.var(*var).destroy.is_some() =>
                {
                    begun.push((at, *var));
                }
                _ => {}
            }
        }
        if entered {
            spans.iter_mut().for_each(|span| span.from = 0);
        }
        while let Some((later, from)) = crossing(&spans) {
            spans[later].from = from;
        }
        spans.sort_by_key(|span| (span.from, std::cmp::Reverse(span.to), span.target));
        let (frames, pending) = (self.frames.len(), self.cleanups.len());
        self.labelled.push(Labelled { frames, spans, labels, begun, at: 0, pending });
        if entered {
            self.open_spans(0, None);
        }
        Ok(())
    }

    fn jump_span(
        &mut self,
        label: Name,
        span: Span,
        target: usize,
        from: usize,
        to: usize,
    ) -> JumpSpan {
        let meet = self.code.label();
        let (barriers, back) = (Vec::new(), None);
        JumpSpan { label, span, target, from, to, meet, back, barriers, regions: 0 }
    }

    /// Lowers the statements of a list whose jumps are planned. `bind` binds what other jumps lead to a
    /// statement, and says whether there are any.
    pub(super) fn labelled(
        &mut self,
        list: &[Stmt],
        mut reached: bool,
        mut bind: impl FnMut(&mut Self, usize) -> bool,
    ) -> Lowered<()> {
        let depth = self.labelled.len() - 1;
        for (at, stmt) in list.iter().enumerate() {
            reached = self.cross(at, reached);
            reached |= bind(self, at);
            let pending = self.cleanups.len();
            let made = &mut self.labelled[depth];
            (made.at, made.pending) = (at, pending);
            if let Stmt::Label(label, _) = stmt {
                made.labels.insert(*label, (at, pending));
            }
            // Code after a jump is unreachable.
            if reached && !matches!(stmt, Stmt::Label(..)) {
                self.statement(stmt)?;
                reached = !super::statement::jumps(stmt);
            }
        }
        self.cross(list.len(), reached);
        bind(self, list.len());
        self.labelled.truncate(depth);
        Ok(())
    }

    /// Between two statements: closes the spans that end there, and opens those that begin. Whether control
    /// comes to the second statement.
    fn cross(&mut self, at: usize, mut reached: bool) -> bool {
        let depth = self.labelled.len() - 1;
        for i in (0..self.labelled[depth].spans.len()).rev() {
            let it = &self.labelled[depth].spans[i];
            if it.to == at {
                self.close_span(i, reached);
                reached |= self.labelled[depth].spans[i].back.is_none();
            }
        }
        let spans = &self.labelled[depth].spans;
        let looped = spans.iter().position(|span| span.target == at && span.back.is_some());
        self.open_spans(at, looped);
        if let Some(looped) = looped {
            let spans = &mut self.labelled[depth].spans;
            let open = |i: &usize| !spans[*i].barriers.is_empty() && spans[*i].to > at;
            let inside = (looped + 1..spans.len()).filter(open).collect();
            if let Some(back) = &mut spans[looped].back {
                back.again = inside;
                let top = back.top;
                self.code.bind(top);
            }
            self.open_spans(at, None);
            reached = true;
        }
        reached
    }

    /// Opens the spans that begin there, up to the one of number `last`.
    fn open_spans(&mut self, at: usize, last: Option<usize>) {
        let depth = self.labelled.len() - 1;
        for i in 0..self.labelled[depth].spans.len() {
            let it = &self.labelled[depth].spans[i];
            if it.from != at || !it.barriers.is_empty() || last.is_some_and(|last| i > last) {
                continue;
            }
            let (labels, span): (Vec<Label>, Span) = (it.labels().collect(), it.span);
            let barriers = labels.into_iter().map(|label| self.open_region(label, span)).collect();
            let regions = self.regions.len();
            let it = &mut self.labelled[depth].spans[i];
            (it.barriers, it.regions) = (barriers, regions);
        }
    }

    fn close_span(&mut self, i: usize, reached: bool) {
        let spans = &self.labelled[self.labelled.len() - 1].spans;
        let (it, span) = (&spans[i], spans[i].span);
        let (barriers, meet) = (it.barriers.clone(), it.meet);
        let Some(Back { done, top, again }) = &it.back else {
            self.close_region(barriers[0], meet, span);
            return;
        };
        let (done, top) = (*done, *top);
        let again =
            again.iter().flat_map(|i| spans[*i].barriers.iter().copied().zip(spans[*i].labels()));
        let again: Vec<(u16, Label)> = std::iter::once((barriers[1], meet)).chain(again).collect();
        if reached {
            self.code.emit(span, Inst::Leave { barrier: barriers[1] });
            self.code.emit(span, Inst::Jump { target: done });
        }
        self.close_region(barriers[1], meet, span);
        for (barrier, at) in again {
            self.code.emit(span, Inst::Bssy { barrier, at });
        }
        self.code.emit(span, Inst::Jump { target: top });
        self.close_region(barriers[0], done, span);
    }

    /// How many regions are open at a statement of a list whose spans are all open from its start.
    pub(super) fn regions_at(&self, labelled: bool, at: usize) -> usize {
        let list = self.labelled.last().filter(|_| labelled);
        let closed = list.iter().flat_map(|list| &list.spans).filter(|span| span.to <= at);
        self.regions.len() - closed.map(|span| span.barriers.len()).sum::<usize>()
    }

    pub(super) fn goto(&mut self, name: &Name, span: Span) -> Lowered<()> {
        let frames = self.frames.len();
        let found =
            self.labelled.iter().rev().filter(|list| list.frames == frames).find_map(|list| {
                let (target, pending) = *list.labels.get(name)?;
                let back = target <= list.at;
                let to =
                    list.spans.iter().find(|s| s.label == *name && s.back.is_some() == back)?;
                let over = list.begun.iter().find(|(begun, _)| (list.at..target).contains(begun));
                let pending = if back { pending } else { list.pending };
                Some((to.meet, to.regions, pending, over.map(|over| over.1)))
            });
        let Some((meet, regions, pending, over)) = found else {
            let what = format!("`goto {name}`: its label is in no block around");
            return self.unsupported(span, what);
        };
        if let Some(over) = over {
            let variable = &self.var(over).name;
            let message = format!("this jumps over the first value of `{variable}`");
            return self.wrong(span, message);
        }
        self.run_cleanups(pending, None, span)?;
        self.leave_regions_to(meet, regions, span);
        Ok(())
    }

    fn wrong<T>(&mut self, span: Span, message: String) -> Lowered<T> {
        self.diagnostics.push(Diagnostic::error("syntax", span, message));
        Err(Reported)
    }
}

/// A span that crosses an earlier one, and where it has to begin.
fn crossing(spans: &[JumpSpan]) -> Option<(usize, usize)> {
    spans.iter().find_map(|a| {
        let crosses = |b: &JumpSpan| a.from < b.from && b.from < a.to && a.to < b.to;
        Some((spans.iter().position(crosses)?, a.from))
    })
}

/// Notes the statement's index as the last, and if it is also the first, from which a jump leads to a
/// label.
fn jumps_of(stmt: &Stmt, at: usize, jumps: &mut HashMap<Name, (usize, usize)>) {
    let mut all = |list: &[Stmt]| list.iter().for_each(|stmt| jumps_of(stmt, at, jumps));
    match stmt {
        Stmt::Goto(name, _) => jumps.entry(*name).or_insert((at, at)).1 = at,
        Stmt::Block(list) | Stmt::Loop { body: list, .. } | Stmt::Switch { body: list, .. } => {
            all(list);
        }
        Stmt::If { then, other, .. } => {
            all(then);
            all(other);
        }
        _ => {}
    }
}
