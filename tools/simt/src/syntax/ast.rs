//! The abstract syntax tree: C++ as written, with names unresolved.

mod alias;
mod constraints;
mod function_qualifiers;
mod launch_bounds;
mod member_access;
mod translation_unit;

pub(crate) use alias::Alias;
pub(crate) use constraints::{Requirement, Requires, TypeConstraint};
pub(crate) use function_qualifiers::{Noexcept, ObjectOf};
pub(crate) use launch_bounds::LaunchBounds;
pub(crate) use member_access::{Access, MemberAccess};
pub(crate) use translation_unit::TranslationUnit;

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

/// The forms of a type. `const` and `volatile` are flags of [`TypeExpr`].
#[derive(Debug, Clone)]
pub(crate) enum TypeKind {
    Prim(Prim),
    Auto,
    Named(Path, Vec<TemplateArg>),
    /// `X<>`: every argument is the template's default.
    Defaults(Path),
    Pointer(Box<TypeExpr>),
    Reference(Box<TypeExpr>),
    /// An element type and a length; `T[]` has no length.
    Array(Box<TypeExpr>, Option<Box<Expr>>),
    Decltype(Box<Expr>),
    /// `typeof(x)`: without the reference.
    Typeof(Box<Expr>),
    /// `__underlying_type(E)`: the integer type of an enumeration.
    Underlying(Box<TypeExpr>),
    /// `__call_signature(F)`: the function type of the only `operator()` of a class.
    Called(Box<TypeExpr>),
    /// `T&&`.
    Rvalue(Box<TypeExpr>),
    /// The return type and the parameter types.
    Function(Box<TypeExpr>, Vec<TypeExpr>),
    /// `T::type`.
    Member(Box<TypeExpr>, Name, Vec<TemplateArg>),
    /// A pack expansion, `T...`, among arguments or parameters, and the identifiers in it.
    Expand(Box<TypeExpr>, Rc<[Name]>),
    /// `decltype(auto)`.
    AsReturned,
}

/// An argument between `<` and `>`.
#[derive(Debug, Clone)]
pub(crate) enum TemplateArg {
    Type(TypeExpr),
    Value(Expr),
}

/// A template's parameter.
#[derive(Debug, Clone)]
pub(crate) struct TemplateParam {
    pub(crate) name: Name,
    /// The type of a non-type parameter; `None` for a type parameter.
    pub(crate) value: Option<TypeExpr>,
    /// Whether it is a parameter pack.
    pub(crate) pack: bool,
    pub(crate) default: Option<TemplateArg>,
    /// What it and those before it must satisfy.
    pub(crate) constraint: Option<Rc<Expr>>,
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
    /// `<=>`
    ThreeWay,
}

impl BinaryOp {
    /// Its spelling.
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
            BinaryOp::ThreeWay => "<=>",
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
    /// The bytes, with escapes resolved.
    Str(Rc<[u8]>),
    Null,
    This,
    /// A name, and its template arguments if they are written.
    Name(Path, Option<Vec<TemplateArg>>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `=`, or `op=`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU's `a ?: b`.
    OrElse(Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    /// `kernel<<<grid, block>>>(a)`: the kernel, the span of `<<<`, the execution configuration,
    /// the arguments.
    Launch(Box<Expr>, Span, Vec<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    /// `a.m`, or `a->m` if the flag is set.
    Member(Box<Expr>, Path, Span, bool),
    /// `x.m<int>`: a member template's arguments, around the [`ExprKind::Member`].
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
    /// A pack expansion, `args...`, among arguments, and the identifiers in it.
    Expand(Box<Expr>, Rc<[Name]>),
    /// The element of this index of a pack expansion. Only `sema` makes it.
    Element(Rc<Expr>, usize),
    /// `__is_trivial(T)` and the compiler's other type traits.
    Trait(Name, Vec<TypeExpr>),
    /// `requires (T a) { a + a; }`
    Requires(Rc<Requires>),
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
    /// `noexcept(value)`
    Noexcept(Box<Expr>),
    /// `typeid(value)`
    Typeid(Box<Expr>),
    Alignof(TypeExpr),
    /// `offsetof(S, a.b)`: the class and the names.
    Offsetof(TypeExpr, Vec<Name>),
    Lambda(Rc<Lambda>),
    /// `S<int>::value`.
    Scoped(TypeExpr, Name),
}

/// A fold expression: a pack's elements with an operator between them.
#[derive(Debug, Clone)]
pub(crate) struct Fold {
    /// `None` for a comma.
    pub(crate) op: Option<BinaryOp>,
    pub(crate) pack: Expr,
    /// `(first + ... + args)`.
    pub(crate) first: Option<Expr>,
    /// Whether it is a right fold without a first operand, `(args + ...)`.
    pub(crate) right: bool,
    /// Every identifier in it.
    pub(crate) names: Rc<[Name]>,
}

/// One declared variable, member or parameter.
#[derive(Debug, Clone)]
pub(crate) struct VarDecl {
    pub(crate) name: Path,
    /// The span of the name.
    pub(crate) span: Span,
    pub(crate) ty: TypeExpr,
    pub(crate) storage: Storage,
    /// The value of `__align__(16)` or `alignas(16)`.
    pub(crate) align: Option<Expr>,
    pub(crate) init: Init,
}

/// An initialiser.
#[derive(Debug, Clone)]
pub(crate) enum Init {
    None,
    /// `= e`, `= {..}`, `{..}`.
    Expr(Expr),
    /// `(a, b)`.
    Paren(Vec<Expr>),
}

/// The specifiers of a declaration, other than its type.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Storage {
    pub(crate) shared: bool,
    pub(crate) external: bool,
    /// In `extern "C"`: its name in an image is its own.
    pub(crate) c_linkage: bool,
    pub(crate) is_static: bool,
    /// Of a function: `inline`, or in a namespace without a name.
    pub(crate) inline: bool,
    /// `thread_local`: in a function it says `static`, too.
    pub(crate) thread_local: bool,
    pub(crate) constexpr: bool,
    pub(crate) device: bool,
    pub(crate) constant_memory: bool,
    pub(crate) global: bool,
    pub(crate) host: bool,
    pub(crate) managed: bool,
    pub(crate) is_virtual: bool,
    /// `override`: a method that a base must have as a virtual one.
    pub(crate) overrides: bool,
    /// `final`: a method that no derived class may override.
    pub(crate) is_final: bool,
    pub(crate) explicit: bool,
    pub(crate) friend: bool,
    pub(crate) mutable: bool,
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
    /// Several statements that share the enclosing scope.
    Several(Vec<Stmt>),
    /// `auto [a, b] = e;`
    StructuredBinding(TypeExpr, Vec<(Name, Span)>, Expr),
    /// `for (T x : range)`. The variable may be a structured binding.
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
    /// `name:`, the target of a `goto`.
    Label(Name),
    Goto(Name),
    Asm(Box<Asm>),
    Return(Option<Expr>),
}

/// `asm volatile ("text" : outputs : inputs : clobbers);`
#[derive(Debug, Clone)]
pub(crate) struct Asm {
    pub(crate) text: Rc<simt_ptx::Text>,
    pub(crate) outputs: Vec<AsmOperand>,
    pub(crate) inputs: Vec<AsmOperand>,
}

/// `[name] "=r" (x)`
#[derive(Debug, Clone)]
pub(crate) struct AsmOperand {
    pub(crate) name: Option<Name>,
    pub(crate) constraint: String,
    /// The span of the constraint.
    pub(crate) span: Span,
    pub(crate) value: Expr,
}

/// `catch (T& e) { .. }`; `catch (...)` has no variable.
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
    /// It is a variable template, which the parser turns into a function.
    Variable,
    /// Likewise a concept, whose constraint it returns.
    Concept,
}

/// `member(values)` before a constructor's body.
#[derive(Debug, Clone)]
pub(crate) struct MemberInit {
    /// The member or the base.
    pub(crate) name: Path,
    pub(crate) span: Span,
    pub(crate) values: Vec<Expr>,
    /// `member{values}`, and not `member(values)`.
    pub(crate) braced: bool,
    /// `Bases(values)...`: the names that may be packs.
    pub(crate) packs: Option<Rc<[Name]>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: Path,
    /// The span of the name.
    pub(crate) span: Span,
    pub(crate) template: Vec<TemplateParam>,
    pub(crate) returns: TypeExpr,
    pub(crate) params: Vec<VarDecl>,
    pub(crate) body: Option<Stmt>,
    pub(crate) body_kind: BodyKind,
    /// A constructor's member initialisers.
    pub(crate) member_inits: Vec<MemberInit>,
    pub(crate) storage: Storage,
    /// Whether it is a `const` method.
    pub(crate) constant: bool,
    /// The objects that it is a method of.
    pub(crate) object: ObjectOf,
    /// The span of the `...` after its parameters.
    pub(crate) variadic: Option<Span>,
    pub(crate) bounds: LaunchBounds,
    /// The clause `requires` behind its parameters.
    pub(crate) requires: Option<Rc<Expr>>,
    /// Its exception specification.
    pub(crate) noexcept: Noexcept,
    /// Its text for the host, if `__CUDA_ARCH__` makes that another one.
    pub(crate) on_host: Option<Rc<Function>>,
}

/// `[=](int i) { .. }`.
#[derive(Debug, Clone)]
pub(crate) struct Lambda {
    /// The default capture: `Some(true)` for `&`, `Some(false)` for `=`.
    pub(crate) default: Option<bool>,
    /// The variables that are captured by name, and whether by reference.
    pub(crate) captures: Vec<(Name, bool)>,
    /// Init-captures, `[n = 0]` or `[&n = m]`, and whether by reference.
    pub(crate) values: Vec<(Name, bool, Expr)>,
    /// Every identifier after the captures, to find the variables that it uses.
    pub(crate) names: Vec<Name>,
    pub(crate) function: Rc<Function>,
}

#[derive(Debug, Clone)]
pub(crate) struct Struct {
    pub(crate) name: Path,
    pub(crate) template: Vec<TemplateParam>,
    /// The arguments of an explicit specialisation, `template <> struct S<int>`.
    pub(crate) specialises: Vec<TemplateArg>,
    /// Whether it is a specialisation, if only `template <> struct S<>`.
    pub(crate) special: bool,
    pub(crate) align: Option<Expr>,
    /// The most that the alignment of its members counts: `#pragma pack(1)`, the attribute `packed`.
    pub(crate) pack: Option<u64>,
    /// Whether its members share one address.
    pub(crate) union: bool,
    /// Whether it has a body; otherwise it is a forward declaration.
    pub(crate) defined: bool,
    /// `final`: no class may have it as a base.
    pub(crate) is_final: bool,
    pub(crate) fields: Vec<VarDecl>,
    /// The indices of the fields that are bit-fields, and their widths.
    pub(crate) bits: Vec<(usize, Expr)>,
    /// The span of its name.
    pub(crate) span: Span,
    /// `Bases...` among them is an expansion.
    pub(crate) bases: Vec<TypeExpr>,
    /// The functions of bases that `using Base::f;` puts beside the class's own.
    pub(crate) used: Vec<Name>,
    /// The bases whose constructors it has, `using Base::Base;`, by name.
    pub(crate) constructs: Vec<Name>,
    /// Types and `static` variables inside it.
    pub(crate) members: Vec<Item>,
    pub(crate) asserts: Vec<(Expr, Option<String>)>,
    pub(crate) methods: Vec<Rc<Function>>,
    pub(crate) constructors: Vec<Rc<Function>>,
    pub(crate) destructor: Option<Rc<Function>>,
    /// Friend functions that it defines or declares.
    pub(crate) friends: Vec<Rc<Function>>,
    pub(crate) access: MemberAccess,
}

impl Struct {
    /// A class without template parameters that is declared and has no body yet.
    pub(crate) fn declared(name: Path, span: Span) -> Struct {
        Struct {
            name,
            template: Vec::new(),
            specialises: Vec::new(),
            special: false,
            align: None,
            pack: None,
            union: false,
            defined: false,
            is_final: false,
            span,
            bases: Vec::new(),
            used: Vec::new(),
            constructs: Vec::new(),
            members: Vec::new(),
            fields: Vec::new(),
            bits: Vec::new(),
            asserts: Vec::new(),
            methods: Vec::new(),
            constructors: Vec::new(),
            destructor: None,
            friends: Vec::new(),
            access: MemberAccess::default(),
        }
    }
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
#[expect(clippy::large_enum_variant, reason = "there are few of them, and each is read once")]
pub(crate) enum Item {
    Function(Rc<Function>),
    Variables(Vec<VarDecl>),
    /// `template <> int f<int>(..) { .. }`.
    Specialisation(Vec<TemplateArg>, Rc<Function>),
    /// `int S<T>::f() { .. }`: the class as written, and the parameters of its template.
    Method(TypeExpr, Vec<TemplateParam>, Rc<Function>),
    /// `int S::n = 4;`
    Static(TypeExpr, Vec<TemplateParam>, VarDecl),
    Struct(Rc<Struct>),
    /// `struct S::Inner { .. };`: the class around it as written.
    Inner(TypeExpr, Rc<Struct>),
    Enum(Enum),
    Alias(Alias),
    /// `template <typename T> S(T) -> S<T*>;`: a function that returns the class.
    Guide(Rc<Function>),
    StaticAssert(Expr, Option<String>),
}

/// A translation unit.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    pub(crate) items: Vec<Item>,
    /// What it was merged from, if that are several.
    pub(crate) merged: Vec<TranslationUnit>,
}
