//! How many fences of a book may be ignored.

use super::{Item, Kind, Task};
use crate::fence::{self, Promise};
use crate::project::Project;
use kernel_file::{BackendName, Problem};

/// A failed item if more than [`fence::IGNORED`] fences of the book are ignored.
pub fn ignored(project: &Project, tasks: &[Task]) -> Option<Item> {
    let fences = tasks.iter().filter_map(|t| match &t.kind {
        Kind::Fence(fence) if t.backend == BackendName::Sim => Some(fence),
        _ => None,
    });
    let ignored: Vec<String> =
        fences.filter(|f| matches!(f.promise, Promise::Ignore(_))).map(|f| f.name()).collect();
    if ignored.len() <= fence::IGNORED {
        return None;
    }
    let message = format!(
        "{} fences are ignored; at most {} are allowed: {}",
        ignored.len(),
        fence::IGNORED,
        ignored.join(", ")
    );
    let file = project.relative(&project.root.join("book.toml"));
    let problem = Problem::new(&file, "", (0, 0), "fence", message);
    Some(Item::failed("ignored fences", &file, vec![problem]))
}
