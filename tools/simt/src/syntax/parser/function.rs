//! Function declarations and definitions: name, parameters, trailing specifiers, body.

use super::super::ast::{
    BodyKind, Expr, Function, Init, Item, LaunchBounds, MemberInit, Noexcept, ObjectOf, Prim, Stmt,
    StmtKind, Storage, TemplateParam, TypeExpr, TypeKind, VarDecl,
};
use super::super::name::{Name, Path};
use super::super::token::Kind;
use super::{Meaning, Parsed, Parser};
use crate::diagnostic::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// The parts of a function from its parameters on.
struct Rest {
    params: Vec<VarDecl>,
    variadic: Option<Span>,
    constant: bool,
    object: ObjectOf,
    body_kind: BodyKind,
    returns: Option<TypeExpr>,
    member_inits: Vec<MemberInit>,
    requires: Option<Rc<Expr>>,
    noexcept: Noexcept,
    /// `override` and `final`.
    virtual_words: [bool; 2],
    body: Option<Stmt>,
}

impl Parser<'_> {
    /// Whether the parentheses after a name hold an initialiser and not parameters, as in
    /// `dim3 a(1, 2);`. The parser looks at the first token inside, and then goes back.
    pub(super) fn makes(&mut self) -> bool {
        let before = self.at;
        self.at += 2;
        let attribute = self.is("[") && self.ahead(1).is("[");
        let parameters = self.is(")") || self.is("...") || attribute;
        let parameters = parameters || self.at_declaration() || self.at_type();
        let parameters = parameters && !self.names_value_inside();
        let (name, used) = self.qualified_ahead();
        let known = self.scopes.iter().any(|s| s.contains_key(&name));
        let after = self.ahead(used);
        let unknown = self.peek().kind == Kind::Ident
            && !known
            && (after.kind == Kind::Ident || after.is("<") || after.is("&") || after.is("*"));
        self.at = before;
        !parameters && !unknown
    }

    /// An explicit specialisation, after its `template <>`.
    pub(super) fn special(&mut self, out: &mut Vec<Item>) -> Parsed<()> {
        if self.is_word("struct") || self.is_word("class") {
            let made = self.structure(Vec::new())?;
            self.expect(";")?;
            out.push(Item::Struct(made));
            return Ok(());
        }
        let (storage, bounds) = self.function_words()?;
        if self.outside_ahead() {
            let void = self.no_type();
            return self.member_outside(Vec::new(), Vec::new(), storage, void, out);
        }
        let base = self.type_specifier()?;
        let returns = self.pointers(base)?;
        if self.outside_ahead() {
            return self.member_outside(Vec::new(), Vec::new(), storage, returns, out);
        }
        let span = self.span();
        if let Some((_, used)) = self.namespace_ahead(0)
            && self.ahead(used).is_word("operator")
        {
            // Operators have no namespace in the tree.
            self.at += used;
        }
        let name = if self.is_word("operator") {
            self.function_name()?.0.into()
        } else {
            let (name, used) = self.qualified_ahead();
            self.at += used;
            name
        };
        let arguments = if self.is("<") { self.template_arguments()? } else { Vec::new() };
        if !self.is("(") {
            let made = self.variable_as_function(name, span, Vec::new(), returns, storage)?;
            out.push(Item::Specialisation(arguments, Rc::new(made)));
            return Ok(());
        }
        let made = self.function(name, span, Vec::new(), returns, storage, Some(bounds), None)?;
        // The name stays a template's.
        if let Some(scope) = self.scopes.first_mut() {
            scope.insert(name, Meaning::TemplateFunction);
        }
        out.push(Item::Specialisation(arguments, Rc::new(made)));
        Ok(())
    }

    /// `S(T) -> S<T*>;`, if that is what follows: the name of a class template before its parameters.
    pub(super) fn deduction_guide(
        &mut self,
        template: &[TemplateParam],
        storage: Storage,
    ) -> Parsed<Option<Function>> {
        let (name, used) = self.qualified_ahead();
        let named = self.peek().kind == Kind::Ident && self.ahead(used).is("(");
        if !named || self.meaning(name) != Meaning::TemplateType {
            return Ok(None);
        }
        let span = self.span();
        self.at += used;
        let void = self.no_type();
        let template = template.to_vec();
        let guide = self.function(name, span, template, void, storage, None, Some(name))?;
        Ok(Some(guide))
    }

    /// A function's name, which may be an operator's (`operator+`).
    pub(super) fn function_name(&mut self) -> Parsed<(Name, Span)> {
        if !self.is_word("operator") {
            return self.name("a function's name");
        }
        let start = self.next().span;
        let op = self.next();
        let (text, end) = if op.is("(") || op.is("[") {
            let close = if op.is("(") { ")" } else { "]" };
            let end = self.close(close, op.span)?;
            (format!("operator{}{close}", op.text), end)
        } else if op.is_word("new") || op.is_word("delete") {
            let array = self.is("[") && self.ahead(1).is("]");
            self.at += if array { 2 } else { 0 };
            let end = if array { "[]" } else { "" };
            (format!("operator {}{end}", op.text), op.span)
        } else if op.kind == Kind::Str && &*op.text == "\"\"" {
            let (suffix, end) = self.name("the suffix of a literal operator")?;
            (literal_operator(&suffix).to_string(), end)
        } else if op.kind == Kind::Punct {
            (format!("operator{}", op.text), op.span)
        } else {
            let what = format!("`operator {}`", op.text);
            return Err(self.unsupported(start.to(op.span), &what));
        };
        Ok((text.into(), start.to(end)))
    }

    /// Specifiers with `__launch_bounds__` and `__cluster_dims__` among them.
    pub(super) fn function_words(&mut self) -> Parsed<(Storage, LaunchBounds)> {
        let mut storage = self.storage()?;
        let mut bounds = LaunchBounds::default();
        loop {
            let threads = self.eat_word("__launch_bounds__");
            if !threads && !self.eat_word("__cluster_dims__") {
                break;
            }
            let open = self.expect("(")?;
            let (mut all, _) = self.arguments(open, ")")?;
            match (threads, all.len()) {
                (true, 0) => {
                    return Err(self.error(open, "`__launch_bounds__` needs the number of threads"));
                }
                (true, _) => bounds.threads = Some(all.swap_remove(0)),
                (false, 1..=3) => bounds.cluster = all,
                (false, _) => {
                    return Err(self.error(open, "`__cluster_dims__` has one to three extents"));
                }
            }
            let more = self.storage()?;
            storage.global |= more.global;
            storage.device |= more.device;
            storage.host |= more.host;
        }
        Ok((storage, bounds))
    }

    /// A function from its parameters on. `owner` is the class whose method it is.
    #[expect(clippy::too_many_arguments, reason = "the parts of a declaration that came before")]
    pub(super) fn function(
        &mut self,
        name: Path,
        span: Span,
        template: Vec<TemplateParam>,
        returns: TypeExpr,
        mut storage: Storage,
        bounds: Option<LaunchBounds>,
        owner: Option<Path>,
    ) -> Parsed<Function> {
        if self.both_sides && !storage.global && !storage.host && !storage.device {
            (storage.host, storage.device) = (true, true);
        }
        // A friend is found through its class alone.
        if owner.is_none() && !(storage.friend && template.is_empty()) {
            // The name is declared at file level, outside the scope of the template's parameters.
            // If an overload is a template, the name stays a template's.
            if let Some(scope) = self.scopes.first_mut() {
                if !template.is_empty() {
                    scope.insert(name, Meaning::TemplateFunction);
                } else if scope.get(&name) != Some(&Meaning::TemplateFunction) {
                    scope.insert(name, Meaning::Other);
                }
            }
        }
        let mut storage = storage;
        if self.in_cuda_std() && !storage.host && !storage.device {
            (storage.host, storage.device) = (true, true);
        }
        let open = self.expect("(")?;
        self.scopes.push(HashMap::new());
        self.functions += 1;
        let made = self.function_rest(open, name, owner);
        self.functions -= 1;
        self.scopes.pop();
        let Rest {
            mut params,
            variadic,
            constant,
            object,
            body_kind,
            returns: behind,
            member_inits,
            requires,
            noexcept,
            virtual_words,
            body,
        } = made?;
        [storage.overrides, storage.is_final] = virtual_words;
        self.note_literal_operator(name, &params);
        let returns = behind.unwrap_or(returns);
        let mut template = template;
        template.extend(self.open_types(&mut params));
        let mut body = body;
        if let Some(at) = variadic {
            template.push(super::variadic::open(&mut params, body.as_mut(), at));
        }
        Ok(Function {
            name,
            span,
            template,
            returns,
            params,
            body,
            body_kind,
            member_inits,
            storage,
            constant,
            object,
            variadic,
            bounds: bounds.unwrap_or_default(),
            requires,
            noexcept,
            on_host: None,
        })
    }

    /// Notes whether a literal operator takes numbers as they are written.
    fn note_literal_operator(&mut self, name: Path, params: &[VarDecl]) {
        let ([number], true) = (params, name.last().starts_with("operator\"\"")) else { return };
        match &number.ty.kind {
            TypeKind::Pointer(_) => self.raw_literals.insert(name),
            TypeKind::Prim(Prim::ULongLong | Prim::Double) => self.cooked_literals.insert(name),
            _ => false,
        };
    }

    /// Whether this is in `cuda::std`, whose functions both sides call.
    fn in_cuda_std(&self) -> bool {
        let mut space = self.namespaces.last().copied();
        while let Some(path) = space {
            if path.is_cuda_std() {
                return true;
            }
            space = path.parent();
        }
        false
    }

    /// Reads `override` or `final`, if one of them is there.
    fn virtual_word(&mut self, [overrides, is_final]: &mut [bool; 2]) -> bool {
        let found = [self.eat_word("override"), self.eat_word("final")];
        *overrides |= found[0];
        *is_final |= found[1];
        found != [false; 2]
    }

    /// Parameters, trailing specifiers, a constructor's member initialisers, and the body.
    fn function_rest(&mut self, open: Span, name: Path, owner: Option<Path>) -> Parsed<Rest> {
        let (params, variadic) = self.parameters(open)?;
        let (mut constant, mut object) = (false, ObjectOf::Any);
        let (mut returns, mut requires) = (None, None);
        let mut noexcept = Noexcept::Unsaid;
        let mut virtual_words = [false; 2];
        loop {
            if self.eat_word("const") {
                constant = true;
            } else if self.is_word("volatile") {
                let span = self.span();
                return Err(self.unsupported(span, "a `volatile` member function"));
            } else if self.is_word("requires") {
                requires = Some(Rc::new(self.constraint()?));
            } else if self.is_word("noexcept") || self.is_word("throw") {
                noexcept = self.exception_specification()?;
            } else if self.is("[") && self.ahead(1).is("[") {
                self.attribute()?;
            } else if self.eat_word("__attribute__") {
                self.attribute_words()?;
            } else if self.eat("&") {
                object = ObjectOf::Lvalue;
            } else if self.eat("&&") {
                object = ObjectOf::Rvalue;
            } else if self.eat("->") {
                returns = Some(self.type_name()?);
            } else if !self.virtual_word(&mut virtual_words) {
                break;
            }
        }
        let mut member_inits = Vec::new();
        // `S() try : member(a) { .. } catch (..) { .. }`
        let constructs = owner == Some(name);
        let tries = constructs && self.eat_word("try");
        if constructs && self.eat(":") {
            loop {
                let (at, from) = (self.span(), self.at);
                let (name, used) = self.qualified_ahead();
                self.at += used;
                if self.is("<") {
                    self.template_arguments()?;
                }
                let span = at.to(self.last_span());
                let open = self.span();
                let braced = !self.eat("(");
                if braced {
                    self.expect("{")?;
                }
                let close = if braced { "}" } else { ")" };
                let (values, _) = self.arguments(open, close)?;
                let packs = self.is("...").then(|| self.expanded(from));
                self.eat("...");
                member_inits.push(MemberInit { name, span, values, braced, packs });
                if !self.eat(",") {
                    break;
                }
            }
        }
        let mut body_kind = BodyKind::Ordinary;
        let body = if self.is("{") {
            let outer = self.body_of.replace((name, self.span()));
            let body = if tries { self.handlers_of_block() } else { self.block() };
            self.body_of = outer;
            Some(body?)
        } else if self.is_word("try") {
            // `int main() try { .. } catch (..) { .. }`
            let outer = self.body_of.replace((name, self.span()));
            let body = self.statement();
            self.body_of = outer;
            let body = body?;
            let span = body.span;
            Some(Stmt { kind: StmtKind::Block(vec![body]), span })
        } else {
            if self.eat("=") {
                let word = self.next();
                body_kind = match &*word.text {
                    "default" => BodyKind::Default,
                    "delete" => BodyKind::Delete,
                    "0" => BodyKind::Pure,
                    _ => return Err(self.error(word.span, "expected `default`, `delete` or `0`")),
                };
            }
            let end = self.expect(";")?;
            // `S::S() = default;` outside of the class defines what the class only declares.
            let outside = self.functions == 1 && body_kind == BodyKind::Default;
            let empty = Stmt { kind: StmtKind::Block(Vec::new()), span: end };
            (outside && params.is_empty()).then_some(empty)
        };
        Ok(Rest {
            params,
            variadic,
            constant,
            object,
            body_kind,
            returns,
            member_inits,
            requires,
            noexcept,
            virtual_words,
            body,
        })
    }

    /// `noexcept`, `noexcept(condition)`, and as it was written before C++11, `throw(types)`.
    pub(super) fn exception_specification(&mut self) -> Parsed<Noexcept> {
        let word = self.next();
        if !self.is("(") {
            return Ok(Noexcept::Never);
        }
        if word.is_word("throw") {
            let none = self.ahead(1).is(")");
            self.skip_brackets()?;
            return Ok(if none { Noexcept::Never } else { Noexcept::Unsaid });
        }
        let open = self.next().span;
        let condition = self.nested(Self::conditional)?;
        self.close(")", open)?;
        Ok(Noexcept::If(Rc::new(condition)))
    }

    /// The parameters up to the `)`, and the span of the `...` after them if there is one.
    pub(super) fn parameters(&mut self, open: Span) -> Parsed<(Vec<VarDecl>, Option<Span>)> {
        let mut params = Vec::new();
        let mut variadic = None;
        if self.is_word("void") && self.ahead(1).is(")") {
            self.next();
        }
        while !self.is(")") {
            if self.is("...") {
                variadic = Some(self.next().span);
                break;
            }
            while self.is("[") && self.ahead(1).is("[") {
                self.attribute()?;
            }
            let from = self.at;
            let storage = self.storage()?;
            let base = self.type_specifier()?;
            let param = self.parameter(base, storage, from)?;
            params.push(param);
            if !self.eat(",") {
                break;
            }
        }
        self.close(")", open)?;
        Ok((params, variadic))
    }

    /// A parameter after its type specifier, with an optional name. Arrays and functions decay to
    /// pointers. `from` is its first token.
    pub(super) fn parameter(
        &mut self,
        base: TypeExpr,
        storage: Storage,
        from: usize,
    ) -> Parsed<VarDecl> {
        let mut ty = self.pointers(base)?;
        if self.is("...") {
            let names = self.expanded(from);
            self.next();
            let span = ty.span;
            let kind = TypeKind::Expand(Box::new(ty), names);
            ty = TypeExpr { kind, constant: false, volatile: false, span };
        }
        let (name, span, ty) = if self.inner_ahead() {
            let (name, ty) = self.inner_declarator(ty)?;
            let (name, span) = name.unwrap_or_else(|| ("".into(), ty.span));
            (name, span, ty)
        } else {
            let named = self.peek().kind == Kind::Ident;
            let (name, span) = if named { self.name("a name")? } else { ("".into(), ty.span) };
            self.attributes_behind()?;
            let ty = if self.is("(") { self.function_suffix(ty)? } else { self.array_suffix(ty)? };
            (name, span, ty)
        };
        let ty = decayed(ty);
        let name = Path::from(name);
        self.declare(name, Meaning::Variable);
        let init = if self.eat("=") { Init::Expr(self.assignment()?) } else { Init::None };
        Ok(VarDecl { name, span, ty, storage, align: None, init })
    }
}

/// The type of a parameter that is written with this type: arrays and functions decay to pointers.
fn decayed(ty: TypeExpr) -> TypeExpr {
    match ty.kind {
        TypeKind::Array(inner, _) => TypeExpr {
            kind: TypeKind::Pointer(inner),
            constant: false,
            volatile: false,
            span: ty.span,
        },
        TypeKind::Function(..) => TypeExpr {
            span: ty.span,
            kind: TypeKind::Pointer(Box::new(ty)),
            constant: false,
            volatile: false,
        },
        _ => ty,
    }
}

/// The name of a literal operator, `operator""_km`.
pub(super) fn literal_operator(suffix: &str) -> Name {
    format!("operator\"\"{suffix}").into()
}
