//! `{{#coverage}}`: the rows of the notes that the book grew from, and where the book treats each.

use super::part::badge;
use super::part::html::{escape, sentence, slug, with_code};
use super::part::words::chapter_title;
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{JudgedClaim, Needs};
use std::fmt::Write;
use verify::coverage::Row;

#[derive(Debug)]
struct Coverage;

/// Reads `{{#coverage}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    arguments.none()?;
    Ok(Box::new(Coverage))
}

impl Directive for Coverage {
    fn needs(&self) -> Needs {
        Needs { claims: true, book: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        Ok(list(page))
    }
}

/// One line per row: what the notes say of it, where the book treats it, and the outcome of the
/// claims that it makes.
fn list(page: &Context<'_>) -> String {
    let facts = page.facts;
    let rows = &facts.book.rows;
    let gone = rows.iter().filter(|row| row.gone.is_some()).count();
    let mut out = format!(
        "<div class=\"cuda-coverage\">\n<p><b>Items: {0}.</b> Treated in the chapters: {0}. Of \
         something that today's tools no longer do: {gone}.</p>\n",
        rows.len()
    );
    let note = |row: &Row| row.id.split('.').next().unwrap_or_default().to_string();
    let mut notes: Vec<String> = rows.iter().map(note).collect();
    notes.dedup();
    for (name, number) in notes.iter().zip(1..) {
        let _ = writeln!(
            out,
            "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><caption>Set {number}</caption>\
             <thead><tr><th scope=\"col\">what it is</th>\
             <th scope=\"col\">where it is now</th></tr></thead><tbody>"
        );
        for row in rows.iter().filter(|row| note(row) == *name) {
            let claims = facts.claims.iter().filter(|c| c.claim.rows.contains(&row.id));
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}{}</td></tr>",
                what(row),
                places(row, page),
                claims.map(|claim| outcome(claim, page)).collect::<String>(),
            );
        }
        out.push_str("</tbody></table></div>\n");
    }
    out.push_str("</div>\n");
    out
}

/// What the row is about: its kind, a description, the note's figures, and remarks.
fn what(row: &Row) -> String {
    let mut out = format!("<small>{}</small> {}", escape(&row.kind), with_code(&row.what));
    if !row.figures.is_empty() {
        let _ = write!(out, " <small>The note says: {}.</small>", with_code(&row.figures));
    }
    if !row.remark.is_empty() {
        let _ = write!(out, " <small>{}.</small>", with_code(&row.remark));
    }
    if let Some(gone) = &row.gone {
        let _ = write!(out, " <small>Gone: {}.</small>", with_code(gone));
    }
    out
}

/// A link to the first place in each chapter.
fn places(row: &Row, page: &Context<'_>) -> String {
    let mut places: Vec<_> = row.places.iter().collect();
    places.dedup_by(|a, b| a.chapter == b.chapter);
    let links = places.iter().map(|place| {
        let name = chapter_title(&place.chapter);
        let name = name.split(':').next().unwrap_or_default();
        let address = escape(&page.link(&place.page));
        format!("<a href=\"{address}#{}\">{}</a>", escape(&place.heading), escape(name))
    });
    links.collect::<Vec<_>>().join(", ")
}

/// The outcome of a claim that the row makes.
fn outcome(claim: &JudgedClaim, page: &Context<'_>) -> String {
    format!(
        "<br><a href=\"{}#claim-{}\">{}</a> {}",
        escape(&page.link(&claim.page)),
        slug(&claim.claim.id),
        sentence(&claim.claim.says),
        badge::of_claim(claim)
    )
}
