//! The options of `nvcc` that `run` accepts, so that it can stand in for nvcc in a Makefile
//! or a command that was copied.
//!
//! nvcc writes long options with one dash, and a value behind `=` or a space, which clap does not
//! parse. So the words of the command line are rewritten before: includes and macros become this
//! command's own options, an option without meaning here is listed as ignored, and one that would
//! change the result is refused by name.

use kernel_file::directive::CAPABILITIES;
use kernel_file::suggest::nearest;
use std::ffi::OsString;

/// Options without a value that have no effect on what a program computes.
const FLAGS: [&str; 44] = [
    "g",
    "debug",
    "G",
    "device-debug",
    "lineinfo",
    "generate-line-info",
    "w",
    "disable-warnings",
    "m64",
    "restrict",
    "dlto",
    "v",
    "verbose",
    "extended-lambda",
    "expt-extended-lambda",
    "expt-relaxed-constexpr",
    "res-usage",
    "resource-usage",
    "source-in-ptx",
    "keep",
    "pg",
    "forward-unknown-to-host-compiler",
    "allow-unsupported-compiler",
    "extra-device-vectorization",
    "src-in-ptx",
    "ewp",
    "extensible-whole-program",
    "objtemp",
    "noeh",
    "minimal",
    "no-compress",
    "save-temps",
    "profile",
    "no-exceptions",
    "no-align-double",
    "display-error-number",
    "no-display-error-number",
    "Wreorder",
    "Wno-deprecated-gpu-targets",
    "Wno-deprecated-declarations",
    "Wdefault-stream-launch",
    "Wmissing-launch-bounds",
    "Wext-lambda-captures-this",
    "run",
];

/// Options with a value that have no effect on what a program computes.
const VALUES: [&str; 49] = [
    "arch",
    "gpu-architecture",
    "code",
    "gpu-code",
    "gencode",
    "generate-code",
    "std",
    "Xcompiler",
    "compiler-options",
    "Xptxas",
    "ptxas-options",
    "Xlinker",
    "linker-options",
    "Xcudafe",
    "Xnvlink",
    "ccbin",
    "compiler-bindir",
    "maxrregcount",
    "default-stream",
    "cudart",
    "diag-suppress",
    "diag_suppress",
    "rdc",
    "relocatable-device-code",
    "o",
    "output-file",
    "l",
    "library",
    "L",
    "library-path",
    "O",
    "optimize",
    "x",
    "Werror",
    "t",
    "split-compile",
    "Xarchive",
    "keep-dir",
    "threads",
    "jump-table-density",
    "frandom-seed",
    "brief-diagnostics",
    "opt-info",
    "ldir",
    "libdevice-directory",
    "nvlink-options",
    "archive-options",
    "diag-error",
    "diag-warn",
];

/// Options whose value may follow without a space.
const JOINED: [&str; 6] = ["l", "L", "O", "W", "t", "x"];

/// Options of one letter that `run` has beside those that it shares with nvcc.
const OWN: [&str; 2] = ["n", "q"];

/// Options of arithmetic: the name, and the value that is the simulator's behaviour.
const ARITHMETIC: [(&str, &str); 4] =
    [("ftz", "false"), ("prec-div", "true"), ("prec-sqrt", "true"), ("fmad", "true")];

/// Options that ask for something other than a run, and the reason why they are refused.
const REFUSED: [(&[&str], &str); 2] = [
    (
        &["c", "compile", "dc", "device-c", "dw", "dlink", "device-link", "lib", "shared"],
        "a program is run from its sources; name all of them in one command, or let \
         `cuda-sim nvcc` make objects",
    ),
    (
        &[
            "ptx",
            "cubin",
            "fatbin",
            "cuda",
            "E",
            "preprocess",
            "M",
            "MM",
            "MD",
            "MMD",
            "dryrun",
            "include",
            "pre-include",
            "optix-ir",
        ],
        "a program is run from its sources",
    ),
];

/// What to do in place of a refused option, which `refused` begins with.
pub(crate) fn remedy(refused: &str) -> &'static str {
    let word = refused.split([' ', '=']).next().unwrap_or_default();
    match word.trim_start_matches('-') {
        "fmad" => {
            "leave it out; where the last bit matters, `__fmul_rn(a, b) + c` is not contracted"
        }
        "E" | "preprocess" => {
            "leave it out: nothing is written but objects; `cuda-sim nvcc -M` lists the headers"
        }
        "ptx" | "cubin" | "fatbin" | "cuda" | "optix-ir" => {
            "leave it out: there is no machine code, a program is run from its sources"
        }
        "dw" => "write `-dc`",
        "std" => "`-std` is c++11, c++14, c++17 or c++20: all are read as C++20",
        "arch" | "gpu-architecture" | "code" | "gpu-code" | "gencode" | "generate-code" => {
            ARCHITECTURES
        }
        "rdc" | "relocatable-device-code" => "write `-rdc=true` or `-rdc=false`",
        "default-stream" => "`-default-stream` is `legacy`, `null` or `per-thread`",
        _ if refused.ends_with("is no number)") => "write a number behind it",
        _ if refused.ends_with(NO_VALUE) => "write its value behind it, or leave it out",
        _ => "leave it out, or build with `cuda-sim nvcc`",
    }
}

/// What is written for an architecture.
const ARCHITECTURES: &str = "write one as `-arch=sm_80` or `-gencode arch=compute_80,code=sm_80`; \
                             `native`, `all` and `all-major` are known, too, and none changes the run";

/// The dialects of `-std`; nvcc has no others.
const DIALECTS: [&str; 5] = ["c++03", "c++11", "c++14", "c++17", "c++20"];

/// The message for a refused option.
pub(crate) fn refusal(refused: &str) -> String {
    match refused.strip_suffix(&format!(" ({UNKNOWN})")) {
        Some(word) => format!("no option `{word}` is known"),
        None => format!("cannot do {refused}"),
    }
}

/// What may be meant by an option that is unknown.
pub(crate) fn instead(refused: &str) -> String {
    let word = refused.split([' ', '=']).next().unwrap_or_default();
    let refused = REFUSED.iter().flat_map(|(names, _)| names.iter().copied());
    let arithmetic = ARITHMETIC.iter().map(|(name, _)| *name).chain(["use_fast_math"]);
    let known = FLAGS.into_iter().chain(VALUES).chain(refused).chain(arithmetic);
    match nearest(word.trim_start_matches('-'), known.filter(|name| name.len() > 2)) {
        Some(near) => format!("did you mean `-{near}`?"),
        None => "leave it out; `Options of nvcc` in tools/cuda-sim/README.md lists those that are \
                 known, and `cuda-sim run --help` those of `run` itself"
            .to_owned(),
    }
}

/// Why an option is refused whose value is missing.
const NO_VALUE: &str = "it needs a value)";

/// What is wrong with an option's value, where nvcc refuses it, too.
fn wrong_value(name: &str, value: &str) -> Option<String> {
    let is_capability = |word: &str| {
        let number = ["sm_", "compute_", "lto_"].iter().find_map(|kind| word.strip_prefix(kind));
        let plain = number.map(|number| number.strip_suffix(['a', 'f']).unwrap_or(number));
        plain.is_some_and(|number| CAPABILITIES.iter().any(|known| known.to_string() == number))
    };
    let words =
        || value.split([',', '=', '[', ']', '"', '\'', ' ', '\\']).filter(|word| !word.is_empty());
    let wrong = match name {
        "std" => Some(value)
            .filter(|value| !DIALECTS.contains(value))
            .map(|dialect| (dialect, "dialect")),
        "arch" | "gpu-architecture" | "code" | "gpu-code" => words()
            .find(|word| !["native", "all", "all-major"].contains(word) && !is_capability(word))
            .map(|word| (word, "architecture")),
        "gencode" | "generate-code" => words()
            .find(|word| !["arch", "code"].contains(word) && !is_capability(word))
            .map(|word| (word, "architecture"))
            .or_else(|| {
                let virtuals = words().skip_while(|word| *word != "arch").nth(1);
                virtuals
                    .filter(|word| !word.starts_with("compute_"))
                    .map(|word| (word, "virtual architecture, as `compute_80`"))
            }),
        "rdc" | "relocatable-device-code" => {
            Some(value).filter(|v| !["true", "false"].contains(v)).map(|v| (v, "truth value"))
        }
        "default-stream" => Some(value)
            .filter(|value| !["legacy", "null", "per-thread"].contains(value))
            .map(|value| (value, "default stream")),
        "maxrregcount" | "t" | "threads" | "split-compile" => {
            Some(value).filter(|v| v.parse::<u32>().is_err()).map(|v| (v, "number"))
        }
        _ => None,
    };
    wrong.map(|(word, what)| format!("`{word}` is no {what}"))
}

/// What `-fopenmp` defines, as GCC 12 does: OpenMP 4.5. Directives are ignored, which is a team of one
/// thread, as `<omp.h>` says.
pub(crate) const OPENMP: &str = "-D_OPENMP=201511";

/// Whether an option of the host's compiler, or several behind `-Xcompiler`, ask for OpenMP.
pub(crate) fn asks_for_openmp(options: &str) -> bool {
    let mut words = options.split([' ', ',', '"']);
    words.any(|word| ["-fopenmp", "/openmp"].contains(&word) || word.starts_with("-fopenmp="))
}

/// Whether an option's value is the host's compiler.
pub(crate) fn names_compiler(word: &str) -> bool {
    let name = word.trim_start_matches('-');
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    ["ccbin", "compiler-bindir"].contains(&name)
}

/// Why an option is refused that nvcc does not have.
pub(crate) const UNKNOWN: &str = "no such option";

/// The words of the command line with nvcc's options behind `run` rewritten to this command's.
pub fn rewritten(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let words: Vec<OsString> = words.collect();
    let Some(run) = words.iter().position(|word| word == "run") else { return words };
    let (before, behind) = words.split_at(run + 1);
    let mut out = before.to_vec();
    let mut behind = behind.iter();
    while let Some(word) = behind.next() {
        if word == "--" {
            out.push(word.clone());
            out.extend(behind.cloned());
            break;
        }
        let next = behind.clone().next().and_then(|next| next.to_str());
        // `run` has an option of the same name, and numbers.
        let theirs = |word: &&str| !word.starts_with("--threads") && !is_negative_number(word);
        let Some(option) = word.to_str().filter(theirs).and_then(|word| option(word, next)) else {
            out.push(word.clone());
            continue;
        };
        if option.takes_next {
            behind.next();
        }
        out.push(option.rewritten.into());
    }
    out
}

/// `-5`: a value, and no option.
fn is_negative_number(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// A word that is an option of nvcc.
pub(crate) struct NvccOption {
    pub(crate) rewritten: String,
    /// Whether the next word is its value.
    pub(crate) takes_next: bool,
    /// Whether it is refused for a value that the host's compiler may have.
    pub(crate) has_wrong_value: bool,
}

/// What this word means, before `next`; `None` if it is an option of this command, or none.
pub(crate) fn option(word: &str, next: Option<&str>) -> Option<NvccOption> {
    let name = word.strip_prefix('-').filter(|name| !name.is_empty())?;
    let long = name.strip_prefix('-');
    let name = long.unwrap_or(name);
    let (name, joined) = name.split_once('=').map_or((name, None), |(n, value)| (n, Some(value)));
    let known = |name: &str| {
        let written =
            joined.map_or_else(|| next.map(str::to_owned), |value| Some(value.to_owned()));
        (name.to_owned(), written.unwrap_or_default(), joined.is_none() && next.is_some())
    };
    let made = |rewritten: String, takes_next: bool| {
        Some(NvccOption { rewritten, takes_next, has_wrong_value: false })
    };
    let ignored = |words: &str, takes_next| made(format!("--ignored={words}"), takes_next);
    match name {
        "isystem" | "include-path" | "system-include" => {
            let (_, value, takes_next) = known(name);
            return made(format!("-I{value}"), takes_next);
        }
        "define-macro" => {
            let (_, value, takes_next) = known(name);
            return made(format!("-D{value}"), takes_next);
        }
        "undefine-macro" => {
            let (_, value, takes_next) = known(name);
            return made(format!("-U{value}"), takes_next);
        }
        "Xcompiler" | "compiler-options" => {
            let (_, value, takes_next) = known(name);
            if asks_for_openmp(&value) {
                return made(OPENMP.to_owned(), takes_next);
            }
        }
        "use_fast_math" => return made(format!("--inexact={word}"), false),
        _ => {}
    }
    if let Some((_, usual)) = ARITHMETIC.iter().find(|(known, _)| *known == name) {
        let (name, value, takes_next) = known(name);
        return match (value == *usual, name.as_str()) {
            (true, _) => ignored(word, takes_next),
            (_, "fmad") => made(
                format!(
                    "--refused={word} (a multiplication and an addition are always contracted)"
                ),
                takes_next,
            ),
            _ => made(format!("--inexact={word}"), takes_next),
        };
    }
    if FLAGS.contains(&name) {
        return ignored(word, false);
    }
    if VALUES.contains(&name) {
        if joined.is_none() && next.is_none() {
            let rewritten = format!("--refused={word} ({NO_VALUE}");
            return Some(NvccOption { rewritten, takes_next: false, has_wrong_value: true });
        }
        let (_, value, takes_next) = known(name);
        let words = if takes_next { format!("{word} {value}") } else { word.to_owned() };
        if let Some(wrong) = wrong_value(name, &value) {
            let rewritten = format!("--refused={words} ({wrong})");
            return Some(NvccOption { rewritten, takes_next, has_wrong_value: true });
        }
        return ignored(&words, takes_next);
    }
    if let Some((_, reason)) = REFUSED.iter().find(|(names, _)| names.contains(&name)) {
        return made(format!("--refused={word} ({reason})"), false);
    }
    if long.is_some() || name.starts_with(['I', 'D', 'U', 'h', 'V']) || OWN.contains(&name) {
        return None;
    }
    if JOINED.iter().any(|joined| name.starts_with(joined)) {
        return ignored(word, false);
    }
    made(format!("--refused={word} ({UNKNOWN})"), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args as _;

    fn of(words: &str) -> Vec<String> {
        let words = words.split(' ').map(OsString::from);
        rewritten(words).into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn the_readme_has_every_option() {
        // The README has their short names.
        const LONG: [&str; 7] = [
            "compile",
            "device-c",
            "device-link",
            "library",
            "library-path",
            "output-file",
            "verbose",
        ];
        let readme = include_str!("../README.md");
        let refused = REFUSED.iter().flat_map(|(names, _)| names.iter().copied());
        let arithmetic = ARITHMETIC.iter().map(|(name, _)| *name);
        let all = FLAGS.into_iter().chain(VALUES).chain(refused).chain(arithmetic);
        let is_there = |name: &str| {
            readme.contains(&format!("`-{name}`")) || readme.contains(&format!("`-{name}="))
        };
        let missing: Vec<&str> =
            all.filter(|name| !LONG.contains(name) && !is_there(name)).collect();
        assert!(missing.is_empty(), "README.md does not name {missing:?}");
    }

    /// What `--help` lists must not be taken for an option of nvcc.
    #[test]
    fn every_letter_of_run_is_its_own() {
        let run = crate::run::Arguments::augment_args(clap::Command::new("run"));
        for letter in run.get_arguments().filter_map(clap::Arg::get_short) {
            let words = format!("run -{letter} x.cu");
            assert_eq!(of(&words).join(" "), words);
        }
    }

    #[test]
    fn options_of_nvcc_are_rewritten() {
        for (given, wanted) in [
            ("run -O2 x.cu", "run|--ignored=-O2|x.cu"),
            (
                "run -std=c++17 -arch sm_70 x.cu",
                "run|--ignored=-std=c++17|--ignored=-arch sm_70|x.cu",
            ),
            ("run -o x x.cu -lcublas", "run|--ignored=-o x|x.cu|--ignored=-lcublas"),
            ("run -Xcompiler -fPIC x.cu", "run|--ignored=-Xcompiler -fPIC|x.cu"),
            ("run -Xcompiler -fopenmp x.cu", "run|-D_OPENMP=201511|x.cu"),
            ("run -Xcompiler=-O3,-fopenmp x.cu", "run|-D_OPENMP=201511|x.cu"),
            ("run -isystem a -Ib --define-macro=N=4 x.cu", "run|-Ia|-Ib|-DN=4|x.cu"),
            (
                "run --use_fast_math -ftz=true x.cu",
                "run|--inexact=--use_fast_math|--inexact=-ftz=true|x.cu",
            ),
            ("run x.cu --n 10 -- -O2", "run|x.cu|--n|10|--|-O2"),
            ("check -O2 x.cu", "check|-O2|x.cu"),
            (
                "run --Wreorder -Wreorder --save-temps x.cu",
                "run|--ignored=--Wreorder|--ignored=-Wreorder|--ignored=--save-temps|x.cu",
            ),
            ("run --threads 2 x.cu", "run|--threads|2|x.cu"),
            (
                "run -ewp -t4 -opt-info inline -ldir d x.cu",
                "run|--ignored=-ewp|--ignored=-t4|--ignored=-opt-info inline|--ignored=-ldir d|x.cu",
            ),
        ] {
            assert_eq!(of(given).join("|"), wanted, "{given}");
        }
        assert!(of("run -fmad=false x.cu")[1].starts_with("--refused=-fmad=false ("));
        assert!(of("run -c x.cu")[1].contains("let `cuda-sim nvcc` make objects"));
        assert!(of("run -foo x.cu")[1].contains("no such option"));
        for right in [
            "-std=c++20",
            "-arch=native",
            "-arch=sm_90a",
            "-gencode=arch=compute_80,code=[sm_80,compute_80]",
            "--generate-code=arch=compute_52,code=sm_52",
        ] {
            assert!(of(&format!("run {right} x.cu"))[1].starts_with("--ignored"), "{right}");
        }
        for (wrong, word) in [
            ("-std=c++42", "`c++42` is no dialect"),
            ("-arch=foo", "`foo` is no architecture"),
            ("-arch sm_10", "`sm_10` is no architecture"),
            ("-gencode=arch=compute_10,code=sm_80", "`compute_10` is no architecture"),
        ] {
            let said = &of(&format!("run {wrong} x.cu"))[1];
            assert!(said.starts_with("--refused") && said.contains(word), "{said}");
        }
    }
}
