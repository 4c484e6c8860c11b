//! Lambda expressions, `[captures](parameters) -> type { body }`, by recursive descent.

use super::super::ast::{
    Expr, ExprKind, Function, Lambda, LaunchBounds, Noexcept, ObjectOf, StmtKind, Storage,
    TemplateArg, TemplateParam, TypeExpr, TypeKind, VarDecl,
};
use super::super::token::{Kind, Name, Token};
use super::concepts::constraint_on;
use super::{Parsed, Parser};
use crate::diagnostic::Span;
use std::collections::HashMap;
use std::rc::Rc;

impl Parser<'_> {
    pub(super) fn lambda(&mut self) -> Parsed<Expr> {
        let open = self.expect("[")?;
        let mut default = None;
        let mut captures = Vec::new();
        let mut values = Vec::new();
        while !self.is("]") {
            let token = self.peek().clone();
            if token.is_word("this") || token.is("*") && self.ahead(1).is_word("this") {
                // `this` captures the object by reference, `*this` a copy of it.
                let reference = !self.eat("*");
                captures.push((self.next().text, reference));
            } else if (token.is("=") || token.is("&"))
                && (self.ahead(1).is(",") || self.ahead(1).is("]"))
            {
                self.next();
                default = Some(token.is("&"));
            } else {
                let reference = self.eat("&");
                if self.is("...") {
                    let at = self.span();
                    return Err(self.unsupported(at, "a capture of a pack with values of its own"));
                }
                let (name, _) = self.name("a captured variable")?;
                if self.eat("=") {
                    values.push((name, reference, self.assignment()?));
                } else {
                    // `args...` captures all elements of a pack.
                    self.eat("...");
                    captures.push((name, reference));
                }
            }
            if !self.eat(",") {
                break;
            }
        }
        let close = self.close("]", open)?;
        let span = open.to(close);
        let (begin, depth) = (self.at, self.scopes.len());
        self.scopes.push(HashMap::new());
        self.functions += 1;
        let function = self.lambda_function(span);
        self.functions -= 1;
        self.scopes.truncate(depth);
        let function = function?;
        let names = names_used(&self.tokens[begin..self.at], &function);
        let whole = open.to(self.last_span());
        let lambda = Lambda { default, captures, values, names, function: Rc::new(function) };
        Ok(Expr { kind: ExprKind::Lambda(Rc::new(lambda)), span: whole })
    }

    /// The function call operator: everything after the captures.
    fn lambda_function(&mut self, span: Span) -> Parsed<Function> {
        // `[]<int N>(..)`
        let mut template = if self.is("<") { self.template_list()? } else { Vec::new() };
        let words = self.storage()?;
        let (mut params, mut variadic) = (Vec::new(), None);
        if self.is("(") {
            let open = self.next().span;
            (params, variadic) = self.parameters(open)?;
        }
        let mut constant = true;
        let mut noexcept = Noexcept::Unsaid;
        loop {
            if self.eat_word("mutable") {
                constant = false;
            } else if self.is_word("noexcept") {
                noexcept = self.exception_specification()?;
            } else if !self.eat_word("constexpr") {
                break;
            }
        }
        let auto = TypeExpr { kind: TypeKind::Auto, constant: false, volatile: false, span };
        let returns = if self.eat("->") { self.type_name()? } else { auto };
        let clause = self.is_word("requires");
        let requires = if clause { Some(Rc::new(self.constraint()?)) } else { None };
        template.extend(self.open_types(&mut params));
        let body = Some(self.block()?);
        // Without `__host__` or `__device__` it may be called from both.
        let host = words.host || !words.device;
        let storage = Storage { device: words.device || !words.host, host, ..Storage::default() };
        Ok(Function {
            name: "operator()".into(),
            span,
            template,
            returns,
            params,
            body,
            body_kind: super::super::ast::BodyKind::Ordinary,
            member_inits: Vec::new(),
            storage,
            constant,
            object: ObjectOf::Any,
            variadic,
            bounds: LaunchBounds::default(),
            requires,
            noexcept,
            on_host: None,
        })
    }

    /// Gives each `auto` among the parameters a template parameter of its own, as in a generic lambda,
    /// with the constraint of the concept before it.
    pub(super) fn open_types(&mut self, params: &mut [VarDecl]) -> Vec<TemplateParam> {
        fn replace(ty: &mut TypeExpr, name: &Name) -> Option<Span> {
            match &mut ty.kind {
                TypeKind::Auto => {
                    ty.kind = TypeKind::Named(name.into(), Vec::<TemplateArg>::new());
                    Some(ty.span)
                }
                TypeKind::Pointer(inner)
                | TypeKind::Reference(inner)
                | TypeKind::Rvalue(inner)
                | TypeKind::Expand(inner, _) => replace(inner, name),
                _ => None,
            }
        }
        let mut template = Vec::new();
        for (i, param) in params.iter_mut().enumerate() {
            let name: Name = format!("auto#{i}").into();
            let Some(at) = replace(&mut param.ty, &name) else { continue };
            let mut pack = false;
            if let TypeKind::Expand(_, names) = &mut param.ty.kind {
                *names = [name].into();
                pack = true;
            }
            let asked = self.constrained.iter().position(|(of, _)| *of == at);
            let constraint = asked.map(|i| {
                let asked = self.constrained.swap_remove(i).1;
                let ty = super::class::named(name.into(), at);
                Rc::new(constraint_on(asked, ty, pack.then_some(name)))
            });
            template.push(TemplateParam { name, value: None, pack, default: None, constraint });
        }
        template
    }
}

/// The identifiers of a lambda that may be variables outside it: not members behind a `.`, and not
/// what it declares itself, as a parameter or at the level of its body, before any other use.
fn names_used(tokens: &[Token], function: &Function) -> Vec<Name> {
    let own = |at: Span| {
        let body = match function.body.as_ref().map(|body| &body.kind) {
            Some(StmtKind::Block(all)) => all.as_slice(),
            _ => &[],
        };
        let declared = body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Declare(variables) => Some(variables),
            _ => None,
        });
        function.params.iter().chain(declared.flatten()).any(|variable| variable.span == at)
    };
    let (mut names, mut hidden): (Vec<Name>, Vec<Name>) = (Vec::new(), Vec::new());
    let mut member = false;
    for token in tokens {
        let plain = token.kind == Kind::Ident && !member;
        member = token.is(".") || token.is("->");
        if !plain || names.contains(&token.text) || hidden.contains(&token.text) {
            continue;
        }
        match own(token.span) {
            true => hidden.push(token.text),
            false => names.push(token.text),
        }
    }
    names
}
