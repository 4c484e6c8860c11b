//! Candidate functions of a call: ordinary lookup, and argument-dependent lookup (ADL).

use crate::diagnostic::Span;
use crate::sema::FunctionId;
use crate::sema::body::Body;
use crate::sema::tree::Expr;
use crate::sema::types::as_written;
use crate::sema::types::{ClassId, Kind, Type};
use crate::syntax::ast::ObjectOf;
use crate::syntax::name::Path;

impl Body<'_, '_> {
    /// The functions of that name; `std::lround` is the built-in `lround`.
    pub(in crate::sema) fn functions(&self, name: Path) -> Option<Vec<FunctionId>> {
        if let Some(ids) = self.sema.definitions.functions.get(&name.unrooted()) {
            return Some(ids.clone());
        }
        let ids = self.sema.definitions.functions.get(&name.in_std()?.into())?.clone();
        ids.iter().all(|id| self.sema.definitions[*id].ast.span.is_built_in()).then_some(ids)
    }

    /// Argument-dependent lookup: functions of that name in the namespaces of the arguments'
    /// classes and of their bases, and friends of those classes. `at` is where the name stands: it
    /// may be written without the namespace that `using` gave it.
    pub(in crate::sema) fn adl_candidates(
        &self,
        name: Path,
        at: Span,
        values: &[Expr],
    ) -> Vec<FunctionId> {
        let mut out = Vec::new();
        let last = name.last();
        let plain = !at.is_built_in() && (at.end - at.start) as usize == last.len();
        if name.is_qualified() && !plain {
            return out;
        }
        let types = &self.sema.types;
        let class = |ty: &Type| match ty.kind {
            Kind::Struct(index) => Some(index),
            _ => None,
        };
        let mut classes: Vec<ClassId> = (values.iter())
            .filter_map(|value| class(value.ty.pointee().unwrap_or(&value.ty)))
            .collect();
        let mut next = 0;
        while let Some(index) = classes.get(next).copied() {
            let info = types.get(index);
            let bases = info.fields.iter().take(info.bases).filter_map(|base| class(&base.ty));
            for base in bases {
                if !classes.contains(&base) {
                    classes.push(base);
                }
            }
            next += 1;
            // Ordinary lookup found those of the name's own namespace.
            if info.namespace == name.parent() {
                continue;
            }
            let written = info.namespace.map_or(last.into(), |space| space.join(last));
            for id in self.sema.definitions.functions.get(&written).into_iter().flatten() {
                // CUDA's own functions have no friends among the program's classes.
                let of_cuda =
                    info.namespace.is_none() && self.sema.definitions[*id].ast.span.is_built_in();
                if !of_cuda && !out.contains(id) {
                    out.push(*id);
                }
            }
        }
        out
    }

    /// Of the methods, those that take an object of this value category: `f() &` takes an lvalue,
    /// `f() &&` an rvalue, which it takes before `f() const &`.
    pub(in crate::sema) fn by_category(
        &self,
        mut ids: Vec<FunctionId>,
        rvalue: bool,
    ) -> Vec<FunctionId> {
        let ast = |id: FunctionId| &self.sema.definitions[id].ast;
        ids.retain(|id| match ast(*id).object {
            ObjectOf::Any => true,
            ObjectOf::Lvalue => !rvalue || ast(*id).constant,
            ObjectOf::Rvalue => rvalue,
        });
        let moving: Vec<FunctionId> =
            ids.iter().copied().filter(|id| ast(*id).object == ObjectOf::Rvalue).collect();
        ids.retain(|id| {
            ast(*id).object != ObjectOf::Lvalue
                || !moving.iter().any(|other| as_written::same_parameters(ast(*other), ast(*id)))
        });
        ids
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
