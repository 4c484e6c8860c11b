//! What constrains templates: concepts and requires-expressions.

use super::{Expr, TemplateArg, TypeExpr, VarDecl};
use crate::diagnostic::Span;
use crate::syntax::name::Path;

/// A concept before what it constrains, `Concept<int>`.
#[derive(Debug, Clone)]
pub(crate) struct TypeConstraint {
    pub(crate) concept: Path,
    /// The arguments after the first.
    pub(crate) arguments: Vec<TemplateArg>,
    pub(crate) span: Span,
}

/// A requires-expression: whether all of these requirements are met.
#[derive(Debug, Clone)]
pub(crate) struct Requires {
    pub(crate) params: Vec<VarDecl>,
    pub(crate) all: Vec<Requirement>,
}

#[derive(Debug, Clone)]
pub(crate) enum Requirement {
    /// `a + b;`, `{ a + b } -> Concept;`: the expression is valid.
    Valid(Expr, Option<TypeConstraint>),
    /// `typename T::type;`
    Type(TypeExpr),
    /// `requires A<T>;`
    Holds(Expr),
}
