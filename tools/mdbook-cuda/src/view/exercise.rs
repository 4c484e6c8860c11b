//! `{{#exercise FILE.cu}}`: an exercise to solve in the page; `{{#exercises}}`: all of the book.
//!
//! Without scripts the page has everything to read: the statement, the starter, the goals, and, folded,
//! the hints and the solution. `lab/exercise.js` adds the editor and the check, and keeps in the browser
//! what was written and solved.

use super::part::html::{escape, from_markdown};
use super::part::{lab, listing};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{ExerciseFact, Needs};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::{Exercise, Header};
use serde_json::json;
use std::fmt::Write;

#[derive(Debug)]
struct Single {
    name: String,
}

#[derive(Debug)]
struct List;

/// Reads `{{#exercise FILE.cu}}`.
pub(super) fn exercise(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    Ok(Box::new(Single { name: arguments.only()? }))
}

/// Reads `{{#exercises}}`.
pub(super) fn exercises(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    arguments.none()?;
    Ok(Box::new(List))
}

impl Directive for Single {
    fn needs(&self) -> Needs {
        Needs { exercises: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let all = &page.facts.exercises;
        let own = |fact: &&ExerciseFact| fact.name == self.name && fact.page == page.file;
        let Some(fact) = all.iter().find(own) else {
            let names = all.iter().filter(|f| f.page == page.file).map(|f| f.name.as_str());
            let hint = suggestion_or_list(&self.name, names);
            return Err(format!("no exercise `exercises/{}` beside this page{hint}", self.name));
        };
        match &fact.read {
            Ok((exercise, headers)) => Ok(figure(fact, exercise, headers)),
            Err(problems) => {
                let first = problems.first();
                let first = first.map_or(String::new(), |p| format!("{}: {}", p.line, p.message));
                Err(format!("`exercises/{}` is no exercise: {first}", self.name))
            }
        }
    }
}

impl Directive for List {
    fn needs(&self) -> Needs {
        Needs { exercises: true, book: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        Ok(list(&page.facts.exercises, &|to| page.link(to)))
    }
}

/// The figure of one exercise.
fn figure(fact: &ExerciseFact, exercise: &Exercise, headers: &[Header]) -> String {
    let mut out = format!(
        "<figure class=\"cuda-exercise cuda-kernel\" id=\"{}\" aria-label=\"Exercise {}\">\n\
         <figcaption class=\"cuda-title\"><strong>Exercise {}: {}</strong> <span \
         class=\"cuda-effort\">{}, {} minutes</span></figcaption>\n<div class=\"cuda-essay\">{}</div>\n",
        fact.anchor(),
        fact.number,
        fact.number,
        escape(&exercise.title),
        exercise.kind.name(),
        exercise.minutes,
        from_markdown(&exercise.statement),
    );
    for gate in &exercise.gates {
        let _ = writeln!(
            out,
            "<p class=\"cuda-goal\">Goal: {}: {} <code>{}</code></p>",
            escape(&gate.name()),
            gate.relation.words(),
            escape(gate.bound.text()),
        );
    }
    let starter = exercise.starter();
    let is_header = |line: &&str| {
        let line = line.trim();
        line.is_empty() || line.starts_with("//!") || line.starts_with("//@")
    };
    let first = starter.lines().take_while(is_header).count();
    let code: String = starter.split_inclusive('\n').skip(first).collect();
    let _ = writeln!(
        out,
        "<details class=\"cuda-starter\"><summary>Starter</summary>\n{}</details>",
        listing::html(&code, first as u32 + 1, &[])
    );
    for (hint, at) in exercise.hints.iter().zip(1..) {
        let _ = writeln!(
            out,
            "<details class=\"cuda-hint\"><summary>Hint {at} of {}</summary>{}</details>",
            exercise.hints.len(),
            from_markdown(hint)
        );
    }
    out.push_str("<details class=\"cuda-solution\"><summary>Solution</summary>\n");
    exercise.solution_regions().for_each(|region| out.push_str(&listing::plain(&region)));
    let _ = writeln!(out, "{}</details>", from_markdown(&exercise.why));
    let headers: Vec<_> = headers.iter().map(|h| (&h.name, &h.text)).collect();
    let data = json!({
        "file": exercise.relative(), "number": fact.number, "text": exercise.text,
        "starter": starter, "headers": headers,
    });
    let _ = writeln!(
        out,
        "<script type=\"application/json\" class=\"cuda-exercise-data\">{}</script>\n</figure>",
        lab::inside_html(&data)
    );
    out
}

/// All exercises, in one table.
fn list(all: &[ExerciseFact], link: &dyn Fn(&str) -> String) -> String {
    let mut out = String::from(
        "<div class=\"cuda-exercises\">\n<p class=\"cuda-sum\" role=\"status\"></p>\n\
         <table class=\"cuda-table\"><caption>The exercises of the book</caption><thead><tr>\
         <th scope=\"col\">number</th><th scope=\"col\">exercise</th><th scope=\"col\">kind</th>\
         <th scope=\"col\">minutes</th><th scope=\"col\" hidden>state</th></tr></thead><tbody>\n",
    );
    for fact in all {
        let Ok((exercise, _)) = &fact.read else { continue };
        let title = escape(&exercise.title);
        let title = match fact.is_shown {
            true => {
                format!("<a href=\"{}#{}\">{title}</a>", escape(&link(&fact.page)), fact.anchor())
            }
            false => title,
        };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><th scope=\"row\">{title}</th><td>{}</td><td>{}</td>\
             <td hidden data-file=\"{}\"></td></tr>",
            fact.number,
            exercise.kind.name(),
            exercise.minutes,
            escape(exercise.relative()),
        );
    }
    out.push_str("</tbody></table>\n</div>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: &str = "\
//! # Add <one>
//! Add one.
//! ## Hint
//! Add.
//! ## Why it works
//! It adds.
//@ exercise write, 10 minutes
//@ gate barriers = 0
//@ gate shared_bytes <= 250
//@ output out: int[n] = poison
//@ launch add(out, n) grid = 1, block = 32
//@ test 32
//@ page 32

__global__ void add(int* out, int n) {
    //@ begin
    out[threadIdx.x] = 1;
    //@ starter
    //| // </script> {{#title x}}
    //@ wrong result: it stores zero
    //| out[threadIdx.x] = 0;
    //@ wrong result: it stores two
    //| out[threadIdx.x] = 2;
    //@ wrong compile: a stray name
    //| x
    //@ end
}
__host__ __device__ int expected(int i) { return 1; }
";

    fn fact(is_shown: bool) -> ExerciseFact {
        let exercise = Exercise::parse("chapters/ch06-a/exercises/2_add.cu", ADD.to_owned());
        ExerciseFact {
            number: "6.2".to_owned(),
            name: "2_add.cu".to_owned(),
            page: "chapters/ch06-a/README.md".to_owned(),
            is_shown,
            read: exercise.map(|exercise| (exercise, Vec::new())),
        }
    }

    #[test]
    fn a_figure_holds_all_there_is_to_read_and_no_markup_of_the_author_s() {
        let fact = fact(true);
        let (exercise, headers) = fact.read.as_ref().unwrap();
        let html = figure(&fact, exercise, headers);
        for part in [
            "id=\"exercise-6-2\"",
            "Add &lt;one&gt;",
            "Goal: barriers: exactly <code>0</code>",
            "Goal: bytes of shared memory per block: at most <code>250</code>",
            "Hint 1 of 1",
            "data-n=\"10\"",
            "<p>It adds.</p>",
        ] {
            assert!(html.contains(part), "`{part}` is missing: {html}");
        }
        assert!(!html.contains("{{#title") && html.matches("</script>").count() == 1, "{html}");
        // The wrong answers are the author's; the page has them in its data only.
        assert!(!html.split("<script").next().unwrap().contains("= 2;"));
    }

    #[test]
    fn the_list_links_to_what_a_page_shows() {
        let link = |to: &str| to.replace("README.md", "index.html");
        let html = list(&[fact(true)], &link);
        assert!(html.contains("href=\"chapters/ch06-a/index.html#exercise-6-2\""), "{html}");
        assert!(!list(&[fact(false)], &link).contains("href"));
    }
}
