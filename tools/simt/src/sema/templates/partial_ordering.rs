//! Partial ordering of templates: which of two that fit equally well is the more specialised one.
//!
//! One is at least as specialised as another if the other's parameters can be deduced from its own
//! as they are written.

use crate::sema::types::as_written::{same, same_value, value_name};
use crate::syntax::ast::{Function, Struct, TemplateArg, TemplateParam, TypeExpr, TypeKind};
use crate::syntax::name::Path;
use std::cmp::Ordering;
use std::collections::HashMap;

/// What was deduced for the parameters of the other template.
type Deduced<'a> = HashMap<Path, &'a TypeExpr>;

/// Compares two function templates for a call with that many arguments: `Greater` if the first is the
/// more specialised one.
pub(in crate::sema) fn order(a: &Function, b: &Function, arguments: usize) -> Ordering {
    let (mut first, mut second) = (true, true);
    let (mut of_first, mut of_second) = (Deduced::new(), Deduced::new());
    let count = arguments.max(usize::from(a.params.len() == b.params.len()) * a.params.len());
    for i in 0..count {
        let (Some(x), Some(y)) = (parameter(a, i), parameter(b, i)) else { continue };
        let mut forth = parameter_fits(y, &b.template, x, &mut of_first);
        let mut back = parameter_fits(x, &a.template, y, &mut of_second);
        if forth && back {
            match by_reference(&x.0.kind, &y.0.kind) {
                Ordering::Greater => back = false,
                Ordering::Less => forth = false,
                Ordering::Equal => {}
            }
        }
        first &= forth;
        second &= back;
    }
    let rest = |f: &Function| f.params.last().is_some_and(|p| is_pack(&p.ty));
    match first.cmp(&second) {
        // `f(T)` goes before `f(T, U...)`.
        Ordering::Equal if first => rest(b).cmp(&rest(a)),
        decided => decided,
    }
}

/// Compares two partial specialisations of a class template.
pub(in crate::sema) fn order_classes(a: &Struct, b: &Struct) -> Ordering {
    let fits = |a: &Struct, b: &Struct| {
        arguments_fit(&b.specialises, &b.template, &a.specialises, &mut Deduced::new())
    };
    fits(a, b).cmp(&fits(b, a))
}

fn is_pack(ty: &TypeExpr) -> bool {
    matches!(ty.kind, TypeKind::Expand(..))
}

/// The parameter for an argument, and whether it is one of a pack.
fn parameter(f: &Function, i: usize) -> Option<(&TypeExpr, bool)> {
    let ty = &f.params.get(i).or(f.params.last().filter(|p| is_pack(&p.ty)))?.ty;
    Some(match &ty.kind {
        TypeKind::Expand(inner, _) => (inner, true),
        _ => (ty, false),
    })
}

/// What a reference refers to.
fn referred(ty: &TypeExpr) -> &TypeExpr {
    if let TypeKind::Reference(inner) | TypeKind::Rvalue(inner) = &ty.kind { inner } else { ty }
}

/// Of two references, that to a place goes before `T&&`, and that to a constant before the other.
fn by_reference(a: &TypeKind, b: &TypeKind) -> Ordering {
    match (a, b) {
        (TypeKind::Reference(_), TypeKind::Rvalue(_)) => Ordering::Greater,
        (TypeKind::Rvalue(_), TypeKind::Reference(_)) => Ordering::Less,
        (TypeKind::Reference(a), TypeKind::Reference(b))
        | (TypeKind::Rvalue(a), TypeKind::Rvalue(b)) => {
            (a.constant, a.volatile).cmp(&(b.constant, b.volatile))
        }
        _ => Ordering::Equal,
    }
}

fn parameter_fits<'a>(
    (pattern, pack): (&TypeExpr, bool),
    own: &[TemplateParam],
    (ty, of_pack): (&'a TypeExpr, bool),
    deduced: &mut Deduced<'a>,
) -> bool {
    let mut of_one = Deduced::new();
    let deduced = if pack { &mut of_one } else { deduced };
    (pack || !of_pack) && fits(referred(pattern), own, referred(ty), true, deduced)
}

/// Whether the pattern's parameters can be deduced from a type; at the `top` its qualifiers do not
/// count.
fn fits<'a>(
    pattern: &TypeExpr,
    own: &[TemplateParam],
    ty: &'a TypeExpr,
    top: bool,
    deduced: &mut Deduced<'a>,
) -> bool {
    let is_own = |name: &Path| own.iter().any(|t| t.value.is_none() && t.name == *name);
    if let TypeKind::Named(name, arguments) = &pattern.kind
        && arguments.is_empty()
        && is_own(name)
    {
        let lacks = pattern.constant && !ty.constant || pattern.volatile && !ty.volatile;
        let known = *deduced.entry(*name).or_insert(ty);
        return (top || !lacks) && (std::ptr::eq(known, ty) || same(known, ty));
    }
    if !top && (pattern.constant, pattern.volatile) != (ty.constant, ty.volatile) {
        return false;
    }
    match (&pattern.kind, &ty.kind) {
        (TypeKind::Prim(a), TypeKind::Prim(b)) => a == b,
        (TypeKind::Named(a, x), TypeKind::Named(b, y)) => {
            (a == b || is_own(a)) && arguments_fit(x, own, y, deduced)
        }
        (TypeKind::Pointer(a), TypeKind::Pointer(b))
        | (TypeKind::Reference(a), TypeKind::Reference(b))
        | (TypeKind::Rvalue(a), TypeKind::Rvalue(b)) => fits(a, own, b, false, deduced),
        (TypeKind::Array(a, m), TypeKind::Array(b, n)) => {
            let length = match (m, n) {
                (Some(m), Some(n)) => value_fits(m, own, n),
                (m, n) => m.is_none() == n.is_none(),
            };
            length && fits(a, own, b, false, deduced)
        }
        (TypeKind::Function(a, x), TypeKind::Function(b, y)) => {
            let open = matches!(x.as_slice(), [one] if is_pack(one));
            fits(a, own, b, false, deduced)
                && (open
                    || x.len() == y.len()
                        && x.iter().zip(y).all(|(x, y)| fits(x, own, y, false, deduced)))
        }
        // From these nothing is deduced.
        (TypeKind::Member(..) | TypeKind::Decltype(_) | TypeKind::Typeof(_), _) => true,
        _ => same(pattern, ty),
    }
}

fn value_fits(
    pattern: &crate::syntax::ast::Expr,
    own: &[TemplateParam],
    value: &crate::syntax::ast::Expr,
) -> bool {
    let open = value_name(pattern).is_some_and(|name| own.iter().any(|t| t.name == *name));
    open || same_value(pattern, value)
}

fn arguments_fit<'a>(
    patterns: &[TemplateArg],
    own: &[TemplateParam],
    all: &'a [TemplateArg],
    deduced: &mut Deduced<'a>,
) -> bool {
    let pack = |a: &TemplateArg| match a {
        TemplateArg::Type(ty) => is_pack(ty),
        TemplateArg::Value(e) => matches!(e.kind, crate::syntax::ast::ExprKind::Expand(..)),
    };
    for (i, pattern) in patterns.iter().enumerate() {
        if pack(pattern) {
            return true;
        }
        let fine = match (pattern, all.get(i)) {
            (_, Some(one)) if pack(one) => false,
            (TemplateArg::Type(a), Some(TemplateArg::Type(b))) => fits(a, own, b, false, deduced),
            (TemplateArg::Value(a), Some(TemplateArg::Value(b))) => value_fits(a, own, b),
            _ => false,
        };
        if !fine {
            return false;
        }
    }
    patterns.len() == all.len()
}
