//! Declarations at file level, found in tokens by their brackets.

use super::super::token::{Kind, Name, Token};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Specifiers that make a declaration local to its unit.
const LOCAL: [&str; 9] = [
    "static",
    "inline",
    "__inline__",
    "__forceinline__",
    "const",
    "constexpr",
    "__constant__",
    "__device__",
    "template",
];

/// Those of them that say it for a function.
const LINKAGE: [&str; 4] = ["static", "inline", "__inline__", "__forceinline__"];

/// Words before the rest of an operator's name.
const OPERATOR: [&str; 3] = ["operator", "new", "delete"];

/// Words before a parenthesis that holds no parameters.
const ATTRIBUTES: [&str; 5] =
    ["__align__", "alignas", "__attribute__", "__launch_bounds__", "decltype"];

/// A declaration at file level: outside all braces but those of namespaces and `extern "C"`.
#[derive(Debug)]
pub(super) struct Declaration {
    /// Its tokens, of the unit's.
    pub(super) tokens: Range<usize>,
    /// The name that it declares; of several the last one.
    pub(super) name: Name,
    /// The namespace that it is in, if that has a name.
    pub(super) namespace: Option<Name>,
    /// Whether the name is its unit's own.
    pub(super) local: bool,
    /// Whether it defines a class, a union or an enumeration.
    pub(super) of_type: bool,
    /// A function's declaration without its body.
    pub(super) prototype: bool,
    /// A function's declaration with its body.
    definition: bool,
    /// Whether it has a `static` variable inside.
    inner_static: bool,
    /// Whether two units that declare it in the same words mean one thing.
    pub(super) may_recur: bool,
    /// Whether the name is a plain one, which is written in this way only.
    pub(super) can_be_renamed: bool,
    /// Whether it is a type without a name.
    unnamed: bool,
}

/// Where a function can be called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spaces {
    host: bool,
    device: bool,
}

impl Spaces {
    /// Whether these are all of the others.
    pub(super) fn cover(self, other: Spaces) -> bool {
        (self.host || !other.host) && (self.device || !other.device)
    }
}

impl Declaration {
    /// Its words behind the name of its namespace: equal words of two namespaces declare two things.
    pub(super) fn words(&self, unit: &[Token]) -> Vec<Name> {
        let words = unit[self.tokens.clone()].iter().map(|token| token.text);
        self.namespace.into_iter().chain(words).collect()
    }

    /// Its words without execution space specifiers.
    pub(super) fn plain_words(&self, unit: &[Token]) -> Vec<Name> {
        let words = self.words(unit).into_iter();
        words.filter(|word| !matches!(&**word, "__host__" | "__device__")).collect()
    }

    /// Whether it defines an operator of its unit, outside any class.
    pub(super) fn is_operator(&self) -> bool {
        self.definition && self.local && &*self.name == "operator"
    }

    /// A function's words before its body, without execution space specifiers.
    pub(super) fn plain_head(&self, unit: &[Token]) -> Vec<Name> {
        let words = self.plain_words(unit).into_iter();
        words.take_while(|word| !matches!(&**word, "{" | ":")).collect()
    }

    /// Where a function can be called.
    pub(super) fn spaces(&self, unit: &[Token]) -> Spaces {
        let head = || unit[self.tokens.clone()].iter().take_while(|token| !token.is("{"));
        let device = head().any(|token| token.is_word("__device__"));
        Spaces { host: !device || head().any(|token| token.is_word("__host__")), device }
    }

    /// The enumerators, if this is an enumeration whose names are visible outside it.
    pub(super) fn enumerators<'u>(&self, unit: &'u [Token]) -> impl Iterator<Item = Name> + 'u {
        let tokens = &unit[self.tokens.clone()];
        let at = |word: &str| tokens.iter().position(|token| token.is(word));
        let scoped = |token: &Token| token.is_word("class") || token.is_word("struct");
        let plain = tokens.windows(2).any(|two| two[0].is_word("enum") && !scoped(&two[1]));
        let body = at("{").filter(|_| plain).map_or(&tokens[..0], |open| &tokens[open..]);
        let names = body.windows(2).filter(|two| two[0].is("{") || two[0].is(","));
        names.filter(|two| two[1].kind == Kind::Ident).map(|two| two[1].text)
    }

    /// What is before the members of a type: `struct A`, `template <> struct A<int>`.
    pub(super) fn head(&self, unit: &[Token]) -> Vec<Name> {
        if self.unnamed {
            return self.words(unit);
        }
        let words = self.words(unit).into_iter();
        words.take_while(|word| !matches!(&**word, "{" | ":")).collect()
    }
}

/// What was read of a declaration so far.
#[derive(Default)]
struct Open {
    start: usize,
    name: Option<Name>,
    /// The name follows `::`, or belongs to a specialisation.
    qualified: bool,
    local: bool,
    keyword: Option<Name>,
    is_extern: bool,
    is_static: bool,
    is_constant: bool,
    /// Whether the declared name is known: what follows is parameters, a value or members.
    named: bool,
    function: bool,
    value: bool,
    body: bool,
    /// `static` inside the body.
    inner_static: bool,
}

/// The declarations of a unit, in order. Text that is none is in no declaration.
pub(super) fn declarations(unit: &[Token]) -> Vec<Declaration> {
    let mut found = Vec::new();
    // Brackets that are open in the declaration, and the last word of what opened each namespace.
    let (mut depth, mut angles) = (0usize, 0usize);
    let mut namespaces: Vec<&Token> = Vec::new();
    let mut open = Open::default();
    let mut at = 0;
    while at < unit.len() {
        let token = &unit[at];
        let text = &*token.text;
        if depth == 0 && !open.value {
            if text == "{" && is_transparent(&unit[open.start..at]) {
                namespaces.push(&unit[at - 1]);
                at += 1;
                open = Open { start: at, ..Open::default() };
                continue;
            }
            if text == "}" {
                namespaces.pop();
                at += 1;
                open = Open { start: at, ..Open::default() };
                continue;
            }
            match text {
                "<" if open.name.is_some_and(|name| &*name != "operator") => angles += 1,
                ">" | ">>" | ">>>" => angles = angles.saturating_sub(text.len()),
                "[" if unit.get(at + 1).is_some_and(|next| next.is("[")) => {} // an attribute
                _ if angles == 0 => open.specifier(token, at.checked_sub(1).map(|b| &unit[b])),
                _ => {}
            }
        }
        match text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > 0 && token.is_word("static") {
            open.inner_static = true;
        }
        let next = unit.get(at + 1);
        let ends_body = text == "}"
            && open.body
            && !open.value
            && !next.is_some_and(|t| t.is("{") || t.is(","));
        if depth == 0 && (text == ";" || ends_body) {
            found.extend(open.declaration(at + 1, &namespaces));
            open = Open { start: at + 1, ..Open::default() };
            angles = 0;
        }
        at += 1;
    }
    follow_prototypes(unit, &mut found);
    found
}

/// What the declarations of a function say together. It is its unit's own, too, if only an earlier
/// declaration says `static` or `inline`; and it is not, whatever else its prototype says, if another
/// unit defines it. A function is known by its name: overloads share that.
fn follow_prototypes(unit: &[Token], found: &mut [Declaration]) {
    let key = |one: &Declaration| (one.namespace, one.name);
    let defined: HashSet<_> = found.iter().filter(|one| one.definition).map(key).collect();
    let mut announced = HashMap::new();
    for one in found.iter_mut().filter(|one| one.can_be_renamed) {
        if one.prototype && one.local {
            let words = &unit[one.tokens.clone()];
            let says = |of: &[&str]| words.iter().any(|token| of.contains(&&*token.text));
            if says(&LINKAGE) {
                announced.insert(key(one), says(&LINKAGE[..1]));
            } else if !defined.contains(&key(one)) {
                one.local = false;
            }
        } else if one.definition
            && !one.local
            && let Some(is_static) = announced.get(&key(one))
        {
            one.local = true;
            one.may_recur = !(*is_static && one.inner_static);
        }
    }
}

/// Whether a brace behind these tokens is a namespace's, or that of a linkage specification.
fn is_transparent(tokens: &[Token]) -> bool {
    let words = || tokens.iter().filter(|token| !token.is_word("inline"));
    words().next().is_some_and(|token| token.is_word("namespace"))
        || (words().count() == 2
            && tokens[0].is_word("extern")
            && tokens.last().is_some_and(|token| token.kind == Kind::Str))
}

impl Open {
    /// A token at file level, before the declaration's value or body.
    fn specifier(&mut self, token: &Token, before: Option<&Token>) {
        let text = &*token.text;
        match text {
            "(" if before.is_some_and(|b| ATTRIBUTES.contains(&&*b.text)) => {}
            "(" if self.keyword.is_none() || self.is_of_function() => {
                self.function |= !self.named;
                self.named = true;
            }
            // `operator=`, `operator[]`, `operator new[]`.
            "=" | "[" if before.is_some_and(|b| OPERATOR.contains(&&*b.text)) => {}
            "=" => (self.named, self.value) = (true, true),
            "[" | ":" => self.named = true,
            "{" => {
                self.body = self.function;
                self.named = true;
            }
            "struct" | "class" | "union" | "enum" | "typedef" | "using" | "static_assert"
            | "namespace"
                if !self.named =>
            {
                self.keyword.get_or_insert(token.text);
            }
            "extern" => self.is_extern = true,
            _ if token.kind == Kind::Ident && !self.named => {
                self.local |= LOCAL.contains(&text);
                self.is_static |= text == "static";
                self.is_constant |= matches!(text, "const" | "constexpr");
                self.qualified = before.is_some_and(|b| b.is("::"));
                self.name = Some(token.text);
            }
            "~" | "::" if !self.named => self.qualified = true,
            _ => {}
        }
    }

    /// `struct A f(..)`: a function, though it begins with `struct`.
    fn is_of_function(&self) -> bool {
        self.keyword.is_some_and(|word| matches!(&*word, "struct" | "class" | "union" | "enum"))
            && !self.body
    }

    fn declaration(&self, end: usize, namespaces: &[&Token]) -> Option<Declaration> {
        let name = self.name.or(self.keyword)?;
        let keyword = self.keyword.as_deref();
        let anonymous = namespaces.iter().any(|opened| opened.is_word("namespace"));
        let is_name = |opened: &Token| opened.kind == Kind::Ident && !opened.is_word("namespace");
        let innermost = namespaces.iter().rev().find(|opened| is_name(opened));
        let of_type = matches!(keyword, Some("struct" | "class" | "union" | "enum"))
            && self.named
            && !self.function
            && !self.value;
        let local = (self.local || anonymous)
            && !of_type
            && !self.is_extern
            && !self.qualified
            && !matches!(keyword, Some("typedef" | "using" | "static_assert" | "namespace"));
        let variable = keyword.is_none() && !self.function;
        let prototype = self.function && !self.body && !self.value;
        let may_recur = if variable {
            self.is_extern || self.is_constant && !self.inner_static
        } else if self.function && self.body {
            self.local && !(self.is_static && self.inner_static)
        } else {
            true
        };
        let operator = matches!(&*name, "operator" | "template" | "static" | "inline");
        Some(Declaration {
            tokens: self.start..end,
            name,
            namespace: innermost.map(|opened| opened.text),
            local,
            of_type,
            prototype,
            definition: self.function && self.body,
            inner_static: self.inner_static,
            may_recur,
            can_be_renamed: !operator && !self.qualified && self.name.is_some(),
            unnamed: self.name.is_none(),
        })
    }
}
