//! Types as written, before name lookup: whether two declarations have the same signature, and how a
//! type is spelled in a message.

use crate::syntax::ast::{
    Expr, ExprKind, Function, TemplateArg, TemplateParam, TypeExpr, TypeKind, VarDecl,
};
use crate::syntax::name::Path;

/// Whether two functions have the same parameters in their signatures.
pub(in crate::sema) fn same_parameters(a: &Function, b: &Function) -> bool {
    a.params.len() == b.params.len()
        && a.params.iter().zip(&b.params).all(|(a, b)| same_parameter(&a.ty, &b.ty))
}

/// In a signature, `const int` is `int`, and an array a pointer to its element.
pub(in crate::sema) fn same_parameter(a: &TypeExpr, b: &TypeExpr) -> bool {
    match (pointed_to(a), pointed_to(b)) {
        (Some(a), Some(b)) => same(a, b),
        _ => same_kind(&a.kind, &b.kind),
    }
}

/// What a parameter points to, as a pointer or as an array.
fn pointed_to(ty: &TypeExpr) -> Option<&TypeExpr> {
    if let TypeKind::Pointer(to) | TypeKind::Array(to, _) = &ty.kind { Some(to) } else { None }
}

pub(in crate::sema) fn same(a: &TypeExpr, b: &TypeExpr) -> bool {
    a.constant == b.constant && a.volatile == b.volatile && same_kind(&a.kind, &b.kind)
}

fn same_kind(a: &TypeKind, b: &TypeKind) -> bool {
    match (a, b) {
        (TypeKind::Prim(a), TypeKind::Prim(b)) => a == b,
        (TypeKind::Auto, TypeKind::Auto)
        | (TypeKind::AsReturned, TypeKind::AsReturned)
        | (TypeKind::Typeof(_), TypeKind::Typeof(_)) => true,
        (TypeKind::Decltype(a), TypeKind::Decltype(b)) => same_value(a, b),
        (TypeKind::Named(a, x), TypeKind::Named(b, y)) => a == b && same_arguments(x, y),
        (TypeKind::Defaults(a), TypeKind::Defaults(b)) => a == b,
        (TypeKind::Pointer(a), TypeKind::Pointer(b))
        | (TypeKind::Reference(a), TypeKind::Reference(b))
        | (TypeKind::Rvalue(a), TypeKind::Rvalue(b))
        | (TypeKind::Underlying(a), TypeKind::Underlying(b))
        | (TypeKind::Called(a), TypeKind::Called(b))
        | (TypeKind::Expand(a, _), TypeKind::Expand(b, _)) => same(a, b),
        (TypeKind::Array(a, m), TypeKind::Array(b, n)) => {
            same(a, b)
                && match (m, n) {
                    (Some(m), Some(n)) => same_value(m, n),
                    (m, n) => m.is_none() == n.is_none(),
                }
        }
        (TypeKind::Function(a, x), TypeKind::Function(b, y)) => {
            same(a, b) && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
        }
        (TypeKind::Member(a, m, x), TypeKind::Member(b, n, y)) => {
            same(a, b) && m == n && same_arguments(x, y)
        }
        _ => false,
    }
}

/// Whether two lists of template arguments are the same.
pub(in crate::sema) fn same_arguments(a: &[TemplateArg], b: &[TemplateArg]) -> bool {
    let same_argument = |(a, b): (&TemplateArg, &TemplateArg)| match (a, b) {
        (TemplateArg::Type(a), TemplateArg::Type(b)) => same(a, b),
        (TemplateArg::Value(a), TemplateArg::Value(b)) => same_value(a, b),
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same_argument)
}

/// Whether two expressions of template arguments or in `decltype` are written alike. Of kinds that are
/// rare there any two count as the same.
pub(in crate::sema) fn same_value(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Int(a, _), ExprKind::Int(b, _)) => a == b,
        (ExprKind::Bool(a), ExprKind::Bool(b)) => a == b,
        (ExprKind::Name(a, x), ExprKind::Name(b, y)) => {
            a == b
                && match (x, y) {
                    (Some(x), Some(y)) => same_arguments(x, y),
                    (x, y) => x.is_none() == y.is_none(),
                }
        }
        (ExprKind::Scoped(a, m), ExprKind::Scoped(b, n)) => m == n && same(a, b),
        (ExprKind::Unary(o, a), ExprKind::Unary(p, b)) => o == p && same_value(a, b),
        (ExprKind::Binary(o, a, x), ExprKind::Binary(p, b, y)) => {
            o == p && same_value(a, b) && same_value(x, y)
        }
        (ExprKind::Comma(a, x), ExprKind::Comma(b, y))
        | (ExprKind::Index(a, x), ExprKind::Index(b, y)) => same_value(a, b) && same_value(x, y),
        (ExprKind::Cond(a, x, m), ExprKind::Cond(b, y, n)) => {
            same_value(a, b) && same_value(x, y) && same_value(m, n)
        }
        (ExprKind::Call(a, x), ExprKind::Call(b, y)) => same_value(a, b) && all(x, y),
        (ExprKind::Member(a, m, _, x), ExprKind::Member(b, n, _, y)) => {
            m == n && x == y && same_value(a, b)
        }
        (ExprKind::Expand(a, _), ExprKind::Expand(b, _))
        | (ExprKind::SizeofExpr(a), ExprKind::SizeofExpr(b))
        | (ExprKind::Noexcept(a), ExprKind::Noexcept(b)) => same_value(a, b),
        (ExprKind::Trait(m, x), ExprKind::Trait(n, y)) => {
            m == n && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
        }
        (ExprKind::Cast(_, a, x), ExprKind::Cast(_, b, y)) => same(a, b) && same_value(x, y),
        (ExprKind::Construct(a, x, _), ExprKind::Construct(b, y, _)) => same(a, b) && all(x, y),
        (ExprKind::SizeofType(a), ExprKind::SizeofType(b))
        | (ExprKind::Alignof(a), ExprKind::Alignof(b)) => same(a, b),
        (ExprKind::Offsetof(a, x), ExprKind::Offsetof(b, y)) => same(a, b) && x == y,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Whether two function templates with the same parameters are one: neither what they return nor
/// their template parameters tell them apart.
pub(in crate::sema) fn same_template(a: &Function, b: &Function) -> bool {
    let kind = |(a, b): (&TemplateParam, &TemplateParam)| {
        let types = match (&a.value, &b.value) {
            (Some(a), Some(b)) => same(a, b),
            (a, b) => a.is_none() == b.is_none(),
        };
        types && a.pack == b.pack
    };
    a.template.len() == b.template.len()
        && a.template.iter().zip(&b.template).all(kind)
        && (a.template.is_empty() || same(&a.returns, &b.returns))
}

/// The name that an expression consists of, or the pack of that name.
pub(in crate::sema) fn value_name(e: &Expr) -> Option<&Path> {
    match &e.kind {
        ExprKind::Name(name, None) => Some(name),
        ExprKind::Expand(inner, _) => value_name(inner),
        _ => None,
    }
}

/// Whether an argument is just this parameter, as those in `S<T, N>::f` are.
pub(in crate::sema) fn names_parameter(argument: &TemplateArg, parameter: &TemplateParam) -> bool {
    match argument {
        TemplateArg::Type(ty) => match &ty.kind {
            TypeKind::Named(name, arguments) => arguments.is_empty() && parameter.name == *name,
            TypeKind::Expand(pack, _) => {
                names_parameter(&TemplateArg::Type((**pack).clone()), parameter)
            }
            _ => false,
        },
        TemplateArg::Value(e) => value_name(e).is_some_and(|name| parameter.name == *name),
    }
}

/// A function as a message names it: `scale(float* data, int)`.
pub(in crate::sema) fn signature(ast: &Function) -> String {
    let param =
        |param: &VarDecl| format!("{} {}", spell(&param.ty), param.name).trim_end().to_owned();
    let params: Vec<String> = ast.params.iter().map(param).collect();
    format!("{}({})", ast.name, params.join(", "))
}

/// Whether a parameter's type names this parameter of the template.
pub(in crate::sema) fn is_deduced_from(ast: &Function, parameter: &TemplateParam) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let names =
        |ty: &TypeExpr| spell(ty).split(|c| !is_part(c)).any(|word| *word == *parameter.name);
    ast.params.iter().any(|param| names(&param.ty))
}

/// A type's spelling.
pub(in crate::sema) fn spell(ty: &TypeExpr) -> String {
    let constant = if ty.constant { "const " } else { "" };
    match &ty.kind {
        TypeKind::Prim(p) => format!("{constant}{}", p.spelling()),
        TypeKind::Auto => format!("{constant}auto"),
        TypeKind::AsReturned => "decltype(auto)".to_string(),
        TypeKind::Named(n, arguments) => {
            let words: Vec<String> = arguments
                .iter()
                .map(|a| match a {
                    TemplateArg::Type(ty) => spell(ty),
                    TemplateArg::Value(e) => match &e.kind {
                        ExprKind::Int(v, _) => v.to_string(),
                        ExprKind::Name(n, _) => n.to_string(),
                        ExprKind::Expand(..) => "...".to_string(),
                        _ => "..".to_string(),
                    },
                })
                .collect();
            match words.is_empty() {
                true => format!("{constant}{n}"),
                false => format!("{constant}{n}<{}>", words.join(", ")),
            }
        }
        TypeKind::Defaults(n) => format!("{constant}{n}<>"),
        TypeKind::Pointer(t) => format!("{}*", spell(t)),
        TypeKind::Reference(t) => format!("{}&", spell(t)),
        TypeKind::Array(t, _) => format!("{}[]", spell(t)),
        TypeKind::Decltype(_) => "decltype".to_string(),
        TypeKind::Typeof(_) => "typeof".to_string(),
        TypeKind::Called(t) => format!("__call_signature({})", spell(t)),
        TypeKind::Underlying(t) => format!("__underlying_type({})", spell(t)),
        TypeKind::Rvalue(t) => format!("{}&&", spell(t)),
        TypeKind::Function(returns, params) => {
            let params: Vec<String> = params.iter().map(spell).collect();
            format!("{}({})", spell(returns), params.join(", "))
        }
        TypeKind::Member(outer, name, _) => format!("{}::{name}", spell(outer)),
        TypeKind::Expand(t, _) => format!("{}...", spell(t)),
    }
}
