//! `warpbook import`: results that `record --bundle` wrote on another machine, into this tree.

use crate::Outcome;
use crate::command::Root;
use crate::progress::say;
use anyhow::Result;
use std::path::PathBuf;

/// Copy the results of `record --bundle` from another machine into the chapters
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file that `record --bundle FILE` wrote
    file: PathBuf,
}

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    let project = root.project()?;
    for written in verify::record::import(&project, &arguments.file)? {
        say!("{}", project.relative(&written));
    }
    Ok(Outcome::Kept)
}
