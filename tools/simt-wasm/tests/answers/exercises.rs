//! Every exercise of the repository, asked as a page asks: the solution is right and the starter is
//! not, with the answer that the terminal gives.

use crate::ask;
use kernel_file::exercise::Checker;
use serde_json::{Value, json};
use std::path::Path;
use verify::Project;

#[test]
fn exercises_are_answered_as_the_terminal_answers() {
    let project = Project::find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    for place in project.exercises().unwrap() {
        let (exercise, headers) = project.exercise(&place.path).expect("it is understood");
        let checker = Checker::new(&exercise, headers.clone()).expect("its solution runs");
        let name = exercise.relative();
        let headers = headers.iter().map(|h| (h.name.as_str(), h.text.as_str()));
        let files: Vec<_> =
            std::iter::once((name, exercise.text.as_str())).chain(headers).collect();
        for (what, attempt) in [("solved", exercise.solved()), ("starter", exercise.starter())] {
            let request =
                json!({ "do": "exercise", "files": files, "attempt": attempt, "seed": 11 });
            let told = ask(&format!("{}-{what}", name.replace('/', "-")), request);
            let checked = checker.check(name, &attempt, 11);
            let code = checked.failure.as_ref().map(|failure| failure.code.as_str());
            assert_eq!(told["failure"]["code"].as_str(), code, "{name}, {what}: {told:#}");
            assert_eq!(code.is_none(), what == "solved", "{name}: {told:#}");
            let gates = told["gates"].as_array().map_or(0, Vec::len);
            assert_eq!(gates, checked.gates.len());
            if what == "solved" {
                let holds = |gate: &Value| gate["holds"] == true;
                assert!(told["gates"].as_array().unwrap().iter().all(holds), "{told:#}");
            }
        }
    }
}

#[test]
fn a_request_that_makes_no_sense_says_why() {
    for (name, files, attempt, why) in [
        ("no-exercise", json!([["a.cu", "int x;"]]), json!("int x;"), "no launch; add `//@ launch"),
        ("no-attempt", json!([["a.cu", "int x;"]]), json!(7), "`attempt` is the reader's text"),
    ] {
        let request = json!({ "do": "exercise", "files": files, "attempt": attempt });
        let told = ask(&format!("exercise-{name}"), request);
        assert!(told["error"].as_str().unwrap().contains(why), "{told:#}");
    }
}
