//! The quiz items of a chapter, or of the whole book, with their computed answers.

use crate::facts::Quiz;
use kernel_file::verdict::Problem;
use std::path::Path;
use verify::claims::Readings;
use verify::{Project, Verifier, parallel, quiz};

/// The items of the chapter in `dir`, or of all chapters, and what is wrong with them.
pub(super) fn quizzes(
    project: &Project,
    verifier: &Verifier,
    dir: Option<&Path>,
) -> (Vec<Quiz>, Vec<Problem>) {
    let readings = Readings::new(verifier);
    let mut all = Vec::new();
    let mut problems = Vec::new();
    for chapter in project.chapters().unwrap_or_default() {
        if dir.is_some_and(|dir| dir != chapter.dir) {
            continue;
        }
        let path = chapter.dir.join(quiz::FILE);
        let items = quiz::read(&project.relative(&path), &chapter.name, &path);
        let is_read = items.is_ok();
        let items = items.unwrap_or_else(|wrong| {
            problems.extend(wrong);
            Vec::new()
        });
        let text = verify::include::file_text(&path).unwrap_or_default();
        let mut answered = Vec::new();
        for (item, answer) in
            items.iter().zip(parallel::map(&items, |i| i.answer(&readings, &text)))
        {
            match answer {
                Ok(answer) => answered.push((item.id.clone(), Some(answer))),
                Err(problem) => {
                    problems.push(*problem);
                    answered.push((item.id.clone(), None));
                }
            }
        }
        let page = project.relative(&chapter.dir.join("README.md"));
        all.push(Quiz { chapter: chapter.name, page, is_read, items: answered });
    }
    (all, problems)
}
