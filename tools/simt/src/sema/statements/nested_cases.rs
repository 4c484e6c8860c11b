//! A `switch` whose labels stand inside loops and blocks, as in Duff's device.
//!
//! It is rewritten with an *entry*: the number of the label that control jumps to, in the order of the
//! text, and 0 once it is there. What stands before a label is skipped while the entry is not 0, and a
//! block or a loop is entered if the entry is 0 or in it. So no jump leads into a block, and lanes that
//! enter at different labels diverge and meet again as at any `if`.

use crate::diagnostic::Span;
use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::tree;
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Init, Prim, Stmt, StmtKind, Storage, TypeExpr, TypeKind, VarDecl,
};

/// The variable that holds the entry.
const ENTRY: &str = "#entry";

/// Whether a statement of a `switch` has one of its labels inside.
pub(in crate::sema) fn has_nested_case(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Several(all) => all.iter().any(has_nested_case),
        _ => labels(stmt) > 0 && !is_label(stmt),
    }
}

fn is_label(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Case(_) | StmtKind::Default)
}

/// How many labels of the `switch` around it a statement has.
fn labels(stmt: &Stmt) -> usize {
    match &stmt.kind {
        StmtKind::Case(_) | StmtKind::Default => 1,
        StmtKind::Block(all) | StmtKind::Several(all) => all.iter().map(labels).sum(),
        StmtKind::If { then, other, .. } => labels(then) + other.as_deref().map_or(0, labels),
        StmtKind::While(_, body) | StmtKind::Do(body, _) | StmtKind::For { body, .. } => {
            labels(body)
        }
        _ => 0,
    }
}

/// What is written while the labels are counted.
struct Rewriter {
    span: Span,
    /// The labels so far.
    cases: Vec<Stmt>,
}

impl Rewriter {
    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span }
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.span }
    }

    fn entry(&self) -> Expr {
        self.expr(ExprKind::Name(ENTRY.into(), None))
    }

    fn number(&self, value: usize) -> Expr {
        self.expr(ExprKind::Int(value as u64, Prim::Int))
    }

    /// `entry <op> value`
    fn compared(&self, op: BinaryOp, value: usize) -> Expr {
        let sides = [self.entry(), self.number(value)].map(Box::new);
        let [left, right] = sides;
        self.expr(ExprKind::Binary(op, left, right))
    }

    /// `entry = value;`
    fn enter(&self, value: usize) -> Stmt {
        let [left, right] = [self.entry(), self.number(value)].map(Box::new);
        self.stmt(StmtKind::Expr(self.expr(ExprKind::Assign(None, left, right))))
    }

    fn if_then(&self, cond: Expr, then: Stmt) -> Stmt {
        let (cond, then) = (Box::new(self.stmt(StmtKind::Expr(cond))), Box::new(then));
        self.stmt(StmtKind::If { constant: false, init: None, cond, then, other: None })
    }

    /// The statements with the labels replaced.
    fn list(&mut self, all: &[Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut left: usize = all.iter().map(labels).sum();
        for stmt in all {
            let own = labels(stmt);
            if let StmtKind::Several(parts) = &stmt.kind {
                // Those behind are skipped, too, if a label follows.
                out.extend(self.list(parts));
            } else if is_label(stmt) {
                self.cases.push(stmt.clone());
                let number = self.cases.len();
                out.push(self.if_then(self.compared(BinaryOp::Eq, number), self.enter(0)));
            } else if own > 0 {
                out.push(self.entered(stmt, own));
            } else if left > 0 && !matches!(stmt.kind, StmtKind::Declare(_) | StmtKind::Label(_)) {
                out.push(self.if_then(self.compared(BinaryOp::Eq, 0), stmt.clone()));
            } else {
                out.push(stmt.clone());
            }
            left -= own;
        }
        out
    }

    fn inside(&mut self, stmt: &Stmt) -> Box<Stmt> {
        let all = match &stmt.kind {
            StmtKind::Block(all) => self.list(all),
            _ => self.list(std::slice::from_ref(stmt)),
        };
        Box::new(Stmt { kind: StmtKind::Block(all), span: stmt.span })
    }

    /// `entry ? entry <= last : cond`
    fn or_entered(&self, cond: Stmt, last: usize) -> Stmt {
        let StmtKind::Expr(cond) = cond.kind else { return cond };
        let span = cond.span;
        let entered = self.compared(BinaryOp::Le, last);
        let parts = [self.entry(), entered, cond].map(Box::new);
        let [entry, entered, cond] = parts;
        let kind = StmtKind::Expr(Expr { kind: ExprKind::Cond(entry, entered, cond), span });
        Stmt { kind, span }
    }

    /// A statement with so many labels inside.
    fn entered(&mut self, stmt: &Stmt, own: usize) -> Stmt {
        let last = self.cases.len() + own;
        let kind = match &stmt.kind {
            StmtKind::Do(body, cond) => StmtKind::Do(self.inside(body), cond.clone()),
            StmtKind::While(cond, body) => {
                let cond = self.or_entered((**cond).clone(), last);
                StmtKind::While(Box::new(cond), self.inside(body))
            }
            StmtKind::For { init, cond, step, body } => {
                let skipped = self.list(std::slice::from_ref(init));
                let skips = self.compared(BinaryOp::Eq, 0);
                let init = skipped.into_iter().map(|init| match init.kind {
                    StmtKind::Expr(_) => self.if_then(skips.clone(), init),
                    _ => init,
                });
                let init = Box::new(self.stmt(StmtKind::Several(init.collect())));
                let cond = cond.as_deref().cloned().map(|cond| self.or_entered(cond, last));
                let body = self.inside(body);
                StmtKind::For { init, cond: cond.map(Box::new), step: step.clone(), body }
            }
            StmtKind::If { constant, init, cond, then, other } => {
                let first = self.cases.len() + labels(then);
                let cond = Box::new(self.or_entered((**cond).clone(), first));
                let then = self.inside(then);
                let other = other.as_deref().map(|other| self.inside(other));
                StmtKind::If { constant: *constant, init: init.clone(), cond, then, other }
            }
            _ => self.inside(stmt).kind,
        };
        let made = Stmt { kind, span: stmt.span };
        self.if_then(self.compared(BinaryOp::Le, last), made)
    }
}

impl Body<'_, '_> {
    /// The `switch` of a value with these statements.
    pub(in crate::sema) fn switch_into_blocks(
        &mut self,
        value: &Expr,
        list: &[Stmt],
        span: Span,
    ) -> Checked<tree::Stmt> {
        let mut rewriter = Rewriter { span, cases: Vec::new() };
        let inside = rewriter.list(list);
        let count = rewriter.cases.len();
        let mut chosen = Vec::new();
        let has_default = rewriter.cases.iter().any(|case| matches!(case.kind, StmtKind::Default));
        for (at, case) in rewriter.cases.iter().enumerate() {
            chosen.push(case.clone());
            chosen.push(rewriter.enter(at + 1));
            chosen.push(rewriter.stmt(StmtKind::Break));
        }
        if !has_default {
            chosen.push(rewriter.stmt(StmtKind::Default));
            chosen.push(rewriter.enter(count + 1));
        }
        let kind = TypeKind::Prim(Prim::Int);
        let entry = VarDecl {
            name: ENTRY.into(),
            span,
            ty: TypeExpr { kind, constant: false, volatile: false, span },
            storage: Storage::default(),
            align: None,
            init: Init::Expr(rewriter.number(0)),
        };
        let choose =
            StmtKind::Switch(value.clone(), Box::new(rewriter.stmt(StmtKind::Block(chosen))));
        // A `switch` again, which `break` leaves and `continue` does not mean.
        let mut all = vec![rewriter.stmt(StmtKind::Default)];
        all.extend(inside);
        let block = Box::new(rewriter.stmt(StmtKind::Block(all)));
        let run = rewriter.stmt(StmtKind::Switch(rewriter.number(0), block));
        let run = rewriter.if_then(rewriter.compared(BinaryOp::Le, count), run);
        let parts = vec![rewriter.stmt(StmtKind::Declare(vec![entry])), rewriter.stmt(choose), run];
        let made = self.scoped(&rewriter.stmt(StmtKind::Block(parts)));
        Ok(tree::Stmt::Block(made))
    }
}
