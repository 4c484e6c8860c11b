//! One kernel file, parsed, and the verdict of every back end on it.

use kernel_file::Plan;
use kernel_file::directive::Role;
use kernel_file::plan::PlannedArray;
use kernel_file::verdict::{BackendName, Counter, Problem, SizeRun, Status, Verdict};
use verify::{KernelFile, Point};

/// A kernel file and the verdicts on it.
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    /// Path as the page writes it: `kernels/1_neighbored.cu`.
    pub(crate) path: String,
    /// The file; where it cannot be parsed, its text alone, as code.
    pub(crate) file: KernelFile,
    /// Whether the file could be parsed. If not, its one verdict says why.
    pub(crate) is_parsed: bool,
    /// The headers that it includes: name and text of each.
    pub(crate) headers: Vec<(String, String)>,
    /// Its points, where it varies something; else none.
    pub(crate) points: Vec<Point>,
    /// One verdict per back end, in their order.
    pub(crate) verdicts: Vec<Verdict>,
    /// The test sizes at which the simulator ran it as well; none where it was not asked. What it
    /// found there is in its verdict.
    pub(crate) tested: Vec<u64>,
}

impl Kernel {
    /// `1_neighbored`.
    pub(crate) fn stem(&self) -> &str {
        &self.file.stem
    }

    /// `1_neighbored.cu`.
    pub(crate) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The stem as a label: `1 neighbored`.
    pub(crate) fn label(&self) -> String {
        self.stem().replace('_', " ")
    }

    /// The class of the finding that a defective kernel must be caught for.
    pub(crate) fn defect(&self) -> Option<&'static str> {
        self.file.directives.catches.map(|class| class.name())
    }

    /// Whether the file asks to be timed.
    pub(crate) fn is_timed(&self) -> bool {
        !self.file.directives.measure.is_empty()
    }

    /// The `//@` lines, as the page shows them.
    pub(crate) fn directive_lines(&self) -> String {
        let text = self.file.page_text();
        let before_code = text.lines().take(self.file.code_line as usize - 1);
        let lines = before_code.filter(|line| line.trim_start().starts_with("//@"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// A line of the file, if it belongs to the code.
    pub(crate) fn code_at(&self, line: u32) -> Option<&str> {
        let at = line.checked_sub(self.file.code_line)?;
        self.file.code.lines().nth(at as usize)
    }

    /// The verdict of this back end.
    pub(crate) fn verdict(&self, backend: BackendName) -> Option<&Verdict> {
        self.verdicts.iter().find(|verdict| verdict.backend == backend)
    }

    /// The simulator's counters at the page's size; of several points, at the first.
    pub(crate) fn counters(&self) -> &[Counter] {
        match self.points.first() {
            Some(point) => self.counters_at(point),
            None => self.counted_run().map_or(&[], |run| &run.counters),
        }
    }

    /// The size that the simulator's counters belong to.
    pub(crate) fn counted_size(&self) -> Option<u64> {
        self.counted_run().map(|run| run.n)
    }

    /// The simulator's counters at a point, at the page's size; none where it counted nothing.
    pub(crate) fn counters_at(&self, point: &Point) -> &[Counter] {
        let runs = self.verdict(BackendName::Sim).map_or(&[][..], |verdict| &verdict.runs);
        let found = runs.iter().rev().find(|r| r.point == *point && !r.counters.is_empty());
        found.map_or(&[], |run| &run.counters)
    }

    fn counted_run(&self) -> Option<&SizeRun> {
        self.verdict(BackendName::Sim)?.runs.iter().rev().find(|run| !run.counters.is_empty())
    }

    /// Whether the counters of `rung` can be compared with this kernel's: one set, at the same size, and
    /// of the same problem. One size is two problems where a kernel rounds it up to its blocks.
    pub(crate) fn compares(&self, rung: &Kernel) -> bool {
        let is_same_problem = || match (self.counted_plan(), rung.counted_plan()) {
            (Some(own), Some(other)) => is_one_problem(&own, &other),
            _ => true,
        };
        rung.points.is_empty() && rung.counted_size() == self.counted_size() && is_same_problem()
    }

    /// The file at the size of its counters.
    fn counted_plan(&self) -> Option<Plan> {
        let point = self.points.first().cloned().unwrap_or_default();
        Plan::new(&self.file.at(&point), self.counted_size()?).ok()
    }

    /// The one point that a choice names; the empty one where nothing varies.
    pub(crate) fn choose(&self, choice: &[(String, f64)]) -> Result<Point, String> {
        if self.points.is_empty() && choice.is_empty() {
            return Ok(Point::default());
        }
        let is = |point: &Point, name: &str, value: f64| {
            point.get(name).is_some_and(|v| (v as f64 - value).abs() < 0.5)
        };
        let fits = |point: &&Point| choice.iter().all(|(name, value)| is(point, name, *value));
        let found: Vec<&Point> = self.points.iter().filter(fits).collect();
        match found.as_slice() {
            [one] => Ok((*one).clone()),
            _ if self.points.is_empty() => Err(format!("`{}` has no variables", self.path)),
            several => {
                let points: Vec<String> = self.points.iter().map(|p| format!("`{p}`")).collect();
                let what =
                    if several.is_empty() { "has no such point" } else { "has several points" };
                Err(format!("`{}` {what}: choose one of {}", self.path, points.join(", ")))
            }
        }
    }

    /// The problems that make it fail. A defect that was caught is none of them.
    ///
    /// Several sizes and back ends often report the same problem; it is listed once.
    pub(crate) fn failures(&self) -> Vec<&Problem> {
        let failed = self.verdicts.iter().filter(|verdict| verdict.status == Status::Failed);
        distinct(failed.flat_map(Verdict::all_problems))
    }

    /// What the simulator found in a defective kernel.
    pub(crate) fn findings(&self) -> Vec<&Problem> {
        distinct(self.verdict(BackendName::Sim).into_iter().flat_map(Verdict::all_problems))
    }

    /// The other findings of the simulator with the class and the place of this one: how many, and at
    /// which sizes.
    pub(crate) fn alike(&self, finding: &Problem) -> (usize, Vec<u64>) {
        let runs = self.verdict(BackendName::Sim).map_or(&[][..], |verdict| &verdict.runs);
        let (mut count, mut sizes) = (0, Vec::new());
        for run in runs {
            let others = |p: &&Problem| is_alike(finding, p) && !std::ptr::eq(*p, finding);
            let more = run.problems.iter().filter(others).count();
            count += more;
            if more > 0 && !sizes.contains(&run.n) {
                sizes.push(run.n);
            }
        }
        (count, sizes)
    }
}

/// Whether two plans are of one problem. The operations tell it, where both declare them, and else the
/// bytes: sums of halves and of floats are one problem. Where neither declares anything, the inputs do.
fn is_one_problem(own: &Plan, other: &Plan) -> bool {
    let same = |own: Option<u64>, other: Option<u64>| Some(own? == other?);
    let inputs = |plan: &Plan| -> usize {
        let inputs = plan.arrays.iter().filter(|array| array.role == Role::Input);
        inputs.map(PlannedArray::bytes).sum()
    };
    let declares = |plan: &Plan| plan.flops.or(plan.bytes).is_some();
    same(own.flops, other.flops)
        .or_else(|| same(own.bytes, other.bytes))
        .unwrap_or_else(|| declares(own) || declares(other) || inputs(own) == inputs(other))
}

/// Problems that differ in class or place: several sizes and back ends often report the same one.
pub(crate) fn distinct<'a>(problems: impl Iterator<Item = &'a Problem>) -> Vec<&'a Problem> {
    let mut found: Vec<&Problem> = Vec::new();
    for problem in problems {
        if !found.iter().any(|seen| is_alike(seen, problem)) {
            found.push(problem);
        }
    }
    found
}

/// Whether two problems have one class and one place.
fn is_alike(a: &Problem, b: &Problem) -> bool {
    let other = |p: &Problem| p.other.as_ref().map(|other| other.line);
    (&a.file, a.line, &a.code, other(a)) == (&b.file, b.line, &b.code, other(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of `n` numbers that are rounded up to a block.
    fn plan(block: u32, lines: &str) -> Plan {
        let text = format!(
            "//@ let m = (n + {block} - 1) / {block} * {block}\n//@ input in: int[m] = iota\n{lines}\
             //@ launch k(in) grid = 1, block = 1\n//@ page 1\nint x;\n"
        );
        Plan::new(&KernelFile::parse("x.cu", text).unwrap(), 100).unwrap()
    }

    #[test]
    fn a_size_that_is_rounded_up_further_is_another_problem() {
        for lines in ["", "//@ bytes 4 * m\n", "//@ bytes 4 * m\n//@ flops m\n"] {
            assert!(is_one_problem(&plan(128, lines), &plan(64, lines)), "{lines}");
            assert!(!is_one_problem(&plan(128, lines), &plan(256, lines)), "{lines}");
        }
        let half = plan(128, "//@ bytes 2 * m\n//@ flops m\n");
        assert!(is_one_problem(&plan(128, "//@ bytes 4 * m\n//@ flops m\n"), &half));
        assert!(is_one_problem(&plan(128, ""), &half), "one of them says nothing");
    }
}
