//! Everything that the book promises, as a list of tasks.
//!
//! A task checks one promise: a kernel file on a back end, that its expected values can fail, that
//! its page is quick to build, a fence, a recording, a quiz item. The command `check` runs the tasks; a chapter's
//! tests are the same tasks.

mod ignored;
mod unchecked;

pub use ignored::ignored;
pub use unchecked::{Unchecked, unchecked};

use crate::backend::program;
use crate::claims::{self, Claim, Readings, State};
use crate::coverage;
use crate::fence::{self, Fence, Promise};
use crate::include::file_text;
use crate::mutants::unknown_equivalents;
use crate::page;
use crate::project::{Chapter, Project, absolute, files_in, is_kernel_file};
use crate::quiz;
use crate::results::{Freshness, Results};
use crate::verifier::Verifier;
use anyhow::{Result, bail};
use kernel_file::KernelFile;
use kernel_file::Sizes;
use kernel_file::exercise::is_exercise;
use kernel_file::file::is_program;
use kernel_file::verdict::{BackendName, Problem, Status, Verdict};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most warp-instructions of a kernel at its page's size: the page is built while a reader waits.
pub const PAGE_INSTRUCTIONS: u64 = 10_000_000;

/// One promise to check.
#[derive(Debug, Clone)]
pub struct Task {
    /// Its name as a test: `sim/1_neighbored`, `page/1_neighbored`, `nvrtc/README.md:12`.
    pub name: String,
    /// The file that makes the promise.
    pub path: PathBuf,
    /// The back end.
    pub backend: BackendName,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// A promise of a kernel file.
    Kernel(KernelPromise, Read),
    /// The solution of an exercise passes, and each wrong answer is rejected.
    Exercise,
    /// The fences of a page are well-formed.
    Fences,
    /// A fence keeps its promise.
    Fence(Box<Fence>),
    /// A recording can be read and belongs to the sources as they are.
    Results,
    /// Each row of the notes that names this chapter is treated there.
    Coverage,
    /// The claims of a chapter are well-formed.
    Claims,
    /// The data confirm a claim.
    Claim(Box<Claim>),
    /// The quiz items of a chapter are well-formed, and each is asked once.
    Quiz,
    /// A quiz item has exactly one right option.
    QuizItem(Box<quiz::Item>),
}

/// What a kernel file promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KernelPromise {
    /// It passes at its test sizes.
    Tests,
    /// The size that the page shows is small enough.
    Page,
    /// Its expectation rejects a wrong kernel.
    Mutation,
    /// It skips no back end on which it would pass.
    Skips,
}

/// A kernel file, read once for all of its tasks, or why it cannot be read.
type Read = Arc<Result<KernelFile, Vec<Problem>>>;

/// The result of a task.
#[derive(Debug, Clone)]
pub struct Item {
    /// The task's name.
    pub name: String,
    /// The file, from the project's root.
    pub file: String,
    /// Its status.
    pub status: Status,
    /// Why it was skipped, or a remark; else empty.
    pub reason: String,
    /// Its problems.
    pub problems: Vec<Problem>,
    /// The verdict about a kernel file.
    pub verdict: Option<Verdict>,
    /// What its author wants to see: the options of a quiz item.
    pub shown: Vec<String>,
}

/// The tasks of a kernel file, of a page, of a chapter's folder, or of the whole project.
///
/// # Errors
/// If `path` is none of these or cannot be read.
pub fn tasks(project: &Project, path: &Path) -> Result<Vec<Task>> {
    let (given, path) = (path.display(), absolute(path)?);
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if path.is_file() {
        return match extension {
            "cu" if project.text(&path).is_ok_and(|text| is_program(&text)) => bail!(
                "`{given}` is a program with a `main`, and no kernel file: \
                 `warpbook run {given}` runs and checks it"
            ),
            "cu" => Ok(source_tasks(project, &path)),
            "md" => Ok(page_tasks(project, &path)),
            "toml" if path.ends_with("claims.toml") => Ok(claim_tasks(project, &path)),
            "toml" if path.ends_with(quiz::FILE) => Ok(quiz_tasks(project, &path)),
            _ => bail!(
                "`{}` is not a kernel file, a page, a `claims.toml` or a `quiz.toml`",
                path.display()
            ),
        };
    }
    if !path.is_dir() {
        bail!("there is no `{}`", path.display());
    }
    let mut all = Vec::new();
    let chapters = project.chapters()?;
    for chapter in &chapters {
        if chapter.dir.starts_with(&path) || path.starts_with(&chapter.dir) {
            all.extend(chapter_tasks(project, chapter));
        }
    }
    let src = project.src();
    let folder = &folder_of(project, &path);
    if all.is_empty() || folder == &src {
        let sources = project.sources(folder, &chapters, is_checked);
        all.extend(sources.iter().flat_map(|file| source_tasks(project, file)));
    }
    if path.starts_with(&src) || folder == &src {
        let mut pages = project.other_pages(&chapters);
        pages.retain(|page| page.starts_with(&path) || folder == &src);
        all.extend(pages.iter().flat_map(|page| page_tasks(project, page)));
    }
    if all.is_empty() {
        return Err(unchecked::nothing(project, &given.to_string(), folder));
    }
    Ok(all)
}

/// The folder whose sources are checked for this one: of a whole book, that of its pages.
fn folder_of(project: &Project, path: &Path) -> PathBuf {
    let src = project.src();
    if src.starts_with(path) && src.is_dir() { src } else { path.to_path_buf() }
}

/// Whether a text is a kernel file or an exercise, wherever it is.
fn is_checked(text: &str) -> bool {
    is_kernel_file(text) || is_exercise(text)
}

/// The tasks of a kernel file or an exercise.
fn source_tasks(project: &Project, path: &Path) -> Vec<Task> {
    match project.text(path).is_ok_and(|text| is_exercise(&text)) {
        true => vec![exercise_task(path)],
        false => kernel_tasks(project, path),
    }
}

/// The tasks of one chapter: its kernels, its pages, its recordings.
pub fn chapter_tasks(project: &Project, chapter: &Chapter) -> Vec<Task> {
    let mut all: Vec<Task> =
        chapter.kernels.iter().flat_map(|file| kernel_tasks(project, file)).collect();
    all.extend(chapter.exercises.iter().map(|file| exercise_task(file)));
    let is_listed =
        |file: &PathBuf| chapter.kernels.contains(file) || chapter.exercises.contains(file);
    let loose = project.sources(&chapter.dir, &[], is_checked);
    let loose = loose.iter().filter(|file| !is_listed(file));
    all.extend(loose.flat_map(|file| source_tasks(project, file)));
    for page in chapter.pages() {
        all.extend(page_tasks(project, &page));
    }
    for path in files_in(&chapter.dir.join("results"), "json") {
        all.push(task(format!("results/{}", stem(&path)), &path, BackendName::Sim, Kind::Results));
    }
    all.extend(claim_tasks(project, &chapter.dir.join("claims.toml")));
    all.extend(quiz_tasks(project, &chapter.dir.join(quiz::FILE)));
    if project.root.join(coverage::FILE).is_file() {
        let name = format!("coverage/{}", chapter.name);
        all.push(task(name, &chapter.dir, BackendName::Sim, Kind::Coverage));
    }
    all
}

/// The tasks of a `claims.toml`, if there is one: that it is well-formed, and each claim.
fn claim_tasks(project: &Project, path: &Path) -> Vec<Task> {
    if !path.is_file() {
        return Vec::new();
    }
    let sim = BackendName::Sim;
    let mut all = vec![task("claims/claims.toml".to_owned(), path, sim, Kind::Claims)];
    for claim in read_claims(project, path).unwrap_or_default() {
        let name = format!("claim/{}", claim.id);
        all.push(task(name, path, sim, Kind::Claim(Box::new(claim))));
    }
    all
}

/// The claims in a chapter's `claims.toml`.
fn read_claims(project: &Project, path: &Path) -> Result<Vec<Claim>, Vec<Problem>> {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    claims::read(&project.relative(path), &folder.to_string_lossy(), path)
}

/// The tasks of a `quiz.toml`, if there is one: that it is well-formed, and each item.
fn quiz_tasks(project: &Project, path: &Path) -> Vec<Task> {
    if !path.is_file() {
        return Vec::new();
    }
    let sim = BackendName::Sim;
    let mut all = vec![task("quiz/quiz.toml".to_owned(), path, sim, Kind::Quiz)];
    for item in read_quiz(project, path).unwrap_or_default() {
        let name = format!("quiz/{}", item.id);
        all.push(task(name, path, sim, Kind::QuizItem(Box::new(item))));
    }
    all
}

/// The items in a chapter's `quiz.toml`.
fn read_quiz(project: &Project, path: &Path) -> Result<Vec<quiz::Item>, Vec<Problem>> {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    quiz::read(&project.relative(path), &folder.to_string_lossy(), path)
}

fn exercise_task(path: &Path) -> Task {
    task(format!("exercise/{}", stem(path)), path, BackendName::Sim, Kind::Exercise)
}

fn kernel_tasks(project: &Project, path: &Path) -> Vec<Task> {
    let stem = stem(path);
    let read = Arc::new(project.read(path));
    let sim = BackendName::Sim;
    if read.is_err() {
        // One cause is one failure.
        let kind = Kind::Kernel(KernelPromise::Tests, read);
        return vec![task(format!("{sim}/{stem}"), path, sim, kind)];
    }
    let defective = read.as_ref().as_ref().is_ok_and(|f| f.directives.catches.is_some());
    let kind = |promise| Kind::Kernel(promise, Arc::clone(&read));
    let mut all = Vec::new();
    for backend in BackendName::ALL {
        // What a device does with a defective kernel proves nothing.
        if !(defective && backend == BackendName::Gpu) {
            all.push(task(format!("{backend}/{stem}"), path, backend, kind(KernelPromise::Tests)));
        }
    }
    all.push(task(format!("page/{stem}"), path, sim, kind(KernelPromise::Page)));
    if !defective {
        all.push(task(format!("mutation/{stem}"), path, sim, kind(KernelPromise::Mutation)));
    }
    if read.as_ref().as_ref().is_ok_and(|f| !f.directives.skips.is_empty()) {
        all.push(task(format!("skips/{stem}"), path, sim, kind(KernelPromise::Skips)));
    }
    all
}

fn page_tasks(project: &Project, path: &Path) -> Vec<Task> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut all = vec![task(format!("fences/{name}"), path, BackendName::Sim, Kind::Fences)];
    let text = file_text(path).unwrap_or_default();
    for fence in fence::fences(&project.relative(path), &text).0 {
        for backend in BackendName::ALL {
            let runs = matches!(fence.promise, Promise::Run);
            if backend == BackendName::Gpu && !runs {
                continue;
            }
            let name = format!("{backend}/{name}:{}", fence.line);
            all.push(task(name, path, backend, Kind::Fence(Box::new(fence.clone()))));
        }
    }
    all
}

fn task(name: String, path: &Path, backend: BackendName, kind: Kind) -> Task {
    Task { name, path: path.to_path_buf(), backend, kind }
}

impl Item {
    /// An item of what belongs to no task: what is wrong with the book as a whole.
    pub fn failed(name: &str, file: &str, problems: Vec<Problem>) -> Item {
        Item {
            name: name.to_owned(),
            file: file.to_owned(),
            status: Status::Failed,
            reason: String::new(),
            problems,
            verdict: None,
            shown: Vec::new(),
        }
    }
}

impl Task {
    /// Checks the promise.
    pub fn run(&self, verifier: &Verifier) -> Item {
        match &self.kind {
            Kind::Kernel(promise, read) => match read.as_ref() {
                Ok(file) => self.kernel(verifier, *promise, file),
                Err(problems) => {
                    self.item(verifier, Verdict::failed(self.backend, "", problems.clone()))
                }
            },
            Kind::Exercise => {
                let problems = match verifier.project().exercise(&self.path) {
                    Ok((exercise, headers)) => {
                        let mut problems = exercise.audit(headers);
                        problems.extend(unknown_equivalents(&exercise));
                        problems
                    }
                    Err(problems) => problems,
                };
                self.found(verifier, problems)
            }
            Kind::Fence(fence) => self.item(verifier, verifier.verify_fence(fence, self.backend)),
            Kind::Fences => self.fences(verifier),
            Kind::Results => self.results(verifier),
            Kind::Coverage => self.found(verifier, self.coverage(verifier.project())),
            Kind::Claims => {
                let problems = match read_claims(verifier.project(), &self.path) {
                    Ok(claims) => self.hidden(&claims),
                    Err(problems) => problems,
                };
                self.found(verifier, problems)
            }
            Kind::Claim(claim) => self.claim(verifier, claim),
            Kind::Quiz => {
                let problems = match read_quiz(verifier.project(), &self.path) {
                    Ok(items) => quiz::misplaced(&items, &self.text(), &self.pages()),
                    Err(problems) => problems,
                };
                self.found(verifier, problems)
            }
            Kind::QuizItem(item) => match item.answer(&Readings::new(verifier), &self.text()) {
                Ok(answered) => {
                    let reason = format!("{}: {}", item.id, item.ask);
                    let shown = answered.lines();
                    Item { reason, shown, ..self.found(verifier, Vec::new()) }
                }
                Err(problem) => self.found(verifier, vec![*problem]),
            },
        }
    }

    /// The text of the file.
    fn text(&self) -> String {
        file_text(&self.path).unwrap_or_default()
    }

    /// The pages beside the file.
    fn pages(&self) -> Vec<String> {
        let pages = files_in(self.path.parent().unwrap_or(Path::new("")), "md");
        pages.iter().filter_map(|page| file_text(page).ok()).collect()
    }

    fn kernel(&self, verifier: &Verifier, promise: KernelPromise, file: &KernelFile) -> Item {
        match promise {
            KernelPromise::Tests => {
                let verdict = verifier.verify_file(file, self.backend, Sizes::Tests);
                Item { verdict: Some(verdict.clone()), ..self.item(verifier, verdict) }
            }
            KernelPromise::Page => self.page(verifier, file),
            KernelPromise::Mutation => self.item(verifier, verifier.verify_mutation(file)),
            KernelPromise::Skips => self.skips(verifier, file),
        }
    }

    /// Whether this checks a page as a whole.
    pub fn is_page(&self) -> bool {
        matches!(self.kind, Kind::Fences)
    }

    /// Why the task would be skipped, known before it runs; `None` if it would run.
    pub fn left_out(&self, verifier: &Verifier) -> Option<String> {
        match &self.kind {
            Kind::Kernel(KernelPromise::Skips, _) => None,
            Kind::Kernel(_, read) => {
                let file = read.as_ref().as_ref().ok()?;
                verifier.left_out(file, self.backend).map(|verdict| verdict.reason)
            }
            Kind::Fence(fence) => match &fence.promise {
                Promise::Ignore(reason) => Some(reason.clone()),
                _ => verifier
                    .absence(self.backend)
                    .or((fence.is_program() && self.backend != BackendName::Sim)
                        .then_some(program::ONLY_THE_SIMULATOR))
                    .map(str::to_owned),
            },
            Kind::Results => {
                let item = self.results(verifier);
                (item.status == Status::Skipped).then_some(item.reason)
            }
            Kind::Claim(claim) => {
                let item = self.claim(verifier, claim);
                (item.status == Status::Skipped).then_some(item.reason)
            }
            _ => None,
        }
    }

    fn page(&self, verifier: &Verifier, file: &KernelFile) -> Item {
        let mut verdict = verifier.verify_file(file, BackendName::Sim, Sizes::Page);
        let taken: u64 = verdict.runs.iter().map(|r| r.instructions).sum();
        // A kernel that does not end would not end at a smaller size either.
        let endless = verdict.runs.iter().flat_map(|r| &r.problems).any(|p| p.code == "endless");
        if taken > PAGE_INSTRUCTIONS && !endless {
            let message = format!(
                "the page's size takes {taken} warp-instructions, at most {PAGE_INSTRUCTIONS} are allowed; choose a smaller one"
            );
            let line = directive_line(file, "page");
            verdict.problems.push(file.problem((line, 0), "page-budget", message));
            verdict.status = Status::Failed;
        }
        self.item(verifier, verdict)
    }

    fn skips(&self, verifier: &Verifier, file: &KernelFile) -> Item {
        let skips = file.directives.skips.iter();
        let expired = skips.filter(|skip| verifier.runs_after_all(file, skip.backend));
        let problems = expired.map(|skip| {
            let message = format!("this runs on {} now; remove the `//@ skip`", skip.backend);
            file.problem((skip.line, 0), "expired-skip", message)
        });
        self.found(verifier, problems.collect())
    }

    fn fences(&self, verifier: &Verifier) -> Item {
        let relative = verifier.project().relative(&self.path);
        let problems = match file_text(&self.path) {
            Ok(text) => fence::fences(&relative, &text).1,
            Err(error) => {
                let message = format!("cannot read `{relative}`: {error}");
                vec![Problem::new(&relative, "", (0, 0), "file", message)]
            }
        };
        self.found(verifier, problems)
    }

    fn results(&self, verifier: &Verifier) -> Item {
        let project = verifier.project();
        let relative = project.relative(&self.path);
        let problem =
            |code: &str, message: String| vec![Problem::new(&relative, "", (0, 0), code, message)];
        let results = match Results::read(&self.path) {
            Ok(Some(results)) => results,
            Ok(None) => return self.found(verifier, Vec::new()),
            Err(error) => {
                return self.found(verifier, problem("results", format!("{error:#}")));
            }
        };
        let kernels = self.path.parent().and_then(Path::parent).unwrap_or(Path::new(""));
        let mut stale = Vec::new();
        for stem in results.kernels.keys() {
            let path = kernels.join("kernels").join(format!("{stem}.cu"));
            let fresh =
                project.read(&path).is_ok_and(|file| results.freshness(&file) == Freshness::Fresh);
            if !fresh {
                stale.push(stem.as_str());
            }
        }
        let mut item = self.found(verifier, Vec::new());
        if !stale.is_empty() {
            item.status = Status::Skipped;
            item.reason = format!("stale, record again: {}", stale.join(", "));
        }
        item
    }

    /// Claims that no page of the chapter shows.
    fn hidden(&self, claims: &[Claim]) -> Vec<Problem> {
        let texts = self.pages();
        let text = self.text();
        let shown = |claim: &&Claim| {
            let wanted = ["claim", claim.id.as_str()];
            let words = texts.iter().flat_map(|text| page::braces(text));
            !words.filter_map(|b| b.text).any(|t| t.split_whitespace().eq(wanted))
        };
        let problem = |claim: &Claim| {
            let id = &claim.id;
            let message = format!("no page shows this claim: add `{{{{#claim {id}}}}}` to one");
            Problem::new(&claim.place.0, &text, (claim.place.1, 0), "claim", message)
        };
        claims.iter().filter(shown).map(problem).collect()
    }

    fn coverage(&self, project: &Project) -> Vec<Problem> {
        let chapter = self.path.file_name().unwrap_or_default().to_string_lossy();
        match coverage::rows(project) {
            Ok(rows) => coverage::problems(project, &rows, &chapter),
            Err(problems) => problems,
        }
    }

    /// A claim fails if the data contradict it, or if numbers are missing although its chapter was
    /// recorded. It is skipped if its chapter was not recorded, or if a recording is stale.
    fn claim(&self, verifier: &Verifier, claim: &Claim) -> Item {
        let readings = Readings::new(verifier);
        let text = file_text(&self.path).unwrap_or_default();
        let recorded = readings.is_recorded(&claim.chapter);
        let mut item = self.found(verifier, Vec::new());
        for judgement in claim.judge(&readings) {
            let reason = match &judgement.state {
                State::Stale(why) => why,
                State::NotMeasured(why) if !recorded => why,
                _ => {
                    item.problems.extend(claim.problem(&text, &judgement));
                    continue;
                }
            };
            item.status = Status::Skipped;
            item.reason = format!("not measured: {reason}");
        }
        if !item.problems.is_empty() {
            item.status = Status::Failed;
        }
        item
    }

    fn found(&self, verifier: &Verifier, problems: Vec<Problem>) -> Item {
        let mut verdict = Verdict::new(self.backend, "");
        if !problems.is_empty() {
            verdict = Verdict::failed(self.backend, "", problems);
        }
        self.item(verifier, verdict)
    }

    /// The item of a verdict. Only a failed verdict has problems: those of a passed one are what a
    /// defective file was caught for.
    fn item(&self, verifier: &Verifier, verdict: Verdict) -> Item {
        let failed = verdict.status == Status::Failed;
        Item {
            name: self.name.clone(),
            file: verifier.project().relative(&self.path),
            status: verdict.status,
            problems: if failed { distinct(&verdict) } else { Vec::new() },
            reason: verdict.reason,
            verdict: None,
            shown: Vec::new(),
        }
    }
}

/// The verdict's problems, without repetitions at other sizes.
fn distinct(verdict: &Verdict) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for problem in verdict.all_problems() {
        let place = |p: &Problem| (p.file.clone(), p.line, p.column, p.code.clone());
        if !problems.iter().any(|known| place(known) == place(problem)) {
            problems.push(problem.clone());
        }
    }
    problems
}

/// The line of the first `//@ word`.
fn directive_line(file: &KernelFile, word: &str) -> u32 {
    let found = file.text.lines().position(|line| {
        let rest = line.trim_start().strip_prefix("//@");
        rest.and_then(|r| r.split_whitespace().next()) == Some(word)
    });
    found.map_or(0, |at| at as u32 + 1)
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}
