//! `{{#question ID}}`: a question to the reader; `{{#progress}}`: the list of all questions.
//!
//! A paragraph that ends in `{{#question waves}}` is a question: in a quotation a prediction, else an
//! exercise. The directive becomes an invisible place, to which `lab/answers.js` adds a field. What a
//! reader writes there stays in the browser, under the page's file and the question's name, so a
//! question may be reworded or moved within its page without losing an answer. `lab/progress.js`
//! adds the answers to the list. Without scripts a question is a question, and the list a list.

use super::part::html::{escape, from_markdown, slug};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, PageQuestions};
use std::fmt::Write;

#[derive(Debug)]
struct Question {
    id: String,
}

#[derive(Debug)]
struct Progress;

/// Reads `{{#question ID}}`.
pub(super) fn question(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    Ok(Box::new(Question { id: arguments.only()? }))
}

/// Reads `{{#progress}}`.
pub(super) fn progress(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    arguments.none()?;
    Ok(Box::new(Progress))
}

impl Directive for Question {
    fn is_inline(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs { questions: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let all = &page.facts.questions;
        let own = all.iter().find(|questions| questions.file == page.file);
        let own = own.ok_or_else(|| format!("the question `{}` is on no page", self.id))?;
        place(&self.id, own, all, &|to| page.link(to))
    }
}

impl Directive for Progress {
    fn needs(&self) -> Needs {
        Needs { questions: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        Ok(list(&page.facts.questions, &|to| page.link(to)))
    }
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

/// The invisible place of a question in its page. `link` gives the address of another page.
fn place(
    id: &str,
    page: &PageQuestions,
    all: &[PageQuestions],
    link: &dyn Fn(&str) -> String,
) -> Result<String, String> {
    if id.is_empty() || slug(id) != id {
        return Err(format!("`{id}` cannot name a question: use letters, digits, `-` and `_`"));
    }
    let mut same = page.questions.iter().filter(|question| question.id == id);
    let (Some(question), None) = (same.next(), same.next()) else {
        return Err(format!(
            "this page has two questions `{id}`: give each its own name, under which its answer is \
             kept"
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

/// All questions, page by page.
fn list(all: &[PageQuestions], link: &dyn Fn(&str) -> String) -> String {
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
                inline(&question.markdown),
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
    use crate::source::PageSource;

    const PAGE: &str = "# One\n\n> **Predict.** Is 2<sup>4</sup> more\n> than {{#measured a.cu 2^4 gbps}}? \
                        {{#question more}}\n\nText, `{{#question none}}`.\n\n**Sorted.** Sort [it](x.md). \
                        {{#question sorted}}\n";

    fn of(file: &str, source: &str, title: &str, text: &str) -> PageQuestions {
        PageSource::parse(file, text).page_questions(source, title)
    }

    #[test]
    fn a_question_is_its_paragraph() {
        let page = of("src/one/README.md", "one/README.md", "One", PAGE);
        let [more, sorted] = page.questions.as_slice() else { panic!("{page:?}") };
        assert!(more.predicts && !sorted.predicts && !page.lists);
        assert_eq!(
            inline(&more.markdown),
            "<strong>Predict.</strong> Is 2<sup>4</sup> more\nthan …?"
        );
        assert_eq!(inline(&sorted.markdown), "<strong>Sorted.</strong> Sort it.");
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
        assert!(place("a b", &page, &all, &link).unwrap_err().contains("cannot name"));
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
