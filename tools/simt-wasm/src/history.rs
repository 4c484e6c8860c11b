//! `record` and `state`: one block of one launch, step by step.
//!
//! `record` takes what [`mod@crate::run`] takes, and `launch` and `block` (numbers from 0, both 0)
//! and `steps`, instructions of the block's warps together (100000, a million at most). The history
//! stays in the module until the next `record`. If the file does not compile, or its launch is not
//! reached, the answer is `diagnostics` or `problems`, as of `run`, and nothing is kept. Else:
//!
//! ```text
//! steps         how many there are
//! cut           whether there were more
//! kernel        its name; grid, block: its launch's extents
//! warps         of the block
//! variables     name, type, function that it belongs to, line of its declaration
//! tiles         the arrays of shared memory: the same, and count, of innermost elements
//! lines         bytes: the line of each step, 4 bytes, little-endian; 0 in a header
//! owners        bytes, behind the lines: the warp of each step, 2 bytes
//! ```
//!
//! `state` takes `step`, from 0, and `tiles`, a list of the parts of those arrays to show ([number,
//! first element, how many], 1024 at most), and answers the state after that step:
//!
//! ```text
//! step, warp    the step and its warp
//! work          compute, branch, access, barrier, exchange, bookkeeping
//! place         the text of the instruction
//! lanes         that were active, one bit each
//! warps         where each warp stands: line, lanes, state (running, waiting, done), at (what it
//!               waits for, null if it does not); parts: the same for each group of its lanes that
//!               diverged, those that are running first
//! variables     of the step's warp, those in scope: name, type, function, line, values (32 texts,
//!               null where it is not), changed (whether by this step)
//! touched       place, verb, array, element, width, lanes, offsets (of those lanes), start,
//!               transactions; sectors of global memory by their numbers, from the array's start;
//!               served of shared memory: pass, bank, lanes
//! tiles         as they were wanted: values (texts, null where nothing was written yet), changed (the
//!               numbers of those elements that this step wrote)
//! ```

use crate::{Message, request, run, show};
use kernel_file::Plan;
use kernel_file::file::is_program;
use kernel_file::simulator::Program;
use serde_json::{Value, json};
use simt::observe::{ArraySpace, Group, Touched, Waiting, WarpState};
use simt::{Config, History, Record};
use std::cell::RefCell;

/// The default of `steps`.
const STEPS: u64 = 100_000;

/// The most `steps`.
const MOST_STEPS: u64 = 1_000_000;

/// The most elements of one part of an array.
const MOST_ELEMENTS: u32 = 1024;

thread_local! {
    static HISTORY: RefCell<Option<History>> = const { RefCell::new(None) };
}

/// Answers `record`.
///
/// # Errors
/// If the request makes no sense.
pub(crate) fn record(text: &Value) -> Result<Message, String> {
    HISTORY.take();
    let unit = request::unit(text)?;
    if is_program(&unit.text) {
        return Err("a program with `main` is run, and not stepped through".to_owned());
    }
    let steps = request::number(&text["steps"], "steps", STEPS)?;
    if steps > MOST_STEPS {
        return Err(format!("`steps` is {steps}; {MOST_STEPS} is the most"));
    }
    let block: u32 = request::number(&text["block"], "block", 0)?;
    let number: u32 = request::number(&text["launch"], "launch", 0)?;
    // `steps` is how much is recorded, not the budget of the launches.
    let settings = request::settings(&json!({ "memory": text["memory"] }))?;
    run::ready(text, &unit, settings, |_, program, plan| {
        keep(program, plan, number as usize, block, steps as usize)
    })
}

/// Runs the launch, and keeps the history of the block.
fn keep(
    program: &Program<'_>,
    plan: Plan,
    number: usize,
    block: u32,
    steps: usize,
) -> Result<Message, String> {
    let launch = plan.launches.get(number).cloned();
    let watch = |config| Config { record: Some(Record { block, steps }), ..config };
    let history = match program.watch(plan, number, watch) {
        Ok(report) => report.history.unwrap_or_default(),
        Err(problems) => {
            let problems: Vec<Value> = problems.iter().map(show::run_problem).collect();
            return Ok(Message::said(json!({ "problems": problems })));
        }
    };
    let launch = launch.ok_or("there is no such launch")?;
    if history.is_empty() {
        return Err(format!("`block` is {block}; the grid is {:?}", launch.grid));
    }
    let (mut bytes, mut owners) = (Vec::new(), Vec::new());
    for moment in (0..history.len()).filter_map(|step| history.moment(step)) {
        bytes.extend_from_slice(&moment.line.to_le_bytes());
        owners.extend_from_slice(&(moment.warp as u16).to_le_bytes());
    }
    bytes.append(&mut owners);
    let variables: Vec<Value> =
        (0..history.variables().len()).map(|variable| named(&history, variable)).collect();
    let tiles = history.tiles().iter().map(|tile| {
        let mut out = named(&history, tile.variable);
        out["count"] = json!(tile.count);
        out
    });
    let tiles: Vec<Value> = tiles.collect();
    let text = json!({
        "steps": history.len(), "cut": history.cut(), "kernel": launch.kernel,
        "grid": launch.grid, "block": launch.block, "warps": history.warps(),
        "variables": variables, "tiles": tiles,
    });
    HISTORY.set(Some(history));
    Ok(Message { text, bytes })
}

/// Answers `state`.
///
/// # Errors
/// If nothing was recorded, or not as many steps.
pub(crate) fn state(text: &Value) -> Result<Message, String> {
    HISTORY.with_borrow(|history| {
        let history = history.as_ref().ok_or("nothing is recorded: `record` comes first")?;
        let step: u32 = request::number(&text["step"], "step", 0)?;
        let at = history
            .after(step as usize)
            .ok_or_else(|| format!("`step` is {step}; there are {}", history.len()))?;
        let variables = at.variables.iter().map(|shown| {
            let mut out = named(history, shown.variable);
            out["values"] = json!(shown.values);
            out["changed"] = json!(shown.changed);
            out
        });
        let wanted = text["tiles"].as_array().into_iter().flatten();
        let tiles = wanted.map(|wanted| elements(history, wanted, step as usize));
        let tiles = tiles.collect::<Result<Vec<_>, _>>()?;
        let warps = at.warps.iter().map(|warp| warp_state(warp, history));
        Ok(Message::said(json!({
            "step": step, "warp": at.moment.warp,
            "work": format!("{:?}", at.moment.work).to_ascii_lowercase(),
            "place": show::place(at.moment.span, history.sources()), "lanes": at.moment.lanes,
            "warps": warps.collect::<Vec<_>>(),
            "variables": variables.collect::<Vec<_>>(),
            "touched": at.touched.iter().map(touched).collect::<Vec<_>>(),
            "tiles": tiles,
        })))
    })
}

/// A part of an array of shared memory.
fn elements(history: &History, wanted: &Value, step: usize) -> Result<Value, String> {
    let number: u32 = request::number(&wanted[0], "tiles", 0)?;
    let from: u32 = request::number(&wanted[1], "tiles", 0)?;
    let most: u32 = request::number(&wanted[2], "tiles", MOST_ELEMENTS)?;
    let tile = history.tiles().get(number as usize).ok_or_else(|| {
        format!("`tiles`: there is no number {number}; there are {}", history.tiles().len())
    })?;
    let all = history.elements(tile, from, most.min(MOST_ELEMENTS), step);
    let changed = (from..).zip(&all).filter(|(_, (_, changed))| *changed).map(|(i, _)| i);
    Ok(json!({
        "changed": changed.collect::<Vec<u32>>(),
        "values": all.iter().map(|(value, _)| value).collect::<Vec<_>>(),
    }))
}

fn named(history: &History, variable: usize) -> Value {
    let about = &history.variables()[variable];
    json!({
        "name": about.name, "type": about.ty, "function": about.function,
        "line": history.sources().position(about.span).line,
    })
}

fn warp_state(warp: &WarpState, history: &History) -> Value {
    let parts: Vec<Value> = warp.parts.iter().map(|part| group(part, history)).collect();
    let done = json!({ "line": 0, "lanes": 0, "state": "done", "at": null });
    let mut out = parts.first().cloned().unwrap_or(done);
    out["parts"] = json!(parts);
    out
}

fn group(part: &Group, history: &History) -> Value {
    let text = || history.sources().text(part.span).lines().next().unwrap_or("").to_owned();
    let at = part.waits.map(|waits| match waits {
        Waiting::Barrier | Waiting::Lanes => text(),
        Waiting::Meeting => "the lanes that went another way".to_owned(),
    });
    let state = if at.is_some() { "waiting" } else { "running" };
    json!({ "line": part.line, "lanes": part.lanes, "state": state, "at": at })
}

/// An access: the offsets are those of the lanes that made it, lowest first.
fn touched(t: &Touched) -> Value {
    let offsets: Vec<u32> = t.lane_offsets().map(|(_, offset)| offset).collect();
    let mut out = json!({
        "place": format!("{:?}", t.space).to_ascii_lowercase(), "verb": t.verb, "array": t.array,
        "element": t.element, "width": t.width, "lanes": t.lanes, "offsets": offsets,
        "start": t.start, "transactions": t.transactions,
    });
    match t.space {
        ArraySpace::Global | ArraySpace::Constant => {
            let of = |at: &u32| at / 32..at.saturating_add(t.width).div_ceil(32);
            let mut sectors: Vec<u32> = offsets.iter().flat_map(of).collect();
            sectors.sort_unstable();
            sectors.dedup();
            out["sectors"] = json!(sectors);
        }
        ArraySpace::Shared => {
            let served = t.served().into_iter();
            let served =
                served.map(|s| json!({ "pass": s.pass, "bank": s.bank, "lanes": s.lanes }));
            out["served"] = served.collect();
        }
        ArraySpace::Local => {}
    }
    out
}
