//! Mutants of asynchronous kernels: each wait, fence, arrival and commit is deleted, and exchanged with the
//! statements before and behind it. Statements in between that touch no memory stay where they are.
//!
//! What synchronises is an `asm` statement with such an instruction, or a call of a function that contains
//! nothing else, from the file or a header.

use super::{Rule, mutant};
use crate::mutate::{Mutant, bodies};
use kernel_file::token::{Kind, Token, tokens};
use std::collections::BTreeSet;
use std::ops::Range;

/// Parts of instructions that synchronise.
const SYNCHRONISES: [&str; 9] = [
    "fence.",
    "mbarrier.arrive",
    "mbarrier.try_wait",
    "mbarrier.test_wait",
    "commit_group",
    "wait_group",
    "wait_all",
    "bar.",
    "barrier.",
];

/// Parts of instructions that do something else as well.
const WORKS: [&str; 7] =
    ["mma_async", "cp.async.ca", "cp.async.cg", "[%0], [%1", "st.async", "matrix", "mbarrier.init"];

/// What looks like a call, or is one, and neither accesses memory nor synchronises. Nor do shuffles.
const PURE: [&str; 20] = [
    "if",
    "for",
    "while",
    "switch",
    "return",
    "sizeof",
    "static_cast",
    "reinterpret_cast",
    "const_cast",
    "min",
    "max",
    "__cvta_generic_to_shared",
    "__fdividef",
    "__float_as_uint",
    "__uint_as_float",
    "make_uint2",
    "make_uint4",
    "make_float4",
    "__floats2bfloat162_rn",
    "rsqrtf",
];

/// The longest text of a statement in the name of a mutant.
const SHOWN: usize = 60;

/// The mutants of a text. `headers`: what it includes.
pub(super) fn mutants(text: &str, headers: &[&str]) -> Vec<(Rule, Mutant)> {
    let seen = seen(text);
    let mut functions = BTreeSet::new();
    let mut pure: BTreeSet<String> = PURE.map(str::to_owned).into();
    for one in headers.iter().copied().chain([text]) {
        synchronising_functions(one, &mut functions);
        pure_functions(one, &mut pure);
    }
    let source = Source { text, seen: &seen, functions, pure };
    let mut out = Vec::new();
    for body in bodies(&seen, false) {
        // A function that only synchronises: its calls are deleted.
        if source.name_of(body.start).is_some_and(|name| source.functions.contains(name)) {
            continue;
        }
        source.block(body.start + 1..body.end, &mut out);
    }
    let asynchronous = out.iter().any(|(rule, _)| *rule == Rule::Synchronisation);
    if asynchronous { out } else { Vec::new() }
}

/// The tokens that a compiler sees.
fn seen(text: &str) -> Vec<Token<'_>> {
    let all = tokens(text).into_iter();
    all.filter(|token| !matches!(token.kind, Kind::Blank | Kind::Comment)).collect()
}

/// The names of the functions in a text that contain `asm` which only synchronises.
fn synchronising_functions(text: &str, names: &mut BTreeSet<String>) {
    let seen = seen(text);
    let source = Source { text, seen: &seen, functions: BTreeSet::new(), pure: BTreeSet::new() };
    for body in bodies(&seen, false) {
        if source.only_synchronises(body.clone())
            && !source.is_kernel(body.start)
            && let Some(name) = source.name_of(body.start)
        {
            names.insert(name.to_owned());
        }
    }
}

/// The names of the functions in a text that only compute.
fn pure_functions(text: &str, names: &mut BTreeSet<String>) {
    let seen = seen(text);
    for body in bodies(&seen, false) {
        let source = Source { text, seen: &seen, functions: BTreeSet::new(), pure: names.clone() };
        let indexes = body.clone().any(|at| source.word(at) == "[");
        if !indexes
            && !source.acts(body.clone())
            && let Some(name) = source.name_of(body.start)
        {
            names.insert(name.to_owned());
        }
    }
}

struct Source<'t> {
    text: &'t str,
    seen: &'t [Token<'t>],
    /// That only synchronise.
    functions: BTreeSet<String>,
    /// That only compute.
    pure: BTreeSet<String>,
}

impl<'t> Source<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.seen.get(at).map_or("", |token| token.text)
    }

    /// The name of the function whose body begins there.
    fn name_of(&self, body: usize) -> Option<&'t str> {
        let mut depth = 0;
        for at in (0..body).rev() {
            match self.word(at) {
                ")" => depth += 1,
                "(" => depth -= 1,
                ";" | "}" => return None,
                _ => continue,
            }
            if depth == 0 {
                return at.checked_sub(1).map(|name| self.word(name));
            }
        }
        None
    }

    /// Whether the body that begins there is a kernel's.
    fn is_kernel(&self, body: usize) -> bool {
        let declaration = self.seen[..body].iter().rev().map(|token| token.text);
        declaration.take_while(|word| !matches!(*word, ";" | "}")).any(|word| word == "__global__")
    }

    /// Whether the `asm` in a range has instructions that synchronise, and no others.
    fn only_synchronises(&self, range: Range<usize>) -> bool {
        let literals = self.seen[range].iter().filter(|token| token.kind == Kind::Literal);
        let (mut found, mut works) = (false, false);
        for literal in literals {
            found |= SYNCHRONISES.iter().any(|part| literal.text.contains(part));
            works |= WORKS.iter().any(|part| literal.text.contains(part));
        }
        found && !works
    }

    /// The token that closes the bracket at `open`.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0;
        for at in open..self.seen.len() {
            match self.word(at) {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.seen.len() - 1
    }

    /// The token behind a preprocessor's line.
    fn behind_directive(&self, mut at: usize) -> usize {
        while let (Some(one), Some(next)) = (self.seen.get(at), self.seen.get(at + 1)) {
            at += 1;
            if self.text[one.start + one.text.len()..next.start].contains('\n') {
                break;
            }
        }
        at
    }

    /// The last token of the statement that begins at `at`, before `end`.
    fn end_of(&self, at: usize, end: usize) -> usize {
        if at >= end {
            return end.saturating_sub(1);
        }
        match self.word(at) {
            "#" => self.end_of(self.behind_directive(at), end),
            "{" => self.closing(at),
            "if" | "for" | "while" | "switch" => {
                let open = (at..end).find(|&i| self.word(i) == "(").unwrap_or(at);
                let last = self.end_of(self.closing(open) + 1, end);
                match self.word(last + 1) {
                    "else" if last + 1 < end => self.end_of(last + 2, end),
                    _ => last,
                }
            }
            _ => {
                let mut i = at;
                while i < end && self.word(i) != ";" {
                    i = match self.word(i) {
                        "(" | "{" | "[" => self.closing(i) + 1,
                        _ => i + 1,
                    };
                }
                i.min(end - 1)
            }
        }
    }

    /// Whether a statement does nothing but synchronise, perhaps under a condition.
    fn synchronises(&self, statement: Range<usize>) -> bool {
        let at = statement.start;
        match self.word(at) {
            "if" => self.synchronises(self.closing(at + 1) + 1..statement.end),
            "asm" => self.only_synchronises(statement),
            "__syncthreads" | "__syncwarp" => true,
            name => self.functions.contains(name) && self.is_call(at, statement.end),
        }
    }

    /// Whether a statement may access memory, or synchronise: it calls a function that does more than compute, or
    /// has an index and is not only a declaration.
    fn acts(&self, statement: Range<usize>) -> bool {
        let has = |word: &str| statement.clone().any(|at| self.word(at) == word);
        has("[") && has("=") || has("asm") || statement.clone().any(|at| self.is_action(at))
    }

    /// Whether the bracket there opens the arguments of a call that may do more than compute.
    fn is_action(&self, open: usize) -> bool {
        let mut at = open.saturating_sub(1);
        if self.word(open) != "(" {
            return false;
        }
        if self.word(at) == ">" {
            let Some(angle) = (0..at).rev().find(|&i| self.word(i) == "<") else { return true };
            at = angle.saturating_sub(1);
        }
        let name = self.word(at);
        self.seen.get(at).is_some_and(|token| token.kind == Kind::Name)
            && !self.pure.contains(name)
            && !name.starts_with("__shfl")
    }

    /// Whether `name(...);` or `name<...>(...);` is all that there is.
    fn is_call(&self, name: usize, end: usize) -> bool {
        let mut open = name + 1;
        if self.word(open) == "<" {
            open = (open..end).find(|&at| self.word(at) == "(").unwrap_or(end);
        }
        self.word(open) == "(" && self.closing(open) + 2 == end
    }

    /// The mutants of the statements in a block.
    fn block(&self, block: Range<usize>, out: &mut Vec<(Rule, Mutant)>) {
        let mut statements: Vec<Range<usize>> = Vec::new();
        let mut at = block.start;
        while at < block.end {
            let last = self.end_of(at, block.end);
            statements.push(at..last + 1);
            at = last + 1;
        }
        for statement in &statements {
            self.deletions(statement.clone(), out);
        }
        let acting: Vec<&Range<usize>> =
            statements.iter().filter(|one| self.acts((*one).clone())).collect();
        for pair in acting.windows(2) {
            if pair.iter().any(|one| self.synchronises((*one).clone())) {
                self.exchange([pair[0], pair[1]], out);
            }
        }
        for statement in statements {
            let mut at = statement.start;
            while at < statement.end {
                if self.word(at) == "{" {
                    self.block(at + 1..self.closing(at), out);
                    at = self.closing(at);
                }
                at += 1;
            }
        }
    }

    /// Deletes the statement, or what stands under its condition without braces.
    fn deletions(&self, statement: Range<usize>, out: &mut Vec<(Rule, Mutant)>) {
        let at = statement.start;
        match self.word(at) {
            "#" => self.deletions(self.behind_directive(at)..statement.end, out),
            "if" | "for" | "while" => {
                let open = (at..statement.end).find(|&i| self.word(i) == "(").unwrap_or(at);
                self.deletions(self.closing(open) + 1..statement.end, out);
            }
            // The barriers of the block have a rule of their own.
            "__syncthreads" | "__syncwarp" => {}
            _ if self.synchronises(statement.clone()) => {
                let span = self.span(statement.start..statement.end - 1);
                let what = format!("without `{}`", shown(&self.text[span.clone()]));
                out.push((Rule::Synchronisation, mutant(self.text, span, "", what)));
            }
            _ => {}
        }
    }

    /// Exchanges two statements, unless a condition of the preprocessor stands in or between them.
    fn exchange(&self, pair: [&Range<usize>; 2], out: &mut Vec<(Rule, Mutant)>) {
        let [first, second] = pair.map(|one| self.span(one.clone()));
        let mut lines = self.text[first.start..second.end].lines().map(str::trim_start);
        if lines.any(|line| line.starts_with('#') && !line.starts_with("#pragma")) {
            return;
        }
        let [a, b] = [&self.text[first.clone()], &self.text[second.clone()]];
        let between = &self.text[first.end..second.start];
        let what = format!("`{}` before `{}`", shown(b), shown(a));
        let by = format!("{b}{between}{a}");
        out.push((Rule::Order, mutant(self.text, first.start..second.end, &by, what)));
    }

    fn span(&self, range: Range<usize>) -> Range<usize> {
        let last = self.seen[range.end - 1];
        self.seen[range.start].start..last.start + last.text.len()
    }
}

/// A statement on one line, without its end if it is long.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\
__device__ void wait(int* b) { do { asm(\"mbarrier.try_wait.b64 p, [%0];\" ::\"r\"(b)); } while (0); }
template <int left>
__device__ __forceinline__ void left_over() { asm volatile(\"wgmma.wait_group.sync.aligned %0;\" ::\"n\"(left)); }
__device__ void load(int* b) { asm(\"cp.async.bulk.shared::cluster.global [%0], [%1], 4, [%2];\"); }
";
    const TEXT: &str = "\
__global__ void f(int* a) {
    load(a);
    if (a)
        wait(a);
    int left = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        left_over<0>();
        a[i] = 1;
    }
    asm volatile(\"fence.proxy.async;\" ::: \"memory\");
    __syncthreads();
}
";

    #[test]
    fn what_synchronises_is_deleted_and_moved() {
        let all = mutants(TEXT, &[HEADER]);
        let of = |rule: Rule| -> Vec<(u32, &str)> {
            let all = all.iter().filter(|(one, _)| *one == rule);
            all.map(|(_, mutant)| (mutant.line, &*mutant.what)).collect()
        };
        let fence = "asm volatile(\"fence.proxy.async;\" ::: \"memory\")";
        assert_eq!(
            of(Rule::Synchronisation),
            [
                (4, "without `wait(a)`"),
                (11, &*format!("without `{fence}`")),
                (8, "without `left_over<0>()`"),
            ]
        );
        let moved = of(Rule::Order);
        assert_eq!(moved[0], (2, "`if (a) wait(a);` before `load(a);`"));
        assert_eq!(moved.last(), Some(&(8, "`a[i] = 1;` before `left_over<0>();`")));
        assert_eq!(moved.len(), 5);
        let exchanged = &all.iter().find(|(rule, _)| *rule == Rule::Order).unwrap().1.text;
        assert!(exchanged.contains("{\n    if (a)\n        wait(a);\n    load(a);\n    int left"));
    }

    #[test]
    fn a_kernel_with_barriers_alone_has_none() {
        let text = "__global__ void f(int* a) {\n    a[0] = 1;\n    __syncthreads();\n}\n";
        assert!(mutants(text, &[]).is_empty());
    }
}
