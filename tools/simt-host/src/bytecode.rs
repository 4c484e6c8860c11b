//! The bytecode of host code: a register machine.
//!
//! A register has 64 bits. A narrower value is in the low ones, extended to 32 bits as its type says;
//! the others are zero. Register windows overlap: a call's arguments are the caller's last registers
//! and the callee's first ones, so nothing is copied, and the result is returned in the first of them.
//! What has an address (arrays, structs, variables whose address is taken) is in the function's frame,
//! a range of the host's stack.
//!
//! The optimiser and the slow and compact loops use these generic instructions. The fast loop uses
//! [`crate::specialised`], which has opcodes per type.

use crate::Library;
use simt::diagnostic::Span;
use simt::isa::{BinOp, CmpOp, Math, MemTy, Ty, UnOp};
use simt::sema::types::Prim;

/// Index of a register in the frame.
pub(super) type Reg = u16;

/// Index of an instruction in its function.
pub(super) type Pc = u32;

/// The instruction table: one row per instruction. It generates the enum [`Inst`], the visitor of its
/// registers and the predicate [`Inst::is_register_only`].
///
/// An operand's type is `read` or `write` (a register), `reads` (four registers), `element` (an
/// [`Indexed`] address, whose registers are read), `target` (where it jumps), or a type of Rust. A row
/// that ends in `pure` only writes registers, and cannot fail except by an integer division.
///
/// Operands have the same names throughout: `d` result, `a` and `b` operands, `p` a pointer.
macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident $({ $($field:ident: $role:tt),* })? $($pure:ident)?;)*) => {
        /// An instruction: see the table.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub(super) enum Inst {
            $($(#[$doc])* $name $({ $($field: instructions!(@type $role),)* })?,)*
        }

        impl Inst {
            /// Visits the registers that it names: those that it reads, then those that it writes. The
            /// arguments and the result of a call are not among them.
            #[cfg(not(target_arch = "wasm32"))]
            pub(super) fn for_each_register(&mut self, mut visit: impl FnMut(&mut Reg, bool)) {
                match self {
                    $(Inst::$name $({ $($field,)* })? => {
                        $($(instructions!(@read $role $field visit);)*)?
                        $($(instructions!(@write $role $field visit);)*)?
                    })*
                }
            }

            /// Where it jumps, if it can jump.
            pub(super) fn target(&mut self) -> Option<&mut Pc> {
                match self {
                    $(Inst::$name $({ $($field,)* })? => {
                        $($(instructions!(@target $role $field);)*)?
                    })*
                }
                None
            }

            /// Whether it only writes registers and cannot fail, except by an integer division.
            pub(super) fn is_register_only(&self) -> bool {
                match self {
                    $(Inst::$name { .. } => instructions!(@pure $($pure)?),)*
                }
            }
        }
    };
    (@type read) => { Reg };
    (@type write) => { Reg };
    (@type reads) => { [Reg; 4] };
    (@type element) => { Indexed };
    (@type target) => { Pc };
    (@type $type:tt) => { $type };
    (@read read $field:ident $visit:ident) => { $visit($field, false) };
    (@read reads $field:ident $visit:ident) => { $field.iter_mut().for_each(|reg| $visit(reg, false)) };
    (@read element $field:ident $visit:ident) => {
        $visit(&mut $field.p, false);
        $visit(&mut $field.index, false);
    };
    (@read $role:tt $field:ident $visit:ident) => { let _ = &$field; };
    (@write write $field:ident $visit:ident) => { $visit($field, true) };
    (@write $role:tt $field:ident $visit:ident) => { let _ = &$field; };
    (@target target $field:ident) => { return Some($field) };
    (@target $role:tt $field:ident) => { let _ = $field; };
    (@pure) => { false };
    (@pure pure) => { true };
}

instructions! {
    /// `d = bits`.
    Const { d: write, bits: u64 } pure;
    /// `d = a`.
    Move { d: write, a: read } pure;
    Unary { op: UnOp, ty: Ty, d: write, a: read } pure;
    Binary { op: BinOp, ty: Ty, d: write, a: read, b: read } pure;
    /// With a constant: the bits, sign-extended for 64-bit types.
    BinaryConst { op: BinOp, ty: Ty, d: write, a: read, b: i32 } pure;
    /// The most frequent operations, each with its type.
    AddI32 { d: write, a: read, b: read } pure;
    AddI32Const { d: write, a: read, b: i32 } pure;
    MulI32 { d: write, a: read, b: read } pure;
    AddI64 { d: write, a: read, b: read } pure;
    AddF32 { d: write, a: read, b: read } pure;
    MulF32 { d: write, a: read, b: read } pure;
    AddF64 { d: write, a: read, b: read } pure;
    MulF64 { d: write, a: read, b: read } pure;
    Compare { op: CmpOp, ty: Ty, d: write, a: read, b: read } pure;
    /// `a * b + c`, rounded once.
    Fma { ty: Ty, d: write, a: read, b: read, c: read } pure;
    Math { function: Math, ty: Ty, d: write, operands: reads } pure;
    Convert { from: Prim, to: Prim, d: write, a: read } pure;
    Jump { to: target };
    Branch { cond: read, when: bool, to: target };
    /// Jumps if the comparison's result is `when`.
    BranchCompare { op: CmpOp, ty: Ty, when: bool, a: read, b: read, to: target };
    /// The same with a constant.
    BranchConst { op: CmpOp, ty: Ty, when: bool, a: read, b: i32, to: target };
    /// From memory, extended as `ty` says.
    Load { ty: MemTy, d: write, p: read, offset: i32 };
    Store { ty: MemTy, a: read, p: read, offset: i32 };
    /// The same at `p + index * scale + offset`.
    LoadIndex { ty: MemTy, d: write, at: element };
    StoreIndex { ty: MemTy, a: read, at: element };
    /// The address of such an element.
    IndexAddress { d: write, at: element } pure;
    /// The same in the function's frame, where no access can fail.
    LoadFrame { ty: MemTy, d: write, at: u32 } pure;
    StoreFrame { ty: MemTy, a: read, at: u32 };
    /// The address of a variable of the program.
    GlobalAddress { d: write, global: u32 } pure;
    /// The address of a string literal: index into [`Code::literals`].
    Literal { d: write, text: u32 } pure;
    /// The address of a `__device__` variable, which host code may only pass on.
    Symbol { d: write, global: u16 } pure;
    /// From such an address, that of the host's own copy, which is what `&` and array decay give.
    HostCopy { d: write, a: read } pure;
    FrameAddress { d: write, at: u32 } pure;
    /// `a + b * scale`.
    Step { d: write, a: read, b: read, scale: i32 } pure;
    /// `a + offset`.
    Offset { d: write, a: read, offset: i32 } pure;
    /// `(a - b) / size`.
    Distance { d: write, a: read, b: read, size: u32 } pure;
    /// Copies `bytes` bytes; the two ranges may overlap.
    Copy { to: read, from: read, bytes: u32 };
    /// Sets bytes to zero.
    Clear { to: read, bytes: u32 };
    /// Arguments from `window` on.
    Call { function: u32, window: Reg };
    CallIndirect { pointer: read, window: Reg };
    /// A jump that takes no step of the budget: the `return` of an inlined function.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "nothing is inlined there"))]
    Skip { to: target };
    /// Takes the step of the budget of an inlined call.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "nothing is inlined there"))]
    Tick;
    Return;
    /// Nothing. It remains only in functions with exception handlers, which are not optimised.
    Nop;
    /// A library function. [`Function::extra`] has the types of variadic arguments.
    Library { function: Library, window: Reg, count: u16, extra: u16 };
    /// A kernel launch: grid and block (pointers to `dim3`), shared memory, stream, and a pointer to
    /// the arguments from `window` on. `site` is an index into [`Code::launches`].
    Launch { site: u32, window: Reg };
    /// `new`: allocates `count` objects of a type (index into [`Code::object_types`]).
    New { element: u32, array: bool, d: write, count: read };
    /// `delete`: frees them.
    Delete { p: read, array: bool };
    /// How many elements `new[]` allocated.
    Length { d: write, p: read };
    /// Pushes a cleanup: `function` destroys the object at `p`; or one of [`cleanup`].
    PushCleanup { p: read, function: u32 };
    /// How many cleanups are pending.
    CleanupDepth { d: write };
    /// Pops and runs cleanups down to a depth, the last pushed first.
    RunCleanups { mark: read };
    /// Pops cleanups down to a depth and runs none: a constructor has completed its object.
    ForgetCleanups { mark: read };
    /// Removes the cleanup of the object at `p`, which was moved away.
    DropCleanup { p: read };
    /// Exceptions until the matching [`Inst::EndTry`] go to `to`.
    Try { to: target };
    EndTry;
    /// Room for an exception of a type (index into [`Code::object_types`]).
    ExceptionRoom { element: u32, d: write };
    /// Throws the object at `p`, in such a room.
    Throw { element: u32, p: read };
    /// Throws the caught exception again.
    Rethrow;
    /// Whether the exception is of a type, and where its object is.
    Caught { element: u32, d: write, p: write };
    /// A handler catches the exception.
    Catch;
    /// The handler is done with it.
    EndCatch;
    /// Jumps if the static variable is initialised; marks it as initialised.
    Once { global: u32, to: target };
    /// Registers the destructor of a variable, to run when the program ends.
    AtExit { global: u32 };
    /// A variable is read to which nothing was assigned: index into [`Code::tracked`].
    Unassigned { variable: u32 };
    /// Ends the program: index into [`Code::literals`], and the exit code.
    Abort { text: u32, code: u8 };
}

/// Cleanups that call no function. They stand in place of its number.
pub(super) mod cleanup {
    /// Frees what `new` allocated for an object that is not built.
    pub(crate) const FREE: u32 = u32::MAX;
    /// The same of `new[]`.
    pub(crate) const FREE_ARRAY: u32 = u32::MAX - 1;
    /// A handler is done with its exception.
    pub(crate) const END_CATCH: u32 = u32::MAX - 2;
    /// The `static` variable of that number has not begun.
    pub(crate) const NOT_BEGUN: u32 = u32::MAX - 3;
}

/// `p + index * scale + offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Indexed {
    pub(super) p: Reg,
    pub(super) index: Reg,
    pub(super) scale: i16,
    pub(super) offset: u16,
    /// The width of the index.
    pub(super) width: Width,
}

/// How an index is extended to 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Signed32,
    Unsigned32,
    Full,
}

/// A variable of a function in its frame, or a temporary, which has no name.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) at: u32,
    pub(super) bytes: u32,
    /// It is a `std::vector`.
    pub(super) vector: bool,
    pub(super) span: Span,
}

/// A function.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) code: Vec<Inst>,
    pub(super) spans: Vec<Span>,
    /// The same code, for the fast loop.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) specialised: Vec<crate::specialised::Specialised>,
    /// Its loops whose iterations can run side by side.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) strips: Vec<crate::strips::Strip>,
    /// How many registers hold its arguments: the first ones.
    pub(super) arguments: u16,
    /// How many registers it uses.
    pub(super) registers: u32,
    /// The size of its frame.
    pub(super) frame: u32,
    /// The alignment of its frame minus one, if that is more than 16 bytes.
    pub(super) frame_rest: u32,
    /// It lets no exception out.
    pub(super) noexcept: bool,
    /// Its local arrays, as indices into [`Code::globals`].
    pub(super) arrays: Vec<u32>,
    /// What is in its frame.
    pub(super) locals: Vec<Local>,
    /// The types of the variadic arguments of calls of library functions.
    pub(super) extra: Vec<Vec<Prim>>,
}

impl Function {
    /// Removes instructions that do nothing. A jump past the end leads to the end.
    pub(super) fn remove_nops(&mut self) {
        let mut moved: Vec<Pc> = Vec::with_capacity(self.code.len() + 1);
        let mut kept = 0;
        for inst in &self.code {
            moved.push(kept);
            kept += u32::from(*inst != Inst::Nop);
        }
        moved.push(kept);
        for inst in &mut self.code {
            if let Some(to) = inst.target() {
                *to = moved.get(*to as usize).copied().unwrap_or(kept);
            }
        }
        let code = std::mem::take(&mut self.code).into_iter().zip(std::mem::take(&mut self.spans));
        (self.code, self.spans) = code.filter(|(inst, _)| *inst != Inst::Nop).unzip();
    }
}

/// A launch in the source.
#[derive(Debug)]
pub(super) struct LaunchSite {
    /// Index into the module's kernels.
    pub(super) kernel: u32,
}

/// A type whose objects are allocated with `new` or thrown.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct ObjectType {
    pub(super) name: String,
    pub(super) bytes: u64,
    /// Its direct and indirect bases, and their offsets.
    pub(super) bases: Vec<(u32, u64)>,
    /// Of a pointer that is thrown or caught: the number of what it points to, and whether that is
    /// `const`.
    pub(super) pointee: Option<(u32, bool)>,
    /// Of what is thrown: its destructor, and its `what()`.
    pub(super) destroy: Option<u32>,
    pub(super) what: Option<u32>,
}

/// A variable that lives as long as the program, or a local array: an object of its own, so that an
/// access beyond its end is found. Each activation of a function has its own ([`Function::arrays`]).
#[derive(Debug)]
pub(super) struct Global {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) element: simt::isa::Element,
    pub(super) span: Span,
    /// The function that initialises it.
    pub(super) init: Option<u32>,
    /// Initialised when its declaration is first reached, not before `main`.
    pub(super) lazy: bool,
    /// Each thread has its own.
    pub(super) thread_local: bool,
    /// Its destructor, which runs when the program ends.
    pub(super) destroy: Option<u32>,
}

/// The host code of a program.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) functions: Vec<Function>,
    pub(super) main: u32,
    /// Whether `main` takes arguments.
    pub(super) arguments: bool,
    pub(super) globals: Vec<Global>,
    /// Those that begin before `main`, in their order.
    pub(super) begins: Vec<u32>,
    pub(super) literals: Vec<Vec<u8>>,
    pub(super) launches: Vec<LaunchSite>,
    pub(super) object_types: Vec<ObjectType>,
    /// The variables that may be read before they are assigned: name and declaration.
    pub(super) tracked: Vec<(String, Span)>,
}

// The interpreter reads them in sequence, so their size matters.
const _: () = assert!(size_of::<Inst>() == 16);
