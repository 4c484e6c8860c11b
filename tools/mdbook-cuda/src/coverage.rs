//! The notes that the book grew from: the list of their rows, and where the book treats each.

use crate::claims::{JudgedClaim, title};
use crate::facts::Facts;
use crate::html::{escape, slug, with_code};
use std::fmt::Write;
use verify::coverage::Row;

/// `{{#coverage}}`: a row a line, with what the notes say of it, where the book treats it, and
/// what became of the claims that it makes.
pub(crate) fn html(facts: &Facts, link: &dyn Fn(&str) -> String) -> String {
    let rows = &facts.book.rows;
    let gone = rows.iter().filter(|row| row.gone.is_some()).count();
    let mut out = format!(
        "<div class=\"cuda-coverage\">\n<p><b>Rows: {0}.</b> Treated in the chapters: {0}. Of \
         something that today's tools no longer do: {gone}.</p>\n",
        rows.len()
    );
    let note = |row: &Row| row.id.split('.').next().unwrap_or_default().to_string();
    let mut notes: Vec<String> = rows.iter().map(note).collect();
    notes.dedup();
    for name in notes {
        let _ = writeln!(
            out,
            "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><caption>Note {}</caption>\
             <thead><tr><th scope=\"col\">row</th><th scope=\"col\">what it is</th>\
             <th scope=\"col\">where it is now</th></tr></thead><tbody>",
            escape(&name)
        );
        for row in rows.iter().filter(|row| note(row) == name) {
            let claims = facts.claims.iter().filter(|c| c.claim.rows.contains(&row.id));
            let _ = writeln!(
                out,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}{}</td></tr>",
                escape(row.id.split('.').next_back().unwrap_or(&row.id)),
                what(row),
                places(row, link),
                claims.map(|claim| verdict(claim, link)).collect::<String>(),
            );
        }
        out.push_str("</tbody></table></div>\n");
    }
    out.push_str("</div>\n");
    out
}

/// The row in our words, its kind, the note's figures, and what else there is to say.
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
fn places(row: &Row, link: &dyn Fn(&str) -> String) -> String {
    let mut places: Vec<_> = row.places.iter().collect();
    places.dedup_by(|a, b| a.chapter == b.chapter);
    let links = places.iter().map(|place| {
        let name = title(&place.chapter);
        let name = name.split(':').next().unwrap_or_default();
        let page = escape(&link(&place.page()));
        format!("<a href=\"{page}#{}\">{}</a>", escape(&place.heading), escape(name))
    });
    links.collect::<Vec<_>>().join(", ")
}

/// The verdict of a claim that the row makes.
fn verdict(claim: &JudgedClaim, link: &dyn Fn(&str) -> String) -> String {
    format!(
        "<br><a href=\"{}#claim-{}\">{}</a> {}",
        escape(&link(&claim.page)),
        slug(&claim.claim.id),
        with_code(&claim.claim.says),
        claim.badges()
    )
}
