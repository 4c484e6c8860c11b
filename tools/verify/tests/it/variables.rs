//! What a variable is said to hold is what `printf` prints there.
//!
//! Behind every statement of the book's kernels where that is possible, a `printf` of all numbers
//! in scope is put into the text, and a block is recorded. At each step that prints, what the
//! history says of those variables must be what was printed, lane by lane.

use kernel_file::Plan;
use simt::{Checks, Config, History, Model, Record};
use std::path::Path;
use verify::{KernelFile, Project};

/// The types that are looked at, with how they are printed.
const TYPES: [(&str, &str); 9] = [
    ("unsigned int", "%u"),
    ("unsigned long long", "%llu"),
    ("long long", "%lld"),
    ("size_t", "%llu"),
    ("unsigned", "%u"),
    ("int", "%d"),
    ("float", "%.9g"),
    ("double", "%.17g"),
    ("bool", "%d"),
];

/// A variable: its name, how it is printed, and how far its declaration is indented.
type Variable = (String, &'static str, usize);

/// What a text declares, if it begins with a type of the above and a name.
fn declared(text: &str) -> Option<(&str, &'static str)> {
    let text = text.trim_start().strip_prefix("const ").unwrap_or(text.trim_start());
    TYPES.iter().find_map(|(ty, format)| {
        let rest = text.strip_prefix(ty)?.strip_prefix(' ')?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        (end > 0 && !rest[end..].starts_with('[')).then(|| (&rest[..end], *format))
    })
}

/// The text with a `printf` behind every statement that has numbers in scope.
fn with_prints(text: &str) -> String {
    let mut out = String::new();
    let (mut signature, mut inside) = (String::new(), false);
    let mut scope: Vec<Variable> = Vec::new();
    let mut before = "";
    for line in text.lines() {
        out.push_str(line);
        out.push('\n');
        let indent = line.len() - line.trim_start().len();
        let line = line.split("//").next().unwrap_or("").trim();
        if indent == 0 || !inside {
            signature.push_str(line);
            signature.push(' ');
            if line.ends_with('{') {
                inside = signature.contains("__global__") || signature.contains("__device__");
                inside &= !signature.contains("__host__");
                let list = signature.split_once('(').map_or("", |(_, list)| list);
                let params = list.split(',').filter_map(declared);
                scope = params.map(|(name, format)| (name.to_owned(), format, 4)).collect();
            }
            if line.ends_with(';') || line.ends_with('}') || line.is_empty() {
                signature.clear();
            }
            before = line;
            continue;
        }
        scope.retain(|(.., own)| *own <= indent);
        let plain = before.ends_with(['{', ';', '}']);
        let whole = line.ends_with(';') && plain && !line.starts_with("for");
        let jumps = ["return", "break", "continue"].iter().any(|jump| line.contains(jump));
        if let Some(counter) = line.strip_prefix("for (").and_then(declared)
            && line.ends_with('{')
        {
            scope.push((counter.0.to_owned(), counter.1, indent + 4));
        }
        if whole
            && line.contains(" = ")
            && let Some((name, format)) = declared(line)
        {
            scope.retain(|(known, ..)| known != name);
            scope.push((name.to_owned(), format, indent));
        }
        if whole && !jumps && !scope.is_empty() {
            let all =
                |f: &dyn Fn(&Variable) -> String| scope.iter().map(f).collect::<Vec<_>>().join(" ");
            let formats = all(&|(name, format, _)| format!("{name}={format}"));
            let names = all(&|(name, ..)| format!(", {name}"));
            out.push_str(&format!(
                "printf(\"~%u,%u {formats}\\n\", blockIdx.x, blockIdx.y{names});\n"
            ));
        }
        before = if line.is_empty() { before } else { line };
    }
    out
}

/// Whether two texts are the same value: a float is shown in as few digits as tell it apart, and
/// printed with nine, or a double with seventeen.
fn same(shown: &str, printed: &str) -> bool {
    let mantissa = printed.split('e').next().unwrap_or(printed);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0').len();
    match (shown, printed) {
        ("true", printed) => printed == "1",
        ("false", printed) => printed == "0",
        ("NaN", printed) => printed.contains("nan"),
        _ if shown == printed => true,
        _ if !shown.contains(['.', 'e', 'f']) => false,
        _ if digits <= 9 => shown.parse::<f32>() == printed.parse::<f32>(),
        _ => shown.parse::<f64>() == printed.parse::<f64>(),
    }
}

/// Compares what a block printed with what its history says; how many values there were.
fn compare(history: &History, printed: &str, problems: &mut Vec<String>) -> usize {
    let mut lines = printed.lines().filter_map(|l| l.strip_prefix("~0,0 "));
    let mut values = 0;
    for step in 0..history.len() {
        let Some(moment) = history.moment(step) else { break };
        // Of the instructions of a call, the last one of its warp prints.
        let text = history.sources().text(moment.span);
        let next = (step + 1..history.len())
            .filter_map(|s| history.moment(s))
            .find(|m| m.warp == moment.warp);
        if !text.starts_with("printf(\"~") || next.is_some_and(|m| m.span == moment.span) {
            continue;
        }
        let Some(at) = history.after(step) else { break };
        for lane in (0..32).filter(|lane| moment.lanes >> lane & 1 != 0) {
            let Some(line) = lines.next() else { return values };
            for (name, value) in line.split(' ').filter_map(|pair| pair.split_once('=')) {
                let named = |v: usize| history.variables()[v].name == name;
                let shown = at.variables.iter().rfind(|s| named(s.variable));
                let shown = shown.and_then(|s| s.values[lane].as_deref());
                if !shown.is_some_and(|shown| same(shown, value)) {
                    let here = history.sources().position(moment.span).line;
                    problems.push(format!(
                        "step {step}, line {here}, lane {lane}: {name} is {value}, shown {shown:?}"
                    ));
                }
                values += 1;
            }
        }
    }
    values
}

#[test]
fn what_is_shown_is_what_would_be_printed() {
    let project = Project::find(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the project");
    let (mut kernels, mut values, mut wrong) = (0, 0, Vec::new());
    for path in project.kernel_files().expect("kernel files") {
        let file = project.read(&path).expect("it is understood");
        let text = with_prints(&file.text);
        if text == file.text {
            continue;
        }
        let Ok(file) = KernelFile::parse(&file.relative, text) else { continue };
        let mut sizes = file.directives.test.clone();
        sizes.sort_unstable();
        let n = sizes.iter().rfind(|n| **n <= 2048).or(sizes.first()).copied();
        let Some(n) = n.or(file.directives.page) else { continue };
        let settings = kernel_file::simulator::Settings {
            checks: Checks::Bare,
            model: Model::Volta,
            threads: 1,
            limits: kernel_file::simulator::Limits::default(),
        };
        let unit = project.unit(&file);
        let Ok(plan) = Plan::new(&file, n) else { continue };
        let Ok(program) = kernel_file::simulator::Program::compile(&file, &unit, settings) else {
            continue;
        };
        for number in 0..plan.launches.len() {
            let record = Some(Record { block: 0, steps: 3000 });
            let watch = |config| Config { record, ..config };
            let Ok(report) = program.watch(plan.clone(), number, watch) else { continue };
            let Some(history) = report.history else { continue };
            let mut problems = Vec::new();
            let printed = String::from_utf8_lossy(&report.printed);
            let compared = compare(&history, &printed, &mut problems);
            if let Some(first) = problems.first() {
                wrong.push(format!("{}: {first} ({} in all)", file.relative, problems.len()));
            }
            kernels += usize::from(compared > 0);
            values += compared;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kernels >= 80 && values >= 100_000, "only {values} values of {kernels} kernels");
}
