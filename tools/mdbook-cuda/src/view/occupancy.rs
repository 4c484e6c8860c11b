//! `{{#occupancy}}`: the resources of a multiprocessor, and how much of them the resident blocks use.
//!
//! With options it is a diagram: a bar per resource, cut into blocks, against its limit. Without, it
//! is a calculator that a script runs in the page ([`calculator`]); where scripts do not run, a table
//! stays in its place.

use super::part::diagram::{self, Diagram, Drawn};
use super::part::number;
use super::part::svg::{Anchor, Drawing, TRACK, WIDTH};
use crate::directive::{Arguments, Context, Directive};
use std::fmt::Write;
use verify::occupancy::{ARCHITECTURES, Architecture, Limit, Occupancy, Usage, occupancy};

#[derive(Debug)]
struct Occupied {
    arch: &'static Architecture,
    usage: Usage,
}

#[derive(Debug)]
struct Calculator;

/// Reads `{{#occupancy block=256}}` and `{{#occupancy}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| {
        if options.is_empty() {
            return Ok(Box::new(Calculator));
        }
        options.no_words()?;
        Ok(Box::new(Occupied { usage: options.usage()?, arch: options.architecture()? }))
    })
}

impl Diagram for Occupied {
    fn name(&self) -> String {
        let Usage { block, registers, shared } = self.usage;
        format!("occupancy-{block}-{registers}-{shared}-{}", self.arch.label())
    }

    fn draw(&self, _page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        Ok(draw(self.arch, self.usage, id))
    }
}

impl Diagram for Calculator {
    fn name(&self) -> String {
        "calculator".to_string()
    }

    fn draw(&self, _page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        Ok(Drawn::figure(calculator(id)))
    }
}

const SLOT: f64 = 38.0;

/// One resource: what the resident blocks use of it, its limit, and its colour.
struct Resource {
    limit: Limit,
    used: u32,
    /// What so many blocks and one more would need of it.
    with_one_more: u32,
    available: u32,
    class: &'static str,
    unit: &'static str,
}

fn resources(arch: &Architecture, found: &Occupancy) -> [Resource; 4] {
    let of = |limit, each: u32, available, class, unit| Resource {
        limit,
        used: each * found.blocks,
        with_one_more: each * (found.blocks + 1),
        available,
        class,
        unit,
    };
    [
        of(Limit::Warps, found.warps_per_block, arch.max_warps_per_sm, "cuda-fill-bar", ""),
        of(Limit::Blocks, 1, arch.max_blocks_per_sm, "cuda-fill-bar", ""),
        of(
            Limit::Registers,
            found.registers_per_block,
            arch.registers_per_sm,
            "cuda-fill-registers",
            "",
        ),
        of(Limit::Shared, found.shared_per_block, arch.shared_per_sm, "cuda-fill-shared", " bytes"),
    ]
}

/// The diagram.
fn draw(arch: &Architecture, usage: Usage, id: &str) -> Drawn {
    let found = occupancy(arch, usage);
    let limits: Vec<Limit> = found.limited_by().collect();
    let mut drawing = Drawing::default();
    let mut y = 2.0;
    let mut said = Vec::new();
    for resource in resources(arch, &found) {
        let stops = limits.contains(&resource.limit);
        let text = format!(
            "{}: {} of {}{}{}",
            resource.limit.name(),
            number::count(u64::from(resource.used)),
            number::count(u64::from(resource.available)),
            resource.unit,
            if stops { ", the limit" } else { "" }
        );
        let class = if stops { "cuda-label cuda-stops" } else { "cuda-label" };
        drawing.text(class, (4.0, y + 12.0), Anchor::Start, &text);
        said.push(text);
        let width = WIDTH - 8.0;
        let top = y + 17.0;
        drawing.track(top);
        let each = f64::from(resource.used) / f64::from(resource.available) * width
            / f64::from(found.blocks.max(1));
        for block in 0..found.blocks {
            let gap = if each > 3.0 { 1.0 } else { 0.0 };
            let x = 4.0 + each * f64::from(block);
            drawing.rect(resource.class, x, top, each - gap, TRACK);
        }
        y += SLOT;
    }
    let sentence = sentence(arch, usage, &found);
    let title = format!("Occupancy of a multiprocessor of compute capability {}", arch.label());
    let svg = drawing.finish(y, id, &title, &format!("{sentence} {}.", said.join("; ")));
    let html = format!(
        "<figure class=\"cuda-figure\">\n{svg}<figcaption><p>{sentence}</p></figcaption>\n</figure>"
    );
    Drawn { html, sentence }
}

fn sentence(arch: &Architecture, usage: Usage, found: &Occupancy) -> String {
    let limits: Vec<Limit> = found.limited_by().collect();
    let short = resources(arch, found).into_iter().filter(|r| limits.contains(&r.limit));
    let short: Vec<String> = short
        .map(|resource| {
            let count = |value: u32| number::count(u64::from(value));
            let (needed, available) = (count(resource.with_one_more), count(resource.available));
            let (name, unit) = (resource.limit.name(), resource.unit);
            let blocks = match found.blocks + 1 {
                1 => "one block".to_owned(),
                blocks => format!("{} blocks", count(blocks)),
            };
            format!("{name} ({blocks} would need {needed}, and there are {available}{unit})")
        })
        .collect();
    format!(
        "Compute capability {}, {} threads per block, {} registers per thread, {} bytes of shared \
         memory per block: {} {}, {} of {} warps, an occupancy of {}. What runs out: {}.",
        arch.label(),
        number::count(u64::from(usage.block)),
        usage.registers,
        number::count(u64::from(usage.shared)),
        found.blocks,
        if found.blocks == 1 { "block fits" } else { "blocks fit" },
        found.warps,
        found.max_warps,
        number::percent(found.share()),
        short.join(", "),
    )
}

/// The calculator: a form and the table of limits for the script, and a table of results for a page
/// without scripts.
fn calculator(id: &str) -> String {
    let data: Vec<String> = ARCHITECTURES
        .iter()
        .map(|arch| {
            let fields: Vec<String> =
                arch.fields().iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
            format!(
                "{{\"capability\":\"{}\",\"name\":\"{}\",{}}}",
                arch.label(),
                arch.name,
                fields.join(",")
            )
        })
        .collect();
    let mut options = String::new();
    for arch in &ARCHITECTURES {
        let selected = if arch.label() == "9.0" { " selected" } else { "" };
        let _ = write!(
            options,
            "<option value=\"{0}\"{selected}>{0} {1}</option>",
            arch.label(),
            arch.name
        );
    }
    format!(
        "<figure class=\"cuda-figure cuda-calculator\" id=\"{id}\">\n\
         <form hidden>\n\
         <label>compute capability <select name=\"capability\">{options}</select></label>\n\
         <label>threads per block <input name=\"block\" type=\"number\" min=\"1\" max=\"1024\" value=\"256\"></label>\n\
         <label>registers per thread <input name=\"registers\" type=\"number\" min=\"0\" max=\"255\" value=\"32\"></label>\n\
         <label>bytes of shared memory per block <input name=\"shared\" type=\"number\" min=\"0\" max=\"232448\" value=\"0\"></label>\n\
         </form>\n\
         <div class=\"cuda-answer\" aria-live=\"polite\"></div>\n\
         <div class=\"cuda-without-script\">\n{}</div>\n\
         <script type=\"application/json\" class=\"cuda-architectures\">[{}]</script>\n\
         </figure>",
        unscripted(),
        data.join(",")
    )
}

/// Blocks that fit and occupancy, for usual block sizes and registers on compute capability 9.0.
fn unscripted() -> String {
    let Some(arch) = Architecture::of((9, 0)) else { return String::new() };
    let registers = [16, 32, 64, 128, 255];
    let mut out = format!(
        "<p class=\"cuda-caption\">Occupancy on compute capability {}, without shared memory</p>\n\
         <div class=\"cuda-scroll\"><table class=\"cuda-table cuda-wrap\">\n<thead><tr><th class=\"cuda-num\">threads \
         per block</th>",
        arch.label()
    );
    for count in registers {
        let _ = write!(out, "<th class=\"cuda-num\">{count} registers</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for block in [32, 64, 128, 256, 512, 1024] {
        let _ = write!(out, "<tr><th class=\"cuda-num\">{block}</th>");
        for count in registers {
            let found = occupancy(arch, Usage { block, registers: count, shared: 0 });
            let text = match found.blocks {
                0 => "does not fit".to_string(),
                _ => number::percent(found.share()),
            };
            let _ = write!(out, "<td class=\"cuda-num\">{text}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}
