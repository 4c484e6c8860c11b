//! Aliases of types, by recursive descent.

use super::super::ast::{Alias, Expr, Item, Prim, TemplateParam, TypeExpr, TypeKind};
use super::super::name::Path;
use super::super::token::Kind;
use super::{Meaning, Parsed, Parser};
use crate::reported::Reported;

impl Parser<'_> {
    /// `using A = T;` or `typedef T A;`
    pub(super) fn alias(
        &mut self,
        template: Vec<TemplateParam>,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let start = self.next();
        if start.is_word("using") {
            let (name, _) = self.name("a name")?;
            let name = self.whole(name);
            if self.is("[") {
                self.attribute()?;
            }
            self.expect("=")?;
            let ty = match self.defined_type(out) {
                Ok(Some(defined)) => self.pointers(defined),
                Ok(None) => self.type_name(),
                Err(Reported) => Err(Reported),
            };
            let meaning = if template.is_empty() { Meaning::Type } else { Meaning::TemplateType };
            let outer = self.scopes.len() - 1 - usize::from(!template.is_empty());
            // It is a type even if what it stands for is wrong.
            self.scopes[outer].insert(name, meaning);
            let Ok(ty) = ty else {
                self.wrong_aliases.insert(name.last());
                return Err(Reported);
            };
            self.expect(";")?;
            self.same_inside(name, &ty);
            out.push(Item::Alias(Alias { name, template, ty, align: None }));
            return Ok(());
        }
        let before = self.typedef_alignment()?;
        let base = match self.defined_type(out)? {
            Some(defined) => defined,
            None => match self.type_specifier() {
                Ok(base) => base,
                Err(Reported) => {
                    self.note_wrong_alias();
                    return Err(Reported);
                }
            },
        };
        let before = self.typedef_alignment()?.or(before);
        loop {
            let ty = self.pointers(base.clone())?;
            self.bare_name();
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
            let name = self.whole(name);
            self.declare(name, Meaning::Type);
            self.same_inside(name, &ty);
            let align = self.typedef_alignment()?.or_else(|| before.clone());
            out.push(Item::Alias(Alias { name, template: Vec::new(), ty, align }));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    /// The name before the next `;` is an alias of what is no type.
    fn note_wrong_alias(&mut self) {
        let ends = |at: &usize| {
            let token = self.ahead(*at);
            token.is(";") || token.is("}") || token.kind == Kind::End
        };
        let end = (0..).find(ends).unwrap_or_default();
        let Some(last) = end.checked_sub(1).map(|at| self.ahead(at)) else { return };
        if last.kind == Kind::Ident {
            self.wrong_aliases.insert(last.text);
        }
    }

    /// A class or an enumeration that is defined where an alias of it is: `struct S { .. }`.
    fn defined_type(&mut self, out: &mut Vec<Item>) -> Parsed<Option<TypeExpr>> {
        let start = self.span();
        let class = ["struct", "class", "union"].iter().any(|word| self.is_word(word));
        if class && self.defines_struct() {
            let made = self.structure(Vec::new())?;
            let name = made.name;
            out.push(Item::Struct(made));
            return Ok(Some(super::class::named(name, self.last_span())));
        }
        if !self.is_word("enum") || !self.defines_enum() {
            return Ok(None);
        }
        let made = self.enumeration()?;
        let name = made.name;
        out.push(Item::Enum(made));
        Ok(Some(match name.is_empty() {
            true => {
                let kind = TypeKind::Prim(Prim::Int);
                TypeExpr { kind, constant: false, volatile: false, span: start }
            }
            false => super::class::named(name, self.last_span()),
        }))
    }

    /// Any number of `__align__(16)` and `__attribute__((..))` in a `typedef`.
    fn typedef_alignment(&mut self) -> Parsed<Option<Expr>> {
        let mut align = None;
        loop {
            if self.is_word("__align__") {
                self.next();
                align = Some(self.alignment()?);
            } else if self.is_word("__attribute__") {
                self.next();
                // Compilers ignore `packed` there, and warn.
                align = self.attribute_words()?.align.or(align);
            } else {
                return Ok(align);
            }
        }
    }

    /// Gives an alias of a class the types inside the class.
    fn same_inside(&mut self, name: Path, ty: &TypeExpr) {
        if let TypeKind::Named(of, _) | TypeKind::Defaults(of) = &ty.kind
            && *of != name
            && let Some(inside) = self.types_inside.get(of).cloned()
        {
            self.types_inside.insert(name, inside);
        }
    }
}
