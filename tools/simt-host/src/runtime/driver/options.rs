//! The options of `nvrtcCompileProgram`: honoured, without effect here, or refused.

/// What options say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// Directives before the text.
    pub(super) before: String,
    /// Folders of headers.
    pub(super) folders: Vec<String>,
    /// Headers that are not looked up beside the program.
    pub(super) not_beside: bool,
    /// Whether the architecture is a virtual one, for which there is no machine code.
    pub(super) is_virtual: bool,
    /// Functions without execution space specifiers are for the device, too.
    pub(super) default_device: bool,
    /// Those that would make arithmetic less exact.
    pub(super) inexact: Vec<String>,
}

/// Options without a value that have no effect on what a kernel computes.
const FLAGS: [&str; 31] = [
    "G",
    "device-debug",
    "lineinfo",
    "generate-line-info",
    "dc",
    "device-c",
    "dw",
    "device-w",
    "dlto",
    "dlink-time-opt",
    "gen-opt-lto",
    "extra-device-vectorization",
    "ewp",
    "extensible-whole-program",
    "restrict",
    "w",
    "disable-warnings",
    "minimal",
    "no-cache",
    "no-display-error-number",
    "display-error-number",
    "brief-diagnostics",
    "device-int128",
    "device-float128",
    "extended-lambda",
    "device-stack-protector",
    "pch",
    "create-pch",
    "ftemplate-backtrace-limit",
    "src-in-ptx",
    "err-no",
];

/// Options with a value that have no effect on what a kernel computes.
const VALUES: [&str; 24] = [
    "std",
    "maxrregcount",
    "ptxas-options",
    "Xptxas",
    "relocatable-device-code",
    "rdc",
    "dopt",
    "Ofast-compile",
    "modify-stack-limit",
    "builtin-move-forward",
    "builtin-initializer-list",
    "jump-table-density",
    "split-compile",
    "diag-error",
    "diag-suppress",
    "diag-warn",
    "version-ident",
    "frandom-seed",
    "fdevice-time-trace",
    "time",
    "pch-dir",
    "brief-diagnostics",
    "use-local-env",
    "optimization-info",
];

/// Options of arithmetic: the name, and the value that is the simulator's behaviour.
const ARITHMETIC: [(&str, &str); 3] =
    [("ftz", "false"), ("prec-div", "true"), ("prec-sqrt", "true")];

impl Options {
    /// Reads options; an error says what is wrong with one.
    pub(super) fn parse(words: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let word = word.trim();
            let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
            let Some(name) = name.filter(|name| !name.is_empty()) else {
                return Err(format!("`{word}` is no option"));
            };
            let (long, joined) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (name, None),
            };
            let short = ["D", "U", "I"]
                .into_iter()
                .find(|short| long == *short || !word.starts_with("--") && name.starts_with(short));
            if let Some(short) = short {
                let value = match name[1..].trim_start_matches('=').trim_start() {
                    "" => words.next().map(|next| next.trim()),
                    value => Some(value),
                };
                let value = value.ok_or_else(|| format!("`{word}` needs a value"))?;
                options.directive(short, value)?;
                continue;
            }
            let mut value = || {
                joined
                    .or_else(|| words.next().map(String::as_str))
                    .ok_or_else(|| format!("`{word}` needs a value"))
            };
            match long {
                "define-macro" => options.directive("D", value()?)?,
                "undefine-macro" => options.directive("U", value()?)?,
                "include-path" => options.directive("I", value()?)?,
                "pre-include" | "include" => {
                    let file = value()?;
                    options.before += &format!("#include \"{file}\"\n");
                }
                "gpu-architecture" | "arch" => {
                    options.is_virtual = value()?.starts_with("compute_")
                }
                "no-source-include" => options.not_beside = true,
                "default-device" | "device-as-default-execution-space" => {
                    options.default_device = true;
                }
                "use_fast_math" => options.inexact.push(word.to_owned()),
                "fmad" if value()? == "true" => {}
                "fmad" => {
                    return Err(format!(
                        "cannot do `{word}`: a multiplication and an addition are always contracted"
                    ));
                }
                _ => options.other(word, long, joined, &mut words)?,
            }
        }
        Ok(options)
    }

    fn directive(&mut self, option: &str, value: &str) -> Result<(), String> {
        if value.contains('\n') {
            return Err(format!("`-{option}` has a value of several lines"));
        }
        match option {
            "I" => self.folders.push(value.to_owned()),
            "U" => self.before += &format!("#undef {value}\n"),
            _ => {
                let (name, value) = value.split_once('=').unwrap_or((value, "1"));
                self.before += &format!("#define {name} {value}\n");
            }
        }
        Ok(())
    }

    /// An option that changes no result, or one that is refused.
    fn other(
        &mut self,
        word: &str,
        name: &str,
        joined: Option<&str>,
        words: &mut std::slice::Iter<'_, String>,
    ) -> Result<(), String> {
        if let Some((_, usual)) = ARITHMETIC.iter().find(|(known, _)| *known == name) {
            let value = joined.or_else(|| words.next().map(String::as_str)).unwrap_or_default();
            if value != *usual {
                self.inexact.push(word.to_owned());
            }
            return Ok(());
        }
        if FLAGS.contains(&name) {
            return Ok(());
        }
        if VALUES.contains(&name) {
            if joined.is_none() && words.next().is_none() {
                return Err(format!("`{word}` needs a value"));
            }
            return Ok(());
        }
        Err(match name {
            "optix-ir" | "optix_ir" => format!("cannot do `{word}`: there is no OptiX"),
            _ => format!("no option `{word}` is known"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Result<Options, String> {
        Options::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn macros_and_folders_are_honoured() {
        let words = [
            "-DA",
            "-D",
            "B=2",
            "--define-macro=C=x y",
            "-U D",
            "-Ia",
            "--include-path=b",
            "-I",
            "c",
            "--gpu-architecture=compute_90",
            "-default-stream",
            "x",
        ];
        assert_eq!(of(&words).unwrap_err(), "no option `-default-stream` is known");
        let options = of(&words[..10]).unwrap();
        assert_eq!(options.before, "#define A 1\n#define B 2\n#define C x y\n#undef D\n");
        assert_eq!(options.folders, ["a", "b", "c"]);
        assert!(options.is_virtual);
        assert!(!of(&["-arch", "sm_90"]).unwrap().is_virtual);
    }

    #[test]
    fn others_change_nothing_or_are_refused() {
        let options =
            of(&["--std=c++17", "-lineinfo", "-ftz=true", "--prec-div=true", "--dopt", "on"]);
        assert_eq!(options.unwrap().inexact, ["-ftz=true"]);
        for (words, why) in [
            (&["-D"][..], "`-D` needs a value"),
            (&["--maxrregcount"], "`--maxrregcount` needs a value"),
            (
                &["-fmad=false"],
                "cannot do `-fmad=false`: a multiplication and an addition are always contracted",
            ),
            (&["x.cu"], "`x.cu` is no option"),
            (&["-"], "`-` is no option"),
            (&["-DA=1\n#include <x>"], "`-D` has a value of several lines"),
        ] {
            assert_eq!(of(words).unwrap_err(), why);
        }
    }
}
