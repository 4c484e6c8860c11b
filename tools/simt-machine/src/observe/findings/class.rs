//! The classes of findings, and the codes within them: one row each.
//!
//! Directives name a class, and tests count it. Messages carry a code, which says which of the
//! defects of its class it is; the appendix of the book explains each code.

macro_rules! classes {
    ($($class:ident $name:literal $doc:literal { $($code:ident $code_name:literal $code_doc:literal)* })*) => {
        /// The classes of findings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Class {
            $(#[doc = $doc] $class,)*
        }

        impl Class {
            /// All of them, in the order of the appendix.
            pub const ALL: &[Class] = &[$(Class::$class),*];

            /// The word that directives use.
            pub fn name(self) -> &'static str {
                match self {
                    $(Class::$class => $name,)*
                }
            }
        }

        /// Which defect of its class it is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $code_doc] $code,)*)*
        }

        impl Code {
            /// All of them, class by class.
            pub const ALL: &[Code] = &[$($(Code::$code),*),*];

            /// As messages show it, and the appendix's headings.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Code::$code => $code_name,)*)*
                }
            }

            /// The class that it belongs to.
            pub fn class(self) -> Class {
                match self {
                    $($(Code::$code)|* => Class::$class,)*
                }
            }
        }
    };
}

classes! {
    Race "race" "Two accesses that nothing orders, one of them a write." {
        SharedRace "shared-race" "Two warps of a block, in shared memory."
        GlobalRace "global-race" "Two warps of a block, in global memory."
        BlockRace "block-race" "Two blocks."
        ScopeRace "scope-race" "Atomics of two blocks, one of them with the block's scope."
        WarpRace "warp-race" "Two lanes of a warp."
        SameValue "same-value" "Two writes of one value."
    }
    Async "async" "An asynchronous operation and another access that nothing orders." {
        CopyNotAwaited "copy-not-awaited" "An access does not wait for the operation that writes there."
        SourceNotAwaited "source-not-awaited" "A write does not wait for the operation that reads there."
        RefilledEarly "refilled-early" "An operation writes what threads may still use."
        CopiedEarly "copied-early" "An operation reads what threads may still write."
        OverlappingOperations "overlapping-operations" "Two operations on the same memory."
        MissingProxyFence "missing-proxy-fence" "No proxy fence between a thread's write and an operation."
        ProductNotAwaited "product-not-awaited" "An access does not wait for the product of a warp group that has the register."
        MissingProductFence "missing-wgmma-fence" "No `wgmma.fence` between a thread's access to a register and a product that has it."
        MissingInitFence "missing-init-fence" "No fence between the making of an mbarrier and an operation that completes there."
    }
    Bounds "bounds" "An access outside its object, or one that is not aligned." {
        OutOfBounds "out-of-bounds" "Outside of its object."
        Misaligned "misaligned" "At an address that its width does not divide."
        BadPointer "bad-pointer" "Through a pointer to nothing."
        FreedMemory "freed-memory" "In freed memory; or a `free` of what was not allocated."
        HostMemory "host-memory" "In memory of the host."
        ReadOnly "read-only" "A write to constant memory."
        TensorMap "tensor-map" "A tensor copy whose map or whose place in shared memory is wrong."
    }
    Uninitialised "uninitialised" "A read of memory or of a variable that was not written." {
        UnwrittenMemory "unwritten-memory" "Memory that was not written."
        UnassignedVariable "unassigned-variable" "A variable to which nothing was assigned."
    }
    Barrier "barrier" "A barrier that some threads never reach, or two groups wait at different ones." {
        DivergentBarrier "divergent-barrier" "Threads of a block at different barriers, or some at none."
        ClusterBarrier "cluster-barrier" "The arrivals and waits of a thread at the cluster's barrier do not alternate."
        MissingClusterBarrier "missing-cluster-barrier" "Another block's shared memory is accessed before it has started, or when it may have ended."
        ReturnedBeforeBarrier "returned-before-barrier" "Threads returned before a barrier."
    }
    SyncMask "sync-mask" "A `*_sync` whose mask names lanes that are not there." {
        CallerNotNamed "caller-not-named" "The mask does not name its caller."
        LanesNeverCome "lanes-never-come" "The mask names lanes that never come."
        LanesReturned "lanes-returned" "The mask names lanes that have returned."
        AbsentSource "absent-source" "A shuffle reads from a lane that does not take part."
    }
    Deadlock "deadlock" "No thread can go on." {
        Deadlock "deadlock" "Threads wait for each other."
        NoProgress "no-progress" "Threads poll memory for ever, and nothing changes it."
        PhaseNeverEnds "phase-never-ends" "Threads wait for a phase of an mbarrier that never ends."
    }
    Mbarrier "mbarrier" "A wrong use of an mbarrier." {
        NoMbarrier "no-mbarrier" "There is none at the address."
        UnorderedInit "unordered-init" "It is used by a thread, and nothing orders its making before."
        MbarrierInUse "mbarrier-in-use" "It is made again while a phase has begun."
        MbarrierCount "mbarrier-count" "More arrivals or bytes than the phase waits for or can count."
    }
    Arithmetic "arithmetic" "Arithmetic that C++ leaves undefined: a division by zero, a shift past the width." {
        DivisionByZero "division-by-zero" "An integer is divided by zero."
        WideShift "wide-shift" "A shift past the width."
    }
    Trap "trap" "A failed `assert`, `__trap()`." {
        Trap "trap" "A failed `assert`, `__trap()`."
    }
}
