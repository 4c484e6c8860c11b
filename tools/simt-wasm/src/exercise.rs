//! `exercise`: the check of an attempt at an exercise.
//!
//! The first of `files` is the exercise, with its solution; `attempt` is the reader's whole text, and
//! `seed` chooses the inputs. The answer:
//!
//! ```text
//! failure       null if it is right; else code, message, n, next, and problems as of `run`
//! gates         name, metric, naive, relation, target, yours, holds; empty before all else is right
//! sizes         the test sizes
//! seed          the same seed gives the same answer
//! ```

use crate::{Message, request, show};
use kernel_file::Exercise;
use kernel_file::exercise::Checker;
use serde_json::{Value, json};

/// Answers a request.
///
/// # Errors
/// If the request makes no sense, or the exercise does not.
pub(crate) fn answer(text: &Value) -> Result<Message, String> {
    let unit = request::unit(text)?;
    let attempt = text["attempt"].as_str().ok_or("`attempt` is the reader's text")?;
    let seed = request::number(&text["seed"], "seed", 1)?;
    let first = |problems: Vec<kernel_file::Problem>| {
        problems.first().map_or_else(String::new, |p| format!("line {}: {}", p.line, p.message))
    };
    let exercise = Exercise::parse(&unit.name, unit.text).map_err(first)?;
    let checker = Checker::new(&exercise, unit.headers).map_err(first)?;
    let checked = checker.check(&unit.name, attempt, seed);
    let failure = checked.failure.map(|failure| {
        let problems: Vec<Value> = failure.problems.iter().map(show::run_problem).collect();
        json!({
            "code": failure.code, "message": failure.message, "n": failure.n,
            "next": failure.next, "problems": problems,
        })
    });
    let gates = checked.gates.iter().map(|row| {
        json!({
            "name": row.name, "metric": row.metric, "naive": row.naive, "relation": row.relation.symbol(),
            "target": row.target, "yours": row.yours, "holds": row.holds,
        })
    });
    Ok(Message::said(json!({
        "failure": failure, "gates": gates.collect::<Vec<_>>(), "sizes": checked.sizes,
        "seed": checked.seed,
    })))
}
