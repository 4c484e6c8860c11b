//! JUnit XML: a test case per file. An error that is new makes it a failure.

use crate::finding::Standing;
use crate::results::{Entry, Kind, Results};
use anyhow::{Context, Result};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

pub(super) fn text(results: &Results) -> Result<String> {
    let mut suite = TestSuite::new("cuda-sim");
    suite.set_time(seconds(results.seconds));
    suite.add_test_cases(results.files.iter().map(case));
    let mut report = Report::new("cuda-sim");
    report.set_time(seconds(results.seconds));
    report.add_test_suite(suite);
    report.to_string().context("writing JUnit XML")
}

fn case(entry: &Entry) -> TestCase {
    let errors: Vec<_> = entry.findings.iter().filter(|finding| finding.is_error()).collect();
    let status = match (entry.kind, errors.as_slice()) {
        (Kind::Part, _) => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(&entry.left_out);
            skipped
        }
        (_, []) => TestCaseStatus::success(),
        (_, [first, ..]) => {
            let all: Vec<&str> = errors.iter().map(|error| error.rendered.as_str()).collect();
            let mut failure = TestCaseStatus::non_success(NonSuccessKind::Failure);
            failure.set_message(first.message.as_str()).set_type(first.code.as_str());
            failure.set_description(all.join("\n"));
            failure
        }
    };
    let mut case = TestCase::new(entry.file.as_str(), status);
    case.set_classname(match entry.kind {
        Kind::Kernel => "kernel",
        Kind::Program => "program",
        Kind::Part => "part",
    });
    case.set_time(seconds(entry.seconds));
    let rest = entry.findings.iter().filter(|finding| !finding.is_error());
    let rest: Vec<String> = rest
        .map(|finding| match &finding.standing {
            Standing::New => finding.rendered.clone(),
            Standing::Known => format!("in the baseline: {}", finding.rendered),
            Standing::Suppressed(reason) => format!("suppressed ({reason}): {}", finding.rendered),
        })
        .collect();
    if !rest.is_empty() {
        case.set_system_out(rest.join("\n"));
    }
    case
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
