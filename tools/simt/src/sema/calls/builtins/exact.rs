//! Which values a built-in function takes as they are.
//!
//! A program may have templates of these names. They fit exactly whatever they are called with, and so
//! does a built-in function with the types that CUDA declares it for: of these two, overload
//! resolution prefers the one that is no template.

use super::table::{What, atomic_types, known};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::{self, Prim, TypeKind};

/// Whether the built-in function of that name is declared for just these types. `min` and `max` are
/// CUDA's, which the host's part of a program need not have.
pub(in crate::sema) fn takes_exactly(name: &str, types: &[&Type], on_device: bool) -> bool {
    use Prim::{Double, Float, Int, Long, LongLong, UInt, ULong, ULongLong};
    let Some(shape) = known(name) else { return false };
    if types.len() < shape.count.0 || types.len() > shape.count.1 {
        return false;
    }
    let all = |prim: Prim| types.iter().all(|ty| ty.is(prim));
    let any_of = |prims: &[Prim]| prims.iter().any(|prim| all(*prim));
    let for_float = name.strip_suffix('f').is_some_and(|plain| known(plain).is_some());
    match shape.what {
        What::Typed(_, params, _) => params.iter().zip(types).all(|(prim, ty)| ty.is(*prim)),
        What::Abs => any_of(&[Int, Long, LongLong, Float, Double]),
        What::MinMax(_) => {
            on_device && any_of(&[Int, UInt, Long, ULong, LongLong, ULongLong, Float, Double])
        }
        What::Math(_) | What::FloatPair(_) | What::Fma | What::Library(..) => {
            all(Float) || all(Double) && !for_float
        }
        What::Atomic(op, _) => {
            let [at, values @ ..] = types else { return false };
            let Some(prim) = pointee(at).and_then(Type::prim) else { return false };
            atomic_types(op).contains(&prim) && values.iter().all(|ty| ty.is(prim))
        }
        What::Load => pointee(types[0]).is_some_and(|ty| ty.prim().is_some()),
        _ => false,
    }
}

fn pointee(ty: &Type) -> Option<&Type> {
    match &ty.kind {
        Kind::Pointer(to) | Kind::Array(to, _) => Some(to),
        _ => None,
    }
}

/// Whether a declaration is an overload for a type that the built-in atomic function of its name does
/// not take: `double atomicMax(double*, double)`, which another file defines.
pub(in crate::sema) fn overloads_atomic(function: &ast::Function) -> bool {
    let Some(What::Atomic(op, _)) = known(&function.name.last()).map(|shape| shape.what) else {
        return false;
    };
    let to = function.params.first().map(|param| &param.ty.kind);
    let Some(TypeKind::Pointer(to)) = to else { return false };
    matches!(to.kind, TypeKind::Prim(prim) if !atomic_types(op).contains(&prim))
}
