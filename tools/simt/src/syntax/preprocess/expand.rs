//! Macro expansion with hide sets, by the algorithm of Dave Prosser that the C standard describes
//! in prose: each token has the set of macros that produced it, and is not expanded by those again.
//!
//! Two things are simpler than in Prosser's algorithm. The hide set of a function-like macro's use
//! is that of its name, without that of its `)`. A token of an argument that has a hide set already
//! adds only this macro to it.

use super::super::lexer::lex;
use super::super::token::{Kind, Name, Token};
use super::Preprocessor;
use super::budget::MAX_NESTING;
use crate::diagnostic::{Diagnostic, Span};
use std::collections::VecDeque;
use std::rc::Rc;

/// A macro's definition.
#[derive(Debug)]
pub(in crate::syntax) struct Macro {
    /// `None` for an object-like macro.
    pub(super) parameters: Option<Vec<Name>>,
    /// Whether the last parameter takes all remaining arguments.
    pub(super) variadic: bool,
    pub(super) replacement: Replacement,
    /// Whether a header that is built in defined it, or this name before. Other macros are not
    /// expanded in those headers: they use plain names where a real library has reserved ones.
    pub(super) built_in: bool,
}

impl Macro {
    fn last_parameter(&self) -> Option<usize> {
        self.parameters.as_ref()?.len().checked_sub(1)
    }
}

/// The text that replaces a macro.
#[derive(Debug)]
pub(in crate::syntax) enum Replacement {
    Tokens(Vec<Token>),
    /// `__LINE__`.
    Line,
    /// `__FILE__`.
    File,
    /// `__COUNTER__`: another number each time.
    Counter,
}

/// A token's hide set, as a linked list whose tail is shared.
type Hidden = Option<Rc<Hide>>;

struct Hide {
    name: Name,
    rest: Hidden,
    /// The length of the list.
    length: usize,
}

/// The hide set with this macro, too. What is in it already is not added again: a token that goes
/// through millions of expansions would have a list as long, and dropping that takes all of the stack.
fn hide(name: Name, rest: Hidden) -> Hidden {
    if hides(&rest, &name) {
        return rest;
    }
    let length = 1 + rest.as_ref().map_or(0, |rest| rest.length);
    Some(Rc::new(Hide { name, rest, length }))
}

/// Whether the hide set contains this macro.
fn hides(mut hidden: &Hidden, name: &str) -> bool {
    while let Some(h) = hidden {
        if &*h.name == name {
            return true;
        }
        hidden = &h.rest;
    }
    false
}

type Queue = VecDeque<(Token, Hidden)>;

/// White space before the tokens that replace another is what was before that.
fn spaced_as(tokens: &mut Queue, replaced: &Token) {
    if let Some((first, _)) = tokens.front_mut() {
        first.spaced = replaced.spaced;
    }
}

impl Preprocessor<'_> {
    /// Expands every macro in `tokens`.
    pub(super) fn expand(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let queue: Queue = tokens.into_iter().map(|t| (t, None)).collect();
        self.expand_queue(queue, 0).into_iter().map(|(t, _)| t).collect()
    }

    /// Expands the queue: a macro's result goes back to its front, and is scanned again.
    fn expand_queue(&mut self, mut queue: Queue, depth: usize) -> Queue {
        let mut out = Queue::new();
        while let Some((token, hidden)) = queue.pop_front() {
            if self.budget.spent {
                return out;
            }
            let found = if token.kind == Kind::Ident {
                self.macros.get(&token.text).cloned()
            } else {
                None
            };
            let is_seen = |found: &Rc<Macro>| {
                (found.built_in || token.span.file != Span::BUILT_IN.file)
                    && !hides(&hidden, &token.text)
            };
            let Some(found) = found.filter(is_seen) else {
                out.push_back((token, hidden));
                continue;
            };
            let mut site = token.span;
            let arguments = match &found.parameters {
                None => Vec::new(),
                Some(names) => {
                    if !queue.front().is_some_and(|(t, _)| t.is("(")) {
                        out.push_back((token, hidden));
                        continue;
                    }
                    let Some((arguments, end)) =
                        self.arguments(&mut queue, names.len(), found.variadic)
                    else {
                        let message = format!("the call of macro `{}` is not closed", token.text);
                        self.error(token.span, message);
                        continue;
                    };
                    site = site.to(end);
                    if arguments.len() != names.len() && !(names.is_empty() && arguments.len() <= 1)
                    {
                        let message = format!(
                            "macro `{}` takes {} arguments, not {}",
                            token.text,
                            names.len(),
                            arguments.len()
                        );
                        self.error(site, message);
                        continue;
                    }
                    arguments
                }
            };
            if depth == 0 && hidden.is_none() {
                self.expanding = Some((token.text, token.span));
            }
            let hidden = hide(token.text, hidden);
            if depth + hidden.as_ref().map_or(0, |hidden| hidden.length) > MAX_NESTING {
                let message =
                    format!("macros expand inside each other more than {MAX_NESTING} deep");
                self.stop(token.span, message, "");
                return out;
            }
            let mut replaced = self.substitute(&found, &arguments, &token, site, depth);
            spaced_as(&mut replaced, &token);
            if !self.write(replaced.len()) {
                return out;
            }
            for (mut t, own) in replaced.into_iter().rev() {
                let hidden = if own.is_some() { hide(token.text, own) } else { hidden.clone() };
                t.first = false;
                queue.push_front((t, hidden));
            }
        }
        out
    }

    /// The arguments after a macro's name, and the span of the closing parenthesis. `None` if it is
    /// missing. `wanted` is the number of parameters.
    fn arguments(
        &self,
        queue: &mut Queue,
        wanted: usize,
        variadic: bool,
    ) -> Option<(Vec<Queue>, Span)> {
        queue.pop_front();
        let mut all = vec![Queue::new()];
        let mut nesting = 0;
        while let Some((token, hidden)) = queue.pop_front() {
            if token.is("(") {
                nesting += 1;
            } else if token.is(")") {
                if nesting == 0 {
                    if variadic && all.len() + 1 == wanted {
                        all.push(Queue::new());
                    }
                    return Some((all, token.span));
                }
                nesting -= 1;
            } else if token.is(",") && nesting == 0 && !(variadic && all.len() == wanted) {
                all.push(Queue::new());
                continue;
            }
            if let Some(last) = all.last_mut() {
                last.push_back((token, hidden));
            }
        }
        None
    }

    /// The macro's body with its parameters replaced, and `#` and `##` applied.
    fn substitute(
        &mut self,
        found: &Macro,
        arguments: &[Queue],
        name: &Token,
        site: Span,
        depth: usize,
    ) -> Queue {
        let body = match &found.replacement {
            Replacement::Tokens(body) => body,
            Replacement::Line => {
                let line = self.sources.position(site).line.to_string();
                let token =
                    Token { kind: Kind::Number, text: line.into(), span: site, ..name.clone() };
                return Queue::from([(token, None)]);
            }
            Replacement::Counter => {
                let text = self.counted.to_string().into();
                self.counted += 1;
                let token = Token { kind: Kind::Number, text, span: site, ..name.clone() };
                return Queue::from([(token, None)]);
            }
            Replacement::File => {
                let text = format!("{:?}", self.sources.presumed(site.file)).into();
                let token = Token { kind: Kind::Str, text, span: site, ..name.clone() };
                return Queue::from([(token, None)]);
            }
        };
        let rest = found.last_parameter().and_then(|i| arguments.get(i));
        let chosen = with_optional(body, rest.is_some_and(|rest| !rest.is_empty()));
        let body = chosen.as_deref().unwrap_or(body);
        let parameter = |t: &Token| -> Option<usize> {
            let names = found.parameters.as_ref()?;
            names.iter().position(|n| t.kind == Kind::Ident && *n == t.text)
        };
        let mut out = Queue::new();
        let mut at = 0;
        while at < body.len() {
            let token = &body[at];
            let pasted_next = body.get(at + 1).is_some_and(|t| t.is("##"));
            if token.is("#")
                && found.parameters.is_some()
                && let Some(i) = body.get(at + 1).and_then(parameter)
            {
                let mut text = String::new();
                for (t, _) in arguments.get(i).into_iter().flatten() {
                    if (t.spaced || t.first) && !text.is_empty() {
                        text.push(' ');
                    }
                    text.push_str(&t.text);
                }
                if !self.make("#", text.len(), site) {
                    return out;
                }
                let quoted = format!("{text:?}");
                let token =
                    Token { kind: Kind::Str, text: quoted.into(), span: site, ..token.clone() };
                out.push_back((token, None));
                at += 2;
            } else if token.is("##") && at + 1 < body.len() {
                let right: Queue = match parameter(&body[at + 1]) {
                    Some(i) => arguments.get(i).cloned().unwrap_or_default(),
                    None => Queue::from([(Token { span: site, ..body[at + 1].clone() }, None)]),
                };
                // `, ##__VA_ARGS__`: the comma is dropped if there are no further arguments.
                let rest = found.variadic && parameter(&body[at + 1]) == found.last_parameter();
                if rest && out.back().is_some_and(|(t, _)| t.is(",")) {
                    if right.is_empty() {
                        out.pop_back();
                    }
                    out.extend(self.expand_queue(right, depth + 1));
                    at += 2;
                    continue;
                }
                self.paste(&mut out, right, site);
                at += 2;
            } else if let Some(i) = parameter(token) {
                let argument = arguments.get(i).cloned().unwrap_or_default();
                let mut argument =
                    if pasted_next { argument } else { self.expand_queue(argument, depth + 1) };
                spaced_as(&mut argument, token);
                out.extend(argument);
                at += 1;
            } else {
                out.push_back((Token { span: site, ..token.clone() }, None));
                at += 1;
            }
        }
        out
    }

    /// `##`: joins the last token of `out` and the first of `right`.
    fn paste(&mut self, out: &mut Queue, mut right: Queue, site: Span) {
        match (out.pop_back(), right.pop_front()) {
            (Some((a, _)), Some((b, _))) => {
                if !self.make("##", a.text.len() + b.text.len(), site) {
                    return;
                }
                let text = format!("{}{}", a.text, b.text);
                let mut made = lex(0, &text, &mut Vec::new());
                made.pop();
                // A literal and the suffix of its operator are read as two.
                let suffixed = matches!(&made[..], [literal, suffix]
                    if matches!(literal.kind, Kind::Str | Kind::Char) && suffix.kind == Kind::Ident);
                if made.len() != 1 && !suffixed {
                    self.diagnostics.push(Diagnostic::error(
                        "preprocessor",
                        site,
                        format!("`##` makes `{text}`, which is not one token"),
                    ));
                }
                out.extend(made.into_iter().map(|t| (Token { span: site, ..t }, None)));
            }
            (Some(a), None) => out.push_back(a),
            (None, Some(b)) => out.push_back(b),
            (None, None) => {}
        }
        out.extend(right);
    }
}

/// A macro's body with what is in `__VA_OPT__(..)`, or without it; `None` if there is none.
fn with_optional(body: &[Token], wanted: bool) -> Option<Vec<Token>> {
    const OPTIONAL: &str = "__VA_OPT__";
    if !body.iter().any(|token| token.is_word(OPTIONAL)) {
        return None;
    }
    let mut out = Vec::new();
    let mut depth = None;
    for (i, token) in body.iter().enumerate() {
        if token.is_word(OPTIONAL) && body.get(i + 1).is_some_and(|next| next.is("(")) {
            depth = Some(0);
            continue;
        }
        let Some(inside) = depth.as_mut() else {
            out.push(token.clone());
            continue;
        };
        let begins = token.is("(") && *inside == 0;
        *inside += usize::from(token.is("("));
        *inside -= usize::from(token.is(")"));
        if *inside == 0 {
            depth = None;
        } else if wanted && !begins {
            out.push(token.clone());
        }
    }
    Some(out)
}
