//! The instructions being written: labels, spans, virtual registers.
//!
//! A virtual register is written for one purpose and never used for another, so that later passes
//! can tell what a value is used for. [`super::allocate`] packs them.

use crate::diagnostic::Span;
use crate::isa::{Inst, Life, Pc, Preload, Print, Reg};
use std::collections::HashMap;

/// Registers at most while code is written; a kernel that needs more is refused.
const MAX_REGISTERS: usize = 60_000;

/// A place in the code that may not be known yet; stands in for a [`Pc`] until the end.
pub(super) type Label = Pc;

/// Adjacent registers that belong together.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) start: Reg,
    pub(super) len: u16,
    /// When it came to life, as an index into the code.
    pub(super) born: usize,
    /// Holds the same all the time: a constant, an argument.
    pub(super) pinned: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) insts: Vec<Inst>,
    pub(super) spans: Vec<Span>,
    /// Instructions that are not to be contracted.
    pub(super) exact: Vec<bool>,
    /// Where each label stands.
    pub(super) labels: Vec<Option<usize>>,
    pub(super) groups: Vec<Group>,
    /// The group of each register.
    pub(super) group_of: Vec<u32>,
    pub(super) preloads: Vec<(Reg, Preload)>,
    preload_of: HashMap<PreloadKey, Reg>,
    pub(super) prints: Vec<Print>,
    /// Where variables are, while the code has places and registers of its own.
    pub(super) lives: Vec<Life>,
    pub(super) barriers: u16,
    /// Who uses the built-in text that is being inlined.
    pub(super) site: Option<Span>,
    /// More registers or barriers than there are numbers.
    pub(super) overflow: bool,
}

type PreloadKey = (u8, u64, u32);

fn key(preload: Preload) -> PreloadKey {
    match preload {
        Preload::Const { bits, wide } => (0, bits, u32::from(wide)),
        Preload::Param { offset, .. } => (1, u64::from(offset), 0),
        Preload::ThreadIdx(a) => (2, u64::from(a), 0),
        Preload::BlockIdx(a) => (3, u64::from(a), 0),
        Preload::BlockDim(a) => (4, u64::from(a), 0),
        Preload::GridDim(a) => (5, u64::from(a), 0),
        Preload::LaneId => (6, 0, 0),
        Preload::Shared(i) => (7, u64::from(i), 0),
        Preload::Local(i) => (8, u64::from(i), 0),
        Preload::Global(i) => (9, u64::from(i), 0),
    }
}

impl Code {
    pub(super) fn emit(&mut self, span: Span, inst: Inst) {
        self.insts.push(inst);
        self.spans.push(self.owner(span));
        self.exact.push(false);
    }

    /// The text that a place belongs to: for built-in text, its user's.
    pub(super) fn owner(&self, span: Span) -> Span {
        self.site.filter(|_| span.is_built_in()).unwrap_or(span)
    }

    /// An operation that stays alone.
    pub(super) fn emit_exact(&mut self, span: Span, inst: Inst) {
        self.emit(span, inst);
        if let Some(last) = self.exact.last_mut() {
            *last = true;
        }
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        self.labels.len() as Label - 1
    }

    /// The label stands here.
    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label as usize] = Some(self.insts.len());
    }

    pub(super) fn barrier(&mut self) -> u16 {
        self.overflow |= self.barriers == u16::MAX;
        self.barriers = self.barriers.saturating_add(1);
        self.barriers - 1
    }

    /// `len` registers that nobody else uses.
    pub(super) fn registers(&mut self, len: u16) -> Reg {
        self.group(len, false)
    }

    fn group(&mut self, len: u16, pinned: bool) -> Reg {
        let mut start = self.group_of.len().next_multiple_of(2);
        if start + usize::from(len) > MAX_REGISTERS {
            self.overflow = true;
            start = 0;
            return start as Reg;
        }
        self.group_of.resize(start + usize::from(len), self.groups.len() as u32);
        self.groups.push(Group { start: start as Reg, len, born: self.insts.len(), pinned });
        start as Reg
    }

    /// A register that holds this from the start.
    pub(super) fn preload(&mut self, preload: Preload, wide: bool) -> Reg {
        if let Some(reg) = self.preload_of.get(&key(preload)) {
            return *reg;
        }
        let reg = self.group(if wide { 2 } else { 1 }, true);
        self.preloads.push((reg, preload));
        self.preload_of.insert(key(preload), reg);
        reg
    }

    /// Several adjacent ones: a struct among the arguments.
    pub(super) fn preload_group(&mut self, len: u16, parts: &[(u16, Preload)]) -> Reg {
        let start = self.group(len, true);
        self.preloads.extend(parts.iter().map(|(slot, preload)| (start + slot, *preload)));
        start
    }

    /// What the register holds from the start, if it never holds anything else.
    pub(super) fn preload_in(&self, reg: Reg) -> Option<Preload> {
        self.preloads.iter().find(|(r, _)| *r == reg).map(|(_, preload)| *preload)
    }

    /// Whether the register never changes.
    pub(super) fn is_pinned(&self, reg: Reg) -> bool {
        self.group_of.get(usize::from(reg)).is_some_and(|g| self.groups[*g as usize].pinned)
    }

    /// Drops the instructions that `keep` refuses and puts `before` in front of others; labels and
    /// lifetimes follow.
    pub(super) fn rebuild(&mut self, keep: &[bool], before: &HashMap<usize, Inst>) {
        let mut new_at = Vec::with_capacity(self.insts.len() + 1);
        let (mut insts, mut spans, mut exact) = (Vec::new(), Vec::new(), Vec::new());
        for (i, inst) in self.insts.iter().enumerate() {
            new_at.push(insts.len());
            if let Some(extra) = before.get(&i) {
                insts.push(*extra);
                spans.push(self.spans[i]);
                exact.push(false);
            }
            if keep[i] {
                insts.push(*inst);
                spans.push(self.spans[i]);
                exact.push(self.exact[i]);
            }
        }
        new_at.push(insts.len());
        for label in self.labels.iter_mut().flatten() {
            *label = new_at[*label];
        }
        for group in &mut self.groups {
            group.born = new_at[group.born];
        }
        for life in &mut self.lives {
            let at = |old: Pc| new_at[old as usize] as Pc;
            life.scope = at(life.scope.start)..at(life.scope.end);
        }
        (self.insts, self.spans, self.exact) = (insts, spans, exact);
    }

    /// Jumps to the very next instruction go away.
    pub(super) fn drop_idle_jumps(&mut self) {
        let keep: Vec<bool> = (0..self.insts.len())
            .map(|i| match self.insts[i] {
                Inst::Jump { target } => self.labels[target as usize] != Some(i + 1),
                _ => true,
            })
            .collect();
        self.rebuild(&keep, &HashMap::new());
    }

    /// Labels become places.
    pub(super) fn resolve_labels(&mut self) {
        let at = |label: &mut Pc| *label = self.labels[*label as usize].unwrap_or(0) as Pc;
        for inst in &mut self.insts {
            match inst {
                Inst::Jump { target } | Inst::Branch { target, .. } => at(target),
                Inst::Bssy { at: target, .. } => at(target),
                _ => {}
            }
        }
    }
}
