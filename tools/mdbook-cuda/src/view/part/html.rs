//! HTML escapes, and Markdown as HTML.
//!
//! mdBook's Markdown parser reads the rendered page once more. A blank line would end an HTML block
//! there, and a line break inside a list would leave the list. So the views write readable lines, and
//! [`one_line`] joins them just before they enter the page.

use regex::Regex;
use std::sync::LazyLock;

/// Text for use between tags and in a quoted attribute.
///
/// `{{` is escaped, so that no other preprocessor takes source code for a directive.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for (i, c) in text.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '{' if text[i + 1..].starts_with('{') => out.push_str("&#123;"),
            _ => out.push(c),
        }
    }
    out
}

/// The same HTML on one line: line breaks inside `<pre>` become `&#10;`, others a space.
pub(crate) fn one_line(html: &str) -> String {
    let mut out = String::with_capacity(html.len() + 64);
    let mut rest = html.trim();
    while let Some(start) = rest.find("<pre") {
        let end = rest[start..].find("</pre>").map_or(rest.len(), |at| start + at);
        out.push_str(&joined(&rest[..start], " "));
        out.push_str(&joined(&rest[start..end], "&#10;"));
        rest = &rest[end..];
    }
    out.push_str(&joined(rest, " "));
    out
}

fn joined(text: &str, separator: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', separator)
}

/// A power in plain text: `2^18`.
static POWER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([0-9]+)\^([0-9]+)\b").expect("a valid pattern"));

/// Text with its powers raised.
fn with_powers(text: &str) -> String {
    POWER.replace_all(&escape(text), "$1<sup>$2</sup>").into_owned()
}

/// A piece of Markdown, such as an essay, as HTML. It is trusted like the page around it. A power such
/// as `2^18` outside of code is set as one.
pub(crate) fn from_markdown(markdown: &str) -> String {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut is_code = false;
    let events = Parser::new_ext(markdown, options).map(|event| match event {
        Event::Start(Tag::CodeBlock(_)) | Event::End(TagEnd::CodeBlock) => {
            is_code = !is_code;
            event
        }
        Event::Text(text) if !is_code && POWER.is_match(&text) => {
            Event::InlineHtml(with_powers(&text).into())
        }
        _ => event,
    });
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events);
    out
}

/// A message with its `quoted` words set as code.
pub(crate) fn with_code(message: &str) -> String {
    quoted(message, escape)
}

/// The same, with the powers outside of code raised: a sentence of a page.
pub(crate) fn sentence(text: &str) -> String {
    quoted(text, with_powers)
}

/// The `quoted` words as code, and what is between them as `plain` sets it.
fn quoted(text: &str, plain: impl Fn(&str) -> String) -> String {
    let mut parts = text.split('`');
    let mut out = plain(parts.next().unwrap_or_default());
    while let (Some(code), after) = (parts.next(), parts.next()) {
        match after {
            Some(after) => out.push_str(&format!("<code>{}</code>{}", escape(code), plain(after))),
            None => out.push_str(&format!("`{}", escape(code))),
        }
    }
    out
}

/// Text for use in a class or an id: every other character becomes `_`.
pub(crate) fn slug(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_cannot_become_markup_or_a_directive() {
        assert_eq!(escape("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
        assert_eq!(escape("{{#title x}}"), "&#123;{#title x}}");
        assert_eq!(escape("int a[2] = {0}"), "int a[2] = {0}");
    }

    #[test]
    fn quoted_words_become_code() {
        assert_eq!(with_code("`a<b>` is `c`"), "<code>a&lt;b&gt;</code> is <code>c</code>");
        assert_eq!(with_code("a ` b"), "a ` b");
    }

    #[test]
    fn a_power_in_a_sentence_is_raised_and_code_stays() {
        assert_eq!(sentence("at 2^24, not `2^24`"), "at 2<sup>24</sup>, not <code>2^24</code>");
    }

    #[test]
    fn a_power_in_an_essay_is_raised_and_code_stays() {
        let html = from_markdown("always 2^18 threads, not `2^18`\n\n    2^18\n");
        assert!(html.contains("2<sup>18</sup> threads, not <code>2^18</code>"), "{html}");
        assert_eq!(html.matches("2^18").count(), 2, "{html}");
    }

    #[test]
    fn blank_lines_survive_only_in_code() {
        assert_eq!(
            one_line("<p>a\n\nb</p>\n<pre>x\n\ny</pre>\n"),
            "<p>a  b</p> <pre>x&#10;&#10;y</pre>"
        );
    }
}
