//! A link checker for the built site.
//!
//! Every `href` and `src` of a built page that stays within the site must name a file of it, and
//! every `#fragment` an `id` of the page it names. Links to other hosts are not followed: a build
//! must not depend on them. `print.html` repeats the other pages and is left out.
//!
//! A broken link is reported where its author can fix it: at the line of the Markdown that has it,
//! if one is found.

use anyhow::{Context, Result};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;
use verify::Project;

/// A broken link.
#[derive(Debug, PartialEq)]
pub(crate) struct BrokenLink {
    /// Where: `chapters/other.md:3`, or the built page and its line.
    pub(crate) place: String,
    /// As it is written.
    pub(crate) link: String,
    /// Why it is broken.
    pub(crate) why: String,
}

impl fmt::Display for BrokenLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: link `{}`: {}", self.place, self.link, self.why)
    }
}

/// A page may have a broken link in each of its words, and finding the line of one reads the page: the
/// first so many are enough.
pub(crate) const MOST: usize = 100;

/// The broken links of the site in this folder, built from this project; of many the first
/// [`MOST`].
pub(crate) fn check(site: &Path, project: &Project) -> Result<Vec<BrokenLink>> {
    let mut pages = BTreeMap::new();
    for path in crate::site::pages(site) {
        let html = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let name = path.strip_prefix(site)?.to_string_lossy().replace('\\', "/");
        pages.insert(name, Page::scan(&html));
    }
    let mut broken = Vec::new();
    for (name, page) in pages.iter().filter(|(name, _)| *name != "print.html") {
        for (line, link) in &page.links {
            if broken.len() == MOST {
                return Ok(broken);
            }
            if let Some(why) = why_broken(site, &pages, name, link) {
                let built = || format!("{name}:{line}");
                let place = source_line(project, name, link).unwrap_or_else(built);
                broken.push(BrokenLink { place, link: link.clone(), why });
            }
        }
    }
    Ok(broken)
}

/// The line of Markdown that a page's link was made from.
fn source_line(project: &Project, page: &str, link: &str) -> Option<String> {
    let stem = page.strip_suffix(".html")?;
    let readme = stem.strip_suffix("index").map(|folder| format!("{folder}README"));
    let written = link.replace(".html", ".md");
    for stem in [Some(stem.to_string()), readme].into_iter().flatten() {
        let source = project.src().join(format!("{stem}.md"));
        let Ok(text) = fs::read_to_string(&source) else { continue };
        let line = text.lines().position(|line| line.contains(&written) || line.contains(link));
        if let Some(line) = line {
            return Some(format!("{}:{}", project.relative(&source), line + 1));
        }
    }
    None
}

fn why_broken(
    site: &Path,
    pages: &BTreeMap<String, Page>,
    page: &str,
    link: &str,
) -> Option<String> {
    if link.is_empty() || link.starts_with("//") || has_scheme(link) {
        return None;
    }
    let (address, fragment) = link.split_once('#').unwrap_or((link, ""));
    let address = percent_decoded(address.split('?').next().unwrap_or_default());
    let target = if address.is_empty() { page.to_string() } else { resolve(page, &address)? };
    let mut file = site.join(&target);
    let mut name = target;
    if file.is_dir() {
        file.push("index.html");
        name = format!("{}/index.html", name.trim_end_matches('/'));
        name = name.trim_start_matches('/').to_string();
    }
    if !file.is_file() {
        return Some(format!("the site has no `{name}`"));
    }
    let fragment = percent_decoded(fragment);
    let target = pages.get(&name)?;
    // An empty fragment and `top` are the start of any page.
    let known = fragment.is_empty() || fragment == "top" || target.ids.contains(&fragment);
    (!known).then(|| format!("`{name}` has no id `{fragment}`"))
}

/// `https:`, `mailto:`, `data:`, `javascript:`, ...
fn has_scheme(link: &str) -> bool {
    link.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// The file of the site that an address on a page names; `None` if it leaves the site.
fn resolve(page: &str, address: &str) -> Option<String> {
    let mut parts: Vec<&str> = match address.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => page.split('/').collect(),
    };
    // The page's own name.
    parts.pop();
    for part in address.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = (first == b'%').then(|| tail.get(..2)).flatten();
        let code = code.and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The ids and the links of a page.
#[derive(Debug, Default)]
struct Page {
    ids: BTreeSet<String>,
    /// With their lines.
    links: Vec<(usize, String)>,
}

impl Page {
    fn scan(html: &str) -> Page {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(html));
        let sink = PageSink { page: RefCell::default(), line: Cell::new(1) };
        let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
        // The sink never asks for a pause, so one call reads everything.
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        tokenizer.sink.page.take()
    }
}

/// Collects ids and links from the tags of a page.
struct PageSink {
    page: RefCell<Page>,
    /// The line on which the previous token ended.
    line: Cell<usize>,
}

impl TokenSink for PageSink {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        // The tokenizer gives the line on which a token ends; a tag starts where the token before it
        // ended.
        let start = self.line.replace(usize::try_from(line).unwrap_or(usize::MAX));
        let Token::TagToken(Tag { kind: TagKind::StartTag, name, attrs, .. }) = token else {
            return TokenSinkResult::Continue;
        };
        let page = &mut *self.page.borrow_mut();
        for attribute in attrs {
            match &*attribute.name.local {
                "id" => drop(page.ids.insert(attribute.value.to_string())),
                "href" | "src" => page.links.push((start, attribute.value.to_string())),
                _ => {}
            }
        }
        // A tree builder would tell the tokenizer that these elements hold text and no tags.
        match &*name {
            "script" => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" => TokenSinkResult::RawData(RawKind::Rawtext),
            _ => TokenSinkResult::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn broken(files: &[(&str, &str)]) -> Vec<String> {
        let folder = site(files);
        let project = Project { root: folder.path().to_path_buf() };
        let broken = check(&folder.path().join("site"), &project).unwrap();
        broken.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_that_hold() {
        let page = r##"<h1 id="top-of it">x</h1> <a href="a/">a</a> <a href="a/index.html#b">b</a>
            <a href='#top-of%20it'>c</a> <a href=https://example.com/x#y>d</a> <img src="x.svg?v=1">
            <a href="mailto:a@b">e</a><!-- <a href="no"> --><script>"<a href='no'>"</script>
            <a href="/a/index.html">f</a> 1 < 2 <br/>"##;
        let other = "<p id=b><a href='../index.html'>up</a> <a href='../x.svg'>";
        let files = [("site/index.html", page), ("site/a/index.html", other), ("site/x.svg", "")];
        assert_eq!(broken(&files), Vec::<String>::new());
    }

    #[test]
    fn links_that_do_not() {
        let page =
            "<a href=\"b.html\">\n<a href='a/index.html#no'>\n<img\nsrc=no.png> <a href='#x'>";
        assert_eq!(
            broken(&[("site/index.html", page), ("site/a/index.html", "<p id='yes'>")]),
            [
                "index.html:1: link `b.html`: the site has no `b.html`",
                "index.html:2: link `a/index.html#no`: `a/index.html` has no id `no`",
                "index.html:3: link `no.png`: the site has no `no.png`",
                "index.html:4: link `#x`: `index.html` has no id `x`",
            ]
        );
    }

    #[test]
    fn of_many_the_first_hundred_are_named() {
        let page = "<a href='no.html'>".repeat(20_000);
        assert_eq!(broken(&[("site/index.html", &page)]).len(), MOST);
    }

    #[test]
    fn the_line_in_the_source_is_named() {
        let page = "<a href=\"../b.html\">";
        let source = "# A\n\n[b](../b.md)\n";
        assert_eq!(
            broken(&[("site/a/index.html", page), ("chapters/a/README.md", source)]),
            ["chapters/a/README.md:3: link `../b.html`: the site has no `b.html`"]
        );
    }

    #[test]
    fn no_text_makes_the_scanner_panic_or_hang() {
        for text in
            ["<", "<a", "<a href", "<a href=", "<a href='", "<a =", "<a href=\"é", "<é>", "<!--"]
        {
            Page::scan(text);
        }
    }
}
