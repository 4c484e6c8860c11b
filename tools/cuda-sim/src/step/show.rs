//! What the commands print.

use super::commands::Range;
use super::element::Element;
use super::session::{Line, Session};
use simt::observe::{ArraySpace, Touched, Waiting, Work};
use std::fmt::Write;

/// Elements of an array that are shown if no range is named, and at most.
const ELEMENTS: u32 = 32;
const MOST_ELEMENTS: u32 = 1024;

/// `lane 3`, `lanes 0-15, 17`.
fn named(mask: u32) -> String {
    let word = if mask.is_power_of_two() { "lane" } else { "lanes" };
    format!("{word} {}", lanes(mask))
}

/// `0-15, 17`.
fn lanes(mask: u32) -> String {
    let mut out = Vec::new();
    let mut lane = 0;
    while lane < 32 {
        if mask >> lane & 1 == 0 {
            lane += 1;
            continue;
        }
        let first = lane;
        while lane < 32 && mask >> lane & 1 != 0 {
            lane += 1;
        }
        out.push(if lane - first == 1 {
            first.to_string()
        } else {
            format!("{first}-{}", lane - 1)
        });
    }
    out.join(", ")
}

impl Session<'_> {
    /// What is recorded, and where the session is.
    pub(super) fn greeting(&self) -> String {
        let recorded = &self.recorded;
        let extent = |d: simt::Dim3| format!("({}, {}, {})", d.x, d.y, d.z);
        let cut = if recorded.history.cut() { "; there were more (--steps)" } else { "" };
        format!(
            "{}<<<{}, {}>>>: launch {}, block {}, {} warps, {} steps{cut}\n{}",
            recorded.kernel,
            extent(recorded.grid),
            extent(recorded.threads),
            recorded.launch,
            recorded.block,
            recorded.history.warps(),
            self.len(),
            self.place()
        )
    }

    /// The current step: its number, warp, lanes and line.
    pub(super) fn place(&self) -> String {
        let Some(moment) = self.moment(self.at) else { return String::new() };
        let sources = self.recorded.history.sources();
        let mut out = format!("step {}, warp {}, {}: ", self.at, moment.warp, named(moment.lanes));
        match self.line(self.at) {
            Some(line) => {
                let text = sources.text(moment.span).lines().next().unwrap_or_default();
                let what = match moment.work {
                    Work::Bookkeeping => String::new(),
                    work => format!(" {} `{text}`", format!("{work:?}").to_lowercase()),
                };
                let _ = write!(out, "{}{what}\n{}", self.name(line), self.source(line));
            }
            None => out.push_str("in a header of CUDA"),
        }
        out
    }

    /// `a.cu:12`.
    pub(super) fn name(&self, line: Line) -> String {
        format!("{}:{}", self.recorded.history.sources().name(line.file), line.line)
    }

    /// A numbered line of the source.
    fn source(&self, at: Line) -> String {
        let files = self.recorded.history.sources().files();
        let text = files.get(at.file as usize).map_or("", |(_, text)| text);
        let line = text.lines().nth((at.line as usize).saturating_sub(1));
        format!("{:>5} | {}", at.line, line.unwrap_or_default())
    }

    /// The lines around one.
    pub(super) fn list(&self, around: Line) -> String {
        let files = self.recorded.history.sources().files();
        let count = files.get(around.file as usize).map_or(0, |(_, text)| text.lines().count());
        let here = self.line(self.at);
        let lines = around.line.saturating_sub(5).max(1)..=(around.line + 5).min(count as u32);
        let lines = lines.map(|line| {
            let at = Line { line, ..around };
            let mark = if here == Some(at) { '>' } else { ' ' };
            format!("{mark}{}\n", self.source(at))
        });
        lines.collect()
    }

    /// Where each warp is.
    pub(super) fn warps(&self) -> String {
        let Some(snapshot) = self.recorded.history.after(self.at) else { return String::new() };
        let mut out = String::new();
        for (number, warp) in snapshot.warps.iter().enumerate() {
            let mark = if number as u32 == snapshot.moment.warp { '>' } else { ' ' };
            if warp.parts.is_empty() {
                let _ = writeln!(out, "{mark} warp {number}: done");
            }
            for part in &warp.parts {
                let state = match part.waits {
                    None => "can go on",
                    Some(Waiting::Barrier) => "waits at a barrier",
                    Some(Waiting::Lanes) => "waits for lanes of its mask",
                    Some(Waiting::Meeting) => "waits for the lanes that went another way",
                };
                let sources = self.recorded.history.sources();
                let line = sources.position(part.span).line;
                let active = named(part.lanes);
                let _ = writeln!(out, "{mark} warp {number}: {active} at line {line}: {state}");
            }
        }
        out
    }

    /// The variables of the focused lane, without arrays of shared memory. `*`: this step changed them.
    pub(super) fn locals(&self) -> String {
        let Some(snapshot) = self.recorded.history.after(self.at) else { return String::new() };
        let mut out = String::new();
        let history = &self.recorded.history;
        let is_shared = |at: usize| history.tiles().iter().any(|tile| tile.variable == at);
        for shown in snapshot.variables.iter().filter(|shown| !is_shared(shown.variable)) {
            let variable = &self.recorded.history.variables()[shown.variable];
            let value = shown.values[self.lane as usize].as_deref().unwrap_or("not there");
            let mark = if shown.changed { '*' } else { ' ' };
            let _ = writeln!(out, "{mark} {} {} = {value}", variable.ty, variable.name);
        }
        match out.is_empty() {
            true => "no variable is in scope here".to_owned(),
            false => format!("warp {}, lane {}:\n{out}", snapshot.moment.warp, self.lane),
        }
    }

    /// The arrays of shared memory.
    pub(super) fn shared(&self) -> String {
        let history = &self.recorded.history;
        let tiles = history.tiles().iter().map(|tile| {
            let variable = &history.variables()[tile.variable];
            format!("{} {}: {} elements\n", variable.ty, variable.name, tile.count)
        });
        let text: String = tiles.collect();
        if text.is_empty() { "the kernel has no array in shared memory".to_owned() } else { text }
    }

    /// What the current step accessed, lane by lane.
    pub(super) fn accesses(&self) -> String {
        let history = &self.recorded.history;
        let mut out = String::new();
        let mut shown = 0;
        for (touched, values) in history.accesses(self.at) {
            let Touched { space, verb, array, element, width, transactions, start, .. } = &touched;
            let space = format!("{space:?}").to_lowercase();
            let unit = if space == "shared" { "passes" } else { "sectors" };
            let own = touched.id().and_then(|id| self.pointer_to(id)).filter(|own| own != array);
            let own = own.map_or_else(String::new, |own| format!(" by `{own}`"));
            let _ = writeln!(
                out,
                "{verb} of `{array}`{own}, {space} memory, {width} bytes per lane, {transactions} {unit}"
            );
            for (lane, offset) in touched.lane_offsets() {
                shown |= 1 << lane;
                let index = offset.saturating_sub(*start) / element.max(&1);
                let ty = touched.id().and_then(|id| history.array(id)).map(|array| array.ty);
                let value = values.zip(ty).map(|(values, ty)| {
                    format!(" = {}", history.number(ty, values[lane as usize]))
                });
                let value = value.unwrap_or_default();
                let _ = writeln!(out, "  lane {lane:>2}: {array}[{index}]{value}");
            }
        }
        if out.is_empty() {
            return "this step accesses no memory".to_owned();
        }
        let others = self.moment(self.at).map_or(0, |moment| moment.lanes & !shown);
        if others != 0 {
            let who = named(others);
            let _ = writeln!(out, "  {who}: in no array here (`run` says where), or no access");
        }
        out
    }

    /// A variable in every lane, or elements of an array; of these one member, if it is named.
    pub(super) fn print(
        &self,
        name: &str,
        range: Option<Range>,
        member: Option<&str>,
    ) -> Result<String, String> {
        let history = &self.recorded.history;
        let snapshot = history.after(self.at).ok_or("nothing is recorded")?;
        let variables = history.variables();
        let is_tile = history.tiles().iter().any(|tile| variables[tile.variable].name == name);
        let named = |variable: usize| variables[variable].name == name;
        let mut out = String::new();
        let mut is_scalar = false;
        for shown in snapshot.variables.iter().filter(|shown| named(shown.variable)) {
            let variable = &variables[shown.variable];
            is_scalar |= !is_tile;
            if range.is_none() && !is_tile {
                let _ = writeln!(out, "{} {name}, warp {}:", variable.ty, snapshot.moment.warp);
                out.push_str(&in_lanes(&shown.values));
            }
        }
        if !out.is_empty() {
            return Ok(out);
        }
        let tile = history.tiles().iter().find(|tile| named(tile.variable));
        let known = tile.is_some() || history.arrays(name).next().is_some();
        let (from, until) = match (range, tile) {
            (Some(range), _) => range,
            (None, Some(tile)) => (0, u64::from(ELEMENTS.min(tile.count))),
            (None, None) if known => {
                return Err(format!("which element of `{name}`? Write `{name}[0]`"));
            }
            (None, None) => return Err(self.no_variable(name)),
        };
        if !known && !is_scalar && self.must_be_known(name).is_err() {
            return Err(self.no_variable(name));
        }
        let base = self.base(name)?;
        base.must_hold(until)?;
        let most = if tile.is_some() { MOST_ELEMENTS } else { ELEMENTS };
        let shown = until.min(from.saturating_add(u64::from(most)));
        match (base.space(), tile) {
            (_, Some(_)) if member.is_some() => {
                return Err(format!("`print {name}[{from}]` shows the element with its members"));
            }
            (_, Some(tile)) => {
                let elements = history.elements(tile, from as u32, most, self.at);
                for (index, (value, changed)) in (from..shown).zip(elements) {
                    let mark = if changed { '*' } else { ' ' };
                    let value = value.unwrap_or_else(|| "not written yet".to_owned());
                    let _ = writeln!(out, "{mark} {name}[{index}] = {value}");
                }
            }
            (ArraySpace::Global | ArraySpace::Constant, _) => {
                for index in from..shown {
                    let element = base.element(index)?;
                    self.must_have(&element, member)?;
                    out.push_str(&self.global_element(&element, member));
                }
            }
            _ => {
                return Err(format!(
                    "the elements of `{name}` are not in global memory: write `print {name}`"
                ));
            }
        }
        if let Some(tile) = tile.filter(|tile| range.is_none() && shown < u64::from(tile.count)) {
            let count = tile.count;
            let rest = format!("`print {name}[{shown}..{count}]` shows the others");
            let _ = writeln!(out, "  the first {shown} of {count} elements: {rest}");
        }
        if shown < until {
            let _ = writeln!(out, "  {most} are shown at once; the next is {name}[{shown}]");
        }
        Ok(out)
    }

    /// An element of global memory, as this block has last seen it.
    fn global_element(&self, element: &Element, member: Option<&str>) -> String {
        let history = &self.recorded.history;
        let text = &element.text;
        // What is no number has members, and each is accessed by itself.
        if history.number(&element.ty, 1).starts_with("0x") {
            return self.members(element, member);
        }
        let seen = (0..=self.at).rev().find_map(|step| {
            history.accesses(step).find_map(|(touched, values)| {
                // Of several lanes that write one element, the value of the last stays.
                let lane = 31_u32.checked_sub(element.lanes(&touched).leading_zeros())?;
                Some((step, lane, touched.verb, values.map(|values| values[lane as usize])))
            })
        });
        let Some((step, lane, verb, value)) = seen else {
            return format!("  {text}: not accessed by this block yet\n");
        };
        let value = value.map_or("?".to_owned(), |bits| history.number(&element.ty, bits));
        let warp = self.warp(step);
        format!("  {text} = {value} ({verb} in step {step}, warp {warp}, lane {lane})\n")
    }

    /// Who wrote an element last.
    pub(super) fn writer(&self, element: &Element) -> String {
        let text = &element.text;
        let Some((step, mask)) = self.last_writer(element) else {
            if self.at + 1 < self.len() || self.recorded.history.cut() {
                return format!("this block has not written `{text}` yet");
            }
            let other = Some(element).filter(|element| element.is_global());
            return match other.and_then(|element| self.other_writer(element)) {
                Some(block) => format!(
                    "this block does not write `{text}`; block {block} does: write `block {block}`, `end`"
                ),
                None => format!("this block does not write `{text}`"),
            };
        };
        let warp = self.warp(step);
        let threads = (0..32).filter(|lane| mask >> lane & 1 != 0).map(|lane| warp * 32 + lane);
        let threads: Vec<String> = threads.map(|thread| thread.to_string()).collect();
        let word = if threads.len() == 1 { "thread" } else { "threads" };
        let at = self.line(step).map_or(String::new(), |line| {
            format!(" at {}\n{}", self.name(line), self.source(line))
        });
        format!("{text} was written in step {step} by {word} {}{at}", threads.join(", "))
    }
}

/// A value per lane: a line for each value, or for each eight lanes if there are many.
pub(super) fn in_lanes(values: &[Option<String>]) -> String {
    let mut groups: Vec<(u32, &Option<String>)> = Vec::new();
    for (lane, value) in values.iter().enumerate() {
        match groups.iter_mut().find(|(_, known)| *known == value) {
            Some((lanes, _)) => *lanes |= 1 << lane,
            None => groups.push((1 << lane, value)),
        }
    }
    let mut out = String::new();
    if groups.len() > 8 {
        for (row, values) in values.chunks(8).enumerate() {
            let values: Vec<&str> = values.iter().map(|v| v.as_deref().unwrap_or("-")).collect();
            let first = row * 8;
            let _ = writeln!(out, "  lanes {first}-{}: {}", first + 7, values.join(" "));
        }
        return out;
    }
    for (mask, value) in groups {
        if let Some(value) = value {
            let _ = writeln!(out, "  {}: {value}", named(mask));
        }
    }
    if out.is_empty() { "  in no lane yet\n".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_ranges() {
        assert_eq!(lanes(u32::MAX), "0-31");
        assert_eq!(lanes(0b1011_0001), "0, 4-5, 7");
        assert_eq!(lanes(0), "");
    }
}
