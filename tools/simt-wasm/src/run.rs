//! `run`: a kernel file at one size, judged as the book judges it.
//!
//! If it cannot run, the answer is `diagnostics` alone, as of `check`, with an error among them. Else:
//!
//! ```text
//! diagnostics   warnings of the compiler
//! verdict       passed or failed; a file that teaches a defect passes when that is caught
//! problems      code, message, line, column, other (line, message), rendered
//! findings      as `show` has them, each with the number of its launch
//! outcome       of the last launch: completed, faulted, deadlock, budget spent; or refused
//! printed       what the kernels printed, 64 KiB of it
//! counters      name, metric, meaning, unit, value: totals over the launches
//! lines         per line: the values in the order of `counters`
//! launches      kernel, grid, block, line
//! arrays        name, element, count, role; for outputs also head, the first values as texts, and
//!               hash, 64 bits over all bytes
//! point         the values of the variables
//! ```
//!
//! A complete program is answered as [`mod@crate::program`] answers.

use crate::{Message, check, program, request, reserve, show};
use kernel_file::directive::Role;
use kernel_file::file::is_program;
use kernel_file::simulator::{Program, Ran, Settings};
use kernel_file::{KernelFile, Plan, Problem, Status, Unit, catch};
use serde_json::{Value, json};
use simt::Outcome;

/// Bytes of output that are shown.
pub const PRINTED: usize = 1 << 16;

/// Answers a request.
///
/// # Errors
/// If the request makes no sense.
pub(crate) fn answer(text: &Value) -> Result<Message, String> {
    let unit = request::unit(text)?;
    if is_program(&unit.text) {
        return program::answer(text);
    }
    let settings = request::settings(text)?;
    ready(text, &unit, settings, |file, program, plan| Ok(judged(file, program, plan)))
}

/// Prepares a kernel file as the request says (the file at its size, its module and its plan), and calls
/// `then` with it; or answers why that is not possible.
///
/// # Errors
/// If the request makes no sense.
pub(crate) fn ready(
    text: &Value,
    unit: &Unit,
    settings: Settings,
    then: impl FnOnce(&KernelFile, &Program<'_>, Plan) -> Result<Message, String>,
) -> Result<Message, String> {
    let said = |diagnostics: Vec<Value>| Message::said(json!({ "diagnostics": diagnostics }));
    let refused = |problems: &[Problem]| said(check::refused(problems, unit));
    let file = match KernelFile::parse(&unit.name, unit.text.clone()) {
        Ok(file) => file,
        Err(problems) => return Ok(said(check::misread(&problems, unit))),
    };
    let (file, n) = request::at_point(text, &file)?;
    let mut plan = match Plan::new(&file, n) {
        Ok(plan) => plan,
        Err(problems) => return Ok(refused(&problems)),
    };
    request::reshape(text, &mut plan)?;
    reserve::for_arrays(&plan, settings.limits.memory);
    match Program::compile(&file, unit, settings) {
        Ok(program) => then(&file, &program, plan),
        Err(problems) => Ok(refused(&problems)),
    }
}

/// Runs the plan, and gives the verdict.
fn judged(file: &KernelFile, program: &Program<'_>, plan: Plan) -> Message {
    let (n, launches) = (plan.n, check::launches(&plan));
    let mut ran = program.carry_out(plan);
    let runs = std::slice::from_mut(&mut ran.run);
    let more = file.directives.catches.map(|class| catch::judge(file, class, runs));
    let more = more.unwrap_or_default();
    let passed = ran.run.status == Status::Passed && more.is_empty();
    let problems = ran.run.problems.iter().chain(&more).map(show::run_problem);
    let sources = &program.module.sources;
    let numbered = ran.reports.iter().enumerate();
    let findings = numbered.flat_map(|(launch, r)| show::findings(r, launch, sources));
    let printed = ran.reports.iter().map(|r| r.printed.as_slice()).collect::<Vec<_>>().concat();
    let printed = String::from_utf8_lossy(&printed);
    let lines = ran.lines();
    let lines =
        lines.iter().map(|l| json!({ "line": l.line, "values": show::values(&l.counters) }));
    let arrays = ran.arrays().map(|(array, at)| {
        let output = (array.role == Role::Output).then(|| ran.bytes(at));
        show::array(array, output.as_deref())
    });
    let diagnostics = program.warnings().map(|d| show::diagnostic(d, sources));
    Message::said(json!({
        "diagnostics": diagnostics.collect::<Vec<_>>(),
        "verdict": if passed { "passed" } else { "failed" },
        "problems": problems.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
        "outcome": outcome(&ran, file.directives.launches.len()),
        "printed": show::cut(&printed, PRINTED),
        "counters": show::counters(&ran.counters),
        "lines": lines.collect::<Vec<_>>(),
        "launches": launches,
        "arrays": arrays.collect::<Vec<_>>(),
        "point": check::point_of(file, n),
    }))
}

/// How the last launch ended.
fn outcome(ran: &Ran, launches: usize) -> &'static str {
    match ran.reports.last().map(|report| report.outcome) {
        Some(Outcome::Completed) if ran.reports.len() == launches => "completed",
        Some(Outcome::Completed) | None => "refused",
        Some(Outcome::Faulted) => "faulted",
        Some(Outcome::Deadlock) => "deadlock",
        Some(Outcome::BudgetSpent) => "budget spent",
        Some(Outcome::Interrupted) => "interrupted",
    }
}
