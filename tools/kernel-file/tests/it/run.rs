//! Kernel files through the front end and the machine, against golden output.
//!
//! Each file under `run/<class>/` has its output beside it as `.out`: the outcome, what was printed,
//! and every finding as rendered. A file under `pass` must have no finding; any other must have one
//! of the class that it lies under.

use crate::support::{Case, cases, findings, run, settings};
use expect_test::expect_file;
use kernel_file::simulator::Program;
use kernel_file::{KernelFile, Status, Unit};
use simt::{Model, Severity};
use std::fmt::Write as _;

/// Files that show what happens without independent thread scheduling.
const BEFORE_VOLTA: [&str; 1] = ["lock_before_volta"];

/// As in C++, and a template is named as what it is.
#[test]
fn a_kernel_of_a_namespace_is_launched() {
    let text = "//! Twice.\n//@ output y: int[n] = poison\n//@ launch gpu::twice(y) grid = 1, block = 32\n\
                //@ test 32\n//@ page 32\n\
                namespace gpu { __global__ void twice(int* y) { y[threadIdx.x] = 2; } }\n\
                __host__ __device__ int expected(int i) { return 2; }\n";
    let status = |text: &str| {
        let file = KernelFile::parse("x.cu", text.to_owned()).unwrap();
        let unit = Unit { name: "x.cu".to_owned(), text: text.to_owned(), ..Unit::default() };
        let program = Program::compile(&file, &unit, settings(Model::Volta, 1, 1000)).unwrap();
        let run = program.run(32).run;
        (run.status, run.problems.first().map(|problem| problem.message.clone()))
    };
    assert_eq!(status(text), (Status::Passed, None));
    let template = text
        .replace("launch gpu::twice", "launch twice")
        .replace("namespace gpu { ", "template <typename T> ")
        .replace("(int* y) { y[threadIdx.x] = 2; } }", "(T* y) { y[threadIdx.x] = 2; }");
    let (failed, message) = status(&template);
    assert_eq!(failed, Status::Failed);
    let message = message.unwrap();
    assert!(message.contains("`twice` is a template: a launch names no template"), "{message}");
}

/// The reference takes the arrays as they are declared, as a launch does.
#[test]
fn a_reference_takes_an_array_as_its_elements() {
    let text = "//! Twice.\n//@ input in: int[n] = iota\n//@ output y: int[n] = poison\n\
                //@ launch twice(in, y) grid = 1, block = n\n//@ test 32\n//@ page 32\n\
                __global__ void twice(const int* in, int* y) { y[threadIdx.x] = 2 * in[threadIdx.x]; }\n\
                __host__ __device__ int expected(const int* in, int i) { return 2 * in[i]; }\n";
    let problems = |text: &str| {
        let file = KernelFile::parse("x.cu", text.to_owned()).unwrap();
        let unit = Unit { name: "x.cu".to_owned(), text: text.to_owned(), ..Unit::default() };
        let program = Program::compile(&file, &unit, settings(Model::Volta, 1, 1000)).unwrap();
        let run = program.run(32).run;
        run.problems.iter().map(|p| format!("{}: {}", p.line, p.message)).collect::<Vec<_>>()
    };
    assert_eq!(problems(text), Vec::<String>::new());
    assert_eq!(
        problems(&text.replace("expected(const int*", "expected(const float*")),
        ["8: at n = 32: `in` is an array of int, and the parameter of that name points to float: \
          write `const int*`"]
    );
    let unsigned = text.replace("expected(const int*", "expected(const unsigned*");
    assert_eq!(problems(&unsigned), Vec::<String>::new(), "the launch takes these, too");
}

fn compile(case: &Case, model: Model) -> Program<'_> {
    case.compile(&[], settings(model, 1, 50_000_000))
}

fn size(case: &Case) -> u64 {
    case.file.directives.page.unwrap()
}

#[test]
fn findings_are_as_recorded() {
    let cases = cases("run");
    assert!(cases.len() >= 25, "only {} files were found", cases.len());
    for case in &cases {
        let before_volta = BEFORE_VOLTA.contains(&&*case.file.stem);
        let program = compile(case, if before_volta { Model::Pascal } else { Model::Volta });
        let ran = run(&program, size(case));
        let report = &ran.reports[0];
        let mut out = format!("{:?}\n", report.outcome);
        if !report.printed.is_empty() {
            let printed = String::from_utf8_lossy(&report.printed);
            let _ = writeln!(out, "--- printed\n{}", printed.trim_end());
        }
        for finding in &report.findings {
            let _ = write!(out, "---\n{}", finding.render(&program.module.sources));
        }
        let as_placed = match &*case.folder {
            "pass" => report.findings.is_empty(),
            class => report.findings.iter().any(|f| f.class().name() == class),
        };
        assert!(as_placed, "{} does not belong there:\n{out}", case.path.display());
        expect_file![case.path.with_extension("out")].assert_eq(&out);
    }
}

/// What passes, passes under any schedule and leaves the same arrays; what races, races under any.
#[test]
fn the_schedule_does_not_matter() {
    for case in cases("run") {
        let place = case.path.display();
        let program = compile(&case, Model::Volta);
        let arrays = |program: &Program| {
            let ran = run(program, size(&case));
            let arrays: Vec<_> = ran.arrays().map(|(_, buffer)| ran.bytes(buffer)).collect();
            (ran, arrays)
        };
        match &*case.folder {
            "pass" | "race" => {}
            _ => continue,
        }
        let (_, expected) = arrays(&program);
        for seed in 0..8 {
            let program = compile(&case, Model::Adversarial(seed));
            let (ran, left) = arrays(&program);
            let sources = &program.module.sources;
            let all: String = findings(&ran).map(|f| f.render(sources)).collect();
            if case.folder == "pass" {
                assert!(all.is_empty(), "{place}, seed {seed}:\n{all}");
                assert_eq!(left, expected, "{place}, seed {seed}");
            } else {
                let race =
                    |f: &simt::Finding| f.class().name() == "race" && f.severity >= Severity::Note;
                assert!(findings(&ran).any(race), "{place}, seed {seed}:\n{all}");
            }
        }
    }
}
