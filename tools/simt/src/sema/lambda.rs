//! Lambdas: a struct for what is captured, and its `operator()`.
//!
//! A copy is a member. A reference is a member that points to the variable, which therefore lives in
//! local memory; the device's compiler may keep it in a register all the same. Shared variables are
//! not captured, here as there: they are reached where they are.

use super::body::Body;
use super::tree::{Expr, ExprKind, Home, VarId};
use super::types::{Kind, StructInfo, Type};
use super::{Checked, Declared, Entity};
use crate::diagnostic::Span;
use crate::syntax::ast;
use crate::syntax::token::Name;
use std::collections::HashMap;
use std::rc::Rc;

impl Body<'_, '_> {
    pub(super) fn lambda(&mut self, ast: &ast::Lambda, span: Span) -> Checked<Expr> {
        let captured = self.captured(ast, span)?;
        let mut parts = Vec::new();
        for (_, id, reference) in &captured {
            let ty = self.vars[*id as usize].ty.clone();
            let place = Expr::place(ExprKind::Var(*id), ty.clone(), span);
            parts.push(if *reference {
                if self.vars[*id as usize].home == Home::Own {
                    self.mark_addressed(&place);
                }
                Expr::new(ExprKind::Address(Box::new(place)), ty.pointer_to(), span)
            } else {
                place
            });
        }
        let index = match self.lambdas.get(&span) {
            Some(index) => *index,
            None => self.closure(ast, &captured, &parts, span),
        };
        Some(Expr::new(ExprKind::Make(parts), Kind::Struct(index).into(), span))
    }

    /// The variables that the lambda takes along, and which of them by reference.
    fn captured(&mut self, ast: &ast::Lambda, span: Span) -> Checked<Vec<(Name, VarId, bool)>> {
        let mut out: Vec<(Name, VarId, bool)> = Vec::new();
        for (name, reference) in &ast.captures {
            match self.lookup(name) {
                Some(Entity::Var(id)) => out.push((name.clone(), id, *reference)),
                // A constant needs no place.
                Some(Entity::Constant(_)) => {}
                _ => {
                    let message = format!("there is no variable `{name}` to capture");
                    return self.sema.error("name", span, message);
                }
            }
        }
        for name in &ast.names {
            let local = self.scopes.iter().rev().find_map(|s| s.get(name)).cloned();
            let Some(Entity::Var(id)) = local else { continue };
            if out.iter().any(|(n, ..)| n == name) {
                continue;
            }
            if self.vars[id as usize].home != Home::Own {
                out.push((name.clone(), id, true));
            } else if let Some(reference) = ast.default {
                out.push((name.clone(), id, reference));
            }
        }
        Some(out)
    }

    /// The struct, and what its function may see besides.
    fn closure(
        &mut self,
        ast: &ast::Lambda,
        captured: &[(Name, VarId, bool)],
        parts: &[Expr],
        span: Span,
    ) -> u32 {
        let members: Vec<(Name, Type)> = captured
            .iter()
            .zip(parts)
            .map(|((name, ..), part)| (name.clone(), part.ty.unqualified()))
            .collect();
        let (fields, size, align) = self.sema.types.lay_out(members, 1);
        let index = self.sema.types.structs.len() as u32;
        self.sema.types.structs.push(StructInfo {
            name: "lambda".to_string(),
            fields,
            size,
            align,
            vector: false,
            union: false,
            incomplete: false,
        });
        for (i, _) in captured.iter().enumerate().filter(|(_, c)| c.2) {
            self.sema.references.insert((index, i));
        }
        let mut scope = HashMap::new();
        for outer in &self.scopes {
            let seen = outer.iter().filter(|(_, e)| !matches!(e, Entity::Var(_)));
            scope.extend(seen.map(|(n, e)| (n.clone(), e.clone())));
        }
        self.sema.declared.push(Declared {
            ast: ast.function.clone(),
            owner: Some(index),
            bindings: Vec::new(),
            scope: Some(Rc::new(scope)),
        });
        let id = self.sema.declared.len() - 1;
        self.sema.methods.insert((index, "operator()".into()), vec![id]);
        self.lambdas.insert(span, index);
        index
    }
}
