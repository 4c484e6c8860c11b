//! Judges a file that teaches a defect: it passes if the defect is found on the marked lines, and
//! nothing else is found.
//!
//! `//@ catch race` names the class, `//~ race` marks the lines. A finding with two sides needs only
//! one of them on a marked line. Every mark needs a finding at one size at least, so that a file
//! whose defect was fixed fails. A fence marks no lines, so there the finding may be anywhere.
//!
//! `//@ catch wrong-result` is for a defect that no check can find: the kernel is well defined, but
//! its result is wrong. The result must differ at one size at least, with no other finding. The
//! marks are for the reader only.

use crate::directive::Defect;
use crate::file::KernelFile;
use crate::verdict::{Problem, SizeRun, Status};

/// The code of a defect that was promised and not found.
pub const UNSEEN: &str = "not-caught";

/// Sets the status of each size's run, and returns the problems that belong to no size.
pub fn judge(file: &KernelFile, class: Defect, runs: &mut [SizeRun]) -> Vec<Problem> {
    let marked: Vec<u32> =
        file.marks.iter().filter(|(_, c)| *c == class).map(|(line, _)| *line).collect();
    let sides = |problem: &Problem| [Some(problem.line), problem.other.as_ref().map(|o| o.line)];
    let is_class = |problem: &Problem| problem.code == class.name();
    let on_mark = |problem: &Problem, lines: &[u32]| {
        let own = problem.file == file.relative;
        own && sides(problem).into_iter().flatten().any(|line| lines.contains(&line))
    };
    if class == Defect::WrongResult {
        return judge_result(file, &marked, runs);
    }
    let anywhere = file.marks.is_empty();
    let all_marks: Vec<u32> = file.marks.iter().map(|(line, _)| *line).collect();
    for run in runs.iter_mut() {
        let promised = run.problems.iter().all(|p| {
            let lines = if is_class(p) { &marked } else { &all_marks };
            on_mark(p, lines) || (anywhere && is_class(p))
        });
        run.status = if promised { Status::Passed } else { Status::Failed };
    }
    let mut problems = Vec::new();
    if never_began(runs) {
        return problems;
    }
    let (at, elsewhere) = (tried(runs), elsewhere(file, runs));
    if anywhere && !runs.iter().flat_map(|r| &r.problems).any(is_class) {
        let message = format!("promised defect `{}` not found{at}{elsewhere}", class.name());
        let first = file.directives.launches.first().map_or(0, |l| l.line);
        problems.push(file.problem((first, 0), UNSEEN, message));
    }
    for line in marked {
        let found = runs.iter().flat_map(|r| &r.problems);
        if !found.into_iter().any(|p| is_class(p) && on_mark(p, &[line])) {
            problems.push(file.problem(
                (line, 0),
                UNSEEN,
                format!(
                    "no {class} found on this line{at}{elsewhere}; if the defect is fixed, remove `//~ {class}` and `//@ catch {class}`",
                    class = class.name()
                ),
            ));
        }
    }
    problems
}

/// [`judge`] for a defect that only the result shows.
fn judge_result(file: &KernelFile, marked: &[u32], runs: &mut [SizeRun]) -> Vec<Problem> {
    let code = Defect::WrongResult.name();
    for run in runs.iter_mut() {
        let only = run.problems.iter().all(|p| p.code == code);
        run.status = if only { Status::Passed } else { Status::Failed };
    }
    if never_began(runs) {
        return Vec::new();
    }
    let differs = runs.iter().flat_map(|r| &r.problems).any(|p| p.code == code);
    let line = marked.first().copied().unwrap_or(0);
    let at = match tried(runs) {
        at if at.is_empty() => " at every size".to_owned(),
        at => at,
    };
    let message = format!(
        "the result is right{at}{}; if the defect is fixed, remove `//~ wrong-result` and `//@ catch wrong-result`",
        elsewhere(file, runs)
    );
    (!differs).then(|| file.problem((line, 0), UNSEEN, message)).into_iter().collect()
}

/// Whether a launch was refused: then nothing is known about the defect, and the refusal is told.
fn never_began(runs: &[SizeRun]) -> bool {
    runs.iter().flat_map(|run| &run.problems).any(|problem| problem.code == "launch")
}

/// Whether the file has test sizes beside the only one that was tried: the defect may show at those.
pub fn shows_elsewhere(file: &KernelFile, runs: &[SizeRun]) -> bool {
    matches!(runs, [one] if file.directives.test.iter().any(|size| *size != one.n))
}

fn elsewhere(file: &KernelFile, runs: &[SizeRun]) -> &'static str {
    if shows_elsewhere(file, runs) { ", and another test size may show it" } else { "" }
}

/// The size that was tried, if it is the only one: ` at n = 128`.
fn tried(runs: &[SizeRun]) -> String {
    match runs {
        [one] => format!(" at n = {}", one.n),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::OtherPlace;

    const FILE: &str = "\
//@ output a: int[n] = poison
//@ launch f(a) grid = 1, block = 64
//@ page 64
//@ catch race
__global__ void f(int* a) {
    a[0] = 1; //~ race
    a[1] = 2;
}
";

    fn run(problems: Vec<Problem>) -> SizeRun {
        SizeRun {
            n: 64,
            point: Default::default(),
            status: Status::Failed,
            problems,
            outputs: vec![],
            counters: vec![],
            launches: 0,
            instructions: 0,
            printed: String::new(),
        }
    }

    fn judged(findings: &[(u32, &str, Option<u32>)]) -> (Status, Vec<u32>) {
        let file = KernelFile::parse("bad.cu", FILE.to_owned()).unwrap();
        let problem = |(line, code, other): &(u32, &str, Option<u32>)| Problem {
            other: other.map(|line| OtherPlace { line, column: 0, message: String::new() }),
            ..file.problem((*line, 1), code, "found")
        };
        let mut runs = [run(findings.iter().map(problem).collect())];
        let problems = judge(&file, Defect::Class(simt::Class::Race), &mut runs);
        (runs[0].status, problems.iter().map(|p| p.line).collect())
    }

    #[test]
    fn one_size_is_named() {
        let file = KernelFile::parse("bad.cu", FILE.to_owned()).unwrap();
        let mut runs = [run(Vec::new())];
        let problems = judge(&file, Defect::Class(simt::Class::Race), &mut runs);
        assert!(problems[0].message.starts_with("no race found on this line at n = 64; if"));
    }

    #[test]
    fn the_promised_defect_at_its_mark_passes() {
        assert_eq!(judged(&[(6, "race", None)]), (Status::Passed, vec![]));
        assert_eq!(judged(&[(7, "race", Some(6))]), (Status::Passed, vec![]));
    }

    #[test]
    fn anything_else_does_not() {
        assert_eq!(judged(&[]), (Status::Passed, vec![6]));
        assert_eq!(judged(&[(7, "race", None)]), (Status::Failed, vec![6]));
        assert_eq!(judged(&[(6, "race", None), (7, "bounds", None)]), (Status::Failed, vec![]));
        assert_eq!(judged(&[(6, "bounds", None)]), (Status::Passed, vec![6]));
    }
}
