//! Each item is asked once in the pages of its chapter.

use super::Item;
use crate::page::braces;
use kernel_file::verdict::Problem;

/// The items that the chapter's pages, given as texts, do not ask exactly once; `text` is the items'
/// file. That a page asks for an item that does not exist is a problem of the page.
pub fn misplaced(items: &[Item], text: &str, pages: &[String]) -> Vec<Problem> {
    let mut asked: Vec<&str> = Vec::new();
    for braces in pages.iter().flat_map(|page| braces(page)) {
        let mut words = braces.text.unwrap_or_default().split_whitespace();
        if words.next() == Some("quiz") {
            asked.extend(words);
        }
    }
    let times = |item: &Item| asked.iter().filter(|id| **id == item.id).count();
    let problem = |item: &Item, message: String| {
        Problem::new(&item.place.0, text, (item.place.1, 0), "quiz", message)
    };
    let mut problems = Vec::new();
    let unasked: Vec<&Item> = items.iter().filter(|item| times(item) == 0).collect();
    if let Some(first) = unasked.first() {
        let ids: Vec<&str> = unasked.iter().map(|item| item.id.as_str()).collect();
        let message = format!(
            "no page of the chapter asks `{}`: add each to a line `{{{{#quiz {} …}}}}`",
            ids.join("`, `"),
            first.id
        );
        problems.push(problem(first, message));
    }
    for item in items.iter().filter(|item| times(item) > 1) {
        let message = format!("the pages ask `{}` {} times; once is enough", item.id, times(item));
        problems.push(problem(item, message));
    }
    problems
}
