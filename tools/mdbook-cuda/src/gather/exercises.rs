//! The exercises of a chapter, or of the whole book. They are read, not checked: `check` does that.

use crate::facts::ExerciseFact;
use std::path::Path;
use verify::Project;

/// The exercises of the chapter in `dir`, or of all chapters.
pub(super) fn exercises(project: &Project, dir: Option<&Path>) -> Vec<ExerciseFact> {
    let mut all = Vec::new();
    for chapter in project.chapters().unwrap_or_default() {
        if dir.is_some_and(|dir| dir != chapter.dir) {
            continue;
        }
        for placed in chapter.placed_exercises() {
            let name = placed.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let page = chapter.page_with("exercise", &name);
            all.push(ExerciseFact {
                is_shown: page.is_some(),
                number: placed.number,
                name,
                page: project.relative(&page.unwrap_or_else(|| chapter.dir.join("README.md"))),
                read: project.exercise(&placed.path),
            });
        }
    }
    all
}
