//! Which options of `run` a kernel file has and which a program: those that are of no use are refused,
//! with what there is in their place.

use super::{Arguments, FULL, KernelFiles};
use crate::complaint::Complaint;
use anyhow::Result;
use kernel_file::Point;
use simt::Checks;

impl Arguments {
    /// An error for an option that nothing of what is run has.
    pub(super) fn refuse_useless(
        &self,
        kernels: &dyn KernelFiles,
        kernel_files: bool,
        programs: bool,
    ) -> Result<()> {
        let for_programs = self.first_for_programs(kernels.searches());
        if let Some((option, help)) = for_programs.filter(|_| !programs) {
            let message = format!("`{option}` is for programs, and this is a kernel file");
            return Err(Complaint::error(message, help));
        }
        let own = first_given([("--n", self.n.is_some()), ("--set", !self.set.is_empty())]);
        let options = kernels.options();
        let other = options.first().and_then(|option| option.split('=').next());
        let help = match own {
            Some(_) => "put a program's own arguments after `--`",
            None => "a program runs on the simulator; for a device, compile it with nvcc",
        };
        if let Some(option) = own.or(other).filter(|_| !kernel_files) {
            let message =
                format!("`{option}` is for kernel files, and this is a program with `main`");
            return Err(Complaint::error(message, help));
        }
        Ok(())
    }

    /// The options of a simulated run, as words.
    pub(super) fn for_both(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        words.extend(self.threads.map(|threads| format!("--threads={threads}")));
        words.extend(self.checks.map(|checks| format!("--checks={}", checks_word(checks))));
        words
    }

    pub(super) fn include_words(&self) -> impl Iterator<Item = String> {
        self.include.iter().map(|folder| format!("-I{}", folder.display()))
    }

    /// The options that a kernel file has, as words.
    pub(super) fn for_kernel_files(&self, kernels: &dyn KernelFiles) -> Vec<String> {
        let mut words = self.for_both();
        words.extend(self.include_words().filter(|_| kernels.searches()));
        words.extend(self.n.map(|n| format!("--n={n}")));
        words.extend(self.lines.then(|| "--lines".to_owned()));
        for (name, value) in self.set.iter().flat_map(Point::values) {
            words.push(format!("--set={name}={value}"));
        }
        words
    }

    /// The options that a program has, as words.
    pub(super) fn for_programs(&self) -> Vec<String> {
        let mut words = self.for_both();
        words.extend(self.include_words());
        words.extend(self.define.iter().map(|define| format!("-D{define}")));
        words.extend(self.undefine.iter().map(|name| format!("-U{name}")));
        words.extend(self.error_exitcode.map(|code| format!("--error-exitcode={code}")));
        let limit = self.time_limit.map(|limit| limit.as_secs_f64());
        words.extend(limit.map(|seconds| format!("--time-limit={seconds}")));
        words.extend((self.leak_check == FULL).then(|| "--leak-check=full".to_owned()));
        words.extend(self.counters.then(|| "--counters".to_owned()));
        words.extend(self.baseline.iter().map(|path| format!("--baseline={}", path.display())));
        words.extend(self.werror.then(|| "--werror".to_owned()));
        words.extend(self.quiet.then(|| "--quiet".to_owned()));
        words.extend(self.lines.then(|| "--lines".to_owned()));
        words
    }

    /// The first given option that only programs have, and what there is in its place.
    pub(super) fn first_for_programs(
        &self,
        searches: bool,
    ) -> Option<(&'static str, &'static str)> {
        let macros = "write `#define NAME VALUE` into the file";
        let checked = "`cuda-sim check` has it for kernel files, too";
        let all = [
            ("-I", !searches && !self.include.is_empty(), "put the header beside the file"),
            ("-D", !self.define.is_empty(), macros),
            ("-U", !self.undefine.is_empty(), macros),
            ("--error-exitcode", self.error_exitcode.is_some(), "one that fails ends with code 1"),
            (
                "--time-limit",
                self.time_limit.is_some(),
                "a kernel without an end is stopped anyway",
            ),
            ("--leak-check", self.leak_check == FULL, "the memory of a kernel file is not its own"),
            ("--baseline", self.baseline.is_some(), checked),
            ("--werror", self.werror, checked),
            ("--quiet", self.quiet, "its exit code says whether it passes"),
            (
                "--",
                !self.arguments.is_empty(),
                "`--n 1000` is its size, and `--set NAME=VALUE` a variable of `//@ vary`",
            ),
        ];
        all.into_iter().find_map(|(option, is_given, help)| is_given.then_some((option, help)))
    }

    /// The first given option that only the simulator has.
    pub fn first_for_simulator(&self) -> Option<&'static str> {
        first_given([
            ("--threads", self.threads.is_some()),
            ("--checks", self.checks.is_some()),
            ("--lines", self.lines),
        ])
    }
}

fn first_given<const N: usize>(options: [(&'static str, bool); N]) -> Option<&'static str> {
    options.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
}

/// The word for it.
fn checks_word(checks: Checks) -> &'static str {
    match checks {
        Checks::Bare => "bare",
        Checks::Counters => "counters",
        Checks::All => "all",
    }
}
