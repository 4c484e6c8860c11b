//! Mutation operators of exercises beyond barriers, bounds and one swap per operator: the slips of
//! people who write CUDA.
//!
//! A mutant may fail to compile; its run says so. Not done: mutants that change two
//! places, and a narrower type for `int`, because most variables of a kernel fit into a byte.

use super::{Rule, barrier, mutant};
use crate::mutate::{Mutant, bodies};
use kernel_file::token::{Kind, Token, tokens};
use std::collections::BTreeSet;
use std::ops::Range;

/// Replacements of one token.
const SWAPS: [(Rule, &str, &[&str]); 36] = [
    (Rule::Operator, "<", &[">="]),
    (Rule::Operator, "<=", &[">"]),
    (Rule::Operator, ">", &["<="]),
    (Rule::Operator, ">=", &["<"]),
    (Rule::Operator, "==", &[">"]),
    (Rule::Operator, "!=", &["=="]),
    (Rule::Operator, "+", &["*"]),
    (Rule::Operator, "-", &["*"]),
    (Rule::Operator, "*", &["/"]),
    (Rule::Operator, "/", &["%"]),
    (Rule::Operator, "%", &["/"]),
    (Rule::Operator, "<<", &[">>"]),
    (Rule::Operator, ">>", &["<<"]),
    (Rule::Operator, "&", &["|"]),
    (Rule::Operator, "|", &["&"]),
    (Rule::Operator, "^", &["+"]),
    (Rule::Operator, "++", &["--"]),
    (Rule::Operator, "+=", &["="]),
    (Rule::Operator, "*=", &["/="]),
    (Rule::Operator, "/=", &["*="]),
    (Rule::Operator, "|=", &["&="]),
    (Rule::Operator, "&=", &["|="]),
    (Rule::Condition, "&&", &["||"]),
    (Rule::Condition, "||", &["&&"]),
    (Rule::Condition, "!", &[""]),
    (Rule::Index, "threadIdx", &["blockIdx"]),
    (Rule::Index, "blockIdx", &["threadIdx"]),
    (Rule::Index, "x", &["y"]),
    (Rule::Index, "y", &["x"]),
    (Rule::Index, "z", &["w"]),
    (Rule::Index, "w", &["z"]),
    (Rule::Warp, "__shfl_down_sync", &["__shfl_up_sync"]),
    (Rule::Warp, "__shfl_up_sync", &["__shfl_down_sync"]),
    (Rule::Warp, "__shfl_xor_sync", &["__shfl_down_sync"]),
    (Rule::Warp, "__all_sync", &["__any_sync"]),
    (Rule::Warp, "__ballot_sync", &["__any_sync"]),
];

/// The names of types that a declaration begins with.
const TYPES: [&str; 9] =
    ["int", "float", "double", "char", "short", "long", "unsigned", "bool", "size_t"];

/// The mutants of a text's kernels and `__device__` functions, or of all its functions.
pub(super) fn mutants(text: &str, all_functions: bool) -> Vec<(Rule, Mutant)> {
    let all = tokens(text);
    let seen: Vec<Token<'_>> =
        all.into_iter().filter(|t| !matches!(t.kind, Kind::Blank | Kind::Comment)).collect();
    let mut out = Vec::new();
    for body in bodies(&seen, all_functions) {
        let mut code = Code { text, seen: &seen, body: body.clone(), out: &mut out };
        for at in body {
            code.swaps(at);
            code.constants(at);
            code.conditions(at);
            code.indices(at);
            code.atomics(at);
            code.widths(at);
            code.starts(at);
        }
        code.statements();
    }
    out
}

/// Mutants in which one variable stands in the place of another, is one more or one less, or is missing
/// with its operator. There are many, and a slip of the hand rather than of the mind: they are for
/// solutions that have few others.
pub(super) fn variables(text: &str, all_functions: bool) -> Vec<(Rule, Mutant)> {
    let all = tokens(text);
    let seen: Vec<Token<'_>> =
        all.into_iter().filter(|t| !matches!(t.kind, Kind::Blank | Kind::Comment)).collect();
    let mut out = Vec::new();
    for body in bodies(&seen, all_functions) {
        let word = |at: usize| seen.get(at).map_or("", |token| token.text);
        let is_variable = |at: &usize| {
            seen[*at].kind == Kind::Name
                && !TYPES.contains(&word(*at))
                && !["(", ".", "<<<"].contains(&word(at + 1))
                && ![".", "->"].contains(&word(at - 1))
        };
        let places: Vec<usize> = body.clone().filter(is_variable).collect();
        // `blockDim.x` is a variable of two words.
        let is_axis = |at: &usize| word(at - 1) == "." && ["x", "y", "z"].contains(&word(*at));
        for at in body.filter(is_axis) {
            let span = seen[at - 2].start..seen[at].start + 1;
            let name = &text[span.clone()];
            for by in [format!("({name} + 1)"), format!("({name} - 1)")] {
                let what = format!("`{by}` for `{name}`");
                out.push((Rule::Variable, mutant(text, span.clone(), &by, what)));
            }
        }
        let names: BTreeSet<&str> = places.iter().map(|at| seen[*at].text).collect();
        for at in places {
            let Token { text: name, start, .. } = seen[at];
            for other in names.iter().filter(|other| **other != name) {
                let what = format!("`{other}` for `{name}`");
                let span = start..start + name.len();
                out.push((Rule::Variable, mutant(text, span, other, what)));
            }
            for by in [format!("({name} + 1)"), format!("({name} - 1)")] {
                let what = format!("`{by}` for `{name}`");
                out.push((Rule::Variable, mutant(text, start..start + name.len(), &by, what)));
            }
            if let Some(span) = operand(&seen, at) {
                let what = format!("without `{}`", shortened(&text[span.clone()]));
                out.push((Rule::Variable, mutant(text, span, "", what)));
            }
        }
    }
    out
}

/// A variable with the operator before it or behind it.
fn operand(seen: &[Token<'_>], at: usize) -> Option<Range<usize>> {
    let word = |at: usize| seen.get(at).map_or("", |token| token.text);
    let binary =
        |at: usize| ["+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>"].contains(&word(at));
    let is_operand = |at: usize| {
        let ends = [")", "]"].contains(&word(at));
        ends || seen.get(at).is_some_and(|t| matches!(t.kind, Kind::Name | Kind::Number))
    };
    let end = |at: usize| seen[at].start + seen[at].text.len();
    if binary(at - 1) && at > 1 && is_operand(at - 2) && !["[", "."].contains(&word(at + 1)) {
        return Some(seen[at - 1].start..end(at));
    }
    binary(at + 1).then(|| seen[at].start..end(at + 1))
}

/// The body of a function, and the mutants that are made of it.
struct Code<'a> {
    text: &'a str,
    seen: &'a [Token<'a>],
    body: Range<usize>,
    out: &'a mut Vec<(Rule, Mutant)>,
}

impl<'a> Code<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.seen.get(at).map_or("", |token| token.text)
    }

    /// The text from one token to another, both included.
    fn span(&self, from: usize, to: usize) -> Range<usize> {
        self.seen[from].start..self.seen[to].start + self.seen[to].text.len()
    }

    fn text_of(&self, from: usize, to: usize) -> &'a str {
        &self.text[self.span(from, to)]
    }

    fn replace(&mut self, rule: Rule, (from, to): (usize, usize), by: &str) {
        let span = self.span(from, to);
        let what = match by {
            "" | ";" => format!("without `{}`", shortened(&self.text[span.clone()])),
            _ => format!("`{}` for `{}`", shortened(by), shortened(&self.text[span.clone()])),
        };
        self.out.push((rule, mutant(self.text, span, by, what)));
    }

    fn swaps(&mut self, at: usize) {
        let word = self.word(at);
        let is_member = at > 0 && self.word(at - 1) == ".";
        for (rule, from, to) in SWAPS {
            // A component of a vector or of an index, and no variable of that name.
            let is_axis = ["x", "y", "z", "w"].contains(&from);
            if word == from && (!is_axis || is_member) {
                to.iter().for_each(|by| self.replace(rule, (at, at), by));
            }
        }
    }

    /// A number that is one larger or smaller, and a mask with a hole.
    fn constants(&mut self, at: usize) {
        if self.seen[at].kind != Kind::Number {
            return;
        }
        let word = self.word(at);
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let suffix = &word[digits.len()..];
        if let Some(value) = digits.strip_prefix("0x").and_then(|d| u64::from_str_radix(d, 16).ok())
        {
            let hole = format!("{:#x}{suffix}", value >> 1);
            self.replace(Rule::Constant, (at, at), &hole);
        } else if let Ok(value) = digits.parse::<u64>() {
            self.replace(Rule::Constant, (at, at), &format!("{}{suffix}", value + 1));
            if value > 0 {
                self.replace(Rule::Constant, (at, at), &format!("{}{suffix}", value - 1));
            }
        } else if word.contains('.') {
            self.replace(Rule::Constant, (at, at), &format!("(1 + {word})"));
        }
    }

    /// A condition that is always true or false, or that lacks a part.
    fn conditions(&mut self, at: usize) {
        if matches!(self.word(at), "if" | "while") && self.word(at + 1) == "(" {
            let Some(end) = self.closing(at + 1) else { return };
            self.replace(Rule::Condition, (at + 1, end), "(true)");
            self.replace(Rule::Condition, (at + 1, end), "(false)");
        }
        if matches!(self.word(at), "&&" | "||") {
            let (from, to) = (self.operand_before(at), self.operand_behind(at));
            self.replace(Rule::Condition, (from, at), "");
            self.replace(Rule::Condition, (at, to), "");
        }
    }

    /// A neighbour of the element that is accessed.
    fn indices(&mut self, at: usize) {
        if self.word(at) != "[" || at < 2 {
            return;
        }
        // `int tile[136]` is a declaration.
        let declared = self.seen[at - 1].kind == Kind::Name && self.seen[at - 2].kind == Kind::Name;
        let Some(end) = self.closing(at).filter(|_| !declared && self.word(at - 2) != "return")
        else {
            return;
        };
        if end > at + 1 {
            let index = self.text_of(at + 1, end - 1).to_owned();
            for by in [format!("({index}) + 1"), format!("({index}) - 1"), "0".to_owned()] {
                self.replace(Rule::Index, (at + 1, end - 1), &by);
            }
        }
    }

    /// An atomic access as a plain one.
    fn atomics(&mut self, at: usize) {
        let operation = match self.word(at) {
            "atomicAdd" => "+=",
            "atomicSub" => "-=",
            "atomicOr" => "|=",
            "atomicExch" => "=",
            "atomicMax" => "max",
            "atomicMin" => "min",
            _ => return,
        };
        let Some(end) = self.closing(at + 1) else { return };
        let Some(comma) = (at + 2..end).find(|&i| self.is_flat(at + 2, i) && self.word(i) == ",")
        else {
            return;
        };
        let place = format!("*({})", self.text_of(at + 2, comma - 1));
        let value = self.text_of(comma + 1, end - 1);
        let plain = match operation {
            "max" | "min" => format!("({place} = {operation}({place}, {value}))"),
            _ => format!("({place} {operation} {value})"),
        };
        self.replace(Rule::Atomic, (at, end), &plain);
    }

    /// A type that is too narrow.
    fn widths(&mut self, at: usize) {
        match (self.word(at), self.word(at + 1), self.word(at + 2)) {
            ("unsigned", "long", "long") => self.replace(Rule::Width, (at, at + 2), "unsigned int"),
            ("long", "long", _) => self.replace(Rule::Width, (at, at + 1), "int"),
            ("unsigned", "int", _) => self.replace(Rule::Width, (at, at + 1), "unsigned char"),
            ("double", ..) => self.replace(Rule::Width, (at, at), "float"),
            ("float", ..) => self.replace(Rule::Width, (at, at), "int"),
            ("float4", ..) => self.replace(Rule::Width, (at, at), "float2"),
            _ => {}
        }
    }

    /// A variable without its first value.
    fn starts(&mut self, at: usize) {
        let is_new = at > 1 && (TYPES.contains(&self.word(at - 1)) || self.word(at - 1) == ",");
        if self.seen[at].kind != Kind::Name || !is_new || self.word(at + 1) != "=" {
            return;
        }
        let ends = |&i: &usize| self.is_flat(at + 2, i) && matches!(self.word(i), "," | ";");
        if let Some(end) = (at + 2..self.body.end).find(ends) {
            self.replace(Rule::Start, (at + 1, end - 1), "");
        }
    }

    /// Statements that are missing, and barriers that are one statement too early.
    fn statements(&mut self) {
        let mut before: Option<(usize, usize)> = None;
        let mut at = self.body.start;
        while at < self.body.end {
            let word = self.word(at);
            let begins = at > self.body.start
                && (matches!(self.word(at - 1), "{" | "}" | ";" | "else")
                    || self.is_header(at - 1));
            let simple =
                begins && !matches!(word, "if" | "for" | "while" | "{" | "}" | "else" | "#");
            let ends = |&i: &usize| self.is_flat(at, i) && self.word(i) == ";";
            let Some(end) = (at..self.body.end).find(ends).filter(|_| simple) else {
                at += 1;
                continue;
            };
            if !(word == "return" && end > at + 1) {
                self.replace(Rule::Statement, (at, end), ";");
            }
            let is_barrier = barrier(self.seen, at).is_some_and(|(_, close)| close + 1 == end);
            if let Some((from, to)) = before.filter(|(_, to)| is_barrier && to + 1 == at) {
                let early = format!("{} {}", self.text_of(at, end), self.text_of(from, to));
                let what = format!("`{}` one statement earlier", self.text_of(at, end - 1));
                let span = self.span(from, end);
                self.out.push((Rule::Barrier, mutant(self.text, span, &early, what)));
            }
            before = Some((at, end));
            at = end + 1;
        }
    }

    /// Whether the bracket at `close` ends the head of an `if`, a `for` or a `while`.
    fn is_header(&self, close: usize) -> bool {
        let opens = |&at: &usize| self.word(at) == "(" && self.closing(at) == Some(close);
        let open = (self.body.start + 1..close).rev().find(opens);
        open.is_some_and(|at| matches!(self.word(at - 1), "if" | "for" | "while"))
    }

    /// The bracket that belongs to the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open..self.body.end).find(|&at| {
            depth += depth_of(self.word(at));
            depth == 0
        })
    }

    /// Whether `at` is inside the same brackets as `from`.
    fn is_flat(&self, from: usize, at: usize) -> bool {
        (from..at).map(|i| depth_of(self.word(i))).sum::<i32>() == 0
    }

    /// The first token of the operand that ends before the operator at `at`.
    fn operand_before(&self, at: usize) -> usize {
        let mut depth = 0;
        let mut first = at;
        while first > self.body.start + 1 {
            let word = self.word(first - 1);
            depth -= depth_of(word);
            if depth < 0 || (depth == 0 && is_boundary(word)) {
                break;
            }
            first -= 1;
        }
        first
    }

    /// The last token of the operand that begins behind the operator at `at`.
    fn operand_behind(&self, at: usize) -> usize {
        let mut depth = 0;
        let mut last = at;
        while last + 1 < self.body.end {
            let word = self.word(last + 1);
            depth += depth_of(word);
            if depth < 0 || (depth == 0 && is_boundary(word)) {
                break;
            }
            last += 1;
        }
        last
    }
}

fn depth_of(word: &str) -> i32 {
    match word {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// Whether a token ends an operand of `&&` and `||`.
fn is_boundary(word: &str) -> bool {
    matches!(word, "&&" | "||" | "," | ";" | "?" | ":" | "=" | "return" | "{")
}

/// A text in one line, without what is long.
fn shortened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mutants of a kernel's body: rule and line after the change.
    fn of(body: &str) -> Vec<String> {
        let text = format!("__global__ void f(int* a, int n, int t) {{\n{body}\n}}\n");
        let all = mutants(&text, false);
        all.iter()
            .map(|(rule, made)| {
                let lines: Vec<&str> = made.text.lines().collect();
                format!("{rule:?}: {}", lines[1..lines.len() - 1].join(" "))
            })
            .collect()
    }

    #[test]
    fn each_operator_makes_its_mutants() {
        for (body, wanted) in [
            ("a[t] = 7;", "Constant: a[t] = 8;"),
            ("a[t] = 7u;", "Constant: a[t] = 6u;"),
            ("a[t] = 0xffffffff;", "Constant: a[t] = 0x7fffffff;"),
            ("a[t] = .5f;", "Constant: a[t] = (1 + .5f);"),
            ("if (t < n && (n > 1 || t)) a[t] = n;", "Condition: if (true) a[t] = n;"),
            ("if (t < n && (n > 1 || t)) a[t] = n;", "Condition: if ( (n > 1 || t)) a[t] = n;"),
            ("if (t < n && (n > 1 || t)) a[t] = n;", "Condition: if (t < n ) a[t] = n;"),
            ("if (t < n && (n > 1 || t)) a[t] = n;", "Condition: if (t < n && (n > 1 )) a[t] = n;"),
            ("if (t < n && (n > 1 || t)) a[t] = n;", "Statement: if (t < n && (n > 1 || t)) ;"),
            ("a[t + a[n]] = n;", "Index: a[(t + a[n]) + 1] = n;"),
            ("a[t + a[n]] = n;", "Index: a[t + a[(n) - 1]] = n;"),
            ("a[t] = threadIdx.x;", "Index: a[t] = threadIdx.y;"),
            ("a[t] = threadIdx.x;", "Index: a[t] = blockIdx.x;"),
            ("atomicAdd(&a[t], f(n, t));", "Atomic: (*(&a[t]) += f(n, t));"),
            ("atomicMax(a, n);", "Atomic: (*(a) = max(*(a), n));"),
            ("unsigned long long s = n;", "Width: unsigned int s = n;"),
            ("int s = f(n, t), r = t; g(s);", "Start: int s , r = t; g(s);"),
            ("int s = f(n, t), r = t; g(s);", "Start: int s = f(n, t), r ; g(s);"),
            ("a[t] = n; __syncthreads(); g();", "Statement: ; __syncthreads(); g();"),
            ("a[t] = n; __syncthreads(); g();", "Barrier: __syncthreads(); a[t] = n; g();"),
            ("for (int k = 0; k < n; k++) g(k);", "Statement: for (int k = 0; k < n; k++) ;"),
            ("if (t > n) return; g();", "Statement: if (t > n) ; g();"),
            ("n = __all_sync(n, t);", "Warp: n = __any_sync(n, t);"),
        ] {
            let made = of(body);
            assert!(made.iter().any(|m| m == wanted), "{wanted}\n{}", made.join("\n"));
        }
    }

    #[test]
    fn a_variable_stands_in_the_place_of_another() {
        let text = "__global__ void f(int* a, int n) { int i = g(n); a[i] = b.n; }";
        let all = variables(text, false);
        let shown: Vec<&str> = all.iter().map(|(_, made)| made.what.as_str()).collect();
        assert!(shown.contains(&"`i` for `n`") && shown.contains(&"`a` for `i`"), "{shown:?}");
        assert!(shown.contains(&"`(i + 1)` for `i`"), "{shown:?}");
        assert!(!shown.iter().any(|what| what.contains("`g`") || what.contains("`int`")));
        assert!(all.iter().all(|(_, made)| made.text.contains("b.n")));
    }

    #[test]
    fn an_operand_is_missing_with_its_operator() {
        let text = "__global__ void f(int p, int r) { int k = r * 4 + (p ^ r / 2) * blockDim.x; }";
        let all = variables(text, false);
        let shown: Vec<&str> = all.iter().map(|(_, made)| made.what.as_str()).collect();
        for wanted in [
            "without `r *`",
            "without `p ^`",
            "without `^ r`",
            "`(blockDim.x + 1)` for `blockDim.x`",
        ] {
            assert!(shown.contains(&wanted), "{wanted}: {shown:?}");
        }
    }

    #[test]
    fn a_declared_length_and_a_variable_called_x_stay() {
        let made = of("int tile[7]; int x = tile[t] + 1;");
        assert!(!made.iter().any(|m| m.contains("[(7) + 1]")), "{}", made.join("\n"));
        assert!(!made.iter().any(|m| m.contains("int y")), "{}", made.join("\n"));
    }

    #[test]
    fn any_text_has_mutants_or_none() {
        for body in ["", "[", "if (", "atomicAdd(", "a[t] = ;", ") ] }", "&& || ;", "int x ="] {
            of(body);
        }
    }
}
