//! The parts that requests have in common.
//!
//! ```text
//! files     [[name, text], ...]: the first is the kernel file or program, the others are what it
//!           may include, by the name that it includes them by
//! steps     warp-instructions of all launches together; by default 20 million
//! memory    bytes of the arrays together, and bytes that a launch needs besides; 2^28
//! checks    all, counters or bare; all
//! point     values of `n` and of the file's variables, by name; the page's
//! shapes    [{"grid": [x, y, z], "block": [x, y, z]} or null, ...], by launch; as directed
//! ```

use kernel_file::simulator::{Limits, Settings};
use kernel_file::{Header, KernelFile, Plan, Point, Unit};
use serde_json::Value;
use simt::{Checks, Model};

/// The default of `steps`.
const STEPS: u64 = 20_000_000;

/// Warp-instructions of the check of a whole output: a twentieth of a second.
const REFERENCE: u64 = 1 << 20;

/// The default of `memory`.
const MEMORY: u64 = 1 << 28;

/// The most `memory`: a quarter of the address space of WebAssembly.
const MOST: u64 = 1 << 30;

/// The texts.
///
/// # Errors
/// If `files` is no list of names and texts.
pub fn unit(request: &Value) -> Result<Unit, String> {
    let files = request["files"].as_array().ok_or("`files` is a list of files")?;
    let mut pairs = Vec::new();
    for file in files {
        let pair = file[0].as_str().zip(file[1].as_str());
        let (name, text) = pair.ok_or("each of `files` is a name and a text")?;
        pairs.push((name.to_owned(), text.to_owned()));
    }
    if pairs.is_empty() {
        return Err("`files` is empty".to_owned());
    }
    let headers = pairs.split_off(1).into_iter();
    let headers = headers.map(|(name, text)| Header { relative: name.clone(), name, text });
    let (name, text) = pairs.swap_remove(0);
    Ok(Unit { name, text, headers: headers.collect(), ..Unit::default() })
}

/// The budgets and the checks.
///
/// # Errors
/// If a budget is not a number, or too large.
pub(crate) fn settings(request: &Value) -> Result<Settings, String> {
    let checks = match request["checks"].as_str() {
        None | Some("all") => Checks::All,
        Some("counters") => Checks::Counters,
        Some("bare") => Checks::Bare,
        Some(other) => return Err(format!("`checks` is all, counters or bare, not {other}")),
    };
    let memory = number(&request["memory"], "memory", MEMORY)?;
    if memory > MOST {
        return Err(format!("`memory` is {memory}; {MOST} is the most"));
    }
    let steps = number(&request["steps"], "steps", STEPS)?;
    let limits = Limits { steps, reference: REFERENCE, memory };
    Ok(Settings { checks, model: Model::Volta, threads: 1, limits })
}

/// The size, and the file with the values of its other variables; by default those of the page.
///
/// # Errors
/// If a name is unknown or a value is not a number.
pub fn at_point(request: &Value, file: &KernelFile) -> Result<(KernelFile, u64), String> {
    let wanted = &request["point"];
    let mut n = file.directives.page.unwrap_or_default();
    let first = file.points().into_iter().next().unwrap_or_default();
    let mut values = first.values().to_vec();
    for (name, value) in wanted.as_object().into_iter().flatten() {
        let label = format!("point.{name}");
        if name == "n" {
            n = number(value, &label, n)?;
            continue;
        }
        let Some(slot) = values.iter_mut().find(|(known, _)| known == name) else {
            return Err(format!("`{label}`: the file does not vary `{name}`"));
        };
        slot.1 = value.as_i64().ok_or_else(|| format!("`{label}` is {value}, not a number"))?;
    }
    Ok((file.at(&Point::new(values)), n))
}

/// Applies the launch shapes of the request to the plan.
///
/// # Errors
/// If there are more shapes than launches, or an extent is not a number.
pub fn reshape(request: &Value, plan: &mut Plan) -> Result<(), String> {
    let shapes = request["shapes"].as_array().map_or(&[][..], Vec::as_slice);
    if shapes.len() > plan.launches.len() {
        return Err(format!("{} shapes for {} launches", shapes.len(), plan.launches.len()));
    }
    for (launch, shape) in plan.launches.iter_mut().zip(shapes) {
        for (name, extent) in [("grid", &mut launch.grid), ("block", &mut launch.block)] {
            let Some(axes) = shape[name].as_array() else { continue };
            *extent = [1; 3];
            for (slot, axis) in extent.iter_mut().zip(axes) {
                *slot = number(axis, &format!("shapes: {name}"), 1)?;
            }
        }
    }
    Ok(())
}

/// An integer that fits the type, or the default. The type must not be `usize`: what fits would depend
/// on the platform.
///
/// # Errors
/// If it is not such a number.
pub(crate) fn number<T: TryFrom<u64>>(
    value: &Value,
    name: &str,
    otherwise: T,
) -> Result<T, String> {
    if value.is_null() {
        return Ok(otherwise);
    }
    let fits = value.as_u64().and_then(|n| T::try_from(n).ok());
    fits.ok_or_else(|| format!("`{name}` is {value}, not a number that fits"))
}
