//! A `::` before a name: what is declared at file level is meant.
//!
//! Most of the parser asks whether an identifier comes next. So a leading `::` is joined with the
//! identifier behind it into one token, `::f`, before anything is parsed. Only the tokens before it
//! tell it from the `::` behind a class: `return ::f()` and `S ::f()`.

use super::super::name::Name;
use super::super::token::{Kind, Token};
use super::is_keyword;

/// The identifier of a token `::f`.
pub(super) fn without_root(text: Name) -> Option<Name> {
    text.strip_prefix("::").filter(|rest| !rest.is_empty()).map(Name::new)
}

/// The tokens with each leading `::` and its name as one. Before `new` and its like it is left out;
/// `::operator new` is one name.
pub(super) fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    // The open parentheses: whether a type may end with the one that closes it.
    let mut open = Vec::new();
    let mut of_type = false;
    let mut header = TemplateHeader::default();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(mut token) = tokens.next() {
        let named = token.is("::") && tokens.peek().is_some_and(|next| next.kind == Kind::Ident);
        let begins = header.ends_before(&token, open.len());
        if named && (begins || !out.last().is_some_and(|last| qualifies(last, &token, of_type))) {
            let Some(name) = tokens.next() else { break };
            let memory = |next: &&Token| next.is_word("new") || next.is_word("delete");
            let (text, span) = match tokens.peek().filter(memory) {
                Some(word) if name.is_word("operator") => {
                    // `::operator new(n)` in a class with its own.
                    let (word, end) = (word.text, word.span);
                    tokens.next();
                    let array = tokens.peek().is_some_and(|next| next.is("["));
                    let brackets = if array { "[]" } else { "" };
                    tokens.by_ref().take(brackets.len()).for_each(drop);
                    (format!("::operator {word}{brackets}"), end)
                }
                _ if is_keyword(&name.text) => (name.text.to_string(), name.span),
                _ => (format!("::{}", name.text), name.span),
            };
            token =
                Token { kind: Kind::Ident, text: text.into(), span: token.span.to(span), ..token };
        }
        if token.is("(") {
            open.push(out.last().is_some_and(gives_type));
        } else if token.is(")") {
            of_type = open.pop().unwrap_or_default();
        }
        out.push(token);
    }
    out
}

/// The parameters of a template, `template <typename T>`: what follows them is no member of a class.
#[derive(Default)]
struct TemplateHeader {
    /// The open angle brackets, and the parentheses that were open before them.
    open: Option<(usize, usize)>,
    ended: bool,
}

impl TemplateHeader {
    /// Whether the parameters end just before this token.
    fn ends_before(&mut self, token: &Token, parentheses: usize) -> bool {
        let ended = std::mem::take(&mut self.ended);
        if token.is_word("template") {
            self.open = Some((0, parentheses));
        } else if let Some((angles, outside)) = self.open
            && parentheses == outside
        {
            let left = match &*token.text {
                "<" => angles + 1,
                ">" | ">>" => angles.saturating_sub(token.text.len()),
                _ => angles,
            };
            self.ended = left == 0 && angles > 0;
            // `template` before a name, as in `x.template f<int>()`, has no parameters.
            self.open = (left > 0).then_some((left, outside));
        }
        ended
    }
}

/// Whether `token`, a `::`, belongs to the class or namespace that ends with the token before it.
fn qualifies(before: &Token, token: &Token, of_type: bool) -> bool {
    match before.kind {
        Kind::Ident => {
            let specifier = before.text.starts_with("__") && before.text.ends_with("__")
                || ["throw", "co_return", "co_yield", "co_await", "__forceinline"]
                    .iter()
                    .any(|word| before.is_word(word));
            !is_keyword(&before.text) && !specifier
        }
        Kind::Punct if before.is(")") => of_type,
        // `S<int>::f`, but `a > ::b`.
        Kind::Punct if before.is(">") || before.is(">>") => !(before.spaced && token.spaced),
        _ => false,
    }
}

/// Whether a word and the parentheses behind it are a type.
fn gives_type(word: &Token) -> bool {
    super::type_words::is_type_of(&word.text)
}
