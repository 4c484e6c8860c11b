//! Candidate functions of a call: ordinary lookup, and argument-dependent lookup (ADL).

use crate::diagnostic::Span;
use crate::sema::FunctionId;
use crate::sema::body::Body;
use crate::sema::tree::Expr;
use crate::sema::types::Kind;
use crate::sema::types::as_written;
use crate::syntax::name::Path;

impl Body<'_, '_> {
    /// The functions of that name; `std::lround` is the built-in `lround`.
    pub(in crate::sema) fn functions(&self, name: Path) -> Option<Vec<FunctionId>> {
        if let Some(ids) = self.sema.definitions.functions.get(&name) {
            return Some(ids.clone());
        }
        let ids = self.sema.definitions.functions.get(&name.in_std()?.into())?.clone();
        ids.iter().all(|id| self.sema.definitions[*id].ast.span.is_built_in()).then_some(ids)
    }

    /// Argument-dependent lookup: functions of that name in the namespaces of the arguments'
    /// classes, and friends of those classes.
    /// A name that `using` found, as `swap` for `std::swap`, is not qualified where it stands, `at`.
    pub(in crate::sema) fn adl_candidates(
        &self,
        name: Path,
        at: Span,
        values: &[Expr],
    ) -> Vec<FunctionId> {
        let mut out = Vec::new();
        let (found, is_qualified, name) = (name, name.is_qualified(), name.last());
        if is_qualified && (at.end - at.start) as usize != name.len() {
            return out;
        }
        for value in values {
            let ty = value.ty.pointee().unwrap_or(&value.ty);
            let Kind::Struct(index) = ty.kind else { continue };
            let space = self.sema.types.get(index).namespace;
            let path = space.map_or(name.into(), |space| space.join(name));
            // Ordinary lookup found these.
            if path == found {
                continue;
            }
            for id in self.sema.definitions.functions.get(&path).into_iter().flatten() {
                if !out.contains(id) {
                    out.push(*id);
                }
            }
        }
        out
    }

    /// Of two methods that differ in `const` alone, the one that suits the object.
    pub(in crate::sema) fn by_constness(
        &self,
        ids: Vec<FunctionId>,
        constant: bool,
    ) -> Vec<FunctionId> {
        let ast = |id: FunctionId| &self.sema.definitions[id].ast;
        let has_rival = |id: FunctionId| {
            ids.iter().any(|other| {
                ast(*other).constant != ast(id).constant
                    && as_written::same_parameters(ast(*other), ast(id))
            })
        };
        ids.iter().copied().filter(|id| ast(*id).constant == constant || !has_rival(*id)).collect()
    }
}
