//! What a reader adds outside of the regions: `#include <cooperative_groups.h>`, or a struct with methods,
//! which C++ does not allow within a function. It may stand between declarations of the fixed text, and
//! must be complete by itself.

use crate::token::{Kind, Token, tokens};

/// Whether a line of the fixed text begins a declaration: own lines may stand before it.
#[derive(Debug, Default)]
pub(super) struct Place {
    depth: i32,
}

impl Place {
    /// Goes on behind a line of the fixed text.
    pub(super) fn pass(&mut self, line: &str) {
        self.depth += depth(&tokens(line));
    }

    /// Whether own lines may stand before this one: it is code, and all brackets before it are closed.
    pub(super) fn is_before(&self, line: &str) -> bool {
        self.depth == 0 && !line.trim_start().starts_with("//")
    }
}

/// Whether lines end what they begin, so that the line behind them means the same as without them. Of the
/// preprocessor there are only files of the system, and how a loop is unrolled.
pub(super) fn is_complete(lines: &[&str]) -> bool {
    const BEHIND: &str = "behind";
    let text = lines.join("\n") + "\n" + BEHIND;
    let all = tokens(&text);
    let is_harmless = |line: &str| {
        let rest = line.strip_prefix('#').unwrap_or_default().trim_start();
        let behind = |word| rest.strip_prefix(word).map(str::trim_start);
        behind("include").is_some_and(|rest| rest.starts_with('<'))
            || behind("pragma").is_some_and(|rest| rest.starts_with("unroll"))
    };
    let mut of_preprocessor =
        lines.iter().map(|line| line.trim_start()).filter(|line| line.starts_with(['#', '%']));
    let only_harmless = of_preprocessor.all(is_harmless);
    let joins = lines.iter().any(|line| line.trim_end().ends_with('\\'));
    // A comment or a text that is open would take it in.
    let is_behind = all.last().is_some_and(|t| t.kind == Kind::Name && t.text == BEHIND);
    // A raw text has quotes and lines of its own, which the tokens do not know.
    let is_raw = |pair: &[Token<'_>]| {
        pair[0].kind == Kind::Name && pair[0].text.ends_with('R') && pair[1].text.starts_with('"')
    };
    only_harmless && !joins && is_behind && !all.windows(2).any(is_raw) && depth(&all) == 0
}

/// The number of the first `#include` that stands within a function: what the file declares is then local,
/// and most files do not compile there.
pub(super) fn include_within(text: &str) -> Option<u32> {
    let mut place = Place::default();
    for (line, number) in text.lines().zip(1..) {
        let rest = line.trim_start().strip_prefix('#').unwrap_or_default().trim_start();
        if place.depth > 0 && rest.starts_with("include") {
            return Some(number);
        }
        place.pass(line);
    }
    None
}

fn depth(all: &[Token<'_>]) -> i32 {
    let brackets = all.iter().filter(|token| token.kind == Kind::Punctuation);
    let signs = brackets.flat_map(|token| token.text.chars()).map(|c| match c {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    });
    signs.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_what_they_begin() {
        for complete in [
            "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;",
            "struct Pair {\n    int a, b;\n};",
            "/* a { comment */\n// and \" another",
            "int f(int n) {\n#pragma unroll\n    for (; n > 9; n /= 2);\n    return n;\n}",
            "",
        ] {
            assert!(is_complete(&complete.lines().collect::<Vec<_>>()), "{complete}");
        }
        for open in [
            "struct Pair {",
            "/*",
            "// it goes on \\",
            "#define n 5",
            "#pragma push_macro(\"n\")",
            "# include \"mine.h\"",
            "%:define n 5",
            "const char* s = R\"(",
            "const char* s = u8R\"(a)\";",
            "int f(",
        ] {
            assert!(!is_complete(&open.lines().collect::<Vec<_>>()), "{open}");
        }
    }

    #[test]
    fn an_include_stands_before_functions() {
        assert_eq!(include_within("#include <cooperative_groups.h>\nint f() {\n}\n"), None);
        assert_eq!(include_within("int f() {\n  # include <cooperative_groups.h>\n}\n"), Some(2));
    }

    #[test]
    fn own_lines_stand_between_declarations() {
        let mut place = Place::default();
        assert!(place.is_before("__global__ void f(int n,"));
        assert!(!place.is_before("//@ page 5"));
        place.pass("__global__ void f(int n,");
        assert!(!place.is_before("int m) {"));
        place.pass("int m) {");
        assert!(!place.is_before("int i;"));
        place.pass("}");
        assert!(place.is_before("int g();"));
    }
}
