//! Parses NVRTC's log.
//!
//! One log holds two voices. The front end reports errors and warnings, each with its line and a
//! caret under the column. The assembler, asked with `-Xptxas -v`, reports what each kernel takes:
//! registers, shared memory, stack and spills. Both are text for people. Lines that are not
//! understood are left out of the resources, and never out of the errors: where a compile failed
//! and no error could be read, the log as it stands is the error.

use kernel_file::verdict::Resources;

/// How bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// No code came out.
    Error,
    /// Code came out.
    Warning,
}

/// One message of the front end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How bad.
    pub severity: Severity,
    /// The file, as the program or the include was named; empty where it concerns none.
    pub file: String,
    /// Line from 1, or 0.
    pub line: u32,
    /// Column from 1, or 0.
    pub column: u32,
    /// What it says, on one line.
    pub text: String,
}

/// The messages of a log, in its order.
pub fn messages(log: &str) -> Vec<Message> {
    let lines: Vec<&str> = log.lines().collect();
    let mut found: Vec<Message> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(mut message) = header(line) {
            message.column = caret(&lines[at + 1..]);
            found.push(message);
        } else if let (Some(last), Some(detail)) = (found.last_mut(), instantiation(line)) {
            last.text.push_str(", ");
            last.text.push_str(detail);
        }
    }
    found
}

/// `file(line): error: text`, `file(line): warning #177-D: text`, or one without a place:
/// `nvrtc: error: text`, `ptxas error : text`.
fn header(line: &str) -> Option<Message> {
    let placed = |at: usize, word: &str, severity| {
        let (place, text) = (&line[..at], &line[at + word.len()..]);
        let (file, number) = place.strip_suffix(')')?.rsplit_once('(')?;
        // A warning carries its number before the colon.
        let text = match severity {
            Severity::Error => text,
            Severity::Warning => text.split_once(": ")?.1,
        };
        Some(Message {
            severity,
            file: file.to_owned(),
            line: number.parse().ok()?,
            column: 0,
            text: text.trim().to_owned(),
        })
    };
    let words = [
        (": error: ", Severity::Error),
        (": catastrophic error: ", Severity::Error),
        (": internal error: ", Severity::Error),
        (": warning #", Severity::Warning),
    ];
    for (word, severity) in words {
        if let Some(message) = line.find(word).and_then(|at| placed(at, word, severity)) {
            return Some(message);
        }
    }
    // An error of the driver or the assembler: `ptxas x.ptx, line 17; error   : text`.
    let voice = ["nvrtc", "ptxas", "nvlink"].iter().any(|v| line.starts_with(v));
    let (at, word) = [": error: ", "error   : ", "error : ", "fatal   : "]
        .iter()
        .find_map(|word| line.find(word).map(|at| (at, *word)))?;
    voice.then(|| Message {
        severity: Severity::Error,
        file: String::new(),
        line: 0,
        column: 0,
        text: line[at + word.len()..].trim().to_owned(),
    })
}

/// The column of the caret under the line that follows a header. NVRTC indents both by two.
fn caret(after: &[&str]) -> u32 {
    let Some(marks) = after.get(1) else { return 0 };
    let is_caret = marks.trim() == "^";
    if !is_caret {
        return 0;
    }
    (marks.chars().take_while(|c| *c != '^').count() as u32).saturating_sub(2) + 1
}

/// `detected during instantiation of … at line 5`: where a template was asked for.
fn instantiation(line: &str) -> Option<&str> {
    line.trim().starts_with("detected during").then(|| line.trim())
}

/// What each kernel takes, in the order of the log. `name` turns a symbol into the name to show.
pub fn resources(log: &str, name: impl Fn(&str) -> String) -> Vec<Resources> {
    let mut found: Vec<Resources> = Vec::new();
    for line in log.lines() {
        if let Some((symbol, arch)) = entry(line) {
            found.push(Resources {
                arch: arch.to_owned(),
                kernel: name(symbol),
                registers: 0,
                shared: 0,
                stack: 0,
                spill_stores: 0,
                spill_loads: 0,
            });
        } else if let Some(kernel) = found.last_mut() {
            // `256 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads`
            // `Used 32 registers, used 1 barriers, 512 bytes smem, 256 bytes cumulative stack size`
            for part in line
                .split([',', ':', ' '])
                .enumerate()
                .filter_map(|(at, word)| word.parse::<u32>().ok().map(|number| (at, number)))
            {
                let (at, number) = part;
                let rest: Vec<&str> = line.split([',', ':', ' ']).skip(at + 1).collect();
                match rest.as_slice() {
                    ["registers", ..] => kernel.registers = number,
                    ["bytes", "smem", ..] => kernel.shared = number,
                    ["bytes", "stack", "frame", ..] => kernel.stack = number,
                    ["bytes", "spill", "stores", ..] => kernel.spill_stores = number,
                    ["bytes", "spill", "loads", ..] => kernel.spill_loads = number,
                    _ => {}
                }
            }
        }
    }
    found
}

/// `ptxas info    : Compiling entry function 'plain' for 'sm_90a'`.
fn entry(line: &str) -> Option<(&str, &str)> {
    let rest = line.split_once("Compiling entry function '")?.1;
    let (symbol, rest) = rest.split_once("' for '")?;
    Some((symbol, rest.strip_suffix('\'')?))
}

/// A symbol's own name where that is easy to see: `_Z6reducePKiPij` is `reduce`.
pub fn plain_name(symbol: &str) -> String {
    let own = || {
        let rest = symbol.strip_prefix("_Z")?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest[..digits].parse().ok()?;
        rest.get(digits..digits + length)
    };
    own().unwrap_or(symbol).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Logs of NVRTC 13.0.88 as it wrote them.
    const SUCCESS: &str = include_str!("logs/success.txt");
    const ERRORS: &str = include_str!("logs/errors.txt");
    const TEMPLATE: &str = include_str!("logs/template.txt");

    #[test]
    fn resources_of_every_kernel() {
        let found = resources(SUCCESS, plain_name);
        let rows: Vec<_> = found
            .iter()
            .map(|r| {
                (r.kernel.as_str(), r.registers, r.shared, r.stack, r.spill_stores, r.spill_loads)
            })
            .collect();
        assert_eq!(
            rows,
            [
                ("mangled", 10, 512, 0, 0, 0),
                ("stack", 32, 0, 256, 0, 0),
                ("spills", 32, 0, 4744, 6824, 9336),
                ("plain", 8, 0, 0, 0, 0),
            ]
        );
        assert!(found.iter().all(|r| r.arch == "sm_90a"));
        assert!(messages(SUCCESS).is_empty());
    }

    #[test]
    fn errors_have_their_line_and_column() {
        let found = messages(ERRORS);
        let places: Vec<_> =
            found.iter().map(|m| (m.severity, m.line, m.column, m.text.as_str())).collect();
        assert_eq!(
            places,
            [
                (Severity::Error, 4, 14, "identifier \"dta\" is undefined"),
                (Severity::Error, 5, 5, "expected a \";\""),
                (Severity::Warning, 3, 9, "variable \"unused\" was declared but never referenced"),
                (Severity::Error, 7, 23, "cannot open source file \"missing.cuh\""),
            ]
        );
        assert!(found.iter().all(|m| m.file == "chapters/ch05/kernels/x.cu"));
    }

    #[test]
    fn an_error_in_a_template_says_who_asked_for_it() {
        let found = messages(TEMPLATE);
        assert_eq!(found.len(), 3);
        assert_eq!((found[2].line, found[2].column), (4, 52));
        assert!(found[2].text.ends_with("at line 5"), "{}", found[2].text);
    }

    #[test]
    fn errors_without_a_place() {
        let found = messages("nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
        assert_eq!(found[0].text, "invalid value for --gpu-architecture (-arch)");
        assert_eq!((found[0].line, found[0].file.as_str()), (0, ""));
    }

    #[test]
    fn names_of_symbols() {
        assert_eq!(plain_name("_Z7mangledILi128EEvPi"), "mangled");
        assert_eq!(plain_name("reduce"), "reduce");
        assert_eq!(plain_name("_ZN1a1kEPi"), "_ZN1a1kEPi");
        assert_eq!(plain_name("_Z99short"), "_Z99short");
    }
}
