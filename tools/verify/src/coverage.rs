//! The notes that the book grew from, as a list of rows, and where the book treats each row.
//!
//! `chapters/appendix/coverage.toml` is the list. Each row names a chapter and the id of a heading
//! there. The heading must exist; and a program, a kernel or a metric needs something that runs, or
//! was measured, in that section. What today's tools cannot do any more says why (`gone`) and needs
//! only to be mentioned.

use crate::include::file_text;
use crate::page::{Markdown, Outline};
use crate::project::Project;
use crate::toml_file::{At, Data, Table, tables};
use kernel_file::TextError;
use kernel_file::suggest::{suggestion, suggestion_or_list};
use kernel_file::verdict::Problem;
use std::collections::BTreeMap;

/// The list, from the project's root.
pub const FILE: &str = "chapters/appendix/coverage.toml";

/// The most rows that one section may treat.
const ROWS_PER_SECTION: usize = 7;

/// Kinds of rows that need something that runs, or was measured, in their section.
const NEED_EVIDENCE: [&str; 3] = ["program", "kernel", "metric"];

/// Directives of a page that show nothing that runs.
const NO_EVIDENCE: [&str; 5] = ["claims", "coverage", "provenance", "question", "progress"];

/// Directives that show a number in running text: evidence for a metric, not for a program.
const NUMBERS: [&str; 5] = ["measured", "factor", "counter", "hardware", "value"];

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// `000.12`: note and row.
    pub id: String,
    /// `program`, `kernel`, `metric`, `rule`, …
    pub kind: String,
    /// What it is.
    pub what: String,
    /// The note's own figures; empty if it gives none.
    pub figures: String,
    /// Our remark; empty if there is none.
    pub remark: String,
    /// Where the book treats it; at least one place.
    pub places: Vec<Place>,
    /// Why today's tools cannot reproduce it, if they cannot.
    pub gone: Option<String>,
    /// Line and column of `at` in the list, from 1.
    pub at: (u32, u32),
}

/// A section of a chapter: `ch05-reduction#rung-1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The chapter's folder.
    pub chapter: String,
    /// The id of the heading.
    pub heading: String,
    /// The page that has the heading, from the project's root; the chapter's first if none has it.
    pub page: String,
}

impl Place {
    fn parse(text: &str, at: At) -> Result<Place, TextError> {
        match text.split_once('#') {
            Some((chapter, heading)) if !chapter.is_empty() && !heading.is_empty() => {
                let page = format!("chapters/{chapter}/README.md");
                Ok(Place { chapter: chapter.to_owned(), heading: heading.to_owned(), page })
            }
            _ => Err(TextError::new(at, format!("expected `chapter#heading`, found `{text}`"))),
        }
    }
}

/// The rows of the list; none if the book has no list.
///
/// # Errors
/// Every mistake in it.
pub fn rows(project: &Project) -> Result<Vec<Row>, Vec<Problem>> {
    match file_text(project.root.join(FILE)) {
        Ok(text) => parse(&text).and_then(|rows| known_chapters(project, &text, rows)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => {
            let message = format!("cannot read `{FILE}`: {error}");
            Err(vec![Problem::new(FILE, "", (0, 0), "coverage", message)])
        }
    }
}

/// The rows with the pages of their headings, if each names chapters that exist.
fn known_chapters(
    project: &Project,
    text: &str,
    mut rows: Vec<Row>,
) -> Result<Vec<Row>, Vec<Problem>> {
    let problem = |message| vec![Problem::new(FILE, text, (0, 0), "coverage", message)];
    let chapters = project.chapters().map_err(|error| problem(format!("{error:#}")))?;
    let names = chapters.iter().map(|chapter| chapter.name.as_str());
    let mut problems = Vec::new();
    for row in &rows {
        for Place { chapter, .. } in &row.places {
            if !names.clone().any(|name| name == chapter) {
                let hint = suggestion(chapter, names.clone());
                let message = format!("unknown chapter `{chapter}`{hint}");
                problems.push(Problem::new(FILE, text, row.at, "coverage", message));
            }
        }
    }
    let outlines: Vec<(&str, String, Outline)> = chapters
        .iter()
        .flat_map(|chapter| chapter.pages().into_iter().map(|page| (chapter.name.as_str(), page)))
        .map(|(chapter, page)| {
            let text = file_text(&page).unwrap_or_default();
            (chapter, project.relative(&page), Markdown::parse(&text).outline)
        })
        .collect();
    for place in rows.iter_mut().flat_map(|row| &mut row.places) {
        let has = |(chapter, _, outline): &&(&str, String, Outline)| {
            *chapter == place.chapter && outline.section(&place.heading).is_some()
        };
        if let Some((_, page, _)) = outlines.iter().find(has) {
            place.page.clone_from(page);
        }
    }
    if problems.is_empty() { Ok(rows) } else { Err(problems) }
}

fn parse(text: &str) -> Result<Vec<Row>, Vec<Problem>> {
    const WORDS: [&str; 7] = ["id", "kind", "what", "figures", "remark", "at", "gone"];
    let problems = |wrong| TextError::problems(wrong, FILE, text, "coverage");
    let found = tables(text, "row", &WORDS).map_err(problems)?;
    let mut rows: Vec<Row> = Vec::new();
    let mut wrong = Vec::new();
    for table in &found {
        match row(table) {
            Ok(row) if rows.iter().any(|known| known.id == row.id) => {
                wrong.push(TextError::new(table.at, format!("duplicate row `{}`", row.id)));
            }
            Ok(row) => rows.push(row),
            Err(one) => wrong.push(one),
        }
    }
    if wrong.is_empty() { Ok(rows) } else { Err(problems(wrong)) }
}

fn row(table: &Table) -> Result<Row, TextError> {
    let optional = |word: &str| if table.has(word) { table.text(word).map(Some) } else { Ok(None) };
    let at = table.get("at").map_or(table.at, |value| value.at);
    let places = match table.get("at").map(|value| &value.data) {
        Some(Data::List(items)) if !items.is_empty() => {
            items.iter().map(|item| Place::parse(&item.text("at")?, item.at)).collect()
        }
        _ => Place::parse(&table.text("at")?, at).map(|place| vec![place]),
    };
    Ok(Row {
        id: table.text("id")?,
        kind: table.text("kind")?,
        what: table.text("what")?,
        figures: optional("figures")?.unwrap_or_default(),
        remark: optional("remark")?.unwrap_or_default(),
        places: places?,
        gone: optional("gone")?,
        at,
    })
}

/// What is wrong with the rows that this chapter treats, if the table of contents lists it: a
/// heading that does not exist, a section with too many rows, or one in which nothing runs.
pub fn problems(project: &Project, rows: &[Row], chapter: &str) -> Vec<Problem> {
    if !is_published(project, chapter) {
        return Vec::new();
    }
    let list = file_text(project.root.join(FILE)).unwrap_or_default();
    let problem = |row: &Row, message| Problem::new(FILE, &list, row.at, "coverage", message);
    let mut pages = Pages { project, read: BTreeMap::new() };
    let mut problems = Vec::new();
    let mut sections: BTreeMap<&Place, usize> = BTreeMap::new();
    for row in rows {
        let own = row.places.iter().filter(|place| place.chapter == chapter);
        let mut exist = own.clone().next().is_some();
        for place in own {
            let page = pages.get(place);
            if page.outline.section(&place.heading).is_none() {
                let ids = page.outline.headings.iter().map(|heading| heading.id.as_str());
                let hint = suggestion_or_list(&place.heading, ids);
                let message = format!("{} has no heading `{}`{hint}", place.page, place.heading);
                problems.push(problem(row, message));
                exist = false;
            }
            let count = sections.entry(place).or_default();
            *count += 1;
            if *count == ROWS_PER_SECTION + 1 {
                let (chapter, heading) = (&place.chapter, &place.heading);
                let message = format!(
                    "`{chapter}#{heading}` treats more than {ROWS_PER_SECTION} rows: name the \
                     heading under which each is treated"
                );
                problems.push(problem(row, message));
            }
        }
        let needs = row.gone.is_none() && NEED_EVIDENCE.contains(&row.kind.as_str());
        if exist && needs && !row.places.iter().any(|place| pages.get(place).supports(row, place)) {
            let message = format!(
                "row {} is a {}, and nothing runs in this section: add a kernel, a sweep, an \
                 experiment, a claim, a table or a fence there",
                row.id, row.kind
            );
            problems.push(problem(row, message));
        }
    }
    problems
}

/// The pages that rows name, each read once.
struct Pages<'a> {
    project: &'a Project,
    read: BTreeMap<String, Page>,
}

/// A page: its outline, and the byte and the name of each directive.
struct Page {
    outline: Outline,
    directives: Vec<(usize, String)>,
}

impl Pages<'_> {
    fn get(&mut self, place: &Place) -> &Page {
        let page = place.page.clone();
        let root = &self.project.root;
        self.read.entry(page).or_insert_with_key(|page| {
            let text = file_text(root.join(page)).unwrap_or_default();
            let name = |text: &str| text.split_whitespace().next().map(str::to_owned);
            let markdown = Markdown::parse(&text);
            let named =
                markdown.braces.iter().filter_map(|b| Some((b.range.start, name(b.text?)?)));
            let directives = named.collect();
            Page { outline: markdown.outline, directives }
        })
    }
}

impl Page {
    /// Whether the section holds what the row needs: something that runs or, for a metric, a number.
    fn supports(&self, row: &Row, place: &Place) -> bool {
        let Some(section) = self.outline.section(&place.heading) else { return false };
        let inside = self.directives.iter().filter(|(at, _)| section.contains(at));
        let mut names = inside.map(|(_, name)| name.as_str());
        self.outline.shows(&section)
            || names.any(|name| {
                !NO_EVIDENCE.contains(&name) && (row.kind == "metric" || !NUMBERS.contains(&name))
            })
    }
}

fn is_published(project: &Project, chapter: &str) -> bool {
    let summary = file_text(project.root.join("chapters/SUMMARY.md"));
    summary.is_ok_and(|summary| summary.contains(&format!("({chapter}/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
[[row]]\nid = \"000.1\"\nkind = \"kernel\"\nwhat = \"a kernel\"\nat = \"ch01-x#x\"\n
[[row]]\nid = \"000.2\"\nkind = \"metric\"\nwhat = \"a time\"\nat = \"ch01-x#x\"\n
[[row]]\nid = \"000.3\"\nkind = \"program\"\nwhat = \"an old tool\"\nat = [\"ch01-x#x\"]\ngone = \"dropped\"\n";

    fn book(page: &str) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        let project = Project { root: folder.path().to_path_buf() };
        let chapters = folder.path().join("chapters");
        std::fs::create_dir_all(chapters.join("ch01-x")).unwrap();
        std::fs::create_dir_all(chapters.join("appendix")).unwrap();
        std::fs::write(chapters.join("SUMMARY.md"), "- [X](ch01-x/README.md)\n").unwrap();
        std::fs::write(chapters.join("ch01-x/README.md"), page).unwrap();
        (folder, project)
    }

    fn messages(list: &str, page: &str) -> Vec<String> {
        let (_folder, project) = book(page);
        std::fs::write(project.root.join(FILE), list).unwrap();
        let found = match rows(&project) {
            Ok(rows) => problems(&project, &rows, "ch01-x"),
            Err(problems) => problems,
        };
        found.into_iter().map(|p| format!("{}: {}", p.line, p.message)).collect()
    }

    #[test]
    fn a_row_names_a_chapter_and_a_heading_that_exist() {
        let all = messages(LIST, "# Y\n\n```text\nx\n```\n");
        assert_eq!(all.len(), 3);
        let wanted = "5: chapters/ch01-x/README.md has no heading `x`; did you mean `y`?";
        assert_eq!(all[0], wanted);
        let all = messages(&LIST.replace("\"ch01-x#x\"]", "\"ch02-x#x\"]"), "# X\n");
        assert_eq!(all, ["17: unknown chapter `ch02-x`; did you mean `ch01-x`?"]);
        for (wrong, message) in
            [("ch01-x", "expected `chapter#heading`, found `ch01-x`"), ("", "`at` is empty")]
        {
            let all = messages(
                &LIST.replace(
                    "\"ch01-x#x\"\n\n[[row]]\nid = \"000.2",
                    &format!("\"{wrong}\"\n\n[[row]]\nid = \"000.2"),
                ),
                "# X\n",
            );
            assert_eq!(all, [format!("5: {message}")]);
        }
        let (_folder, project) = book("");
        std::fs::write(project.root.join("chapters/SUMMARY.md"), "").unwrap();
        let rows = parse(LIST).unwrap();
        assert_eq!(problems(&project, &rows, "ch01-x"), [], "not yet published");
    }

    #[test]
    fn a_kernel_must_run_where_it_is_treated() {
        let page = "# X\n\nSome words.\n";
        let all = messages(LIST, page);
        assert_eq!(all.len(), 2, "{all:?}");
        assert!(all[0].starts_with("5: row 000.1 is a kernel, and nothing runs"), "{}", all[0]);
        let kernel = "{{#kernel kernels/1_a.cu}}";
        assert_eq!(messages(LIST, &format!("{page}\n## Below\n\n{kernel}\n")), [""; 0]);
        assert_eq!(messages(LIST, &format!("{page}\n# Other\n\n{kernel}\n")).len(), 2);
        let number = messages(LIST, &format!("{page}\n{{{{#measured a 2 gbps}}}}\n"));
        assert!(number[0].contains("000.1") && number.len() == 1);
        assert_eq!(messages(LIST, &format!("{page}\n```text\nx\n```\n")), [""; 0]);
        assert_eq!(messages(LIST, &format!("{page}\n{{{{#question a}}}}\n")).len(), 2);
    }

    #[test]
    fn a_section_treats_few_rows() {
        let row = |n| LIST[..LIST.find("\n\n").unwrap() + 1].replace("000.1", &format!("000.{n}"));
        let list = |count| (1..=count).map(row).collect::<String>();
        let page = "# X\n\n```text\nx\n```\n";
        assert_eq!(messages(&list(7), page), [""; 0]);
        let all = messages(&list(8), page);
        assert_eq!(all.len(), 1);
        assert!(all[0].contains("`ch01-x#x` treats more than 7 rows"), "{}", all[0]);
    }

    #[test]
    fn the_list_names_what_it_does_not_understand() {
        let problems = parse("[[row]]\nid = \"1\"\nkindd = \"x\"\n").unwrap_err();
        assert!(problems[0].message.contains("did you mean `kind`?"));
        let twice = format!("{LIST}{LIST}");
        assert_eq!(parse(&twice).unwrap_err().len(), 3);
    }

    #[test]
    fn a_heading_may_be_on_another_page_of_its_chapter() {
        let (_folder, project) = book("# Y\n");
        let second = project.root.join("chapters/ch01-x/second.md");
        std::fs::write(second, "# X\n\n{{#kernel kernels/1_a.cu}}\n").unwrap();
        std::fs::write(project.root.join(FILE), LIST).unwrap();
        let rows = rows(&project).unwrap();
        assert_eq!(rows[0].places[0].page, "chapters/ch01-x/second.md");
        assert_eq!(problems(&project, &rows, "ch01-x"), []);
    }
}
