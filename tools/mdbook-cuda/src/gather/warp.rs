//! Traces a warp or a block of a kernel, at the page's size or at a given one.

use super::{cannot_be_drawn, parsed};
use crate::facts::{BlockAccess, BlockTrace, Facts, WarpAddress, WarpRequest, WarpTrace};
use kernel_file::suggest::suggestion_or_list;
use verify::trace::{BlockSteps, Follow, Record, Work, follow};
use verify::{KernelFile, Project};

/// Instructions of a warp that are recorded at most.
const STEPS: usize = 20_000;

/// The options of a request that are no variable of the file.
const OPTIONS: [&str; 6] = ["launch", "block", "warp", "line", "array", "n"];

/// Instructions of a block that are recorded at most.
const BLOCK_STEPS: usize = 2_000_000;

/// The warp that a directive asks for.
pub(super) fn requested(
    project: &Project,
    facts: &Facts,
    request: &WarpRequest,
) -> Result<WarpTrace, String> {
    trace(project, &parsed(facts, &request.path)?.file, request)
}

/// The requested warp of a file.
pub(crate) fn trace(
    project: &Project,
    file: &KernelFile,
    request: &WarpRequest,
) -> Result<WarpTrace, String> {
    let path = &file.relative;
    let address = address(file, request)?;
    let index = |v: u64| u32::try_from(v).unwrap_or(u32::MAX);
    let warp = Follow { block: index(address.block), warp: index(address.warp), steps: STEPS };
    let launch = usize::try_from(address.launch - 1).unwrap_or(usize::MAX);
    let trace = follow(&file.at(&address.point), project, address.n, launch, warp)
        .map_err(|problems| cannot_be_drawn(path, &problems))?;
    Ok(WarpTrace { address, trace })
}

/// The block that a directive asks for.
pub(super) fn requested_block(
    project: &Project,
    facts: &Facts,
    request: &WarpRequest,
) -> Result<BlockTrace, String> {
    trace_block(project, &parsed(facts, &request.path)?.file, request)
}

/// The requested block of a file.
pub(crate) fn trace_block(
    project: &Project,
    file: &KernelFile,
    request: &WarpRequest,
) -> Result<BlockTrace, String> {
    let address = address(file, request)?;
    let block = u32::try_from(address.block).unwrap_or(u32::MAX);
    let launch = usize::try_from(address.launch - 1).unwrap_or(usize::MAX);
    let record = Record { block, steps: BLOCK_STEPS };
    let at_point = file.at(&address.point);
    let BlockSteps { steps, phases } =
        verify::trace::trace_block(&at_point, project, address.n, launch, record)
            .map_err(|problems| cannot_be_drawn(&file.relative, &problems))?;
    if steps.len() >= BLOCK_STEPS {
        let path = &file.relative;
        return Err(format!(
            "block {block} of `{path}` takes too many steps: choose a smaller `n=`"
        ));
    }
    let mut passed: Vec<u32> = Vec::new();
    let mut accesses = Vec::new();
    let all = steps.len();
    for (time, (warp, step)) in steps.into_iter().enumerate() {
        let number = warp as usize;
        if passed.len() <= number {
            passed.resize(number + 1, 0);
        }
        let interval = passed[number];
        passed[number] += u32::from(step.work == Work::Barrier);
        let one = |touched| BlockAccess { warp, time, interval, touched };
        accesses.extend(step.touched.into_iter().map(one));
    }
    Ok(BlockTrace { address, accesses, phases, steps: all })
}

/// Separates the file's variables from the options, and fills in the defaults.
fn address(file: &KernelFile, request: &WarpRequest) -> Result<WarpAddress, String> {
    let is_variable = |name: &str| file.directives.varies.iter().any(|v| v.name == name);
    let (variables, options): (Vec<_>, Vec<_>) =
        request.numbers.iter().cloned().partition(|(name, _)| is_variable(name));
    let point = match variables.as_slice() {
        [] => file.points().into_iter().next().unwrap_or_default(),
        some => {
            let values = some.iter().map(|(name, v)| (name.clone(), *v as f64));
            file.choose(&values.collect::<Vec<_>>())?
        }
    };
    let array = request.array.clone();
    let page = file.directives.page;
    let asked = options.iter().find(|(name, _)| name == "n").map(|(_, value)| *value);
    let n = asked.or(page).ok_or_else(|| format!("`{}` has no `//@ page`", file.relative))?;
    let mut address = WarpAddress { point, launch: 1, block: 0, warp: 0, line: None, array, n };
    for (name, value) in options {
        match name.as_str() {
            "launch" if value > 0 => address.launch = value,
            "launch" => return Err("`launch=0`: launches are counted from 1".to_string()),
            "block" => address.block = value,
            "warp" => address.warp = value,
            "line" => address.line = Some(value),
            "n" => {}
            _ => {
                let variables = file.directives.varies.iter().map(|v| v.name.as_str());
                let hint = suggestion_or_list(&name, OPTIONS.into_iter().chain(variables));
                return Err(format!("unknown option `{name}`{hint}"));
            }
        }
    }
    Ok(address)
}
