//! Claims on a page: the sentence, what it turned out to be, and the numbers that say so.
//!
//! A claim whose numbers are missing keeps its verdict, which is then what its author expects, and
//! says that nothing was measured. The appendix lists all claims with their totals.

use crate::html::{escape, from_markdown, slug, with_code};
use crate::quantity;
use crate::verdicts::Badge;
use std::fmt::Write;
use verify::claims::{Claim, Ground, Judgement, Missing, Numbers, Outcome, State};

/// A claim, and what the data say of it.
#[derive(Debug, Clone)]
pub(crate) struct JudgedClaim {
    pub(crate) claim: Claim,
    /// One a machine; at least one.
    pub(crate) judgements: Vec<Judgement>,
    /// Where the book shows it, from its root: `ch05-reduction/README.md`.
    pub(crate) page: String,
    /// What is wrong with it, as `check` says it.
    pub(crate) problems: Vec<verify::verdict::Problem>,
}

impl JudgedClaim {
    /// Whether the numbers are there that it is about.
    pub(crate) fn is_measured(&self) -> bool {
        let missing = |j: &Judgement| matches!(j.state, State::NotMeasured(_) | State::Stale(_));
        !self.judgements.iter().any(missing)
    }

    fn is_quoted(&self) -> bool {
        matches!(self.claim.ground, Ground::Datasheet { .. })
    }

    /// The verdict, and beside it whatever keeps it from being proven.
    pub(crate) fn badges(&self) -> String {
        let mut badges = vec![Badge::Claim(self.claim.verdict).html("")];
        for judgement in &self.judgements {
            let badge = match judgement.state {
                State::Confirmed => continue,
                State::Quoted => Badge::Quoted,
                State::Contradicted(_) => Badge::Contradicted,
                State::NotMeasured(_) => Badge::NotMeasured,
                State::Stale(_) => Badge::Stale,
            };
            let html = badge.html("");
            if !badges.contains(&html) {
                badges.push(html);
            }
        }
        badges.join(" ")
    }
}

/// `{{#claim ID}}`.
pub(crate) fn html(judged: &JudgedClaim) -> String {
    let claim = &judged.claim;
    let mut out = format!(
        "<div class=\"cuda-claim\" id=\"claim-{}\">\n<p class=\"cuda-claim-says\"><b>Claim.</b> \
         {} <span class=\"cuda-badges\">{}</span></p>\n",
        slug(&claim.id),
        with_code(&claim.says),
        judged.badges(),
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
            out.push_str(&table(numbers, &judged.judgements));
            out.push_str(&predicates(claim.verdict, numbers, &judged.judgements));
        }
    }
    out.push_str("</div>\n");
    out
}

/// What each name stands for, and its value on each machine.
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
                    format!("<b>{}</b>", quantity::text(&reading.unit, reading.value))
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

/// The predicates, and what follows.
fn predicates(verdict: Outcome, numbers: &Numbers, judgements: &[Judgement]) -> String {
    let holds = format!("<code>{}</code>", escape(numbers.holds.text()));
    let what = match (&numbers.fails, verdict) {
        (Some(fails), _) => {
            format!("{holds} and, elsewhere, <code>{}</code>", escape(fails.text()))
        }
        (None, Outcome::Refuted) => format!("not {holds}"),
        (None, _) => holds,
    };
    let mut out = format!("<p class=\"cuda-provenance\">The verdict rests on {what}.");
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

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// `{{#claims}}`: the totals, and every claim of the book by chapter. `link` gives the address of a
/// page of the book.
pub(crate) fn all(claims: &[JudgedClaim], link: &dyn Fn(&str) -> String) -> String {
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
                escape(&link(&judged.page)),
                escape(&title(chapter)),
            );
        }
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\"><a href=\"{}#claim-{}\">{}</a></th><td>{}</td></tr>",
            escape(&link(&judged.page)),
            slug(&judged.claim.id),
            with_code(&judged.claim.says),
            judged.badges(),
        );
    }
    if !chapter.is_empty() {
        out.push_str("</tbody></table></div>\n");
    }
    out.push_str("</div>\n");
    out
}

/// How many there are, of which kind, and what they turned out to be.
fn totals(claims: &[JudgedClaim]) -> String {
    let quoted = claims.iter().filter(|c| c.is_quoted()).count();
    let tested = claims.iter().filter(|c| !c.is_quoted());
    let (measured, missing): (Vec<_>, Vec<_>) = tested.partition(|c| c.is_measured());
    let of = |outcome| measured.iter().filter(|c| c.claim.verdict == outcome).count();
    let mut out = format!(
        "<p><b>Claims: {}.</b> By numbers that were measured or counted: {}, of which {} hold, {} \
         are refuted, {} depend. By data sheets: {quoted}.",
        claims.len(),
        measured.len(),
        of(Outcome::Holds),
        of(Outcome::Refuted),
        of(Outcome::Depends),
    );
    if !missing.is_empty() {
        let _ = write!(out, " Not measured yet: {}.", missing.len());
    }
    out.push_str("</p>\n");
    out
}

/// `Chapter 5: reduction` for `ch05-reduction`.
pub(crate) fn title(chapter: &str) -> String {
    let (number, name) = chapter.split_once('-').unwrap_or((chapter, ""));
    match number.trim_start_matches("ch").parse::<u32>() {
        Ok(number) => format!("Chapter {number}: {}", name.replace('-', " ")),
        Err(_) => chapter.to_string(),
    }
}
