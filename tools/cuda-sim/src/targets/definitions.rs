//! Whether a source defines a function or a variable, as its text looks: it is not compiled for that.

/// Whether the text defines a function or a variable of this name that other files may use.
pub(super) fn defines(text: &str, name: &str) -> bool {
    defines_function(text, name) || defines_variable(text, name)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the text has the name, parentheses, and a body before the next `;`.
fn defines_function(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let rest = &text[at + name.len()..];
        if text[..at].ends_with(is_word) || !rest.trim_start().starts_with('(') {
            return false;
        }
        let mut depth = 0;
        for c in rest.chars() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                // A call ends in `)` of an outer expression, `;` or an operator.
                _ if depth < 0 => return false,
                '{' if depth == 0 => return true,
                ';' | '=' | '+' | '}' if depth == 0 => return false,
                _ => {}
            }
        }
        false
    })
}

/// Whether a declaration outside all braces but those of namespaces and `extern "C"` is that of a
/// variable of this name, and not only announces it.
fn defines_variable(text: &str, name: &str) -> bool {
    if !text.contains(name) {
        return false;
    }
    let mut declaration = String::new();
    // Braces and parentheses that are open in it.
    let mut depth = 0usize;
    for c in plain(text).chars() {
        match c {
            '{' if depth == 0 && opens_namespace(&declaration) => declaration.clear(),
            '}' if depth == 0 => declaration.clear(),
            ';' if depth == 0 => {
                if declares_variable(&declaration, name) {
                    return true;
                }
                declaration.clear();
            }
            '{' | '(' | '[' => {
                declaration.push(c);
                depth += 1;
            }
            '}' | ')' | ']' => {
                depth = depth.saturating_sub(1);
                declaration.push(c);
                // The body of a function ends its declaration.
                if c == '}' && depth == 0 && declaration.contains('(') && !declaration.contains('=')
                {
                    declaration.clear();
                }
            }
            _ if depth == 0 => declaration.push(c),
            _ => {}
        }
    }
    false
}

/// The text without comments, directives and what is in quotes.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.replace("\\\n", " ");
    rest.push('\n');
    let mut rest = rest.as_str();
    let mut line_begins = true;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '#' if line_begins => rest.find('\n'),
            '/' if rest.starts_with("//") => rest.find('\n'),
            '/' if rest.starts_with("/*") => rest.find("*/").map(|end| end + 2),
            '"' => Some(quoted(rest)),
            // `1'000` is a number.
            '\'' if !out.ends_with(is_word) => Some(quoted(rest)),
            _ => None,
        };
        line_begins = c == '\n' || line_begins && c.is_whitespace();
        match skipped {
            Some(length) => {
                out.push(if c == '"' { '"' } else { ' ' });
                rest = rest.get(length..).unwrap_or_default();
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// The length of what is in quotes, with them.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let mut inside = text.char_indices();
    let quote = inside.next().map(|(_, c)| c);
    for (at, c) in inside {
        match c {
            '\\' if !escaped => escaped = true,
            _ if Some(c) == quote && !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
}

fn opens_namespace(declaration: &str) -> bool {
    let words: Vec<&str> = declaration.split_whitespace().collect();
    matches!(words.as_slice(), ["namespace", ..] | ["inline", "namespace", ..] | ["extern", "\""])
}

/// Whether a declaration at file level, with what is in its brackets left out, is that of a variable.
fn declares_variable(declaration: &str, name: &str) -> bool {
    const OTHERS: [&str; 8] =
        ["using", "typedef", "static", "template", "friend", "return", "goto", "static_assert"];
    let first = declaration.split(|c| !is_word(c)).find(|word| !word.is_empty());
    if first.is_none_or(|first| OTHERS.contains(&first)) {
        return false;
    }
    let value = declaration.find('=');
    let head = &declaration[..value.unwrap_or(declaration.len())];
    if value.is_none() && head.split(|c| !is_word(c)).any(|word| word == "extern") {
        return false;
    }
    // `int a = 1, b;` declares both.
    declaration.match_indices(name).any(|(at, _)| {
        let before = declaration[..at].trim_end();
        let after = declaration[at + name.len()..].trim_start();
        let whole = !declaration[..at].ends_with(is_word) && !after_is_word(declaration, at, name);
        let declares = after.is_empty() || after.starts_with(['=', '[', '{', ',']);
        whole
            && declares
            && before.ends_with(|c: char| is_word(c) || "*&>:,}".contains(c))
            && !ends_with_keyword(before)
    })
}

fn after_is_word(text: &str, at: usize, name: &str) -> bool {
    text[at + name.len()..].starts_with(is_word)
}

/// `struct S;` declares no variable.
fn ends_with_keyword(text: &str) -> bool {
    let last = text.rsplit(|c| !is_word(c)).next().unwrap_or_default();
    ["struct", "class", "union", "enum", "namespace"].contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_of_a_function_has_a_body() {
        for text in [
            "void fill(int* p) { }",
            "S::fill(int x) : a(f(x)), b{1} {}",
            "auto fill (int)\n    const noexcept -> int\n{",
        ] {
            assert!(defines(text, "fill"), "{text}");
        }
        for text in
            ["void fill(int*);", "x = fill(1); {", "g(fill(1)) {", "refill(1) {", "if (fill(1)) {"]
        {
            assert!(!defines(text, "fill"), "{text}");
        }
    }

    #[test]
    fn a_definition_of_a_variable_stands_at_file_level() {
        for text in [
            "int size;",
            "#include \"a.h\"\nint f() { return 1; }\nint other = f(), size = 4;",
            "namespace a { namespace b {\nconst float size[3] = {1, 2, 3};\n} }",
            "extern \"C\" { int size{3}; }",
            "extern const int size = 3;",
            "__device__ float* size; // the size;",
            "std::vector<int> Sizes::size;",
            "struct { int a; } size;",
            "int other[] = {1, 2};\nchar quote = '\"';\nint size;",
        ] {
            assert!(defines(text, "size"), "{text}");
        }
        for text in [
            "extern int size;",
            "static int size = 3;",
            "int f() { int size = 3; return size; }",
            "struct S { int size; };",
            "struct size;",
            "enum E { size };",
            "void f(int size);",
            "// int size;\n/* int size; */ int other;",
            "#define WORDS int size;\nint other = size;",
            "const char* text = \"int size;\";",
            "typedef int size;",
            "int sizes;",
            "namespace a { int f() { return 1; } } int other = size;",
        ] {
            assert!(!defines(text, "size"), "{text}");
        }
    }

    #[test]
    fn any_text_is_read() {
        for text in ["", "\"", "'", "/*", "#", "}}}", "{{{", "\\", "size", "é size;", "=size"] {
            let _: bool = defines(text, "size");
            let _: bool = defines(text, "");
        }
    }
}
