//! The typed tree: every name resolved, every conversion written out, every template instantiated.
//!
//! An expression is a value or a place (an lvalue); a place read as a value is a load.

use crate::diagnostic::Span;
use crate::isa::{
    AtomicOp, BarrierKind, BinOp, CmpOp, Math, Preload, Scope, ShuffleKind, UnOp, VoteKind,
};
use crate::sema::types::Type;
use crate::syntax::token::Name;
use std::rc::Rc;

/// Index into [`Function::vars`].
pub(crate) type VarId = u32;

#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    /// Never a reference.
    pub(crate) ty: Type,
    pub(crate) span: Span,
    /// Whether it names a place.
    pub(crate) place: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    /// An integer, `bool`, enumerator or null pointer, in its type's range.
    Int(i128),
    Float(f64),
    /// A text, without the zero behind it.
    Text(Rc<[u8]>),
    Var(VarId),
    /// Index into [`Program::globals`].
    Global(u16),
    Builtin(Preload),
    /// The object of a method.
    This,
    Unary(UnOp, Box<Expr>),
    /// Both of the type of the whole, but for a shift's count, which is `unsigned int`.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Compare(CmpOp, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// `p + i`, or `p - i` if the flag is set.
    PointerAdd(Box<Expr>, Box<Expr>, bool),
    PointerDiff(Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    /// `place = value`, where [`ExprKind::Current`] in `value` is what the place held. The whole
    /// is the place, or for `post` the value that it held. `partial`: the value keeps what it does
    /// not change, and so the place may hold nothing yet.
    Update {
        place: Box<Expr>,
        value: Box<Expr>,
        post: bool,
        partial: bool,
    },
    /// See [`ExprKind::Update`].
    Current,
    Deref(Box<Expr>),
    Address(Box<Expr>),
    /// An array as a pointer to its first element.
    Decay(Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    /// By number.
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
    Intrinsic(Intrinsic, Vec<Expr>),
    /// What only the host does.
    Host(Box<Host>),
}

/// What the host does and a kernel does not.
///
/// Class values are moved as bytes: whoever takes a value owns it, and an expression that is a
/// value and nobody's is a [`Host::Temporary`].
#[derive(Debug, Clone)]
pub(crate) enum Host {
    /// `kernel<<<grid, block, shared, stream>>>(args)`, each argument of its parameter's type;
    /// `grid` and `block` are `dim3`, `shared` is `size_t`, `stream` a pointer.
    Launch {
        kernel: Rc<Function>,
        grid: Expr,
        block: Expr,
        shared: Expr,
        stream: Expr,
        args: Vec<Expr>,
    },
    /// Index into [`Program::host_globals`]; a place.
    Global(u32),
    /// The address of a function, or of a kernel.
    Function(Rc<Function>),
    /// A call through a pointer to a function, and what destroys each argument afterwards.
    IndirectCall(Expr, Vec<Expr>, Vec<Option<Rc<Function>>>),
    /// A function of the C library or of the CUDA runtime.
    Library(crate::host::Library, Vec<Expr>),
    /// `new T(..)` and `new T[n]`: room for one or `count` (an array's length is written down in
    /// front of it), and in each what `make` does with [`ExprKind::Current`], the new object as a
    /// place. A pointer.
    New { element: Type, count: Option<Expr>, make: Option<Expr> },
    /// `delete p`, `delete[] p`: nothing for null; each element is destroyed, last first.
    Delete { pointer: Expr, array: bool, destroy: Option<Rc<Function>> },
    /// A value that has a place until the end of the full expression, and is then destroyed.
    Temporary(Expr, Option<Rc<Function>>),
    /// `throw e`; without a value, again what was caught.
    Throw(Option<Expr>),
}

/// What CUDA's built-in functions come down to. Arguments are converted already.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Intrinsic {
    Unary(UnOp),
    /// Never contracted with another operation.
    Binary(BinOp),
    Fma,
    /// One or two operands, `float` or `double`.
    Math(Math),
    Barrier(BarrierKind),
    SyncWarp,
    ActiveMask,
    Clock,
    /// Bytes.
    Malloc,
    /// The pointer.
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
    Fence(Scope),
    /// The format; a text among the arguments is a [`ExprKind::Text`].
    Print(Rc<[u8]>),
    /// Device code launches [`Program::device_launched`] of that number: grid and block, three numbers each,
    /// shared memory, stream, arguments.
    DeviceLaunch(u32),
    Trap(String),
    /// The condition.
    Assert,
    /// Arguments are evaluated, nothing else.
    Nothing,
}

#[derive(Debug, Clone)]
pub(crate) enum Stmt {
    Expr(Expr),
    /// A variable comes to life.
    Declare {
        var: VarId,
        init: Option<Expr>,
        span: Span,
    },
    If {
        cond: Expr,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
        span: Span,
    },
    /// `test_first` is false for `do`.
    Loop {
        cond: Option<Expr>,
        body: Vec<Stmt>,
        step: Option<Expr>,
        test_first: bool,
        span: Span,
    },
    /// Each case: its value (`None` for `default`) and the index of the statement it leads to.
    Switch {
        value: Expr,
        cases: Vec<(Option<i128>, usize)>,
        body: Vec<Stmt>,
        span: Span,
    },
    Block(Vec<Stmt>),
    Break(Span),
    Continue(Span),
    /// Host: where [`Stmt::Goto`] leads, from its own block or from inside it.
    Label(Name, Span),
    Goto(Name, Span),
    /// A variable of its own that is returned as a value is moved: it is not destroyed.
    Return(Option<Expr>, Span),
    /// Host: the declaration of a `static` variable (index into [`Program::host_globals`]), which
    /// begins the first time that somebody comes by.
    Static(u32),
    /// Host: what is thrown in `body` is compared with each handler in order. A handler's variable
    /// holds the value (or refers to it); none catches everything.
    Try {
        body: Vec<Stmt>,
        handlers: Vec<(Option<VarId>, Option<Type>, Vec<Stmt>)>,
    },
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// In registers, or in local memory where its address is needed.
    Own,
    Shared,
    DynamicShared,
}

#[derive(Debug, Clone)]
pub(crate) struct Var {
    pub(crate) name: Name,
    /// Without the reference.
    pub(crate) ty: Type,
    /// Another name for a place.
    pub(crate) reference: bool,
    pub(crate) span: Span,
    pub(crate) home: Home,
    /// The number of a `__shared__` variable of the file: one for all functions that name it.
    pub(crate) file_scope: Option<u32>,
    /// What `__align__` asks for, at the least.
    pub(crate) align: u64,
    /// `&x` occurs.
    pub(crate) addressed: bool,
    /// A constant, whose uses are its value: without `&x` there is no variable.
    pub(crate) folded: bool,
    /// Changed after its declaration.
    pub(crate) written: bool,
    /// A parameter of the device: changed in part, or given away to be.
    pub(crate) partially_written: bool,
    /// May be read before it is written: watched at run time.
    pub(crate) tracked: bool,
    /// Members of which the same is true while others are written: watched each by itself.
    pub(crate) tracked_members: Vec<u32>,
    /// Host: what destroys it, with the variable as its object, when its scope ends. Variables that
    /// an expression makes for its own use have none.
    pub(crate) destroy: Option<Rc<Function>>,
}

impl Var {
    /// Nobody asks for the variable, only for its value.
    pub(crate) fn is_unmaterialised(&self) -> bool {
        self.folded && !self.addressed
    }
}

/// A function, instantiated.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) span: Span,
    /// Without the reference.
    pub(crate) returns: Type,
    /// It returns a place.
    pub(crate) reference: bool,
    /// By `T&&`: what is there may be taken away.
    pub(crate) moved: bool,
    /// The first of [`Function::vars`].
    pub(crate) params: usize,
    pub(crate) vars: Vec<Var>,
    pub(crate) body: Vec<Stmt>,
    pub(crate) max_threads: Option<u32>,
    /// Its object must be in memory.
    pub(crate) this_addressed: bool,
    /// Parameters by reference, or members of them, that it may read before it writes them.
    pub(crate) needs_defined: Vec<(VarId, Option<u32>)>,
}

impl Stmt {
    /// How many `return`s stand in it.
    pub(crate) fn returns(&self) -> usize {
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
    /// Whether it returns one of several places, so that which one is known when it runs: the
    /// reference is then an address.
    pub(crate) fn returns_address(&self) -> bool {
        let Some((last, rest)) = self.body.split_last() else { return false };
        let chooses = |e: &Expr| matches!(e.kind, ExprKind::Cond(..));
        let one = matches!(last, Stmt::Return(Some(e), _) if !chooses(e));
        self.reference && (!one || rest.iter().map(Stmt::returns).sum::<usize>() > 0)
    }
}

/// A `__device__` or `__constant__` variable.
#[derive(Debug, Clone)]
pub(crate) struct Global {
    pub(crate) name: Name,
    pub(crate) ty: Type,
    pub(crate) span: Span,
    pub(crate) constant: bool,
    /// `__managed__`: the host may touch it, too.
    pub(crate) managed: bool,
    pub(crate) initial: Vec<u8>,
}

/// A variable of the host that lives as long as the program: of the file, or `static` in a function.
#[derive(Debug, Clone)]
pub(crate) struct HostGlobal {
    pub(crate) name: Name,
    pub(crate) ty: Type,
    pub(crate) span: Span,
    /// How it begins, in a function without parameters whose body gives [`Host::Global`] its value;
    /// all bytes are zero before.
    pub(crate) init: Option<Rc<Function>>,
    /// Whether that happens when a [`Stmt::Static`] is first reached, and not before `main`.
    pub(crate) lazy: bool,
    /// What destroys it, with the variable as its object, when the program ends.
    pub(crate) destroy: Option<Rc<Function>>,
}

/// A function that calls itself: known once it has been checked.
#[derive(Debug, Default)]
pub(crate) struct Recursion {
    pub(crate) function: std::cell::OnceCell<Rc<Function>>,
    /// Calls of it inside itself.
    pub(crate) sites: std::cell::Cell<u32>,
}

/// A checked unit.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) kernels: Vec<Rc<Function>>,
    pub(crate) functions: Vec<crate::isa::Signature>,
    pub(crate) globals: Vec<Global>,
    /// Host: `main`, which takes nothing or `int, char**`.
    pub(crate) main: Option<Rc<Function>>,
    pub(crate) host_globals: Vec<HostGlobal>,
    /// The kernels that device code launches: places in `kernels`.
    pub(crate) device_launched: Vec<usize>,
}

impl Expr {
    pub(crate) fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span, place: false }
    }

    pub(crate) fn place(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span, place: true }
    }

    /// The value of an integer constant.
    pub(crate) fn as_int(&self) -> Option<i128> {
        if let ExprKind::Int(v) = self.kind { Some(v) } else { None }
    }

    /// The variable that a place is, and which member of it where it is one, or within one.
    pub(crate) fn path(&self) -> Option<(VarId, Option<u32>)> {
        match &self.kind {
            ExprKind::Var(id) => Some((*id, None)),
            ExprKind::Member(inner, i) => {
                let (id, member) = inner.path()?;
                Some((id, member.or(Some(*i))))
            }
            _ => None,
        }
    }

    pub(crate) fn is_constant(&self) -> bool {
        matches!(self.kind, ExprKind::Int(_) | ExprKind::Float(_))
    }
}
