//! Concepts, constraints and requires-expressions.
//!
//! A constraint is satisfied if its parts are; what is no valid expression for these arguments is not
//! satisfied, and is no error. Of two templates that fit a call equally well, the one whose constraint
//! implies the other's is chosen.

use crate::diagnostic::Span;
use crate::sema::body::Body;
use crate::sema::tree::Expr;
use crate::sema::types::as_written;
use crate::sema::types::declared::category;
use crate::sema::{Arg, Bindings, Checked, FunctionId, Sema};
use crate::syntax::ast::{
    self, BinaryOp, BodyKind, ExprKind, Prim, Requirement, StmtKind, TemplateArg, TemplateParam,
};
use crate::syntax::name::Path;
use std::collections::HashMap;

/// The constraints of a template, and of a function in one.
fn constraints<'a>(
    template: &'a [TemplateParam],
    clause: Option<&'a ast::Expr>,
) -> impl Iterator<Item = &'a ast::Expr> {
    template.iter().filter_map(|param| param.constraint.as_deref()).chain(clause)
}

/// Whether the function, or the template that it is, has a constraint.
fn is_constrained(ast: &ast::Function) -> bool {
    constraints(&ast.template, ast.requires.as_deref()).next().is_some()
}

/// Whether two declarations have the same constraints.
pub(in crate::sema) fn same_constraints(a: &ast::Function, b: &ast::Function) -> bool {
    let (a, b) = [a, b].map(|f| constraints(&f.template, f.requires.as_deref())).into();
    a.map(Some).chain([None]).zip(b.map(Some).chain([None])).all(|pair| match pair {
        (Some(a), Some(b)) => same_constraint(a, b),
        (a, b) => a.is_none() && b.is_none(),
    })
}

fn same_constraint(a: &ast::Expr, b: &ast::Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Binary(x, a, c), ExprKind::Binary(y, b, d)) => {
            x == y && same_constraint(a, b) && same_constraint(c, d)
        }
        (ExprKind::Name(x, Some(a)), ExprKind::Name(y, Some(b))) => {
            x == y && as_written::same_arguments(a, b)
        }
        (ExprKind::Name(x, None), ExprKind::Name(y, None)) => x == y,
        (ExprKind::Fold(a), ExprKind::Fold(b)) => same_constraint(&a.pack, &b.pack),
        (ExprKind::Int(a, _), ExprKind::Int(b, _)) => a == b,
        _ => a.span == b.span,
    }
}

/// Concepts inside one another at most that are compared as constraints.
const MAX_NORMAL: usize = 40;

impl Body<'_, '_> {
    /// Whether a constraint is satisfied for what its names mean here.
    pub(in crate::sema) fn satisfied(&mut self, constraint: &ast::Expr) -> bool {
        match &constraint.kind {
            ExprKind::Binary(BinaryOp::LogicalAnd, a, b) => self.satisfied(a) && self.satisfied(b),
            ExprKind::Binary(BinaryOp::LogicalOr, a, b) => self.satisfied(a) || self.satisfied(b),
            _ => {
                let depth = self.scopes.len();
                let value = self.speculate(|b| b.rvalue(constraint).map(|value| b.folded(value)));
                self.scopes.truncate(depth);
                value.is_ok_and(|value| value.as_int().is_some_and(|value| value != 0))
            }
        }
    }

    /// The first constraint that is not satisfied.
    pub(in crate::sema) fn unsatisfied(
        &mut self,
        template: &[TemplateParam],
        clause: Option<&ast::Expr>,
    ) -> Option<Span> {
        constraints(template, clause).find(|c| !self.satisfied(c)).map(|c| c.span)
    }

    /// Whether a template's constraints hold where its parameters stand for these.
    pub(in crate::sema) fn admits(
        &mut self,
        template: &[TemplateParam],
        bindings: &[&[(Path, Arg)]],
    ) -> Result<(), Span> {
        if constraints(template, None).next().is_none() {
            return Ok(());
        }
        self.scopes.push(HashMap::new());
        bindings.iter().for_each(|some| self.bind(some));
        let wrong = self.unsatisfied(template, None);
        self.scopes.pop();
        wrong.map_or(Ok(()), Err)
    }

    /// `Concept<T, int>` as a value.
    pub(in crate::sema) fn concept_value(
        &mut self,
        id: FunctionId,
        arguments: &[TemplateArg],
        span: Span,
    ) -> Checked<Expr> {
        let given = self.template_arguments(arguments)?;
        let holds = self.concept_holds(id, given, span)?;
        Ok(Self::int(i128::from(holds), Prim::Bool, span))
    }

    fn concept_holds(&mut self, id: FunctionId, given: Vec<Arg>, span: Span) -> Checked<bool> {
        let ast = self.sema.definitions[id].ast.clone();
        let key = (id, given, self.side);
        if let Some(known) = self.sema.templates.concepts.get(&key) {
            return Ok(*known);
        }
        let depth = self.sema.instances.instantiation_depth;
        if self.sema.is_too_deep() {
            let what = format!("concepts that name one another more than {depth} deep");
            return self.sema.unsupported(span, what);
        }
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.sema.instances.instantiation_depth += 1;
        let bound = self.concept_arguments(&ast, key.1.clone(), span);
        let holds = bound.map(|bound| {
            self.bind(&bound);
            body_of(&ast).is_some_and(|constraint| self.satisfied(constraint))
        });
        self.sema.instances.instantiation_depth -= 1;
        self.scopes = outer;
        let holds = holds?;
        self.sema.templates.concepts.insert(key, holds);
        Ok(holds)
    }

    fn concept_arguments(
        &mut self,
        ast: &ast::Function,
        given: Vec<Arg>,
        span: Span,
    ) -> Checked<Bindings> {
        let mut given = given.into_iter();
        let mut bound = Bindings::new();
        for param in &ast.template {
            let arg = match (given.next(), &param.default) {
                (first, _) if param.pack => {
                    Arg::Pack(first.into_iter().chain(given.by_ref()).collect())
                }
                (Some(arg), _) => arg,
                (None, Some(default)) => {
                    self.bind(&bound);
                    self.template_argument(default)?
                }
                (None, None) => {
                    let message = format!("`{}` needs an argument for `{}`", ast.name, param.name);
                    return self.sema.error("template", span, message);
                }
            };
            bound.push((param.name.into(), arg));
        }
        if given.next().is_some() {
            let message = format!("`{}` takes {} arguments", ast.name, ast.template.len());
            return self.sema.error("template", span, message);
        }
        Ok(bound)
    }

    /// `requires (T a) { .. }`
    pub(in crate::sema) fn requires(&mut self, written: &ast::Requires, span: Span) -> Expr {
        let (depth, vars) = (self.scopes.len(), self.vars.len());
        self.scopes.push(HashMap::new());
        let met = self.speculate(|b| b.unevaluated(|b| b.meets(written)));
        self.scopes.truncate(depth);
        self.vars.truncate(vars);
        Self::int(i128::from(met), Prim::Bool, span)
    }

    fn meets(&mut self, written: &ast::Requires) -> bool {
        written.params.iter().all(|param| self.param(param, false).is_ok())
            && written.all.iter().all(|one| match one {
                Requirement::Type(ty) => self.resolve(ty).is_ok(),
                Requirement::Holds(constraint) => self.satisfied(constraint),
                Requirement::Valid(value, asked) => {
                    let Ok(value) = self.expr(value) else { return false };
                    asked.as_ref().is_none_or(|asked| self.returns_what(asked, &value))
                }
            })
    }

    /// `-> Concept<int>` behind `{ value }`.
    fn returns_what(&mut self, asked: &ast::TypeConstraint, value: &Expr) -> bool {
        let Some(id) = self.sema.concept(&asked.concept) else { return false };
        let Ok(rest) = self.template_arguments(&asked.arguments) else { return false };
        let given = std::iter::once(Arg::Type(category(value))).chain(rest).collect();
        self.concept_holds(id, given, asked.span) == Ok(true)
    }
}

/// What a concept returns.
fn body_of(ast: &ast::Function) -> Option<&ast::Expr> {
    let StmtKind::Block(body) = &ast.body.as_ref()?.kind else { return None };
    let [ast::Stmt { kind: StmtKind::Return(Some(value)), .. }] = body.as_slice() else {
        return None;
    };
    Some(value)
}

/// A constraint with its concepts written out: its atoms by the place of each and by what the
/// parameters there stand for.
enum Normal {
    Atom(Span, Vec<String>),
    Both(Box<[Normal; 2]>),
    Either(Box<[Normal; 2]>),
}

/// What names of template parameters stand for: one of the outermost template by its number.
type Meanings = HashMap<Path, String>;

impl Sema<'_> {
    /// The concept of that name.
    fn concept(&self, name: &Path) -> Option<FunctionId> {
        let id = *self.definitions.functions.get(&name.unrooted())?.first()?;
        (self.definitions[id].ast.body_kind == BodyKind::Concept).then_some(id)
    }

    /// Whether the constraints of one function imply those of the other, and not the other way round.
    pub(in crate::sema) fn more_constrained(&self, a: &ast::Function, b: &ast::Function) -> bool {
        if !is_constrained(a) {
            return false;
        }
        let all = |f: &ast::Function| self.normal_all(&f.template, f.requires.as_deref());
        implies(&all(a), &all(b)) && !implies(&all(b), &all(a))
    }

    /// The same of the partial specialisations of a class template.
    pub(in crate::sema) fn more_constrained_class(&self, a: &ast::Struct, b: &ast::Struct) -> bool {
        let all = |s: &ast::Struct| self.normal_all(&s.template, None);
        implies(&all(a), &all(b)) && !implies(&all(b), &all(a))
    }

    fn normal_all(&self, template: &[TemplateParam], clause: Option<&ast::Expr>) -> Vec<Normal> {
        let numbered = template.iter().enumerate();
        let names = numbered.map(|(i, t)| (t.name.into(), format!("#{i}"))).collect();
        constraints(template, clause).map(|c| self.normal(c, &names, 0)).collect()
    }

    fn normal(&self, e: &ast::Expr, names: &Meanings, depth: usize) -> Normal {
        let pair = |a, b| Box::new([self.normal(a, names, depth), self.normal(b, names, depth)]);
        match &e.kind {
            ExprKind::Binary(BinaryOp::LogicalAnd, a, b) => Normal::Both(pair(a, b)),
            ExprKind::Binary(BinaryOp::LogicalOr, a, b) => Normal::Either(pair(a, b)),
            ExprKind::Fold(fold) => self.normal(&fold.pack, names, depth),
            ExprKind::Name(name, Some(arguments)) if depth < MAX_NORMAL => {
                let found = self.concept(name).map(|id| self.definitions[id].ast.clone());
                let Some(ast) = found else { return atom(e, names) };
                let Some(constraint) = body_of(&ast) else { return atom(e, names) };
                let given = arguments.iter().map(|argument| meaning(argument, names));
                let inner = ast.template.iter().map(|t| t.name.into()).zip(given).collect();
                self.normal(constraint, &inner, depth + 1)
            }
            _ => atom(e, names),
        }
    }
}

fn atom(e: &ast::Expr, names: &Meanings) -> Normal {
    let mut all: Vec<String> = names.values().cloned().collect();
    all.sort();
    Normal::Atom(e.span, all)
}

/// An argument as written, with what parameters stand for.
fn meaning(argument: &TemplateArg, names: &Meanings) -> String {
    match argument {
        TemplateArg::Type(ty) => {
            let text = as_written::spell(ty);
            names.get(&Path::from(text.as_str())).cloned().unwrap_or(text)
        }
        TemplateArg::Value(e) => match as_written::value_name(e) {
            Some(name) => names.get(name).cloned().unwrap_or_else(|| name.to_string()),
            None => format!("{:?}", e.span),
        },
    }
}

/// Whether the constraints together imply each of the others.
fn implies(all: &[Normal], others: &[Normal]) -> bool {
    others.iter().all(|other| all.iter().any(|one| one.implies(other)))
}

impl Normal {
    fn implies(&self, other: &Normal) -> bool {
        match (self, other) {
            (_, Normal::Both(parts)) => parts.iter().all(|part| self.implies(part)),
            (Normal::Either(parts), _) => parts.iter().all(|part| part.implies(other)),
            (_, Normal::Either(parts)) => parts.iter().any(|part| self.implies(part)),
            (Normal::Both(parts), _) => parts.iter().any(|part| part.implies(other)),
            (Normal::Atom(a, x), Normal::Atom(b, y)) => a == b && x == y,
        }
    }
}
