//! The preprocessor: conditional inclusion, `#include` and macro expansion, on streams of tokens.
//!
//! A token from a macro's body gets the source place of the macro's use; a token from a macro's
//! argument keeps its own. So a place that a message or a counter names is always in the reader's
//! text.
//!
//! `#include` finds the files that the caller supplied ([`include`]) and the headers that are built
//! in ([`headers`]). Any other header is an error.

mod budget;
mod condition;
mod expand;
mod include;
mod pack;

pub(super) use budget::MAX_TOKENS;
pub(super) use pack::PACK;

use super::headers;
use super::lexer::lex;
use super::sides::ARCH;
use super::token::{Kind, Name, Token};
use crate::diagnostic::{Diagnostic, Sources, Span};
use crate::environment::{Files, HostEnvironment, Include};
use budget::Budget;
use expand::{Macro, Replacement};
use pack::Pack;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The macros that are defined, by name.
pub(super) type Macros = HashMap<Name, Rc<Macro>>;

/// Preprocesses the prelude; returns its tokens and the macros that it defines.
pub(super) fn prelude(
    environment: Option<&'static HostEnvironment>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Token>, Macros) {
    let mut it = Preprocessor::new(Sources::default(), environment, Macros::new(), diagnostics);
    for text in headers::prelude(environment) {
        let tokens = lex(Span::BUILT_IN.file, text, it.diagnostics);
        it.file(tokens, 0);
    }
    (ended(it.out, Span::BUILT_IN), it.macros)
}

/// Preprocesses a unit (the root of `sources`) with the prelude's `macros` defined. Returns its
/// tokens, and where those of each of a program's files begin.
pub(super) fn preprocess(
    sources: &Sources,
    environment: Option<&'static HostEnvironment>,
    macros: Macros,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Token>, Vec<usize>) {
    let mut it = Preprocessor::new(sources.clone(), environment, macros, diagnostics);
    let own = headers::WHERE_NAMED.iter().map(|(begin, text)| (std::slice::from_ref(begin), *text));
    let of_host = environment.into_iter().flat_map(|host| host.where_named.iter().copied());
    for (words, text) in own.chain(of_host) {
        let named = |of: &str| words.iter().any(|word| of.contains(word));
        if sources.files().iter().any(|(_, of)| named(of)) {
            let tokens = lex(Span::BUILT_IN.file, text, it.diagnostics);
            it.file(tokens, 0);
        }
    }
    let end = it.unit();
    if it.misses_header {
        // What it would declare is not known: the errors that follow would be wrong.
        return (ended(Vec::new(), end), Vec::new());
    }
    (ended(it.out, end), it.starts)
}

/// Preprocesses a unit to find out what it includes.
pub(super) fn load(
    unit: Sources,
    environment: Option<&'static HostEnvironment>,
    macros: &Macros,
    files: &mut dyn Files,
) -> Sources {
    let mut unheard = Vec::new();
    // The program's own files have their numbers already.
    let mut found = HashMap::new();
    let root = unit.root();
    for number in root..=root + unit.units() {
        let name = unit.name(number);
        let (name, from) = match number == root {
            true => (name.rsplit('/').next().unwrap_or(name), name),
            false => (name, unit.name(root)),
        };
        if let Ok(Some(file)) = files.find(&Include { name, quoted: true, from }) {
            found.insert(file.identity, number);
        }
    }
    let mut it = Preprocessor::new(unit, environment, macros.clone(), &mut unheard);
    it.files = Some(files);
    it.found = found;
    it.unit();
    let Preprocessor { sources, files, found, diagnostics, .. } = it;
    let Some(macros) = for_the_host(&sources, environment, macros) else { return sources };
    let mut it = Preprocessor::new(sources, environment, macros, diagnostics);
    it.files = files;
    it.found = found;
    it.unit();
    it.sources
}

/// The macros of the pass for host code, if the program names what only device code sees.
pub(super) fn for_the_host(
    sources: &Sources,
    environment: Option<&'static HostEnvironment>,
    macros: &Macros,
) -> Option<Macros> {
    environment?;
    sources.files().iter().any(|(_, text)| text.contains(ARCH)).then(|| {
        let mut macros = macros.clone();
        macros.remove(&Name::new(ARCH));
        macros
    })
}

/// The tokens as the parser takes them, with [`Kind::End`] behind them.
fn ended(out: Vec<Token>, span: Span) -> Vec<Token> {
    let mut out: Vec<Token> = out.into_iter().map(Token::plain).collect();
    out.push(Token { kind: Kind::End, text: "".into(), span, first: true, spaced: true });
    out
}

struct Preprocessor<'a> {
    sources: Sources,
    /// Where headers are looked up, while they are gathered.
    files: Option<&'a mut dyn Files>,
    /// The files that were found so far, by identity.
    found: HashMap<String, u32>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// An `#include` names no header that there is.
    misses_header: bool,
    macros: Macros,
    /// Files with `#pragma once` that were included.
    once: HashSet<u32>,
    /// The texts of built-in headers that were included: each is included once.
    toolkit: HashSet<&'static str>,
    /// Those that an earlier file of the program included: they define their macros again, and
    /// declare nothing.
    declared: HashSet<&'static str>,
    /// Where the tokens of each of a program's files begin.
    starts: Vec<usize>,
    out: Vec<Token>,
    budget: Budget,
    pack: Pack,
    /// How often `__COUNTER__` was named.
    counted: u32,
    /// The macro of the text that is being expanded, and its place.
    expanding: Option<(Name, Span)>,
    /// The host's headers, if the unit is a program.
    environment: Option<&'static HostEnvironment>,
}

/// One `#if` that is still open.
struct Branch {
    /// Whether the enclosing text is live, that is, not skipped.
    outer: bool,
    /// Whether an arm was taken already.
    taken: bool,
    /// Whether this arm is live.
    live: bool,
    /// Whether `#else` was seen.
    last: bool,
    span: Span,
}

impl<'a> Preprocessor<'a> {
    fn new(
        sources: Sources,
        environment: Option<&'static HostEnvironment>,
        macros: Macros,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Preprocessor<'a> {
        Preprocessor {
            counted: 0,
            sources,
            files: None,
            found: HashMap::new(),
            diagnostics,
            misses_header: false,
            macros,
            once: HashSet::new(),
            toolkit: HashSet::new(),
            declared: HashSet::new(),
            starts: Vec::new(),
            out: Vec::new(),
            budget: Budget::default(),
            pack: Pack::default(),
            expanding: None,
            environment,
        }
    }

    /// Preprocesses the unit; returns the place of its end.
    fn unit(&mut self) -> Span {
        let sources = self.sources.clone();
        let file = sources.root();
        let text = sources.files().get(file as usize).map_or("", |f| f.1.as_str());
        let tokens = lex(file, text, self.diagnostics);
        let end = Span { file, start: text.len() as u32, end: text.len() as u32 };
        drop(sources);
        self.file(tokens, 1);
        end
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error("preprocessor", span, message));
    }

    /// Preprocesses one file's tokens into `self.out`.
    fn file(&mut self, tokens: Vec<Token>, depth: usize) {
        let mut branches: Vec<Branch> = Vec::new();
        let mut at = 0;
        while tokens[at].kind != Kind::End && !self.budget.spent {
            let live = branches.last().is_none_or(|b| b.live);
            if tokens[at].first && tokens[at].is("#") {
                let end = line_end(&tokens, at + 1);
                self.directive(&tokens[at..end], &mut branches, depth);
                at = end;
            } else if live {
                // Text up to the next directive is expanded as a whole, because a macro's arguments
                // may span lines.
                let mut end = at;
                while tokens[end].kind != Kind::End && !(tokens[end].first && tokens[end].is("#")) {
                    end += 1;
                }
                let expanded = self.expand(tokens[at..end].to_vec());
                self.out.extend(self.pack.packed(expanded));
                self.count(self.out.len(), tokens[at].span);
                at = end;
            } else {
                at = line_end(&tokens, at + 1);
            }
        }
        if self.budget.spent {
            return;
        }
        for open in branches {
            self.diagnostics.push(
                Diagnostic::error("preprocessor", open.span, "this condition is never closed")
                    .with_help("end it with `#endif`"),
            );
        }
    }

    /// Executes a directive; `line` holds its tokens from the `#` to the end of the line.
    fn directive(&mut self, line: &[Token], branches: &mut Vec<Branch>, depth: usize) {
        let Some(word) = line.get(1) else { return };
        let span = line[0].span.to(word.span);
        let rest = &line[2..];
        let live = branches.last().is_none_or(|b| b.live);
        match &*word.text {
            "if" | "ifdef" | "ifndef" => {
                let taken = live
                    && match &*word.text {
                        "if" => self.condition(span, rest),
                        "ifdef" => self.is_defined(span, rest),
                        _ => !self.is_defined(span, rest),
                    };
                branches.push(Branch { outer: live, taken, live: taken, last: false, span });
            }
            "elif" | "else" => {
                let Some(top) = branches.last() else {
                    return self.error(span, format!("`#{}` without `#if`", word.text));
                };
                if top.last {
                    return self.error(span, format!("`#{}` after `#else`", word.text));
                }
                let (outer, taken) = (top.outer, top.taken);
                let last = &*word.text == "else";
                let now = outer && !taken && (last || self.condition(span, rest));
                if let Some(top) = branches.last_mut() {
                    *top = Branch { outer, taken: taken || now, live: now, last, span: top.span };
                }
            }
            "endif" => {
                if branches.pop().is_none() {
                    self.error(span, "`#endif` without `#if`");
                }
            }
            _ if !live => {}
            "define" => self.define(span, rest),
            "undef" => match rest.first() {
                Some(name) if name.kind == Kind::Ident => {
                    self.macros.remove(&name.text);
                }
                _ => self.error(span, "`#undef` needs a macro's name"),
            },
            "include" => self.include(span, rest, depth),
            "error" => {
                let all = self.words(rest);
                self.error(span, format!("#error {all}"));
            }
            "warning" => {
                let all = self.words(rest);
                self.diagnostics.push(Diagnostic {
                    severity: crate::Severity::Warning,
                    ..Diagnostic::error("preprocessor", span, all)
                });
            }
            "pragma" => self.pragma(span, rest),
            "line" => {}
            other => {
                let message = format!("unknown directive `#{other}`");
                self.error(span, message);
            }
        }
    }

    /// The source text of these tokens.
    fn words(&self, rest: &[Token]) -> String {
        match (rest.first(), rest.last()) {
            (Some(a), Some(b)) => self.sources.text(a.span.to(b.span)).to_string(),
            _ => String::new(),
        }
    }

    fn is_defined(&mut self, span: Span, rest: &[Token]) -> bool {
        match rest.first() {
            Some(name) if name.kind == Kind::Ident => self.knows(name),
            _ => {
                self.error(span, "expected a macro's name");
                false
            }
        }
    }

    /// Pragmas that change no result are ignored, and of unknown ones there is a warning, as by nvcc.
    fn pragma(&mut self, span: Span, rest: &[Token]) {
        match rest.first().map(|t| &*t.text) {
            Some("once") => {
                self.once.insert(span.file);
            }
            Some("pack") => {
                if let Err(why) = self.pack.pragma(&rest[1..]) {
                    self.error(span, why);
                }
            }
            Some("unroll" | "nounroll" | "nv_diagnostic" | "GCC" | "clang") | None => {}
            // These select the compiler's warnings.
            Some(what) if what.starts_with("nv_diag_") || what.starts_with("diag_") => {}
            // OpenMP's directives may be ignored: a team of one thread computes the same result.
            Some(
                "omp"
                | "warning"
                | "message"
                | "region"
                | "endregion"
                | "STDC"
                | "hd_warning_disable"
                | "nv_exec_check_disable"
                | "comment",
            ) if self.environment.is_some() => {}
            Some(other) => {
                let message = format!("`#pragma {other}` is not known, and does nothing");
                self.diagnostics.push(Diagnostic {
                    severity: crate::Severity::Warning,
                    ..Diagnostic::error("lint-pragma", span, message)
                });
            }
        }
    }

    fn define(&mut self, span: Span, rest: &[Token]) {
        let Some(name) = rest.first().filter(|t| t.kind == Kind::Ident) else {
            return self.error(span, "`#define` needs a name");
        };
        let mut parameters = None;
        let mut variadic = false;
        let mut at = 1;
        if rest.get(1).is_some_and(|t| t.is("(") && !t.spaced) {
            let mut names: Vec<Name> = Vec::new();
            at = 2;
            loop {
                match rest.get(at) {
                    Some(t) if t.is(")") => break,
                    Some(t) if t.is(",") => {}
                    Some(t) if t.is("...") => {
                        variadic = true;
                        // `args...` is called `args`; a plain `...` is called `__VA_ARGS__`.
                        if !rest.get(at - 1).is_some_and(|t| t.kind == Kind::Ident) {
                            names.push("__VA_ARGS__".into());
                        }
                    }
                    Some(t) if t.kind == Kind::Ident => names.push(t.text),
                    _ => {
                        let message =
                            format!("the parameters of macro `{}` have no end", name.text);
                        return self.error(name.span, message);
                    }
                }
                at += 1;
            }
            at += 1;
            parameters = Some(names);
        }
        let body: Vec<Token> = rest[at..].to_vec();
        let replacement = match &*name.text {
            "__LINE__" => Replacement::Line,
            "__FILE__" => Replacement::File,
            "__COUNTER__" => Replacement::Counter,
            _ => Replacement::Tokens(body),
        };
        let known = self.macros.get(&name.text).is_some_and(|known| known.built_in);
        let built_in = known || span.file == Span::BUILT_IN.file;
        let defined = Macro { parameters, variadic, replacement, built_in };
        self.macros.insert(name.text, Rc::new(defined));
    }
}

/// The index of the first token at or after `from` that begins a line.
fn line_end(tokens: &[Token], from: usize) -> usize {
    let more = |t: &&Token| t.kind != Kind::End && !t.first;
    from + tokens[from..].iter().take_while(more).count()
}
