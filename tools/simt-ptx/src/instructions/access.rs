//! What loads, stores and atomics share: semantics, scope, state space, cache operators.
//!
//! Cache operators, eviction priorities and prefetch sizes have no effect on values: they are checked
//! and dropped.

use crate::error::{Lowered, error, unsupported};
use crate::lower::{Lowering, Space};
use crate::modifiers::Modifiers;
use crate::syntax::Operand;
use crate::types::Type;
use simt_machine::isa::{Inst, Scope};

/// The state spaces.
pub(super) const SPACES: &[(&str, Space)] = &[
    ("global", Space::Global),
    ("shared", Space::Shared),
    ("shared::cta", Space::Shared),
    ("shared::cluster", Space::Shared),
    ("local", Space::Local),
    ("const", Space::Constant),
];

/// The scopes. A cluster is wider than a block.
pub(super) const SCOPES: &[(&str, Scope)] = &[
    ("cta", Scope::Block),
    ("cluster", Scope::Device),
    ("gpu", Scope::Device),
    ("sys", Scope::Device),
];

/// The memory semantics of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Semantics {
    Weak,
    Volatile,
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
}

impl Semantics {
    /// Whether other threads may access the same place at the same time.
    pub(super) fn is_strong(self) -> bool {
        self != Semantics::Weak
    }

    /// A fence before the access.
    pub(super) fn before(self, l: &mut Lowering<'_>, scope: Scope) {
        if matches!(self, Semantics::Release | Semantics::AcquireRelease) {
            l.emit(Inst::Fence { scope });
        }
    }

    /// A fence after it.
    pub(super) fn after(self, l: &mut Lowering<'_>, scope: Scope) {
        if matches!(self, Semantics::Acquire | Semantics::AcquireRelease) {
            l.emit(Inst::Fence { scope });
        }
    }
}

/// Modifiers that only advise the caches, wherever they stand.
const HINTS: &[(&str, ())] = &[
    ("ca", ()),
    ("cg", ()),
    ("cs", ()),
    ("lu", ()),
    ("cv", ()),
    ("wb", ()),
    ("wt", ()),
    ("nc", ()),
    ("L1::evict_normal", ()),
    ("L1::evict_unchanged", ()),
    ("L1::evict_first", ()),
    ("L1::evict_last", ()),
    ("L1::no_allocate", ()),
    ("L2::evict_normal", ()),
    ("L2::evict_first", ()),
    ("L2::evict_last", ()),
    ("L2::64B", ()),
    ("L2::128B", ()),
    ("L2::256B", ()),
];

/// Reads advice to the caches; whether a cache policy follows among the operands.
pub(super) fn hints(m: &mut Modifiers<'_>) -> bool {
    let mut policy = false;
    loop {
        if m.flag("L2::cache_hint") {
            policy = true;
        } else if m.choice(HINTS).is_none() {
            return policy;
        }
    }
}

/// The operands without the cache policy, which is checked and dropped.
pub(super) fn without_policy<'o>(
    l: &mut Lowering<'_>,
    operands: &'o [Operand],
    policy: bool,
) -> Lowered<&'o [Operand]> {
    match operands {
        [rest @ .., last] if policy => {
            l.source(last, Type::B64)?;
            Ok(rest)
        }
        _ => Ok(operands),
    }
}

/// The state space; other spaces than these are refused by name.
pub(super) fn space(m: &mut Modifiers<'_>) -> Lowered<Space> {
    let at = m.span();
    if let Some(space) = m.choice(SPACES) {
        return Ok(space);
    }
    match m.peek().map(|word| word.text.as_str()) {
        Some(other @ ("param" | "param::entry" | "param::func")) => {
            unsupported(at, format!("the state space `.{other}` here"))
        }
        _ => Ok(Space::Generic),
    }
}

/// The elements of a vector operand, which must be so many.
pub(super) fn elements<'o>(
    l: &Lowering<'_>,
    operand: &'o Operand,
    count: u8,
) -> Lowered<&'o [Operand]> {
    let all = l.elements(operand);
    if all.len() == usize::from(count) {
        return Ok(all);
    }
    let message = format!("this access has {count} elements, and {} are written", all.len());
    error(operand.span, message)
}
