//! Questions to the reader, and the page that lists them all.
//!
//! A paragraph that ends in `{{#question waves}}` is a question: in a quotation a prediction, else an
//! exercise. In the page the word becomes an invisible place, to which `lab/answers.js` adds a field.
//! What is written there stays in the reader's browser, under the page's file and the word, so a
//! question may be reworded or moved within its page without losing an answer. `{{#progress}}` is
//! the list of all questions of the book; the answers come from `lab/progress.js`. Without scripts
//! a question is a question, and the list a list.

use crate::html::{escape, from_markdown, slug};
use std::fmt::Write;
use verify::page::braces;

/// The questions of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asking {
    /// The page's file, from the project's root.
    pub(crate) file: String,
    /// The same from the book's source folder: what answers are kept under.
    pub(crate) source: String,
    /// The page's name in the book.
    pub(crate) title: String,
    /// In their order.
    pub(crate) questions: Vec<Question>,
    /// Whether the page lists all questions.
    pub(crate) lists: bool,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    /// Its word.
    pub(crate) id: String,
    /// Whether it stands in a quotation.
    pub(crate) predicts: bool,
    /// What it asks, as HTML without links.
    pub(crate) text: String,
}

impl Question {
    fn kind(&self) -> &'static str {
        if self.predicts { "prediction" } else { "exercise" }
    }
}

/// What the page in `text` asks.
pub(crate) fn of(file: &str, source: &str, title: &str, text: &str) -> Asking {
    let words = braces(text);
    let is = |name: &str, text: &Option<&str>| {
        text.and_then(|text| text.split_whitespace().next()) == Some(name)
    };
    let mut questions = Vec::new();
    for found in words.iter().filter(|found| is("question", &found.text)) {
        let id = found.text.and_then(|t| t.split_whitespace().nth(1)).unwrap_or_default();
        let start = text[..found.range.start].rfind("\n\n").map_or(0, |at| at + 2);
        let end =
            text[found.range.end..].find("\n\n").map_or(text.len(), |at| found.range.end + at);
        let mut paragraph = text[start..end].to_string();
        for inner in words.iter().rev().filter(|w| (start..end).contains(&w.range.start)) {
            let range = inner.range.start - start..(inner.range.end - start).min(paragraph.len());
            // What a directive shows here is known only where it stands.
            let shown = if is("question", &inner.text) { "" } else { "…" };
            paragraph.replace_range(range, shown);
        }
        let predicts = paragraph.starts_with('>');
        let line = |line: &str| line.trim_start_matches(['>', ' ']).to_string();
        let plain = paragraph.lines().map(line).collect::<Vec<_>>().join("\n");
        questions.push(Question { id: id.to_string(), predicts, text: inline(&plain) });
    }
    let lists = words.iter().any(|found| is("progress", &found.text));
    Asking { file: file.into(), source: source.into(), title: title.into(), questions, lists }
}

/// A paragraph of Markdown as HTML, without the paragraph and without links.
fn inline(markdown: &str) -> String {
    let mut html = from_markdown(markdown).trim().to_string();
    while let Some(start) = html.find("<a ") {
        let end = html[start..].find('>').map_or(html.len(), |at| start + at + 1);
        html.replace_range(start..end, "");
    }
    html.replace("</a>", "").replace("<p>", "").replace("</p>", " ").trim().to_string()
}

/// The place of a question in its page. `link` gives the address of another page.
pub(crate) fn place(
    id: &str,
    page: &Asking,
    all: &[Asking],
    link: &dyn Fn(&str) -> String,
) -> Result<String, String> {
    if id.is_empty() || slug(id) != id {
        return Err(format!("`{id}` is no name for a question: letters, digits, `-` and `_` are"));
    }
    let mut same = page.questions.iter().filter(|question| question.id == id);
    let (Some(question), None) = (same.next(), same.next()) else {
        return Err(format!(
            "this page has two questions `{id}`: what is answered to each is kept \
                            under its name"
        ));
    };
    let list = all.iter().find(|page| page.lists);
    let list = list.map_or_else(String::new, |list| {
        format!(" data-progress=\"{}\"", escape(&link(&list.file)))
    });
    Ok(format!(
        "<span class=\"cuda-question\" id=\"question-{id}\" data-key=\"{}#{id}\" \
         data-kind=\"{}\"{list}></span>",
        escape(&page.source),
        question.kind()
    ))
}

/// `{{#progress}}`: all questions, page by page.
pub(crate) fn list(all: &[Asking], link: &dyn Fn(&str) -> String) -> String {
    let mut out = String::from(
        "<div class=\"cuda-progress\">\n\
         <p class=\"cuda-without-script\">With JavaScript, your answers stand beside the questions. \
         Without it, this is the list of them.</p>\n\
         <p class=\"cuda-sum\" hidden></p>\n\
         <p class=\"cuda-tools\" hidden><button type=\"button\" name=\"save\">Save a copy</button> \
         <label>Bring a copy back <input type=\"file\" name=\"load\" accept=\".json,application/json\">\
         </label> <button type=\"button\" name=\"forget\">Forget everything</button></p>\n\
         <p role=\"status\"></p>\n",
    );
    for page in all.iter().filter(|page| !page.questions.is_empty()) {
        let address = escape(&link(&page.file));
        let _ = writeln!(
            out,
            "<table class=\"cuda-table\"><caption><a href=\"{address}\">{}</a><span \
             class=\"cuda-tally\"></span></caption><thead><tr><th scope=\"col\">question</th>\
             <th scope=\"col\" hidden>yours</th></tr></thead><tbody>",
            escape(&page.title)
        );
        for question in &page.questions {
            let id = escape(&question.id);
            let _ = writeln!(
                out,
                "<tr><th scope=\"row\"><a href=\"{address}#question-{id}\">{}</a> {}</th>\
                 <td hidden data-key=\"{}#{id}\" data-kind=\"{}\"></td></tr>",
                if question.predicts { "Prediction" } else { "Exercise" },
                question.text,
                escape(&page.source),
                question.kind(),
            );
        }
        out.push_str("</tbody></table>\n");
    }
    out.push_str("</div>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# One\n\n> **Predict.** Is 2<sup>4</sup> more\n> than {{#measured a.cu 2^4 gbps}}? \
                        {{#question more}}\n\nText, `{{#question none}}`.\n\n**Sorted.** Sort [it](x.md). \
                        {{#question sorted}}\n";

    #[test]
    fn a_question_is_its_paragraph() {
        let page = of("src/one/README.md", "one/README.md", "One", PAGE);
        let [more, sorted] = page.questions.as_slice() else { panic!("{page:?}") };
        assert!(more.predicts && !sorted.predicts && !page.lists);
        assert_eq!(more.text, "<strong>Predict.</strong> Is 2<sup>4</sup> more\nthan …?");
        assert_eq!(sorted.text, "<strong>Sorted.</strong> Sort it.");
    }

    #[test]
    fn a_place_knows_its_key_and_the_list() {
        let page = of("src/one/README.md", "one/README.md", "One", PAGE);
        let list = of("src/all.md", "all.md", "All", "{{#progress}}\n");
        let all = [page.clone(), list];
        let link = |to: &str| format!("../{to}");
        let html = place("more", &page, &all, &link).unwrap();
        assert!(
            html.contains("data-key=\"one/README.md#more\" data-kind=\"prediction\""),
            "{html}"
        );
        assert!(html.contains("data-progress=\"../src/all.md\""), "{html}");
        assert!(place("a b", &page, &all, &link).unwrap_err().contains("no name"));
        let twice = of("a.md", "a.md", "A", &format!("{PAGE}\nMore? {{{{#question more}}}}\n"));
        assert!(place("more", &twice, &all, &link).unwrap_err().contains("two questions `more`"));
    }

    #[test]
    fn the_list_has_every_question_with_its_address() {
        let page = of("src/one/README.md", "one/README.md", "One", PAGE);
        let html = list(&[page], &|to| to.to_string());
        assert!(
            html.contains("<a href=\"src/one/README.md#question-sorted\">Exercise</a>"),
            "{html}"
        );
        assert_eq!(html.matches("data-key").count(), 2);
    }
}
