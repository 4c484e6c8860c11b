//! One page for several machines: merges what a directive renders for each.
//!
//! A directive is rendered once per recorded machine. What is the same for all stands once in the
//! page. Where the renderings differ, the smallest elements that do stand once per machine, with its
//! name in `data-machine`; those of the default machine are shown, the others are `hidden`, and the
//! script `lab/machine.js` changes which. So no view knows of other machines, and a page without
//! scripts shows the default one.
//!
//! The renderings are parsed as trees and compared level by level: elements with the same opening tag
//! are merged in turn (longest common subsequence, Myers). A drawing is never taken apart, and the
//! data block of a script is the default machine's.
//!
//! Not done: HTML that leaves elements open is not repaired. Such a directive is shown whole, once per
//! machine.

use crate::view::part::html::escape;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::fmt::Write;
use verify::RecordedMachine;

/// Elements without content.
const VOID: [&str; 8] = ["br", "col", "hr", "img", "input", "link", "meta", "wbr"];

/// Elements whose content is not HTML.
const RAW: [&str; 3] = ["script", "style", "textarea"];

/// Elements that stand once per machine as a whole.
const WHOLE: [&str; 5] = ["svg", "select", "title", "style", "textarea"];

/// Attributes that hold ids.
const REFERENCES: [&str; 7] =
    ["id", "for", "href", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns"];

/// A piece of HTML.
#[derive(Debug)]
enum Node<'a> {
    Text(&'a str),
    Element { tag: &'a str, open: &'a str, children: Vec<Node<'a>>, source: &'a str },
}

impl<'a> Node<'a> {
    fn source(&self) -> &'a str {
        match self {
            Node::Text(text) => text,
            Node::Element { source, .. } => source,
        }
    }

    /// Nodes with the same key are merged.
    fn key(&self) -> &'a str {
        match self {
            Node::Text(text) => text,
            Node::Element { open, .. } => open,
        }
    }
}

/// One rendering per machine, the default's first, as one piece of HTML.
pub(crate) fn merged(machines: &[&str], renderings: &[&str]) -> String {
    let Some((first, others)) = renderings.split_first() else { return String::new() };
    if others.iter().all(|other| other == first) {
        return (*first).to_owned();
    }
    let parsed: Option<Vec<Vec<Node<'_>>>> = renderings.iter().map(|html| parse(html)).collect();
    let mut out = String::with_capacity(first.len() * 3 / 2);
    match parsed {
        Some(lists) => {
            let lists: Vec<&[Node<'_>]> = lists.iter().map(Vec::as_slice).collect();
            merge(machines, &lists, &mut out);
        }
        None => {
            for (names, html, is_default) in variants(machines, renderings) {
                let html = if is_default { html.to_owned() } else { renamed(html, &names) };
                let _ = write!(out, "<div {}>{html}</div>", attributes(&names, is_default));
            }
        }
    }
    out
}

/// The switch between the machines: a list that `lab/machine.js` puts into the menu bar. Without
/// scripts it stays hidden.
pub(crate) fn switch(machines: &[RecordedMachine]) -> String {
    let mut out = String::from(
        "\n\n<div class=\"cuda-machine\" hidden><label><span>Measured on</span> <select \
         autocomplete=\"off\">",
    );
    for RecordedMachine { stem, gpu } in machines {
        let gpu = gpu.strip_prefix("NVIDIA ").unwrap_or(gpu);
        let _ = write!(out, "<option value=\"{}\">{}</option>", escape(stem), escape(gpu));
    }
    out.push_str("</select></label></div>\n");
    out
}

/// Whether a page has anything to switch.
pub(crate) fn differs(html: &str) -> bool {
    html.contains(" data-machine=\"")
}

/// Merges lists of nodes, one per machine.
fn merge(machines: &[&str], lists: &[&[Node<'_>]], out: &mut String) {
    let anchors = anchors(lists);
    let mut at = vec![0; lists.len()];
    for anchor in anchors {
        gap(machines, lists, &at, &anchor, out);
        let nodes: Vec<&Node<'_>> = lists.iter().zip(&anchor).map(|(list, &i)| &list[i]).collect();
        same_key(machines, &nodes, out);
        at = anchor.iter().map(|i| i + 1).collect();
    }
    let ends: Vec<usize> = lists.iter().map(|list| list.len()).collect();
    gap(machines, lists, &at, &ends, out);
}

/// The nodes that all lists have in the same order, as indices per list.
fn anchors(lists: &[&[Node<'_>]]) -> Vec<Vec<usize>> {
    let keys: Vec<Vec<&str>> =
        lists.iter().map(|list| list.iter().map(Node::key).collect()).collect();
    let mut anchors: Vec<Vec<usize>> = (0..keys[0].len()).map(|i| vec![i]).collect();
    for other in &keys[1..] {
        let mut matched = vec![None; keys[0].len()];
        for op in capture_diff_slices(Algorithm::Myers, &keys[0], other) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                for i in 0..len {
                    matched[old_index + i] = Some(new_index + i);
                }
            }
        }
        anchors.retain_mut(|anchor| match matched[anchor[0]] {
            Some(index) => {
                anchor.push(index);
                true
            }
            None => false,
        });
    }
    anchors
}

/// Nodes with the same key.
fn same_key(machines: &[&str], nodes: &[&Node<'_>], out: &mut String) {
    let first = nodes[0];
    let Node::Element { tag, open, .. } = first else {
        out.push_str(first.source());
        return;
    };
    if *tag == "script" || nodes.iter().all(|node| node.source() == first.source()) {
        out.push_str(first.source());
        return;
    }
    if WHOLE.contains(tag) {
        let lists: Vec<&[Node<'_>]> =
            nodes.iter().map(|node| std::slice::from_ref(*node)).collect();
        gap(machines, &lists, &vec![0; lists.len()], &vec![1; lists.len()], out);
        return;
    }
    let children = nodes.iter().map(|node| match node {
        Node::Element { children, .. } => children.as_slice(),
        Node::Text(_) => &[],
    });
    out.push_str(open);
    merge(machines, &children.collect::<Vec<_>>(), out);
    let _ = write!(out, "</{tag}>");
}

/// The nodes between two anchors, once per machine.
fn gap(machines: &[&str], lists: &[&[Node<'_>]], from: &[usize], to: &[usize], out: &mut String) {
    let parts: Vec<&[Node<'_>]> =
        lists.iter().zip(from.iter().zip(to)).map(|(list, (&from, &to))| &list[from..to]).collect();
    let sources: Vec<String> =
        parts.iter().map(|part| part.iter().map(Node::source).collect()).collect();
    let texts: Vec<&str> = sources.iter().map(String::as_str).collect();
    for (names, source, is_default) in variants(machines, &texts) {
        let index = texts.iter().position(|text| *text == source).unwrap_or(0);
        for node in parts[index] {
            marked(node, &names, is_default, out);
        }
    }
}

/// A node that is shown for these machines only.
fn marked(node: &Node<'_>, names: &str, is_default: bool, out: &mut String) {
    let attributes = attributes(names, is_default);
    match node {
        Node::Text(text) if text.trim().is_empty() => out.push_str(text),
        Node::Text(text) => {
            let _ = write!(out, "<span {attributes}>{text}</span>");
        }
        Node::Element { tag: "script", .. } if !is_default => {}
        Node::Element { tag: "script", source, .. } => out.push_str(source),
        Node::Element { tag, source, .. } => {
            let own = if is_default { (*source).to_owned() } else { renamed(source, names) };
            let _ = write!(out, "<{tag} {attributes}{}", &own[1 + tag.len()..]);
        }
    }
}

/// The different renderings, each with the names of its machines and whether the default is one.
fn variants<'r>(machines: &[&str], renderings: &[&'r str]) -> Vec<(String, &'r str, bool)> {
    let mut found: Vec<(String, &str, bool)> = Vec::new();
    for (i, (machine, rendering)) in machines.iter().zip(renderings).enumerate() {
        match found.iter_mut().find(|(_, other, _)| other == rendering) {
            Some((names, ..)) => {
                names.push(' ');
                names.push_str(machine);
            }
            None => found.push(((*machine).to_owned(), rendering, i == 0)),
        }
    }
    found
}

fn attributes(names: &str, is_default: bool) -> String {
    let hidden = if is_default { "" } else { " hidden" };
    format!("data-machine=\"{}\"{hidden}", escape(names))
}

/// The HTML with other ids, in it and where it refers to them: an id is unique in a page.
fn renamed(html: &str, names: &str) -> String {
    let machine = names.split(' ').next().unwrap_or_default();
    let ids: Vec<&str> = html
        .match_indices(" id=\"")
        .filter_map(|(at, opening)| html[at + opening.len()..].split('"').next())
        .collect();
    if ids.is_empty() {
        return html.to_owned();
    }
    let mut out = html.to_owned();
    for attribute in REFERENCES {
        let opening = format!(" {attribute}=\"");
        let mut parts = out.split(opening.as_str());
        let mut next = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (value, rest) = part.split_once('"').unwrap_or((part, ""));
            let words = value.split(' ').map(|word| {
                let id = word.strip_prefix('#').unwrap_or(word);
                let is_own = ids.contains(&id) && (attribute != "href" || word.starts_with('#'));
                if is_own { format!("{word}--{machine}") } else { word.to_owned() }
            });
            let _ = write!(next, "{opening}{}\"{rest}", words.collect::<Vec<_>>().join(" "));
        }
        out = next;
    }
    for id in ids {
        out = out.replace(&format!("url(#{id})"), &format!("url(#{id}--{machine})"));
    }
    out
}

/// An element whose end was not seen yet.
struct Open<'a> {
    tag: &'a str,
    open: &'a str,
    start: usize,
    siblings: Vec<Node<'a>>,
}

/// HTML as a tree; `None` where an element is left open or closed twice.
fn parse(html: &str) -> Option<Vec<Node<'_>>> {
    let mut stack: Vec<Open<'_>> = Vec::new();
    let mut nodes = Vec::new();
    let mut at = 0;
    while at < html.len() {
        let rest = &html[at..];
        if !rest.starts_with('<') || rest.starts_with("<!--") {
            let end = match rest.starts_with('<') {
                true => rest.find("-->")? + 3,
                false => rest.find('<').unwrap_or(rest.len()),
            };
            nodes.push(Node::Text(&rest[..end]));
            at += end;
            continue;
        }
        let open = &rest[..tag_end(rest)?];
        if let Some(name) = open.strip_prefix("</") {
            let element = stack.pop()?;
            if name.trim_end_matches('>').trim_end() != element.tag {
                return None;
            }
            at += open.len();
            let children = std::mem::replace(&mut nodes, element.siblings);
            let source = &html[element.start..at];
            nodes.push(Node::Element { tag: element.tag, open: element.open, children, source });
            continue;
        }
        let end = open[1..].find(|c: char| c.is_whitespace() || c == '/' || c == '>')?;
        let tag = &open[1..=end];
        if VOID.contains(&tag) || open.ends_with("/>") || RAW.contains(&tag) {
            let close = format!("</{tag}>");
            let length = match RAW.contains(&tag) {
                true => rest.find(&close)? + close.len(),
                false => open.len(),
            };
            let source = &rest[..length];
            nodes.push(Node::Element { tag, open, children: Vec::new(), source });
            at += length;
            continue;
        }
        let siblings = std::mem::take(&mut nodes);
        stack.push(Open { tag, open, start: at, siblings });
        at += open.len();
    }
    stack.is_empty().then_some(nodes)
}

/// Where the tag that `text` begins with ends; `>` in a quoted value does not end it.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_two(first: &str, second: &str) -> String {
        merged(&["h200", "h100"], &[first, second])
    }

    #[test]
    fn what_is_the_same_stands_once() {
        assert_eq!(of_two("<p>a <b>1</b></p>", "<p>a <b>1</b></p>"), "<p>a <b>1</b></p>");
        assert_eq!(
            of_two(
                "<tr><td>a</td><td class=\"n\">1</td></tr>",
                "<tr><td>a</td><td class=\"n\">2</td></tr>"
            ),
            "<tr><td>a</td><td class=\"n\"><span data-machine=\"h200\">1</span>\
             <span data-machine=\"h100\" hidden>2</span></td></tr>"
        );
    }

    #[test]
    fn an_element_whose_tag_differs_stands_once_per_machine() {
        assert_eq!(
            of_two("<span title=\"x > y\">1</span>", "<span title=\"z\">1</span>"),
            "<span data-machine=\"h200\" title=\"x > y\">1</span>\
             <span data-machine=\"h100\" hidden title=\"z\">1</span>"
        );
        // A row more on one of them.
        assert_eq!(
            of_two("<ul><li>a</li></ul>", "<ul><li>a</li><li>b</li></ul>"),
            "<ul><li>a</li><li data-machine=\"h100\" hidden>b</li></ul>"
        );
    }

    #[test]
    fn a_drawing_is_not_taken_apart_and_its_ids_stay_unique() {
        let drawing = |n: u32| {
            format!(
                "<svg aria-labelledby=\"a-t a-d\"><title id=\"a-t\">T</title><desc id=\"a-d\">{n}\
                 </desc><rect fill=\"url(#a-t)\" height=\"{n}\"/><use href=\"#a-d\"/></svg>"
            )
        };
        let page = of_two(&drawing(1), &drawing(2));
        assert_eq!(page.matches("<svg data-machine=").count(), 2, "{page}");
        for id in ["a-t", "a-d", "a-t--h100", "a-d--h100"] {
            assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{id} in {page}");
        }
        let second = page.split("data-machine=\"h100\" hidden").nth(1).unwrap();
        assert!(second.contains("labelledby=\"a-t--h100 a-d--h100\""), "{second}");
        assert!(second.contains("url(#a-t--h100)") && second.contains("href=\"#a-d--h100\""));
    }

    #[test]
    fn machines_with_the_same_rendering_share_it() {
        let page = merged(&["a", "b", "c"], &["<b>1</b>", "<b>2</b>", "<b>1</b>"]);
        assert_eq!(
            page,
            "<b><span data-machine=\"a c\">1</span><span data-machine=\"b\" hidden>2</span></b>"
        );
    }

    #[test]
    fn a_script_s_data_is_the_default_machine_s() {
        let block = |n: u32| format!("<div>{n}<script type=\"x\">{{\"n\":{n}}}</script></div>");
        let page = of_two(&block(1), &block(2));
        assert_eq!(page.matches("<script").count(), 1);
        assert!(page.contains("{\"n\":1}") && !page.contains("{\"n\":2}"), "{page}");
    }

    #[test]
    fn html_that_is_left_open_is_shown_whole() {
        assert_eq!(
            of_two("<p>1", "<p>2"),
            "<div data-machine=\"h200\"><p>1</div><div data-machine=\"h100\" hidden><p>2</div>"
        );
        for broken in ["</p>", "<p", "<b><i></b></i>", "<!-- a", "<script>", "<"] {
            assert!(of_two(broken, "x").contains("data-machine"), "{broken}");
        }
    }
}
