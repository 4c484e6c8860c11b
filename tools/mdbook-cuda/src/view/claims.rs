//! `{{#claim ID}}`: a claim, its outcome, and the numbers behind it; `{{#claims}}`: all claims of
//! the book with their totals.
//!
//! A claim whose numbers are missing shows the outcome that its author expects, and says that
//! nothing was measured.

use super::part::badge::{self, Badge};
use super::part::html::{escape, from_markdown, sentence, slug, with_code};
use super::part::words::{capital, chapter_title};
use super::part::{fold, quantity};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{JudgedClaim, Needs};
use kernel_file::suggest::suggestion_or_list;
use std::fmt::Write;
use verify::claims::{Ground, Judgement, Missing, Numbers, Outcome, State};

#[derive(Debug)]
struct Claim {
    id: String,
}

#[derive(Debug)]
struct Claims;

/// Reads `{{#claim ID}}`.
pub(super) fn claim(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    Ok(Box::new(Claim { id: arguments.only()? }))
}

/// Reads `{{#claims}}`.
pub(super) fn claims(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    arguments.none()?;
    Ok(Box::new(Claims))
}

impl Directive for Claim {
    fn needs(&self) -> Needs {
        Needs { claims: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let claims = &page.facts.claims;
        match claims.iter().find(|judged| judged.claim.id == self.id) {
            Some(judged) => Ok(html(judged)),
            None => {
                let ids = claims.iter().map(|judged| judged.claim.id.as_str());
                let hint = suggestion_or_list(&self.id, ids);
                Err(format!("no claim `{}` in this chapter's `claims.toml`{hint}", self.id))
            }
        }
    }
}

impl Directive for Claims {
    fn needs(&self) -> Needs {
        Needs { claims: true, book: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        Ok(all(&page.facts.claims, page))
    }
}

/// One claim.
fn html(judged: &JudgedClaim) -> String {
    let claim = &judged.claim;
    let (kind, says) = match observed(judged) {
        Some(observed) => ("Observed", capital(observed)),
        None => ("Claim", claim.says.clone()),
    };
    let mut out = format!(
        "<div class=\"cuda-claim\" id=\"claim-{}\">\n<p class=\"cuda-claim-says\"><b>{kind}.</b> \
         {} <span class=\"cuda-badges\">{}</span></p>\n",
        slug(&claim.id),
        sentence(&says),
        badge::of_claim(judged),
    );
    let _ =
        writeln!(out, "<div class=\"cuda-claim-because\">{}</div>", from_markdown(&claim.because));
    match &claim.ground {
        Ground::Datasheet { source, quotes } => {
            let _ = writeln!(
                out,
                "<p class=\"cuda-provenance\">{}: “{}”. Printed, not measured here.</p>",
                escape(source),
                escape(quotes)
            );
        }
        Ground::Numbers(numbers) => {
            let evidence =
                format!("{}{}", table(numbers, &judged.judgements), predicates(judged, numbers));
            // Where the verdict is not confirmed, the reason must be seen.
            match judged.judgements.iter().all(is_confirmed) {
                true => out.push_str(&fold::numbers("The numbers behind it", &evidence)),
                false => out.push_str(&evidence),
            }
        }
    }
    out.push_str("</div>\n");
    out
}

/// What was observed, if it is a sentence that nobody teaches.
fn observed(judged: &JudgedClaim) -> Option<&str> {
    judged.claim.says.strip_prefix("Observed: ")
}

fn is_confirmed(judgement: &Judgement) -> bool {
    matches!(judgement.state, State::Confirmed | State::Quoted)
}

/// The source of each number, and its value on each machine, in the unit in which the predicates compare
/// it.
fn table(numbers: &Numbers, judgements: &[Judgement]) -> String {
    let machines = judgements.iter().map(|judgement| match &judgement.machine {
        Some(machine) => escape(machine.strip_prefix("NVIDIA ").unwrap_or(machine)),
        None => "value".to_string(),
    });
    let heads: String =
        machines.map(|m| format!("<th scope=\"col\" class=\"cuda-num\">{m}</th>")).collect();
    let mut out = format!(
        "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr>\
         <th scope=\"col\">number</th>{heads}</tr></thead><tbody>\n"
    );
    for (i, (name, read)) in numbers.reads.iter().enumerate() {
        let _ = write!(
            out,
            "<tr><th scope=\"row\"><code>{}</code> <small>{}</small></th>",
            escape(name),
            escape(&read.text)
        );
        for judgement in judgements {
            let value = match judgement.readings.get(i).map(|(_, reading)| reading) {
                Some(Ok(reading)) => {
                    format!("<b>{}</b>", quantity::unscaled(&reading.unit, reading.value))
                }
                Some(Err(Missing::Stale(_))) => Badge::Stale.html(""),
                Some(Err(_)) | None => "–".to_string(),
            };
            let _ = write!(out, "<td class=\"cuda-num\">{value}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// The predicates of the claim, and why it is not proven, where it is not.
fn predicates(judged: &JudgedClaim, numbers: &Numbers) -> String {
    let (verdict, judgements) = (judged.claim.verdict, &judged.judgements);
    let words = |text: &str| text.replace(" && ", " and ").replace(" || ", " or ");
    let code = |text: &str| format!("<code>{}</code>", escape(&words(text)));
    let holds = code(numbers.holds.text());
    let mut out = format!(
        "<p class=\"cuda-provenance\">What varies: {}. The sentence counts as true if ",
        with_code(&numbers.varies)
    );
    out.push_str(&holds);
    let agree = judgements.iter().all(|judgement| judgement.verdict == verdict);
    match (&numbers.fails, verdict, agree && judgements.iter().all(is_confirmed)) {
        (Some(fails), _, true) => {
            let _ = write!(
                out,
                ", which is so, and as false if {}, which is so, too.",
                code(fails.text())
            );
        }
        (Some(fails), ..) => {
            let _ = write!(out, ", and as false if {}.", code(fails.text()));
        }
        (None, Outcome::Refuted, true) => out.push_str(". It is not so."),
        (None, _, true) => out.push_str(". It is so."),
        (None, ..) => out.push('.'),
    }
    let tested = badge::tested_on(judged);
    if !tested.is_empty() {
        let _ = write!(out, " {tested}");
    }
    for judgement in judgements {
        let why = match &judgement.state {
            State::Contradicted(why) | State::NotMeasured(why) | State::Stale(why) => why,
            State::Confirmed | State::Quoted => continue,
        };
        let _ = write!(out, " {}.", with_code(&capital(why)));
    }
    out.push_str("</p>\n");
    out
}

/// The totals, and every claim of the book by chapter.
fn all(claims: &[JudgedClaim], page: &Context<'_>) -> String {
    let mut out = String::from("<div class=\"cuda-claims\">\n");
    out.push_str(&totals(claims));
    let mut chapter = "";
    for judged in claims {
        if judged.claim.chapter != chapter {
            if !chapter.is_empty() {
                out.push_str("</tbody></table></div>\n");
            }
            chapter = &judged.claim.chapter;
            let _ = writeln!(
                out,
                "<div class=\"cuda-scroll\"><table class=\"cuda-table\"><thead><tr>\
                 <th scope=\"col\"><a href=\"{}\">{}</a></th><th scope=\"col\">verdict</th>\
                 </tr></thead><tbody>",
                escape(&page.link(&judged.page)),
                escape(&chapter_title(chapter)),
            );
        }
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\"><a href=\"{}#claim-{}\">{}</a></th><td>{}</td></tr>",
            escape(&page.link(&judged.page)),
            slug(&judged.claim.id),
            sentence(&judged.claim.says),
            badge::of_claim(judged),
        );
    }
    if !chapter.is_empty() {
        out.push_str("</tbody></table></div>\n");
    }
    out.push_str("</div>\n");
    out
}

/// How many claims there are, by ground and outcome.
fn totals(claims: &[JudgedClaim]) -> String {
    let quoted = claims.iter().filter(|c| c.is_quoted()).count();
    let tested = claims.iter().filter(|c| !c.is_quoted());
    let (measured, missing): (Vec<_>, Vec<_>) = tested.partition(|c| c.is_measured());
    let (seen, taught): (Vec<_>, Vec<_>) =
        measured.into_iter().partition(|c| observed(c).is_some());
    let of = |outcome| taught.iter().filter(|c| c.claim.verdict == outcome).count();
    let mut out = format!(
        "<p><b>Claims: {}.</b> By numbers that were measured or counted: {}, of which {} hold, {} \
         are refuted, {} depend. Quoted, not measured: {quoted}. Observed, and not taught: {}.",
        claims.len(),
        taught.len(),
        of(Outcome::Holds),
        of(Outcome::Refuted),
        of(Outcome::Depends),
        seen.len(),
    );
    if !missing.is_empty() {
        let _ = write!(out, " Not measured yet: {}.", missing.len());
    }
    out.push_str("</p>\n");
    out
}
