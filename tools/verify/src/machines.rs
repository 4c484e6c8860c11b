//! The machines that a book's results were recorded on.
//!
//! A machine is the stem of results files: `h200` for `chapters/*/results/h200.json`. The book names
//! the one that its pages show first, in `book.toml`:
//!
//! ```toml
//! [preprocessor.cuda]
//! machine = "h200"
//! ```

use crate::project::Project;
use crate::results::all_results;
use std::collections::BTreeMap;

/// A machine with recorded results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedMachine {
    /// The stem of its results files: `h200`.
    pub stem: String,
    /// Its GPU, without the maker's name: `H200`.
    pub gpu: String,
}

/// The machines with results in any chapter: the book's own first, the others by name. A results file
/// that cannot be read is left out here; its chapter's page names it.
pub fn machines(project: &Project) -> Vec<RecordedMachine> {
    let mut found = BTreeMap::new();
    for chapter in project.chapters().unwrap_or_default() {
        for (stem, results) in all_results(&chapter).unwrap_or_default() {
            found.entry(stem).or_insert(results.machine.gpu);
        }
    }
    let first = project.setting(&["preprocessor", "cuda", "machine"]);
    let mut machines: Vec<RecordedMachine> = found
        .into_iter()
        .map(|(stem, gpu)| {
            let gpu = gpu.strip_prefix("NVIDIA ").unwrap_or(&gpu).to_owned();
            RecordedMachine { stem, gpu }
        })
        .collect();
    machines.sort_by_key(|machine| Some(&machine.stem) != first.as_ref());
    machines
}
