//! `#include`: which file is meant, and whether it is read again.
//!
//! A file has one number however its name is spelled, so `#pragma once` holds for the file. A unit
//! is preprocessed twice: first to gather what it includes, where the caller finds the files
//! ([`Files`](crate::Files)), then to compile it.

use super::super::headers;
use super::super::lexer::lex;
use super::super::token::{Kind, Token};
use super::Preprocessor;
use super::budget::MAX_DEPTH;
use crate::diagnostic::{Diagnostic, Span};
use crate::environment::{BUILT_IN_HEADER, Include};

/// Messages of a unit among which a header that is not there gets a suggestion.
const SUGGESTED: usize = 100;

impl Preprocessor<'_> {
    pub(super) fn include(&mut self, span: Span, rest: &[Token], depth: usize) {
        let rest = if rest.first().is_some_and(|t| t.kind == Kind::Ident) {
            self.expand(rest.to_vec())
        } else {
            rest.to_vec()
        };
        let Some((name, quoted)) = Preprocessor::included_name(&rest) else {
            return self.error(span, "`#include` needs a file's name");
        };
        let whole = rest.iter().fold(span, |s, t| s.to(t.span));
        match self.included(span.file, &name, quoted) {
            Err(reason) => {
                let message = format!("`{name}` is not read: {reason}");
                self.error(whole, message);
            }
            Ok(Some(file)) if self.sources.files()[file as usize].1 == BUILT_IN_HEADER => {
                self.built_in(&name, quoted, whole, depth);
            }
            Ok(Some(file)) if self.once.contains(&file) => {}
            Ok(Some(_)) if depth >= MAX_DEPTH => {
                self.stop(
                    whole,
                    format!("files include each other {MAX_DEPTH} deep"),
                    "a file that includes itself needs `#pragma once`",
                );
            }
            Ok(Some(file)) if self.is_of_program(span.file, file) => {
                self.program_file(file, whole, depth);
            }
            Ok(Some(file)) => self.found_file(file, whole, depth),
            Ok(None) => self.built_in(&name, quoted, whole, depth),
        }
    }

    /// The name in these words, and whether it stands in quotes.
    pub(super) fn included_name(words: &[Token]) -> Option<(String, bool)> {
        let first = words.first()?;
        let quoted = first.kind == Kind::Str;
        let name = if quoted {
            first.text.trim_matches('"').to_string()
        } else {
            words.iter().skip(1).take_while(|t| !t.is(">")).map(|t| &*t.text).collect()
        };
        Some((name, quoted))
    }

    /// Whether an `#include` in a file names one of the program's own.
    fn is_of_program(&self, includer: u32, file: u32) -> bool {
        let root = self.sources.root();
        includer == root && (root + 1..=root + self.sources.units()).contains(&file)
    }

    fn found_file(&mut self, file: u32, whole: Span, depth: usize) {
        let sources = self.sources.clone();
        let text = sources.files()[file as usize].1.as_str();
        if !self.read(text.len(), whole) {
            return;
        }
        let tokens = lex(file, text, self.diagnostics);
        drop(sources);
        self.file(tokens, depth + 1);
    }

    /// A file of a program of several: it sees no macros of the others, and reads its headers anew.
    fn program_file(&mut self, file: u32, whole: Span, depth: usize) {
        self.starts.push(self.out.len());
        let macros = self.macros.clone();
        self.once.clear();
        self.found_file(file, whole, depth);
        self.declared.extend(self.toolkit.drain());
        self.macros = macros;
    }

    /// The file that an `#include` in `file` means.
    pub(super) fn included(
        &mut self,
        file: u32,
        name: &str,
        quoted: bool,
    ) -> Result<Option<u32>, String> {
        let written = if quoted { format!("\"{name}\"") } else { format!("<{name}>") };
        let Some(files) = &mut self.files else { return self.sources.included(file, &written) };
        if let Some(known) = self.sources.resolved(file, &written) {
            return known.clone();
        }
        let include = Include { name, quoted, from: self.sources.name(file) };
        let included = match files.find(&include) {
            Ok(Some(found)) => match self.found.get(&found.identity) {
                Some(known) => Ok(Some(*known)),
                None => files.read(&found).map(|text| {
                    let number = self.sources.push(found.name, text);
                    self.found.insert(found.identity, number);
                    Some(number)
                }),
            },
            Ok(None) => Ok(None),
            Err(reason) => Err(reason),
        };
        self.sources.resolve(file, written, included.clone());
        included
    }

    /// A header that is built in, or none at all.
    fn built_in(&mut self, name: &str, quoted: bool, whole: Span, depth: usize) {
        if let Some(text) = headers::text(name, self.environment) {
            // A header that has two names is included once.
            if self.toolkit.insert(text) {
                let tokens = lex(Span::BUILT_IN.file, text, self.diagnostics);
                let before = self.out.len();
                self.file(tokens, depth + 1);
                if self.declared.contains(text) {
                    self.out.truncate(before);
                }
            }
            return;
        }
        let problem = if quoted {
            Diagnostic::error("preprocessor", whole, format!("no file `{name}` is found"))
                .with_help("it is looked up beside the including file, then in the folders of `-I`")
        } else {
            let refused = Diagnostic::unsupported(whole, format!("the header <{name}>"));
            let help = "put what only the host needs under `#ifndef __CUDACC_RTC__`";
            // A text may have any number of them.
            let meant = match self.diagnostics.len() {
                ..SUGGESTED => headers::meant(name, self.environment),
                _ => None,
            };
            match (meant, self.environment) {
                (Some(meant), _) => refused.with_help(format!("is <{meant}> meant?")),
                (None, None) => refused.with_help(help),
                _ => refused,
            }
        };
        self.misses_header = true;
        self.diagnostics.push(problem);
    }
}
