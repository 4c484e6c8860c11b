//! The formats in which results are written: for people, and for CI services and editors.

mod github;
mod human;
mod junit;
mod sarif;

use crate::results::Results;
use anyhow::{Context, Result};
use clap::ValueEnum;
use clap::error::{ContextKind, ContextValue};
use kernel_file::suggest::nearest;
use std::path::Path;

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// As a terminal shows it
    Human,
    /// This program's own, which is also a baseline
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML: one test case per file
    Junit,
    /// Workflow commands of GitHub Actions, which annotate lines
    Github,
}

impl Format {
    /// The one that the name of a report ends with.
    pub(crate) fn of(report: &Path) -> Option<Format> {
        match report.extension()?.to_str()? {
            "json" => Some(Format::Json),
            "sarif" => Some(Format::Sarif),
            "xml" => Some(Format::Junit),
            _ => None,
        }
    }

    /// The results in this format.
    ///
    /// # Errors
    /// Never for results that this program makes: text that a format cannot hold is replaced.
    pub fn text(self, results: &Results) -> Result<String> {
        match self {
            Format::Human => Ok(human::text(results)),
            Format::Json => {
                let text = serde_json::to_string_pretty(results).context("writing JSON")?;
                Ok(text + "\n")
            }
            Format::Sarif => sarif::text(results),
            Format::Junit => junit::text(results),
            Format::Github => Ok(github::text(results)),
        }
    }
}

/// Clap's tip for an option that does not exist is to put it behind `--`. That helps where a program's
/// arguments stand there, and hides what is meant where the option is a format. For two letters in the
/// wrong order (`rnu`) it has none.
pub fn helpful(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && error.get(ContextKind::SuggestedSubcommand).is_none()
    {
        let names = command.get_subcommands().filter(|command| !command.is_hide_set());
        if let Some(near) = nearest(word, names.map(clap::Command::get_name)) {
            let near = ContextValue::Strings(vec![near.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, near);
        }
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let formats = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let mut names = formats.map(|format| format.get_name().to_owned());
    if let Some(format) = names.find(|name| option.strip_prefix("--") == Some(name.as_str())) {
        error.remove(ContextKind::Suggested);
        let option = ContextValue::String(format!("--format {format}"));
        error.insert(ContextKind::SuggestedArg, option);
    }
    // Of two tips the one that names an option is likelier.
    if error.get(ContextKind::SuggestedArg).is_some() {
        error.remove(ContextKind::Suggested);
    }
    error
}
