//! The instruction builder: emits bytecode over labels and virtual registers.
//!
//! A virtual register serves one purpose only, so later passes can tell what a value is used for.
//! [`super::register_allocation`] maps virtual registers to real ones.

use crate::diagnostic::Span;
use crate::isa::{CopiedPart, Inst, Life, Pc, Preload, Print, Reg};
use std::collections::{HashMap, HashSet};

/// The limit of virtual registers; a kernel that needs more is refused.
pub(super) const MAX_REGISTERS: usize = 60_000;

/// A jump target whose position may not be known yet. Labels are resolved at the end.
pub(super) type Label = Pc;

/// A register tuple: adjacent virtual registers that hold one value.
#[derive(Debug, Clone)]
pub(super) struct Tuple {
    pub(super) start: Reg,
    pub(super) len: u16,
    /// The number of instructions when it was made.
    pub(super) first_def: usize,
    /// Never written: a constant, an argument.
    pub(super) preloaded: bool,
}

/// The code of one kernel under construction.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) insts: Vec<Inst>,
    pub(super) spans: Vec<Span>,
    /// Instructions that must not be contracted.
    pub(super) no_contract: Vec<bool>,
    /// What each instruction copies a part of.
    pub(super) copied: Vec<Option<CopiedPart>>,
    /// The position of each label.
    pub(super) labels: Vec<Option<usize>>,
    pub(super) tuples: Vec<Tuple>,
    /// The tuple of each register.
    pub(super) tuple_of: Vec<u32>,
    pub(super) preloads: Vec<(Reg, Preload)>,
    preload_of: HashMap<Preload, Reg>,
    pub(super) prints: Vec<Print>,
    /// Debug information: the locations of variables, in terms of this code.
    pub(super) lives: Vec<Life>,
    pub(super) barriers: u16,
    /// While built-in code is inlined: the user's call.
    pub(super) inlined_at: Option<Span>,
    /// Registers or barriers ran out.
    pub(super) overflow: bool,
}

impl Builder {
    pub(super) fn emit(&mut self, span: Span, inst: Inst) {
        self.insts.push(inst);
        self.spans.push(self.user_span(span));
        self.no_contract.push(false);
        self.copied.push(None);
    }

    /// Emits a load or a store that copies a part of a struct or a union.
    pub(super) fn emit_copy(&mut self, span: Span, inst: Inst, part: CopiedPart) {
        self.emit(span, inst);
        if let Some(last) = self.copied.last_mut() {
            *last = Some(part);
        }
    }

    /// The loads and stores that copy structs. Those numbers stay that a load and a store have.
    pub(super) fn copied_parts(&self) -> Vec<(Pc, CopiedPart)> {
        let is_load = |inst: &Inst| matches!(inst, Inst::Load { .. });
        let of = |loads: bool| -> HashSet<u32> {
            let all = self.insts.iter().zip(&self.copied);
            let all = all.filter(|(inst, _)| is_load(inst) == loads);
            all.filter_map(|(_, part)| Some((*part)?.number)).collect()
        };
        let (loaded, stored) = (of(true), of(false));
        let mut out = Vec::new();
        for ((at, inst), part) in (0..).zip(&self.insts).zip(&self.copied) {
            let Some(mut part) = *part else { continue };
            if !(loaded.contains(&part.number) && stored.contains(&part.number)) {
                part.number = 0;
            }
            if part.number != 0 || is_load(inst) {
                out.push((at, part));
            }
        }
        out
    }

    /// The user's source that an instruction belongs to: for built-in code, the call.
    pub(super) fn user_span(&self, span: Span) -> Span {
        self.inlined_at.filter(|_| span.is_built_in()).unwrap_or(span)
    }

    /// Emits an operation that [`super::fma_contraction`] leaves alone.
    pub(super) fn emit_uncontracted(&mut self, span: Span, inst: Inst) {
        self.emit(span, inst);
        if let Some(last) = self.no_contract.last_mut() {
            *last = true;
        }
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        self.labels.len() as Label - 1
    }

    /// Binds the label to the current position.
    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label as usize] = Some(self.insts.len());
    }

    pub(super) fn barrier(&mut self) -> u16 {
        self.overflow |= self.barriers == u16::MAX;
        self.barriers = self.barriers.saturating_add(1);
        self.barriers - 1
    }

    /// A new tuple of `len` registers.
    pub(super) fn registers(&mut self, len: u16) -> Reg {
        self.group(len, false)
    }

    fn group(&mut self, len: u16, preloaded: bool) -> Reg {
        let mut start = self.tuple_of.len().next_multiple_of(2);
        if start + usize::from(len) > MAX_REGISTERS {
            self.overflow = true;
            start = 0;
            return start as Reg;
        }
        self.tuple_of.resize(start + usize::from(len), self.tuples.len() as u32);
        self.tuples.push(Tuple {
            start: start as Reg,
            len,
            first_def: self.insts.len(),
            preloaded,
        });
        start as Reg
    }

    /// A register that is preloaded before the first instruction.
    pub(super) fn preload(&mut self, preload: Preload, wide: bool) -> Reg {
        if let Some(reg) = self.preload_of.get(&preload) {
            return *reg;
        }
        let reg = self.group(if wide { 2 } else { 1 }, true);
        self.preloads.push((reg, preload));
        self.preload_of.insert(preload, reg);
        reg
    }

    /// A preloaded tuple: a struct parameter.
    pub(super) fn preload_group(&mut self, len: u16, parts: &[(u16, Preload)]) -> Reg {
        let start = self.group(len, true);
        self.preloads.extend(parts.iter().map(|(slot, preload)| (start + slot, *preload)));
        start
    }

    /// What a register is preloaded with.
    pub(super) fn preload_in(&self, reg: Reg) -> Option<Preload> {
        self.preloads.iter().find(|(r, _)| *r == reg).map(|(_, preload)| *preload)
    }

    /// Whether the register is preloaded, and so never written.
    pub(super) fn is_preloaded(&self, reg: Reg) -> bool {
        self.tuple_of.get(usize::from(reg)).is_some_and(|g| self.tuples[*g as usize].preloaded)
    }

    /// Removes the instructions that `keep` excludes and inserts those of `before`. Labels and debug
    /// information follow.
    pub(super) fn rebuild(&mut self, keep: &[bool], before: &HashMap<usize, Vec<Inst>>) {
        let mut new_at = Vec::with_capacity(self.insts.len() + 1);
        let (mut insts, mut spans, mut no_contract) = (Vec::new(), Vec::new(), Vec::new());
        let mut copied = Vec::new();
        for (i, inst) in self.insts.iter().enumerate() {
            new_at.push(insts.len());
            for extra in before.get(&i).into_iter().flatten() {
                insts.push(*extra);
                spans.push(self.spans[i]);
                no_contract.push(false);
                copied.push(None);
            }
            if keep[i] {
                insts.push(*inst);
                spans.push(self.spans[i]);
                no_contract.push(self.no_contract[i]);
                copied.push(self.copied[i]);
            }
        }
        new_at.push(insts.len());
        for label in self.labels.iter_mut().flatten() {
            *label = new_at[*label];
        }
        for group in &mut self.tuples {
            group.first_def = new_at[group.first_def];
        }
        for life in &mut self.lives {
            let at = |old: Pc| new_at[old as usize] as Pc;
            life.scope = at(life.scope.start)..at(life.scope.end);
        }
        (self.insts, self.spans, self.no_contract) = (insts, spans, no_contract);
        self.copied = copied;
    }

    /// Peephole: removes jumps to the next instruction.
    pub(super) fn remove_jumps_to_next(&mut self) {
        let keep: Vec<bool> = (0..self.insts.len())
            .map(|i| match self.insts[i] {
                Inst::Jump { target } => self.labels[target as usize] != Some(i + 1),
                _ => true,
            })
            .collect();
        self.rebuild(&keep, &HashMap::new());
    }

    /// Replaces labels by positions.
    pub(super) fn resolve_labels(&mut self) {
        let at = |label: &mut Pc| *label = self.labels[*label as usize].unwrap_or(0) as Pc;
        for inst in &mut self.insts {
            inst.label_mut().into_iter().for_each(at);
        }
    }
}
