//! The settings of `book.toml` that would do nothing, or that mdBook stumbles over late: a table of the
//! preprocessor whose name or key is misspelt, a style sheet or script that is not there.

use kernel_file::suggest::{nearest, suggestion_or_list};
use kernel_file::verdict::Problem;
use mdbook_preprocessor::config::{Config, HtmlConfig};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The code of a problem with a setting.
pub const CODE: &str = "settings";

/// The table of the preprocessor.
const TABLE: &str = "cuda";

/// What the table may hold: mdBook's own keys, and the machine whose numbers are shown first.
const KEYS: [&str; 6] = ["command", "renderers", "before", "after", "optional", "machine"];

/// The renderers of mdBook itself.
const RENDERERS: [&str; 2] = ["html", "markdown"];

/// What is wrong with the settings of a book.
pub fn check(root: &Path, config: &Config) -> Vec<Problem> {
    let text = std::fs::read_to_string(root.join("book.toml")).unwrap_or_default();
    let mut problems = Vec::new();
    let mut add = |words: &[&str], message: String, help: &str| {
        let line = line_of(&text, words);
        let mut problem = Problem::new("book.toml", &text, (line, 0), CODE, message);
        problem.rendered = format!("{}\nhelp: {help}", problem.rendered.trim_end());
        problems.push(problem);
    };
    let tables: BTreeMap<String, Value> = config.preprocessors().unwrap_or_default();
    for (name, table) in tables.iter().filter(|(name, _)| *name != TABLE) {
        let command = table.get("command").and_then(Value::as_str).unwrap_or_default();
        let is_ours = command.contains("warpbook") && command.contains("preprocess");
        let is_near = !tables.contains_key(TABLE) && nearest(name, [TABLE].into_iter()).is_some();
        if is_ours || is_near {
            let message = format!("the preprocessor of this book is not called `{name}`");
            let help = "write `[preprocessor.cuda]`";
            add(&[&format!("preprocessor.{name}")], message, help);
        }
    }
    let own = || tables.get(TABLE).and_then(Value::as_object).into_iter().flatten();
    for (key, _) in own().filter(|(key, _)| !KEYS.contains(&key.as_str())) {
        let near = suggestion_or_list(key, KEYS.into_iter());
        let message = format!("`[preprocessor.cuda]` has no key `{key}`{near}");
        add(&[key], message, "correct it, or take the line out");
    }
    let outputs: BTreeMap<String, Value> = config.outputs().unwrap_or_default();
    let known = || outputs.keys().map(String::as_str).chain(RENDERERS);
    let listed = own().find(|(key, _)| *key == "renderers").and_then(|(_, list)| list.as_array());
    let listed = listed.into_iter().flatten().filter_map(Value::as_str);
    for name in listed.filter(|name| known().all(|known| known != *name)) {
        let near = suggestion_or_list(name, known());
        let message = format!("`renderers`: this book has no renderer `{name}`{near}");
        add(&["renderers", name], message, "mdBook would not call this preprocessor: correct it");
    }
    let html = match config.get::<HtmlConfig>("output.html") {
        Ok(html) => html.unwrap_or_default(),
        Err(error) => {
            let cause = error.root_cause().to_string();
            let cause = cause.lines().next().unwrap_or_default();
            let field = cause.split('`').nth(1).unwrap_or_default();
            add(&[field], format!("`[output.html]`: {cause}"), "correct it, or take the line out");
            HtmlConfig::default()
        }
    };
    let sheets = html.additional_css.iter().map(|path| ("additional-css", path));
    let scripts = html.additional_js.iter().map(|path| ("additional-js", path));
    for (key, path) in sheets.chain(scripts).filter(|(_, path)| !root.join(path).is_file()) {
        let shown = path.display().to_string();
        let folder = path.parent().filter(|folder| folder.ends_with("lab"));
        let help = match folder {
            Some(lab) => &format!("`warpbook lab --into {}` writes it", lab.display()),
            None => "write the file, or take its name out of the list",
        };
        add(&[key, &shown], format!("`{key}`: there is no file `{shown}`"), help);
    }
    let src = &config.book.src;
    if !root.join(src).is_dir() {
        let message = format!("`src`: there is no folder `{}`", src.display());
        let help = "name the folder of `SUMMARY.md`; without the key it is `src`";
        add(&["src", "="], message, help);
    }
    problems
}

/// The first line with all of these words; else the first with the last of them; else 0.
pub(crate) fn line_of(text: &str, words: &[&str]) -> u32 {
    let find = |words: &[&str]| {
        let found = text.lines().position(|line| words.iter().all(|word| line.contains(word)));
        found.map_or(0, |at| at as u32 + 1)
    };
    match find(words) {
        0 => find(&words[words.len().saturating_sub(1)..]),
        line => line,
    }
}
