//! Links each term of the glossary where a page uses it first.
//!
//! The glossary is the page `glossary.md`: each row of its tables is an entry, and the first column
//! holds the terms that it explains, separated by commas. On every other page the first use of an
//! entry in the running text becomes a link to its row. A term in emphasis is explained there, so
//! nothing after it is linked. No page has to be written for it, and no link can lead nowhere.
//! The essay of a kernel links a term that the page has neither linked nor explained before it; where
//! the running text uses it later, it is linked there as well.
//!
//! Not done: a term that is broken over two lines.

use crate::directive::address;
use crate::source::PageSource;
use crate::view::part::html::{escape, slug};
use regex::Regex;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The name of the page.
const NAME: &str = "glossary.md";

/// The glossary of a book.
#[derive(Debug)]
pub(crate) struct Glossary {
    /// Its page, relative to the project's root.
    file: String,
    entries: Vec<Entry>,
    /// Any term, the longer one where one begins another.
    any: Regex,
    /// The entry of each term, in lower case.
    of_term: HashMap<String, usize>,
}

/// A row of the glossary.
#[derive(Debug)]
struct Entry {
    /// The byte of the page at which its first cell begins.
    start: usize,
    /// Its anchor.
    id: String,
    /// Its last cell, as plain text.
    meaning: String,
}

impl Glossary {
    /// The glossary that this page is; `None` if it is another page.
    pub(crate) fn read(page: &PageSource) -> Option<Glossary> {
        if page.file.rsplit('/').next() != Some(NAME) {
            return None;
        }
        let mut entries = Vec::new();
        let mut of_term = HashMap::new();
        let mut terms = Vec::new();
        let mut at = 0;
        let mut lines = page.text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            let start = at + 2;
            at += line.len();
            let is_head = lines.peek().is_some_and(|next| next.starts_with("| --"));
            let Some(row) =
                line.strip_prefix("| ").filter(|row| !is_head && !row.starts_with("--"))
            else {
                continue;
            };
            let cells: Vec<&str> = row.trim().trim_end_matches('|').split('|').collect();
            let [first, .., last] = cells.as_slice() else { continue };
            let names: Vec<String> = first.split(',').map(|name| plain(name.trim())).collect();
            for name in &names {
                of_term.insert(name.to_lowercase(), entries.len());
            }
            let id = slug(&names[0].to_lowercase().replace(' ', "-"));
            entries.push(Entry { start, id, meaning: plain(last.trim()) });
            terms.extend(names);
        }
        terms.sort_by_key(|term| std::cmp::Reverse(term.len()));
        let forms: Vec<String> = terms.iter().map(|term| forms(term)).collect();
        if entries.is_empty() {
            return None;
        }
        let any = Regex::new(&forms.join("|")).ok()?;
        Some(Glossary { file: page.file.clone(), entries, any, of_term })
    }

    /// The HTML that goes into `page`, and the bytes that it replaces: links, or on the glossary
    /// itself the anchors of its rows.
    pub(crate) fn pieces(&self, page: &PageSource) -> Vec<(Range<usize>, String)> {
        if page.file == self.file {
            let anchor = |entry: &Entry| {
                let html = format!("<span class=\"cuda-entry\" id=\"{}\"></span>", entry.id);
                (entry.start..entry.start, html)
            };
            return self.entries.iter().map(anchor).collect();
        }
        let link = |(at, entry): (Range<usize>, &Entry)| {
            let html = self.link(page, entry, &page.text[at.clone()]);
            (at, html)
        };
        self.uses(page, page.text.len()).0.into_iter().map(link).collect()
    }

    /// A term of a page as a link to its entry.
    fn link(&self, page: &PageSource, entry: &Entry, term: &str) -> String {
        format!(
            "<a class=\"cuda-term\" href=\"{}#{}\" title=\"{}\">{term}</a>",
            address(&page.file, &self.file),
            entry.id,
            escape(&entry.meaning),
        )
    }

    /// The HTML of the directive at this byte of a page, with links in its essays. `linked` holds the
    /// entries that essays of the page have linked.
    pub(crate) fn in_essays(
        &self,
        page: &PageSource,
        at: usize,
        html: String,
        linked: &mut BTreeSet<usize>,
    ) -> String {
        const START: &str = "<div class=\"cuda-essay\">";
        if page.file == self.file || !html.contains(START) {
            return html;
        }
        let is_known = self.uses(page, at).1;
        let mut out = String::with_capacity(html.len() * 2);
        let mut rest = html.as_str();
        while let Some(start) = rest.find(START) {
            let end = rest[start..].find("</div>").map_or(rest.len(), |end| start + end);
            out.push_str(&rest[..start]);
            out.push_str(&self.linked(page, &rest[start..end], &is_known, linked));
            rest = &rest[end..];
        }
        out.push_str(rest);
        out
    }

    /// An essay with links, which are neither in its code nor in its own links.
    fn linked(
        &self,
        page: &PageSource,
        essay: &str,
        is_known: &[bool],
        linked: &mut BTreeSet<usize>,
    ) -> String {
        let mut out = String::new();
        let mut inside = 0;
        for piece in essay.split_inclusive('>') {
            let (text, tag) = piece.split_at(piece.find('<').unwrap_or(piece.len()));
            let mut at = 0;
            for term in self.any.find_iter(text).filter(|_| inside == 0) {
                let Some(entry) =
                    self.entry(term.as_str()).filter(|_| is_whole(text, &term.range()))
                else {
                    continue;
                };
                if !is_known[entry] && linked.insert(entry) {
                    out.push_str(&text[at..term.start()]);
                    out.push_str(&self.link(page, &self.entries[entry], term.as_str()));
                    at = term.end();
                }
            }
            out.push_str(&text[at..]);
            out.push_str(tag);
            let is = |names: [&str; 3]| names.iter().any(|name| tag.starts_with(name));
            if is(["<code", "<a ", "<pre"]) {
                inside += 1;
            } else if is(["</code", "</a", "</pre"]) {
                inside -= 1;
            }
        }
        out
    }

    /// The first use of each entry that the page does not explain before, and for each entry whether
    /// the page uses or explains it, up to this byte.
    fn uses(&self, page: &PageSource, end: usize) -> (Vec<(Range<usize>, &Entry)>, Vec<bool>) {
        let mut is_known = vec![false; self.entries.len()];
        let mut found = Vec::new();
        for prose in page.prose.iter().filter(|prose| prose.range.start < end) {
            let text = &page.text[prose.range.clone()];
            for term in self.any.find_iter(text) {
                let at = prose.range.start + term.start()..prose.range.start + term.end();
                let Some(entry) = self.entry(term.as_str()).filter(|_| is_whole(&page.text, &at))
                else {
                    continue;
                };
                if prose.is_emphasised {
                    // In bold: a term that is explained here, or a sentence that happens to use it.
                    is_known[entry] |= term.as_str() == text.trim_end_matches(['.', ',', ':']);
                } else if !is_known[entry] {
                    is_known[entry] = true;
                    found.push((at, &self.entries[entry]));
                }
            }
        }
        (found, is_known)
    }

    /// The entry of a term in any of its forms.
    fn entry(&self, term: &str) -> Option<usize> {
        let term = term.to_lowercase();
        let singular = [
            Some(term.clone()),
            term.strip_suffix('s').map(str::to_owned),
            term.strip_suffix("es").map(str::to_owned),
            term.strip_suffix("ies").map(|stem| format!("{stem}y")),
        ];
        singular.iter().flatten().find_map(|term| self.of_term.get(term).copied())
    }
}

/// A pattern of a term and its plural, with a small or a large first letter.
fn forms(term: &str) -> String {
    let mut letters = term.chars();
    let first = letters.next().unwrap_or_default();
    let rest = letters.as_str();
    let first = match first.to_uppercase().next() {
        Some(large) if large != first => format!("[{first}{large}]"),
        _ => regex::escape(&first.to_string()),
    };
    match rest.strip_suffix('y') {
        Some(stem) => format!("{first}{}(?:ies|y)", regex::escape(stem)),
        None => format!("{first}{}(?:es|s)?", regex::escape(rest)),
    }
}

/// Whether no word goes on before or after this part of a text.
fn is_whole(text: &str, at: &Range<usize>) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    !text[..at.start].ends_with(goes_on) && !text[at.end..].starts_with(goes_on)
}

/// Markdown without its back-ticks.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

#[cfg(test)]
impl Glossary {
    /// The anchors of its rows.
    pub(crate) fn ids(&self) -> Vec<&str> {
        self.entries.iter().map(|entry| entry.id.as_str()).collect()
    }

    /// The anchors of the entries that a page uses or explains.
    pub(crate) fn used(&self, page: &PageSource) -> Vec<&str> {
        let is_used = self.uses(page, page.text.len()).1;
        let all = self.entries.iter().zip(is_used);
        all.filter(|(_, is_used)| *is_used).map(|(entry, _)| entry.id.as_str()).collect()
    }
}
