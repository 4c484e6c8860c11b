//! Declarations of variables: words before, the type, the names with their values.

use super::super::ast::{Expr, ExprKind, Init, Storage, TypeExpr, TypeKind, VarDecl};
use super::super::token::Kind;
use super::types::is_type_word;
use super::{Meaning, Parsed, Parser};

impl Parser<'_> {
    /// Whether a declaration of a variable begins here.
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
        // `float4(1, 2, 3, 4);` and `int(x);` are expressions.
        let used = if is_type_word(&token.text) { 1 } else { self.qualified_ahead().1 };
        !(self.ahead(used).is("(") || self.ahead(used).is("{"))
            || matches!(&*token.text, "decltype" | "const" | "volatile")
    }

    /// The words before the type.
    pub(super) fn storage(&mut self) -> Parsed<Storage> {
        let mut storage = Storage::default();
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
                "__shared__" => storage.shared = true,
                "__constant__" => storage.constant_memory = true,
                "__device__" => storage.device = true,
                "__host__" => storage.host = true,
                "__global__" => storage.global = true,
                "extern" => storage.external = true,
                "static" => storage.fixed = true,
                "constexpr" | "consteval" => storage.constexpr = true,
                "inline" | "__inline__" | "__forceinline__" | "__noinline__" | "register"
                | "__restrict__" | "explicit" => {}
                "__align__" | "alignas" => {
                    self.next();
                    self.align = Some(self.alignment()?);
                    continue;
                }
                "__attribute__" | "__declspec" => {
                    self.next();
                    self.skip_brackets()?;
                    continue;
                }
                "__managed__" => {
                    return Err(self.unsupported(token.span, "`__managed__` variables"));
                }
                "__grid_constant__" => {}
                "thread_local" | "mutable" => {
                    return Err(self.unsupported(token.span, &format!("`{}`", token.text)));
                }
                "friend" | "virtual" => {
                    return Err(self.unsupported(token.span, &format!("`{}`", token.text)));
                }
                _ => return Ok(storage),
            }
            self.next();
        }
    }

    /// `(16)` or `(float4)` behind `__align__` or `alignas`.
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

    /// `( .. )`, whatever is inside.
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
            ..storage
        };
        let first = self.declarator(base.clone(), storage)?;
        self.more_variables(base, storage, first)
    }

    /// The same in a `for`, where a `:` would make it a range.
    pub(super) fn variables_or_range(&mut self) -> Parsed<Vec<VarDecl>> {
        let storage = self.storage()?;
        let base = self.type_specifier()?;
        let first = self.declarator(base.clone(), storage)?;
        if self.is(":") {
            let span = self.span();
            return Err(self.unsupported(span, "range-based `for`"));
        }
        self.more_variables(base, storage, first)
    }

    /// The rest of a declaration behind its first variable.
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

    /// One name with its pointers, lengths and value.
    pub(super) fn declarator(&mut self, base: TypeExpr, storage: Storage) -> Parsed<VarDecl> {
        let ty = self.pointers(base)?;
        if self.is("[") && matches!(ty.kind, TypeKind::Auto | TypeKind::Reference(_)) {
            let span = self.span();
            return Err(self.unsupported(span, "structured bindings"));
        }
        if self.is("(") && (self.ahead(1).is("*") || self.ahead(1).is("&")) {
            return self.inner_declarator(ty, storage);
        }
        let (name, span) = self.name("a name")?;
        let ty = self.array_suffix(ty)?;
        self.declare(&name, Meaning::Other);
        let init = self.initializer()?;
        Ok(VarDecl { name, span, ty, storage, align: self.align.clone(), init })
    }

    /// `float (*rows)[32]`, `int (&all)[4]`.
    fn inner_declarator(&mut self, base: TypeExpr, storage: Storage) -> Parsed<VarDecl> {
        let open = self.next().span;
        let sign = self.next();
        let (name, span) = self.name("a name")?;
        self.close(")", open)?;
        if self.is("(") {
            let at = self.span();
            return Err(self.unsupported(at, "pointers to functions"));
        }
        let array = self.array_suffix(base)?;
        let at = array.span;
        let inner = Box::new(array);
        let kind = if sign.is("*") { TypeKind::Pointer(inner) } else { TypeKind::Reference(inner) };
        let ty = TypeExpr { kind, constant: false, volatile: false, span: at };
        self.declare(&name, Meaning::Other);
        let init = self.initializer()?;
        Ok(VarDecl { name, span, ty, storage, align: self.align.clone(), init })
    }

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
            | "inline"
            | "__inline__"
            | "__forceinline__"
            | "__noinline__"
            | "register"
            | "__align__"
            | "alignas"
            | "__managed__"
            | "thread_local"
    )
}
