//! Names that stand for types.

use super::{Expr, TemplateParam, TypeExpr};
use crate::syntax::name::Path;

/// `using A = T;` or `typedef T A;`
#[derive(Debug, Clone)]
pub(crate) struct Alias {
    pub(crate) name: Path,
    pub(crate) template: Vec<TemplateParam>,
    pub(crate) ty: TypeExpr,
    /// The value of `__align__(16)` in a `typedef`.
    pub(crate) align: Option<Expr>,
}
