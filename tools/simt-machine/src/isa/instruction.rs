//! The instructions, one row each.
//!
//! A row says everything about an instruction but how it is executed: its fields, its category, the
//! registers that it uses and defines and how wide they are, what else it refers to by index, what
//! a well-formed one fulfils, and its text. From the rows are generated: [`Inst`], its operands,
//! its disassembly, the checks of the validator, and the facts that analyses ask for
//! ([`Inst::category`] and below).
//!
//! To add an arithmetic instruction, add a row here and its meaning in `machine/alu`. Every
//! analysis then treats it as a pure function of its registers, and the fast paths leave it to
//! the general path.

mod generate;

use super::asynchronous::{BulkDirection, FencedMemory, GroupKind, MbarrierOp};
use super::opcode::{AtomicOp, BarrierKind, BinOp, CmpOp, Scope, ShuffleKind, UnOp, VoteKind};
use super::operands::{Addr, Operand, Role, Width};
use super::{Fragment, Math, MatrixShape, MemTy, Pc, Reg, Ty, WarpGroupFactors, WarpGroupShape};
use generate::instructions;
use std::fmt::{self, Display};

/// What sort of instruction one is: what analyses and observers tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// Defines registers as a pure function of registers, lane by lane. Reads and writes no memory,
    /// no other lane and no other state; never ends a run.
    Arithmetic,
    /// Address arithmetic: the same of an [`Addr`].
    Address,
    /// Reads memory.
    Load,
    /// Writes memory.
    Store,
    /// Reads and writes memory in one step.
    Atomic,
    /// Orders memory accesses.
    Fence,
    /// Starts, groups or awaits what an asynchronous agent does, or changes an mbarrier.
    Asynchronous,
    /// Allocates or frees heap memory.
    Heap,
    /// Reads state of the warp or the launch that is in no register: its clock, its active mask, where
    /// shared objects lie.
    WarpState,
    /// Changes which instruction is next, or which lanes execute it.
    Control,
    /// Waits for all threads of the block.
    BlockBarrier,
    /// Waits for the lanes of a member mask; most of them exchange values.
    WarpCollective,
    /// Keeps or checks which variables hold a value.
    Definedness,
    /// Calls out: output, a launch, a trap.
    System,
}

/// Where control goes after an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor {
    /// To the next instruction.
    Next,
    /// To another instruction.
    Jump(Pc),
    /// To the next instruction or to another, lane by lane.
    Branch(Pc),
    /// Nowhere.
    End,
}

/// A table of the kernel that instructions refer to by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    ConvergenceBarriers,
    Variables,
    Prints,
    Traps,
}

instructions! {
    /// Copies one (`wide` false) or two registers.
    Mov { wide: bool, d: Reg, a: Reg }: Arithmetic
        uses [a: Width::wide(*wide)]
        defines [d: Width::wide(*wide)]
        text ("mov{} r{d}, r{a}", wide_suffix(wide));

    Unary { op: UnOp, ty: Ty, d: Reg, a: Reg }: Arithmetic
        uses [a: ty.width()]
        defines [d: op.result_width(*ty)]
        text ("{op}.{ty} r{d}, r{a}");

    Binary { op: BinOp, ty: Ty, d: Reg, a: Reg, b: Reg }: Arithmetic
        uses [a: ty.width(), b: op.second_width(*ty)]
        defines [d: ty.width()]
        text ("{op}.{ty} r{d}, r{a}, r{b}");

    /// `a * b + c`, rounded once (floats: IEEE 754's fusedMultiplyAdd), or wrapped (integers).
    Fma { ty: Ty, d: Reg, a: Reg, b: Reg, c: Reg }: Arithmetic
        uses [a: ty.width(), b: ty.width(), c: ty.width()]
        defines [d: ty.width()]
        text ("fma.{ty} r{d}, r{a}, r{b}, r{c}");

    /// A function of the mathematics library, in `F32` or `F64`. Operands that it does not take
    /// repeat the first.
    Math { function: Math, ty: Ty, d: Reg, operands: [Reg; 4] }: Arithmetic
        uses [operands: ty.width()]
        defines [d: ty.width()]
        requires (matches!(ty, Ty::F32 | Ty::F64), "the mathematics library is for floats only")
        text ("{}.{ty} r{d}, {}", function.name(), list(&operands[..function.arity()]));

    Compare { op: CmpOp, ty: Ty, d: Reg, a: Reg, b: Reg }: Arithmetic
        uses [a: ty.width(), b: ty.width()]
        defines [d: Width::WORD]
        text ("{op}.{ty} r{d}, r{a}, r{b}");

    /// `cond != 0 ? a : b`.
    Select { wide: bool, d: Reg, cond: Reg, a: Reg, b: Reg }: Arithmetic
        uses [cond: Width::WORD, a: Width::wide(*wide), b: Width::wide(*wide)]
        defines [d: Width::wide(*wide)]
        text ("select{} r{d}, r{cond} ? r{a} : r{b}", wide_suffix(wide));

    /// Between types. Float to integer truncates and saturates; NaN gives 0, or the uppermost bit
    /// alone from `F64` or to 64 bits. Integer to float rounds to nearest, ties to even; `F64` to
    /// `F32` likewise.
    Convert { from: Ty, to: Ty, d: Reg, a: Reg }: Arithmetic
        uses [a: from.width()]
        defines [d: to.width()]
        text ("convert.{from}.{to} r{d}, r{a}");

    /// Keeps the low 8 or 16 bits of a 32-bit value, extended as `to` says.
    Narrow { to: MemTy, d: Reg, a: Reg }: Arithmetic
        uses [a: to.width()]
        defines [d: to.width()]
        text ("narrow.{to} r{d}, r{a}");

    /// The address itself, as a pointer.
    Lea { d: Reg, addr: Addr }: Address
        defines [d: Width::PAIR]
        address addr
        text ("lea r{d}, {addr}");

    /// `n` components (1, 2 or 4) of type `ty` into registers from `d` on: one request.
    Load { ty: MemTy, n: u8, volatile: bool, d: Reg, addr: Addr }: Load
        defines [d: ty.width().times(*n)]
        address addr
        requires (is_vector(ty, n), "an access of {n} times {} bytes", ty.bytes())
        text ("load{}.{ty}{} r{d}, {addr}", volatile_suffix(volatile), vector_suffix(n));

    Store { ty: MemTy, n: u8, volatile: bool, a: Reg, addr: Addr }: Store
        uses [a: ty.width().times(*n)]
        address addr
        requires (is_vector(ty, n), "an access of {n} times {} bytes", ty.bytes())
        text ("store{}.{ty}{} {addr}, r{a}", volatile_suffix(volatile), vector_suffix(n));

    /// Only `Cas` reads `b`; the other operations repeat `a` there. `d` is `None` where the program
    /// drops the old value.
    Atomic { op: AtomicOp, ty: Ty, scope: Scope, d: Option<Reg>, a: Reg, b: Reg, addr: Addr }: Atomic
        uses [a: ty.width(), b: ty.width()]
        defines [d: ty.width()]
        address addr
        text (
            "atomic.{op}.{ty}{} {}, {addr}, r{a}{}",
            scope_suffix(scope),
            d.map_or("_".to_owned(), |d| format!("r{d}")),
            if op == AtomicOp::Cas { format!(", r{b}") } else { String::new() }
        );

    Fence { scope: Scope }: Fence
        text ("fence{}", scope_suffix(scope));

    /// `malloc`: the pointer, or null; `a` is the number of bytes, 64 bits.
    Malloc { d: Reg, a: Reg }: Heap
        uses [a: Width::PAIR]
        defines [d: Width::PAIR]
        text ("malloc r{d}, r{a}");

    /// `free` of a pointer.
    Free { a: Reg }: Heap
        uses [a: Width::PAIR]
        text ("free r{a}");

    /// `clock64()`: the instructions that this warp has issued so far, in 64 bits. A model of time:
    /// it advances by one per instruction, however long the instruction waits, and is the same in
    /// every run.
    Clock { d: Reg }: WarpState
        defines [d: Width::PAIR]
        text ("clock r{d}");

    /// The mask of the active lanes.
    ActiveMask { d: Reg }: WarpState
        defines [d: Width::WORD]
        text ("activemask r{d}");

    /// The 32-bit address in shared memory that a generic pointer leads to, as PTX's `cvta.to.shared`
    /// makes it: bytes from the start of the block's shared memory, and in the uppermost 8 bits
    /// 0, or 1 + the rank of another block of the cluster.
    SharedAddress { d: Reg, a: Reg }: WarpState
        uses [a: Width::PAIR]
        defines [d: Width::WORD]
        text ("sharedaddress r{d}, r{a}");

    /// The generic pointer to a 32-bit address in shared memory, as PTX's `cvta.shared`. It leads to
    /// the object that lies there, if one does.
    SharedPointer { d: Reg, a: Reg }: WarpState
        uses [a: Width::WORD]
        defines [d: Width::PAIR]
        text ("sharedpointer r{d}, r{a}");

    /// `cp.async`: 4, 8 or 16 bytes from global to shared memory, without a register. Of these, `size`
    /// bytes are read, and the others are zero.
    CopyAsync { bytes: u8, to: Reg, from: Reg, size: Option<Reg> }: Asynchronous
        uses [to: Width::WORD, from: Width::PAIR, size: Width::WORD]
        requires (matches!(bytes, 4 | 8 | 16), "an asynchronous copy of {bytes} bytes")
        text (
            "copyasync.{bytes} [r{to}], [r{from}]{}",
            size.map_or(String::new(), |size| format!(", r{size}"))
        );

    /// `cp.async.mbarrier.arrive`: the thread arrives when its `cp.async` so far have completed.
    /// `counted`: the phase waits for one arrival more, which is this one (without `.noinc`).
    CopyAsyncArrive { barrier: Reg, counted: bool }: Asynchronous
        uses [barrier: Width::WORD]
        text ("copyasync.arrive{} [r{barrier}]", if counted { "" } else { ".noinc" });

    /// The operations that the thread has started since the last commit are a group.
    CommitGroup { kind: GroupKind }: Asynchronous
        text ("commit.{kind}");

    /// Waits until at most `left` of the thread's groups have not completed; `read`: not completed
    /// to read.
    WaitGroup { kind: GroupKind, left: u16, read: bool }: Asynchronous
        text ("wait.{kind}{} {left}", if read { ".read" } else { "" });

    /// `d`: the state before the operation, where threads arrive and the program uses it. `order`: to whom
    /// arrivals release.
    Mbarrier { op: MbarrierOp, order: Option<Scope>, d: Option<Reg>, barrier: Reg, a: Reg }: Asynchronous
        uses [barrier: Width::WORD, a: op.operand_width()]
        defines [d: Width::PAIR]
        text (
            "mbarrier.{op}{} {}[r{barrier}], r{a}",
            order_suffix(order),
            d.map_or(String::new(), |d| format!("r{d}, "))
        );

    /// Whether a phase has ended: the one of the parity `a`, or of the state `a`. `order`: from whom it
    /// acquires.
    MbarrierTest { parity: bool, order: Option<Scope>, d: Reg, barrier: Reg, a: Reg }: Asynchronous
        uses [barrier: Width::WORD, a: Width::wide(!*parity)]
        defines [d: Width::WORD]
        text (
            "mbarrier.test{}{} r{d}, [r{barrier}], r{a}",
            if parity { ".parity" } else { "" },
            order_suffix(order)
        );

    /// `cp.async.bulk`: `bytes` (a register) bytes.
    BulkCopy { direction: BulkDirection, to: Reg, from: Reg, bytes: Reg, barrier: Reg }: Asynchronous
        uses [
            to: direction.target_width(), from: direction.source_width(), bytes: Width::WORD,
            barrier: direction.barrier_width()
        ]
        text ("bulkcopy.{direction} [r{to}], [r{from}], r{bytes}, [r{barrier}]");

    /// `cp.reduce.async.bulk`: the same, but combines each element with what is there.
    BulkReduce { op: AtomicOp, ty: Ty, direction: BulkDirection, to: Reg, from: Reg, bytes: Reg, barrier: Reg }: Asynchronous
        uses [
            to: direction.target_width(), from: direction.source_width(), bytes: Width::WORD,
            barrier: direction.barrier_width()
        ]
        requires (
            matches!(direction, BulkDirection::ToGlobal | BulkDirection::ToCluster),
            "a bulk reduction from global memory"
        )
        text ("bulkreduce.{direction}.{op}.{ty} [r{to}], [r{from}], r{bytes}, [r{barrier}]");

    /// `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor`: the box of the tensor map at `map`
    /// whose first element has these coordinates (as many as `rank`; the others repeat the first).
    BulkTensor {
        direction: BulkDirection, map: Reg, shared: Reg, coordinates: [Reg; 5], rank: u8,
        barrier: Reg, reduce: Option<AtomicOp>
    }: Asynchronous
        uses [
            map: Width::PAIR, shared: Width::WORD, coordinates: Width::WORD,
            barrier: direction.barrier_width()
        ]
        requires (
            matches!(rank, 1..=5) && direction != BulkDirection::ToCluster,
            "a tensor copy of {rank} axes"
        )
        text (
            "bulktensor.{direction} [r{shared}], [r{map}, {}], [r{barrier}]",
            list(&coordinates[..usize::from(rank)])
        );

    /// `st.async`, or `red.async`: `n` values from registers `a` on go to shared memory of the cluster, and
    /// their bytes count at an mbarrier there.
    StoreAsync { ty: Ty, n: u8, reduce: Option<AtomicOp>, to: Reg, a: Reg, barrier: Reg }: Asynchronous
        uses [to: Width::WORD, a: ty.width().times(*n), barrier: Width::WORD]
        requires (
            matches!(n, 1 | 2 | 4) && u16::from(n) * ty.slots() <= 4,
            "an asynchronous store of {n} values"
        )
        text (
            "storeasync{}.{ty}.v{n} [r{to}], r{a}, [r{barrier}]",
            reduce.map_or(String::new(), |op| format!(".{op}"))
        );

    /// `wgmma.mma_async`: the warp's 16 rows of a product of its warp group. `a` and `b` are descriptors
    /// of matrices in shared memory ([`Descriptor`](super::Descriptor)), or `a` the first of four
    /// registers. `c` counts if `keep` is not 0.
    WarpGroupMultiply { shape: WarpGroupShape, factors: WarpGroupFactors, d: Reg, a: Reg, b: Reg, c: Reg, keep: Reg }: Asynchronous
        uses [a: factors.left(), b: Width::PAIR, c: shape.sums(), keep: Width::WORD]
        defines [d: shape.sums()]
        requires (shape.exists() && shape.takes(factors), "no tensor core computes {shape}")
        text ("wgmma.{shape} r{d}, r{a}, r{b}, r{c}, keep r{keep}");

    /// `fence.proxy.async`: orders the thread's accesses before it and those of asynchronous agents
    /// that it starts, or that start after it.
    ProxyFence { memory: FencedMemory }: Asynchronous
        text ("fence.proxy.async{}", memory.suffix());

    /// `wgmma.fence`: orders the thread's accesses of registers before the products that are issued after
    /// it.
    ProductFence: Asynchronous
        text ("wgmma.fence");

    /// `fence.mbarrier_init`: the mbarriers that the thread has made are seen by the cluster and by
    /// asynchronous agents.
    MbarrierInitFence: Asynchronous
        text ("fence.mbarrier_init");

    Jump { target: Pc }: Control
        label target
        text ("jump {target}");

    /// Lanes whose `cond != 0` equals `when` go to `target`, the others to the next instruction.
    Branch { cond: Reg, when: bool, target: Pc }: Control
        uses [cond: Width::WORD]
        label target
        text ("branch {}r{cond}, {target}", if when { "" } else { "!" });

    /// The active lanes will reconverge at the `Bsync` of the same barrier, which is at `at`.
    Bssy { barrier: u16, at: Pc }: Control
        label at
        index barrier in ConvergenceBarriers
        text ("bssy b{barrier}, {at}");

    /// Waits for the lanes that the `Bssy` noted and that have not exited.
    Bsync { barrier: u16 }: Control
        index barrier in ConvergenceBarriers
        text ("bsync b{barrier}");

    /// The active lanes will not come to this barrier's `Bsync`: the others do not wait for them.
    /// Precedes each jump out of a region (`break`, `continue`, an inlined `return`), once per
    /// barrier that the jump leaves behind; the hardware's `BREAK`. [`Inst::Exit`] needs none.
    Leave { barrier: u16 }: Control
        index barrier in ConvergenceBarriers
        text ("leave b{barrier}");

    Exit: Control
        text ("exit");

    /// `__syncthreads` and its kin. `pred` and `d` unless `Plain`.
    Barrier { kind: BarrierKind, d: Reg, pred: Reg }: BlockBarrier
        uses [pred: kind.width()]
        defines [d: kind.width()]
        text ("barrier{}", match kind {
            BarrierKind::Plain => String::new(),
            kind => format!(".{kind} r{d}, r{pred}"),
        });

    /// `bar.sync` and its kin with a number from 0 to 15 and a count of threads; without `wait` an
    /// arrival only. `pred` and `d` unless `Plain`.
    NamedBarrier { kind: BarrierKind, wait: bool, d: Reg, pred: Reg, id: Reg, count: Reg }: BlockBarrier
        uses [pred: kind.width(), id: Width::WORD, count: Width::WORD]
        defines [d: kind.width()]
        text ("namedbarrier{}{} r{id}, r{count}", if wait { "" } else { ".arrive" }, match kind {
            BarrierKind::Plain => String::new(),
            kind => format!(".{kind} r{d}, r{pred},"),
        });

    /// `barrier.cluster.arrive`, or with `wait` `barrier.cluster.wait`: of all threads of the cluster that
    /// have not exited. `ordered`: the arrival releases, the wait acquires (not `.relaxed`).
    ClusterBarrier { wait: bool, ordered: bool }: BlockBarrier
        text (
            "clusterbarrier.{}{}",
            if wait { "wait" } else { "arrive" },
            if ordered { "" } else { ".relaxed" }
        );

    SyncWarp { mask: Reg }: WarpCollective
        uses [mask: Width::WORD]
        members mask
        text ("syncwarp r{mask}");

    /// `width` is a register too; `wide` moves 64 bits.
    Shuffle { kind: ShuffleKind, wide: bool, d: Reg, a: Reg, lane: Reg, width: Reg, mask: Reg }: WarpCollective
        uses [a: Width::wide(*wide), lane: Width::WORD, width: Width::WORD, mask: Width::WORD]
        defines [d: Width::wide(*wide)]
        members mask
        text (
            "shuffle.{kind}{} r{d}, r{a}, lane r{lane}, width r{width}, mask r{mask}",
            wide_suffix(wide)
        );

    Vote { kind: VoteKind, d: Reg, pred: Reg, mask: Reg }: WarpCollective
        uses [pred: Width::WORD, mask: Width::WORD]
        defines [d: Width::WORD]
        members mask
        text ("vote.{kind} r{d}, r{pred}, mask r{mask}");

    /// `__reduce_*_sync`: `Add`, `Min`, `Max`, `And`, `Or`, `Xor` over `I32` or `U32`.
    WarpReduce { op: AtomicOp, ty: Ty, d: Reg, a: Reg, mask: Reg }: WarpCollective
        uses [a: Width::WORD, mask: Width::WORD]
        defines [d: Width::WORD]
        members mask
        requires (matches!(ty, Ty::I32 | Ty::U32), "a warp reduces 32-bit integers only")
        text ("warpreduce.{op}.{ty} r{d}, r{a}, mask r{mask}");

    /// `__match_any_sync` (`all` false) or `__match_all_sync`, whose predicate goes to `pred`.
    Match { all: bool, wide: bool, d: Reg, pred: Reg, a: Reg, mask: Reg }: WarpCollective
        uses [a: Width::wide(*wide), mask: Width::WORD]
        defines [d: Width::WORD, pred: Width::WORD]
        members mask
        text (
            "match.{}{} r{d}, r{pred}, r{a}, mask r{mask}",
            if all { "all" } else { "any" },
            wide_suffix(wide)
        );

    /// `d = a b + c` by a tensor core, as PTX's `mma.sync`: all lanes of the warp together. Each operand
    /// takes adjacent registers of every lane ([`MatrixShape::place`]).
    MatrixMultiply { shape: MatrixShape, d: Reg, a: Reg, b: Reg, c: Reg, mask: Reg }: WarpCollective
        uses [
            a: shape.width(Fragment::A),
            b: shape.width(Fragment::B),
            c: shape.width(Fragment::Sum),
            mask: Width::WORD
        ]
        defines [d: shape.width(Fragment::Sum)]
        members mask
        requires (shape.exists(), "no tensor core computes {shape}")
        text ("mma.{shape} r{d}, r{a}, r{b}, r{c}, mask r{mask}");

    /// Loads `count` (1, 2 or 4) matrices of 8 by 8 elements of 16 bits from shared memory, as PTX's
    /// `ldmatrix`. Lane `8 i + r` has the address of row `r` of matrix `i`, 16 bytes. Register
    /// `d + i` of lane `l` gets the elements `2 * (l % 4)` and the next of row `l / 4`; of column
    /// `l / 4` if it is to `transpose`. `rows` is for the machine: what each lane read.
    LoadMatrix { count: u8, transpose: bool, d: Reg, rows: Reg, addr: Addr, mask: Reg }: WarpCollective
        uses [mask: Width::WORD]
        defines [d: Width::WORD.times(*count), rows: Width::WORD.times(4)]
        address addr
        members mask
        requires (matches!(count, 1 | 2 | 4), "{count} matrices")
        text ("ldmatrix.x{count}{} r{d}, {addr}, mask r{mask}", transpose_suffix(transpose));

    /// Stores matrices as `LoadMatrix` loads them: PTX's `stmatrix`.
    StoreMatrix { count: u8, transpose: bool, a: Reg, rows: Reg, addr: Addr, mask: Reg }: WarpCollective
        uses [a: Width::WORD.times(*count), mask: Width::WORD]
        defines [rows: Width::WORD.times(4)]
        address addr
        members mask
        requires (matches!(count, 1 | 2 | 4), "{count} matrices")
        text ("stmatrix.x{count}{} {addr}, r{a}, mask r{mask}", transpose_suffix(transpose));

    /// The variable holds no value from here on in the active lanes (index into
    /// [`Kernel::variables`](super::Kernel::variables)).
    Undefine { variable: u16 }: Definedness
        index variable in Variables
        text ("undefine v{variable}");

    /// It holds a value from here on.
    Define { variable: u16 }: Definedness
        index variable in Variables
        text ("define v{variable}");

    /// It is read here: a finding in each lane where it holds no value.
    CheckDefined { variable: u16 }: Definedness
        index variable in Variables
        text ("checkdefined v{variable}");

    /// `printf`, or the launch of a grid: index into [`Kernel::prints`](super::Kernel::prints).
    /// The values that it uses are in that table: [`visit_print`](super::operands::visit_print).
    Print { print: u16 }: System
        index print in Prints
        text ("print p{print}");

    /// A failed `assert` or `__trap()`, in the active lanes: index into
    /// [`Kernel::traps`](super::Kernel::traps).
    Trap { trap: u16 }: System
        index trap in Traps
        text ("trap t{trap}");
}

impl Inst {
    /// Calls `f` for each register operand: the first register, how many from there on, and what
    /// for.
    pub fn for_each_operand(&self, f: &mut dyn FnMut(Reg, u16, Role)) {
        let mut copy = *self;
        copy.visit_operands(&mut |reg, width, role| f(*reg, width.slots(), role));
    }

    /// Whether it is a load, a store or an atomic.
    pub fn is_access(&self) -> bool {
        matches!(self.category(), Category::Load | Category::Store | Category::Atomic)
    }

    /// Whether it writes to the memory at its address.
    pub fn writes_memory(&self) -> bool {
        matches!(self.category(), Category::Store | Category::Atomic)
            || matches!(self, Inst::StoreMatrix { .. })
    }

    /// Where control goes from here.
    pub fn successor(&self) -> Successor {
        match *self {
            Inst::Jump { target } => Successor::Jump(target),
            Inst::Branch { target, .. } => Successor::Branch(target),
            Inst::Exit | Inst::Trap { .. } => Successor::End,
            _ => Successor::Next,
        }
    }

    /// The instructions that may follow this one, which is at `at`: the target of a jump first.
    pub fn successors(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let (target, next) = match self.successor() {
            Successor::Next => (None, Some(at + 1)),
            Successor::Jump(target) => (Some(target as usize), None),
            Successor::Branch(target) => (Some(target as usize), Some(at + 1)),
            Successor::End => (None, None),
        };
        target.into_iter().chain(next)
    }
}

/// Whether one request may move `n` components of this type: 16 bytes at most.
fn is_vector(ty: MemTy, n: u8) -> bool {
    matches!(n, 1 | 2 | 4) && u32::from(n) * ty.bytes() <= 16
}

fn wide_suffix(wide: bool) -> &'static str {
    if wide { ".wide" } else { "" }
}

fn transpose_suffix(transpose: bool) -> &'static str {
    if transpose { ".trans" } else { "" }
}

fn volatile_suffix(volatile: bool) -> &'static str {
    if volatile { ".volatile" } else { "" }
}

fn scope_suffix(scope: Scope) -> &'static str {
    if scope == Scope::Block { ".block" } else { "" }
}

/// What a thread releases or acquires; `None`: nothing.
fn order_suffix(order: Option<Scope>) -> &'static str {
    order.map_or(".relaxed", scope_suffix)
}

fn vector_suffix(n: u8) -> String {
    if n == 1 { String::new() } else { format!(".v{n}") }
}

fn list(registers: &[Reg]) -> String {
    registers.iter().map(|r| format!("r{r}")).collect::<Vec<_>>().join(", ")
}
