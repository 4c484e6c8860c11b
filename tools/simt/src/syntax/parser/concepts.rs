//! Concepts, constraints and requires-expressions, by recursive descent.
//!
//! The constraints of a template stand at its parameters: a clause `requires` behind them at the last.

use super::super::ast::{
    BinaryOp, BodyKind, Expr, ExprKind, Fold, Function, Item, LaunchBounds, Noexcept, ObjectOf,
    Prim, Requirement, Requires, Stmt, StmtKind, Storage, TemplateArg, TemplateParam,
    TypeConstraint, TypeExpr, TypeKind,
};
use super::super::name::Name;
use super::super::token::Kind;
use super::expr::make;
use super::{Meaning, Parsed, Parser};
use std::collections::HashMap;
use std::rc::Rc;

impl Parser<'_> {
    /// Whether `concept Name =` begins here.
    pub(super) fn concept_ahead(&self) -> bool {
        self.is_word("concept") && self.ahead(1).kind == Kind::Ident && self.ahead(2).is("=")
    }

    /// `concept Name = constraint;`, after its `template <..>`: a function whose body returns the
    /// constraint.
    pub(super) fn concept(
        &mut self,
        template: Vec<TemplateParam>,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        self.next();
        let (name, span) = self.name("the concept's name")?;
        let name = self.whole(name);
        if let Some(scope) = self.scopes.first_mut() {
            scope.insert(name, Meaning::Concept);
        }
        self.expect("=")?;
        let value = self.conditional()?;
        self.expect(";")?;
        let written = |kind| Stmt { kind, span };
        let body = written(StmtKind::Block(vec![written(StmtKind::Return(Some(value)))]));
        let kind = TypeKind::Prim(Prim::Bool);
        out.push(Item::Function(Rc::new(Function {
            name,
            span,
            template,
            returns: TypeExpr { kind, constant: false, volatile: false, span },
            params: Vec::new(),
            body: Some(body),
            body_kind: BodyKind::Concept,
            member_inits: Vec::new(),
            storage: Storage { constexpr: true, ..Storage::default() },
            constant: false,
            object: ObjectOf::Any,
            variadic: None,
            bounds: LaunchBounds::default(),
            requires: None,
            noexcept: Noexcept::Unsaid,
            on_host: None,
        })));
        Ok(())
    }

    /// The number of tokens of the concept that is named here, its arguments among them; 0 if none is.
    pub(super) fn constraint_ahead(&self) -> usize {
        if self.peek().kind != Kind::Ident {
            return 0;
        }
        let (name, used) = self.qualified_ahead();
        match self.meaning(name) {
            Meaning::Concept if self.ahead(used).is("<") => self.skip_arguments(used),
            Meaning::Concept => used,
            _ => 0,
        }
    }

    /// `Concept` or `Concept<int>` before what it constrains.
    pub(super) fn type_constraint(&mut self) -> Parsed<TypeConstraint> {
        let start = self.span();
        let (concept, used) = self.qualified_ahead();
        if self.meaning(concept) != Meaning::Concept {
            return Err(self.expected("a concept"));
        }
        self.at += used;
        let arguments = if self.is("<") { self.template_arguments()? } else { Vec::new() };
        Ok(TypeConstraint { concept, arguments, span: start.to(self.last_span()) })
    }

    /// `Concept T = int`, `Concept... T` and `Concept auto n` among a template's parameters.
    pub(super) fn constrained_parameter(&mut self) -> Parsed<TemplateParam> {
        let asked = self.type_constraint()?;
        if self.is_word("auto") {
            let mut param = self.value_parameter()?;
            let named = make(ExprKind::Name(param.name.into(), None), asked.span);
            let kind = TypeKind::Decltype(Box::new(named));
            let ty = TypeExpr { kind, constant: false, volatile: false, span: asked.span };
            param.constraint = Some(Rc::new(constraint_on(asked, ty, None)));
            return Ok(param);
        }
        let mut param = self.type_parameter()?;
        let ty = super::class::named(param.name.into(), asked.span);
        let pack = param.pack.then_some(param.name);
        param.constraint = Some(Rc::new(constraint_on(asked, ty, pack)));
        Ok(param)
    }

    /// A clause `requires ..` behind a template's parameters, if there is one.
    pub(super) fn requires_clause(&mut self, params: &mut [TemplateParam]) -> Parsed<()> {
        if !self.is_word("requires") {
            return Ok(());
        }
        let clause = self.constraint()?;
        if let Some(last) = params.last_mut() {
            last.constraint = Some(Rc::new(match last.constraint.take() {
                None => clause,
                Some(own) => both((*own).clone(), clause),
            }));
        }
        Ok(())
    }

    /// `requires A<T> && (n > 4)`
    pub(super) fn constraint(&mut self) -> Parsed<Expr> {
        self.next();
        self.nested(|p| p.constraint_chain("||", BinaryOp::LogicalOr))
    }

    fn constraint_chain(&mut self, sign: &str, op: BinaryOp) -> Parsed<Expr> {
        let operand = |p: &mut Self| match op {
            BinaryOp::LogicalOr => p.constraint_chain("&&", BinaryOp::LogicalAnd),
            _ => p.primary(),
        };
        let mut left = operand(self)?;
        while self.eat(sign) {
            let right = operand(self)?;
            let span = left.span.to(right.span);
            left = make(ExprKind::Binary(op, Box::new(left), Box::new(right)), span);
        }
        Ok(left)
    }

    /// Whether a requires-expression begins here.
    pub(super) fn requires_ahead(&self) -> bool {
        self.is_word("requires") && (self.ahead(1).is("{") || self.ahead(1).is("("))
    }

    /// `requires (T a) { a + a; { a.size() } -> Concept; typename T::type; requires A<T>; }`
    pub(super) fn requires_expression(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        self.scopes.push(HashMap::new());
        let made = self.nested(Self::requirements);
        self.scopes.pop();
        Ok(make(ExprKind::Requires(Rc::new(made?)), start.to(self.last_span())))
    }

    fn requirements(&mut self) -> Parsed<Requires> {
        let mut params = Vec::new();
        if self.is("(") {
            let open = self.next().span;
            params = self.parameters(open)?.0;
        }
        let open = self.expect("{")?;
        let mut all = Vec::new();
        while !self.is("}") && !self.at_end() {
            self.requirement(&mut all)?;
            self.expect(";")?;
        }
        self.close("}", open)?;
        Ok(Requires { params, all })
    }

    fn requirement(&mut self, all: &mut Vec<Requirement>) -> Parsed<()> {
        if self.is_word("typename") {
            all.push(Requirement::Type(self.type_name()?));
            return Ok(());
        }
        if self.eat_word("requires") {
            all.push(Requirement::Holds(self.binary(0)?));
            return Ok(());
        }
        if !self.is("{") {
            all.push(Requirement::Valid(self.expression()?, None));
            return Ok(());
        }
        let open = self.next().span;
        let value = self.expression()?;
        self.close("}", open)?;
        let at = self.span();
        let never_throws = self
            .eat_word("noexcept")
            .then(|| make(ExprKind::Noexcept(Box::new(value.clone())), open.to(at)));
        let ty = if self.eat("->") { Some(self.type_constraint()?) } else { None };
        all.push(Requirement::Valid(value, ty));
        all.extend(never_throws.map(Requirement::Holds));
        Ok(())
    }

    /// `... T = int`, after the word `typename` or a concept.
    pub(super) fn type_parameter(&mut self) -> Parsed<TemplateParam> {
        let pack = self.eat("...");
        let (name, _) = self.parameter_name()?;
        self.declare(name, Meaning::Type);
        let default = if self.eat("=") { Some(TemplateArg::Type(self.type_name()?)) } else { None };
        Ok(TemplateParam { name, value: None, pack, default, constraint: None })
    }

    /// `int... n = 4`
    pub(super) fn value_parameter(&mut self) -> Parsed<TemplateParam> {
        let base = self.type_specifier()?;
        let ty = self.pointers(base)?;
        let pack = self.eat("...");
        let (name, ty) = if self.inner_ahead() {
            let (name, ty) = self.inner_declarator(ty)?;
            (name.map_or_else(|| "".into(), |n| n.0), ty)
        } else {
            (self.parameter_name()?.0, ty)
        };
        self.declare(name, Meaning::Other);
        let default =
            if self.eat("=") { Some(TemplateArg::Value(self.template_value()?)) } else { None };
        Ok(TemplateParam { name, value: Some(ty), pack, default, constraint: None })
    }
}

/// `a && b`
fn both(a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    make(ExprKind::Binary(BinaryOp::LogicalAnd, Box::new(a), Box::new(b)), span)
}

/// The constraint as an expression: `Concept<T, int>`, and `(Concept<T> && ...)` for a pack.
pub(super) fn constraint_on(asked: TypeConstraint, ty: TypeExpr, pack: Option<Name>) -> Expr {
    let TypeConstraint { concept, arguments, span } = asked;
    let all = std::iter::once(TemplateArg::Type(ty)).chain(arguments).collect();
    let one = make(ExprKind::Name(concept, Some(all)), span);
    let Some(name) = pack else { return one };
    let op = Some(BinaryOp::LogicalAnd);
    let fold = Fold { op, pack: one, first: None, right: true, names: [name].into() };
    make(ExprKind::Fold(Box::new(fold)), span)
}
