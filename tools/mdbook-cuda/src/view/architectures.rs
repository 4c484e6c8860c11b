//! `{{#architectures}}`: the resources of a multiprocessor, per compute capability.

use super::part::diagram::{self, Diagram, Drawn};
use super::part::number;
use crate::directive::{Arguments, Context, Directive};
use std::fmt::Write;
use verify::occupancy::ARCHITECTURES;

#[derive(Debug)]
struct Architectures;

/// Reads `{{#architectures}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| {
        options.no_words()?;
        Ok(Box::new(Architectures))
    })
}

impl Diagram for Architectures {
    fn name(&self) -> String {
        "architectures".to_string()
    }

    fn draw(&self, _page: &Context<'_>, _id: &str) -> Result<Drawn, String> {
        Ok(Drawn::figure(table()))
    }
}

fn table() -> String {
    let mut out = String::from(
        "<figure class=\"cuda-figure\">\n<p class=\"cuda-caption\">What one multiprocessor has, and \
         what one block or thread may take of it. Shared memory in KiB.</p>\n\
         <div class=\"cuda-scroll\"><table class=\"cuda-table cuda-wrap\">\n\
         <thead><tr><th>compute capability</th><th>generation</th>",
    );
    for heading in [
        "warps",
        "threads",
        "blocks",
        "registers",
        "registers per thread",
        "shared memory",
        "per block, by default",
        "per block, opt-in",
    ] {
        let _ = write!(out, "<th class=\"cuda-num\">{heading}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for arch in &ARCHITECTURES {
        let _ = write!(out, "<tr><th>{}</th><td>{}</td>", arch.label(), arch.name);
        for value in [
            arch.max_warps_per_sm,
            arch.max_threads_per_sm,
            arch.max_blocks_per_sm,
            arch.registers_per_sm,
            arch.max_registers_per_thread,
            arch.shared_per_sm / 1024,
            arch.shared_per_block / 1024,
            arch.shared_per_block_optin / 1024,
        ] {
            let _ = write!(out, "<td class=\"cuda-num\">{}</td>", number::count(u64::from(value)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n</figure>");
    out
}
