//! Control flow: `if`, loops and `switch`.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::statements::nested_cases::has_nested_case;
use crate::sema::tree::{Expr, ExprKind, Stmt};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::{self, StmtKind};
use std::collections::{HashMap, HashSet};

impl Body<'_, '_> {
    #[expect(clippy::too_many_arguments, reason = "the parts of the statement")]
    pub(in crate::sema) fn if_statement(
        &mut self,
        constant: bool,
        init: Option<&ast::Stmt>,
        cond: &ast::Stmt,
        then: &ast::Stmt,
        other: Option<&ast::Stmt>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        if let Some(init) = init {
            self.statement(init, out)?;
        }
        let value = self.condition(cond, out);
        if constant {
            // `if constexpr`: only the arm that is taken is instantiated.
            let value = value?;
            let value = self.folded(value);
            let Some(known) = value.as_int() else {
                return self.sema.error(
                    "constant",
                    cond.span,
                    "the condition of `if constexpr` must be a constant",
                );
            };
            let taken = if known != 0 { Some(then) } else { other };
            if let Some(stmt) = taken {
                out.extend(self.scoped(stmt));
            }
            return Ok(());
        }
        let then = self.scoped(then);
        let other = other.map_or(Vec::new(), |o| self.scoped(o));
        let cond = value?;
        out.push(Stmt::If { cond, then, other, span: Span { end: span.start + 2, ..span } });
        Ok(())
    }

    /// An expression, or a declaration whose value decides.
    pub(in crate::sema) fn condition(
        &mut self,
        cond: &ast::Stmt,
        out: &mut Vec<Stmt>,
    ) -> Checked<Expr> {
        match &cond.kind {
            StmtKind::Expr(e) => self.condition_value(e),
            StmtKind::Declare(all) => {
                let mut value = Err(Reported);
                for variable in all {
                    let id = self.declare(variable, out)?.ok_or(Reported)?;
                    let ty = self.vars[id as usize].ty.clone();
                    value = self.boolean(Expr::place(ExprKind::Var(id), ty, variable.span));
                }
                value
            }
            _ => Err(Reported),
        }
    }

    pub(in crate::sema) fn condition_value(&mut self, cond: &ast::Expr) -> Checked<Expr> {
        let value = self.rvalue(cond)?;
        if let ast::ExprKind::Assign(None, ..) = cond.kind {
            let span = cond.span;
            self.sema.report(Diagnostic {
                severity: crate::Severity::Warning,
                ..Diagnostic::error("lint-assignment", span, "this condition assigns")
                    .with_help("`==` compares; if `=` is meant, assign on a line of its own")
            });
        }
        self.boolean(value)
    }

    pub(in crate::sema) fn loop_statement(
        &mut self,
        init: Option<&ast::Stmt>,
        cond: Option<&ast::Stmt>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> Checked<Stmt> {
        let mut before = Vec::new();
        if let Some(init) = init {
            self.statement(init, &mut before)?;
        }
        let cond = match cond {
            Some(cond)
                if matches!(cond.kind, StmtKind::Declare(_))
                    && self.side == crate::sema::Side::Host =>
            {
                return self.declaring_loop(cond, step, body, before, span);
            }
            Some(cond) if matches!(cond.kind, StmtKind::Declare(_)) => {
                return self.sema.unsupported(cond.span, "a declaration as a loop's condition");
            }
            Some(cond) => self.condition(cond, &mut before).map(Some),
            None => Ok(None),
        };
        let step = match step {
            Some(step) => self.expr(step).map(Some),
            None => Ok(None),
        };
        let body = self.loop_body(body);
        before.push(Stmt::Loop { cond: cond?, body, step: step?, test_first: true, span });
        Ok(Stmt::Block(before))
    }

    /// `while (T x = f()) ..`: the variable is a new one each time.
    fn declaring_loop(
        &mut self,
        cond: &ast::Stmt,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        mut before: Vec<Stmt>,
        span: Span,
    ) -> Checked<Stmt> {
        let step = match step {
            Some(step) => Some(self.expr(step)?),
            None => None,
        };
        let mut inside = Vec::new();
        self.scopes.push(HashMap::new());
        let value = self.condition(cond, &mut inside);
        let rest = self.loop_body(body);
        self.scopes.pop();
        let other = vec![Stmt::Break(span)];
        inside.push(Stmt::If { cond: value?, then: Vec::new(), other, span });
        inside.push(Stmt::Block(rest));
        before.push(Stmt::Loop { cond: None, body: inside, step, test_first: true, span });
        Ok(Stmt::Block(before))
    }

    pub(in crate::sema) fn loop_body(&mut self, body: &ast::Stmt) -> Vec<Stmt> {
        self.nesting.loops += 1;
        self.nesting.breakable += 1;
        let body = self.scoped(body);
        self.nesting.loops -= 1;
        self.nesting.breakable -= 1;
        body
    }

    pub(in crate::sema) fn switch(
        &mut self,
        value: &ast::Expr,
        body: &ast::Stmt,
        span: Span,
    ) -> Checked<Stmt> {
        let list = match &body.kind {
            StmtKind::Block(list) => list.as_slice(),
            _ => std::slice::from_ref(body),
        };
        if list.iter().any(has_nested_case) {
            return self.switch_into_blocks(value, list, span);
        }
        let value = self.rvalue(value)?;
        let value = self.as_number(value)?;
        let value = self.promote(value);
        if !value.ty.is_integer() && !matches!(value.ty.kind, Kind::Enum(_)) {
            return self.sema.error(
                "type",
                value.span,
                "`switch` needs an integer or an enumeration",
            );
        }
        let mut cases: Vec<(Option<i128>, usize)> = Vec::new();
        let mut labels = HashSet::new();
        let mut out = Vec::new();
        self.nesting.breakable += 1;
        self.scopes.push(HashMap::new());
        let mut fine = true;
        let list: Vec<&ast::Stmt> = list.iter().flat_map(separate).collect();
        self.lint_passed_value(&list);
        for stmt in list {
            let label = match &stmt.kind {
                StmtKind::Case(e) => match self.case_value(e, &value.ty) {
                    Ok(v) => Some(v),
                    Err(Reported) => {
                        fine = false;
                        continue;
                    }
                },
                StmtKind::Default => None,
                _ => {
                    fine &= self.statement(stmt, &mut out).is_ok();
                    continue;
                }
            };
            if !labels.insert(label) {
                let what = label.map_or("`default`".to_string(), |v| format!("case {v}"));
                let _: Checked<()> =
                    self.sema.error("syntax", stmt.span, format!("{what} stands here twice"));
                fine = false;
            }
            cases.push((label, out.len()));
        }
        self.scopes.pop();
        self.nesting.breakable -= 1;
        if !fine {
            return Err(Reported);
        }
        Ok(Stmt::Switch { value, cases, body: out, span })
    }

    pub(in crate::sema) fn case_value(&mut self, e: &ast::Expr, ty: &Type) -> Checked<i128> {
        let value = self.rvalue(e)?;
        let value = self.convert_enum(value, ty)?;
        let value = self.folded(value);
        match value.as_int() {
            Some(v) => Ok(v),
            None => self.sema.error("constant", e.span, "a `case` must be a constant"),
        }
    }

    pub(in crate::sema) fn convert_enum(&mut self, value: Expr, ty: &Type) -> Checked<Expr> {
        if matches!(ty.kind, Kind::Enum(_)) { Ok(value) } else { self.convert(value, ty) }
    }
}

/// The statements of a list, those behind labels by themselves: `name: case 1:`.
fn separate(stmt: &ast::Stmt) -> Vec<&ast::Stmt> {
    match &stmt.kind {
        StmtKind::Several(all) => all.iter().flat_map(separate).collect(),
        _ => vec![stmt],
    }
}
