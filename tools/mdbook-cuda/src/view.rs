//! Views: one file per directive, which reads it and renders it from [`crate::facts`].
//!
//! A view imports the facts and the shared [`part`]s, and no other view. A new directive is one
//! file here and one row in [`DIRECTIVES`].

pub(crate) mod fence;
pub(crate) mod part;
mod phases;

mod architectures;
mod banks;
mod buffers;
mod claims;
mod counters;
mod coverage;
mod device;
mod diff;
mod exercise;
mod experiment;
mod glance;
mod hardware;
mod kernel;
mod ladder;
mod lanes;
mod layout;
mod measured;
mod occupancy;
mod provenance;
mod question;
mod quiz;
mod roofline;
mod sectors;
mod sweep;
mod tiles;
mod timeline;
mod waves;

use crate::directive::{Arguments, Directive, Parse};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::words::words;
use verify::page::MDBOOK;

/// A row of the table of directives.
pub(crate) struct Definition {
    /// Its name.
    pub(crate) name: &'static str,
    /// How it is written.
    pub(crate) form: &'static str,
    parse: Parse,
}

const fn row(name: &'static str, form: &'static str, parse: Parse) -> Definition {
    Definition { name, form, parse }
}

/// Every directive. `appendix/directives.md` documents them for authors.
pub(crate) const DIRECTIVES: [Definition; 37] = [
    row("kernel", "{{#kernel kernels/FILE.cu}}", kernel::kernel),
    row("glance", "{{#glance kernels/FILE.cu line=12 without=14}}", glance::parse),
    row("ladder", "{{#ladder}}", ladder::parse),
    row("counters", "{{#counters kernels/A.cu kernels/B.cu}}", counters::counters),
    row("diff", "{{#diff kernels/OLD.cu kernels/NEW.cu}}", diff::parse),
    row("finding", "{{#finding kernels/bad_FILE.cu}}", kernel::finding),
    row("sweep", "{{#sweep kernels/FILE.cu gbps}}", sweep::parse),
    row("sass", "{{#sass kernels/FILE.cu}}", hardware::sass),
    row("experiment", "{{#experiment NAME}}", experiment::experiment),
    row("claim", "{{#claim ID}}", claims::claim),
    row("claims", "{{#claims}}", claims::claims),
    row("coverage", "{{#coverage}}", coverage::parse),
    row("provenance", "{{#provenance}}", provenance::parse),
    row("device", "{{#device}}", device::parse),
    row("measured", "{{#measured kernels/FILE.cu 2^24 gbps}}", measured::parse),
    row(
        "factor",
        "{{#factor kernels/A.cu 2^24 time_us over kernels/B.cu 2^24 time_us}}",
        measured::factor,
    ),
    row("counter", "{{#counter kernels/FILE.cu NAME}}", counters::counter),
    row("hardware", "{{#hardware kernels/FILE.cu METRIC}}", hardware::hardware),
    row("value", "{{#value EXPERIMENT \"row\" gbps}}", experiment::value),
    row("question", "{{#question NAME}}", question::question),
    row("quiz", "{{#quiz ID ID}}", quiz::quiz),
    row("review", "{{#review}}", quiz::review),
    row("exercise", "{{#exercise FILE.cu}}", exercise::exercise),
    row("exercises", "{{#exercises}}", exercise::exercises),
    row("progress", "{{#progress}}", question::progress),
    row("lanes", "{{#lanes kernels/FILE.cu}}", lanes::parse),
    row("sectors", "{{#sectors kernels/FILE.cu line=12}}", sectors::parse),
    row("banks", "{{#banks kernels/FILE.cu line=12}}", banks::parse),
    row("layout", "{{#layout kernels/FILE.cu line=12}}", layout::parse),
    row("buffers", "{{#buffers kernels/FILE.cu array=tiles parts=2}}", buffers::parse),
    row("phases", "{{#phases kernels/FILE.cu full empty}}", phases::parse),
    row("tiles", "{{#tiles kernels/FILE.cu step=0,1,2}}", tiles::parse),
    row("waves", "{{#waves grid=1000 block=256 cc=9.0}}", waves::parse),
    row("occupancy", "{{#occupancy cc=9.0 block=256 regs=32 shared=0}}", occupancy::parse),
    row("architectures", "{{#architectures}}", architectures::parse),
    row("roofline", "{{#roofline kernels/A.cu kernels/B.cu}}", roofline::parse),
    row("timeline", "{{#timeline EXPERIMENT}}", timeline::parse),
];

/// Reads a directive: the text between `{{#` and `}}`.
pub(crate) fn parse(text: &str) -> Result<Box<dyn Directive>, String> {
    let all = words(text)?;
    let name = all.first().map(String::as_str).unwrap_or_default();
    let Some(definition) = DIRECTIVES.iter().find(|definition| definition.name == name) else {
        let names = DIRECTIVES.iter().map(|definition| definition.name).chain(MDBOOK);
        let hint = suggestion_or_list(name, names);
        return Err(format!("unknown directive `{{{{#{name}}}}}`{hint}"));
    };
    (definition.parse)(&Arguments { text, form: definition.form, words: &all[1..] })
}
