//! `{{#occupancy}}`: what a multiprocessor has, and how much of it the blocks that fit take.
//!
//! With numbers it is a picture: a bar for each resource, cut into blocks, against its limit.
//! Without, it is a calculator that works in the page ([`live`]); where scripts do not run, the
//! table that it starts with stays.

use super::Drawn;
use crate::number;
use crate::svg::{Anchor, Drawing, WIDTH};
use std::fmt::Write;
use verify::occupancy::{ARCHITECTURES, Architecture, Limit, Occupancy, Usage, occupancy};

const BAR: f64 = 16.0;
const SLOT: f64 = 38.0;

/// One resource: its name, what the blocks take, what there is, its colour.
struct Resource {
    limit: Limit,
    taken: u32,
    there: u32,
    class: &'static str,
    unit: &'static str,
}

fn resources(arch: &Architecture, found: &Occupancy) -> [Resource; 4] {
    let of = |limit, each: u32, there, class, unit| Resource {
        limit,
        taken: each * found.blocks,
        there,
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

/// The picture.
pub(super) fn html(arch: &Architecture, usage: Usage, id: &str) -> Drawn {
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
            number::count(u64::from(resource.taken)),
            number::count(u64::from(resource.there)),
            resource.unit,
            if stops { ", the limit" } else { "" }
        );
        let class = if stops { "cuda-label cuda-stops" } else { "cuda-label" };
        drawing.text(class, (4.0, y + 12.0), Anchor::Start, &text);
        said.push(text);
        let width = WIDTH - 8.0;
        let top = y + 17.0;
        drawing.rect("cuda-idle", 4.5, top + 0.5, width - 1.0, BAR - 1.0);
        let each = f64::from(resource.taken) / f64::from(resource.there) * width
            / f64::from(found.blocks.max(1));
        for block in 0..found.blocks {
            let gap = if each > 3.0 { 1.0 } else { 0.0 };
            let x = 4.0 + each * f64::from(block);
            drawing.rect(resource.class, x, top, each - gap, BAR);
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
    let limits: Vec<&str> = found.limited_by().map(Limit::name).collect();
    format!(
        "Compute capability {}, {} threads a block, {} registers a thread, {} bytes of shared \
         memory a block: {} blocks fit, {} of {} warps, an occupancy of {}. What runs out: {}.",
        arch.label(),
        number::count(u64::from(usage.block)),
        usage.registers,
        number::count(u64::from(usage.shared)),
        found.blocks,
        found.warps,
        found.max_warps,
        number::percent(found.share()),
        limits.join(", "),
    )
}

/// The calculator: a form for the script, the table of limits as data, and what is known without a
/// script.
pub(super) fn live(id: &str) -> String {
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
         <label>threads a block <input name=\"block\" type=\"number\" min=\"1\" max=\"1024\" value=\"256\"></label>\n\
         <label>registers a thread <input name=\"registers\" type=\"number\" min=\"0\" max=\"255\" value=\"32\"></label>\n\
         <label>bytes of shared memory a block <input name=\"shared\" type=\"number\" min=\"0\" max=\"232448\" value=\"0\"></label>\n\
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
         a block</th>",
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
