//! What is said about a race.
//!
//! The words follow from the two threads that are shown, never from how the conflict was noticed:
//! two lanes of a warp need `__syncwarp`, two warps of a block need `__syncthreads`, and between
//! two blocks no barrier reaches. A word remembers two threads at most and the line of one. What
//! is not remembered is not claimed: the other side then has no place of its own.

use super::super::event::{Access, AccessKind, WarpContext};
use super::super::value;
use super::super::{Class, Code, Finding, Findings, Site};
use super::{AccessSite, Conflict, RaceDetector};
use crate::diagnostic::Severity;
use crate::isa::Scope;
use crate::machine::memory::Space;
use crate::observe::races::shadow::{BLOCKS, Entry, Kind, MAX_SITE, Relation};

/// Who is on the other side, as far as it is remembered.
#[derive(Debug, Clone, Copy)]
struct Other {
    /// Block and thread; `None` for a block that is not the one remembered.
    who: Option<(u32, u32)>,
    /// Where, if that is sure.
    place: Option<AccessSite>,
    pair: Pair,
}

/// How the two threads stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pair {
    Lanes,
    Warps,
    Blocks,
}

impl RaceDetector {
    /// The thread that is unordered with `me`: the one that is remembered, or the one behind it
    /// where that one is ordered (it is `me`, or stands before a barrier).
    fn other(&self, here: &WarpContext<'_>, me: u32, then: Entry, relation: Relation) -> Other {
        let remembered = match relation {
            Relation::Same | Relation::WarpParted => then.thread() != me,
            Relation::WarpEarlier | Relation::BlockEarlier => false,
            Relation::OtherWarp | Relation::OtherBlock => true,
        };
        let who = if remembered {
            Some((self.segments.block(then.segment()), then.thread()))
        } else if then.state() >= BLOCKS {
            None
        } else {
            Some((here.block, then.other()))
        };
        let sure = then.site() != MAX_SITE && (remembered || !then.elsewhere());
        let place = if sure { self.places.get(usize::from(then.site())).copied() } else { None };
        let pair = match who {
            Some((block, thread)) if block == here.block => {
                if thread / 32 == me / 32 {
                    Pair::Lanes
                } else {
                    Pair::Warps
                }
            }
            _ => Pair::Blocks,
        };
        Other { who, place, pair }
    }

    #[cold]
    pub(super) fn report(
        &mut self,
        here: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
        lane: usize,
        offset: u32,
        c: Conflict,
    ) {
        let me = here.warp * 32 + lane as u32;
        let counted =
            c.then_writes && c.then.kind() == Kind::Atomic && access.space == Space::Global;
        if counted && self.happens_before.last((here.block, me), access.object, offset) {
            return;
        }
        if self.ordered(here, me, c) {
            if let Some((then, relation)) = c.read {
                let c = Conflict { then, then_writes: false, relation, read: None };
                self.report(here, access, findings, lane, offset, c);
            }
            return;
        }
        let program = here.program;
        let span = program.kernel.spans[access.pc as usize];
        let other = self.other(here, me, c.then, c.relation);
        // Beside fences, volatile accesses are flags; between the lanes of a warp in shared memory
        // they are the warp-synchronous style of old.
        let raised =
            access.kind == AccessKind::Load || self.happens_before.may_release((here.block, me));
        let flag =
            self.happens_before.fences() && access.volatile && c.then.kind() == Kind::Volatile;
        let flag = flag && raised && !(c.then_writes && access.kind == AccessKind::Store);
        // Who asks need not be told: that is what `volatile` is for.
        let asks = |place: &AccessSite| place.asks;
        let flag = flag
            || match (access.kind, other.place) {
                (AccessKind::Load, Some(place)) => {
                    let own = self.places.get(usize::from(self.sites[access.pc as usize]));
                    place.volatile && place.kind == AccessKind::Store && own.is_some_and(asks)
                }
                _ if c.then_writes || !access.volatile => false,
                (_, Some(place)) => place.asks,
                (_, None) => {
                    let mut reads = self.places.iter().filter(|p| p.kind == AccessKind::Load);
                    c.then.kind() == Kind::Volatile && reads.all(|p| p.asks || !p.volatile)
                }
            };
        let at = (access.space == Space::Shared, access.object, offset);
        let heard = |who| self.happens_before.heard(here, me, at, who);
        let answers = access.volatile
            && access.kind == AccessKind::Store
            && c.then_writes
            && c.then.kind() == Kind::Volatile;
        let flag = flag || answers && other.who.is_some_and(heard);
        if flag && !(other.pair == Pair::Lanes && access.space == Space::Shared) {
            return;
        }
        // The same instruction, at the same time?
        let twin = other
            .who
            .filter(|_| c.then.segment() == here.segments[lane] && c.then_writes)
            // `a[0] += x` reads and writes at one place in the text.
            .filter(|_| access.kind != AccessKind::Load)
            .filter(|_| other.pair == Pair::Lanes && other.place.is_some_and(|p| p.span == span))
            .map(|(_, thread)| (thread % 32) as usize)
            .filter(|&l| access.lanes >> l & 1 == 1 && access.offsets[l] == access.offsets[lane]);
        let (stored, current) =
            (value::stored(access, lane), value::current(program, access, offset));
        let before = match twin {
            Some(l) => value::stored(access, l),
            None => current,
        };
        let both_write =
            access.kind == AccessKind::Store && c.then_writes && !c.then.kind().atomic();
        let (name, element, start, object) = value::object(program, access, offset);
        // In a block, since one barrier.
        let epoch = self.segments.epoch(c.then.segment());
        let near = epoch == Some(here.epoch) && other.pair != Pair::Blocks;
        let at = (if access.space == Space::Shared { u32::MAX } else { object }, offset);
        let alike = both_write && stored.is_some() && stored == before;
        if near && both_write {
            let alike = alike.then_some(stored).flatten();
            self.alike.wrote(at, (here.block, here.epoch), alike, [me, c.then.thread()]);
        }
        // Who has written it himself reads that value, whoever else wrote it.
        let itself = near
            && access.kind == AccessKind::Load
            && c.then_writes
            && c.then.state() == 0
            && self.alike.holds(at, (here.block, here.epoch), current, [me, c.then.thread()]);
        let same = alike || itself;
        let index = u64::from(offset - start) / u64::from(element.size.max(1));
        let show = |v: Option<u64>| v.map(|v| value::show(v, element, access.width));
        let to = other.place.map(|p| p.span);
        let doubtful = !same
            && match access.kind {
                AccessKind::Load => {
                    let own = self.places.get(usize::from(self.sites[access.pc as usize]));
                    own.is_some_and(|p| p.doubtful) && c.then_writes && c.then.kind().atomic()
                }
                AccessKind::Store => false,
                _ => !c.then_writes && other.place.is_some_and(|p| p.doubtful),
            };
        let (from, to) = match to {
            Some(to) if to < span => (to, Some(span)),
            _ => (span, to),
        };
        let lock = other.who.is_some_and(|who| {
            let segment = c.then.segment();
            let epoch = self.segments.epoch(segment).unwrap_or(0);
            self.happens_before.lacks_fence((here.block, me), who, segment, epoch)
        });
        let finding = || {
            let first = Site {
                span,
                what: word(access.kind, access.volatile),
                block: program.block_index(here.block),
                thread: program.thread_index(me),
                value: show(if access.kind == AccessKind::Load { current } else { stored }),
            };
            let volatile = match other.place {
                Some(place) => place.volatile,
                None => c.then.kind() == Kind::Volatile,
            };
            let what = match other.place {
                Some(place) if c.then_writes => word(place.kind, volatile),
                _ if c.then.kind().atomic() => AccessKind::Atomic.word(),
                // A write that an atomic covered.
                Some(AccessSite { kind: AccessKind::Store, .. }) => {
                    word(AccessKind::Store, volatile)
                }
                _ if c.then_writes => word(AccessKind::Store, volatile),
                _ => word(AccessKind::Load, volatile),
            };
            let second = other.who.zip(other.place).map(|((block, thread), place)| Site {
                span: place.span,
                what,
                block: program.block_index(block),
                thread: program.thread_index(thread),
                value: if c.then_writes { show(before) } else { None },
            });
            let object = format!("`{name}[{index}]`");
            let over_plain = c.then.kind() == Kind::AtomicBlock
                && other.place.is_some_and(|p| p.scope == Scope::Device)
                && access.kind != AccessKind::Load
                && other.pair == Pair::Blocks;
            let now_atomic = access.kind.word() == "atomic";
            let scope =
                other.pair == Pair::Blocks && !over_plain && c.then.kind().atomic() && now_atomic;
            let message = if over_plain {
                format!(
                    "{object} is written plainly in a block and used by an atomic of another, and nothing orders the two"
                )
            } else if twin.is_some() || alike {
                both(&object, other.pair, volatile && access.volatile, same, twin.is_some())
            } else {
                let there = match (other.who, other.place) {
                    (Some(_), Some(_)) => format!("the {what}"),
                    (Some((block, thread)), None) => {
                        let ([bx, by, bz], [x, y, z]) =
                            (program.block_index(block), program.thread_index(thread));
                        format!(
                            "an earlier {what} by block ({bx}, {by}, {bz}), thread ({x}, {y}, {z})"
                        )
                    }
                    (None, Some(AccessSite { span, .. })) => {
                        let line = program.module.sources.position(span).line;
                        format!("the {what} of another block in line {line}")
                    }
                    (None, None) => format!("an earlier {what} of another block"),
                };
                let text =
                    between(&object, other.pair, volatile && access.volatile, first.what, &there);
                if itself { format!("{text}; both wrote the same value") } else { text }
            };
            Finding {
                code: if same {
                    Code::SameValue
                } else if scope {
                    Code::ScopeRace
                } else {
                    match other.pair {
                        Pair::Lanes => Code::WarpRace,
                        Pair::Warps if access.space == Space::Shared => Code::SharedRace,
                        Pair::Warps => Code::GlobalRace,
                        Pair::Blocks => Code::BlockRace,
                    }
                },
                severity: match () {
                    () if same => Severity::Note,
                    () if doubtful => Severity::Warning,
                    () => Severity::Error,
                },
                message,
                first,
                second,
                count: 0,
                help: Some(
                    if doubtful {
                        "atomicCAS compares what was read here, but it is used otherwise as well: read it by an atomic, or through a volatile pointer"
                    } else if lock {
                        "a lock orders the two, but it was taken without a fence: put __threadfence() behind the atomicCAS"
                    } else {
                        help(other.pair, c, access, over_plain)
                    }
                    .to_owned(),
                ),
            }
        };
        // What is shown is the pair that stands furthest apart: its advice serves the others.
        let key = object | u32::from(same) << 31 | u32::from(itself) << 30;
        findings.add_ranked(other.pair as u8, 1, key, finding, Class::Race, from, to);
    }
}

fn word(kind: AccessKind, volatile: bool) -> &'static str {
    match (kind, volatile) {
        (AccessKind::Load, true) => "volatile read",
        (AccessKind::Store, true) => "volatile write",
        _ => kind.word(),
    }
}

/// The subject of the sentence.
fn subject(pair: Pair, volatile: bool) -> String {
    let who = match pair {
        Pair::Lanes => "two lanes of a warp",
        Pair::Warps => "two warps of a block",
        Pair::Blocks => "two blocks",
    };
    format!("{}{who}", if volatile { "unordered volatile accesses: " } else { "" })
}

/// Two writes: of one value, or by one instruction.
fn both(object: &str, pair: Pair, volatile: bool, same: bool, twin: bool) -> String {
    let who = subject(pair, volatile);
    match (twin, same) {
        (true, true) => format!("{who} write the same value to {object} in one instruction"),
        (true, false) => format!("{who} write different values to {object} in one instruction"),
        _ => format!("{who} write the same value to {object}, and nothing orders them"),
    }
}

fn between(object: &str, pair: Pair, volatile: bool, here: &str, there: &str) -> String {
    let who = subject(pair, volatile);
    format!("{who} access {object}, and nothing orders this {here} and {there}")
}

fn help(pair: Pair, c: Conflict, access: &Access<'_>, over_plain: bool) -> &'static str {
    let now_atomic = access.kind.word() == "atomic";
    match pair {
        Pair::Blocks if over_plain => "set the value before the launch, or in a launch of its own",
        Pair::Blocks if c.then.kind().atomic() && now_atomic => {
            "an atomic with the scope of a block does not exclude other blocks: use the one without _block"
        }
        Pair::Blocks => {
            "blocks run in any order and at the same time: use an atomic, give each block its own element, or split the work into two launches"
        }
        Pair::Lanes => {
            "the lanes of a warp are not in lockstep since Volta: put __syncwarp() between the two, or __syncthreads()"
        }
        Pair::Warps => {
            "put __syncthreads() between the two, where every thread of the block reaches it"
        }
    }
}
