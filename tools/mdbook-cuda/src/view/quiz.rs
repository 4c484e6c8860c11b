//! `{{#quiz ID ID…}}`: questions after a section; `{{#review}}`: all of the book, for the page that
//! brings back what was missed.
//!
//! Both are closed at first, so that a reader who reads on sees no answer. `lab/quiz.js` grades a
//! choice and keeps it in the browser; `lab/review.js` puts first what is due.

use super::part::html::escape;
use super::part::quiz_item;
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, Quiz as Facts};
use kernel_file::suggest::suggestion_or_list;
use std::fmt::Write;

#[derive(Debug)]
struct Quiz {
    ids: Vec<String>,
}

#[derive(Debug)]
struct Review;

/// Reads `{{#quiz ID ID…}}`.
pub(super) fn quiz(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    match arguments.plain()? {
        ids if ids.is_empty() => Err(arguments.wrong()),
        ids => Ok(Box::new(Quiz { ids })),
    }
}

/// Reads `{{#review}}`.
pub(super) fn review(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    arguments.none()?;
    Ok(Box::new(Review))
}

impl Directive for Quiz {
    fn needs(&self) -> Needs {
        Needs { quiz: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let folder = |file: &str| file.rsplit_once('/').map_or(String::new(), |f| f.0.to_owned());
        let own = |quiz: &&Facts| folder(&quiz.page) == folder(page.file);
        let Some(quiz) = page.facts.quizzes.iter().find(own) else {
            return Err("there is no `quiz.toml` beside this page".to_owned());
        };
        if !quiz.is_read {
            // What is wrong with the file is shown at the head of the page.
            return Ok(String::new());
        }
        let mut items = String::new();
        for id in &self.ids {
            let Some((_, item)) = quiz.items.iter().find(|(known, _)| known == id) else {
                let hint = suggestion_or_list(id, quiz.items.iter().map(|(id, _)| id.as_str()));
                return Err(format!("no item `{id}` in this chapter's `quiz.toml`{hint}"));
            };
            // The problems of an item are shown at the head of the page.
            if let Some(item) = item {
                items.push_str(&quiz_item::html(item, &quiz.chapter, "quiz"));
            }
        }
        Ok(format!(
            "<details class=\"cuda-quiz\">\n<summary>Check yourself: {}<span class=\"cuda-tally\">\
             </span></summary>\n{items}</details>\n",
            quiz_item::questions(self.ids.len())
        ))
    }
}

impl Directive for Review {
    fn needs(&self) -> Needs {
        Needs { quiz: true, book: true, questions: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let title = |quiz: &Facts| {
            let page = page.facts.questions.iter().find(|page| page.file == quiz.page);
            page.map_or_else(|| quiz.chapter.clone(), |page| page.title.clone())
        };
        let asked = page.facts.quizzes.iter().filter(|quiz| !quiz.items.is_empty());
        let chapters: Vec<(&Facts, String)> = asked.map(|quiz| (quiz, title(quiz))).collect();
        Ok(list(&chapters, &|to| page.link(to)))
    }
}

/// All items, chapter by chapter.
fn list(chapters: &[(&Facts, String)], link: &dyn Fn(&str) -> String) -> String {
    let count: usize = chapters.iter().map(|(quiz, _)| quiz.items.len()).sum();
    let mut out = format!(
        "<div class=\"cuda-review\">\n<p class=\"cuda-sum\" role=\"status\">{} in all.</p>\n\
         <p class=\"cuda-tools\" hidden><button type=\"button\" name=\"anki\">Save for Anki</button> \
         <span role=\"status\"></span></p>\n\
         <section class=\"cuda-due\" aria-label=\"Due\" hidden></section>\n",
        quiz_item::questions(count)
    );
    for (quiz, title) in chapters {
        let title = escape(title);
        let _ = writeln!(
            out,
            "<details class=\"cuda-quiz\" data-title=\"{title}\"><summary>{title}: {}<span \
             class=\"cuda-tally\"></span></summary>\n<p><a href=\"{}\">To the chapter</a></p>",
            quiz_item::questions(quiz.items.len()),
            escape(&link(&quiz.page))
        );
        for item in quiz.items.iter().filter_map(|(_, item)| item.as_ref()) {
            out.push_str(&quiz_item::html(item, &quiz.chapter, "review"));
        }
        out.push_str("</details>\n");
    }
    out.push_str("</div>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use verify::quiz::{Answered, Choice, Listing};

    fn choice(text: &str, because: &str, right: bool) -> Choice {
        Choice { text: text.to_owned(), because: because.to_owned(), right }
    }

    fn item(id: &str) -> Answered {
        Answered {
            id: id.to_owned(),
            ask: "Is `a < b` *so*?".to_owned(),
            choices: vec![
                choice("4 sectors", "That is `<stride>` 1.", false),
                choice("8 sectors", "They are `apart`.", true),
                choice("32 sectors", "Those are the lanes.", false),
            ],
            listing: Some(Listing { code: "int a = 1;\nint b = 2;".to_owned(), first_line: 7 }),
        }
    }

    pub(super) fn quiz() -> Facts {
        let items = ["one", "two"].map(|id| (id.to_owned(), Some(item(id))));
        Facts {
            chapter: "ch05".to_owned(),
            page: "chapters/ch05/README.md".to_owned(),
            is_read: true,
            items: items.into(),
        }
    }

    fn shown(directive: &str) -> Result<String, String> {
        let facts = crate::facts::Facts { quizzes: vec![quiz()], ..Default::default() };
        crate::tests::rendered(directive, &facts)
    }

    #[test]
    fn a_quiz_is_closed_and_so_are_its_answers() {
        let html = shown("quiz one two").unwrap();
        crate::tests::golden("quiz.html", &html);
        assert!(!html.contains("<details open") && !html.contains("checked"));
        assert!(shown("quiz two").unwrap().contains("Check yourself: 1 question<span"));
    }

    #[test]
    fn an_unknown_item_is_named_with_a_suggestion() {
        let message = shown("quiz one tow").unwrap_err();
        assert_eq!(message, "no item `tow` in this chapter's `quiz.toml`; did you mean `two`?");
        assert!(shown("quiz").unwrap_err().contains("write `{{#quiz ID ID}}`"));
    }

    /// Its own problems are shown at the head of the page.
    #[test]
    fn a_file_that_cannot_be_read_has_no_item_and_no_second_problem() {
        let broken = Facts { is_read: false, items: Vec::new(), ..quiz() };
        let facts = crate::facts::Facts { quizzes: vec![broken], ..Default::default() };
        assert_eq!(crate::tests::rendered("quiz one", &facts).as_deref(), Ok(""));
    }

    #[test]
    fn the_review_has_all_items_under_other_ids() {
        let html = shown("review").unwrap();
        crate::tests::golden("review.html", &html);
        assert!(html.contains("id=\"review-ch05-one\"") && !html.contains("id=\"quiz-"));
    }
}
