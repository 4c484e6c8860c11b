//! The classes of findings, and the codes within them.
//!
//! Directives name a class, and tests count it. Messages carry a code, which says which of the
//! defects of its class it is; the appendix of the book explains each code.

/// The classes of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Two accesses that nothing orders, one of them a write.
    Race,
    /// An access outside its object, or one that is not aligned.
    Bounds,
    /// A read of memory or of a variable that was not written.
    Uninitialised,
    /// A barrier that some threads never reach, or two groups wait at different ones.
    Barrier,
    /// A `*_sync` whose mask names lanes that are not there.
    SyncMask,
    /// No thread can go on.
    Deadlock,
    /// Arithmetic that C++ leaves undefined: a division by zero, a shift past the width.
    Arithmetic,
    /// A failed `assert`, `__trap()`.
    Trap,
}

impl Class {
    /// All of them, in the order of the appendix.
    pub const ALL: [Class; 8] = [
        Class::Race,
        Class::Bounds,
        Class::Uninitialised,
        Class::Barrier,
        Class::SyncMask,
        Class::Deadlock,
        Class::Arithmetic,
        Class::Trap,
    ];

    /// The word that directives use.
    pub fn name(self) -> &'static str {
        match self {
            Class::Race => "race",
            Class::Bounds => "bounds",
            Class::Uninitialised => "uninitialised",
            Class::Barrier => "barrier",
            Class::SyncMask => "sync-mask",
            Class::Deadlock => "deadlock",
            Class::Arithmetic => "arithmetic",
            Class::Trap => "trap",
        }
    }
}

/// Which defect of its class it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// Two warps of a block, in shared memory.
    SharedRace,
    /// Two warps of a block, in global memory.
    GlobalRace,
    /// Two blocks.
    BlockRace,
    /// Atomics of two blocks, one of them with the block's scope.
    ScopeRace,
    /// Two lanes of a warp.
    WarpRace,
    /// Two writes of one value.
    SameValue,
    /// Outside of its object.
    OutOfBounds,
    /// At an address that its width does not divide.
    Misaligned,
    /// Through a pointer to nothing.
    BadPointer,
    /// In freed memory; or a `free` of what was not allocated.
    FreedMemory,
    /// In memory of the host.
    HostMemory,
    /// A write to constant memory.
    ReadOnly,
    /// Memory that was not written.
    UnwrittenMemory,
    /// A variable to which nothing was assigned.
    UnassignedVariable,
    /// Threads of a block at different barriers, or some at none.
    DivergentBarrier,
    /// Threads returned before a barrier.
    ReturnedBeforeBarrier,
    /// The mask does not name its caller.
    CallerNotNamed,
    /// The mask names lanes that never come.
    LanesNeverCome,
    /// The mask names lanes that have returned.
    LanesReturned,
    /// A shuffle reads from a lane that does not take part.
    AbsentSource,
    /// Threads wait for each other.
    Deadlock,
    /// Threads poll memory for ever, and nothing changes it.
    NoProgress,
    /// An integer is divided by zero.
    DivisionByZero,
    /// A shift past the width.
    WideShift,
    /// A failed `assert`, `__trap()`.
    Trap,
}

impl Code {
    /// All of them, class by class.
    pub const ALL: [Code; 25] = [
        Code::SharedRace,
        Code::GlobalRace,
        Code::BlockRace,
        Code::ScopeRace,
        Code::WarpRace,
        Code::SameValue,
        Code::OutOfBounds,
        Code::Misaligned,
        Code::BadPointer,
        Code::FreedMemory,
        Code::HostMemory,
        Code::ReadOnly,
        Code::UnwrittenMemory,
        Code::UnassignedVariable,
        Code::DivergentBarrier,
        Code::ReturnedBeforeBarrier,
        Code::CallerNotNamed,
        Code::LanesNeverCome,
        Code::LanesReturned,
        Code::AbsentSource,
        Code::Deadlock,
        Code::NoProgress,
        Code::DivisionByZero,
        Code::WideShift,
        Code::Trap,
    ];

    /// As messages show it, and the appendix's headings.
    pub fn name(self) -> &'static str {
        match self {
            Code::SharedRace => "shared-race",
            Code::GlobalRace => "global-race",
            Code::BlockRace => "block-race",
            Code::ScopeRace => "scope-race",
            Code::WarpRace => "warp-race",
            Code::SameValue => "same-value",
            Code::OutOfBounds => "out-of-bounds",
            Code::Misaligned => "misaligned",
            Code::BadPointer => "bad-pointer",
            Code::FreedMemory => "freed-memory",
            Code::HostMemory => "host-memory",
            Code::ReadOnly => "read-only",
            Code::UnwrittenMemory => "unwritten-memory",
            Code::UnassignedVariable => "unassigned-variable",
            Code::DivergentBarrier => "divergent-barrier",
            Code::ReturnedBeforeBarrier => "returned-before-barrier",
            Code::CallerNotNamed => "caller-not-named",
            Code::LanesNeverCome => "lanes-never-come",
            Code::LanesReturned => "lanes-returned",
            Code::AbsentSource => "absent-source",
            Code::Deadlock => "deadlock",
            Code::NoProgress => "no-progress",
            Code::DivisionByZero => "division-by-zero",
            Code::WideShift => "wide-shift",
            Code::Trap => "trap",
        }
    }

    /// The class that it belongs to.
    pub fn class(self) -> Class {
        match self {
            Code::SharedRace
            | Code::GlobalRace
            | Code::BlockRace
            | Code::ScopeRace
            | Code::WarpRace
            | Code::SameValue => Class::Race,
            Code::OutOfBounds
            | Code::Misaligned
            | Code::BadPointer
            | Code::FreedMemory
            | Code::HostMemory
            | Code::ReadOnly => Class::Bounds,
            Code::UnwrittenMemory | Code::UnassignedVariable => Class::Uninitialised,
            Code::DivergentBarrier | Code::ReturnedBeforeBarrier => Class::Barrier,
            Code::CallerNotNamed
            | Code::LanesNeverCome
            | Code::LanesReturned
            | Code::AbsentSource => Class::SyncMask,
            Code::Deadlock | Code::NoProgress => Class::Deadlock,
            Code::DivisionByZero | Code::WideShift => Class::Arithmetic,
            Code::Trap => Class::Trap,
        }
    }
}
