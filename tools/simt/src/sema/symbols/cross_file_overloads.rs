//! Functions that one file declares and another defines under another name: where a file has overloads of
//! its own, the merge of the files ([`crate::syntax`]) renames all of that name in it, and the
//! declaration with them.

use super::emitted::is_visible_outside;
use crate::sema::ids::FunctionId;
use crate::sema::symbols::symbol_table::Declared;
use crate::sema::types::as_written;
use crate::sema::{Sema, Side};
use crate::syntax::ast;
use crate::syntax::name::Path;

/// Whether the names were one before each was renamed to be its file's own.
fn same_origin(a: Path, b: Path) -> bool {
    let (own, other) = (a.last(), b.last());
    a.parent() == b.parent() && own.split('@').next() == other.split('@').next()
}

impl Sema<'_> {
    /// The definition of a function that is only declared under its own name.
    pub(in crate::sema) fn defined_under_another_name(
        &self,
        declared: &Declared,
        side: Side,
    ) -> Option<FunctionId> {
        let ast = &declared.ast;
        if ast.body.is_some() || declared.owner.is_some() || !ast.template.is_empty() {
            return None;
        }
        let defines = |of: &ast::Function| {
            of.body.is_some()
                && of.template.is_empty()
                && is_visible_outside(of)
                && self.side_of(of).is_none_or(|of| of == side)
                && as_written::same_parameters(of, ast)
        };
        let named = self.definitions.functions.iter();
        named
            .filter(|(name, _)| **name != ast.name && same_origin(**name, ast.name))
            .flat_map(|(_, ids)| ids.iter().copied())
            .filter(|id| defines(&self.definitions[*id].ast))
            .min_by_key(|id| id.index())
    }
}
