//! The words of a race finding.

use super::AccessSite;
use super::report::{Other, Pair, SameValue, Side, Values};
use super::shadow::Kind;
use super::word_state::Conflict;
use crate::diagnostic::{Severity, Span};
use crate::event::{AccessKind, Space};
use crate::isa::Scope;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::{Code, Finding, Site, value};

/// A race, ready to be put into words.
pub(super) struct Race<'a, 'e> {
    pub(super) prepared: &'a PreparedKernel<'a>,
    pub(super) side: Side<'e>,
    pub(super) other: Other,
    pub(super) conflict: Conflict,
    pub(super) values: Values,
    pub(super) same: SameValue,
    /// Whether two lanes write by one instruction.
    pub(super) twin: bool,
    /// Whether the value read is compared by an `atomicCAS`, but used otherwise as well.
    pub(super) doubtful: bool,
    /// Whether a lock would order the two, if it were taken with a fence.
    pub(super) lacks_fence: bool,
}

impl Race<'_, '_> {
    /// Where this side is.
    pub(super) fn span(&self) -> Span {
        self.prepared.kernel.spans[self.side.access.pc as usize]
    }

    pub(super) fn finding(&self) -> Finding {
        Finding {
            code: self.code(),
            severity: match () {
                () if self.same != SameValue::No => Severity::Note,
                () if self.doubtful => Severity::Warning,
                () => Severity::Error,
            },
            message: self.message(),
            first: self.first(),
            second: self.second(),
            count: 0,
            help: Some(self.help().to_owned()),
        }
    }

    fn first(&self) -> Site {
        let access = self.side.access;
        let reads = access.kind == AccessKind::Load;
        let value = if reads { self.values.current } else { self.values.stored };
        Site {
            span: self.span(),
            what: word(access.kind, access.volatile),
            block: self.prepared.block_index(self.side.context.block),
            thread: self.prepared.thread_index(self.side.thread()),
            value: self.show(value),
        }
    }

    fn second(&self) -> Option<Site> {
        let ((block, thread), site) = self.other.who.zip(self.other.site)?;
        let writes = self.conflict.then_writes;
        Some(Site {
            span: site.span,
            what: self.other_word(),
            block: self.prepared.block_index(block),
            thread: self.prepared.thread_index(thread),
            value: if writes { self.show(self.values.before) } else { None },
        })
    }

    fn show(&self, value: Option<u64>) -> Option<String> {
        let access = self.side.access;
        let element = value::object(self.prepared, access, self.side.offset).element;
        value.map(|value| value::show(value, element, access.width))
    }

    /// Whether the other side is volatile.
    fn other_volatile(&self) -> bool {
        match self.other.site {
            Some(site) => site.volatile,
            None => self.conflict.then.kind() == Kind::Volatile,
        }
    }

    /// The word for what the other side did.
    fn other_word(&self) -> &'static str {
        let (c, volatile) = (self.conflict, self.other_volatile());
        match self.other.site {
            Some(site) if c.then_writes => word(site.kind, volatile),
            _ if c.then.kind().atomic() => AccessKind::Atomic.word(),
            // A write that an atomic covered.
            Some(AccessSite { kind: AccessKind::Store, .. }) => word(AccessKind::Store, volatile),
            _ if c.then_writes => word(AccessKind::Store, volatile),
            _ => word(AccessKind::Load, volatile),
        }
    }

    /// Whether this is an atomic of another block over an atomic over a plain write.
    fn over_plain(&self) -> bool {
        self.conflict.then.kind() == Kind::AtomicBlock
            && self.other.site.is_some_and(|p| p.scope == Scope::Device)
            && self.side.access.kind != AccessKind::Load
            && self.other.pair == Pair::Blocks
    }

    /// Whether both are atomics, of two blocks: one has the scope of its block.
    fn scope(&self) -> bool {
        self.other.pair == Pair::Blocks
            && !self.over_plain()
            && self.conflict.then.kind().atomic()
            && self.side.access.kind.is_atomic()
    }

    fn code(&self) -> Code {
        if self.same != SameValue::No {
            return Code::SameValue;
        }
        match self.other.pair {
            _ if self.scope() => Code::ScopeRace,
            Pair::Lanes => Code::WarpRace,
            Pair::Warps if self.side.access.space == Space::Shared => Code::SharedRace,
            Pair::Warps => Code::GlobalRace,
            Pair::Blocks => Code::BlockRace,
        }
    }

    fn message(&self) -> String {
        let access = self.side.access;
        let offset = self.side.offset;
        let object = value::object(self.prepared, access, offset).at(offset);
        if self.over_plain() {
            return format!(
                "{object} is written plainly in a block and used by an atomic of another, and nothing orders the two"
            );
        }
        let who = subject(self.other.pair, self.other_volatile() && access.volatile);
        if self.twin || self.same == SameValue::Writes {
            return match (self.twin, self.same) {
                (true, SameValue::No) => {
                    format!("{who} write different values to {object} in one instruction")
                }
                (true, _) => format!("{who} write the same value to {object} in one instruction"),
                (false, _) => {
                    format!("{who} write the same value to {object}, and nothing orders them")
                }
            };
        }
        if self.both_write() && self.other.who.is_some() && self.same == SameValue::No {
            return format!("{who} write {object}, and nothing orders the two writes");
        }
        let (here, there) = (word(access.kind, access.volatile), self.there());
        let benign = match self.same {
            SameValue::OwnRead => "; both wrote the same value",
            _ => "",
        };
        format!("{who} access {object}, and nothing orders this {here} and {there}{benign}")
    }

    /// The other side, in the message.
    fn there(&self) -> String {
        let what = self.other_word();
        match (self.other.who, self.other.site) {
            (Some(_), Some(_)) => format!("the {what}"),
            (Some((block, thread)), None) => {
                let [bx, by, bz] = self.prepared.block_index(block);
                let [x, y, z] = self.prepared.thread_index(thread);
                format!("an earlier {what} by block ({bx}, {by}, {bz}), thread ({x}, {y}, {z})")
            }
            (None, Some(site)) => {
                let line = self.prepared.module.sources.position(site.span).line;
                format!("the {what} of another block in line {line}")
            }
            (None, None) => format!("an earlier {what} of another block"),
        }
    }

    /// Whether one place in the text reads and writes, as `x += 1` does.
    fn is_one_statement(&self) -> bool {
        let reads = self.side.access.kind == AccessKind::Load || !self.conflict.then_writes;
        reads && self.other.site.is_some_and(|other| other.span == self.span())
    }

    /// Whether both sides are one plain write in the text.
    fn one_write(&self) -> bool {
        self.both_write() && self.other.site.is_some_and(|other| other.span == self.span())
    }

    fn both_write(&self) -> bool {
        let store = AccessKind::Store;
        self.side.access.kind == store
            && self.conflict.then_writes
            && self.other.site.is_some_and(|other| other.kind == store)
    }

    fn help(&self) -> &'static str {
        match self.other.pair {
            _ if self.doubtful => {
                "atomicCAS compares what was read here, but it is used otherwise as well: read it by an atomic, or through a volatile pointer"
            }
            _ if self.lacks_fence => {
                "a lock orders the two, but it was taken without a fence: put __threadfence() after the atomicCAS"
            }
            Pair::Blocks if self.over_plain() => {
                "set the value before the launch, or in a launch of its own"
            }
            Pair::Blocks if self.scope() => {
                "an atomic with the scope of a block does not exclude other blocks: use the one without _block"
            }
            _ if self.twin => "let one lane write, or give each lane its own element",
            _ if self.same == SameValue::No && self.is_one_statement() => {
                "one statement reads and writes it: use an atomic, such as atomicAdd(), in its place"
            }
            Pair::Blocks if self.one_write() => {
                "the blocks write one element: let one block write it, give each block its own, or combine the values with an atomic"
            }
            _ if self.one_write() => {
                "the threads write one element: let one of them write it, give each its own, or combine the values with an atomic; between turns of a loop, put a barrier"
            }
            Pair::Blocks if self.side.access.space == Space::Shared => {
                "put a cluster barrier, cluster.sync(), between the two; or let the block wait for an mbarrier at which the other arrives, both with the scope .cluster"
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
