//! A syntax highlighter for CUDA C++, run when the book is built.
//!
//! A page is complete without JavaScript, and nothing flickers when a script arrives. A listing also
//! has line numbers and marks, which a script that rewrites it would have to keep. The highlighter
//! works on tokens alone; a word that is missing from the lists below loses its colour and nothing
//! else.

use super::html::escape;

/// What a token is coloured as; the class is `cuda-t-…`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Comment,
    Directive,
    Text,
    Number,
    Keyword,
    Type,
    Qualifier,
    Builtin,
    Call,
    Plain,
}

impl Token {
    fn class(self) -> Option<&'static str> {
        Some(match self {
            Token::Comment => "comment",
            Token::Directive => "directive",
            Token::Text => "text",
            Token::Number => "number",
            Token::Keyword => "keyword",
            Token::Type => "type",
            Token::Qualifier => "qualifier",
            Token::Builtin => "builtin",
            Token::Call => "call",
            Token::Plain => return None,
        })
    }
}

const KEYWORDS: &str = " alignas alignof asm auto break case class const const_cast constexpr continue \
    default delete do else enum explicit extern false for friend goto if inline namespace new noexcept \
    nullptr operator private protected public reinterpret_cast requires restrict return sizeof static \
    static_assert static_cast struct switch template this true typedef typename union using virtual \
    volatile while __restrict__ __volatile__ ";

const TYPES: &str = " bool char double float half int long short signed size_t unsigned void dim3 \
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t __half __half2 __nv_bfloat16 \
    int2 int3 int4 uint2 uint3 uint4 float2 float3 float4 double2 long2 longlong2 ulonglong2 char4 uchar4 ";

const BUILTINS: &str = " threadIdx blockIdx blockDim gridDim warpSize ";

/// The lines of `code`, each as HTML whose spans are closed at the line's end.
pub(crate) fn lines(code: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (token, text) in tokens(code) {
        for (i, piece) in text.split('\n').enumerate() {
            if i > 0 {
                lines.push(String::new());
            }
            if piece.is_empty() {
                continue;
            }
            let line = lines.last_mut().expect("there is a first line");
            match token.class() {
                Some(class) => {
                    line.push_str(&format!(
                        "<span class=\"cuda-t-{class}\">{}</span>",
                        escape(piece)
                    ));
                }
                None => line.push_str(&escape(piece)),
            }
        }
    }
    if code.ends_with('\n') {
        lines.pop();
    }
    lines
}

fn tokens(code: &str) -> Vec<(Token, &str)> {
    let mut found = Vec::new();
    let mut rest = code;
    let mut line_start = true;
    while let Some(c) = rest.chars().next() {
        let (token, length) = next(rest, c, line_start);
        let (text, after) = rest.split_at(length);
        if !text.trim().is_empty() {
            line_start = false;
        }
        if text.contains('\n') {
            line_start = true;
        }
        found.push((token, text));
        rest = after;
    }
    found
}

/// The token at the start of `rest` and its length in bytes, which is at least that of `c`.
fn next(rest: &str, c: char, line_start: bool) -> (Token, usize) {
    let until = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    if rest.starts_with("//") {
        (Token::Comment, rest.find('\n').unwrap_or(rest.len()))
    } else if let Some(inside) = rest.strip_prefix("/*") {
        (Token::Comment, inside.find("*/").map_or(rest.len(), |at| at + 4))
    } else if c == '#' && line_start {
        // The directive's word alone: its line may end in a comment or name a file.
        let word = rest[1..].trim_start_matches([' ', '\t']);
        let name = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
        (Token::Directive, rest.len() - word.len() + name)
    } else if rest.starts_with("R\"(") {
        (Token::Text, until(")\""))
    } else if c == '"' || (c == '\'' && line_start_of_character(rest)) {
        (Token::Text, quoted(rest, c))
    } else if c.is_ascii_digit()
        || (c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
    {
        (Token::Number, number(rest))
    } else if c.is_alphabetic() || c == '_' {
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        (word(&rest[..length], &rest[length..]), length)
    } else if c.is_whitespace() {
        (Token::Plain, rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len()))
    } else {
        (Token::Plain, c.len_utf8())
    }
}

/// A character literal closes on its own line; a lone quote is left alone.
fn line_start_of_character(rest: &str) -> bool {
    let line = rest.split('\n').next().unwrap_or(rest);
    line[1..].contains('\'')
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return i,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

fn number(rest: &str) -> usize {
    let mut before = ' ';
    for (i, c) in rest.char_indices() {
        let exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        let hex = rest.starts_with("0x") || rest.starts_with("0X");
        let sign = exponent && !(hex && matches!(before, 'e' | 'E'));
        if !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '\'') || sign) {
            return i;
        }
        before = c;
    }
    rest.len()
}

fn word(word: &str, after: &str) -> Token {
    let among = |list: &str| list.contains(&format!(" {word} "));
    if among(KEYWORDS) {
        Token::Keyword
    } else if among(TYPES) {
        Token::Type
    } else if among(BUILTINS) {
        Token::Builtin
    } else if word.starts_with("__") && word.ends_with("__") {
        Token::Qualifier
    } else if after.trim_start().starts_with('(') {
        Token::Call
    } else {
        Token::Plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coloured(code: &str) -> Vec<(Token, &str)> {
        tokens(code).into_iter().filter(|(token, _)| *token != Token::Plain).collect()
    }

    #[test]
    fn words_are_coloured_by_kind() {
        assert_eq!(
            coloured(
                "__global__ void f(int n) { s[threadIdx.x] += 0x1fu + 1e-5f; g<4>(n); } // ok"
            ),
            [
                (Token::Qualifier, "__global__"),
                (Token::Type, "void"),
                (Token::Call, "f"),
                (Token::Type, "int"),
                (Token::Builtin, "threadIdx"),
                (Token::Number, "0x1fu"),
                (Token::Number, "1e-5f"),
                (Token::Number, "4"),
                (Token::Comment, "// ok"),
            ]
        );
        assert_eq!(coloured("0xe+1")[..], [(Token::Number, "0xe"), (Token::Number, "1")]);
    }

    #[test]
    fn every_byte_is_kept_whatever_the_text() {
        for code in [
            "",
            "\n",
            "a\n\nb",
            "/* open",
            "\"open\nx",
            "'",
            "#",
            "é§\u{1F600}",
            "0",
            "R\"(x",
            "//",
        ] {
            assert_eq!(tokens(code).iter().map(|(_, text)| *text).collect::<String>(), code);
        }
    }

    #[test]
    fn a_comment_over_two_lines_closes_on_each() {
        assert_eq!(
            lines("/* a\n b */ x\n"),
            [
                "<span class=\"cuda-t-comment\">/* a</span>",
                "<span class=\"cuda-t-comment\"> b */</span> x"
            ]
        );
        assert_eq!(lines("a\n\nb\n"), ["a", "", "b"]);
    }

    /// Looking for the end of the line at each token would take minutes.
    #[test]
    fn a_line_of_a_megabyte_is_read_once() {
        let begin = std::time::Instant::now();
        assert_eq!(lines(&"1,".repeat(1 << 19)).len(), 1);
        assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
    }
}
