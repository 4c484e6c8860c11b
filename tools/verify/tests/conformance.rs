//! One suite for all back ends: the same small kernel files, and what each of them must say.
//!
//! A back end that is absent makes its tests ignored; `WARPBOOK_REQUIRE` makes them fail.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::sync::Arc;
use verify::backend::required;
use verify::{Availability, BackendName, KernelFile, Project, Sizes, Status, Verdict, Verifier};

/// What a file must come to.
#[derive(Clone, Copy)]
enum Want {
    /// It passes.
    Pass,
    /// It fails with this problem: line (0 where the back ends differ), code, and words of the
    /// message. An empty code or no words means any.
    Fail(u32, &'static str, &'static str),
    /// It is skipped, and the reason holds these words.
    Skip(&'static str),
}

use Want::{Fail, Pass, Skip};

/// File, and what `sim`, `nvrtc` and `gpu` must say of it.
const CASES: [(&str, [Want; 3]); 20] = [
    ("pass", [Pass, Pass, Pass]),
    ("launches", [Pass, Pass, Pass]),
    ("floats", [Pass, Pass, Pass]),
    ("parts", [Pass, Pass, Pass]),
    ("halves", [Pass, Pass, Pass]),
    ("vectors", [Pass, Pass, Pass]),
    ("points", [Pass, Pass, Pass]),
    ("wrong_result", {
        let wrong = Fail(3, "wrong-result", "out[3]: expected 3, got 2; 32 of 128 elements differ");
        [wrong, Pass, wrong]
    }),
    ("compile_error", [Fail(7, "", "tread"), Fail(7, "", "tread"), Fail(7, "", "tread")]),
    ("too_much_shared", [Fail(0, "", "shared"), Fail(0, "", ""), Fail(0, "", "")]),
    ("too_many_threads", [Fail(3, "launch", "2048"), Pass, Fail(3, "launch", "")]),
    ("no_such_kernel", [Fail(3, "", "fil"), Fail(0, "", "fil"), Fail(0, "", "fil")]),
    ("past_end", [Fail(10, "bounds", "`in"), Pass, Skip("not defined")]),
    ("race", [Fail(0, "race", "`data["), Pass, Skip("not defined")]),
    ("poison", [Fail(9, "uninitialised", "`work[0]`"), Pass, Skip("cannot tell")]),
    ("endless", [Fail(10, "endless", "does not end"), Pass, Skip("never come back")]),
    ("caught", [Pass, Pass, Skip("defective")]),
    ("mended", [Fail(12, "not-caught", "no race found on this line"), Pass, Skip("defective")]),
    ("wrong_on_purpose", [Pass, Pass, Skip("defective")]),
    (
        "right_after_all",
        [Fail(11, "not-caught", "the result is right at every size"), Pass, Skip("defective")],
    ),
];

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let here = std::env::current_dir().ok().and_then(|d| Some(d.parent()?.parent()?.to_owned()));
    let root = if root.is_dir() { root } else { here.unwrap_or_default() };
    let verifier = Arc::new(Verifier::open(&Project { root }).unwrap());
    let mut trials: Vec<Trial> = Vec::new();
    for (stem, wanted) in CASES {
        for (backend, want) in BackendName::ALL.into_iter().zip(wanted) {
            let shared = Arc::clone(&verifier);
            let name = format!("{backend}/{stem}");
            let trial = Trial::test(name, move || holds(&shared, stem, backend, want));
            trials.push(match verifier.availability(backend) {
                Availability::Absent { reason, .. } if !required(backend) => {
                    trial.with_kind(reason).with_ignored_flag(true)
                }
                _ => trial,
            });
        }
    }
    let shared = Arc::clone(&verifier);
    trials.push(Trial::test("mutation/blind", move || {
        let verdict = shared.verify_mutation(&read(&shared, "blind"));
        expect(&verdict, Fail(9, "expectation-cannot-fail", "still holds"))
    }));
    for stem in ["pass", "launches", "floats", "parts"] {
        let shared = Arc::clone(&verifier);
        trials.push(Trial::test(format!("mutation/{stem}"), move || {
            expect(&shared.verify_mutation(&read(&shared, stem)), Pass)
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn holds(verifier: &Verifier, stem: &str, backend: BackendName, want: Want) -> Result<(), Failed> {
    if let Availability::Absent { reason, remedy } = verifier.availability(backend) {
        return Err(format!("`{backend}` is required, but {reason}; {remedy}").into());
    }
    expect(&verifier.verify_file(&read(verifier, stem), backend, Sizes::Tests), want)
}

fn read(verifier: &Verifier, stem: &str) -> KernelFile {
    let folder = verifier.project().root.join("tools/verify/tests/conformance");
    verifier.project().read(&folder.join(format!("{stem}.cu"))).unwrap()
}

fn expect(verdict: &Verdict, want: Want) -> Result<(), Failed> {
    let ok = match want {
        Pass => verdict.status == Status::Passed,
        Skip(words) => verdict.status == Status::Skipped && verdict.reason.contains(words),
        Fail(line, code, words) => {
            verdict.status == Status::Failed
                && verdict.all_problems().any(|p| {
                    (line == 0 || p.line == line)
                        && (code.is_empty() || p.code == code)
                        && p.message.contains(words)
                        && !p.rendered.is_empty()
                })
        }
    };
    if ok {
        return Ok(());
    }
    let problems: String = verdict.all_problems().map(|p| format!("{}\n", p.rendered)).collect();
    Err(format!("{:?} {}\n{problems}", verdict.status, verdict.reason).into())
}
