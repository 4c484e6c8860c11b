//! `warpbook import`: results that `record --bundle` wrote on another machine, into this tree.

use crate::Outcome;
use crate::progress::say;
use anyhow::Result;
use clap::{Arg, ArgMatches, Command, value_parser};
use std::path::PathBuf;

pub(super) fn arguments() -> Command {
    Command::new("import")
        .about("Put the results of `record --bundle` on another machine into the chapters")
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required(true)
                .help("What `record --bundle FILE` wrote"),
        )
}

pub(super) fn execute(matches: &ArgMatches) -> Result<Outcome> {
    let project = super::project(matches)?;
    let file = matches.get_one::<PathBuf>("file").expect("it is required");
    for written in verify::record::import(&project, file)? {
        say!("{}", project.relative(&written));
    }
    Ok(Outcome::Kept)
}
