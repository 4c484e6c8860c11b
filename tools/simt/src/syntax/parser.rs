//! A recursive-descent parser: tokens to trees.
//!
//! C++ cannot be parsed without knowing which names are types and which are templates, so the
//! parser has a symbol table per scope with only that ([`Meaning`]). It decides between a type, a
//! declaration and an expression by unbounded lookahead, in functions that consume no tokens.
//!
//! An error is reported once, at the token where it shows. The parser then skips to the end of the
//! statement or declaration and continues (panic mode), so that one run reports several errors.

mod alias;
mod assembly;
mod bases;
mod class;
mod concepts;
mod declarator;
mod enumeration;
mod expr;
mod function;
mod global_names;
mod item;
mod lambda;
mod member_access;
mod member_pointers;
mod member_templates;
mod member_types;
mod namespace;
mod outside;
mod pack;
mod primary;
mod stmt;
mod type_words;
mod types;
mod typo_correction;
mod variadic;

use super::ast::{Expr, Item, TypeConstraint};
use super::name::{Name, Path};
use super::token::{Kind, Token};
use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The limit of nested brackets, blocks and operators.
const MAX_DEPTH: usize = 128;

/// The limit of the parts of a qualified name.
const MAX_SEGMENTS: usize = 64;

/// The parser stops after this number of errors.
const MAX_ERRORS: usize = 20;

type Parsed<T> = Result<T, Reported>;

/// What a name denotes, as far as the grammar depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Type,
    TemplateType,
    TemplateFunction,
    Concept,
    /// A variable, a parameter or a field. In a class its name has the meaning `Other` for what is
    /// derived from it.
    Variable,
    Other,
}

/// The types of C that need no declaration; they are in `std`, too.
const STD_TYPES: [&str; 31] = [
    "nullptr_t",
    "int16_t",
    "uint16_t",
    "intptr_t",
    "intmax_t",
    "uintmax_t",
    "int_least8_t",
    "int_least16_t",
    "int_least32_t",
    "int_least64_t",
    "int_fast8_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "uint_least8_t",
    "uint_least16_t",
    "uint_least32_t",
    "uint_least64_t",
    "uint_fast8_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "size_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "int8_t",
    "uint8_t",
    "ptrdiff_t",
    "uintptr_t",
];

/// Other types that need no declaration.
const BUILTIN_TYPES: [&str; 49] = [
    "dim3",
    "char1",
    "char2",
    "char3",
    "char4",
    "uchar1",
    "uchar2",
    "uchar3",
    "uchar4",
    "short1",
    "short2",
    "short3",
    "short4",
    "ushort1",
    "ushort2",
    "ushort3",
    "ushort4",
    "int1",
    "int2",
    "int3",
    "int4",
    "uint1",
    "uint2",
    "uint3",
    "uint4",
    "long1",
    "long2",
    "long3",
    "long4",
    "ulong1",
    "ulong2",
    "ulong3",
    "ulong4",
    "longlong1",
    "longlong2",
    "longlong3",
    "longlong4",
    "ulonglong1",
    "ulonglong2",
    "ulonglong3",
    "ulonglong4",
    "float1",
    "float2",
    "float3",
    "float4",
    "double1",
    "double2",
    "double3",
    "double4",
];

/// The symbol table at file level.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    meanings: HashMap<Path, Meaning>,
    types_inside: HashMap<Path, Rc<HashSet<Name>>>,
    method_templates: HashSet<Name>,
    templates_inside: HashSet<Path>,
    /// Whether a function without execution space specifiers has both.
    pub(super) both_sides: bool,
}

/// The symbol table of the built-in types.
pub(super) fn types() -> Names {
    let spaces = [Path::from("std"), Path::from("cuda").join("std".into())];
    let plain = STD_TYPES.iter().chain(&BUILTIN_TYPES).map(|n| Path::from(*n));
    let in_std = spaces.iter().flat_map(|std| STD_TYPES.iter().map(|n| std.join((*n).into())));
    let meanings = plain.chain(in_std).map(|path| (path, Meaning::Type)).collect();
    Names { meanings, ..Names::default() }
}

/// A unit that was parsed.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) items: Vec<Item>,
    /// The symbol table after them.
    pub(super) names: Names,
    pub(super) tokens: Vec<Token>,
    /// The tokens of each item.
    pub(super) places: Vec<std::ops::Range<usize>>,
}

impl Tree {
    /// The texts of some of its tokens.
    pub(super) fn words(&self, at: std::ops::Range<usize>) -> impl Iterator<Item = &str> {
        self.tokens[at].iter().map(|token| &*token.text)
    }
}

/// Parses a unit, with `names` declared already. `tokens` ends with [`Kind::End`].
pub(super) fn parse(tokens: Vec<Token>, names: Names, diagnostics: &mut Vec<Diagnostic>) -> Tree {
    let mut parser = Parser {
        tokens: global_names::joined(tokens),
        at: 0,
        depth: 0,
        errors: 0,
        align: None,
        both_sides: names.both_sides,
        c_linkage: false,
        namespaces: Vec::new(),
        opened: HashSet::new(),
        inline_spaces: HashSet::new(),
        using: Vec::new(),
        functions: 0,
        body_of: None,
        scopes: vec![names.meanings],
        types_inside: names.types_inside,
        members_of: HashMap::new(),
        inherited: 0,
        scopes_of_members: HashMap::new(),
        members_elsewhere: HashMap::new(),
        raw_literals: HashSet::new(),
        cooked_literals: HashSet::new(),
        method_templates: names.method_templates,
        templates_inside: names.templates_inside,
        announced: Vec::new(),
        enumerators: HashMap::new(),
        wrong_aliases: HashSet::new(),
        constrained: Vec::new(),
        template_argument: None,
        closed: Vec::new(),
        places: Vec::new(),
        diagnostics,
    };
    let mut items = Vec::new();
    match long_name(&parser.tokens) {
        Some(span) => {
            let _: Reported =
                parser.error(span, format!("a name of more than {MAX_SEGMENTS} parts"));
        }
        None => parser.items(&mut items, false),
    }
    let names = Names {
        meanings: parser.scopes.into_iter().next().unwrap_or_default(),
        types_inside: parser.types_inside,
        method_templates: parser.method_templates,
        templates_inside: parser.templates_inside,
        both_sides: parser.both_sides,
    };
    Tree { items, names, tokens: parser.tokens, places: parser.places }
}

/// Where a name has more than [`MAX_SEGMENTS`] parts: paths and their parsers are recursive.
fn long_name(tokens: &[Token]) -> Option<Span> {
    let mut segments = 0;
    for token in tokens {
        match token.kind {
            Kind::Ident => {}
            _ if token.is("::") => segments += 1,
            _ => segments = 0,
        }
        if segments > MAX_SEGMENTS {
            return Some(token.span);
        }
    }
    None
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    errors: usize,
    /// The alignment among the specifiers of the declaration being parsed.
    align: Option<Expr>,
    /// Whether a function without execution space specifiers has both.
    both_sides: bool,
    /// Whether the declarations are those of `extern "C"`.
    c_linkage: bool,
    /// The open namespaces by their whole paths, the innermost last.
    namespaces: Vec<Path>,
    /// All namespaces that were opened so far.
    opened: HashSet<Path>,
    /// The inline namespaces, which are not among them.
    inline_spaces: HashSet<Name>,
    /// The `using` declarations and directives in effect, the latest last.
    using: Vec<namespace::Using>,
    /// The number of enclosing functions and classes: a name declared in one is in no namespace.
    functions: usize,
    /// The innermost function whose body is being parsed, and the bracket that opens it.
    body_of: Option<(Path, Span)>,
    /// The symbol tables of the open scopes, the innermost last.
    scopes: Vec<HashMap<Path, Meaning>>,
    /// The names of the types inside each class, which an alias or a derived class shares.
    types_inside: HashMap<Path, Rc<HashSet<Name>>>,
    /// Names that a `using` declaration brought into a namespace, and what they refer to.
    members_elsewhere: HashMap<Path, Path>,
    /// The names of each class's members: they hide names outside it.
    members_of: HashMap<Path, Vec<Name>>,
    /// The names that classes have from their bases, counted for each class.
    inherited: usize,
    /// The scope of a class for its members that are defined outside it, and the number of types in
    /// the class when it was made.
    scopes_of_members: HashMap<Path, (usize, HashMap<Path, Meaning>)>,
    /// The literal operators that take a number as it is written, `operator""_x(const char*)`, and
    /// those that take its value.
    raw_literals: HashSet<Path>,
    cooked_literals: HashSet<Path>,
    /// Methods that are templates, so that the `<` of `x.f<int>()` is not less-than.
    method_templates: HashSet<Name>,
    /// Class templates and alias templates inside classes, for `S::T<int>`.
    templates_inside: HashSet<Path>,
    /// Structs that the item being parsed declares by naming them (`struct S* p;`). They are
    /// inserted before it.
    announced: Vec<Item>,
    /// The names in each enumeration.
    enumerators: HashMap<Path, Vec<Name>>,
    /// Aliases whose type is wrong, which was reported: what is inside of them is not known.
    wrong_aliases: HashSet<Name>,
    /// The concepts before an `auto`, by the place of the whole type.
    constrained: Vec<(Span, TypeConstraint)>,
    /// Where the template argument that is being parsed begins: outside brackets a `>` ends it.
    template_argument: Option<usize>,
    /// Token ranges whose packs an enclosing pack expansion does not expand.
    closed: Vec<std::ops::Range<usize>>,
    /// The tokens of each item at namespace scope.
    places: Vec<std::ops::Range<usize>>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Parser<'_> {
    /// The next token.
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    /// The token `by` places after the next one.
    fn ahead(&self, by: usize) -> &Token {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.peek().span
    }

    /// The span of the token before this one.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn at_end(&self) -> bool {
        self.peek().kind == Kind::End || self.errors >= MAX_ERRORS
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn is(&self, punct: &str) -> bool {
        self.peek().is(punct)
    }

    fn is_word(&self, word: &str) -> bool {
        self.peek().is_word(word)
    }

    /// Consumes `punct` if it is next.
    fn eat(&mut self, punct: &str) -> bool {
        let hit = self.is(punct);
        if hit {
            self.next();
        }
        hit
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let hit = self.is_word(word);
        if hit {
            self.next();
        }
        hit
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        // A second error of the same kind at the same place is not shown.
        if self
            .diagnostics
            .last()
            .is_none_or(|d| d.span != diagnostic.span || d.code != diagnostic.code)
        {
            self.diagnostics.push(diagnostic);
        }
        self.errors += 1;
        Reported
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error("syntax", span, message))
    }

    fn unsupported(&mut self, span: Span, construct: &str) -> Reported {
        self.report(Diagnostic::unsupported(span, construct))
    }

    /// Reports that `what` is expected here.
    fn expected(&mut self, what: &str) -> Reported {
        let found = self.peek().describe();
        let span = self.span();
        self.error(span, format!("expected {what}, found {found}"))
    }

    /// Consumes `punct`, or reports that it is missing.
    fn expect(&mut self, punct: &str) -> Parsed<Span> {
        if self.is(punct) {
            return Ok(self.next().span);
        }
        if punct == ";" {
            // The place to write it is after the previous token.
            let found = self.peek().describe();
            let before = self.last_span();
            let place = Span { start: before.end.saturating_sub(1).max(before.start), ..before };
            let diagnostic = Diagnostic::error(
                "syntax",
                place,
                format!("expected `;` after this, found {found}"),
            )
            .with_help(self.instead_of_semicolon());
            return Err(self.report(diagnostic));
        }
        Err(self.expected(&format!("`{punct}`")))
    }

    /// Consumes the bracket that closes the one at `open`.
    fn close(&mut self, punct: &str, open: Span) -> Parsed<Span> {
        if self.is(punct) {
            return Ok(self.next().span);
        }
        let found = self.peek().describe();
        let diagnostic =
            Diagnostic::error("syntax", self.span(), format!("expected `{punct}`, found {found}"))
                .with_label(open, "to close this");
        Err(self.report(match punct {
            ">>>" => diagnostic.with_help(typo_correction::LAUNCH),
            _ => diagnostic,
        }))
    }

    /// Consumes an identifier; `what` describes it in an error.
    fn name(&mut self, what: &str) -> Parsed<(Name, Span)> {
        if self.peek().kind == Kind::Ident && !is_keyword(&self.peek().text) {
            let token = self.next();
            return Ok((global_names::without_root(token.text).unwrap_or(token.text), token.span));
        }
        Err(self.expected(what))
    }

    /// Runs `inner` one level deeper; an error beyond [`MAX_DEPTH`].
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.span();
            // Skip the rest: each enclosing level would report an error of its own.
            self.at = self.tokens.len() - 1;
            return Err(self.error(span, format!("nested more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Declares a name in the innermost scope.
    fn declare(&mut self, name: impl Into<Path>, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.into(), meaning);
        }
    }

    /// Looks a name up, from the innermost scope outwards.
    fn meaning(&self, name: Path) -> Meaning {
        let global = name.unrooted();
        let outwards = self.scopes.iter().rev().find_map(|s| s.get(&name));
        let found = outwards.or_else(|| self.scopes[0].get(&global));
        found.copied().unwrap_or(Meaning::Other)
    }

    /// Panic-mode recovery: skips past the next `;` or nested block, or to a `}` that closes this
    /// level.
    fn recover(&mut self) {
        let mut nesting = 0usize;
        while !self.at_end() {
            let token = self.peek();
            if token.is("{") || token.is("(") || token.is("[") {
                nesting += 1;
            } else if token.is("}") {
                if nesting == 0 {
                    return;
                }
                nesting -= 1;
                if nesting == 0 {
                    self.next();
                    return;
                }
            } else if token.is(")") || token.is("]") {
                nesting = nesting.saturating_sub(1);
            } else if token.is(";") && nesting == 0 {
                self.next();
                return;
            }
            self.next();
        }
    }
}

/// Whether a word is reserved and cannot be a name.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 76] = [
        "alignas",
        "alignof",
        "asm",
        "auto",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "constexpr",
        "const_cast",
        "continue",
        "decltype",
        "default",
        "delete",
        "do",
        "double",
        "dynamic_cast",
        "else",
        "enum",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "nullptr",
        "operator",
        "private",
        "protected",
        "public",
        "register",
        "reinterpret_cast",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "static_assert",
        "static_cast",
        "struct",
        "switch",
        "template",
        "this",
        "thread_local",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "wchar_t",
        "while",
        "__global__",
        "__device__",
        "__host__",
        "__shared__",
        "__constant__",
    ];
    KEYWORDS.contains(&word)
}
