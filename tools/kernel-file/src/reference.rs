//! The reference of a kernel file: a function in the file itself that computes the expected output.
//!
//! A file defines `expected(...)`, a `__host__ __device__` function that returns one element of the
//! output by its index `i` (`expected_<array>` if there are several outputs). Its parameters are
//! matched by name: arrays as they were before the first launch, `n`, the lets, and `i`.
//! `expected_part(..., i, part, parts)` returns a part of an element that is too much work for one
//! thread; `//@ fold` says how the parts are combined.
//!
//! Back ends know nothing of this. This module finds the function in the file's tokens and appends a
//! kernel that evaluates it for a list of indices; every back end then launches that kernel with
//! [`Reference::arguments`]. So the simulator, a device and the browser share one reference.

use crate::braces::{Lonely, lonely};
use crate::directive::{Defect, Fold, Role};
use crate::file::KernelFile;
use crate::fill::{ElementType, hash};
use crate::plan::{Plan, PlannedArgument};
use crate::suggest::{suggestion, suggestion_or_list};
use crate::token::{Kind, Token, tokens};
use crate::verdict::Problem;

/// The most warp-instructions that checking all elements may cost the simulator, unless its caller
/// allows less. Beyond it, a sample is checked.
pub const OPERATIONS: u64 = 1 << 24;

/// The number of random elements in a sample.
const DRAWN: u64 = 4096;

/// The number of parts that all elements of a small output are split into.
const PARTS: u64 = 4096;

/// Threads per block of the generated kernel.
pub const BLOCK: u32 = 256;

/// The function that computes the elements of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The output's name.
    pub output: String,
    /// The generated kernel.
    pub kernel: String,
    /// The line of the function's name.
    pub line: u32,
    function: String,
    element: ElementType,
    fold: Option<Fold>,
    params: Vec<Param>,
    /// The type that the function returns, if one word names it.
    returns: Option<ElementType>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Param {
    ty: String,
    name: String,
}

/// An argument of the generated kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceArgument {
    /// Index into [`Plan::arrays`]; its initial content.
    Array(usize),
    /// A scalar's bytes.
    Scalar(Vec<u8>),
    /// The array of indices to evaluate: 64-bit unsigned.
    Indices,
    /// The array that receives `count * parts` values of the output's type.
    Values,
}

impl Reference {
    /// The references of a file, one for each output that has one.
    ///
    /// # Errors
    /// If a parameter is unknown, or if an output has no reference and the file does not teach a defect.
    pub fn of(file: &KernelFile) -> Result<Vec<Reference>, Vec<Problem>> {
        let all = tokens(&file.text);
        let seen: Vec<Token<'_>> =
            all.into_iter().filter(|t| !matches!(t.kind, Kind::Blank | Kind::Comment)).collect();
        let outputs: Vec<_> = file.directives.outputs().collect();
        let mut references = Vec::new();
        let mut problems = Vec::new();
        for output in &outputs {
            let mut names = vec![format!("expected_{}", output.name)];
            if outputs.len() == 1 {
                names.extend(["expected".to_owned(), "expected_part".to_owned()]);
            }
            let found = names.iter().find_map(|name| Some((name, definition(&seen, name)?)));
            let Some((name, at)) = found else {
                if let Some(problem) = hidden(file, &seen, &names) {
                    return Err(vec![problem]);
                }
                if !matches!(file.directives.catches, Some(Defect::Class(_))) {
                    // Of a single output it is the shorter name.
                    let wanted = names.get(1).unwrap_or(&names[0]);
                    let (output_name, element) = (&output.name, output.element);
                    let message = format!(
                        "no expected values for `{output_name}`; define `__host__ __device__ \
                         {element} {wanted}(..., i)`{}",
                        near(&seen, &names)
                    );
                    problems.push(file.problem((output.line, 0), "reference", message));
                }
                continue;
            };
            let place = place(&file.text, seen[at].start);
            match reference(file, &seen, at, name, output.element) {
                Ok(reference) => references.push(Reference {
                    output: output.name.clone(),
                    kernel: format!("verify_expected_{}", output.name),
                    line: place.0,
                    ..reference
                }),
                Err(message) => problems.push(file.problem(place, "reference", message)),
            }
        }
        if problems.is_empty() { Ok(references) } else { Err(problems) }
    }

    /// The kernel that evaluates the function.
    fn wrapper(&self) -> String {
        let given = self.params.iter().filter(|p| !GENERATED.contains(&p.name.as_str()));
        let params: String = given.map(|p| format!("{} {}, ", p.ty, p.name)).collect();
        let args = self.params.iter().map(|p| match p.name.as_str() {
            "i" => format!("({})verify_at[verify_k / verify_parts]", p.ty),
            "part" => format!("({})(verify_k % verify_parts)", p.ty),
            "parts" => format!("({})verify_parts", p.ty),
            name => name.to_owned(),
        });
        format!(
            "extern \"C\" __global__ void {kernel}({params}const unsigned long long* verify_at, \
             unsigned long long verify_count, unsigned long long verify_parts, \
             {element}* verify_values) {{ \
             unsigned long long verify_k = \
             (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; \
             if (verify_k < verify_count * verify_parts) \
             verify_values[verify_k] = {function}({args}); }}\n",
            kernel = self.kernel,
            element = self.element,
            function = self.function,
            args = args.collect::<Vec<_>>().join(", "),
        )
    }

    /// The number of parts that each element is split into.
    pub fn parts(&self, plan: &Plan) -> u64 {
        let count = self.array(plan).map_or(1, |a| plan.arrays[a].count as u64);
        if self.fold.is_some() { (PARTS / count.max(1)).max(1) } else { 1 }
    }

    /// Index of the output in [`Plan::arrays`].
    pub fn array(&self, plan: &Plan) -> Option<usize> {
        plan.arrays.iter().position(|a| a.name == self.output)
    }

    /// What a wrong number may come from: the function returns an integer for an output of floats.
    pub(crate) fn remark(&self) -> String {
        match self.returns {
            Some(returns) if self.element.is_float() && !returns.is_float() => format!(
                "; `{}` returns `{}`, without the digits behind the point",
                self.function,
                returns.name()
            ),
            _ => String::new(),
        }
    }

    /// The arguments of the generated kernel for `count` indices. Launch it with [`BLOCK`] threads
    /// per block and enough blocks for `count * parts` threads.
    ///
    /// # Errors
    /// If a scalar cannot be converted to the type of a parameter.
    pub fn arguments(&self, plan: &Plan, count: u64) -> Result<Vec<ReferenceArgument>, String> {
        let mut args = Vec::new();
        for param in &self.params {
            if GENERATED.contains(&param.name.as_str()) {
                continue;
            }
            if let Some(index) = plan.arrays.iter().position(|a| a.name == param.name) {
                args.push(ReferenceArgument::Array(index));
                continue;
            }
            let value = plan.scope.get(&param.name).copied().unwrap_or(0);
            match PlannedArgument::Integer(value).scalar_bytes(&param.ty) {
                Some(bytes) => args.push(ReferenceArgument::Scalar(bytes)),
                None => {
                    return Err(format!("`{}` cannot be passed as `{}`", param.name, param.ty));
                }
            }
        }
        args.push(ReferenceArgument::Indices);
        args.push(ReferenceArgument::Scalar(count.to_le_bytes().to_vec()));
        args.push(ReferenceArgument::Scalar(self.parts(plan).to_le_bytes().to_vec()));
        args.push(ReferenceArgument::Values);
        Ok(args)
    }

    /// Combines the parts of each element.
    pub fn fold(&self, plan: &Plan, values: Vec<u8>) -> Vec<u8> {
        let Some(fold) = self.fold else { return values };
        let size = self.element.bytes();
        let mut out = Vec::with_capacity(values.len());
        for parts in values.chunks(size * self.parts(plan) as usize) {
            out.extend(fold_parts(fold, self.element, parts));
        }
        out
    }
}

/// The file's text followed by the generated kernels, so that the file's line numbers stay.
pub fn with_wrappers(file: &KernelFile, references: &[Reference]) -> String {
    // Twice, since the last line may end in a backslash.
    let mut text = format!("{}\n\n", file.text);
    references.iter().for_each(|r| text.push_str(&r.wrapper()));
    text
}

/// The indices of a sample, sorted: the first, the last, both sides of every block's edge, and
/// [`DRAWN`] pseudo-random ones.
pub fn sample(plan: &Plan, count: u64) -> Vec<u64> {
    let block = plan.launches.first().map_or(1, |l| u64::from(l.block.iter().product::<u32>()));
    let mut indices = vec![0, count.saturating_sub(1)];
    // Where blocks are so small that their edges are nearly everything, the draws must do.
    if block >= 32 {
        for edge in (block..count).step_by(block as usize) {
            indices.extend([edge - 1, edge]);
        }
    }
    indices.extend((0..DRAWN).map(|k| hash(k, 4096) % count.max(1)));
    indices.retain(|i| *i < count);
    indices.sort_unstable();
    indices.dedup();
    indices
}

/// Parameters that the generated kernel computes itself.
const GENERATED: [&str; 3] = ["i", "part", "parts"];

/// Where `name` is defined: a name outside all braces, then brackets, then a body.
fn definition(seen: &[Token<'_>], name: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in seen.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            text if text == name && depth == 0 => {
                let open = seen.get(at + 1).is_some_and(|t| t.text == "(");
                let body = seen[at..].iter().find(|t| matches!(t.text, "{" | ";"));
                if open && body.is_some_and(|t| t.text == "{") {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// What a missing or a needless brace hides: one of these functions stands inside of another, or
/// behind an end too many.
fn hidden(file: &KernelFile, seen: &[Token<'_>], names: &[String]) -> Option<Problem> {
    let called = |pair: &&[Token<'_>]| names.iter().any(|n| *n == pair[0].text);
    let found = seen.windows(2).filter(|pair| pair[1].text == "(").find(called)?[0];
    let (at, message) = match lonely(&file.text, seen, found.start)? {
        Lonely::Open(at) => (at, "this `{` is not closed before"),
        Lonely::Close(at) => (at, "this `}` closes nothing, so that nothing is found behind it:"),
    };
    let (line, _) = place(&file.text, found.start);
    let help = match file.text[at..].starts_with('{') {
        true => "is a `}` missing?",
        false => "is it one too many?",
    };
    let message = format!("{message} `{}` in line {line}; {help}", found.text);
    Some(file.problem(place(&file.text, at), "syntax", message))
}

/// The function of the file whose name is nearly one of these, if there is one.
fn near(seen: &[Token<'_>], names: &[String]) -> String {
    let mut functions = seen.windows(2).filter(|pair| pair[1].text == "(").map(|pair| pair[0].text);
    let found = functions.find(|function| {
        let hint = suggestion(function, names.iter().map(String::as_str));
        !hint.is_empty() && definition(seen, function).is_some()
    });
    found.map_or_else(String::new, |function| format!(", or rename `{function}`"))
}

/// The parameters of the function whose name is at `at`.
fn parameters(seen: &[Token<'_>], at: usize) -> Vec<Param> {
    let mut params = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for token in &seen[at + 2..] {
        match token.text {
            "," | ")" => {
                if !words.is_empty() {
                    params.push(param(&words));
                }
                words.clear();
                if token.text == ")" {
                    break;
                }
            }
            text => words.push(text),
        }
    }
    params
}

/// Whether a text defines a function of this name that is no kernel: `__global__` is missing.
pub fn lacks_global(text: &str, name: &str) -> bool {
    let all = tokens(text);
    let seen: Vec<Token<'_>> =
        all.into_iter().filter(|t| !matches!(t.kind, Kind::Blank | Kind::Comment)).collect();
    definition(&seen, name).is_some_and(|at| {
        let head = seen[..at].iter().rev().take_while(|t| !matches!(t.text, ";" | "}"));
        head.clone().any(|t| t.text == "void") && !head.clone().any(|t| t.text == "__global__")
    })
}

/// Whether a text defines a template of this name outside of all namespaces.
pub fn is_template(text: &str, name: &str) -> bool {
    let all = tokens(text);
    let seen: Vec<Token<'_>> =
        all.into_iter().filter(|t| !matches!(t.kind, Kind::Blank | Kind::Comment)).collect();
    definition(&seen, name).is_some_and(|at| {
        let mut head = seen[..at].iter().rev().take_while(|t| !matches!(t.text, ";" | "}"));
        head.any(|t| t.text == "template")
    })
}

/// The types of a kernel's parameters as the text spells them; `None` if it is not found.
pub fn parameter_types(text: &str, kernel: &str) -> Option<Vec<String>> {
    let all = tokens(text);
    let seen: Vec<Token<'_>> =
        all.into_iter().filter(|t| !matches!(t.kind, Kind::Blank | Kind::Comment)).collect();
    let name = kernel.split('<').next().unwrap_or(kernel).trim();
    let at = definition(&seen, name)?;
    Some(parameters(&seen, at).into_iter().map(|p| p.ty).collect())
}

fn reference(
    file: &KernelFile,
    seen: &[Token<'_>],
    at: usize,
    name: &str,
    element: ElementType,
) -> Result<Reference, String> {
    let params = parameters(seen, at);
    let directives = &file.directives;
    let arrays = directives.arrays.iter().filter(|a| a.role != Role::Scratch);
    let known: Vec<&str> =
        arrays.map(|a| a.name.as_str()).chain(directives.scalar_names()).chain(GENERATED).collect();
    for param in &params {
        if !known.contains(&param.name.as_str()) {
            let hint = suggestion_or_list(&param.name, known.iter().copied());
            return Err(format!("`{name}` has the unknown parameter `{}`{hint}", param.name));
        }
    }
    let has = |wanted: &str| params.iter().any(|p| p.name == wanted);
    if !has("i") {
        return Err(format!("`{name}` needs a parameter `i`: the index of the element"));
    }
    let split = has("part") && has("parts");
    if split && directives.fold.is_none() {
        return Err(format!("`{name}` returns parts; say how to combine them: `//@ fold add`"));
    }
    if has("part") != has("parts") {
        return Err(format!("`{name}` needs both `part` and `parts`, or neither"));
    }
    Ok(Reference {
        output: String::new(),
        kernel: String::new(),
        line: 0,
        function: name.to_owned(),
        element,
        fold: directives.fold.filter(|_| split),
        params,
        returns: at.checked_sub(1).and_then(|before| ElementType::parse(seen[before].text)),
    })
}

/// `const int * in`, `unsigned n`, `const int in [ ]`.
fn param(words: &[&str]) -> Param {
    let brackets = words.iter().position(|w| *w == "[").unwrap_or(words.len());
    let pointer = if brackets < words.len() { " *" } else { "" };
    let (name, ty) = words[..brackets].split_last().unwrap_or((&"", &[]));
    let ty: Vec<&str> = ty.iter().filter(|w| **w != "__restrict__").copied().collect();
    Param { ty: format!("{}{pointer}", ty.join(" ")), name: (*name).to_owned() }
}

fn place(text: &str, start: usize) -> (u32, u32) {
    let before = &text[..start];
    let column = before.rsplit('\n').next().unwrap_or("").chars().count();
    (before.matches('\n').count() as u32 + 1, column as u32 + 1)
}

/// Integers wrap as the type does; floats are folded in binary64 and rounded once.
fn fold_parts(fold: Fold, element: ElementType, parts: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    if element.is_float() {
        let values = parts.chunks_exact(element.bytes()).map(|b| element.to_float(b));
        let folded = values.reduce(|a, b| match fold {
            Fold::Add => a + b,
            Fold::Mul => a * b,
            Fold::Min => a.min(b),
            Fold::Max => a.max(b),
        });
        element.from_float(folded.unwrap_or(0.0), &mut out);
        return out;
    }
    // Unsigned 64-bit values would be ordered wrongly as signed ones: 128 bits hold both.
    let values = parts.chunks_exact(element.bytes()).map(|b| element.to_integer(b));
    let folded = values.reduce(|a, b| match fold {
        Fold::Add => a.wrapping_add(b),
        Fold::Mul => a.wrapping_mul(b),
        Fold::Min => a.min(b),
        Fold::Max => a.max(b),
    });
    element.from_integer(folded.unwrap_or(0) as i64, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(expected: &str) -> KernelFile {
        let text = format!(
            "//@ input in: int[n] = iota\n//@ let blocks = (n + 511) / 512\n\
             //@ output out: int[blocks] = poison\n//@ fold add\n\
             //@ launch sum(in, out, n) grid = blocks, block = 512\n//@ page 1024\n\
             __global__ void sum(const int* in, int* out, unsigned n) {{ int expected = 1; }}\n\
             {expected}\n"
        );
        KernelFile::parse("a.cu", text).unwrap()
    }

    #[test]
    fn the_wrapper_passes_parameters_by_name() {
        let file = file(
            "__host__ __device__ int expected(unsigned i, const int in[], int n) { return 0; }",
        );
        let references = Reference::of(&file).unwrap();
        assert_eq!(references[0].line, 8);
        let text = with_wrappers(&file, &references);
        assert!(
            text.contains("verify_expected_out(const int * in, int n, const unsigned"),
            "{text}"
        );
        assert!(text.contains("expected((unsigned)verify_at[verify_k / verify_parts], in, n)"));
        let plan = Plan::new(&file, 1000).unwrap();
        let args = references[0].arguments(&plan, 2).unwrap();
        assert_eq!(args[0], ReferenceArgument::Array(0));
        assert_eq!(args[1], ReferenceArgument::Scalar(1000i32.to_le_bytes().to_vec()));
        assert_eq!(args.len(), 6);
    }

    #[test]
    fn parts_are_folded() {
        let file =
            file("__device__ int expected_part(int* in, int i, int part, int parts) { return 0; }");
        let reference = &Reference::of(&file).unwrap()[0];
        let plan = Plan::new(&file, 1024).unwrap();
        assert_eq!(reference.parts(&plan), 2048);
        let values: Vec<u8> = (0..4096i32).flat_map(i32::to_le_bytes).collect();
        let sums: Vec<u8> = [2048 * 2047 / 2, 2048 * 2047 / 2 + 2048 * 2048]
            .into_iter()
            .flat_map(i32::to_le_bytes)
            .collect();
        assert_eq!(reference.fold(&plan, values), sums);
    }

    #[test]
    fn what_is_missing_is_named() {
        for (expected, message) in [
            ("", "no expected values for `out`; define `__host__ __device__ int expected(..., i)`"),
            (
                "int expectd(int i) {",
                "no expected values for `out`; define `__host__ __device__ int expected(..., i)`, or rename `expectd`",
            ),
            (
                "int expected(int i, int m) {",
                "`expected` has the unknown parameter `m`; did you mean",
            ),
            ("int expected(int n) {", "`expected` needs a parameter `i`: the index of the element"),
            (
                "int expected(int i, int part) {",
                "`expected` needs both `part` and `parts`, or neither",
            ),
        ] {
            let problems = Reference::of(&file(expected)).unwrap_err();
            assert!(problems[0].message.starts_with(message), "{}", problems[0].message);
        }
    }

    #[test]
    fn a_brace_that_hides_the_function_is_named_with_its_place() {
        let expected = "__device__ int expected(int i) { return 0; }";
        for (code, place, message) in [
            (
                "__device__ int f(int i) {\n    if (i) { return 1;\n    return 2;\n}\n",
                (9, 12),
                "this `{` is not closed before `expected` in line 13; is a `}` missing?",
            ),
            ("struct A {\n    int x;\n", (8, 10), "this `{` is not closed before `expected`"),
            (
                "__device__ int f(int i) { return 1; }}\n",
                (8, 38),
                "this `}` closes nothing, so that nothing is found behind it: `expected` in line 10; \
                 is it one too many?",
            ),
        ] {
            let problems = Reference::of(&file(&format!("{code}\n{expected}"))).unwrap_err();
            let [problem] = problems.as_slice() else { panic!("{problems:?}") };
            assert!(problem.message.starts_with(message), "{}", problem.message);
            assert_eq!((problem.line, problem.column), place, "{}", problem.rendered);
        }
    }

    #[test]
    fn a_sample_holds_both_sides_of_every_edge() {
        let plan = Plan::new(&file("int expected(int i) {}"), 1 << 20).unwrap();
        let indices = sample(&plan, 100_000);
        for wanted in [0, 511, 512, 1023, 1024, 99_999] {
            assert!(indices.binary_search(&wanted).is_ok(), "{wanted}");
        }
        assert!(indices.len() > 4000 && indices.windows(2).all(|w| w[0] < w[1]));
    }
}
