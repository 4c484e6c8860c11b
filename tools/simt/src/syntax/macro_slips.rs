//! Macros that are written as assignments, `#define N = 100;`: what they make of an expression is an
//! error of syntax where they are used, and the mistake stands where they are defined.

use crate::diagnostic::{Diagnostic, Sources, Span};

/// A macro whose text begins with `=` or ends with `;`.
struct Slip {
    name: String,
    /// Its text as written, without these.
    meant: String,
    text: String,
    at: Span,
}

/// Puts one error for each such macro in the place of the errors of syntax that follow from it.
pub(super) fn name(sources: &Sources, diagnostics: &mut Vec<Diagnostic>) {
    let mut named: Vec<(u32, String)> = Vec::new();
    let mut slips: Option<Vec<Slip>> = None;
    diagnostics.retain_mut(|diagnostic| {
        if diagnostic.code != "syntax" || diagnostic.span.is_built_in() {
            return true;
        }
        let slips = slips.get_or_insert_with(|| slips_of(sources));
        let Some((slip, at, next)) = used_at(sources, slips, diagnostic.span) else { return true };
        let key = (diagnostic.span.file, slip.name.clone());
        if named.contains(&key) {
            return false;
        }
        if !next {
            return true;
        }
        let message =
            format!("`{}` stands for `{}`, which fits in no expression", slip.name, slip.text);
        *diagnostic = Diagnostic::error("syntax", at, message)
            .with_label(slip.at, "a macro has no `=` and no `;`")
            .with_help(format!("write `#define {} {}`", slip.name, slip.meant));
        named.push(key);
        true
    });
}

/// The macros of object type in the sources that are such slips.
fn slips_of(sources: &Sources) -> Vec<Slip> {
    let mut slips = Vec::new();
    for (file, (_, text)) in (0u32..).zip(sources.files()) {
        let mut begin = 0;
        for line in text.split_inclusive('\n') {
            let start = begin;
            begin += line.len();
            let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
            let Some(rest) = rest.trim_start().strip_prefix("define") else { continue };
            let rest = rest.trim_start();
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let (name, body) = rest.split_at(end);
            let body = body.split("//").next().unwrap_or(body);
            let body = body.split("/*").next().unwrap_or(body).trim();
            let meant = body.trim_start_matches('=').trim_end_matches(';').trim();
            let whole = !meant.is_empty() && !meant.contains([';', '{', '=']);
            if name.is_empty() || meant == body || !whole || body.starts_with("==") {
                continue;
            }
            let at = start + (line.len() - line.trim_start().len());
            let length = line.trim().len();
            let at = Span { file, start: at as u32, end: (at + length) as u32 };
            let (name, meant, text) = (name.to_owned(), meant.to_owned(), body.to_owned());
            slips.push(Slip { name, meant, text, at });
        }
    }
    slips
}

/// The last slip that is used on the line, up to the place of an error; its use, and whether nothing
/// stands between.
fn used_at<'a>(
    sources: &Sources,
    slips: &'a [Slip],
    place: Span,
) -> Option<(&'a Slip, Span, bool)> {
    let text = &sources.files().get(place.file as usize)?.1;
    let start = (place.start as usize).min(text.len());
    let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let end = text.get(start..)?.find(|c| !is_part(c)).map_or(text.len(), |at| start + at);
    let before = text.get(line..end)?;
    let mut found = None;
    for slip in slips.iter().filter(|slip| before.contains(&slip.name)) {
        for (at, _) in before.match_indices(&slip.name) {
            let alone = !before[..at].ends_with(is_part)
                && !before[at + slip.name.len()..].starts_with(is_part);
            let latest = found.as_ref().is_none_or(|(_, known): &(_, usize)| at > *known);
            if alone && latest {
                found = Some((slip, at));
            }
        }
    }
    let (slip, at) = found?;
    let behind = at + slip.name.len();
    let next = before.get(behind..start - line).is_none_or(|between| between.trim().is_empty());
    let [start, end] = [line + at, line + behind].map(|at| at as u32);
    Some((slip, Span { file: place.file, start, end }, next))
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
