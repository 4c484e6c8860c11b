//! Arrays of shared memory, element by element. They may be large and are the same for every lane, so
//! they are shown apart from the variables, and in ranges.

use crate::isa::{Debug, Home, Layout};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::history::History;

/// An array of the block's shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// Index into [`History::variables`].
    pub variable: usize,
    /// The number of its innermost elements; of `extern __shared__`, as many as the launch gives.
    pub count: u32,
    /// Bytes from the start of shared memory, and per element.
    start: u32,
    size: u32,
}

impl History {
    /// The arrays of shared memory, in the order in which the code uses them. A struct or a union that
    /// holds an array is not one.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// At most `most` elements of an array after a step, from number `from` on: each as in
    /// [`crate::observe::history::Shown::values`], `None` if nothing was written yet, and whether the step
    /// wrote it.
    pub fn elements(
        &self,
        tile: &Tile,
        from: u32,
        most: u32,
        step: usize,
    ) -> Vec<(Option<String>, bool)> {
        let Some((layout, _)) = &self.debug.variables[tile.variable].element else {
            return Vec::new();
        };
        let until = from.saturating_add(most).min(tile.count);
        (from..until).map(|i| self.element(layout, tile.start + i * tile.size, step)).collect()
    }

    fn element(&self, layout: &Layout, at: u32, step: usize) -> (Option<String>, bool) {
        let (mut leaves, mut changed) = (Vec::new(), false);
        layout.scalars(&mut |scalar, _, offset| {
            leaves.push(self.memory_leaf(false, at + offset, scalar, step, &mut changed));
        });
        let there = leaves.iter().any(|leaf| leaf.there & 1 != 0);
        let text = there.then(|| {
            let mut text = String::new();
            self.write(layout, &mut leaves.iter(), 0, &mut text);
            text
        });
        (text, changed)
    }
}

/// The arrays of a kernel's shared memory, each once.
pub(crate) fn of(prepared: &PreparedKernel<'_>, debug: &Debug) -> Vec<Tile> {
    let bytes = prepared.shared_words as u32 * 4;
    let mut tiles: Vec<Tile> = Vec::new();
    for life in &debug.lives {
        let Home::Shared(object) = life.home else { continue };
        let variable = life.variable as usize;
        let element = debug.variables.get(variable).and_then(|v| v.element.as_ref());
        let object = prepared.kernel.shared.get(usize::from(object));
        let (Some((_, size)), Some(object)) = (element, object) else { continue };
        let all = if object.dynamic { bytes.saturating_sub(object.offset) } else { object.size };
        let tile = Tile { variable, count: all / size, start: object.offset, size: *size };
        if tile.count > 0 && !tiles.iter().any(|t| t.start == tile.start) {
            tiles.push(tile);
        }
    }
    tiles
}
