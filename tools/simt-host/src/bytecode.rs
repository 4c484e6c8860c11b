//! Host code, ready to run: functions of instructions on numbered registers.
//!
//! A register is 64 bits; a value that is narrower stands in the low ones, extended to 32 bits as
//! its type says, the rest zero. A call's arguments stand in the caller's last registers and are
//! the callee's first ones, and so nothing is copied; the result comes back in the first of them.
//! What has an address (arrays, structs, variables to which something points) lives in the
//! function's frame, a stretch of the host's stack.
//!
//! All of it is plain data: a program can be shared by threads.

use crate::Library;
use simt::diagnostic::Span;
use simt::isa::{BinOp, CmpOp, Math, MemTy, Ty, UnOp};
use simt::sema::types::Prim;

/// Index of a register in the frame.
pub(super) type Reg = u16;

/// Index of an instruction in its function.
pub(super) type Pc = u32;

/// Operands are named alike throughout: `d` result, `a` and `b` operands, `p` a pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Inst {
    Const {
        d: Reg,
        bits: u64,
    },
    Move {
        d: Reg,
        a: Reg,
    },
    Unary {
        op: UnOp,
        ty: Ty,
        d: Reg,
        a: Reg,
    },
    Binary {
        op: BinOp,
        ty: Ty,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// With a constant: the bits, extended as a sign for 64-bit types.
    BinaryConst {
        op: BinOp,
        ty: Ty,
        d: Reg,
        a: Reg,
        b: i32,
    },
    /// The most frequent ones, each with its type.
    AddI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddI32Const {
        d: Reg,
        a: Reg,
        b: i32,
    },
    MulI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddI64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Compare {
        op: CmpOp,
        ty: Ty,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `a * b + c`, rounded once.
    Fma {
        ty: Ty,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Math {
        function: Math,
        ty: Ty,
        d: Reg,
        operands: [Reg; 4],
    },
    Convert {
        from: Prim,
        to: Prim,
        d: Reg,
        a: Reg,
    },
    Jump {
        to: Pc,
    },
    Branch {
        cond: Reg,
        when: bool,
        to: Pc,
    },
    /// Jumps if the comparison's result is `when`.
    BranchCompare {
        op: CmpOp,
        ty: Ty,
        when: bool,
        a: Reg,
        b: Reg,
        to: Pc,
    },
    /// The same with a constant.
    BranchConst {
        op: CmpOp,
        ty: Ty,
        when: bool,
        a: Reg,
        b: i32,
        to: Pc,
    },
    /// From memory, extended as `ty` says.
    Load {
        ty: MemTy,
        d: Reg,
        p: Reg,
        offset: i32,
    },
    Store {
        ty: MemTy,
        a: Reg,
        p: Reg,
        offset: i32,
    },
    /// The same at `p + index * scale + offset`.
    LoadIndex {
        ty: MemTy,
        d: Reg,
        at: Indexed,
    },
    StoreIndex {
        ty: MemTy,
        a: Reg,
        at: Indexed,
    },
    /// The address of such a place.
    IndexAddress {
        d: Reg,
        at: Indexed,
    },
    /// The same in the function's frame, where it cannot go wrong.
    LoadFrame {
        ty: MemTy,
        d: Reg,
        at: u32,
    },
    StoreFrame {
        ty: MemTy,
        a: Reg,
        at: u32,
    },
    /// The address of a variable of the program.
    GlobalAddress {
        d: Reg,
        global: u32,
    },
    /// The address of a literal: index into [`Code::literals`].
    Literal {
        d: Reg,
        text: u32,
    },
    /// The address of a `__device__` variable, as the host may not use it.
    Symbol {
        d: Reg,
        global: u16,
    },
    FrameAddress {
        d: Reg,
        at: u32,
    },
    /// `a + b * scale`, or minus.
    Step {
        d: Reg,
        a: Reg,
        b: Reg,
        scale: i32,
    },
    /// `a + offset`.
    Offset {
        d: Reg,
        a: Reg,
        offset: i32,
    },
    /// `(a - b) / size`.
    Distance {
        d: Reg,
        a: Reg,
        b: Reg,
        size: u32,
    },
    /// `bytes` bytes; the two may overlap.
    Copy {
        to: Reg,
        from: Reg,
        bytes: u32,
    },
    /// All bytes zero.
    Clear {
        to: Reg,
        bytes: u32,
    },
    /// Arguments from `window` on.
    Call {
        function: u32,
        window: Reg,
    },
    CallIndirect {
        pointer: Reg,
        window: Reg,
    },
    /// Goes there without a step of the budget: the end of a function that stands in its caller.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "calls stay calls there"))]
    Skip {
        to: Pc,
    },
    /// The step of the budget of its call.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "calls stay calls there"))]
    Tick,
    Return,
    /// Nothing: left out before the code runs.
    Nop,
    /// `count` arguments from `window` on; of further ones, [`Function::extra`] knows the types.
    Library {
        function: Library,
        window: Reg,
        count: u16,
        extra: u16,
    },
    /// Grid and block (pointers to `dim3`), shared memory, stream, and a pointer to the arguments
    /// from `window` on. Index into [`Code::launches`].
    Launch {
        site: u32,
        window: Reg,
    },
    /// Allocation for `count` objects of a type (index into [`Code::object_types`]).
    New {
        element: u32,
        array: bool,
        d: Reg,
        count: Reg,
    },
    /// The object's allocation goes back.
    Delete {
        p: Reg,
        array: bool,
    },
    /// How many elements `new[]` made there.
    Length {
        d: Reg,
        p: Reg,
    },
    /// From here on the object at `p` is to be destroyed by a function.
    PushCleanup {
        p: Reg,
        function: u32,
    },
    /// How many objects are to be destroyed now.
    CleanupDepth {
        d: Reg,
    },
    /// Destroys all that came after the mark, last first.
    RunCleanups {
        mark: Reg,
    },
    /// The object at `p` has moved away.
    DropCleanup {
        p: Reg,
    },
    /// What is thrown until the matching [`Inst::EndTry`] goes to `to`.
    Try {
        to: Pc,
    },
    EndTry,
    /// Throws the object at `p`, of a type (index into [`Code::object_types`]).
    Throw {
        element: u32,
        p: Reg,
    },
    /// Throws again what was caught.
    Rethrow,
    /// Whether what was thrown is of a type, and where it is.
    Caught {
        element: u32,
        d: Reg,
        p: Reg,
    },
    /// A handler takes what was thrown.
    Catch,
    /// What was caught is done with.
    EndCatch,
    /// Jumps if the static variable has begun; it has now.
    Once {
        global: u32,
        to: Pc,
    },
    /// The variable has begun, and is destroyed when the program ends.
    AtExit {
        global: u32,
    },
    /// Ends the program: index into [`Code::literals`], and the exit code.
    Abort {
        text: u32,
        code: u8,
    },
}

/// `p + index * scale + offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Indexed {
    pub(super) p: Reg,
    pub(super) index: Reg,
    pub(super) scale: i16,
    pub(super) offset: u16,
    /// How wide the index is.
    pub(super) width: Width,
}

/// How an index becomes 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Signed32,
    Unsigned32,
    Full,
}

/// A function.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) code: Vec<Inst>,
    pub(super) spans: Vec<Span>,
    /// The same code, for the quick loop.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) specialised: Vec<crate::specialised::Specialised>,
    /// Registers that hold its arguments: the first ones.
    pub(super) arguments: u16,
    /// Registers that it uses.
    pub(super) registers: u32,
    /// Bytes of its frame.
    pub(super) frame: u32,
    /// One less than what its frame is aligned to, where that is more than 16.
    pub(super) frame_rest: u32,
    /// The types of further arguments of a library function.
    pub(super) extra: Vec<Vec<Prim>>,
}

/// A launch, as written.
#[derive(Debug)]
pub(super) struct LaunchSite {
    /// Index into the module's kernels.
    pub(super) kernel: u32,
}

/// A type of which objects are made or thrown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ObjectType {
    pub(super) name: String,
    pub(super) bytes: u64,
    /// Its bases, near and far, and where they lie in it.
    pub(super) bases: Vec<(u32, u64)>,
}

/// A variable that lives as long as the program.
#[derive(Debug)]
pub(super) struct Global {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) element: simt::isa::Element,
    pub(super) span: Span,
    /// What gives it its first value.
    pub(super) init: Option<u32>,
    /// Not before `main`, but where its declaration is first reached.
    pub(super) lazy: bool,
    /// What destroys it when the program ends.
    pub(super) destroy: Option<u32>,
}

/// Everything.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) functions: Vec<Function>,
    pub(super) main: u32,
    /// Whether `main` takes arguments.
    pub(super) arguments: bool,
    pub(super) globals: Vec<Global>,
    pub(super) literals: Vec<Vec<u8>>,
    pub(super) launches: Vec<LaunchSite>,
    pub(super) object_types: Vec<ObjectType>,
}

// The loop that runs them reads them one after the other: small ones are quick.
const _: () = assert!(size_of::<Inst>() == 16);
