//! What stands at file level: functions, templates, types, variables.

use super::super::ast::{
    Alias, Expr, Function, Init, Instead, Item, Stmt, StmtKind, Storage, TemplateArg,
    TemplateParam, TypeExpr, TypeKind, VarDecl,
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
    instead: Instead,
    returns: Option<TypeExpr>,
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
            let from = out.len();
            let made = self.item(out);
            // What an item announces stands before it.
            let announced = std::mem::take(&mut self.announced);
            out.splice(from..from, announced);
            if made.is_err() {
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
            "template" if !self.ahead(1).is("<") => {
                // `template class S<int>;`: instances are made where they are needed.
                while !self.is(";") && !self.at_end() {
                    self.next();
                }
                self.expect(";")?;
                Ok(())
            }
            "template" => {
                let depth = self.scopes.len();
                let params = self.template_parameters()?;
                let made = match self.is_word("template") {
                    // `template <typename T> template <typename U> void S<T>::f(U) {}`
                    true => self
                        .template_parameters()
                        .and_then(|own| self.method_outside(params, own, out)),
                    false => self.declaration(params, out),
                };
                self.scopes.truncate(depth);
                made
            }
            "namespace" => self.namespace(out),
            "inline" if self.ahead(1).is_word("namespace") => self.namespace(out),
            "using" if self.using()? => Ok(()),
            _ => self.declaration(Vec::new(), out),
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
                // `template <typename> class F`
                self.template_parameters()?;
                self.scopes.pop();
                self.next();
                let (name, _) = self.parameter_name()?;
                self.declare(&name, Meaning::TemplateType);
                params.push(TemplateParam { name, value: None, pack: false, default: None });
                if !self.eat(",") {
                    break;
                }
                continue;
            }
            if self.is(">") {
                break;
            }
            if (self.is_word("typename") || self.is_word("class")) && !self.ahead(2).is("::") {
                self.next();
                let pack = self.eat("...");
                let (name, _) = self.parameter_name()?;
                self.declare(&name, Meaning::Type);
                let default =
                    if self.eat("=") { Some(TemplateArg::Type(self.type_name()?)) } else { None };
                params.push(TemplateParam { name, value: None, pack, default });
            } else {
                let base = self.type_specifier()?;
                let ty = self.pointers(base)?;
                let (name, ty) = if self.inner_ahead() {
                    let (name, ty) = self.inner_declarator(ty)?;
                    (name.map_or_else(|| "".into(), |n| n.0), ty)
                } else {
                    if self.is("...") {
                        let span = self.span();
                        return Err(self.unsupported(span, "packs of values"));
                    }
                    (self.parameter_name()?.0, ty)
                };
                self.declare(&name, Meaning::Other);
                let default = if self.eat("=") {
                    Some(TemplateArg::Value(self.template_value()?))
                } else {
                    None
                };
                params.push(TemplateParam { name, value: Some(ty), pack: false, default });
            }
            if !self.eat(",") {
                break;
            }
        }
        self.template_end(open)?;
        Ok(params)
    }

    /// It may be left out where nobody asks for it.
    fn parameter_name(&mut self) -> Parsed<(Name, Span)> {
        if self.peek().kind == Kind::Ident {
            return self.name("the parameter's name");
        }
        Ok((format!("unnamed#{}", self.at).into(), self.span()))
    }

    pub(super) fn declaration(
        &mut self,
        template: Vec<TemplateParam>,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let token = self.peek().clone();
        match &*token.text {
            "using" | "typedef" => return self.alias(template, out),
            "static_assert" => {
                let (cond, message) = self.static_assert()?;
                out.push(Item::StaticAssert(cond, message));
                return Ok(());
            }
            "enum" if self.defines_enum() => {
                let made = self.enumeration()?;
                let name = made.name.clone();
                out.push(Item::Enum(made));
                return self.variables_of(&name, Storage::default(), out);
            }
            "struct" | "class" | "union" if self.defines_struct() => {
                let made = self.structure(template)?;
                let name = made.name.clone();
                out.push(Item::Struct(made));
                return self.variables_of(&name, Storage::default(), out);
            }
            _ => {}
        }
        if self.outside_ahead() {
            return self.method_outside(template, Vec::new(), out);
        }
        self.align = None;
        let (storage, bounds) = self.function_words()?;
        // `static struct { .. } all;`, `__constant__ struct S { .. } s;`
        if matches!(&*self.peek().text, "struct" | "class" | "union") && self.defines_struct() {
            let made = self.structure(template)?;
            let name = made.name.clone();
            out.push(Item::Struct(made));
            return self.variables_of(&name, storage, out);
        }
        if self.outside_ahead() {
            let void = self.no_type();
            return self.member_outside(template, Vec::new(), storage, void, out);
        }
        let base = self.type_specifier()?;
        let (later, bounds_later) = self.function_words()?;
        let storage = Storage {
            global: storage.global || later.global,
            device: storage.device || later.device,
            host: storage.host || later.host,
            shared: storage.shared || later.shared,
            constant_memory: storage.constant_memory || later.constant_memory,
            fixed: storage.fixed || later.fixed,
            constexpr: storage.constexpr || later.constexpr,
            managed: storage.managed || later.managed,
            ..storage
        };
        let bounds = bounds.or(bounds_later);
        let returns = self.pointers(base.clone())?;
        let more_bounds =
            if self.is_word("__launch_bounds__") { self.function_words()?.1 } else { None };
        if self.outside_ahead() {
            return self.member_outside(template, Vec::new(), storage, returns, out);
        }
        let function = self.peek().kind == Kind::Ident && self.ahead(1).is("(") && !self.makes();
        if self.is_word("operator") || function {
            let (name, span) = self.function_name()?;
            let name = self.whole(&name);
            out.push(Item::Function(Rc::new(self.function(
                name,
                span,
                template,
                returns,
                storage,
                bounds.or(more_bounds),
                None,
            )?)));
            return Ok(());
        }
        if !template.is_empty() {
            return self.variable_template(template, returns, out);
        }
        let (name, ty, span) = if self.inner_ahead() {
            match self.inner_declarator(returns)? {
                (Some((name, span)), ty) => (name, ty, span),
                (None, _) => return Err(self.expected("a name")),
            }
        } else {
            let (name, span) = self.name("a name")?;
            self.attributes_behind()?;
            (name, self.array_suffix(returns)?, span)
        };
        self.attributes_behind()?;
        let name = self.whole(&name);
        self.declare(&name, Meaning::Other);
        let init = self.initializer()?;
        let first = VarDecl { name, span, ty, storage, align: self.align.clone(), init };
        let all = self.more_variables(base, storage, first)?;
        let all = self.whole_variables(all);
        out.push(Item::Variables(all));
        Ok(())
    }

    fn whole_variables(&mut self, mut all: Vec<VarDecl>) -> Vec<VarDecl> {
        for variable in all.iter_mut().skip(1) {
            variable.name = self.whole(&variable.name);
            self.declare(&variable.name, Meaning::Other);
        }
        all
    }

    /// Variables behind the `}` of their type, up to the `;`.
    fn variables_of(&mut self, ty: &Name, storage: Storage, out: &mut Vec<Item>) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let base = super::class::named(ty, self.last_span());
        let later = self.storage()?;
        let storage = Storage { fixed: storage.fixed || later.fixed, ..storage };
        let mut first = self.declarator(base.clone(), storage)?;
        first.name = self.whole(&first.name);
        self.declare(&first.name, Meaning::Other);
        let all = self.more_variables(base, storage, first)?;
        let all = self.whole_variables(all);
        out.push(Item::Variables(all));
        Ok(())
    }

    fn no_type(&self) -> TypeExpr {
        let kind = TypeKind::Prim(super::super::ast::Prim::Void);
        TypeExpr { kind, constant: false, volatile: false, span: self.span() }
    }

    /// Whether brackets behind a name hold values and no parameters: `dim3 a(1, 2);`
    pub(super) fn makes(&mut self) -> bool {
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
            let made = self.structure(Vec::new())?;
            self.expect(";")?;
            return Ok(Item::Struct(made));
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
        } else if op.is_word("new") || op.is_word("delete") {
            let array = self.is("[") && self.ahead(1).is("]");
            self.at += if array { 2 } else { 0 };
            let end = if array { "[]" } else { "" };
            (format!("operator {}{end}", op.text), op.span)
        } else if op.kind == Kind::Punct {
            (format!("operator{}", op.text), op.span)
        } else {
            return Err(self.unsupported(start.to(op.span), "this operator"));
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
        let Rest { mut params, variadic, constant, instead, returns: behind, member_inits, body } =
            made?;
        let returns = behind.unwrap_or(returns);
        let mut template = template;
        template.extend(super::lambda::open_types(&mut params));
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
            instead,
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
        let mut returns = None;
        loop {
            if self.eat_word("const") {
                constant = true;
            } else if self.eat_word("noexcept") || self.eat_word("throw") {
                if self.is("(") {
                    self.skip_brackets()?;
                }
            } else if self.is("[") && self.ahead(1).is("[") {
                self.attribute()?;
            } else if self.eat_word("__attribute__") {
                self.attribute_words()?;
            } else if self.is("&") || self.is("&&") {
                let at = self.span();
                return Err(self.unsupported(at, "methods told apart by what their object is"));
            } else if self.eat("->") {
                returns = Some(self.type_name()?);
            } else if !self.eat_word("override") && !self.eat_word("final") {
                break;
            }
        }
        let mut member_inits = Vec::new();
        if owner.is_some_and(|o| o == name) && self.eat(":") {
            loop {
                let at = self.span();
                let (member, used) = self.qualified_ahead();
                self.at += used;
                if self.is("<") {
                    self.template_arguments()?;
                }
                let at = at.to(self.last_span());
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
        let mut instead = Instead::Nothing;
        let body = if self.is("{") {
            Some(self.block()?)
        } else {
            if self.is_word("try") {
                let at = self.span();
                return Err(self.unsupported(at, "a function whose body is a `try`"));
            }
            if self.eat("=") {
                let word = self.next();
                instead = match &*word.text {
                    "default" => Instead::Default,
                    "delete" => Instead::Delete,
                    "0" => Instead::Pure,
                    _ => return Err(self.error(word.span, "expected `default`, `delete` or `0`")),
                };
            }
            self.expect(";")?;
            None
        };
        Ok(Rest { params, variadic, constant, instead, returns, member_inits, body })
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
    pub(super) fn parameter(&mut self, base: TypeExpr, storage: Storage) -> Parsed<VarDecl> {
        let mut ty = self.pointers(base)?;
        if self.eat("...") {
            let span = ty.span;
            let kind = TypeKind::Expand(Box::new(ty));
            ty = TypeExpr { kind, constant: false, volatile: false, span };
        }
        let (name, span, ty) = if self.inner_ahead() {
            let (name, ty) = self.inner_declarator(ty)?;
            let (name, span) = name.unwrap_or_else(|| ("".into(), ty.span));
            (name, span, ty)
        } else {
            let named = self.peek().kind == Kind::Ident;
            let (name, span) = if named { self.name("a name")? } else { ("".into(), ty.span) };
            let ty = if self.is("(") { self.function_suffix(ty)? } else { self.array_suffix(ty)? };
            (name, span, ty)
        };
        let ty = decayed(ty);
        self.declare(&name, Meaning::Other);
        let init = if self.eat("=") { Init::Expr(self.assignment()?) } else { Init::None };
        Ok(VarDecl { name, span, ty, storage, align: None, init })
    }

    /// `using A = T;` or `typedef T A;`
    pub(super) fn alias(
        &mut self,
        template: Vec<TemplateParam>,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let start = self.next();
        if start.is_word("using") {
            let (name, _) = self.name("a name")?;
            let name = self.whole(&name);
            if self.is("[") {
                self.attribute()?;
            }
            self.expect("=")?;
            let ty = self.type_name()?;
            self.expect(";")?;
            let meaning = if template.is_empty() { Meaning::Type } else { Meaning::TemplateType };
            let outer = self.scopes.len() - 1 - usize::from(!template.is_empty());
            self.scopes[outer].insert(name.clone(), meaning);
            self.same_inside(&name, &ty);
            out.push(Item::Alias(Alias { name, template, ty }));
            return Ok(());
        }
        let base = if matches!(&*self.peek().text, "struct" | "class" | "union")
            && self.defines_struct()
        {
            let made = self.structure(Vec::new())?;
            let name = made.name.clone();
            out.push(Item::Struct(made));
            super::class::named(&name, self.last_span())
        } else if self.is_word("enum") && self.defines_enum() {
            let made = self.enumeration()?;
            let name = made.name.clone();
            out.push(Item::Enum(made));
            if name.is_empty() {
                let kind = TypeKind::Prim(super::super::ast::Prim::Int);
                TypeExpr { kind, constant: false, volatile: false, span: start.span }
            } else {
                super::class::named(&name, self.last_span())
            }
        } else {
            self.type_specifier()?
        };
        loop {
            let ty = self.pointers(base.clone())?;
            let (name, ty) = if self.inner_ahead() {
                match self.inner_declarator(ty)? {
                    (Some((name, _)), ty) => (name, ty),
                    (None, _) => return Err(self.expected("a name")),
                }
            } else {
                let (name, _) = self.name("a name")?;
                let ty =
                    if self.is("(") { self.function_suffix(ty)? } else { self.array_suffix(ty)? };
                (name, ty)
            };
            let name = self.whole(&name);
            self.declare(&name, Meaning::Type);
            self.same_inside(&name, &ty);
            while self.is_word("__attribute__") {
                let at = self.next().span;
                if self.attribute_words()?.is_some() {
                    return Err(self.unsupported(at, "the attribute `aligned` of a `typedef`"));
                }
            }
            out.push(Item::Alias(Alias { name, template: Vec::new(), ty }));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    /// Another name of a type has the same types inside.
    fn same_inside(&mut self, name: &Name, ty: &TypeExpr) {
        if let TypeKind::Named(of, _) | TypeKind::Defaults(of) = &ty.kind
            && of != name
            && let Some(inside) = self.types_inside.get(of).cloned()
        {
            self.types_inside.insert(name.clone(), inside);
        }
    }

    pub(super) fn static_assert(&mut self) -> Parsed<(Expr, Option<String>)> {
        self.next();
        let open = self.expect("(")?;
        let cond = self.assignment()?;
        let mut message = None;
        if self.eat(",") {
            let token = self.next();
            message = super::super::literal::unescape(&token.text)
                .map(|text| String::from_utf8_lossy(&text).into_owned());
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
                let mut items = Vec::new();
                self.alias(Vec::new(), &mut items)?;
                several(items, start)
            }
            "static_assert" | "_Static_assert" => {
                let (cond, message) = self.static_assert()?;
                StmtKind::StaticAssert(cond, message)
            }
            "enum" if self.defines_enum() => {
                let made = self.enumeration()?;
                let name = made.name.clone();
                let mut items = vec![Item::Enum(made)];
                self.variables_of(&name, Storage::default(), &mut items)?;
                several(items, start)
            }
            "struct" | "class" | "union" if self.defines_struct() => {
                let made = self.structure(Vec::new())?;
                let name = made.name.clone();
                let mut items = vec![Item::Struct(made)];
                self.variables_of(&name, Storage::default(), &mut items)?;
                several(items, start)
            }
            _ => StmtKind::Declare(self.variables()?),
        };
        Ok(Stmt { kind, span: start.to(self.last_span()) })
    }
}

/// Declarations inside a function.
fn several(items: Vec<Item>, span: Span) -> StmtKind {
    let mut all: Vec<Stmt> = Vec::new();
    for item in items {
        let kind = match item {
            Item::Alias(alias) => StmtKind::Alias(alias),
            Item::Struct(made) => StmtKind::Struct(made),
            Item::Enum(made) => StmtKind::Enum(made),
            Item::Variables(variables) => StmtKind::Declare(variables),
            _ => continue,
        };
        all.push(Stmt { kind, span });
    }
    match all.len() {
        1 => all.remove(0).kind,
        _ => StmtKind::Several(all),
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
        TypeKind::Function(..) => TypeExpr {
            span: ty.span,
            kind: TypeKind::Pointer(Box::new(ty)),
            constant: false,
            volatile: false,
        },
        _ => ty,
    }
}
