//! Checks by mutation that a file's expected values can fail.
//!
//! A reference that repeats the kernel's mistake, or is compared with nothing, always passes. So one
//! operator of the kernel is replaced (`+=` by `-=`, say), the mutant runs on the simulator, and the
//! file's own reference must reject it. Mutants that do not compile, that fault or that change
//! nothing prove nothing; then the next one is tried.

use crate::backend::Backend;
use crate::project::Project;
use kernel_file::KernelFile;
use kernel_file::token::{Kind, Token, tokens};
use kernel_file::verdict::{BackendName, Problem, Status, Verdict};

/// The most mutants that are tried.
const TRIES: usize = 64;

/// The largest test size that is used: enough for several blocks, and still quick.
const SIZE: u64 = 8192;

/// A mutant of a kernel file, with the same line numbers.
pub(crate) struct Mutant {
    pub(crate) text: String,
    pub(crate) line: u32,
    pub(crate) what: String,
}

/// Replacements of tokens, the most effective first: accumulations, then arithmetic, then
/// comparisons.
const SWAPS: [&[(&str, &str)]; 3] = [
    &[
        ("+=", "-="),
        ("-=", "+="),
        ("*=", "+="),
        ("^=", "|="),
        ("atomicAdd", "atomicSub"),
        ("atomicMax", "atomicMin"),
        ("atomicMin", "atomicMax"),
        ("fmaf", "fmaxf"),
    ],
    &[("+", "-"), ("-", "+"), ("*", "+"), ("/", "*"), ("min", "max"), ("max", "min")],
    &[("<", "<="), ("<=", "<"), (">", ">="), ("==", "!=")],
];

/// Runs mutants until the reference rejects one. The verdict fails if it rejects none.
pub(crate) fn judge(sim: &dyn Backend, file: &KernelFile, project: &Project) -> Verdict {
    let name = BackendName::Sim;
    let n = size(file);
    let original = sim.run(file, project, &[n]);
    if original.status != Status::Passed {
        return Verdict::skipped(name, &original.identity, "the kernel itself does not pass");
    }
    if file.directives.outputs().next().is_none() {
        let message = "nothing is compared: no array is an `//@ output`, so any result passes";
        let problem = file.problem((0, 0), "expectation-cannot-fail", message);
        return Verdict::failed(name, &original.identity, vec![problem]);
    }
    let outputs = |verdict: &Verdict| verdict.runs.first().map(|r| r.outputs.clone());
    let mutants = mutants(&file.text);
    let mut survivor: Option<&Mutant> = None;
    for mutant in mutants.iter().take(TRIES) {
        let mutated = KernelFile { text: mutant.text.clone(), ..file.clone() };
        let verdict = sim.run(&mutated, project, &[n]);
        if verdict.all_problems().any(|p| p.code == "wrong-result") {
            return Verdict::new(name, &original.identity);
        }
        let changed = outputs(&verdict) != outputs(&original);
        if verdict.status == Status::Passed && changed {
            survivor.get_or_insert(mutant);
        }
    }
    Verdict::failed(name, &original.identity, vec![cannot_fail(file, survivor, n)])
}

fn cannot_fail(file: &KernelFile, survivor: Option<&Mutant>, n: u64) -> Problem {
    let (line, message) = match survivor {
        Some(mutant) => (
            mutant.line,
            format!(
                "with {} here the result changes, and the file's expectation still holds at n = {n}",
                mutant.what
            ),
        ),
        None => (
            0,
            format!(
                "no wrong operator changes the result at n = {n}: nothing shows that the file's expectation can fail"
            ),
        ),
    };
    file.problem((line, 0), "expectation-cannot-fail", message)
}

fn size(file: &KernelFile) -> u64 {
    let tests = &file.directives.test;
    let small = tests.iter().copied().filter(|n| *n <= SIZE).max();
    small.or(tests.iter().copied().min()).or(file.directives.page).unwrap_or(1)
}

/// The mutants of a text: of its kernels first, then of the functions that only a device runs,
/// each from the last operator to the first.
pub(crate) fn mutants(text: &str) -> Vec<Mutant> {
    mutants_of(text, false)
}

/// The same, and with `all` also those of the host's functions.
pub(crate) fn mutants_of(text: &str, all_functions: bool) -> Vec<Mutant> {
    let all = tokens(text);
    let seen: Vec<Token<'_>> =
        all.into_iter().filter(|t| !matches!(t.kind, Kind::Blank | Kind::Comment)).collect();
    let own = bodies(&seen, all_functions);
    // A kernel of an included file: with a wrong reference, its results must be rejected as well.
    let bodies = if own.is_empty() { bodies(&seen, true) } else { own };
    let mut out = Vec::new();
    for swaps in SWAPS {
        for body in &bodies {
            for token in seen[body.clone()].iter().rev() {
                if let Some((from, to)) = swaps.iter().find(|(from, _)| *from == token.text) {
                    out.push(replaced(text, token, to, format!("`{to}` for `{from}`")));
                }
            }
        }
    }
    // A kernel that only moves data: what it stores is changed.
    for body in &bodies {
        for pair in seen[body.clone()].windows(2).rev() {
            if pair[0].text == "]" && pair[1].text == "=" {
                out.push(replaced(text, &pair[1], "= 1 +", "1 added".to_owned()));
            }
        }
    }
    out
}

fn replaced(text: &str, token: &Token<'_>, by: &str, what: String) -> Mutant {
    let (before, after) = text.split_at(token.start);
    Mutant {
        text: format!("{before}{by}{}", &after[token.text.len()..]),
        line: before.matches('\n').count() as u32 + 1,
        what,
    }
}

/// The bodies of the kernels, then of the `__device__` functions, as ranges of tokens. Functions
/// that the host may call are not mutated: the reference uses them.
/// With `all` also those of the host's functions.
pub(crate) fn bodies(seen: &[Token<'_>], all: bool) -> Vec<std::ops::Range<usize>> {
    let (mut kernels, mut functions) = (Vec::new(), Vec::new());
    let mut declaration = 0;
    let mut at = 0;
    while at < seen.len() {
        match seen[at].text {
            "{" => {
                let has = |word: &str| seen[declaration..at].iter().any(|t| t.text == word);
                let end = end_of(seen, at);
                let expected = seen[declaration..at].iter().any(|t| t.text.starts_with("expected"));
                if has("__global__") {
                    kernels.push(at..end);
                } else if all && has("(")
                    || has("__device__") && !has("__host__") && !has("=") && !expected
                {
                    functions.push(at..end);
                }
                at = if has("(") { end } else { at };
                declaration = at + 1;
            }
            ";" | "}" => declaration = at + 1,
            _ => {}
        }
        at += 1;
    }
    kernels.extend(functions);
    kernels
}

/// The `}` that belongs to the `{` at `open`, or the end of the text.
fn end_of(seen: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in seen.iter().enumerate().skip(open) {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    seen.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_device_alone_runs_is_mutated() {
        let text = "\
__device__ int help(int a) { return a + 1; }
__host__ __device__ int both(int a) { return a + 2; }
extern \"C\" __global__ void __launch_bounds__(512, 2) f(int* a) {
    a[0] += help(a[1] + 3);
}
__device__ int expected(int i) { return i + 4; }
";
        let all = mutants(text);
        let changed: Vec<(u32, &str)> = all.iter().map(|m| (m.line, m.what.as_str())).collect();
        assert_eq!(changed, [(4, "`-=` for `+=`"), (4, "`-` for `+`"), (1, "`-` for `+`")]);
        assert!(all[0].text.contains("a[0] -= help(a[1] + 3);"));
    }

    #[test]
    fn the_reference_of_an_included_kernel_is_changed() {
        let text = "#include \"f.cuh\"\n__host__ __device__ int expected(int i) { return i + 4; }";
        let changed: Vec<u32> = mutants(text).iter().map(|m| m.line).collect();
        assert_eq!(changed, [2]);
    }

    #[test]
    fn a_copy_stores_something_else() {
        let all = mutants("__global__ void f(int* a, const int* b) { a[threadIdx.x] = b[0]; }");
        assert!(all[0].text.contains("a[threadIdx.x] = 1 + b[0];"), "{}", all[0].text);
    }
}
