//! What a page may ask for.
//!
//! ```json
//! {
//!   "files": [["saxpy.cu", "__global__ ..."], ["tile.cuh", "..."]],
//!   "launch": {
//!     "kernel": "saxpy", "grid": [4, 1, 1], "block": [256, 1, 1], "shared": 0,
//!     "arguments": [{ "array": 4096, "upload": 4096 }, { "value": [0, 0, 192, 63] }]
//!   },
//!   "checks": "all", "model": "volta", "seed": 0,
//!   "steps": 5000000, "memory": 268435456,
//!   "follow": { "block": 0, "warp": 0, "steps": 1000 }
//! }
//! ```
//!
//! The first file is the unit, the others are what it may include. Without `launch` it is only
//! compiled; without `kernel` the only kernel is meant. An `array` has that many bytes, of which the
//! next `upload` bytes of the message are its beginning and the rest is uninitialised; a `value` is
//! given by its bytes. `checks` is `all`, `counters` or `bare`; `model` is `volta`, `pascal` or
//! `adversarial`, which draws from `seed`. `steps` are warp-instructions, `memory` bytes: of the
//! arrays together, and of what the launch needs besides. With `follow` a warp is recorded instead
//! of being judged. What is left out has the value above, but for `files`, `launch` and `follow`.

use crate::{Message, answer};
use serde_json::Value;
use simt::{Arg, Buffer, Checks, Config, Dim3, Follow, Launch, Limits, Memory, Model, Sources};

/// Warp-instructions, where the request says nothing: about a second of a page's time at worst.
const STEPS: u64 = 5_000_000;

/// Bytes, where the request says nothing.
const MEMORY: u64 = 1 << 28;

/// Bytes that a request may ask for at most: WebAssembly's memory ends at four times as many.
const MOST: u64 = 1 << 30;

/// Does what a request asks for.
///
/// # Errors
/// In one sentence, where the request makes no sense. What is wrong with the CUDA in it is part of
/// an answer, and so is a launch that is refused.
pub fn run(request: &Message) -> Result<Message, String> {
    let sources = sources(&request.text["files"])?;
    let module = match simt::compile(sources) {
        Ok(module) => module,
        Err(failure) => return Ok(answer::refused(&failure)),
    };
    let wanted = &request.text["launch"];
    if wanted.is_null() {
        return Ok(answer::compiled(&module));
    }
    let kernel = match wanted["kernel"].as_str() {
        Some(name) => module.kernel(name).ok_or_else(|| format!("no kernel is called `{name}`"))?,
        None => match module.kernels.as_slice() {
            [only] => only,
            all => return Err(format!("`launch.kernel`: there are {} kernels", all.len())),
        },
    };
    let config = config(&request.text)?;
    let mut memory = Memory::new();
    let (args, arrays) =
        arguments(wanted, &kernel.params, &request.bytes, config.limits.memory, &mut memory)?;
    let launch = Launch {
        kernel,
        grid: extent(wanted, "grid")?,
        block: extent(wanted, "block")?,
        dynamic_shared: number(&wanted["shared"], "launch.shared", 0)?,
        args: &args,
    };
    Ok(match simt::launch(&module, &launch, &mut memory, &config) {
        Ok(report) => answer::ran(&module, &report, &memory, &arrays),
        Err(error) => answer::not_launched(&module, &error),
    })
}

fn sources(files: &Value) -> Result<Sources, String> {
    let files = files.as_array().filter(|f| !f.is_empty()).ok_or("`files` is a list of files")?;
    let pairs = files.iter().map(|file| {
        let (name, text) = (file[0].as_str()?, file[1].as_str()?);
        Some((name.to_owned(), text.to_owned()))
    });
    let pairs: Option<Vec<_>> = pairs.collect();
    Ok(Sources::with_headers(pairs.ok_or("each of `files` is a name and a text")?))
}

fn config(text: &Value) -> Result<Config, String> {
    let checks = match text["checks"].as_str() {
        None | Some("all") => Checks::All,
        Some("counters") => Checks::Counters,
        Some("bare") => Checks::Bare,
        Some(other) => return Err(format!("`checks` is all, counters or bare, not {other}")),
    };
    let model = match text["model"].as_str() {
        None | Some("volta") => Model::Volta,
        Some("pascal") => Model::Pascal,
        Some("adversarial") => Model::Adversarial(number(&text["seed"], "seed", 0)?),
        Some(other) => {
            return Err(format!("`model` is volta, pascal or adversarial, not {other}"));
        }
    };
    let follow = match &text["follow"] {
        Value::Null => None,
        wanted => Some(Follow {
            block: number(&wanted["block"], "follow.block", 0)?,
            warp: number(&wanted["warp"], "follow.warp", 0)?,
            steps: number(&wanted["steps"], "follow.steps", 1000)?,
        }),
    };
    let memory = number(&text["memory"], "memory", MEMORY)?;
    if memory > MOST {
        return Err(format!("`memory` is {memory}; {MOST} is the most"));
    }
    let limits = Limits { memory, ..Limits::default() };
    let budget = number(&text["steps"], "steps", STEPS)?;
    Ok(Config { checks, model, budget, threads: 1, limits, follow })
}

/// Which arguments are arrays.
type Arrays = Vec<(usize, Buffer)>;

/// The arguments, and which of them are arrays.
fn arguments(
    wanted: &Value,
    params: &[simt::isa::Param],
    mut bytes: &[u8],
    most: u64,
    memory: &mut Memory,
) -> Result<(Vec<Arg>, Arrays), String> {
    let given = wanted["arguments"].as_array().map_or(&[][..], Vec::as_slice);
    if given.len() != params.len() {
        return Err(format!("{} arguments for {} parameters", given.len(), params.len()));
    }
    let (mut args, mut arrays, mut total) = (Vec::new(), Vec::new(), 0u64);
    for (at, (one, param)) in given.iter().zip(params).enumerate() {
        let name = |what: &str| format!("launch.arguments[{at}].{what}");
        if let Some(values) = one["value"].as_array() {
            let value = values.iter().map(|b| b.as_u64().and_then(|b| u8::try_from(b).ok()));
            let value: Option<Vec<u8>> = value.collect();
            args.push(Arg::Value(value.ok_or_else(|| format!("`{}`: bytes", name("value")))?));
            continue;
        }
        let Some(element) = &param.pointee else {
            return Err(format!("`{}`: `{}` is not a pointer", name("array"), param.name));
        };
        let size: u64 = number(&one["array"], &name("array"), 0)?;
        total = total.saturating_add(size);
        if total > most {
            return Err(format!("{total} bytes of arrays; `memory` is {most}"));
        }
        let upload: u64 = number(&one["upload"], &name("upload"), 0)?;
        let Some((own, rest)) = bytes.split_at_checked(upload as usize) else {
            return Err(format!(
                "`{}`: the message has {} bytes left",
                name("upload"),
                bytes.len()
            ));
        };
        bytes = rest;
        let array = memory.alloc(&param.name, &element.name, element.size, size as usize);
        memory.upload(array, own);
        args.push(Arg::Buffer(array));
        arrays.push((at, array));
    }
    Ok((args, arrays))
}

fn extent(wanted: &Value, name: &str) -> Result<Dim3, String> {
    let at = |axis: usize| number(&wanted[name][axis], &format!("launch.{name}"), 1);
    Ok(Dim3 { x: at(0)?, y: at(1)?, z: at(2)? })
}

/// A whole number that fits, or what is taken where nothing is said.
fn number<T: TryFrom<u64>>(value: &Value, name: &str, otherwise: T) -> Result<T, String> {
    if value.is_null() {
        return Ok(otherwise);
    }
    let fits = value.as_u64().and_then(|n| T::try_from(n).ok());
    fits.ok_or_else(|| format!("`{name}` is {value}, not a number that fits"))
}
