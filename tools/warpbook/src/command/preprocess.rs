//! `warpbook preprocess`: what `mdbook` itself calls.
//!
//! The protocol is mdBook's: the book arrives as JSON on stdin and leaves as JSON on stdout;
//! `supports RENDERER` answers by its exit code. So nothing but the book may go to stdout here.

use crate::Outcome;
use crate::command::verify_child;
use crate::complaint::{self, Complaint};
use crate::{module, site};
use anyhow::{Context, Result};
use mdbook_cuda::Cuda;
use mdbook_preprocessor::{MDBOOK_VERSION, Preprocessor, parse_input};
use std::io::{IsTerminal, Write};
use verify::Project;

/// The mdBook preprocessor; mdbook calls it
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    question: Option<Question>,
}

#[derive(Debug, clap::Subcommand)]
enum Question {
    /// Exit with 0 if this renderer is supported
    Supports {
        /// The renderer's name
        renderer: String,
    },
}

pub(super) fn execute(arguments: &Arguments) -> Result<Outcome> {
    if let Some(Question::Supports { renderer }) = &arguments.question {
        let supported = Cuda::default().supports_renderer(renderer)?;
        return Ok(if supported { Outcome::Kept } else { Outcome::Broken });
    }
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err(Complaint::error(
            "`preprocess` expects a book from mdbook on its input",
            "run `mdbook serve` or `mdbook build`, which call it; to read the book: `warpbook serve`",
        ));
    }
    let (context, book) = parse_input(stdin.lock())?;
    if series(&context.mdbook_version) != series(MDBOOK_VERSION) {
        cuda_sim::tell!(
            "warning: this is mdbook {}; the book is made for {}.x",
            context.mdbook_version,
            series(MDBOOK_VERSION)
        );
    }
    let project = Project::find(&context.root)?;
    if let Err(error) = site::refuse_outside(&project, &context.config, false) {
        complaint::print(&error);
        return Ok(Outcome::Broken);
    }
    // mdbook copies the committed module even if `warpbook lab` has built a newer one.
    let old_module = module::committed_is_old(&project)?;
    let cuda = Cuda::new(mdbook_cuda::Options { strict: false, old_module })
        .with_workers(verify_child::workers(&project)?);
    let book = match cuda.run(&context, book) {
        Ok(book) => book,
        Err(error) => {
            complaint::print(&error);
            return Ok(Outcome::Broken);
        }
    };
    let json = serde_json::to_vec(&book)?;
    std::io::stdout().lock().write_all(&json).context("handing the book back to mdbook")?;
    Ok(Outcome::Kept)
}

/// `0.5` of `0.5.4`: what must agree.
fn series(version: &str) -> &str {
    let end = version.match_indices('.').nth(1).map_or(version.len(), |(at, _)| at);
    &version[..end]
}
