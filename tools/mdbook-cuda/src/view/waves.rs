//! `{{#waves grid=1000 block=256}}`: the blocks of a grid, in the waves in which a device runs them.
//!
//! A model, and labelled as one: all blocks take the same time and start together. Real blocks drift
//! apart, and the next starts when any block ends; but the last wave stays as empty.

use super::part::diagram::{self, Diagram, Drawn};
use super::part::number;
use super::part::svg::{Anchor, Drawing, TRACK, WIDTH, key};
use crate::directive::{Arguments, Context, Directive};
use verify::occupancy::{Architecture, Usage, occupancy};
use verify::results::Machine;

#[derive(Debug)]
struct Waves {
    grid: u64,
    usage: Usage,
    arch: &'static Architecture,
    /// The device's multiprocessors; by default those of a recorded device.
    multiprocessors: Option<u64>,
}

/// Reads `{{#waves grid=1000 block=256}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| {
        options.no_words()?;
        let grid = options.number("grid")?.filter(|n| *n > 0);
        Ok(Box::new(Waves {
            usage: options.usage()?,
            arch: options.architecture()?,
            multiprocessors: options.number("sms")?.filter(|n| *n > 0),
            grid: grid.ok_or_else(|| options.wrong())?,
        }))
    })
}

impl Diagram for Waves {
    fn name(&self) -> String {
        let Usage { block, registers, shared } = self.usage;
        format!("waves-{}-{block}-{registers}-{shared}-{}", self.grid, self.arch.label())
    }

    fn draw(&self, page: &Context<'_>, id: &str) -> Result<Drawn, String> {
        let label = self.arch.label();
        let machines = page.facts.recordings.iter().chain(&page.facts.other_recordings);
        let machines = machines.map(|r| &r.results.machine);
        let same = |machine: &&Machine| machine.compute_capability == label;
        let recorded = machines.clone().find(same).map(|m| u64::from(m.multiprocessors));
        let multiprocessors = self.multiprocessors.or(recorded).ok_or_else(|| {
            format!(
                "no result of this chapter is of compute capability {label}: say how many multiprocessors, \
                 as in `sms=132`"
            )
        })?;
        draw(self, multiprocessors, id)
    }
}

/// Waves that are drawn one by one.
const DRAWN: u64 = 6;

const SLOT: f64 = 36.0;

/// The figure for a device with this many multiprocessors.
fn draw(asked: &Waves, multiprocessors: u64, id: &str) -> Result<Drawn, String> {
    let each = u64::from(occupancy(asked.arch, asked.usage).blocks);
    if each == 0 {
        return Err(format!(
            "a block of {} threads with {} registers each and {} bytes of shared memory does not \
             fit on a multiprocessor of compute capability {}",
            asked.usage.block,
            asked.usage.registers,
            asked.usage.shared,
            asked.arch.label()
        ));
    }
    let capacity = each * multiprocessors;
    let waves = asked.grid.div_ceil(capacity);
    let tail = asked.grid - (waves - 1) * capacity;
    let mut drawing = Drawing::default();
    let mut y = 2.0;
    let mut numbers: Vec<Option<u64>> = (1..=waves).map(Some).take(DRAWN as usize + 1).collect();
    if waves > DRAWN {
        numbers = vec![Some(1), Some(2), None, Some(waves - 1), Some(waves)];
    }
    for number in numbers {
        let Some(wave) = number else {
            let text = format!("… {} more full waves", number::count(waves - 4));
            drawing.text("cuda-tick", (4.0, y + 14.0), Anchor::Start, &text);
            y += 24.0;
            continue;
        };
        let blocks = if wave == waves { tail } else { capacity };
        let text = format!(
            "wave {}: {} of {} blocks",
            number::count(wave),
            number::count(blocks),
            number::count(capacity)
        );
        drawing.text("cuda-label", (4.0, y + 12.0), Anchor::Start, &text);
        bar(&mut drawing, y + 17.0, blocks as f64 / capacity as f64, "cuda-fill-bar");
        y += SLOT;
    }
    let busy = asked.grid as f64 / (waves * capacity) as f64;
    let sentence = format!(
        "A model: {} blocks of {} threads on {} multiprocessors of compute capability {}, {} blocks \
         on each at a time. {}; {} of the places are used.",
        number::count(asked.grid),
        asked.usage.block,
        multiprocessors,
        asked.arch.label(),
        each,
        if waves == 1 { "One wave".to_string() } else { format!("{} waves", number::count(waves)) },
        number::percent(busy),
    );
    let title = format!("Waves of {} blocks", number::count(asked.grid));
    let svg = drawing.finish(y, id, &title, &sentence);
    let html = format!(
        "<figure class=\"cuda-figure\">\n{svg}<figcaption><p class=\"cuda-keys\">{}{}</p>\
         <p>{sentence}</p></figcaption>\n</figure>",
        key("cuda-fill-bar", "blocks"),
        key("cuda-idle", "places that stay empty"),
    );
    Ok(Drawn { html, sentence })
}

/// A bar that is filled up to this share.
fn bar(drawing: &mut Drawing, y: f64, share: f64, class: &str) {
    let width = WIDTH - 8.0;
    drawing.track(y);
    drawing.rect(class, 4.0, y, width * share.clamp(0.0, 1.0), TRACK);
}
