//! Do the site's links lead anywhere?
//!
//! Every `href` and `src` of a built page that stays within the site must name a file of it, and
//! every `#fragment` an `id` of the page it names. Links to other hosts are not followed: a build
//! must not depend on them. `print.html` repeats the other pages and is left out.
//!
//! A broken link is reported where its author can mend it: at the line of the Markdown that has it,
//! if one is found.
//!
//! The pages are our own output, well-formed HTML, so a scanner of tags is enough; this is no
//! general parser.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;
use verify::Project;

/// A link that leads nowhere.
#[derive(Debug, PartialEq)]
pub(crate) struct BrokenLink {
    /// Where: `chapters/other.md:3`, or the built page and its line.
    pub(crate) place: String,
    /// As it is written.
    pub(crate) link: String,
    /// Why it leads nowhere.
    pub(crate) why: String,
}

impl fmt::Display for BrokenLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: link `{}`: {}", self.place, self.link, self.why)
    }
}

/// All broken links of the site in this folder, built from this project.
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
        let source = project.root.join("chapters").join(format!("{stem}.md"));
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

/// The file of the site that an address on a page names; `None` if it leaves the site, which is
/// then somebody else's page.
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

/// What a page offers and what it asks for.
#[derive(Debug, Default)]
struct Page {
    ids: BTreeSet<String>,
    /// With their lines.
    links: Vec<(usize, String)>,
}

impl Page {
    fn scan(html: &str) -> Page {
        let mut page = Page::default();
        let mut at = 0;
        let mut line = 1;
        while let Some(open) = html[at..].find('<').map(|found| at + found) {
            line += html[at..open].matches('\n').count();
            at = open;
            let rest = &html[at..];
            let end = if rest.starts_with("<!--") {
                rest.find("-->").map(|end| end + 3)
            } else {
                let (name, attributes, end) = tag(rest);
                for (attribute, value) in attributes {
                    match attribute.as_str() {
                        "id" => drop(page.ids.insert(value)),
                        "href" | "src" => page.links.push((line, value)),
                        _ => {}
                    }
                }
                // What is between these tags is no HTML.
                match name.as_str() {
                    "script" => rest.find("</script"),
                    "style" => rest.find("</style"),
                    _ => Some(end),
                }
            };
            let Some(end) = end else { break };
            let end = end.max(1);
            line += rest[..end].matches('\n').count();
            at += end;
        }
        page
    }
}

/// The tag at the start of `text`: its name, its attributes with their values, and where it ends.
fn tag(text: &str) -> (String, Vec<(String, String)>, usize) {
    let name: String = text[1..].chars().take_while(char::is_ascii_alphanumeric).collect();
    let mut attributes = Vec::new();
    let mut at = 1 + name.len();
    if name.is_empty() {
        return (name, attributes, 1);
    }
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/').len();
        let rest = &text[at..];
        if rest.is_empty() || rest.starts_with('>') {
            return (name, attributes, (at + 1).min(text.len()));
        }
        let length = rest.find(|c: char| c.is_whitespace() || "=>/".contains(c));
        let length = length.unwrap_or(rest.len());
        if length == 0 {
            // A stray `=`.
            at += 1;
            continue;
        }
        let attribute = rest[..length].to_ascii_lowercase();
        at += length;
        let mut value = String::new();
        if let Some(after) = text[at..].trim_start().strip_prefix('=') {
            let after = after.trim_start();
            at = text.len() - after.len();
            let (raw, length) = match after.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let end = after[1..].find(quote).unwrap_or(after.len() - 1);
                    (&after[1..1 + end], (end + 2).min(after.len()))
                }
                _ => {
                    let end = after.find(|c: char| c.is_whitespace() || c == '>');
                    let end = end.unwrap_or(after.len());
                    (&after[..end], end)
                }
            };
            value = unescaped(raw);
            at += length;
        }
        attributes.push((attribute, value));
    }
}

fn unescaped(value: &str) -> String {
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'")];
    let text = entities.iter().fold(value.to_string(), |text, (from, to)| text.replace(from, to));
    text.replace("&amp;", "&")
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
