//! The formats in which results are written: for people, and for CI services and editors.

mod github;
mod human;
mod junit;
mod sarif;

use crate::results::Results;
use anyhow::{Context, Result};
use clap::ValueEnum;

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
