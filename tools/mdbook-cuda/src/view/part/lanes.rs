//! The 32 lanes of a warp, instruction after instruction.
//!
//! A row is a run of instructions of one source line with the same active lanes. Rows that repeat as
//! a group, as the body of a loop does, are shown once with the number of times.

use super::diagram::Drawn;
use super::html::escape;
use super::number;
use super::svg::{self, key};
use super::warp::Warp;
use super::words::{capital, lanes_in_words, plural};
use std::fmt::Write;
use verify::trace::{ArraySpace, Step, Work};

/// Rows that a figure shows at most.
const ROWS: usize = 48;

/// Rows that a repeated group may have.
const GROUP: usize = 16;

/// A run of instructions of one line with the same active lanes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    line: u32,
    lanes: u32,
    /// What decides its colour.
    kind: Kind,
    instructions: usize,
}

/// What the instructions of a row do; of several kinds, the last in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Registers,
    Local,
    Constant,
    Shared,
    Global,
    Exchange,
    Barrier,
}

impl Kind {
    fn of(step: &Step) -> Kind {
        match step.work {
            Work::Barrier => Kind::Barrier,
            Work::Exchange => Kind::Exchange,
            Work::Compute | Work::Branch | Work::Bookkeeping => Kind::Registers,
            Work::Access => match step.touched.first().map(|t| t.space) {
                Some(ArraySpace::Global) => Kind::Global,
                Some(ArraySpace::Constant) => Kind::Constant,
                Some(ArraySpace::Shared) => Kind::Shared,
                Some(ArraySpace::Local) => Kind::Local,
                None => Kind::Registers,
            },
        }
    }

    fn class(self) -> &'static str {
        match self {
            Kind::Registers => "cuda-fill-registers",
            Kind::Local => "cuda-fill-local",
            Kind::Constant => "cuda-fill-constant",
            Kind::Shared => "cuda-fill-shared",
            Kind::Global => "cuda-fill-global",
            Kind::Exchange => "cuda-fill-exchange",
            Kind::Barrier => "cuda-fill-barrier",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Kind::Registers => "registers only",
            Kind::Local => "local memory",
            Kind::Constant => "constant memory",
            Kind::Shared => "shared memory",
            Kind::Global => "global memory",
            Kind::Exchange => "between lanes",
            Kind::Barrier => "barrier",
        }
    }
}

/// Rows, or a group of them that repeats.
#[derive(Debug, PartialEq)]
struct Group {
    rows: Vec<Row>,
    times: usize,
}

fn rows(steps: &[Step]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for step in steps {
        let kind = Kind::of(step);
        match rows.last_mut() {
            Some(row) if (row.line, row.lanes) == (step.line, step.lanes) => {
                row.instructions += 1;
                row.kind = row.kind.max(kind);
            }
            _ => rows.push(Row { line: step.line, lanes: step.lanes, kind, instructions: 1 }),
        }
    }
    rows
}

/// Folds repeated rows: at each row the group that saves most rows.
fn folded(rows: &[Row]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let times = |period: usize| {
            let group = &rows[at..(at + period).min(rows.len())];
            rows[at..].chunks(period).take_while(|chunk| *chunk == group).count()
        };
        let best = (2..=GROUP.min((rows.len() - at) / 2))
            .map(|period| (period, times(period)))
            .filter(|(_, times)| *times > 1)
            .max_by_key(|(period, times)| (period * (times - 1), GROUP - period));
        match best {
            Some((period, times)) => {
                groups.push(Group { rows: rows[at..at + period].to_vec(), times });
                at += period * times;
            }
            None => {
                match groups.last_mut().filter(|group| group.times == 1) {
                    Some(group) => group.rows.push(rows[at]),
                    None => groups.push(Group { rows: vec![rows[at]], times: 1 }),
                }
                at += 1;
            }
        }
    }
    groups
}

/// The figure of a warp.
pub(crate) fn draw(warp: &Warp<'_>) -> Result<Drawn, String> {
    let trace = &warp.trace.trace;
    let asked_line = warp.trace.address.line;
    // The sentence counts what the counters count; the rows are those that have a line.
    let mut counted: Vec<&Step> = trace.steps.iter().collect();
    let steps: Vec<Step> =
        trace.steps.iter().filter(|step| step.work != Work::Bookkeeping).cloned().collect();
    if steps.is_empty() {
        return Err(format!("{} of `{}` executes nothing", warp.title(), warp.kernel.path));
    }
    // Where the page names a line, each time that it runs is a row of its own.
    let groups = match asked_line {
        None => folded(&rows(&steps)),
        Some(line) => {
            let rows: Vec<Row> =
                rows(&steps).into_iter().filter(|row| u64::from(row.line) == line).collect();
            if rows.is_empty() {
                let path = &warp.kernel.path;
                return Err(format!("{} of `{path}` never runs line {line}", warp.title()));
            }
            counted.retain(|s| u64::from(s.line) == line && s.work != Work::Bookkeeping);
            vec![Group { rows, times: 1 }]
        }
    };
    let (list, mut kinds) = list(warp, &groups);
    kinds.sort_unstable();
    kinds.dedup();
    let keys: String = kinds
        .into_iter()
        .map(|kind| key(kind.class(), kind.words()))
        .chain([key("cuda-idle", "idle")])
        .collect();
    let total = counted.len() as u64;
    let working: u64 = counted.iter().map(|step| u64::from(step.lanes.count_ones())).sum();
    let sentence = format!(
        "{}{}: {}{} warp-instructions, in which on average {} of 32 lanes work.{}",
        capital(&warp.title()),
        asked_line.map_or_else(String::new, |line| format!(" at line {line}")),
        if trace.cut { "the first " } else { "" },
        number::count(total),
        number::significant(working as f64 / total as f64),
        without_a_line(counted.iter().filter(|step| step.work == Work::Bookkeeping).count()),
    );
    let html = format!(
        "<figure class=\"cuda-figure cuda-lanes\">\n{list}<figcaption><p class=\"cuda-keys\">{keys}\
         </p><p>{sentence}</p>{}</figcaption>\n</figure>\n",
        warp.link(asked_line.and_then(|line| u32::try_from(line).ok())),
    );
    Ok(Drawn { html, sentence })
}

/// What the rows leave out: instructions of the simulator at which lanes meet again or end.
fn without_a_line(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " One of them belongs to no line and is not drawn.".to_owned(),
        _ => {
            format!(" {} of them belong to no line and are not drawn.", number::count(count as u64))
        }
    }
}

/// The list of the rows, and what their instructions do.
fn list(warp: &Warp<'_>, groups: &[Group]) -> (String, Vec<Kind>) {
    let mut out = String::from("<ol>\n");
    let mut shown = 0;
    let mut left = 0;
    let mut last_line = None;
    let mut kinds: Vec<Kind> = Vec::new();
    for group in groups {
        if shown >= ROWS {
            left += group.rows.len();
            continue;
        }
        if group.times > 1 {
            let _ = writeln!(
                out,
                "<li class=\"cuda-again\"><span>{} times:</span>\n<ol>",
                number::count(group.times as u64)
            );
        }
        for row in &group.rows {
            if shown >= ROWS {
                left += 1;
                continue;
            }
            shown += 1;
            kinds.push(row.kind);
            out.push_str(&row_html(warp, row, last_line == Some(row.line)));
            last_line = Some(row.line);
        }
        if group.times > 1 {
            out.push_str("</ol></li>\n");
            last_line = None;
        }
    }
    out.push_str("</ol>\n");
    if left > 0 {
        let _ = writeln!(out, "<p class=\"cuda-caption\">… and {left} more rows.</p>");
    }
    (out, kinds)
}

/// A line of code without the comment behind it: a picture has room for the code only.
fn without_comment(line: &str) -> &str {
    line.split_once("  //").map_or(line, |(code, _)| code)
}

fn row_html(warp: &Warp<'_>, row: &Row, same_line: bool) -> String {
    let (place, code) = if row.line == 0 {
        (String::new(), "in a header".to_string())
    } else {
        (row.line.to_string(), without_comment(warp.source(row.line)).to_string())
    };
    let (code, class) =
        if same_line { ("″".to_string(), " class=\"cuda-same\"") } else { (code, "") };
    format!(
        "<li class=\"cuda-row\"><span class=\"cuda-n\">{place}</span><code{class}>{}</code>{}\
         <span class=\"cuda-hidden\">{}, {}, {}</span></li>\n",
        escape(&code),
        svg::warp(row.lanes, row.kind.class()).replace("role=\"img\"", "aria-hidden=\"true\""),
        lanes_in_words(row.lanes),
        row.kind.words(),
        plural(row.instructions as u64, "instruction"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(line: u32, lanes: u32, work: Work) -> Step {
        Step { line, lanes, work, touched: Vec::new() }
    }

    #[test]
    fn instructions_of_a_line_with_the_same_lanes_are_one_row() {
        let steps = [
            step(1, 7, Work::Compute),
            step(1, 7, Work::Barrier),
            step(1, 3, Work::Compute),
            step(2, 3, Work::Compute),
        ];
        let rows = rows(&steps);
        let short: Vec<_> = rows.iter().map(|r| (r.line, r.lanes, r.instructions)).collect();
        assert_eq!(short, [(1, 7, 2), (1, 3, 1), (2, 3, 1)]);
        assert_eq!(rows[0].kind, Kind::Barrier);
    }

    #[test]
    fn a_row_shows_no_comment() {
        assert_eq!(without_comment("int x = y;  // the column"), "int x = y;");
        assert_eq!(without_comment("print(\"http://x\");"), "print(\"http://x\");");
    }

    #[test]
    fn what_repeats_is_folded_and_nothing_is_lost() {
        let row = |line| Row { line, lanes: 1, kind: Kind::Registers, instructions: 1 };
        let lines = [1, 2, 3, 2, 3, 2, 3, 4, 5, 6];
        let rows: Vec<Row> = lines.into_iter().map(row).collect();
        let groups = folded(&rows);
        let shape: Vec<_> = groups.iter().map(|g| (g.rows.len(), g.times)).collect();
        assert_eq!(shape, [(1, 1), (2, 3), (3, 1)]);
        let unfolded: Vec<u32> = groups
            .iter()
            .flat_map(|g| g.rows.repeat(g.times).into_iter().map(|r| r.line))
            .collect();
        assert_eq!(unfolded, lines);
    }
}
