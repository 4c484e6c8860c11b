//! Declarations of variables: specifiers, a type, and declarators, which are parsed inside out.

use super::super::ast::{Expr, ExprKind, Init, Prim, Storage, TypeExpr, TypeKind, VarDecl};
use super::super::preprocess::PACK;
use super::super::token::{Kind, Name};
use super::{Meaning, Parsed, Parser, is_keyword};
use crate::diagnostic::{Diagnostic, Span};

/// What `__attribute__((..))` says of what it stands at.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) align: Option<Expr>,
    /// The most that the alignment of a class's members counts.
    pub(super) pack: Option<u64>,
}

impl Parser<'_> {
    /// Whether a declaration of a variable begins here, by lookahead.
    pub(super) fn at_declaration(&self) -> bool {
        let token = self.peek();
        if token.kind != Kind::Ident {
            return false;
        }
        if is_storage(&token.text) {
            return true;
        }
        if !self.at_type() {
            return false;
        }
        if super::type_words::is_type_of(&token.text)
            || matches!(&*token.text, "const" | "volatile" | "typename")
        {
            return true;
        }
        // `float4(1, 2, 3, 4);`, `int(x);` and `S<int>::f();` are expressions.
        let (used, whole) = self.type_ahead();
        if !whole || self.ahead(used).is("{") {
            return false;
        }
        if !self.ahead(used).is("(") {
            return true;
        }
        // `int (x) = 3;`
        if self.bare_name_ahead(used) && self.ahead(used + 3).is("=") {
            return true;
        }
        // `int (*f)(int);`, `float (*rows)[32];`
        let mut at = used + 1;
        if self.member_pointer_ahead(at) {
            return true;
        }
        while self.ahead(at).is("*") || self.ahead(at).is("&") {
            at += 1;
        }
        let named = at > used + 1 && self.ahead(at).kind == Kind::Ident;
        while named
            && !self.ahead(at).is(")")
            && self.ahead(at).kind != Kind::End
            && !self.ahead(at).is(";")
        {
            at += 1;
        }
        named && (self.ahead(at + 1).is("(") || self.ahead(at + 1).is("["))
    }

    /// The specifiers before the type.
    pub(super) fn storage(&mut self) -> Parsed<Storage> {
        let mut storage = Storage { c_linkage: self.c_linkage, ..Storage::default() };
        loop {
            let token = self.peek().clone();
            if token.is("[") && self.ahead(1).is("[") {
                self.attribute()?;
                continue;
            }
            if token.kind != Kind::Ident {
                return Ok(storage);
            }
            match &*token.text {
                // `const static int`: the order of the words does not matter.
                "const" | "volatile" if is_storage(&self.ahead(1).text) => {
                    self.tokens.swap(self.at, self.at + 1);
                    continue;
                }
                "__shared__" => storage.shared = true,
                "__constant__" => storage.constant_memory = true,
                "__device__" => storage.device = true,
                "__host__" => storage.host = true,
                "__global__" => storage.global = true,
                "extern" => storage.external = true,
                "static" => storage.is_static = true,
                "constexpr" | "consteval" => storage.constexpr = true,
                "inline" | "__inline__" | "__forceinline__" | "__inline" => storage.inline = true,
                "constinit" | "__noinline__" | "register" | "__restrict__" | "__extension__"
                | "_Noreturn" => {}
                "mutable" => storage.mutable = true,
                "explicit" => storage.explicit = true,
                "virtual" => storage.is_virtual = true,
                "friend" => storage.friend = true,
                "__align__" | "alignas" => {
                    self.next();
                    self.align = Some(self.alignment()?);
                    continue;
                }
                "__declspec" => {
                    let message = "`__declspec` is of Microsoft's compiler, and not of Linux";
                    let error = Diagnostic::error("syntax", token.span, message);
                    let help = "leave it out, or write `__attribute__((..))` or `alignas(..)`";
                    return Err(self.report(error.with_help(help)));
                }
                "__attribute__" => {
                    self.next();
                    self.attributes_of_a_variable(token.span)?;
                    continue;
                }
                "__managed__" => storage.managed = true,
                "__grid_constant__" => {}
                "thread_local" => storage.thread_local = true,
                // GCC's word for it.
                "__thread" => storage.thread_local = true,
                _ => return Ok(storage),
            }
            self.next();
        }
    }

    /// `(16)` or `(float4)` after `__align__` or `alignas`.
    pub(super) fn alignment(&mut self) -> Parsed<Expr> {
        let open = self.expect("(")?;
        let value = if self.at_type() {
            let ty = self.type_name()?;
            Expr { span: ty.span, kind: ExprKind::Alignof(ty) }
        } else {
            self.expression()?
        };
        self.close(")", open)?;
        Ok(value)
    }

    /// `((..))` after the `__attribute__` of a variable.
    fn attributes_of_a_variable(&mut self, at: Span) -> Parsed<()> {
        let words = self.attribute_words()?;
        if words.pack.is_some() {
            return Err(self.unsupported(at, "the attribute `packed` of a variable or member"));
        }
        if words.align.is_some() {
            self.align = words.align;
        }
        Ok(())
    }

    /// `((..))` after `__attribute__`. Attributes that change no result are ignored.
    pub(super) fn attribute_words(&mut self) -> Parsed<Attributes> {
        let outer = self.expect("(")?;
        let inner = self.expect("(")?;
        let mut words = Attributes::default();
        while !self.is(")") && !self.at_end() {
            let word = self.next();
            match &*word.text {
                "aligned" | "__aligned__" if self.is("(") => {
                    words.align = Some(self.alignment()?);
                }
                "packed" | "__packed__" => words.pack = Some(1),
                PACK => {
                    self.expect("(")?;
                    words.pack = self.next().text.parse().ok();
                    self.expect(")")?;
                }
                // The most that a type of the target needs.
                "aligned" | "__aligned__" => {
                    let most = ExprKind::Int(16, Prim::Int);
                    words.align = Some(Expr { span: word.span, kind: most });
                }
                "vector_size" => {
                    let what = format!("the attribute `{}`", word.text);
                    return Err(self.unsupported(word.span, &what));
                }
                _ if self.is("(") => self.skip_brackets()?,
                _ => {}
            }
        }
        self.close(")", inner)?;
        self.close(")", outer)?;
        Ok(words)
    }

    /// Attributes after a variable's name.
    pub(super) fn attributes_behind(&mut self) -> Parsed<()> {
        while self.is_word("__attribute__") || (self.is("[") && self.ahead(1).is("[")) {
            if self.is("[") {
                self.attribute()?;
                continue;
            }
            let at = self.next().span;
            self.attributes_of_a_variable(at)?;
        }
        Ok(())
    }

    /// Skips `( .. )` with any tokens inside.
    pub(super) fn skip_brackets(&mut self) -> Parsed<()> {
        let open = self.expect("(")?;
        let mut nesting = 1;
        while nesting > 0 {
            if self.at_end() {
                self.close(")", open)?;
            }
            let token = self.next();
            nesting += usize::from(token.is("("));
            nesting -= usize::from(token.is(")"));
        }
        Ok(())
    }

    /// `int a = 1, *b, c[3];`
    pub(super) fn variables(&mut self) -> Parsed<Vec<VarDecl>> {
        self.align = None;
        let storage = self.storage()?;
        let base = self.type_specifier()?;
        // `int const __shared__ x`: rare, but allowed.
        let later = self.storage()?;
        let storage = Storage {
            shared: storage.shared || later.shared,
            constexpr: storage.constexpr || later.constexpr,
            is_static: [storage, later].iter().any(|s| s.is_static || s.thread_local),
            ..storage
        };
        let first = self.declarator(base.clone(), storage)?;
        let mut all = self.more_variables(base, storage, first)?;
        if let Some(space) = self.namespaces.last().filter(|_| storage.external && !storage.shared)
        {
            // They are variables of the namespace.
            all.iter_mut().for_each(|variable| variable.name = space.concat(variable.name));
        }
        Ok(all)
    }

    /// The declaration in a `for`; a `:` after the first variable makes it a range-based one.
    pub(super) fn variables_or_range(&mut self) -> Parsed<Vec<VarDecl>> {
        let storage = self.storage()?;
        let base = self.type_specifier()?;
        let first = self.declarator(base.clone(), storage)?;
        if self.is(":") {
            return Ok(vec![first]);
        }
        self.more_variables(base, storage, first)
    }

    /// The rest of a declaration after its first variable.
    pub(super) fn more_variables(
        &mut self,
        base: TypeExpr,
        storage: Storage,
        first: VarDecl,
    ) -> Parsed<Vec<VarDecl>> {
        let mut all = vec![first];
        while self.eat(",") {
            all.push(self.declarator(base.clone(), storage)?);
        }
        self.align = None;
        self.expect(";")?;
        Ok(all)
    }

    /// One declarator with its initialiser: pointers, a name, array lengths, a value.
    pub(super) fn declarator(&mut self, base: TypeExpr, storage: Storage) -> Parsed<VarDecl> {
        let ty = self.pointers(base)?;
        self.bare_name();
        let (name, ty, span) = if self.inner_ahead() {
            let (name, ty) = self.inner_declarator(ty)?;
            match name {
                Some((name, span)) => (name, ty, span),
                None => return Err(self.expected("a name")),
            }
        } else {
            let (name, span) = self.name("a name")?;
            self.attributes_behind()?;
            (name, self.array_suffix(ty)?, span)
        };
        self.attributes_behind()?;
        self.declare(name, Meaning::Variable);
        let init = self.initializer_of(&ty)?;
        Ok(VarDecl { name: name.into(), span, ty, storage, align: self.align.clone(), init })
    }

    /// Takes a declarator's name out of its parentheses, `double (f)(long)`: the parser then stands at it.
    pub(super) fn bare_name(&mut self) {
        if self.bare_name_ahead(0) {
            self.tokens[self.at + 1..self.at + 3].rotate_left(1);
            self.at += 2;
        }
    }

    /// Whether a name in parentheses follows, so many tokens ahead.
    fn bare_name_ahead(&self, at: usize) -> bool {
        let name = self.ahead(at + 1);
        self.ahead(at).is("(")
            && name.kind == Kind::Ident
            && !is_keyword(&name.text)
            && self.ahead(at + 2).is(")")
    }

    /// Whether `(*`, `(&` or `(&&` opens a parenthesised declarator here.
    pub(super) fn inner_ahead(&self) -> bool {
        let sign = self.ahead(1);
        self.is("(")
            && (sign.is("*") || sign.is("&") || sign.is("&&") || self.member_pointer_ahead(1))
    }

    /// A parenthesised declarator: `(*rows)[32]`, `(&all)[4]`, `(*f)(int)`, `(*table[8])(int)`,
    /// `(*)(int)`. The suffix after the parentheses belongs to the type that the inside points to,
    /// so it is parsed first; then the parser goes back to the inside.
    pub(super) fn inner_declarator(
        &mut self,
        base: TypeExpr,
    ) -> Parsed<(Option<(Name, Span)>, TypeExpr)> {
        self.nested(|p| {
            let open = p.span();
            let inside = p.at + 1;
            p.skip_brackets()?;
            let base = if p.is("(") { p.function_suffix(base)? } else { p.array_suffix(base)? };
            let end = p.at;
            p.at = inside;
            let ty = p.pointers(base)?;
            let made = if p.inner_ahead() {
                p.inner_declarator(ty)?
            } else {
                let named = p.peek().kind == Kind::Ident;
                let name = if named { Some(p.name("a name")?) } else { None };
                let ty = if p.is("(") { p.function_suffix(ty)? } else { p.array_suffix(ty)? };
                (name, ty)
            };
            p.close(")", open)?;
            p.at = end;
            Ok(made)
        })
    }

    /// `(int, float*)` after a type: a function that returns that type.
    pub(super) fn function_suffix(&mut self, returns: TypeExpr) -> Parsed<TypeExpr> {
        let open = self.expect("(")?;
        self.scopes.push(std::collections::HashMap::new());
        let params = self.nested(|p| p.parameters(open));
        self.scopes.pop();
        let (params, variadic) = params?;
        if let Some(at) = variadic {
            return Err(self.unsupported(at, "functions with any number of arguments"));
        }
        let mut constant = false;
        while self.is_word("const") || self.is_word("noexcept") {
            if self.is_word("noexcept") {
                self.exception_specification()?;
            } else {
                constant |= self.next().is_word("const");
            }
        }
        let span = returns.span.to(self.last_span());
        let params = params.into_iter().map(|p| p.ty).collect();
        let kind = TypeKind::Function(Box::new(returns), params);
        Ok(TypeExpr { kind, constant, volatile: false, span })
    }

    /// The initialiser of a variable of this type: `auto x{e}` and `auto x(e)` take their type from
    /// the one value, as `auto x = e` does.
    pub(super) fn initializer_of(&mut self, ty: &TypeExpr) -> Parsed<Init> {
        let direct = !self.is("=");
        let mut init = self.initializer()?;
        if direct && is_auto(ty) {
            match &mut init {
                Init::Expr(Expr { kind: ExprKind::List(items), .. }) | Init::Paren(items)
                    if items.len() == 1 =>
                {
                    return Ok(items.pop().map_or(Init::None, Init::Expr));
                }
                _ => {}
            }
        }
        Ok(init)
    }

    /// `= e`, `{..}`, `(..)`, or nothing.
    pub(super) fn initializer(&mut self) -> Parsed<Init> {
        if self.eat("=") {
            return Ok(Init::Expr(self.assignment()?));
        }
        if self.is("{") {
            return Ok(Init::Expr(self.braced_list()?));
        }
        if self.is("(") {
            let open = self.next().span;
            let (arguments, _): (Vec<Expr>, _) = self.arguments(open, ")")?;
            return Ok(Init::Paren(arguments));
        }
        Ok(Init::None)
    }
}

/// `auto`, or a reference or pointer to it.
fn is_auto(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Auto => true,
        TypeKind::Reference(inner) | TypeKind::Rvalue(inner) | TypeKind::Pointer(inner) => {
            is_auto(inner)
        }
        _ => false,
    }
}

/// Whether a specifier of a declaration begins with this word.
fn is_storage(word: &str) -> bool {
    matches!(
        word,
        "__shared__"
            | "__constant__"
            | "__device__"
            | "__host__"
            | "__global__"
            | "extern"
            | "static"
            | "constexpr"
            | "constinit"
            | "inline"
            | "__inline__"
            | "__forceinline__"
            | "__noinline__"
            | "register"
            | "__align__"
            | "__attribute__"
            | "alignas"
            | "__managed__"
            | "thread_local"
            | "__thread"
            | "friend"
            | "virtual"
    )
}
