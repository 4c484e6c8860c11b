//! The CUDA fences of a page, and what each of them promises.
//!
//! ````text
//! ```cuda                                   compiles on every back end present
//! ```cuda,compile_fail                      does not compile
//! ```cuda,run                               is a kernel file with directives, and passes; or a program
//!                                           with `main`, and ends with exit code 0
//! ```cuda,should_fault=race                 is a kernel file in which the simulator finds a race
//! ```cuda,ignore=needs-two-devices          is not checked; `check` prints the reason
//! ````
//!
//! A fence is a translation unit: functions and kernels, not loose statements. A fence in another
//! language that contains `__global__` or `<<<` would not be checked, so it is an error. Parsing a
//! page runs nothing.

use crate::page::{CodeBlock, Markdown};
use kernel_file::KernelFile;
use kernel_file::directive::Defect;
use kernel_file::suggest::suggestion_or_list;
use kernel_file::token::{Kind, tokens};
use kernel_file::verdict::Problem;

/// The most ignored fences in the book.
pub const IGNORED: usize = 5;

/// A `cuda` fence.
#[derive(Debug, Clone, PartialEq)]
pub struct Fence {
    /// The page, from the project's root.
    pub file: String,
    /// The line of the opening fence, from 1.
    pub line: u32,
    /// The code.
    pub code: String,
    /// What it promises.
    pub promise: Promise,
}

/// What a fence promises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Promise {
    /// To compile.
    Compile,
    /// Not to compile.
    Refuse,
    /// To be a kernel file that passes, or a program that ends well.
    Run,
    /// To be a kernel file in which this defect is found.
    Fault(Defect),
    /// Nothing, for this reason.
    Ignore(String),
}

/// The attributes that may follow `cuda,`.
const ATTRIBUTES: [&str; 4] = ["compile_fail", "run", "should_fault", "ignore"];

/// The `cuda` fences of a page, in order, and the problems of its fences.
pub fn fences(file: &str, text: &str) -> (Vec<Fence>, Vec<Problem>) {
    let mut fences = Vec::new();
    let mut problems = Vec::new();
    let page = Markdown::parse(text);
    if let Some(excess) = page.excess {
        problems.push(Problem::new(file, "", (0, 0), "page", excess));
    }
    for block in page.blocks {
        match read(file, text, &block) {
            Some(Ok(fence)) => fences.push(fence),
            Some(Err(problem)) => problems.push(problem),
            None => {}
        }
    }
    (fences, problems)
}

/// The fence that a code block of the page `file` is, or what is wrong with it; `None` for a block
/// in another language.
pub fn read(file: &str, text: &str, block: &CodeBlock) -> Option<Result<Fence, Problem>> {
    match promise(block.info.as_deref().unwrap_or_default(), &block.code) {
        Ok(Some(promise)) => Some(Ok(Fence {
            file: file.to_owned(),
            line: block.line,
            code: block.code.clone(),
            promise,
        })),
        Ok(None) => None,
        Err(message) => Some(Err(Problem::new(file, text, (block.line, 0), "fence", message))),
    }
}

/// The promise in an info string; `None` for a fence in another language.
fn promise(info: &str, code: &str) -> Result<Option<Promise>, String> {
    let mut words = info.split([',', ' ', '\t']).filter(|w| !w.is_empty());
    let language = words.next().unwrap_or("");
    if language != "cuda" {
        if language == "diff" {
            return Err("a typed diff drifts from its kernels; use `{{#diff OLD NEW}}`".to_owned());
        }
        let hidden = tokens(code)
            .iter()
            .any(|t| t.text == "__global__" || (t.text == "<<<" && t.kind == Kind::Punctuation));
        if hidden {
            return Err(
                "this fence contains CUDA but is not checked; begin it with ```cuda".to_owned()
            );
        }
        return Ok(None);
    }
    let mut found: Option<(String, Promise)> = None;
    for word in words {
        let (name, value) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v)));
        let promise = match (name, value) {
            ("compile_fail", None) => Promise::Refuse,
            ("run", None) => Promise::Run,
            ("should_fault", Some(value)) => {
                let class = Defect::all().find(|c| c.name() == value);
                Promise::Fault(class.ok_or_else(|| {
                    let hint = suggestion_or_list(value, Defect::all().map(Defect::name));
                    format!("unknown class `{value}`{hint}")
                })?)
            }
            ("should_fault", None) => {
                return Err(
                    "`should_fault` needs a class, for example `should_fault=race`".to_owned()
                );
            }
            ("ignore", Some(reason)) if !reason.is_empty() => {
                Promise::Ignore(reason.replace(['-', '_'], " "))
            }
            ("ignore", _) => {
                return Err(
                    "`ignore` needs a reason: `ignore=reason-in-words-with-dashes`".to_owned()
                );
            }
            ("compile_fail" | "run", Some(_)) => {
                return Err(format!("`{name}` takes no value"));
            }
            _ => {
                let hint = suggestion_or_list(name, ATTRIBUTES.into_iter());
                return Err(format!("unknown fence attribute `{name}`{hint}"));
            }
        };
        if let Some((other, _)) = &found {
            return Err(format!("`{other}` and `{name}` exclude each other"));
        }
        found = Some((name.to_owned(), promise));
    }
    Ok(Some(found.map_or(Promise::Compile, |(_, promise)| promise)))
}

impl Fence {
    /// A fence with this info string.
    pub(crate) fn with_info(
        file: &str,
        line: u32,
        info: &str,
        code: &str,
    ) -> Result<Fence, String> {
        let promise = promise(info, code)?.ok_or_else(|| "not CUDA".to_owned())?;
        Ok(Fence { file: file.to_owned(), line, code: code.to_owned(), promise })
    }

    /// Its info string.
    pub(crate) fn info(&self) -> String {
        match &self.promise {
            Promise::Compile => "cuda".to_owned(),
            Promise::Refuse => "cuda,compile_fail".to_owned(),
            Promise::Run => "cuda,run".to_owned(),
            Promise::Fault(defect) => format!("cuda,should_fault={}", defect.name()),
            Promise::Ignore(reason) => format!("cuda,ignore={}", reason.replace(' ', "-")),
        }
    }

    /// Its name in messages: `chapters/ch05-reduction/README.md:12`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// The code after empty lines, so that a compiler's line numbers are the page's.
    pub fn padded(&self) -> String {
        let mut text = "\n".repeat(self.line as usize);
        text.push_str(&self.code);
        text
    }

    /// Gives a problem of the whole fence a line of the page: the first of its code.
    pub(crate) fn place(&self, problem: &mut Problem) {
        if problem.line != 0 || problem.file != self.file {
            return;
        }
        let (line, first) = (self.line + 1, self.code.lines().next().unwrap_or_default());
        let (code, message) = (&problem.code, &problem.message);
        let at = Problem::in_line(&self.file, Some(first), (line, 0), code, message);
        // A finding of a program shows its own lines.
        let is_plain = !problem.rendered.contains(&format!("{}:", self.file));
        if is_plain {
            problem.rendered = at.rendered;
        }
        problem.line = at.line;
    }

    /// Whether it is a complete program, with `main`, that promises to run.
    pub fn is_program(&self) -> bool {
        self.promise == Promise::Run && kernel_file::file::is_program(&self.code)
    }

    /// The fence as a kernel file.
    ///
    /// # Errors
    /// If it has bad directives.
    pub fn kernel_file(&self) -> Result<KernelFile, Vec<Problem>> {
        let parsed = KernelFile::parse(&self.file, self.padded());
        let mut file = parsed.map_err(|mut problems| {
            problems.iter_mut().for_each(|problem| self.place(problem));
            problems
        })?;
        if let Promise::Fault(class) = self.promise {
            file.directives.catches = Some(class);
        }
        Ok(file)
    }

    /// The problems that break the promise, given a compiler's problems.
    pub(crate) fn judge(&self, said: Vec<Problem>) -> Vec<Problem> {
        match self.promise {
            Promise::Refuse => {
                // To be beyond the simulator is not to be wrong.
                let refused = said.iter().any(|p| p.code != "unsupported");
                let message = if refused {
                    return Vec::new();
                } else if said.is_empty() {
                    "this fence compiles; remove `compile_fail`"
                } else {
                    "the simulator does not support this construct; the code may still be valid"
                };
                vec![self.problem(message)]
            }
            _ if said.is_empty() || self.is_unit() => said,
            _ => vec![self.problem(
                "a `cuda` fence is a translation unit; put these statements into a kernel or a function",
            )],
        }
    }

    /// Whether it defines anything, by its tokens.
    fn is_unit(&self) -> bool {
        const DEFINING: [&str; 8] = [
            "__global__",
            "__device__",
            "__host__",
            "struct",
            "template",
            "void",
            "namespace",
            "#",
        ];
        tokens(&self.code).iter().any(|t| DEFINING.contains(&t.text))
    }

    fn problem(&self, message: &str) -> Problem {
        let text = format!("{}```cuda", "\n".repeat(self.line as usize - 1));
        Problem::new(&self.file, &text, (self.line, 0), "fence", message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(info: &str, code: &str) -> Result<Option<Promise>, String> {
        let page = format!("# Title\n\n```{info}\n{code}\n```\n");
        let (fences, problems) = fences("a/README.md", &page);
        match problems.first() {
            Some(problem) => {
                assert_eq!(problem.line, 3);
                Err(problem.message.clone())
            }
            None => Ok(fences.first().map(|f| f.promise.clone())),
        }
    }

    #[test]
    fn attributes_are_promises() {
        for (info, promise) in [
            ("cuda", Promise::Compile),
            ("cuda,compile_fail", Promise::Refuse),
            ("cuda, run", Promise::Run),
            ("cuda,should_fault=sync-mask", Promise::Fault(Defect::Class(simt::Class::SyncMask))),
            ("cuda,ignore=needs-two-devices", Promise::Ignore("needs two devices".into())),
        ] {
            assert_eq!(one(info, "int x;"), Ok(Some(promise)), "{info}");
        }
        assert_eq!(one("rust", "let x = 1;"), Ok(None));
        let typed = one("diff", "+int x;").unwrap_err();
        assert_eq!(typed, "a typed diff drifts from its kernels; use `{{#diff OLD NEW}}`");
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_a_suggestion() {
        for (info, message) in [
            (
                "cuda,compile_fial",
                "unknown fence attribute `compile_fial`; did you mean `compile_fail`?",
            ),
            ("cuda,should_fault=rase", "unknown class `rase`; did you mean `race`?"),
            ("cuda,should_fault", "`should_fault` needs a class, for example `should_fault=race`"),
            ("cuda,ignore", "`ignore` needs a reason: `ignore=reason-in-words-with-dashes`"),
            ("cuda,run=5", "`run` takes no value"),
            ("cuda,run,compile_fail", "`run` and `compile_fail` exclude each other"),
        ] {
            assert_eq!(one(info, "int x;"), Err(message.to_owned()), "{info}");
        }
        let hidden = "this fence contains CUDA but is not checked; begin it with ```cuda";
        assert_eq!(one("cpp", "__global__ void f();"), Err(hidden.to_owned()));
        assert_eq!(one("", "f<<<1, 2>>>();"), Err(hidden.to_owned()));
        assert_eq!(one("text", "// nothing of <<< here"), Ok(None));
    }

    #[test]
    fn lines_are_the_pages() {
        let page = "# Title\n\ntext\n\n```cuda\nint x\n```\n";
        let (fences, _) = fences("a/README.md", page);
        assert_eq!(fences[0].line, 5);
        assert_eq!(fences[0].padded().lines().nth(5), Some("int x"));
    }

    #[test]
    fn a_compilers_words_are_held_against_the_promise() {
        let page = "```cuda,compile_fail\nint x\n```\n```cuda\nint x\n```\n";
        let (fences, _) = fences("a.md", page);
        for fence in &fences {
            let same = Fence::with_info(&fence.file, fence.line, &fence.info(), &fence.code);
            assert_eq!(same.as_ref(), Ok(fence));
        }
        let error = |code: &str| vec![Problem::new("a.md", page, (2, 1), code, "no")];
        assert_eq!(fences[0].judge(error("syntax")), []);
        assert_eq!(fences[0].judge(vec![]).len(), 1);
        assert_eq!(fences[0].judge(error("unsupported")).len(), 1);
        assert!(fences[1].judge(error("syntax"))[0].message.contains("translation unit"));
        assert_eq!(fences[1].judge(vec![]), []);
    }
}
