//! Registers of products of a warp group (`wgmma`): accumulators, and factors in registers.
//!
//! A product reads and writes its registers from its issue until its group is waited for. The PTX ISA leaves
//! undefined what happens if a thread accesses them before that wait ("wgmma.wait_group"), or if it has
//! accessed them before and no `wgmma.fence` follows ("wgmma.fence"); but products of one shape may
//! follow each other in the same accumulators.
//!
//! The variables that an `asm` names are these registers; the front end keeps them in local memory
//! ([`super::product_operands`]). For each word of a warp's local
//! memory and for each lane there is a [`Tag`]: the product that has it, or when the thread accessed it.

use super::product_operands::{Part, Product, ProductOperands};
use crate::event::{Access, Agent, Channel, Issue, Space, WarpContext};
use crate::isa::{Inst, Kernel, WarpGroupShape};
use crate::lanes::lanes_of;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::races::RaceDetector;
use crate::observe::{Code, value};
use rustc_hash::FxHashMap;

/// Who has a word: a thread, since so many `wgmma.fence`; or a product, by its number in the warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Thread { fences: u32 },
    Sum(u32),
    Factor(u32),
}

/// A word of local memory.
#[derive(Debug, Clone)]
struct Word {
    tags: [Tag; 32],
    /// The instruction that accessed it last.
    pc: Option<u32>,
}

/// A product that was issued.
#[derive(Debug, Clone, Copy)]
struct Issued {
    /// Its number among the operations.
    id: u32,
    group: u32,
    shape: Option<WarpGroupShape>,
}

/// What is known of a warp.
#[derive(Debug, Default)]
struct Warp {
    /// For each lane: its `wgmma.fence` so far; its groups before this number are done.
    fences: [u32; 32],
    awaited: [u32; 32],
    issued: Vec<Issued>,
    /// For each product of the kernel and each lane: the last one that was issued.
    last: Vec<[u32; 32]>,
    /// For each operand of the kernel: the word that was loaded for it last.
    loaded: Vec<Option<u32>>,
    words: Vec<Word>,
}

/// The registers of all products.
#[derive(Debug, Default)]
pub(in crate::observe::races) struct ProductRegisters {
    operands: ProductOperands,
    /// By block and warp.
    warps: FxHashMap<(u32, u32), Warp>,
}

/// What is wrong with an access or a product: the lane, the word, and the earlier side.
#[derive(Debug, Clone, Copy)]
enum Wrong {
    /// A product has it.
    InFlight { lane: usize, word: u32, id: u32, sum: bool },
    /// A thread has accessed it, there, and no fence follows.
    Unfenced { lane: usize, word: u32, pc: Option<u32> },
}

impl ProductRegisters {
    pub(in crate::observe::races) fn new(kernel: &Kernel) -> ProductRegisters {
        ProductRegisters { operands: ProductOperands::new(kernel), warps: FxHashMap::default() }
    }

    /// Whether the kernel has products, so that local memory counts.
    pub(in crate::observe::races) fn needed(&self) -> bool {
        !self.operands.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.warps.clear();
    }

    fn warp(&mut self, context: &WarpContext<'_>) -> (&ProductOperands, &mut Warp) {
        let warp = self.warps.entry((context.block, context.warp)).or_default();
        (&self.operands, warp)
    }

    /// `wgmma.fence`.
    pub(super) fn fence(&mut self, context: &WarpContext<'_>, lanes: u32) {
        let (_, warp) = self.warp(context);
        lanes_of(lanes).for_each(|lane| warp.fences[lane] += 1);
    }

    /// Lanes have waited for their groups before a number.
    pub(super) fn awaited(&mut self, context: &WarpContext<'_>, lanes: u32, before: u32) {
        if self.needed() {
            let (_, warp) = self.warp(context);
            lanes_of(lanes).for_each(|lane| warp.awaited[lane] = before.max(warp.awaited[lane]));
        }
    }

    /// An access to local memory. Gives what is wrong with it.
    fn access(&mut self, context: &WarpContext<'_>, access: &Access<'_>) -> Option<Wrong> {
        let (operands, warp) = self.warp(context);
        let part = operands.parts.get(&access.pc).copied();
        if let Some(Part::Load(operand)) = part {
            warp.loaded.resize(operands.count, None);
            let first = access.offsets[access.lanes.trailing_zeros() as usize & 31];
            warp.loaded[operand] = Some(first / 4);
            return None;
        }
        let mut wrong = None;
        for lane in lanes_of(access.lanes) {
            let offset = access.offsets[lane];
            for at in offset / 4..=(offset + access.width - 1) / 4 {
                match part {
                    Some(Part::Store(product)) => {
                        let Some(last) = warp.last.get(product) else { continue };
                        let tag = Tag::Sum(last[lane]);
                        warp.word(at).tags[lane] = tag;
                    }
                    _ => {
                        if let Some((id, sum)) = warp.in_flight(lane, at) {
                            wrong.get_or_insert(Wrong::InFlight { lane, word: at, id, sum });
                        }
                        let fences = warp.fences[lane];
                        let word = warp.word(at);
                        word.tags[lane] = Tag::Thread { fences };
                        word.pc = Some(access.pc);
                    }
                }
            }
        }
        wrong
    }

    /// A product is issued. Gives what is wrong with its registers.
    fn issue(
        &mut self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        shape: Option<WarpGroupShape>,
    ) -> Option<Wrong> {
        let (operands, warp) = self.warp(context);
        let Product { number, sums, factors } = operands.products.get(&issue.pc)?;
        let Channel::Group(_, group) = issue.channel else { return None };
        let index = warp.issued.len() as u32;
        warp.issued.push(Issued { id: issue.id, group, shape });
        warp.last.resize(operands.products.len(), [0; 32]);
        warp.loaded.resize(operands.count, None);
        let mut wrong = None;
        for operand in sums.start..factors.end {
            let Some(word) = warp.loaded[operand] else { continue };
            let is_sum = operand < sums.end;
            for lane in lanes_of(issue.lanes) {
                let found = warp.unready(lane, word, is_sum.then_some(shape).flatten());
                wrong = wrong.or(found);
                if !is_sum {
                    warp.word(word).tags[lane] = Tag::Factor(index);
                }
            }
        }
        lanes_of(issue.lanes).for_each(|lane| warp.last[*number][lane] = index);
        wrong
    }
}

impl Warp {
    fn word(&mut self, at: u32) -> &mut Word {
        let at = at as usize;
        if at >= self.words.len() {
            let untouched = Word { tags: [Tag::Thread { fences: 0 }; 32], pc: None };
            self.words.resize(at + 1, untouched);
        }
        &mut self.words[at]
    }

    /// The operation that has a word of a lane and is not known to be done; and whether it adds to it.
    fn in_flight(&mut self, lane: usize, at: u32) -> Option<(u32, bool)> {
        let (index, sum) = match self.word(at).tags[lane] {
            Tag::Thread { .. } => return None,
            Tag::Sum(index) => (index, true),
            Tag::Factor(index) => (index, false),
        };
        let issued = self.issued.get(index as usize)?;
        (issued.group >= self.awaited[lane]).then_some((issued.id, sum))
    }

    /// Why a product may not use a word: its own sums, of this shape, or one that it only reads.
    fn unready(&mut self, lane: usize, word: u32, sums: Option<WarpGroupShape>) -> Option<Wrong> {
        let Word { tags, pc } = self.word(word);
        let (tag, pc) = (tags[lane], *pc);
        if let Tag::Thread { fences } = tag {
            return (fences == self.fences[lane]).then_some(Wrong::Unfenced { lane, word, pc });
        }
        let (id, sum) = self.in_flight(lane, word)?;
        let same = matches!(tag, Tag::Sum(index) if self.issued[index as usize].shape == sums);
        let both_read = !sum && sums.is_none();
        let allowed = same || both_read;
        (!allowed).then_some(Wrong::InFlight { lane, word, id, sum })
    }
}

impl RaceDetector<'_> {
    /// An access to local memory, of a kernel that has products.
    pub(in crate::observe::races) fn local_access(
        &mut self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
    ) {
        if let Some(wrong) = self.operations.registers.access(context, access) {
            self.report_registers(context, (access.pc, access.kind.word()), wrong, findings);
        }
    }

    /// A product is issued: checks its registers.
    pub(super) fn product_issued(
        &mut self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        findings: &mut Findings,
    ) {
        let shape = match self.prepared.kernel.code[issue.pc as usize] {
            Inst::WarpGroupMultiply { shape, .. } => Some(shape),
            _ => None,
        };
        if let Some(wrong) = self.operations.registers.issue(context, issue, shape) {
            self.report_registers(context, (issue.pc, issue.agent.name()), wrong, findings);
        }
    }

    #[cold]
    fn report_registers(
        &self,
        context: &WarpContext<'_>,
        (pc, what): (u32, &'static str),
        wrong: Wrong,
        findings: &mut Findings,
    ) {
        let (Wrong::InFlight { lane, word, .. } | Wrong::Unfenced { lane, word, .. }) = wrong;
        let place = value::place(self.prepared, Space::Local, 0, word * 4);
        let (element, number) = (place.at(word * 4), place.number);
        let me = context.warp * 32 + lane as u32;
        let first = self.site(pc, (context.block, me), what);
        match wrong {
            Wrong::InFlight { id, sum, .. } => {
                let Some(op) = self.operations.get(id) else { return };
                let does = if sum { "adds to it" } else { "reads it" };
                let second = self.operation_site(op, lane as u8);
                let case = Case::new(Code::ProductNotAwaited, first).with_second(Some(second));
                let product = Agent::TensorCore.name();
                findings.add(case.with_object(number), || {
                    let message = if what == product {
                        format!("this {what} uses {element}, and does not wait for the earlier one that {does}")
                    } else {
                        format!("this {what} of {element} does not wait for the {product} that {does}")
                    };
                    Text::error(message).with_help(self.advice((context, me), op, (lane as u8, true)))
                });
            }
            Wrong::Unfenced { pc, .. } => {
                let second = pc.map(|pc| self.site(pc, (context.block, me), "access"));
                let case = Case::new(Code::MissingProductFence, first).with_second(second);
                findings.add(case.with_object(number), || {
                    Text::error(format!(
                        "this {what} uses the register of {element}, and no wgmma.fence stands between a thread's access and it"
                    ))
                    .with_help("put wgmma.fence.sync.aligned before the first wgmma.mma_async that uses registers which the threads have accessed")
                });
            }
        }
    }
}
