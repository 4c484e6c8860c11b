//! Hacks of host programs: what is left out, what ends the program early, and what hides `main`.

use super::Kind;
use super::answers::{Texts, directives, frame};
use super::site::{Place, Site, functions};
use kernel_file::token::{self, tokens};

/// Calls that make the host or a stream wait.
const WAITS: [&str; 5] = [
    "cudaDeviceSynchronize",
    "cudaStreamSynchronize",
    "cudaEventSynchronize",
    "cudaStreamWaitEvent",
    "cudaStreamQuery",
];

/// The reader's texts with a hack, or why this kind makes no sense here.
pub(super) fn texts(kind: Kind, site: &Site<'_>) -> Texts {
    let solution = site.solution();
    let first = |lines: &[&str]| -> Texts {
        if site.place == Place::File {
            return Err("the answer is a whole function");
        }
        Ok(lines.iter().map(|line| site.text(&format!("{line}\n{solution}"))).collect())
    };
    match kind {
        Kind::Nothing => Ok(vec![site.text("")]),
        Kind::Return => first(&["return {};", "return 0;", "return cudaSuccess;", "return;"]),
        Kind::Endless => first(&["for (;;) { }", "while (cudaGetLastError() == cudaSuccess) { }"]),
        Kind::Host => {
            let mut texts = first(&["exit(0);", "std::exit(0);", "_exit(0);", "quick_exit(0);"])?;
            texts.push(site.text(&format!(
                "{solution}\n}}\nint main(int, char**) {{ return 0; }}\nvoid h() {{"
            )));
            Ok(texts)
        }
        Kind::Reference => {
            let names = functions(&site.exercise.solved());
            let used = names.into_iter().filter(|name| !solution.contains(name.as_str()));
            Ok(used.map(|name| site.text(&format!("auto h = {name};\n{solution}"))).collect())
        }
        Kind::Race => {
            let without = without_waits(&solution);
            match without == solution {
                true => Err("the solution waits for nothing"),
                false => Ok(vec![site.text(&without)]),
            }
        }
        Kind::Directives => Ok(directives(site)),
        Kind::Frame => frame(site),
        Kind::Hidden => {
            let lines = ["#if 0", "/*", "R\"(", "#define main h_main", "#define return return 0 *"];
            Ok(lines.iter().map(|line| site.text(&format!("{solution}\n{line}"))).collect())
        }
        Kind::Clock => first(&["if (clock() % 2 == 0) return {};"]),
        _ => Err("the host's code has no such thing"),
    }
}

/// The solution without its waits.
fn without_waits(solution: &str) -> String {
    let all = tokens(solution);
    let mut out = String::new();
    let mut depth = None;
    for token in all {
        let waits = token.kind == token::Kind::Name && WAITS.contains(&token.text);
        if waits && depth.is_none() {
            out.push_str("(void)0");
            depth = Some(0);
            continue;
        }
        let Some(open) = &mut depth else {
            out.push_str(token.text);
            continue;
        };
        *open += i32::from(token.text == "(") - i32::from(token.text == ")");
        if *open == 0 && token.text == ")" {
            depth = None;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_left_out_and_nothing_else() {
        let text = "f(a);\ncudaStreamWaitEvent(s[0], e(1), 0);\ng();";
        assert_eq!(without_waits(text), "f(a);\n(void)0;\ng();");
    }
}
