//! Several translation units compiled as one.
//!
//! Each unit is preprocessed by itself ([`super::preprocess`]), so a header stands in the tokens once per
//! unit that includes it. Here the units become one text, before anything is parsed:
//!
//! - what an earlier unit declares in the same words is left out: a type, a prototype, an `inline`
//!   function, a template;
//! - a name that is `static`, `inline`, a constant, a template or `__device__` is local to its unit. If
//!   an earlier unit has another local of that name, the later unit's tokens are renamed;
//! - an enumerator of a unit's own file that is called as a type is renamed, too;
//! - a type of a header that an earlier unit defines in other words is that unit's: mostly it has members
//!   under `#ifdef __CUDACC__`, and CUDA sources come first. A type of a unit's own file is renamed;
//! - so is an operator of a header, which cannot be renamed: to a C++ file it is not `__host__ __device__`.
//!
//! A variable or a function that is not local, and is defined by two units, stays there twice and is
//! reported, as by a linker.

mod declaration;

use super::ast::TranslationUnit;
use super::token::{Kind, Name, Token};
use declaration::{Declaration, Spaces, declarations};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Names that a unit has for itself, each with the namespace that it is in.
type Renamed = HashMap<Name, Option<Name>>;

/// What the units so far declare.
#[derive(Default)]
struct Known {
    /// Declarations, as their words, with the file of the first one.
    words: HashMap<Vec<Name>, u32>,
    /// The same without execution space specifiers.
    plain: HashSet<Vec<Name>>,
    /// Local names, each in its namespace.
    locals: HashSet<(Option<Name>, Name)>,
    /// Types, as the words before their members.
    types: HashSet<Vec<Name>>,
    /// Functions, as the words before their bodies, with where they can be called.
    functions: HashMap<Vec<Name>, Spaces>,
}

/// Merges units: the tokens of each begin at its place in `starts`. Files 1 to `files` are the units'
/// own; the others are headers. `seen` gets what each of several units sees: it may have that of
/// another pass over the same units.
pub(super) fn merge(
    tokens: Vec<Token>,
    starts: &[usize],
    files: u32,
    seen: &mut Vec<TranslationUnit>,
) -> Vec<Token> {
    let Some(&first) = starts.first() else { return tokens };
    let mut merged = tokens[..first].to_vec();
    let mut known = Known::default();
    let types: HashSet<Name> =
        declarations(&tokens[first..]).iter().filter(|d| d.of_type).map(|d| d.name).collect();
    if starts.len() > 1 {
        seen.resize_with(starts.len(), TranslationUnit::default);
    }
    for (number, &start) in starts.iter().enumerate() {
        // The last token ends the text.
        let end = starts.get(number + 1).copied().unwrap_or(tokens.len() - 1);
        let mut unit = tokens[start..end].to_vec();
        let all = declarations(&unit);
        let hiding = hiding(&unit, &all, &types, files);
        rename(&mut unit, &hiding, number + 1);
        let all = if hiding.is_empty() { all } else { declarations(&unit) };
        let renamed = known.conflicts(&unit, &all, files);
        rename(&mut unit, &renamed, number + 1);
        let left_out: Vec<&Range<usize>> = all
            .iter()
            .filter(|one| !renamed.contains_key(&one.name) && known.has(&unit, one, files))
            .map(|one| &one.tokens)
            .collect();
        if let Some(seen) = seen.get_mut(number) {
            known.note_seen(&unit, &all, seen);
        }
        for one in &all {
            known.add(&unit, one);
        }
        let mut at = 0;
        for range in left_out {
            merged.extend_from_slice(&unit[at..range.start]);
            at = range.end;
        }
        merged.extend_from_slice(&unit[at..]);
    }
    merged.extend(tokens.last().cloned());
    merged
}

/// The enumerators of a unit's own files that are called as a type is: there they hide it, but not
/// in the other units.
fn hiding(unit: &[Token], all: &[Declaration], types: &HashSet<Name>, files: u32) -> Renamed {
    let own = |one: &&Declaration| (1..=files).contains(&unit[one.tokens.start].span.file);
    let mut found = Renamed::new();
    for one in all.iter().filter(|one| one.of_type).filter(own) {
        let names = one.enumerators(unit).filter(|name| types.contains(name));
        found.extend(names.map(|name| (name, one.namespace)));
    }
    found
}

impl Known {
    /// The local names of a unit that mean something else than in the units before, each with the
    /// namespace that it is in.
    fn conflicts(&self, unit: &[Token], all: &[Declaration], files: u32) -> Renamed {
        let mut renamed = Renamed::new();
        // What uses a renamed name differs, too.
        loop {
            let mut words = unit.to_vec();
            rename(&mut words, &renamed, 0);
            let before = renamed.len();
            for one in all.iter().filter(|one| one.local || one.of_type) {
                let first = unit[one.tokens.start].span;
                let own = (1..=files).contains(&first.file);
                let taken = if one.of_type {
                    own && self.types.contains(&one.head(unit))
                } else {
                    // What the library's headers declare under one name are overloads.
                    !first.is_built_in() && self.locals.contains(&(one.namespace, one.name))
                };
                if taken && one.can_be_renamed && !self.has(&words, one, files) {
                    renamed.insert(one.name, one.namespace);
                }
            }
            if renamed.len() == before {
                return renamed;
            }
        }
    }

    /// Whether the declaration adds nothing to those before.
    fn has(&self, unit: &[Token], one: &Declaration, files: u32) -> bool {
        let own = (1..=files).contains(&unit[one.tokens.start].span.file);
        if one.of_type && !own && self.types.contains(&one.head(unit)) {
            return true;
        }
        let covers = |known: &Spaces| known.cover(one.spaces(unit));
        if one.is_operator() && !own {
            return self.functions.get(&one.plain_head(unit)).is_some_and(covers);
        }
        one.may_recur && self.words.contains_key(&one.words(unit))
            || one.prototype && self.plain.contains(&one.plain_words(unit))
    }

    /// Notes what a unit sees of templates.
    fn note_seen(&self, unit: &[Token], all: &[Declaration], seen: &mut TranslationUnit) {
        seen.files.extend(unit.iter().map(|token| token.span.file));
        for one in all.iter().filter(|one| !one.prototype) {
            let first = &unit[one.tokens.start];
            let of_template = first.is_word("template");
            let before = || self.words.get(&one.words(unit));
            if of_template && before().is_some_and(|file| *file != first.span.file) {
                seen.repeated.insert(one.name);
            }
        }
        let mut before = None;
        for (at, token) in unit.iter().enumerate() {
            // `template class S<int>;`, but not `extern template` and `x.template f<int>()`.
            let instantiates = token.is_word("template")
                && !unit.get(at + 1).is_some_and(|next| next.is("<"))
                && before.is_none_or(|before: &Token| {
                    !(before.is_word("extern")
                        || before.is(".")
                        || before.is("->")
                        || before.is("::"))
                });
            if instantiates {
                let words = unit[at..].iter().take_while(|token| !token.is(";"));
                seen.instantiated.extend(words.map(|token| token.text));
            }
            before = Some(token);
        }
    }

    fn add(&mut self, unit: &[Token], one: &Declaration) {
        self.words.entry(one.words(unit)).or_insert(unit[one.tokens.start].span.file);
        if one.prototype {
            self.plain.insert(one.plain_words(unit));
        }
        if one.local {
            self.locals.insert((one.namespace, one.name));
        }
        if one.of_type {
            self.types.insert(one.head(unit));
        }
        if one.is_operator() {
            self.functions.entry(one.plain_head(unit)).or_insert_with(|| one.spaces(unit));
        }
    }
}

/// Renames identifiers to be those of a unit, but not members: what follows `.`, `->` or `::`. A name
/// that follows its own namespace is renamed, and the second one in `A::A`.
fn rename(tokens: &mut [Token], names: &Renamed, unit: usize) {
    if names.is_empty() {
        return;
    }
    let empty = || Token { kind: Kind::End, text: "".into(), ..tokens[0].clone() };
    let [mut outer, mut last] = [empty(), empty()];
    for token in tokens {
        let before = token.clone();
        if token.kind == Kind::Ident
            && let Some(namespace) = names.get(&token.text)
        {
            let own = || *namespace == Some(outer.text) || outer.text == token.text;
            let member = last.is(".") || last.is("->") || last.is("::") && !own();
            if !member {
                token.text = format!("{}@{unit}", token.text).into();
            }
        }
        outer = std::mem::replace(&mut last, before);
    }
}
