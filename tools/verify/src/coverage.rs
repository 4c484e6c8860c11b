//! Where the book came from: notes, taken apart into rows, and where each row lives on.
//!
//! `chapters/appendix/coverage.toml` lists the rows. A page marks the place where it treats some of
//! them with `{{#row ID…}}`, which shows nothing. A row that a published chapter should treat and
//! that is marked nowhere is a problem; so is a kernel, a program or a figure that is mentioned
//! where nothing runs. What today's tools cannot do any more says why (`gone`) and needs only to
//! be mentioned.

use crate::page::{Braces, Markdown};
use crate::project::Project;
use crate::suggest::suggestion;
use crate::toml_file::{Table, Wrong, tables};
use crate::verdict::Problem;
use std::path::{Path, PathBuf};

/// Where the rows are listed, from the project's root.
pub const FILE: &str = "chapters/appendix/coverage.toml";

/// An anchor that names more rows than these treats none of them.
const ROWS_AN_ANCHOR: usize = 4;

/// Kinds of rows that need something that runs, or was measured, beside them.
const NEED_EVIDENCE: [&str; 3] = ["program", "kernel", "metric"];

/// Words of a page that show nothing that runs.
const NO_EVIDENCE: [&str; 6] = ["row", "claims", "coverage", "provenance", "question", "progress"];

/// Numbers in the running text: evidence for a figure, not for a program.
const NUMBERS: [&str; 4] = ["measured", "counter", "hardware", "value"];

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// `000.12`: note and row.
    pub id: String,
    /// `program`, `kernel`, `metric`, `rule`, …
    pub kind: String,
    /// What it is.
    pub what: String,
    /// The note's own figures; empty where it gives none.
    pub figures: String,
    /// What else there is to say, ours; empty where nothing is.
    pub remark: String,
    /// The folder of the chapter that treats it.
    pub chapter: String,
    /// Why today's tools cannot reproduce it, if they cannot.
    pub gone: Option<String>,
    /// The line of the list, from 1.
    pub line: u32,
}

/// A `{{#row …}}` of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The page, relative to the project's root.
    pub page: String,
    /// Line and column in it, from 1.
    pub at: (u32, u32),
    /// The rows that it names.
    pub rows: Vec<String>,
    /// Whether something runs in its section.
    runs: bool,
    /// Whether its section holds a number that was measured or counted.
    counts: bool,
}

/// The list, or nothing where the book has none.
///
/// # Errors
/// Everything in it that is not understood.
pub fn rows(project: &Project) -> Result<Vec<Row>, Vec<Problem>> {
    match std::fs::read_to_string(project.root.join(FILE)) {
        Ok(text) => parse(&text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => {
            let message = format!("cannot read `{FILE}`: {error}");
            Err(vec![Problem::new(FILE, "", (0, 0), "coverage", message)])
        }
    }
}

fn parse(text: &str) -> Result<Vec<Row>, Vec<Problem>> {
    const WORDS: [&str; 7] = ["id", "kind", "what", "figures", "remark", "chapter", "gone"];
    let problem = |wrong: Wrong| wrong.problem(FILE, text, "coverage");
    let found = tables(text, "row", &WORDS)
        .map_err(|wrong| wrong.into_iter().map(problem).collect::<Vec<_>>())?;
    let mut rows: Vec<Row> = Vec::new();
    let mut wrong = Vec::new();
    for table in &found {
        match row(table) {
            Ok(row) if rows.iter().any(|known| known.id == row.id) => {
                wrong.push(Wrong::new(table.at, format!("the row `{}` stands here twice", row.id)));
            }
            Ok(row) => rows.push(row),
            Err(one) => wrong.push(one),
        }
    }
    if wrong.is_empty() { Ok(rows) } else { Err(wrong.into_iter().map(problem).collect()) }
}

fn row(table: &Table) -> Result<Row, Wrong> {
    let optional = |word: &str| if table.has(word) { table.text(word).map(Some) } else { Ok(None) };
    Ok(Row {
        id: table.text("id")?,
        kind: table.text("kind")?,
        what: table.text("what")?,
        figures: optional("figures")?.unwrap_or_default(),
        remark: optional("remark")?.unwrap_or_default(),
        chapter: table.text("chapter")?,
        gone: optional("gone")?,
        line: table.at.0,
    })
}

/// Every anchor of the book's pages, in the order of their paths.
pub fn anchors(project: &Project) -> Vec<Anchor> {
    let mut all = Vec::new();
    for path in pages(&project.root.join("chapters")) {
        if let Ok(text) = std::fs::read_to_string(&path) {
            all.extend(anchors_of(&project.relative(&path), &text));
        }
    }
    all
}

/// The anchors of one page.
pub fn anchors_of(page: &str, text: &str) -> Vec<Anchor> {
    let Markdown { braces: words, outline, .. } = Markdown::parse(text);
    let name = |b: &Braces<'_>| b.text?.split_whitespace().next().map(str::to_owned);
    let mut all = Vec::new();
    for found in &words {
        let mut rows = found.text.unwrap_or_default().split_whitespace().map(str::to_owned);
        if rows.next().as_deref() != Some("row") {
            continue;
        }
        let part = outline.section(found.range.start);
        let inside = || words.iter().filter(|b| part.contains(&b.range.start)).filter_map(name);
        let shown = |word: &String| !NO_EVIDENCE.contains(&word.as_str());
        let number = |word: &String| NUMBERS.contains(&word.as_str());
        let runs = outline.shows(&part) || inside().any(|word| shown(&word) && !number(&word));
        let counts = runs || inside().any(|word| number(&word));
        let at = (found.line, found.column);
        all.push(Anchor { page: page.to_owned(), at, rows: rows.collect(), runs, counts });
    }
    all
}

/// What is wrong with the anchors of a page themselves.
pub fn anchor_problems(rows: &[Row], page: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for anchor in anchors_of(page, text) {
        let mut wrong = |message: String| {
            problems.push(Problem::new(page, text, anchor.at, "coverage", message));
        };
        if anchor.rows.len() > ROWS_AN_ANCHOR {
            wrong(format!(
                "this marks {} rows, at most {ROWS_AN_ANCHOR} may be: put each where it is treated",
                anchor.rows.len()
            ));
        }
        for id in &anchor.rows {
            if !rows.iter().any(|row| row.id == *id) {
                let hint = suggestion(id, rows.iter().map(|row| row.id.as_str()));
                wrong(format!("there is no row `{id}` in {FILE}{hint}"));
            }
        }
    }
    problems
}

/// The rows of a chapter that the book does not treat, if the chapter is published, which is to
/// say that it stands in the table of contents. `anchors` are those of the whole book.
pub fn missing(project: &Project, rows: &[Row], anchors: &[Anchor], chapter: &str) -> Vec<Problem> {
    if !is_published(project, chapter) {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let mut unmarked = Vec::new();
    for row in rows.iter().filter(|row| row.chapter == chapter) {
        let own: Vec<&Anchor> = anchors.iter().filter(|a| a.rows.contains(&row.id)).collect();
        let Some(first) = own.first() else {
            unmarked.push(format!("{} ({})", row.id, row.what));
            continue;
        };
        let evident = |anchor: &&Anchor| anchor.runs || (row.kind == "metric" && anchor.counts);
        let needs = row.gone.is_none() && NEED_EVIDENCE.contains(&row.kind.as_str());
        if needs && !own.iter().any(evident) {
            let text = std::fs::read_to_string(project.root.join(&first.page)).unwrap_or_default();
            let message = format!(
                "row {} is a {}, and nothing runs in this section: show a kernel, a sweep, an \
                 experiment, a claim, a table or a fence there",
                row.id, row.kind
            );
            problems.push(Problem::new(&first.page, &text, first.at, "coverage", message));
        }
    }
    if !unmarked.is_empty() {
        let page = format!("chapters/{chapter}/README.md");
        let message = format!(
            "these rows of the notes are marked nowhere; put `{{{{#row …}}}}` where each is treated:\n  {}",
            unmarked.join("\n  ")
        );
        problems.push(Problem::new(&page, "", (0, 0), "coverage", message));
    }
    problems
}

fn is_published(project: &Project, chapter: &str) -> bool {
    let summary = std::fs::read_to_string(project.root.join("chapters/SUMMARY.md"));
    summary.is_ok_and(|summary| summary.contains(&format!("({chapter}/")))
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    let files = entries.map(walkdir::DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|e| e == "md")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
[[row]]\nid = \"000.1\"\nkind = \"kernel\"\nwhat = \"a kernel\"\nchapter = \"ch01-x\"\n
[[row]]\nid = \"000.2\"\nkind = \"metric\"\nwhat = \"a time\"\nchapter = \"ch01-x\"\n
[[row]]\nid = \"000.3\"\nkind = \"program\"\nwhat = \"an old tool\"\nchapter = \"ch01-x\"\ngone = \"dropped\"\n";

    fn book(page: &str) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        let project = Project { root: folder.path().to_path_buf() };
        std::fs::create_dir_all(folder.path().join("chapters/ch01-x")).unwrap();
        std::fs::write(folder.path().join("chapters/SUMMARY.md"), "- [X](ch01-x/README.md)\n")
            .unwrap();
        std::fs::write(folder.path().join("chapters/ch01-x/README.md"), page).unwrap();
        (folder, project)
    }

    fn said(page: &str) -> Vec<String> {
        let (_folder, project) = book(page);
        let rows = parse(LIST).unwrap();
        let found = missing(&project, &rows, &anchors(&project), "ch01-x");
        found.into_iter().map(|p| format!("{}: {}", p.line, p.message)).collect()
    }

    #[test]
    fn a_row_that_is_marked_nowhere_is_listed() {
        let all = said("# X\n\n{{#row 000.2}}{{#measured a 2 gbps}}\n");
        assert_eq!(all.len(), 1);
        assert!(all[0].starts_with("0: these rows of the notes are marked nowhere"), "{}", all[0]);
        assert!(all[0].contains("000.1 (a kernel)\n  000.3 (an old tool)"), "{}", all[0]);
        let (_folder, project) = book("");
        std::fs::write(project.root.join("chapters/SUMMARY.md"), "").unwrap();
        assert_eq!(
            missing(&project, &parse(LIST).unwrap(), &[], "ch01-x"),
            [],
            "not yet published"
        );
    }

    #[test]
    fn a_kernel_must_run_where_it_is_marked() {
        let marked = "# X\n\nSome words. {{#row 000.1 000.2 000.3}}\n";
        let all = said(marked);
        assert_eq!(all.len(), 2, "{all:?}");
        assert!(all[0].starts_with("3: row 000.1 is a kernel, and nothing runs"), "{}", all[0]);
        assert_eq!(
            said(&format!("{marked}\n## Below\n\n{{{{#kernel kernels/1_a.cu}}}}\n")),
            [""; 0]
        );
        assert_eq!(
            said(&format!("{marked}\n# Other\n\n{{{{#kernel kernels/1_a.cu}}}}\n")).len(),
            2
        );
        let number = format!("{marked}\n{{{{#measured a 2 gbps}}}}\n");
        assert!(said(&number)[0].contains("000.1") && said(&number).len() == 1);
        assert_eq!(said(&format!("{marked}\n```text\nx\n```\n")), [""; 0]);
    }

    #[test]
    fn an_anchor_names_few_rows_and_only_known_ones() {
        let rows = parse(LIST).unwrap();
        let page = "{{#row 000.1 000.11}}\n\n{{#row 000.1 000.2 000.3 000.1 000.2}}\n";
        let all = anchor_problems(&rows, "p.md", page);
        assert_eq!(all.len(), 2);
        assert!(all[0].message.contains("no row `000.11`") && all[0].message.contains("`000.1`?"));
        assert!(all[1].message.contains("marks 5 rows") && all[1].line == 3);
    }

    #[test]
    fn the_list_names_what_it_does_not_understand() {
        let problems = parse("[[row]]\nid = \"1\"\nkindd = \"x\"\n").unwrap_err();
        assert!(problems[0].message.contains("did you mean `kind`?"));
        let twice = format!("{LIST}{LIST}");
        assert_eq!(parse(&twice).unwrap_err().len(), 3);
    }
}
