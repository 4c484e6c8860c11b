//! The tree that the parser builds: C++ as written, names unresolved.

use super::name::{Name, Path};
use crate::diagnostic::Span;
use std::rc::Rc;

/// A type that a keyword names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Prim {
    /// `void`.
    Void,
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`.
    LongLong,
    /// `unsigned long long`.
    ULongLong,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `__half`.
    Half,
    /// `__nv_bfloat16`.
    BFloat16,
    /// `__half2`.
    Half2,
    /// `__nv_bfloat162`.
    BFloat162,
}

/// A type as written.
#[derive(Debug, Clone)]
pub(crate) struct TypeExpr {
    pub(crate) kind: TypeKind,
    pub(crate) constant: bool,
    pub(crate) volatile: bool,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum TypeKind {
    Prim(Prim),
    Auto,
    Named(Path, Vec<TemplateArg>),
    /// `X<>`: each argument is the template's own default.
    Defaults(Path),
    Pointer(Box<TypeExpr>),
    Reference(Box<TypeExpr>),
    /// An empty bracket has no length.
    Array(Box<TypeExpr>, Option<Box<Expr>>),
    Decltype(Box<Expr>),
    /// `T&&`.
    Rvalue(Box<TypeExpr>),
    /// What it returns, and its parameters.
    Function(Box<TypeExpr>, Vec<TypeExpr>),
    /// `T::type`.
    Member(Box<TypeExpr>, Name, Vec<TemplateArg>),
    /// `T...` among arguments or parameters, and the names in it.
    Expand(Box<TypeExpr>, Rc<[Name]>),
    /// `decltype(auto)`.
    AsReturned,
}

/// What stands between `<` and `>`.
#[derive(Debug, Clone)]
pub(crate) enum TemplateArg {
    Type(TypeExpr),
    Value(Expr),
}

/// What a template asks for.
#[derive(Debug, Clone)]
pub(crate) struct TemplateParam {
    pub(crate) name: Name,
    /// The type of a value; `None` for a type.
    pub(crate) value: Option<TypeExpr>,
    /// It stands for any number of arguments.
    pub(crate) pack: bool,
    pub(crate) default: Option<TemplateArg>,
}

#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Deref,
    AddressOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    LogicalAnd,
    LogicalOr,
}

impl BinaryOp {
    /// As it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::LogicalAnd => "&&",
            BinaryOp::LogicalOr => "||",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CastStyle {
    /// `(T)e` and `T(e)`.
    C,
    Static,
    Reinterpret,
    Const,
    Dynamic,
}

#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Int(u64, Prim),
    Float(f64, bool),
    Bool(bool),
    Char(i8),
    /// Escapes resolved; any bytes.
    Str(Rc<[u8]>),
    Null,
    This,
    /// A name, with template arguments where they are written.
    Name(Path, Option<Vec<TemplateArg>>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `=`, or `op=`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    /// `kernel<<<grid, block>>>(a)`: the kernel, where `<<<` stands, the shape, the arguments.
    Launch(Box<Expr>, Span, Vec<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    /// `a.m`, or `a->m` if the flag is set.
    Member(Box<Expr>, Path, Span, bool),
    /// `m<int>` behind an object, with [`ExprKind::Member`] inside: a method's template.
    MemberTemplate(Box<Expr>, Vec<TemplateArg>),
    /// `a.~T()`, or `a->~T()` if the flag is set.
    Destroy(Box<Expr>, bool),
    /// `new (place) T[count](..)`.
    New {
        place: Vec<Expr>,
        ty: TypeExpr,
        count: Option<Box<Expr>>,
        init: Box<Init>,
    },
    /// `delete p`, or `delete[] p` if the flag is set.
    Delete(Box<Expr>, bool),
    Throw(Option<Box<Expr>>),
    /// `args...` among arguments, and the names in it.
    Expand(Box<Expr>, Rc<[Name]>),
    /// What that is for one element of its packs: never written so.
    Element(Rc<Expr>, usize),
    /// `__is_trivial(T)` and its like: the compiler's own questions about types.
    Trait(Name, Vec<TypeExpr>),
    /// `sizeof...(Args)`.
    SizeofPack(Name),
    /// `(args + ...)`; without an operator, `(args, ...)`.
    Fold(Box<Fold>),
    Cast(CastStyle, TypeExpr, Box<Expr>),
    /// `T(a, b)` or, with the flag set, `T{a, b}`.
    Construct(TypeExpr, Vec<Expr>, bool),
    /// `{a, b}`.
    List(Vec<Expr>),
    /// `{.x = a, .y = b}`.
    Designated(Vec<(Name, Span, Expr)>),
    SizeofType(TypeExpr),
    SizeofExpr(Box<Expr>),
    Alignof(TypeExpr),
    Lambda(Rc<Lambda>),
    /// `S<int>::value`.
    Scoped(TypeExpr, Name),
}

/// A pack's elements with an operator between them.
#[derive(Debug, Clone)]
pub(crate) struct Fold {
    /// `None` for a comma.
    pub(crate) op: Option<BinaryOp>,
    pub(crate) pack: Expr,
    /// `(first + ... + args)`.
    pub(crate) first: Option<Expr>,
    /// From the right.
    pub(crate) right: bool,
    /// Every name in it.
    pub(crate) names: Rc<[Name]>,
}

/// One declared variable, member or parameter.
#[derive(Debug, Clone)]
pub(crate) struct VarDecl {
    pub(crate) name: Path,
    /// Where the name stands.
    pub(crate) span: Span,
    pub(crate) ty: TypeExpr,
    pub(crate) storage: Storage,
    /// `__align__(16)` before it.
    pub(crate) align: Option<Expr>,
    pub(crate) init: Init,
}

impl VarDecl {
    /// `extern T a[];`: how long it is stands where it is defined.
    pub(crate) fn announces_array(&self) -> bool {
        self.storage.external
            && !self.storage.shared
            && matches!(self.init, Init::None)
            && matches!(self.ty.kind, TypeKind::Array(_, None))
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Init {
    None,
    /// `= e`, `= {..}`, `{..}`.
    Expr(Expr),
    /// `(a, b)`.
    Paren(Vec<Expr>),
}

/// The words before a declaration.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Storage {
    pub(crate) shared: bool,
    pub(crate) external: bool,
    pub(crate) is_static: bool,
    pub(crate) constexpr: bool,
    pub(crate) device: bool,
    pub(crate) constant_memory: bool,
    pub(crate) global: bool,
    pub(crate) host: bool,
    pub(crate) managed: bool,
    pub(crate) is_virtual: bool,
    pub(crate) explicit: bool,
    pub(crate) friend: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum StmtKind {
    Empty,
    Expr(Expr),
    Declare(Vec<VarDecl>),
    Alias(Alias),
    Struct(Rc<Struct>),
    Enum(Enum),
    StaticAssert(Expr, Option<String>),
    Block(Vec<Stmt>),
    /// Statements without a scope of their own.
    Several(Vec<Stmt>),
    /// `auto [a, b] = e;`
    StructuredBinding(TypeExpr, Vec<(Name, Span)>, Expr),
    /// `for (T x : range)`: the variable, or the statement that binds several.
    Range {
        variable: Box<Stmt>,
        range: Expr,
        body: Box<Stmt>,
    },
    Try(Box<Stmt>, Vec<Handler>),
    If {
        constant: bool,
        init: Option<Box<Stmt>>,
        cond: Box<Stmt>,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    While(Box<Stmt>, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    For {
        init: Box<Stmt>,
        cond: Option<Box<Stmt>>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch(Expr, Box<Stmt>),
    Case(Expr),
    Default,
    Break,
    Continue,
    /// `name:`, where `goto` may lead.
    Label(Name),
    Goto(Name),
    Return(Option<Expr>),
}

/// `catch (T& e) { .. }`; without a variable it catches everything.
#[derive(Debug, Clone)]
pub(crate) struct Handler {
    pub(crate) variable: Option<VarDecl>,
    pub(crate) body: Stmt,
}

/// How a function is defined: by a body, or by `= default`, `= delete`, `= 0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum BodyKind {
    #[default]
    Ordinary,
    /// `= default`
    Default,
    /// `= delete`
    Delete,
    /// `= 0`
    Pure,
    /// Nothing: it is a variable's template, written as a function.
    Variable,
}

#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: Path,
    /// Where the name stands.
    pub(crate) span: Span,
    pub(crate) template: Vec<TemplateParam>,
    pub(crate) returns: TypeExpr,
    pub(crate) params: Vec<VarDecl>,
    pub(crate) body: Option<Stmt>,
    pub(crate) body_kind: BodyKind,
    /// Values that a constructor gives to members and bases before its body.
    pub(crate) member_inits: Vec<(Path, Span, Vec<Expr>)>,
    pub(crate) storage: Storage,
    /// A method that promises not to change its object.
    pub(crate) constant: bool,
    /// Where `...` stands behind its parameters.
    pub(crate) variadic: Option<Span>,
    pub(crate) launch_bounds: Option<Expr>,
}

/// `[=](int i) { .. }`.
#[derive(Debug, Clone)]
pub(crate) struct Lambda {
    /// What becomes of variables that are not named: by reference, or by value.
    pub(crate) default: Option<bool>,
    /// Those that are, and whether by reference.
    pub(crate) captures: Vec<(Name, bool)>,
    /// `[n = 0]`: with a value of its own, or another name by reference.
    pub(crate) values: Vec<(Name, bool, Expr)>,
    /// Every word inside.
    pub(crate) names: Vec<Name>,
    pub(crate) function: Rc<Function>,
}

#[derive(Debug, Clone)]
pub(crate) struct Struct {
    pub(crate) name: Path,
    pub(crate) template: Vec<TemplateParam>,
    /// `template <> struct S<int>`: what it is for.
    pub(crate) specialises: Vec<TemplateArg>,
    pub(crate) align: Option<Expr>,
    /// Its members lie on top of each other.
    pub(crate) union: bool,
    /// With a body.
    pub(crate) defined: bool,
    pub(crate) fields: Vec<VarDecl>,
    /// Which of them are bit-fields, and how many bits each has.
    pub(crate) bits: Vec<(usize, Expr)>,
    /// Where its name stands.
    pub(crate) span: Span,
    pub(crate) bases: Vec<TypeExpr>,
    /// Types and `static` variables inside it.
    pub(crate) members: Vec<Item>,
    pub(crate) asserts: Vec<(Expr, Option<String>)>,
    pub(crate) methods: Vec<Rc<Function>>,
    pub(crate) constructors: Vec<Rc<Function>>,
    pub(crate) destructor: Option<Rc<Function>>,
    /// Functions outside that it defines or announces.
    pub(crate) friends: Vec<Rc<Function>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Enum {
    pub(crate) name: Path,
    /// `enum class`.
    pub(crate) scoped: bool,
    pub(crate) base: Option<TypeExpr>,
    pub(crate) values: Vec<(Path, Span, Option<Expr>)>,
}

#[derive(Debug, Clone)]
pub(crate) struct Alias {
    pub(crate) name: Path,
    pub(crate) template: Vec<TemplateParam>,
    pub(crate) ty: TypeExpr,
}

#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "there are few of them, and each is read once")]
pub(crate) enum Item {
    Function(Rc<Function>),
    Variables(Vec<VarDecl>),
    /// `template <> int f<int>(..) { .. }`.
    Specialisation(Vec<TemplateArg>, Rc<Function>),
    /// `int S<T>::f() { .. }`: the struct as written, and the parameters of its template.
    Method(TypeExpr, Vec<TemplateParam>, Rc<Function>),
    /// `int S::n = 4;`
    Static(TypeExpr, Vec<TemplateParam>, VarDecl),
    Struct(Rc<Struct>),
    Enum(Enum),
    Alias(Alias),
    StaticAssert(Expr, Option<String>),
}

/// A translation unit.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    pub(crate) items: Vec<Item>,
}
