//! `warpbook build`: the book as a folder of pages, `target/book`.

use crate::progress::{Progress, say};
use crate::site::{self, Purpose};
use crate::{Outcome, complaint, links, log};
use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::time::Instant;

pub(super) fn arguments() -> Command {
    Command::new("build").about("Build the book into target/book").arg(
        Arg::new("strict")
            .long("strict")
            .action(ArgAction::SetTrue)
            .help("Accept no stale or missing results, no warnings and no link that leads nowhere"),
    )
}

pub(super) fn execute(matches: &ArgMatches) -> Result<Outcome> {
    let project = super::project(matches)?;
    let strict = matches.get_flag("strict");
    let place = project.root.join("target/book");
    let fresh = project.root.join("target/book.new");
    let started = Instant::now();

    let mut progress = Progress::new();
    progress.step("building and verifying the book ...");
    let pages = match site::build(&project, &fresh, Purpose::Keep { strict }) {
        Ok(pages) => pages,
        Err(error) => {
            progress.clear();
            complaint::print(&error);
            return Ok(Outcome::Broken);
        }
    };
    if strict {
        progress.step("checking links ...");
        let broken = links::check(&pages, &project)?;
        progress.clear();
        for link in &broken {
            eprintln!("error: {link}");
        }
        let warnings = log::warnings();
        if !broken.is_empty() || warnings > 0 {
            eprintln!(
                "error: --strict accepts no broken links ({}) and no warnings ({warnings})",
                broken.len()
            );
            eprintln!("help: the pages can be looked at in {}", project.relative(&pages));
            return Ok(Outcome::Broken);
        }
    }
    progress.clear();
    site::replace(&place, &fresh)?;
    let seconds = started.elapsed().as_secs_f64();
    say!("The book is in {} (built in {seconds:.1} s).", project.relative(&place));
    Ok(Outcome::Kept)
}
