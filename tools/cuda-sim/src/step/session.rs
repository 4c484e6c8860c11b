//! A session: where it is in the recording, and how it moves.

use super::Recorded;
use super::element::Element;
use anyhow::Result;
use simt::observe::Moment;
use std::collections::HashMap;

/// The place of an instruction in the sources. Built-in headers have no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) file: u32,
    pub(super) line: u32,
}

/// Where to stop.
#[derive(Debug, Clone)]
pub(super) struct Breakpoint {
    pub(super) number: u32,
    pub(super) at: Stop,
    /// Only for this thread of the block.
    pub(super) thread: Option<u32>,
    pub(super) condition: Option<Condition>,
    /// As it was written.
    pub(super) text: String,
}

#[derive(Debug, Clone)]
pub(super) enum Stop {
    /// A warp comes to the line from another one.
    Line(Line),
    /// Something writes the element.
    Write(Element),
}

/// `i >= 3`: true if it is for one of the lanes.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) variable: String,
    pub(super) operator: &'static str,
    pub(super) number: f64,
}

/// The most blocks that are recorded to find who writes an element.
const MOST_SEARCHED: u32 = 64;

/// A debugger of one recorded block. The state that it shows is the one after the current step.
pub(super) struct Session<'a> {
    pub(super) recorded: Recorded,
    record: &'a dyn Fn(u64, u32) -> Result<Recorded>,
    /// For each step its line and its warp.
    lines: Vec<(Option<Line>, u32)>,
    pub(super) at: usize,
    pub(super) lane: u32,
    /// Whether a thread was named, which `step` then follows: other lanes may go another way.
    pub(super) follows: bool,
    pub(super) breakpoints: Vec<Breakpoint>,
    pub(super) made: u32,
    /// The last command, which an empty line repeats.
    pub(super) last: String,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        recorded: Recorded,
        record: &'a dyn Fn(u64, u32) -> Result<Recorded>,
    ) -> Session<'a> {
        let lines = lines(&recorded);
        let (breakpoints, last) = (Vec::new(), String::new());
        Session {
            recorded,
            record,
            lines,
            at: 0,
            lane: 0,
            follows: false,
            breakpoints,
            made: 0,
            last,
        }
    }

    /// Records another launch or block, and begins with its first step.
    pub(super) fn again(&mut self, launch: u64, block: u32) -> Result<String, String> {
        self.recorded = (self.record)(launch, block).map_err(|error| format!("{error:#}"))?;
        self.lines = lines(&self.recorded);
        (self.at, self.lane, self.follows) = (0, 0, false);
        Ok(self.greeting())
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn moment(&self, step: usize) -> Option<Moment> {
        self.recorded.history.moment(step)
    }

    pub(super) fn line(&self, step: usize) -> Option<Line> {
        self.lines.get(step).and_then(|(line, _)| *line)
    }

    pub(super) fn warp(&self, step: usize) -> u32 {
        self.lines.get(step).map_or(0, |(_, warp)| *warp)
    }

    /// The steps behind (or before) the current one, nearest first.
    fn ahead(&self, forwards: bool) -> Box<dyn Iterator<Item = usize>> {
        match forwards {
            true => Box::new(self.at + 1..self.len()),
            false => Box::new((0..self.at).rev()),
        }
    }

    /// Goes `count` instructions, of whatever warp.
    pub(super) fn step_instructions(&mut self, count: usize, forwards: bool) -> Result<(), String> {
        let to = match forwards {
            true => self.at.checked_add(count).filter(|to| *to < self.len()),
            false => self.at.checked_sub(count),
        };
        self.at = to.ok_or_else(|| end(forwards))?;
        Ok(())
    }

    /// Goes to the next instruction of the current warp that is at another line.
    pub(super) fn step_line(&mut self, forwards: bool) -> Result<(), String> {
        let (warp, line) = (self.warp(self.at), self.line(self.at));
        let mut ahead = self.ahead(forwards);
        let takes_part = |step: usize| {
            !self.follows
                || self.moment(step).is_some_and(|moment| moment.lanes >> self.lane & 1 != 0)
        };
        let is_other = |step: &usize| {
            self.warp(*step) == warp
                && takes_part(*step)
                && self.line(*step).is_some_and(|l| Some(l) != line)
        };
        let to = ahead
            .find(is_other)
            .ok_or_else(|| format!("warp {warp} comes to no other line {}", direction(forwards)))?;
        self.at = to;
        Ok(())
    }

    /// Goes to the next instruction of a warp.
    pub(super) fn go_to_warp(&mut self, warp: u32) -> Result<(), String> {
        let warps = self.recorded.history.warps();
        if warp as usize >= warps {
            return Err(format!("there is no warp {warp}: the block has {warps}"));
        }
        if self.warp(self.at) != warp {
            let mut all = (self.at..self.len()).chain((0..self.at).rev());
            let to = all.find(|step| self.warp(*step) == warp);
            self.at = to.ok_or_else(|| format!("warp {warp} has no step in the recording"))?;
        }
        Ok(())
    }

    /// Goes to the next breakpoint; to the end if there is none. Returns the breakpoint's number.
    pub(super) fn go_on(&mut self, forwards: bool) -> Result<Option<u32>, String> {
        let found = self
            .ahead(forwards)
            .find_map(|step| Some((step, self.breakpoints.iter().find(|b| self.stops(b, step))?)));
        let end = if forwards { self.len() - 1 } else { 0 };
        if found.is_none() && self.at == end {
            return Err(self::end(forwards));
        }
        let thread = found.and_then(|(_, breakpoint)| breakpoint.thread);
        let found = found.map(|(step, breakpoint)| (step, breakpoint.number));
        if let Some(thread) = thread {
            (self.lane, self.follows) = (thread % 32, true);
        }
        self.at = found.map_or(end, |(step, _)| step);
        Ok(found.map(|(_, number)| number))
    }

    fn stops(&self, breakpoint: &Breakpoint, step: usize) -> bool {
        let warp = self.warp(step);
        let lanes = match breakpoint.thread {
            Some(thread) if thread / 32 != warp => return false,
            Some(thread) => 1 << (thread % 32),
            None => u32::MAX,
        };
        let is_there = match &breakpoint.at {
            Stop::Line(line) => self.line(step) == Some(*line) && self.arrives(step),
            Stop::Write(element) => self.writes(step, element) & lanes != 0,
        };
        let active = self.moment(step).map_or(0, |moment| moment.lanes) & lanes;
        is_there
            && active != 0
            && breakpoint.condition.as_ref().is_none_or(|c| self.holds(c, step, active))
    }

    /// Whether the step before of the same warp was at another line.
    fn arrives(&self, step: usize) -> bool {
        let warp = self.warp(step);
        let before = (0..step).rev().find(|before| self.warp(*before) == warp);
        before.is_none_or(|before| self.line(before) != self.line(step))
    }

    fn holds(&self, condition: &Condition, step: usize, lanes: u32) -> bool {
        let Some(snapshot) = self.recorded.history.after(step) else { return false };
        let variables = self.recorded.history.variables();
        let named =
            |shown: &&simt::observe::Shown| variables[shown.variable].name == condition.variable;
        snapshot.variables.iter().filter(named).any(|shown| {
            let active = (0..32).filter(|lane| lanes >> lane & 1 != 0);
            let values = active.filter_map(|lane| shown.values[lane as usize].as_deref());
            values.filter_map(number).any(|value| compare(value, condition))
        })
    }

    /// The lanes that write the element in this step.
    pub(super) fn writes(&self, step: usize, element: &Element) -> u32 {
        written(&self.recorded, step, element)
    }

    /// Another block of the launch that writes the element of global memory, among the first ones. A
    /// block is recorded for it.
    pub(super) fn other_writer(&self, element: &Element) -> Option<u32> {
        let own = self.recorded.block;
        let blocks = u32::try_from(self.recorded.grid.count()).unwrap_or(u32::MAX);
        (0..blocks.min(MOST_SEARCHED)).filter(|block| *block != own).find(|block| {
            let recorded = (self.record)(self.recorded.launch, *block);
            recorded.is_ok_and(|recorded| {
                let steps = 0..recorded.history.len();
                steps.into_iter().any(|step| written(&recorded, step, element) != 0)
            })
        })
    }

    /// The last step up to the current one that wrote the element, with its lanes.
    pub(super) fn last_writer(&self, element: &Element) -> Option<(usize, u32)> {
        let steps = (0..=self.at).rev();
        let mut writers = steps.map(|step| (step, self.writes(step, element)));
        writers.find(|(_, lanes)| *lanes != 0)
    }
}

/// The lanes that write the element in a step of a recording.
fn written(recorded: &Recorded, step: usize, element: &Element) -> u32 {
    let accesses = recorded.history.accesses(step);
    let own = accesses.filter(|(touched, _)| touched.verb != "read");
    own.fold(0, |lanes, (touched, _)| lanes | element.lanes(&touched))
}

fn direction(forwards: bool) -> &'static str {
    if forwards { "from here on" } else { "before this" }
}

fn end(forwards: bool) -> String {
    match forwards {
        true => "this is the end of the recording",
        false => "this is the beginning of the recording",
    }
    .to_owned()
}

/// A value as a number.
fn number(text: &str) -> Option<f64> {
    match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        text => text.parse().ok(),
    }
}

fn compare(value: f64, condition: &Condition) -> bool {
    match condition.operator {
        "==" => value == condition.number,
        "!=" => value != condition.number,
        "<=" => value <= condition.number,
        ">=" => value >= condition.number,
        "<" => value < condition.number,
        _ => value > condition.number,
    }
}

/// For each step its line and its warp; a position is looked up once.
fn lines(recorded: &Recorded) -> Vec<(Option<Line>, u32)> {
    let history = &recorded.history;
    let sources = history.sources();
    let mut known: HashMap<simt::Span, Option<Line>> = HashMap::new();
    let moments = (0..history.len()).filter_map(|step| history.moment(step));
    let lines = moments.map(|moment| {
        let span = moment.span;
        let line = known.entry(span).or_insert_with(|| {
            let is_empty = span.is_built_in() || span.end == 0;
            (!is_empty).then(|| Line { file: span.file, line: sources.position(span).line })
        });
        (*line, moment.warp)
    });
    lines.collect()
}
