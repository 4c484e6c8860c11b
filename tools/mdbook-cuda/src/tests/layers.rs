//! Who may import whom in this crate, read from the `use` lines and paths of its sources.

use super::package;
use std::path::{Path, PathBuf};

/// Every source file, from `src/`, with its text up to its tests.
fn sources() -> Vec<(String, String)> {
    let src = package().join("src");
    let mut folders = vec![src.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
            if !name.starts_with("tests") {
                found.push((name, code(&path)));
            }
        }
    }
    found
}

/// A file without its tests and comments.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().to_string();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// The modules of the crate that a file names, as `facts` or `view::part`.
fn imports(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        found.extend(paths_at(&text[at + "crate::".len()..], ""));
    }
    let parent = name.strip_suffix(".rs").and_then(|n| n.rsplit_once('/')).map(|(up, _)| up);
    if let Some(parent) = parent {
        let parent = format!("{}::", parent.replace('/', "::"));
        for (at, _) in text.match_indices("super::") {
            found.extend(paths_at(&text[at + "super::".len()..], &parent));
        }
    }
    found
}

/// The paths that `text` begins with: `a::b`, or each of `{a::b, c}`.
fn paths_at(text: &str, prefix: &str) -> Vec<String> {
    let path = |text: &str| -> String {
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        format!("{prefix}{}", &text[..end.unwrap_or(text.len())])
    };
    match text.strip_prefix('{') {
        Some(list) => {
            let list = &list[..list.find(';').unwrap_or(list.len())];
            list.split(',').map(|item| path(item.trim())).filter(|p| p != prefix).collect()
        }
        None => vec![path(text)],
    }
}

fn is_in(path: &str, module: &str) -> bool {
    path == module || path.starts_with(&format!("{module}::"))
}

#[test]
fn each_file_imports_only_its_layer_and_those_below() {
    // A layer, and the modules that it may name.
    let layers: [(&str, &[&str]); 5] = [
        ("facts", &["facts"]),
        ("directive", &["facts"]),
        ("gather", &["gather", "facts", "source"]),
        ("view/part", &["view::part", "facts", "directive"]),
        ("view/", &["view::part", "facts", "directive"]),
    ];
    let mut wrong = Vec::new();
    for (name, text) in sources() {
        let Some((_, allowed)) = layers.iter().find(|(layer, _)| name.starts_with(layer)) else {
            continue;
        };
        for import in imports(&name, &text) {
            if !allowed.iter().any(|module| is_in(&import, module)) {
                wrong.push(format!("{name} imports {import}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imports_are_found() {
    let text =
        "use super::part::{html, number};\nuse crate::facts::Kernel;\nlet x = super::sweep::y();";
    assert_eq!(
        imports("view/ladder.rs", text),
        ["facts::Kernel", "view::part::", "view::sweep::y"]
    );
    let text = "use super::{other, part::html};";
    assert_eq!(imports("view/ladder.rs", text), ["view::other", "view::part::html"]);
}

#[test]
fn markdown_is_parsed_in_one_place() {
    let calls = |text: &str| text.matches("Parser::new").count();
    let found: Vec<(String, usize)> = sources()
        .into_iter()
        .map(|(name, text)| (name, calls(&text)))
        .filter(|(_, calls)| *calls > 0)
        .collect();
    // Essays and the like become HTML; a page is parsed by `verify::page::Markdown`.
    assert_eq!(found, [("view/part/html.rs".to_string(), 1)]);
    let passes: usize =
        sources().iter().map(|(_, text)| text.matches("Markdown::parse(").count()).sum();
    assert_eq!(passes, 1, "a page is parsed once, in `source`");
}
