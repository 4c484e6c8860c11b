//! Declarations at namespace scope, by recursive descent: functions, templates, types, variables.

use super::super::ast::{
    Expr, ExprKind, Init, Item, LaunchBounds, Stmt, StmtKind, Storage, TemplateArg, TemplateParam,
    TypeExpr, TypeKind, VarDecl,
};
use super::super::name::{Name, Path};
use super::super::token::Kind;
use super::{Meaning, Parsed, Parser, is_keyword};
use crate::diagnostic::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;

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
            // Structs that the item declares by naming them come before it.
            let announced = std::mem::take(&mut self.announced);
            out.splice(from..from, announced);
            // Those inside a namespace have theirs already.
            self.places.resize(out.len(), before..self.at);
            if made.is_err() {
                self.scopes.truncate(depth);
                self.recover();
                if self.at == before {
                    self.next();
                }
            }
        }
    }

    /// One declaration.
    fn item(&mut self, out: &mut Vec<Item>) -> Parsed<()> {
        let token = self.peek().clone();
        if self.eat(";") {
            return Ok(());
        }
        match &*token.text {
            "extern" if self.ahead(1).is_word("template") => {
                self.next();
                self.item(out)
            }
            "extern" if self.ahead(1).kind == Kind::Str => {
                self.next();
                let language = self.next();
                if &*language.text != "\"C\"" && &*language.text != "\"C++\"" {
                    return Err(self.error(language.span, "the linkage is `\"C\"` or `\"C++\"`"));
                }
                let around = std::mem::replace(&mut self.c_linkage, &*language.text == "\"C\"");
                let read = self.linked(out);
                self.c_linkage = around;
                read
            }
            "template" if self.ahead(1).is("<") && self.ahead(2).is(">") => {
                self.at += 3;
                self.special(out)
            }
            "template" if !self.ahead(1).is("<") => {
                // An explicit instantiation, `template class S<int>;`, is skipped: instances are
                // made on demand.
                while !self.is(";") && !self.at_end() {
                    self.next();
                }
                self.expect(";")?;
                Ok(())
            }
            "template" => {
                if self.c_linkage && !token.span.is_built_in() {
                    self.report(
                        Diagnostic::error(
                            "syntax",
                            token.span,
                            "a template cannot be `extern \"C\"`",
                        )
                        .with_help("move it out of the `extern \"C\"`: C has no templates"),
                    );
                }
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

    /// What stands behind `extern "C"`: declarations in braces, or one.
    fn linked(&mut self, out: &mut Vec<Item>) -> Parsed<()> {
        if !self.is("{") {
            let from = out.len();
            self.nested(|p| p.item(out))?;
            // Without braces it is as `extern` alone: `extern "C" int x;` defines nothing.
            for item in &mut out[from..] {
                if let Item::Variables(all) = item {
                    all.iter_mut().for_each(|variable| variable.storage.external = true);
                }
            }
            return Ok(());
        }
        let open = self.next().span;
        self.nested(|p| {
            p.items(out, true);
            Ok(())
        })?;
        self.close("}", open)?;
        Ok(())
    }

    /// `template <typename T, int N = 4>`. It opens a scope for the names, which the caller closes.
    pub(super) fn template_parameters(&mut self) -> Parsed<Vec<TemplateParam>> {
        self.next();
        self.template_list()
    }

    /// `<typename T, int N = 4>`, after the word `template` or a lambda's captures.
    pub(super) fn template_list(&mut self) -> Parsed<Vec<TemplateParam>> {
        let open = self.expect("<")?;
        self.scopes.push(HashMap::new());
        let mut params = Vec::new();
        loop {
            if self.is_word("template") {
                // `template <typename> class F`
                self.template_parameters()?;
                self.scopes.pop();
                self.next();
                if self.is("...") {
                    let at = self.span();
                    return Err(self.unsupported(at, "a pack of templates"));
                }
                let (name, _) = self.parameter_name()?;
                self.declare(name, Meaning::TemplateType);
                let default = if self.eat("=") {
                    let span = self.span();
                    let Some(ty) = self.template_itself() else {
                        return Err(self.error(span, "expected the name of a template"));
                    };
                    Some(TemplateArg::Type(ty))
                } else {
                    None
                };
                let param =
                    TemplateParam { name, value: None, pack: false, default, constraint: None };
                params.push(param);
                if !self.eat(",") {
                    break;
                }
                continue;
            }
            if self.is(">") {
                break;
            }
            let word = self.is_word("typename") || self.is_word("class");
            params.push(if word && !self.ahead(2).is("::") {
                self.next();
                self.type_parameter()?
            } else if self.constraint_ahead() > 0 {
                self.constrained_parameter()?
            } else {
                self.value_parameter()?
            });
            if !self.eat(",") {
                break;
            }
        }
        self.template_end(open)?;
        self.requires_clause(&mut params)?;
        Ok(params)
    }

    /// A template parameter's name. If there is none, one is made up.
    pub(super) fn parameter_name(&mut self) -> Parsed<(Name, Span)> {
        if self.peek().kind == Kind::Ident {
            return self.name("the parameter's name");
        }
        Ok((format!("unnamed#{}", self.at).into(), self.span()))
    }

    /// A declaration, after the `template <..>` before it if there is one.
    pub(super) fn declaration(
        &mut self,
        template: Vec<TemplateParam>,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let token = self.peek().clone();
        match &*token.text {
            "using" | "typedef" => self.alias(template, out),
            "static_assert" => {
                let (cond, message) = self.static_assert()?;
                out.push(Item::StaticAssert(cond, message));
                Ok(())
            }
            "enum" if self.defines_enum() => {
                let made = self.enumeration()?;
                let name = made.name;
                out.push(Item::Enum(made));
                self.variables_of(name, Storage::default(), Qualifiers::default(), out)
            }
            "concept" if !template.is_empty() && self.concept_ahead() => {
                self.concept(template, out)
            }
            "struct" | "class" | "union" if self.defines_struct() => {
                self.class_with_variables(template, Storage::default(), Qualifiers::default(), out)
            }
            "struct" | "class" | "union" if self.inner_class_ahead() => {
                self.inner_class(&template, out)
            }
            _ if self.outside_ahead() => self.method_outside(template, Vec::new(), out),
            _ => self.function_or_variables(template, out),
        }
    }

    /// A class, and the variables after its `}`.
    fn class_with_variables(
        &mut self,
        template: Vec<TemplateParam>,
        storage: Storage,
        qualifiers: Qualifiers,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let class = self.structure(template)?;
        let name = class.name;
        out.push(Item::Struct(class));
        self.variables_of(name, storage, qualifiers, out)
    }

    /// Goes over the qualifiers of `const struct { .. } all[] = ..`, if that is what comes.
    fn class_qualifiers(&mut self) -> Qualifiers {
        let start = self.at;
        let mut found = Qualifiers::default();
        while matches!(&*self.peek().text, "const" | "volatile") {
            found.constant |= self.is_word("const");
            found.volatile |= self.is_word("volatile");
            self.at += 1;
        }
        let class = matches!(&*self.peek().text, "struct" | "class" | "union");
        if !(class && self.defines_struct()) {
            self.at = start;
            return Qualifiers::default();
        }
        found
    }

    /// A declaration that begins with specifiers: a function, a member of a class outside it, or
    /// variables.
    fn function_or_variables(
        &mut self,
        template: Vec<TemplateParam>,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        self.align = None;
        let (storage, bounds) = self.function_words()?;
        // `static struct { .. } all;`, `__constant__ struct S { .. } s;`
        let qualifiers = self.class_qualifiers();
        if matches!(&*self.peek().text, "struct" | "class" | "union") && self.defines_struct() {
            return self.class_with_variables(template, storage, qualifiers, out);
        }
        if self.outside_ahead() {
            let void = self.no_type();
            return self.member_outside(template, Vec::new(), storage, void, out);
        }
        if let Some(guide) = self.deduction_guide(&template, storage)? {
            out.push(Item::Guide(Rc::new(guide)));
            return Ok(());
        }
        let base = self.type_specifier()?;
        let (later, bounds_later) = self.function_words()?;
        let storage = merged(storage, later);
        let bounds = bounds.or(bounds_later);
        let returns = self.pointers(base.clone())?;
        // `int& __device__ f()`
        let (last, more_bounds) = self.function_words()?;
        let storage = merged(storage, last);
        if self.outside_ahead() {
            return self.member_outside(template, Vec::new(), storage, returns, out);
        }
        let bounds = bounds.or(more_bounds);
        let Some((space, used)) = self.namespace_ahead(0) else {
            return self.named(template, base, returns, storage, bounds, out);
        };
        // `void N::f() {..}`: from its name on as inside the namespace.
        self.at += used;
        self.namespaces.push(space);
        let made = self.named(template, base, returns, storage, bounds, out);
        self.namespaces.pop();
        made
    }

    /// A declaration from its name on: a function, or variables.
    fn named(
        &mut self,
        template: Vec<TemplateParam>,
        base: TypeExpr,
        returns: TypeExpr,
        storage: Storage,
        bounds: LaunchBounds,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let returns = self.returned_pointer(returns)?;
        self.bare_name();
        let function = self.peek().kind == Kind::Ident && self.ahead(1).is("(") && !self.makes();
        if self.is_word("operator") || function {
            let (name, span) = self.function_name()?;
            let name = self.whole(name);
            out.push(Item::Function(Rc::new(self.function(
                name,
                span,
                template,
                returns,
                storage,
                Some(bounds),
                None,
            )?)));
            return Ok(());
        }
        if !template.is_empty() {
            return self.variable_template(template, returns, storage, out);
        }
        self.variable_list(base, returns, storage, out)
    }

    /// What a function returns that is declared around its name, `void (*choose(int which))(float*)`:
    /// the parser takes what is around first, and then stands at the name. Any other type is unchanged.
    fn returned_pointer(&mut self, ty: TypeExpr) -> Parsed<TypeExpr> {
        let begins = self.inner_ahead()
            && self.ahead(2).kind == Kind::Ident
            && self.ahead(3).is("(")
            && !is_keyword(&self.ahead(2).text);
        if !begins {
            return Ok(ty);
        }
        let inside = self.at + 1;
        self.skip_brackets()?;
        let close = self.at - 1;
        let ty = if self.is("(") { self.function_suffix(ty)? } else { self.array_suffix(ty)? };
        let end = self.at;
        self.at = inside;
        let ty = self.pointers(ty)?;
        // `name(parameters)` comes behind what was around it.
        let own = close - self.at;
        self.tokens[self.at..end].rotate_left(own);
        self.at = end - own;
        Ok(ty)
    }

    /// Variables at namespace scope, after their specifiers and the `*` of the first: `base` is the
    /// type that all share, `ty` that of the first.
    fn variable_list(
        &mut self,
        base: TypeExpr,
        ty: TypeExpr,
        storage: Storage,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let (name, ty, span) = if self.inner_ahead() {
            match self.inner_declarator(ty)? {
                (Some((name, span)), ty) => (name, ty, span),
                (None, _) => return Err(self.expected("a name")),
            }
        } else {
            let (name, span) = self.name("a name")?;
            self.attributes_behind()?;
            (name, self.array_suffix(ty)?, span)
        };
        self.attributes_behind()?;
        let name = self.whole(name);
        self.declare(name, Meaning::Variable);
        let init = self.initializer_of(&ty)?;
        if matches!(init, Init::Paren(_)) && self.at_type() {
            let what = "a function whose parameters have their types after the brackets";
            return Err(self.unsupported(span, what));
        }
        let first = VarDecl { name, span, ty, storage, align: self.align.clone(), init };
        let all = self.more_variables(base, storage, first)?;
        let all = self.whole_variables(all);
        out.push(Item::Variables(all));
        Ok(())
    }

    /// Puts all variables but the first into the open namespace.
    fn whole_variables(&mut self, mut all: Vec<VarDecl>) -> Vec<VarDecl> {
        for variable in all.iter_mut().skip(1) {
            variable.name = self.whole(variable.name.last());
            self.declare(variable.name, Meaning::Other);
        }
        all
    }

    /// Variables after the `}` of their type, up to the `;`.
    fn variables_of(
        &mut self,
        ty: Path,
        storage: Storage,
        qualifiers: Qualifiers,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let Qualifiers { constant, volatile } = qualifiers;
        let base = TypeExpr { constant, volatile, ..super::class::named(ty, self.last_span()) };
        let end = self.last_span();
        let later = self.storage()?;
        self.ends_class(ty, end)?;
        let storage = Storage { is_static: storage.is_static || later.is_static, ..storage };
        let mut first = self.declarator(base.clone(), storage)?;
        first.name = self.whole(first.name.last());
        self.declare(first.name, Meaning::Other);
        let all = self.more_variables(base, storage, first)?;
        let all = self.whole_variables(all);
        out.push(Item::Variables(all));
        Ok(())
    }

    /// `void`, as the return type of functions that have none: constructors.
    pub(super) fn no_type(&self) -> TypeExpr {
        let kind = TypeKind::Prim(super::super::ast::Prim::Void);
        TypeExpr { kind, constant: false, volatile: false, span: self.span() }
    }

    pub(super) fn static_assert(&mut self) -> Parsed<(Expr, Option<String>)> {
        self.next();
        let open = self.expect("(")?;
        let cond = self.assignment()?;
        let mut message = None;
        if self.eat(",") {
            let text = self.string()?;
            if let ExprKind::Str(text) = &text.kind {
                message = Some(String::from_utf8_lossy(text).into_owned());
            }
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
                let name = made.name;
                let mut items = vec![Item::Enum(made)];
                self.variables_of(name, Storage::default(), Qualifiers::default(), &mut items)?;
                several(items, start)
            }
            "struct" | "class" | "union" if self.defines_struct() => {
                let made = self.structure(Vec::new())?;
                let name = made.name;
                let mut items = vec![Item::Struct(made)];
                self.variables_of(name, Storage::default(), Qualifiers::default(), &mut items)?;
                several(items, start)
            }
            "__shared__" | "static" | "const" | "volatile" => {
                let storage = self.storage()?;
                let qualifiers = self.class_qualifiers();
                let made = self.structure(Vec::new())?;
                let name = made.name;
                let mut items = vec![Item::Struct(made)];
                self.variables_of(name, storage, qualifiers, &mut items)?;
                several(items, start)
            }
            _ => StmtKind::Declare(self.variables()?),
        };
        Ok(Stmt { kind, span: start.to(self.last_span()) })
    }

    /// `__shared__ union { .. } temp;`: a class is defined behind the words of a variable.
    pub(super) fn stored_class_ahead(&self) -> bool {
        let mut at = 0;
        while matches!(&*self.ahead(at).text, "__shared__" | "static" | "const" | "volatile") {
            at += 1;
        }
        let class = matches!(&*self.ahead(at).text, "struct" | "class" | "union");
        let named = usize::from(self.ahead(at + 1).kind == Kind::Ident);
        class && self.ahead(at + 1 + named).is("{")
    }
}

/// The qualifiers before a class that is defined together with variables.
#[derive(Debug, Clone, Copy, Default)]
struct Qualifiers {
    constant: bool,
    volatile: bool,
}

/// Declarations inside a function, as a statement.
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

/// The specifiers before and after a type together: `int static x;` is legal.
fn merged(before: Storage, after: Storage) -> Storage {
    Storage {
        global: before.global || after.global,
        device: before.device || after.device,
        host: before.host || after.host,
        shared: before.shared || after.shared,
        constant_memory: before.constant_memory || after.constant_memory,
        is_static: before.is_static || after.is_static,
        constexpr: before.constexpr || after.constexpr,
        managed: before.managed || after.managed,
        ..before
    }
}
