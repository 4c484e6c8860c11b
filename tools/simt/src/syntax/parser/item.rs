//! What stands at file level: functions, templates, types, variables.

use super::super::ast::{
    Alias, Expr, Function, Init, Item, Stmt, StmtKind, Storage, TemplateArg, TemplateParam,
    TypeExpr, TypeKind, VarDecl,
};
use super::super::token::{Kind, Name};
use super::{Meaning, Parsed, Parser};
use crate::diagnostic::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// A function from its parameters on.
struct Rest {
    params: Vec<VarDecl>,
    variadic: Option<Span>,
    constant: bool,
    member_inits: Vec<(Name, Span, Vec<Expr>)>,
    body: Option<Stmt>,
}

impl Parser<'_> {
    /// Items up to the end, or up to the `}` of an `extern "C"` block.
    pub(super) fn items(&mut self, out: &mut Vec<Item>, inner: bool) {
        let depth = self.scopes.len();
        while !self.at_end() {
            if self.is("}") {
                if inner {
                    return;
                }
                let span = self.next().span;
                self.error(span, "this `}` closes nothing");
                continue;
            }
            let before = self.at;
            if self.item(out).is_err() {
                self.scopes.truncate(depth);
                self.recover();
                if self.at == before {
                    self.next();
                }
            }
        }
    }

    fn item(&mut self, out: &mut Vec<Item>) -> Parsed<()> {
        let token = self.peek().clone();
        if self.eat(";") {
            return Ok(());
        }
        match &*token.text {
            "extern" if self.ahead(1).kind == Kind::Str => {
                self.next();
                let language = self.next();
                if &*language.text != "\"C\"" && &*language.text != "\"C++\"" {
                    return Err(self.error(language.span, "the linkage is `\"C\"` or `\"C++\"`"));
                }
                if self.is("{") {
                    let open = self.next().span;
                    self.nested(|p| {
                        p.items(out, true);
                        Ok(())
                    })?;
                    self.close("}", open)?;
                    return Ok(());
                }
                self.nested(|p| p.item(out))
            }
            "template" if self.ahead(1).is("<") && self.ahead(2).is(">") => {
                self.at += 3;
                out.push(self.special()?);
                Ok(())
            }
            "template" => {
                let depth = self.scopes.len();
                let params = self.template_parameters()?;
                let item = self.declaration(params);
                self.scopes.truncate(depth);
                out.push(item?);
                Ok(())
            }
            "namespace" => self.namespace(out),
            "inline" if self.ahead(1).is_word("namespace") => self.namespace(out),
            "using" if self.using()? => Ok(()),
            _ => {
                out.push(self.declaration(Vec::new())?);
                Ok(())
            }
        }
    }

    /// `template <typename T, int N = 4>`; its names are in a scope that the caller drops.
    pub(super) fn template_parameters(&mut self) -> Parsed<Vec<TemplateParam>> {
        self.next();
        let open = self.expect("<")?;
        self.scopes.push(HashMap::new());
        let mut params = Vec::new();
        loop {
            if self.is_word("template") {
                let span = self.span();
                return Err(self.unsupported(span, "template template parameters"));
            }
            if self.is_word("typename") || self.is_word("class") {
                self.next();
                if self.is("...") {
                    let span = self.span();
                    return Err(self.unsupported(span, "parameter packs"));
                }
                let (name, _) = self.name("the parameter's name")?;
                self.declare(&name, Meaning::Type);
                let default =
                    if self.eat("=") { Some(TemplateArg::Type(self.type_name()?)) } else { None };
                params.push(TemplateParam { name, value: None, default });
            } else {
                let ty = self.type_name()?;
                if self.is("...") {
                    let span = self.span();
                    return Err(self.unsupported(span, "parameter packs"));
                }
                let (name, _) = self.name("the parameter's name")?;
                self.declare(&name, Meaning::Other);
                let default = if self.eat("=") {
                    Some(TemplateArg::Value(self.template_value()?))
                } else {
                    None
                };
                params.push(TemplateParam { name, value: Some(ty), default });
            }
            if !self.eat(",") {
                break;
            }
        }
        self.template_end(open)?;
        Ok(params)
    }

    fn declaration(&mut self, template: Vec<TemplateParam>) -> Parsed<Item> {
        let token = self.peek().clone();
        match &*token.text {
            "using" | "typedef" => {
                if !template.is_empty() {
                    return Err(self.unsupported(token.span, "alias templates"));
                }
                return Ok(Item::Alias(self.alias()?));
            }
            "static_assert" => {
                let (cond, message) = self.static_assert()?;
                return Ok(Item::StaticAssert(cond, message));
            }
            "enum" => return Ok(Item::Enum(self.enumeration()?)),
            "struct" | "class" | "union" if self.defines_struct() => {
                return Ok(Item::Struct(self.structure(template)?));
            }
            _ => {}
        }
        self.align = None;
        let (storage, bounds) = self.function_words()?;
        let base = self.type_specifier()?;
        let (later, bounds_later) = self.function_words()?;
        let storage = Storage {
            global: storage.global || later.global,
            device: storage.device || later.device,
            host: storage.host || later.host,
            shared: storage.shared || later.shared,
            ..storage
        };
        let bounds = bounds.or(bounds_later);
        let returns = self.pointers(base.clone())?;
        let more_bounds =
            if self.is_word("__launch_bounds__") { self.function_words()?.1 } else { None };
        let function = self.peek().kind == Kind::Ident && self.ahead(1).is("(") && !self.makes();
        if self.is_word("operator") || function {
            let (name, span) = self.function_name()?;
            let name = self.whole(&name);
            return Ok(Item::Function(Rc::new(self.function(
                name,
                span,
                template,
                returns,
                storage,
                bounds.or(more_bounds),
                None,
            )?)));
        }
        if !template.is_empty() {
            return Err(self.unsupported(token.span, "variable templates"));
        }
        let (name, span) = self.name("a name")?;
        let name = self.whole(&name);
        let ty = self.array_suffix(returns)?;
        self.declare(&name, Meaning::Other);
        let init = self.initializer()?;
        let first = VarDecl { name, span, ty, storage, align: self.align.clone(), init };
        let mut all = self.more_variables(base, storage, first)?;
        for variable in all.iter_mut().skip(1) {
            variable.name = self.whole(&variable.name);
            self.declare(&variable.name, Meaning::Other);
        }
        Ok(Item::Variables(all))
    }

    /// Whether brackets behind a name hold values and no parameters: `dim3 a(1, 2);`
    fn makes(&mut self) -> bool {
        let before = self.at;
        self.at += 2;
        let parameters = self.is(")") || self.is("...") || self.at_declaration() || self.at_type();
        let (name, used) = self.qualified_ahead();
        let known = self.scopes.iter().any(|s| s.contains_key(&name));
        let after = self.ahead(used);
        let unknown = self.peek().kind == Kind::Ident
            && !known
            && (after.kind == Kind::Ident || after.is("<") || after.is("&") || after.is("*"));
        self.at = before;
        !parameters && !unknown
    }

    /// An explicit specialisation, behind its `template <>`.
    fn special(&mut self) -> Parsed<Item> {
        if self.is_word("struct") || self.is_word("class") {
            return Ok(Item::Struct(self.structure(Vec::new())?));
        }
        let (storage, bounds) = self.function_words()?;
        let base = self.type_specifier()?;
        let returns = self.pointers(base)?;
        let span = self.span();
        let (name, used) = self.qualified_ahead();
        self.at += used;
        let arguments = if self.is("<") { self.template_arguments()? } else { Vec::new() };
        let made = self.function(name.clone(), span, Vec::new(), returns, storage, bounds, None)?;
        // The name is still the template's.
        if let Some(scope) = self.scopes.first_mut() {
            scope.insert(name, Meaning::TemplateFunction);
        }
        Ok(Item::Special(arguments, Rc::new(made)))
    }

    /// A function's name; `operator+` is one.
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
        } else if op.kind == Kind::Punct {
            (format!("operator{}", op.text), op.span)
        } else {
            return Err(self.unsupported(start.to(op.span), "conversion operators"));
        };
        Ok((text.into(), start.to(end)))
    }

    /// Storage words with `__launch_bounds__` among them.
    pub(super) fn function_words(&mut self) -> Parsed<(Storage, Option<Expr>)> {
        let mut storage = self.storage()?;
        let mut bounds = None;
        while self.eat_word("__launch_bounds__") {
            let open = self.expect("(")?;
            let (mut all, _) = self.arguments(open, ")")?;
            if all.is_empty() {
                return Err(self.error(open, "`__launch_bounds__` needs the number of threads"));
            }
            bounds = Some(all.swap_remove(0));
            let more = self.storage()?;
            storage.global |= more.global;
            storage.device |= more.device;
            storage.host |= more.host;
        }
        Ok((storage, bounds))
    }

    /// From the parameters on. `owner` is the struct whose method this is.
    #[expect(clippy::too_many_arguments, reason = "the parts of a declaration that came before")]
    pub(super) fn function(
        &mut self,
        name: Name,
        span: Span,
        template: Vec<TemplateParam>,
        returns: TypeExpr,
        storage: Storage,
        launch_bounds: Option<Expr>,
        owner: Option<&Name>,
    ) -> Parsed<Function> {
        if owner.is_none() {
            let meaning =
                if template.is_empty() { Meaning::Other } else { Meaning::TemplateFunction };
            // At file level, outside the template's own scope.
            if let Some(scope) = self.scopes.first_mut() {
                scope.insert(name.clone(), meaning);
            }
        }
        let open = self.expect("(")?;
        self.scopes.push(HashMap::new());
        self.functions += 1;
        let made = self.function_rest(open, &name, owner);
        self.functions -= 1;
        self.scopes.pop();
        let Rest { params, variadic, constant, member_inits, body } = made?;
        Ok(Function {
            name,
            span,
            template,
            returns,
            params,
            body,
            member_inits,
            storage,
            constant,
            variadic,
            launch_bounds,
        })
    }

    fn function_rest(&mut self, open: Span, name: &Name, owner: Option<&Name>) -> Parsed<Rest> {
        let (params, variadic) = self.parameters(open)?;
        let mut constant = false;
        loop {
            if self.eat_word("const") {
                constant = true;
            } else if !self.eat_word("noexcept") {
                break;
            }
        }
        if self.is("->") {
            let at = self.span();
            return Err(self.unsupported(at, "trailing return types"));
        }
        let mut member_inits = Vec::new();
        if owner.is_some_and(|o| o == name) && self.eat(":") {
            loop {
                let (member, at) = self.name("a member's name")?;
                let open = self.span();
                let close = if self.eat("(") {
                    ")"
                } else {
                    self.expect("{")?;
                    "}"
                };
                let (values, _) = self.arguments(open, close)?;
                member_inits.push((member, at, values));
                if !self.eat(",") {
                    break;
                }
            }
        }
        let body = if self.is("{") {
            Some(self.block()?)
        } else {
            if self.is("=") && self.ahead(1).is_word("default") {
                self.next();
                self.next();
            } else if self.is("=") {
                let at = self.span();
                return Err(self.unsupported(at, "`= delete`"));
            }
            self.expect(";")?;
            None
        };
        Ok(Rest { params, variadic, constant, member_inits, body })
    }

    /// And where `...` stands behind them.
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
            let storage = self.storage()?;
            let base = self.type_specifier()?;
            let param = self.parameter(base, storage)?;
            params.push(param);
            if !self.eat(",") {
                break;
            }
        }
        self.close(")", open)?;
        Ok((params, variadic))
    }

    /// A parameter may lack its name, and an array among them is a pointer.
    fn parameter(&mut self, base: TypeExpr, storage: Storage) -> Parsed<VarDecl> {
        let ty = self.pointers(base)?;
        if self.is("(") {
            let mut param = self.declarator(ty, storage)?;
            param.ty = decayed(param.ty);
            return Ok(param);
        }
        let named = self.peek().kind == Kind::Ident;
        let (name, span) = if named { self.name("a name")? } else { ("".into(), ty.span) };
        let ty = decayed(self.array_suffix(ty)?);
        self.declare(&name, Meaning::Other);
        let init = if self.eat("=") { Init::Expr(self.assignment()?) } else { Init::None };
        Ok(VarDecl { name, span, ty, storage, align: None, init })
    }

    /// `using A = T;` or `typedef T A;`
    pub(super) fn alias(&mut self) -> Parsed<Alias> {
        let start = self.next();
        let alias = if start.is_word("using") {
            let (name, _) = self.name("a name")?;
            self.expect("=")?;
            let ty = self.type_name()?;
            Alias { name, ty }
        } else {
            if (self.is_word("struct") || self.is_word("enum")) && self.ahead(1).is("{") {
                let span = self.span();
                return Err(self.unsupported(span, "types without a name"));
            }
            let base = self.type_specifier()?;
            let ty = self.pointers(base)?;
            let (name, _) = self.name("a name")?;
            let ty = self.array_suffix(ty)?;
            Alias { name, ty }
        };
        self.expect(";")?;
        let name = self.whole(&alias.name);
        self.declare(&name, Meaning::Type);
        Ok(Alias { name, ..alias })
    }

    pub(super) fn static_assert(&mut self) -> Parsed<(Expr, Option<String>)> {
        self.next();
        let open = self.expect("(")?;
        let cond = self.assignment()?;
        let mut message = None;
        if self.eat(",") {
            let token = self.next();
            message = super::super::literal::unescape(&token.text);
        }
        self.close(")", open)?;
        self.expect(";")?;
        Ok((cond, message))
    }

    /// A type, an alias or an assertion inside a function.
    pub(super) fn local_declaration(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let token = self.peek().clone();
        let kind = match &*token.text {
            "using" | "typedef" => {
                if token.is_word("using") && self.using()? {
                    return Ok(Stmt { kind: StmtKind::Empty, span: start });
                }
                StmtKind::Alias(self.alias()?)
            }
            "static_assert" | "_Static_assert" => {
                let (cond, message) = self.static_assert()?;
                StmtKind::StaticAssert(cond, message)
            }
            "enum" => StmtKind::Enum(self.enumeration()?),
            _ if self.defines_struct() => StmtKind::Struct(self.structure(Vec::new())?),
            _ => StmtKind::Declare(self.variables()?),
        };
        Ok(Stmt { kind, span: start.to(self.last_span()) })
    }
}

fn decayed(ty: TypeExpr) -> TypeExpr {
    match ty.kind {
        TypeKind::Array(inner, _) => TypeExpr {
            kind: TypeKind::Pointer(inner),
            constant: false,
            volatile: false,
            span: ty.span,
        },
        _ => ty,
    }
}
