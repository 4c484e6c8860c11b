//! The typed tree: every name resolved, every conversion written out, every template instantiated.
//!
//! An expression is a value or a place (an lvalue); a place read as a value is a load.
//!
//! Kernels are lowered from this tree by [`crate::lower`]; the host code of a program is lowered
//! and run by another crate, which is why the tree is public.

mod expr;

use crate::diagnostic::Span;
#[cfg(doc)]
use crate::environment::HostEnvironment;
use crate::isa::{
    AtomicOp, BarrierKind, BinOp, CmpOp, Math, MatrixShape, Preload, Scope, ShuffleKind, UnOp,
    VoteKind,
};
pub use crate::sema::ids::{FileSharedId, GlobalId, HostGlobalId};
use crate::sema::types::Type;
pub use crate::syntax::name::{Name, Path};
use std::collections::HashMap;
use std::rc::Rc;

/// Index into [`Function::vars`].
pub type VarId = u32;

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it does.
    pub kind: ExprKind,
    /// Its type, never a reference.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
    /// Whether it names a place.
    pub place: bool,
}

/// The kinds of expression.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// An integer, `bool`, enumerator or null pointer, in its type's range.
    Int(i128),
    /// A floating-point constant, rounded to its type.
    Float(f64),
    /// A string literal, without its terminating zero.
    Text(Rc<[u8]>),
    /// A variable of the function; a place.
    Var(VarId),
    /// A variable in device memory; a place.
    Global(GlobalId),
    /// `threadIdx.x` and the other built-in variables.
    Builtin(Preload),
    /// The object of a method.
    This,
    /// A unary operator.
    Unary(UnOp, Box<Expr>),
    /// Both of the type of the whole, but for a shift's count, which is `unsigned int`.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// A comparison, with the result `bool`.
    Compare(CmpOp, Box<Expr>, Box<Expr>),
    /// `!a`.
    Not(Box<Expr>),
    /// `a && b`, evaluated from left to right as far as needed.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`, likewise.
    Or(Box<Expr>, Box<Expr>),
    /// `p + i`, or `p - i` if the flag is set.
    PointerAdd(Box<Expr>, Box<Expr>, bool),
    /// `p - q`, in elements.
    PointerDiff(Box<Expr>, Box<Expr>),
    /// `cond ? a : b`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// `place = value`; a place.
    Assign(Box<Expr>, Box<Expr>),
    /// `place = value`, where [`ExprKind::Current`] in `value` is what the place held. The whole
    /// is the place, or for `post` the value that it held. `partial`: the value keeps what it does
    /// not change, and so the place may hold nothing yet.
    Update {
        /// What is updated.
        place: Box<Expr>,
        /// Its new value.
        value: Box<Expr>,
        /// Whether the result is the old value.
        post: bool,
        /// Whether only some bits of the place change.
        partial: bool,
    },
    /// See [`ExprKind::Update`].
    Current,
    /// `*p`; a place.
    Deref(Box<Expr>),
    /// `&place`.
    Address(Box<Expr>),
    /// An array as a pointer to its first element.
    Decay(Box<Expr>),
    /// `array[i]` or `pointer[i]`; a place.
    Index(Box<Expr>, Box<Expr>),
    /// A member of a struct, by its index in
    /// [`StructInfo::fields`](super::types::StructInfo::fields).
    Member(Box<Expr>, u32),
    /// A scalar converted to the type of the whole.
    Cast(Box<Expr>),
    /// The same bits under another type of the same size.
    Bits(Box<Expr>),
    /// With the object of a method first.
    Call(Rc<Function>, Option<Box<Expr>>, Vec<Expr>),
    /// A function calls itself, by way of others or not; with the object of a method first.
    RecursiveCall(Rc<Recursion>, Option<Box<Expr>>, Vec<Expr>),
    /// A struct from its members, or an array from its elements, in order.
    Make(Vec<Expr>),
    /// All bytes zero.
    Zero,
    /// A built-in function and its arguments.
    Intrinsic(Intrinsic, Vec<Expr>),
    /// What only the host does.
    Host(Box<Host>),
}

/// What the host does and a kernel does not.
///
/// Class values are moved as bytes: the receiver of a value owns it, and a value without a receiver
/// is a [`Host::Temporary`].
#[derive(Debug, Clone)]
pub enum Host {
    /// `kernel<<<grid, block, shared, stream>>>(args)`, each argument of its parameter's type;
    /// `grid` and `block` are `dim3`, `shared` is `size_t`, `stream` a pointer.
    Launch {
        /// The kernel.
        kernel: Rc<Function>,
        /// Blocks, as a `dim3`.
        grid: Expr,
        /// Threads per block, as a `dim3`.
        block: Expr,
        /// Bytes of dynamic shared memory.
        shared: Expr,
        /// A `cudaStream_t`.
        stream: Expr,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// A variable of the host that lives as long as the program; a place.
    Global(HostGlobalId),
    /// The address of a function, or of a kernel.
    Function(Rc<Function>),
    /// A call through a pointer to a function, and what destroys each argument afterwards.
    IndirectCall(Expr, Vec<Expr>, Vec<Option<Rc<Function>>>),
    /// A launch of the kernel behind a pointer, as `cudaLaunchKernel` does it: `args` points to
    /// pointers to the arguments. The result is a `cudaError_t`.
    LaunchPointer {
        /// The kernel, as a `void*`.
        pointer: Expr,
        /// The address of a `dim3`.
        grid: Expr,
        /// The address of a `dim3`.
        block: Expr,
        /// The address of an array of `void*`.
        args: Expr,
        /// Bytes of dynamic shared memory.
        shared: Expr,
        /// A `cudaStream_t`.
        stream: Expr,
    },
    /// A call of a library function: its index in [`HostEnvironment::functions`], the arguments.
    Library(u32, Vec<Expr>),
    /// `new T(..)` and `new T[n]`: room for one or `count` (an array's length is written down in
    /// front of it), and in each what `make` does with [`ExprKind::Current`], the new object as a
    /// place. A pointer.
    New {
        /// `T`.
        element: Type,
        /// `n`.
        count: Option<Expr>,
        /// The memory, if the class has functions of its own for it.
        own: Option<OwnRoom>,
        /// What initialises one object.
        make: Option<Expr>,
    },
    /// `delete p`, `delete[] p`: nothing for null; each element is destroyed, last first.
    Delete {
        /// `p`.
        pointer: Expr,
        /// Whether it is `delete[]`.
        array: bool,
        /// The destructor.
        destroy: Option<Rc<Function>>,
    },
    /// A value that has a place until the end of the full expression, and is then destroyed.
    Temporary(Expr, Option<Rc<Function>>),
    /// A constructor's statement: this part of its object is complete, and is destroyed if the
    /// constructor ends by an exception.
    Built(Expr, Rc<Function>),
    /// The first value of a place that holds no object yet. It is made there, and not elsewhere for
    /// a copy: a constructor may keep a pointer into its object.
    Begin(Expr, Expr),
    /// `throw e`; without a value, again what was caught.
    Throw(Option<Expr>),
}

/// The memory of a class with an `operator new` of its own.
#[derive(Debug, Clone)]
pub struct OwnRoom {
    /// What that gives.
    pub room: Expr,
    /// A call of the class's `operator delete`, which takes back what is not built.
    pub free: Option<Rc<Function>>,
}

impl Host {
    /// What it is, for a message.
    pub fn construct(&self) -> &'static str {
        match self {
            Host::Launch { .. } => "a kernel launch",
            Host::Global(_) => "a variable of the host",
            Host::Function(_) => "the address of a function of the host",
            Host::IndirectCall(..) => "a call through a pointer to a function of the host",
            Host::LaunchPointer { .. } => "`cudaLaunchKernel`",
            Host::Library(..) => "a function of the host's library",
            Host::New { .. } => "`new` of the host",
            Host::Delete { .. } => "`delete` of the host",
            Host::Temporary(..) => "a temporary object of the host",
            Host::Built(..) => "a part of an object of the host",
            Host::Begin(..) => "the first value of an object of the host",
            Host::Throw(_) => "`throw`",
        }
    }
}

/// What CUDA's built-in functions come down to. Arguments are converted already.
#[derive(Debug, Clone, PartialEq)]
pub enum Intrinsic {
    /// A unary operator.
    Unary(UnOp),
    /// Never contracted with another operation.
    Binary(BinOp),
    /// `fma(a, b, c)`.
    Fma,
    /// One or two operands, `float` or `double`.
    Math(Math),
    /// `__syncthreads` and its variants.
    Barrier(BarrierKind),
    /// `__syncwarp`: mask.
    SyncWarp,
    /// `__activemask`.
    ActiveMask,
    /// `clock64`.
    Clock,
    /// `std::is_constant_evaluated`: true to the evaluation of constants alone.
    ConstantEvaluated,
    /// `malloc` on the device's heap: bytes.
    Malloc,
    /// `free` on the device's heap: the pointer.
    Free,
    /// Mask, value, lane, width.
    Shuffle(ShuffleKind),
    /// Mask, predicate.
    Vote(VoteKind),
    /// Mask, value.
    Reduce(AtomicOp),
    /// Mask, value.
    MatchAny,
    /// Mask, value, pointer to the predicate.
    MatchAll,
    /// Pointer, operand, and for `Cas` the new value.
    Atomic(AtomicOp, Scope),
    /// Pointers to the registers of `d`, `a`, `b` and `c`, as adjacent words.
    MatrixMultiply(MatrixShape),
    /// A pointer to the registers, and each lane's row: how many matrices, and whether transposed.
    LoadMatrix(u8, bool),
    /// `__threadfence` and its variants.
    Fence(Scope),
    /// The format; a text among the arguments is a [`ExprKind::Text`].
    Print(Rc<[u8]>),
    /// Device code launches [`Program::device_launched`] of that number: grid and block, three
    /// numbers each, shared memory, stream, arguments.
    DeviceLaunch(u32),
    /// Ends with this message.
    Trap(String),
    /// `assert`: the condition.
    Assert,
    /// Arguments are evaluated, nothing else.
    Nothing,
}

/// A statement.
#[derive(Debug, Clone)]
pub enum Stmt {
    /// An expression whose value is discarded.
    Expr(Expr),
    /// A local variable begins.
    Declare {
        /// The variable.
        var: VarId,
        /// Its initial value, or the place that a reference names.
        init: Option<Expr>,
        /// Where it is declared.
        span: Span,
    },
    /// `if (cond) then else other`.
    If {
        /// The condition.
        cond: Expr,
        /// What runs where it holds.
        then: Vec<Stmt>,
        /// What runs where it does not.
        other: Vec<Stmt>,
        /// Where it stands.
        span: Span,
    },
    /// `for`, `while` and `do`.
    Loop {
        /// The condition; a loop without one runs until it is left.
        cond: Option<Expr>,
        /// The body.
        body: Vec<Stmt>,
        /// What follows each round.
        step: Option<Expr>,
        /// Whether the condition precedes the first round: false for `do`.
        test_first: bool,
        /// Where it stands.
        span: Span,
    },
    /// `switch (value) { cases }`.
    Switch {
        /// The value.
        value: Expr,
        /// Each case: its value (`None` for `default`), and the index in `body` that it leads to.
        cases: Vec<(Option<i128>, usize)>,
        /// The statements.
        body: Vec<Stmt>,
        /// Where it stands.
        span: Span,
    },
    /// Statements with a scope of their own.
    Block(Vec<Stmt>),
    /// `break`.
    Break(Span),
    /// `continue`.
    Continue(Span),
    /// Where [`Stmt::Goto`] leads, from its own block or from inside it.
    Label(Name, Span),
    /// `goto`.
    Goto(Name, Span),
    /// `return`. A variable of its own that is returned as a value is moved: it is not destroyed.
    Return(Option<Expr>, Span),
    /// `asm`.
    Asm(Box<Asm>),
    /// Host: the declaration of a `static` variable (index into [`Program::host_globals`]), which
    /// begins with these statements the first time that control reaches it.
    Static(HostGlobalId, Vec<Stmt>),
    /// Host: what is thrown in `body` is compared with each handler in order. A handler's variable
    /// holds the value (or refers to it); none catches everything.
    Try {
        /// The statements of the block.
        body: Vec<Stmt>,
        /// For each handler its variable, its type and its statements.
        handlers: Vec<(Option<VarId>, Option<Type>, Vec<Stmt>)>,
    },
}

/// An `asm` statement.
#[derive(Debug, Clone)]
pub struct Asm {
    /// Its text, parsed.
    pub program: simt_ptx::Program,
    /// Its operands, `%0` first.
    pub operands: Vec<AsmOperand>,
    /// Where it stands.
    pub span: Span,
}

/// An operand of an `asm` statement.
#[derive(Debug, Clone)]
pub struct AsmOperand {
    /// The sort of register that it takes.
    pub constraint: simt_ptx::Constraint,
    /// Whether it is written. Then it is a place.
    pub output: bool,
    /// Whether it is read: an input, or an output with `+`.
    pub input: bool,
    /// The value or the place.
    pub value: Expr,
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// In registers, or in local memory where its address is needed.
    Own,
    /// In shared memory.
    Shared,
    /// In dynamic shared memory: `extern __shared__`.
    DynamicShared,
}

/// A variable of a function.
#[derive(Debug, Clone)]
pub struct Var {
    /// Its name.
    pub name: Path,
    /// Its type, without the reference.
    pub ty: Type,
    /// Another name for a place.
    pub reference: bool,
    /// Declared as `T&&`.
    pub rvalue: bool,
    /// Where it is declared.
    pub span: Span,
    /// Where it lives.
    pub home: Home,
    /// The number of a `__shared__` variable of the file: one for all functions that name it.
    pub file_scope: Option<FileSharedId>,
    /// What `__align__` asks for, at the least.
    pub align: u64,
    /// `&x` occurs.
    pub addressed: bool,
    /// A constant, whose uses are its value: without `&x` there is no variable.
    pub folded: bool,
    /// Changed after its declaration.
    pub written: bool,
    /// A parameter in device code: modified in part, or passed to be modified.
    pub partially_written: bool,
    /// May be read before it is assigned: each lane's definedness is tracked at run time.
    pub tracked: bool,
    /// Members that may be read before they are assigned, each tracked by itself.
    pub tracked_members: Vec<u32>,
    /// Host: what destroys it, with the variable as its object, when its scope ends. Variables that
    /// an expression makes for its own use have none.
    pub destroy: Option<Rc<Function>>,
}

impl Var {
    /// Whether the variable is never materialised: all of its uses are its value.
    pub fn is_unmaterialised(&self) -> bool {
        self.folded && !self.addressed
    }
}

/// A function, instantiated.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Path,
    /// Where it is defined.
    pub span: Span,
    /// The type of its result, without the reference.
    pub returns: Type,
    /// It returns a place.
    pub reference: bool,
    /// By `T&&`: what is there may be taken away.
    pub moved: bool,
    /// How many parameters it has: the first of [`Function::vars`].
    pub params: usize,
    /// Its variables.
    pub vars: Vec<Var>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// What `__launch_bounds__` says.
    pub max_threads: Option<u32>,
    /// What `__cluster_dims__` says.
    pub cluster: Option<[u32; 3]>,
    /// Declared in `extern "C"`.
    pub c_linkage: bool,
    /// It lets no exception out: one that would leave it ends the program.
    pub noexcept: bool,
    /// Its object must be in memory.
    pub this_addressed: bool,
    /// Parameters by reference, or members of them, that it may read before it writes them; on the
    /// host, parameters that it reads on every path.
    pub needs_defined: Vec<(VarId, Option<u32>)>,
}

impl Stmt {
    /// The number of its `return`s.
    pub fn returns(&self) -> usize {
        match self {
            Stmt::Return(..) => 1,
            Stmt::Block(list) | Stmt::Loop { body: list, .. } | Stmt::Switch { body: list, .. } => {
                list.iter().map(Stmt::returns).sum()
            }
            Stmt::If { then, other, .. } => then.iter().chain(other).map(Stmt::returns).sum(),
            _ => 0,
        }
    }
}

impl Function {
    /// Whether it returns a reference to one of several places, so that the place is known only at
    /// run time: the reference is then an address.
    pub fn returns_address(&self) -> bool {
        let Some((last, rest)) = self.body.split_last() else { return false };
        let chooses = |e: &Expr| matches!(e.kind, ExprKind::Cond(..));
        let one = matches!(last, Stmt::Return(Some(e), _) if !chooses(e));
        self.reference && (!one || rest.iter().map(Stmt::returns).sum::<usize>() > 0)
    }
}

/// A `__device__` or `__constant__` variable.
#[derive(Debug, Clone)]
pub struct Global {
    /// Its name.
    pub name: Path,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
    /// `__constant__`.
    pub constant: bool,
    /// `__managed__`: the host may touch it, too.
    pub managed: bool,
    /// Its first bytes; the others are zero.
    pub initial: Vec<u8>,
}

/// A variable of the host that lives as long as the program: of the file, or `static` in a
/// function.
#[derive(Debug, Clone)]
pub struct HostGlobal {
    /// Its name.
    pub name: Path,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
    /// How it begins, in a function without parameters whose body gives [`Host::Global`] its value;
    /// all bytes are zero before.
    pub init: Option<Rc<Function>>,
    /// Whether it begins at its [`Stmt::Static`], and not before `main`.
    pub lazy: bool,
    /// Whether its use is preceded by [`Program::begin_thread`].
    pub at_use: bool,
    /// `thread_local`: each thread has its own.
    pub thread_local: bool,
    /// What destroys it, with the variable as its object, when the program ends.
    pub destroy: Option<Rc<Function>>,
}

/// A function that calls itself: known once it has been checked.
#[derive(Debug, Default)]
pub struct Recursion {
    /// The function.
    pub function: std::cell::OnceCell<Rc<Function>>,
    /// Calls of it inside itself.
    pub sites: std::cell::Cell<u32>,
    /// Whether it is a method of the device whose objects are all in memory.
    pub of_method: std::cell::Cell<bool>,
    /// See [`Function::noexcept`].
    pub noexcept: std::cell::Cell<bool>,
}

/// What the host calls of a type without an expression that says so.
#[derive(Debug, Default)]
pub struct HostLifetimes {
    /// What destroys a part of an object that an exception leaves incomplete, or a thrown object.
    pub destroy: HashMap<Type, Rc<Function>>,
    /// `what()` of the classes that are thrown.
    pub what: HashMap<Type, Rc<Function>>,
}

/// A checked unit.
#[derive(Debug, Default)]
pub struct Program {
    /// The kernels.
    pub kernels: Vec<Rc<Function>>,
    /// The signatures of the other functions.
    pub functions: Vec<crate::isa::Signature>,
    /// The `__device__` and `__constant__` variables.
    pub globals: Vec<Global>,
    /// Host: `main`, which takes nothing or `int, char**`.
    pub main: Option<Rc<Function>>,
    /// Host: the variables that live as long as the program.
    pub host_globals: Vec<HostGlobal>,
    /// Host: those that begin before `main`, in their order.
    pub begins: Vec<HostGlobalId>,
    /// Host: what begins the `thread_local` variables of a thread at its first use of one of them,
    /// and the variable that notes that.
    pub begin_thread: Option<(HostGlobalId, Rc<Function>)>,
    /// The kernels that device code launches: places in `kernels`.
    pub device_launched: Vec<usize>,
    /// Host: what exceptions end, and what they say.
    pub lifetimes: HostLifetimes,
}
