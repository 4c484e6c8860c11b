//! Out-of-class definitions of members, and variable templates.

use super::super::ast::{
    BodyKind, Function, Init, Item, LaunchBounds, Noexcept, ObjectOf, Stmt, StmtKind, Storage,
    TemplateParam, TypeExpr, TypeKind, VarDecl,
};
use super::super::name::{Name, Path};
use super::super::token::Kind;
use super::{Meaning, Parsed, Parser, is_keyword};
use crate::diagnostic::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// A class in the qualified name of a member.
struct Owner {
    name: Path,
    /// Where its template arguments begin, and what is behind them: numbers of tokens from here.
    arguments: Option<usize>,
    behind: usize,
}

impl Parser<'_> {
    /// A variable template. It becomes a function template without parameters, which is called where
    /// the variable is named: its body returns the value of a constant,
    /// `template <typename T> constexpr bool v = ..;`, or else declares the variable.
    pub(super) fn variable_template(
        &mut self,
        template: Vec<TemplateParam>,
        ty: TypeExpr,
        words: Storage,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let (name, span) = self.name("a name")?;
        let name = self.whole(name);
        if self.is("<") {
            let arguments = self.template_arguments()?;
            let made = self.variable_as_function(name, span, template, ty, words)?;
            out.push(Item::Specialisation(arguments, Rc::new(made)));
            return Ok(());
        }
        if let Some(scope) = self.scopes.first_mut() {
            scope.insert(name, Meaning::TemplateFunction);
        }
        let made = self.variable_as_function(name, span, template, ty, words)?;
        out.push(Item::Function(Rc::new(made)));
        Ok(())
    }

    /// The function that a variable template is, or a specialisation of one, from behind its name on.
    pub(super) fn variable_as_function(
        &mut self,
        name: Path,
        span: Span,
        template: Vec<TemplateParam>,
        ty: TypeExpr,
        words: Storage,
    ) -> Parsed<Function> {
        self.attributes_behind()?;
        let constant = ty.constant || words.constexpr;
        let in_memory = words.device || words.constant_memory || words.managed;
        let is_value = constant && !in_memory && !self.is("[");
        let ty = self.array_suffix(ty)?;
        let init = self.initializer()?;
        self.expect(";")?;
        let at = span.to(self.last_span());
        let kind = match init {
            Init::Expr(value) if is_value => StmtKind::Return(Some(value)),
            init => {
                let (align, ty) = (self.align.take(), ty.clone());
                StmtKind::Declare(vec![VarDecl { name, span, ty, storage: words, align, init }])
            }
        };
        let body = Stmt { kind, span: at };
        let storage = Storage { constexpr: true, ..Storage::default() };
        Ok(Function {
            name,
            span,
            template,
            returns: TypeExpr { constant: false, ..ty },
            params: Vec::new(),
            body: Some(Stmt { kind: StmtKind::Block(vec![body]), span: at }),
            body_kind: BodyKind::Variable,
            member_inits: Vec::new(),
            storage,
            constant: false,
            object: ObjectOf::Any,
            variadic: None,
            bounds: LaunchBounds::default(),
            requires: None,
            noexcept: Noexcept::Unsaid,
            on_host: None,
        })
    }

    /// Whether a member's qualified name begins here: `S::f`, `S<T>::f`, `S::~S`, `S::operator+`,
    /// `S::Inner::f`.
    pub(super) fn outside_ahead(&self) -> bool {
        if self.peek().kind != Kind::Ident || is_keyword(&self.peek().text) {
            return false;
        }
        let Some(used) = self.owners_ahead().pop().map(|owner| owner.behind) else { return false };
        let member = self.ahead(used + 1);
        let after = self.ahead(used + 2);
        member.is("~")
            || member.is_word("operator")
            || (member.kind == Kind::Ident && ["(", "=", ";", "[", "{"].iter().any(|p| after.is(p)))
    }

    /// The class whose member is named here, behind the classes around it; `::` follows each of them.
    fn owners_ahead(&self) -> Vec<Owner> {
        let (name, mut behind) = self.qualified_ahead();
        if !matches!(self.meaning(name), Meaning::Type | Meaning::TemplateType) {
            return Vec::new();
        }
        let mut all: Vec<Owner> = Vec::new();
        let mut owner = name;
        loop {
            let arguments = self.ahead(behind).is("<").then_some(behind);
            if arguments.is_some() {
                behind = self.skip_arguments(behind);
            }
            if !self.ahead(behind).is("::") {
                return all;
            }
            all.push(Owner { name: owner, arguments, behind });
            let inner = self.ahead(behind + 1);
            let within = self.types_inside.get(&owner);
            if inner.kind != Kind::Ident || !within.is_some_and(|types| types.contains(&inner.text))
            {
                return all;
            }
            // A class inside another has its plain name in the tree.
            owner = inner.text.into();
            behind += 2;
        }
    }

    /// Whether `struct S<T>::Inner {` begins here.
    pub(super) fn inner_class_ahead(&mut self) -> bool {
        self.at += 1;
        let behind = self.owners_ahead().pop().map(|owner| owner.behind);
        let inner = behind.is_some_and(|behind| {
            let after = self.ahead(behind + 2);
            after.is("{") || after.is(":") || after.is_word("final")
        });
        self.at -= 1;
        inner
    }

    /// `struct S::Inner { .. };`
    pub(super) fn inner_class(
        &mut self,
        template: &[TemplateParam],
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let keyword = self.next();
        if !template.is_empty() {
            let what = "a class in a class template that is defined outside it";
            return Err(self.unsupported(keyword.span, what));
        }
        let (written, all) = self.owners()?;
        // The word stands before the class's own name from here on.
        self.at -= 1;
        self.tokens[self.at] = keyword;
        // Inside a class a name is in no namespace.
        self.functions += 1;
        let made = self.inside_classes(&all, |p| p.structure(Vec::new()));
        self.functions -= 1;
        let made = made?;
        self.expect(";")?;
        out.push(Item::Inner(written, made));
        Ok(())
    }

    /// An out-of-class definition from its specifiers on. `outer` are the template parameters of
    /// the class, `own` those of the member.
    pub(super) fn method_outside(
        &mut self,
        outer: Vec<TemplateParam>,
        own: Vec<TemplateParam>,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let (storage, _) = self.function_words()?;
        let kind = TypeKind::Prim(super::super::ast::Prim::Void);
        let void = TypeExpr { kind, constant: false, volatile: false, span: self.span() };
        if self.outside_ahead() {
            return self.member_outside(outer, own, storage, void, out);
        }
        let base = self.type_specifier()?;
        let returns = self.pointers(base)?;
        self.function_words()?;
        self.member_outside(outer, own, storage, returns, out)
    }

    /// An out-of-class definition from the class's name on.
    pub(super) fn member_outside(
        &mut self,
        outer: Vec<TemplateParam>,
        own: Vec<TemplateParam>,
        storage: Storage,
        returns: TypeExpr,
        out: &mut Vec<Item>,
    ) -> Parsed<()> {
        let (written, all) = self.owners()?;
        let Some(owner) = all.last().map(|owner| owner.name) else {
            return Err(self.expected("a class"));
        };
        // `template <class T> template <class U> void S<T>::Inner<U>::f()`
        let (mut outer, mut own) = (outer, own);
        if all.iter().filter(|class| class.arguments.is_some()).count() > 1 {
            outer.append(&mut own);
        }
        let made = self
            .inside_classes(&all, |p| p.member_itself(owner, owner.last(), own, storage, returns));
        match made? {
            Ok(function) => out.push(Item::Method(written, outer, Rc::new(function))),
            Err(variable) => out.push(Item::Static(written, outer, variable)),
        }
        Ok(())
    }

    /// `S<T>::Inner::` before the name of a member: the class as written, and all classes in it.
    fn owners(&mut self) -> Parsed<(TypeExpr, Vec<Owner>)> {
        let (at, from) = (self.span(), self.at);
        let all = self.owners_ahead();
        let mut written: Option<TypeExpr> = None;
        for class in &all {
            let mut arguments = Vec::new();
            if let Some(list) = class.arguments {
                self.at = from + list;
                arguments = self.template_arguments()?;
            }
            self.at = from + class.behind;
            let kind = match written {
                None => TypeKind::Named(class.name, arguments),
                Some(outer) => TypeKind::Member(Box::new(outer), class.name.last(), arguments),
            };
            let span = at.to(self.last_span());
            written = Some(TypeExpr { kind, constant: false, volatile: false, span });
        }
        let Some(written) = written else { return Err(self.expected("a class")) };
        self.expect("::")?;
        Ok((written, all))
    }

    /// Parses something outside these classes that sees what is in them.
    fn inside_classes<T>(
        &mut self,
        all: &[Owner],
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let (depth, spaces) = (self.scopes.len(), self.namespaces.len());
        // Names are looked up in the class's namespaces, too: `void ns::S::f(Other)`.
        let mut around: Vec<Path> =
            std::iter::successors(all.first().and_then(|class| class.name.parent()), |space| {
                space.parent()
            })
            .filter(|space| self.opened.contains(space) && !self.namespaces.contains(space))
            .collect();
        around.reverse();
        self.namespaces.append(&mut around);
        for class in all {
            let scope = self.scope_of_members(class.name);
            self.scopes.push(scope);
        }
        // What the definition declares is not the class's.
        self.scopes.push(HashMap::new());
        let made = parse(self);
        self.namespaces.truncate(spaces);
        self.scopes.truncate(depth + all.len());
        for class in all.iter().rev() {
            if let Some(scope) = self.scopes.pop() {
                let types = self.types_inside.get(&class.name).map_or(0, |types| types.len());
                self.scopes_of_members.insert(class.name, (types, scope));
            }
        }
        made
    }

    /// What is visible in the definition of a member outside its class. A class may have ten thousand of
    /// them, so the scope is kept.
    fn scope_of_members(&mut self, owner: Path) -> HashMap<Path, Meaning> {
        let inside = self.types_inside.get(&owner);
        if let Some((types, scope)) = self.scopes_of_members.remove(&owner)
            && types == inside.map_or(0, |inside| inside.len())
        {
            return scope;
        }
        let members = self.members_of.get(&owner);
        let inside = inside.into_iter().flat_map(|inside| inside.iter());
        let inside = inside.map(|n| (Path::from(n), Meaning::Type));
        let members = members.into_iter().flatten().map(|n| (Path::from(n), Meaning::Other));
        let mut scope: HashMap<_, _> = members.chain(inside).collect();
        // Inside a template its plain name denotes the instance (the injected class name).
        scope.insert(owner, Meaning::Type);
        scope
    }

    /// The member after the `S::`: a function, or a variable.
    fn member_itself(
        &mut self,
        owner: Path,
        plain: Name,
        own: Vec<TemplateParam>,
        storage: Storage,
        returns: TypeExpr,
    ) -> Parsed<Result<Function, VarDecl>> {
        let start = self.span();
        if self.eat("~") {
            let (name, at) = self.name("the struct's name")?;
            let name = format!("~{name}").into();
            let span = start.to(at);
            return Ok(Ok(self.function(name, span, own, returns, storage, None, Some(owner))?));
        }
        if self.is_word(&plain) && self.ahead(1).is("(") {
            self.next();
            return Ok(Ok(self.function(
                owner,
                start,
                own,
                returns,
                storage,
                None,
                Some(owner),
            )?));
        }
        if self.is_word("operator") && self.converts() {
            return Ok(Ok(self.conversion(own, storage, owner)?));
        }
        if self.is_word("operator") || (self.ahead(1).is("(") && !self.makes()) {
            let (name, span) = self.function_name()?;
            return Ok(Ok(self.function(
                name.into(),
                span,
                own,
                returns,
                storage,
                None,
                Some(owner),
            )?));
        }
        let (name, span) = self.name("a member's name")?;
        let ty = self.array_suffix(returns)?;
        let init = self.initializer()?;
        self.expect(";")?;
        Ok(Err(VarDecl { name: name.into(), span, ty, storage, align: None, init }))
    }
}
