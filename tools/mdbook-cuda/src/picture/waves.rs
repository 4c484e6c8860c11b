//! `{{#waves}}`: the blocks of a grid, in the waves in which a whole device takes them.
//!
//! A model, and said to be one: all blocks take the same time and start together. Real blocks
//! drift apart, and the next starts when any one ends; but the last wave's emptiness remains.

use super::Drawn;
use crate::number;
use crate::svg::{Anchor, Drawing, WIDTH, key};
use verify::occupancy::{Architecture, Usage, occupancy};

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Waves {
    pub(crate) grid: u64,
    pub(crate) usage: Usage,
    pub(crate) arch: &'static Architecture,
    pub(crate) multiprocessors: u64,
}

/// Waves that are drawn one by one.
const DRAWN: u64 = 6;

const BAR: f64 = 16.0;
const SLOT: f64 = 36.0;

/// The figure.
pub(super) fn html(asked: &Waves, id: &str) -> Result<Drawn, String> {
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
    let capacity = each * asked.multiprocessors;
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
        asked.multiprocessors,
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

/// A share of what there is: filled up to it, empty from there on.
pub(super) fn bar(drawing: &mut Drawing, y: f64, share: f64, class: &str) {
    let width = WIDTH - 8.0;
    drawing.rect("cuda-idle", 4.5, y + 0.5, width - 1.0, BAR - 1.0);
    drawing.rect(class, 4.0, y, width * share.clamp(0.0, 1.0), BAR);
}
