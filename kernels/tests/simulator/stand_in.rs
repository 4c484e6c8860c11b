//! Kernels whose only assembly is the asynchronous copy (`cp.async`), with plain copies in its place.
//!
//! A copy that is done at once is one of the times at which an asynchronous one may be done. So indices,
//! bounds, barriers between threads and results are those of the kernel; what this does not see is a wait
//! too late. All else of the text stays, and a text that changed is noticed: each replacement must find
//! its place.

use super::run::compile;
use kernels::programs::Program;
use simt::Module;

/// The program understood, with other bodies for the functions that copy, and other words for what else
/// the simulator does not know.
pub(crate) fn compile_with(
    program: &Program,
    copies: &[(&str, &str)],
    words: &[(&str, &str)],
) -> Module {
    let mut text = program.source();
    for (signature, body) in copies {
        let at = text.find(signature).unwrap_or_else(|| panic!("no `{signature}`"));
        let begin = at + text[at..].find("{\n").expect("a body") + 2;
        let end = begin + text[begin..].find("\n}").expect("its end");
        assert!(text[begin..end].contains("cp.async"), "`{signature}` copies otherwise");
        text.replace_range(begin..end, body);
    }
    for (from, to) in words {
        assert!(text.contains(from), "`{from}` is not in {program:?}");
        text = text.replace(from, to);
    }
    // What groups copies and waits for them has nothing to do.
    for word in ["commit_group", "wait_group", "wait_all"] {
        while let Some(begin) = text.find(&format!("asm volatile(\"cp.async.{word}")) {
            let end = begin + text[begin..].find("\"memory\")").expect("its end") + 9;
            text.replace_range(begin..end, "");
        }
    }
    assert!(!text.contains("asm volatile"), "other assembly is left in {program:?}");
    compile(program, text).unwrap_or_else(|why| panic!("{program:?}: {why}"))
}
