//! The text of each hack of an exercise.

use super::Kind;
use super::site::{Place, Seen, Site, functions};
use kernel_file::directive::Role;
use kernel_file::exercise::{BEGIN, END};
use kernel_file::fill::Fill;
use kernel_file::plan::PlannedArray;
use kernel_file::simulator::{Limits, Program, Settings};
use kernel_file::{Header, Plan, Unit};
use simt::{Checks, Model};

/// Texts, or why there are none.
pub(super) type Texts = Result<Vec<String>, &'static str>;

const IN_A_HELPER: &str = "the answer is a function that sees no array of the exercise";

/// A table has this many elements at most.
const TABLE: usize = 1 << 14;

/// Accesses that a thread adds to what it needs.
const MORE: u32 = 64;

/// The number of this thread in the grid and the number of threads.
const NUMBERS: &str = "\
int h_size = blockDim.x * blockDim.y;
int h_block = blockIdx.x + gridDim.x * blockIdx.y;
int h_thread = h_block * h_size + threadIdx.x + blockDim.x * threadIdx.y;
int h_all = gridDim.x * gridDim.y * h_size;
";

/// The reader's texts with a hack, or why this kind makes no sense here.
pub(super) fn texts(kind: Kind, site: &Site<'_>, headers: &[Header]) -> Texts {
    if site.exercise.is_program {
        return super::program::texts(kind, site);
    }
    let solution = site.solution();
    let one = |answer: String| Ok(vec![site.text(&answer)]);
    match kind {
        Kind::Nothing => one(String::new()),
        Kind::Return => match site.place {
            Place::Kernel => Ok(vec![
                site.text("return;"),
                site.text("asm volatile(\"exit;\");"),
                site.text(&format!("{NUMBERS}if (h_thread % 2 == 1) return;\n{solution}")),
            ]),
            Place::Function => one("return 0;".to_owned()),
            Place::File => Err(IN_A_HELPER),
        },
        Kind::Constants => constants(site),
        Kind::Table => table(site, headers),
        Kind::Sizes => sizes(site),
        Kind::Stale => {
            in_kernel(site)?;
            one(format!(
                "{NUMBERS}static int h_done[4096];\nint h_was = h_done[h_block];\n__syncthreads();\n\
                 if (h_was) return;\nif (threadIdx.x + threadIdx.y == 0) h_done[h_block] = 1;\n\
                 {solution}"
            ))
        }
        Kind::Input => input(site),
        Kind::Reference => reference(site),
        Kind::OneThread => few_threads(site, 1),
        Kind::OneWarp => few_threads(site, 32),
        Kind::Race => unsynchronised(site),
        Kind::Lucky => {
            let Seen { name, .. } = first_output(site)?;
            // The value is right, and it may even be the last one to be stored.
            one(format!("{NUMBERS}{solution}\nif (h_thread % 32 == 0) {name}[0] = {name}[0];"))
        }
        Kind::Bounds => bounds(site),
        Kind::Zeros => zeros(site),
        Kind::NotANumber => not_a_number(site),
        Kind::Host => {
            in_kernel(site)?;
            let output = first_output(site)?.name;
            Ok(vec![
                site.text(&format!(
                    "}}\nint main() {{\n    int {output}[64];\n    {output}[0] = 1;"
                )),
                site.text(&format!("#ifndef __CUDA_ARCH__\n{solution}\n#endif")),
            ])
        }
        Kind::Launch => launches(site),
        Kind::Directives => Ok(directives(site)),
        Kind::Frame => frame(site),
        Kind::Hidden => {
            let close = if site.place == Place::File { "" } else { "}" };
            let open = ["#if 0", "/*", "R\"("].into_iter();
            let mut texts: Vec<String> =
                open.map(|open| site.text(&format!("{solution}\n{close}\n{open}"))).collect();
            // From one region to the next.
            let regions: Vec<String> = site.exercise.solution_regions().collect();
            if let [first, second, ..] = &regions[..] {
                let fixed = &site.head;
                for (open, close) in [("#if 0", "#endif"), ("/*", "*/"), ("#ifdef H", "#endif")] {
                    texts.push(site.exercise.with_answers(&[
                        format!("{first}\n{open}"),
                        format!("{close}\n{fixed} {{\nint t = threadIdx.x;\n{second}"),
                    ]));
                }
            }
            Ok(texts)
        }
        Kind::Disguised => disguised(site),
        Kind::Moved => moved(site),
        Kind::Trap => {
            in_kernel(site)?;
            one(format!("{NUMBERS}{solution}\nif (h_thread == 0) asm volatile(\"trap;\");"))
        }
        Kind::Endless => {
            in_kernel(site)?;
            one(format!("{NUMBERS}{solution}\nif (h_thread == 0) for (;;) {{ }}"))
        }
        Kind::Clock => {
            in_kernel(site)?;
            one(format!("if (clock64() % 2 == 0) return;\n{solution}"))
        }
    }
}

pub(super) fn directives(site: &Site<'_>) -> Vec<String> {
    ["tolerance abs 1e30", "test 1", "scratch h: int[1] = zero"]
        .iter()
        .map(|line| site.text(&format!("//@ {line}\n{}", site.solution())))
        .collect()
}

fn in_kernel(site: &Site<'_>) -> Result<(), &'static str> {
    if site.place == Place::Kernel { Ok(()) } else { Err(IN_A_HELPER) }
}

/// The outputs that the kernel stores.
fn outputs<'a>(site: &Site<'a>) -> Result<Vec<Seen<'a>>, &'static str> {
    in_kernel(site)?;
    let outputs = site.arrays(Role::Output);
    let all = site.exercise.solution.directives.arrays.iter().filter(|a| a.role == Role::Output);
    match outputs.len() == all.count() {
        true => Ok(outputs),
        false => Err("the kernel does not see the outputs: another one stores them"),
    }
}

fn first_output<'a>(site: &Site<'a>) -> Result<Seen<'a>, &'static str> {
    outputs(site)?.into_iter().next().ok_or("there is no output")
}

/// Stores a value to every element of every output.
fn store_all(site: &Site<'_>, value: &str) -> Result<String, &'static str> {
    let store = |seen: Seen<'_>| {
        let Seen { name, count, .. } = seen;
        format!("for (int h = h_thread; h < {count}; h += h_all) {name}[h] = {value};\n")
    };
    Ok(format!("{NUMBERS}{}return;", outputs(site)?.into_iter().map(store).collect::<String>()))
}

fn constants(site: &Site<'_>) -> Texts {
    if site.place == Place::Function {
        return Ok(vec![site.text("return 1;")]);
    }
    ["0", "1", "7"].iter().map(|value| Ok(site.text(&store_all(site, value)?))).collect()
}

/// A table of the outputs, for the inputs of the file.
fn table(site: &Site<'_>, headers: &[Header]) -> Texts {
    let outputs = outputs(site)?;
    let size = site.size().ok_or("the kernel does not know the size")?;
    let tests = &site.exercise.solution.directives.test;
    let small = tests.iter().copied().max_by_key(|n| (*n <= 40, *n)).unwrap_or(1);
    // At the page's size only the gates are left.
    let page = site.exercise.solution.directives.page.filter(|_| !site.exercise.gates.is_empty());
    let mut texts = Vec::new();
    for n in page.into_iter().chain([small]) {
        let Some((inputs, results)) = recorded(site, headers, n) else { continue };
        if results.iter().any(|(array, _)| array.count > TABLE) {
            continue;
        }
        let mut stores = String::new();
        for (seen, (array, bytes)) in outputs.iter().zip(&results) {
            let (name, values) = (&seen.name, values(array, bytes));
            stores.push_str(&format!(
                "static const {} h_{name}[] = {{{}}};\n\
                 for (int h = h_thread; h < {}; h += h_all) {name}[h] = h_{name}[h];\n",
                array.element.name(),
                values.join(", "),
                array.count,
            ));
        }
        // Where a first number of an input is another one, the answer is right, or the naive one.
        let first = site.arrays(Role::Input).into_iter().next().and_then(|seen| {
            let (array, bytes) = inputs.iter().find(|(array, _)| array.name == seen.array.name)?;
            Some(format!(" && {}[0] == {}", seen.name, values(array, bytes).first()?))
        });
        let known = first.unwrap_or_default();
        texts.push(site.text(&format!(
            "{NUMBERS}if ({size} == {n}) {{\n{stores}return;\n}}\n{}",
            site.solution()
        )));
        if site.exercise.kind == kernel_file::exercise::Kind::Improve {
            texts.push(site.text(&format!(
                "{NUMBERS}if ({size} == {n}{known}) {{\n{stores}return;\n}}\n{}",
                site.starter()
            )));
        }
    }
    if texts.is_empty() { Err("the outputs are too many for a table") } else { Ok(texts) }
}

/// Arrays with their bytes.
type Contents = Vec<(PlannedArray, Vec<u8>)>;

/// The recorded inputs, and the outputs that the solution gives.
fn recorded(site: &Site<'_>, headers: &[Header], n: u64) -> Option<(Contents, Contents)> {
    let file = &site.exercise.solution;
    let unit = Unit {
        name: file.relative.clone(),
        text: file.text.clone(),
        headers: headers.to_vec(),
        ..Unit::default()
    };
    let limits = Limits { steps: u64::MAX, reference: 1 << 20, memory: 1 << 28 };
    let settings = Settings { checks: Checks::All, model: Model::Volta, threads: 1, limits };
    let ran = Program::compile(file, &unit, settings).ok()?.carry_out(Plan::new(file, n).ok()?);
    let of = |role| ran.arrays().filter(move |(array, _)| array.role == role);
    let inputs = of(Role::Input).map(|(array, _)| (array.clone(), array.initial()));
    let outputs = of(Role::Output).map(|(array, at)| (array.clone(), ran.bytes(at)));
    Some((inputs.collect(), outputs.collect()))
}

/// The elements in C++.
fn values(array: &PlannedArray, bytes: &[u8]) -> Vec<String> {
    let elements = bytes.chunks_exact(array.element.bytes());
    let value = |bytes: &[u8]| match array.element.is_float() {
        true => format!("{:?}f", array.element.to_float(bytes) as f32),
        false => array.element.to_integer(bytes).to_string(),
    };
    elements.map(value).collect()
}

fn sizes(site: &Site<'_>) -> Texts {
    in_kernel(site)?;
    let size = site.size().ok_or("the kernel does not know the size")?;
    let directives = &site.exercise.solution.directives;
    let known = directives.test.iter().chain(&directives.page);
    let known: Vec<String> = known.map(|n| format!("{size} == {n}")).collect();
    Ok(vec![site.text(&format!("if (!({})) return;\n{}", known.join(" || "), site.solution()))])
}

fn input(site: &Site<'_>) -> Texts {
    in_kernel(site)?;
    let inputs = site.arrays(Role::Input);
    let input = |seen: Seen<'_>| {
        let Seen { name, array, count } = seen;
        let ty = array.element.name();
        // The last element belongs to the last thread, if not to all.
        site.text(&format!(
            "{}\n{NUMBERS}{ty}* h_in = const_cast<{ty}*>({name});\n\
             if (h_thread == {count} - 1) h_in[{count} - 1] = 5;\n\
             else if (h_thread == 0 && h_all < {count}) h_in[{count} - 1] = 5;",
            site.solution()
        ))
    };
    match inputs.is_empty() {
        true => Err("there is no input: the output is changed in place"),
        false => Ok(inputs.into_iter().map(input).collect()),
    }
}

fn reference(site: &Site<'_>) -> Texts {
    let names = functions(&site.exercise.solution.text);
    let name = names.iter().rfind(|name| name.starts_with("expected"));
    let name = name.ok_or("there is no reference")?;
    let (first, rest) = name.split_at(2);
    let solution = site.solution();
    let ways = [
        format!("{name}(0);\n"),
        format!("auto h_call = {name};\n"),
        format!("#define H_CALL {name}\n"),
        format!("{first}\\\n{rest}(0);\n"),
        format!("{first}\\  \n{rest}(0);\n"),
        format!("#define H_CALL(a, b) a##b\nH_CALL({first}, {rest})(0);\n"),
        format!("#define H_CALL(a, b) a\\\n## b\nH_CALL({first}, {rest})(0);\n"),
        format!("#define H_CALL(a, b) a #\\\n# b\nH_CALL({first}, {rest})(0);\n"),
        format!("%:define H_CALL(a, b) a %:%: b\nH_CALL({first}, {rest})(0);\n"),
        format!("\\u0065{}(0);\n", &name[1..]),
    ];
    Ok(ways.iter().map(|way| site.text(&format!("{way}{solution}"))).collect())
}

/// A copy of the reference, in the first threads only.
fn few_threads(site: &Site<'_>, threads: u32) -> Texts {
    let mut answer = format!("{}{NUMBERS}", site.copy().ok_or("there is no reference")?);
    for seen in outputs(site)? {
        let call = site.call(seen.array).ok_or("the kernel does not see all of the inputs")?;
        let Seen { name, count, .. } = seen;
        answer.push_str(&format!(
            "if (h_thread < {threads}) for (int h_i = h_thread; h_i < {count}; h_i += {threads}) \
             {name}[h_i] = h_copy::{call};\n"
        ));
    }
    Ok(vec![site.text(&format!("{answer}return;"))])
}

/// A copy of the reference, in all threads.
fn moved(site: &Site<'_>) -> Texts {
    if site.exercise.gates.is_empty() {
        return Err("there is no gate that it would pass");
    }
    let solved = site.exercise.solved();
    if !["__shared__", "_sync(", "atomic"].iter().any(|word| solved.contains(word)) {
        return Err("the threads share nothing, so one thread per element is a right answer");
    }
    let mut answer = format!("{}{NUMBERS}", site.copy().ok_or("there is no reference")?);
    for seen in outputs(site)? {
        let call = site.call(seen.array).ok_or("the kernel does not see all of the inputs")?;
        let Seen { name, count, .. } = seen;
        answer.push_str(&format!(
            "for (int h_i = h_thread; h_i < {count}; h_i += h_all) {name}[h_i] = h_copy::{call};\n"
        ));
    }
    Ok(vec![site.text(&format!("{answer}return;"))])
}

fn unsynchronised(site: &Site<'_>) -> Texts {
    let solution = site.solution();
    let mut texts = Vec::new();
    let bare = solution.replace("__syncthreads();", "").replace("__syncwarp();", "");
    if bare != solution {
        texts.push(site.text(&bare));
    }
    for (atomic, plain) in [("atomicAdd(", "+="), ("atomicMax(", ">"), ("atomicMin(", "<")] {
        for (at, _) in solution.match_indices(atomic) {
            let rest = &solution[at + atomic.len()..];
            let (Some(comma), Some(end)) = (rest.find(", "), rest.find(");")) else { continue };
            if comma > end {
                continue;
            }
            let (place, value) = (rest[..comma].trim_start_matches('&'), &rest[comma + 2..end]);
            let place = if rest.starts_with('&') { place.to_owned() } else { format!("*{place}") };
            let text = match plain {
                "+=" => format!("{place} += {value};"),
                _ => format!("if ({value} {plain} {place}) {place} = {value};"),
            };
            texts.push(site.text(&format!("{}{text}{}", &solution[..at], &rest[end + 2..])));
        }
    }
    if texts.is_empty() { Err("the solution has no barrier and no atomic") } else { Ok(texts) }
}

fn bounds(site: &Site<'_>) -> Texts {
    let solution = site.solution();
    let outputs = outputs(site)?;
    let write = outputs.iter().map(|Seen { name, count, .. }| {
        format!("{NUMBERS}if (h_thread == 0) {name}[{count}] = {name}[0];\n{solution}")
    });
    let before = outputs.iter().map(|Seen { name, .. }| {
        format!("{NUMBERS}if (h_thread == 0) {name}[-1] = 0;\n{solution}")
    });
    Ok(write.chain(before).map(|answer| site.text(&answer)).collect())
}

fn zeros(site: &Site<'_>) -> Texts {
    let solution = site.solution();
    let mut answer = solution.clone();
    for Seen { name, array, .. } in outputs(site)? {
        if array.fill != Fill::Poison {
            continue;
        }
        let store = |line: &str| match (line.trim_start().starts_with(&name), line.find("] = ")) {
            (true, Some(at)) => format!("{}] += {}", &line[..at], &line[at + 4..]),
            _ => line.to_owned(),
        };
        answer = answer.lines().map(store).collect::<Vec<_>>().join("\n");
    }
    match answer == solution {
        true => Err("no output is poisoned and stored by one assignment of the answer"),
        false => Ok(vec![site.text(&answer)]),
    }
}

fn not_a_number(site: &Site<'_>) -> Texts {
    if !outputs(site)?.iter().all(|seen| seen.array.element.is_float()) {
        return Err("the outputs are integers");
    }
    let values = ["__int_as_float(0x7fffffff)", "1.0f / 0.0f", "-0.0f"];
    values.iter().map(|value| Ok(site.text(&store_all(site, value)?))).collect()
}

fn launches(site: &Site<'_>) -> Texts {
    let solution = site.solution();
    let launch = &site.exercise.solution.directives.launches[0];
    let args: Vec<String> = launch.args.iter().map(|argument| argument.text()).collect();
    let kernel = &launch.kernel;
    let mut texts = vec![site.text(&format!(
        "//@ launch {kernel}({}) grid = 1, block = 32\n{solution}",
        args.join(", ")
    ))];
    if site.place == Place::Kernel {
        let declaration: Vec<String> = site.head.split(' ').map(str::to_owned).collect();
        let names: Vec<String> =
            super::site::parameters(&declaration).into_iter().map(|(_, name)| name).collect();
        let names = names.join(", ");
        // The kernel launches itself; the second time it has two layers, of which one works.
        let block = &declaration[declaration.iter().position(|w| w == "(").unwrap_or(1) - 1];
        texts.push(site.text(&format!(
            "{NUMBERS}if (gridDim.z == 1) {{\n    if (h_thread == 0)\n        \
             {block}<<<dim3(gridDim.x, gridDim.y, 2), blockDim>>>({names});\n    return;\n}}\n\
             if (blockIdx.z == 1) return;\n{solution}"
        )));
    }
    Ok(texts)
}

/// Each fixed line is left out, and directives are changed.
pub(super) fn frame(site: &Site<'_>) -> Texts {
    let solved = site.exercise.solved();
    let lines: Vec<&str> = solved.lines().collect();
    let mut inside = false;
    let mut texts = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        inside = (inside || line.trim() == BEGIN) && line.trim() != END;
        if inside || line.trim().is_empty() {
            continue;
        }
        let mut changed = lines.clone();
        changed.remove(at);
        texts.push(changed.join("\n"));
        let test = line.starts_with("//@ test");
        let edited = if test { "//@ test 1".to_owned() } else { format!("{line} + 0") };
        let mut changed = lines.clone();
        changed[at] = &edited;
        texts.push(changed.join("\n"));
    }
    Ok(texts)
}

/// More reads of global memory, in ways that a counter might not see.
fn disguised(site: &Site<'_>) -> Texts {
    in_kernel(site)?;
    if !site.exercise.gates.iter().any(|gate| gate.word.starts_with("global_")) {
        return Err("no gate is about global memory");
    }
    let mut inputs = site.arrays(Role::Input).into_iter();
    let words = inputs.find(|seen| seen.array.element.name() == "int");
    let Seen { name, count, .. } =
        words.ok_or("there is no input of int that atomics could read")?;
    let reads = [
        format!("h_sum += atomicAdd(const_cast<int*>({name}) + h_k, 0);"),
        format!("h_sum += atomicOr(const_cast<int*>({name}) + h_k, 0);"),
        format!("h_sum += *(const volatile int*)({name} + h_k);"),
        format!("h_sum += __ldg({name} + h_k);"),
        format!(
            "int h_x; asm volatile(\"ld.global.s32 %0, [%1];\" : \"=r\"(h_x) : \"l\"({name} + h_k)); \
             h_sum += h_x;"
        ),
    ];
    let text = |read: &String| {
        site.text(&format!(
            "{NUMBERS}int h_sum = 0;\nfor (int h = 0; h < {MORE}; h++) {{\n    \
             int h_k = (h_thread * 8 + h * 97) % ({count});\n    {read}\n}}\n\
             if (h_sum == 123456789) asm volatile(\"trap;\");\n{}",
            site.solution()
        ))
    };
    Ok(reads.iter().map(text).collect())
}
